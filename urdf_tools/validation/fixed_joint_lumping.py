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

"""What Gazebo makes of links: it lumps fixed joints, and drops links without mass."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.model.document import Element
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.topology import attached_link

_KEEPS_JOINT = ('preserveFixedJoint', 'disableFixedJointLumping')
_TRUE = ('true', '1', 'yes')


class FixedJointLumping:
    """
    Links as Gazebo sees them, by the rules of sdformat's ``parser_urdf.cc``.

    The child of a fixed joint becomes part of its parent, mass and all, unless a ``<gazebo>``
    element keeps the joint. What has no mass then is dropped with all that it carries.
    """

    def __init__(self, description: Description):
        self._topology = description.topology
        self._kept = frozenset(
            element.get('reference') for element in description.gazebo
            if any(child.tag in _KEEPS_JOINT and (child.text or '').strip().lower() in _TRUE
                   for child in element))
        self.masses: dict[str, float] = {
            link: _mass(description, link) for link in self._topology.links}
        """Mass of each link with those that are lumped into it, in kg."""
        for link in reversed(self._topology.order):
            joint = self._topology.parent_joint(link)
            if joint is not None and self.is_lumped(joint):
                self.masses[attached_link(joint, 'parent')] += self.masses[link]

    def is_lumped(self, joint: Element) -> bool:
        """Tell whether the child of a joint becomes part of its parent."""
        return (joint.get('type') == 'fixed' and joint.get('name') not in self._kept
                and attached_link(joint, 'parent') in self._topology.links)

    def dropped_links(self) -> Iterator[str]:
        """Yield the links that are dropped, but for those that one of them carries."""
        gone = set()
        for link in self._topology.order:
            joint = self._topology.parent_joint(link)
            if joint is not None and attached_link(joint, 'parent') in gone:
                gone.add(link)
            elif link != 'world' and self.masses[link] <= 0 and not (
                    joint is not None and self.is_lumped(joint)):
                gone.add(link)
                yield link


def _mass(description, link):
    inertial = child(description.link_names[link], 'inertial')
    return description.number(child(inertial, 'mass'), 'value') or 0.0
