# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Bodies as MuJoCo sees them: which of them move without mass or inertia, which it refuses."""

from __future__ import annotations

from urdf_tools.findings.consequences import Condition
from urdf_tools.model.element import Element
from urdf_tools.validation.bodies import moving_joint
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.joints import rigid_bodies
from urdf_tools.validation.schema import INERTIA


class MujocoBodies:
    """
    The bodies of MuJoCo, each of which is all links that fixed joints connect.

    A collision gives a link without ``<inertial>`` mass and inertia, at 1000 kg/m^3. The inertia
    of a link without mass does not count.
    """

    def __init__(self, description: Description):
        self._description = description
        self._bodies = description.cached(rigid_bodies)
        self._with_mass: set[str] = set()
        self._with_inertia: set[str] = set()
        for name, link in description.link_names.items():
            inertial = child(link, 'inertial')
            is_solid = inertial is None and child(link, 'collision') is not None
            mass = description.number(child(inertial, 'mass'), 'value') or 0.0
            if not is_solid and mass <= 0:
                continue
            self._with_mass.add(self._body(name))
            if is_solid or _has_inertia(description, child(inertial, 'inertia')):
                self._with_inertia.add(self._body(name))

    def lacks_mass(self, link: str) -> bool:
        """Return whether a link is part of a body that a joint moves and that has no mass."""
        return self._moves(link) and self._body(link) not in self._with_mass

    def lacks_inertia(self, link: str) -> bool:
        """Return whether a link is part of a body that a joint moves and that has no inertia."""
        return self._moves(link) and self._body(link) not in self._with_inertia

    def _body(self, link: str) -> str:
        return self._bodies.get(link, link)

    def _moves(self, link: str) -> bool:
        return moving_joint(self._description, self._body(link)) is not None


def _has_inertia(description: Description, inertia: Element | None) -> bool:
    return any(description.number(inertia, name) for name in INERTIA)


def _link_around(element: Element) -> str:
    around: Element | None = element
    while around is not None and around.tag != 'link':
        around = around.parent
    return '' if around is None else around.get('name', '')


LACKS_MASS = Condition(
    'if a joint moves the body and nothing gives it a mass', lambda description, defect: (
        description.cached(MujocoBodies).lacks_mass(_link_around(defect.element))))
LACKS_INERTIA = Condition(
    'if a joint moves the body and nothing gives it an inertia', lambda description, defect: (
        description.cached(MujocoBodies).lacks_inertia(_link_around(defect.element))))
