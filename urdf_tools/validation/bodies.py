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

"""The links of a description whose mass and inertia can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia import Verdict
from urdf_tools.inertia.spatial import NEGLIGIBLE
from urdf_tools.inertia.spatial import TOLERANCE
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Link
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.schema import INERTIA

_FRAME_MASS = 1e-5
"""Largest mass in kg of a link that is only a frame; exporters write such masses."""


@dataclass(frozen=True, eq=False)
class Body:
    """
    A link with a mass and an inertia.

    :ivar inertial: the numbers, as the loader reads them.
    :ivar inertial_element: the ``<inertial>``; ``mass_element`` and ``inertia_element`` are its
        children.
    """

    link: Link
    inertial: Inertial
    inertial_element: Element
    mass_element: Element
    inertia_element: Element

    @property
    def mass(self) -> float:
        """Mass in kg."""
        return self.inertial.mass

    @cached_property
    def matrix(self) -> np.ndarray:
        """Inertia about the centre of mass in the inertial frame in kg m^2, shape (3, 3)."""
        return self.inertial.matrix

    @property
    def is_frame(self) -> bool:
        """Whether the link has so little mass that it is only a frame."""
        return self.mass <= _FRAME_MASS

    @cached_property
    def inconsistency(self) -> tuple[str, str] | None:
        """The rule that a physically inconsistent inertia breaks first and the reason, or None."""
        return _inconsistency(self.inertial)

    @cached_property
    def repeated_entries(self) -> str:
        """Products of inertia that equal a moment, such as ``ixy equals iyy (0.1)``, or empty."""
        moments = {'ixx': self.inertial.ixx, 'iyy': self.inertial.iyy, 'izz': self.inertial.izz}
        products = {'ixy': self.inertial.ixy, 'ixz': self.inertial.ixz, 'iyz': self.inertial.iyz}
        same = [f'{product} equals {moment} ({value:g})'
                for product, value in products.items() if value
                for moment, other in moments.items() if value == other]
        return ' and '.join(same[:2])


def bodies(description: Description) -> list[Body]:
    """Return the links whose mass and inertia can be read, in file order."""
    found = []
    for name, inertial in description.inertials.items():
        element = child(description.link_names[name], 'inertial')
        mass = child(element, 'mass')
        inertia = child(element, 'inertia')
        if element is not None and mass is not None and inertia is not None:
            found.append(Body(description.records[name], inertial, element, mass, inertia))
    return found


def inertial_elements(description: Description) -> Iterator[Element]:
    """Yield the ``<inertial>`` of every link that has one, whether or not it can be read."""
    for link in description.links:
        inertial = child(link, 'inertial')
        if inertial is not None:
            yield inertial


def moving_joint(description: Description, link: str) -> Element | None:
    """Return the joint that a link is the child of, or None where it is fixed or has none."""
    joint = description.topology.parent_joint(link)
    return None if joint is None or joint.get('type') == 'fixed' else joint


def _inconsistency(inertial: Inertial) -> tuple[str, str] | None:
    if inertial.mass <= 0 or not np.any(np.abs(inertial.matrix) >= NEGLIGIBLE):
        return None
    xx, xy, xz, yy, yz, zz = (getattr(inertial, name) for name in INERTIA)
    diagonal = {'ixx': xx, 'iyy': yy, 'izz': zz}
    wrong = [f'{name} is {value:g}' for name, value in diagonal.items() if value <= 0]
    if wrong:
        return 'inertia-diagonal-not-positive', ', '.join(wrong)
    for name, product, moment in (('iyz', yz, 'ixx'), ('ixz', xz, 'iyy'), ('ixy', xy, 'izz')):
        if 2 * abs(product) > diagonal[moment] + TOLERANCE * max(diagonal.values()):
            return ('inertia-offdiag-too-large',
                    f'2 |{name}| = {2 * abs(product):g} exceeds {moment} = {diagonal[moment]:g}')
    body = SpatialInertia.from_inertial(inertial)
    consistency = body.consistency()
    if consistency:
        return None
    moments = body.principal().moments
    shown = ', '.join(f'{moment:.4g}' for moment in moments)
    if consistency.verdict is Verdict.MOMENT and moments[0] < -TOLERANCE * moments[2]:
        return 'inertia-not-pd', f'one of its principal moments ({shown}) is negative'
    if consistency.verdict is Verdict.TRIANGLE:
        return ('inertia-triangle',
                f'its principal moments ({shown}) violate the triangle inequality')
    return None
