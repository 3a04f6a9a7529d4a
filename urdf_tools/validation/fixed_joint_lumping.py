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


"""Fixed-joint lumping: the links that remain when Gazebo loads a description."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping
from functools import cached_property

from urdf_tools.model.element import Element
from urdf_tools.programs.gazebo.bodies_of_robot import WORLD
from urdf_tools.programs.gazebo.extensions import is_true
from urdf_tools.programs.gazebo.extensions import KEEP_JOINT
from urdf_tools.programs.gazebo.traced_xml import value_of
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.topology import attached_link


class FixedJointLumping:
    """
    Links and masses as Gazebo sees them, by the rules of sdformat's ``parser_urdf.cc``.

    The child of a fixed joint is lumped into its parent, unless a ``<gazebo>`` element preserves
    the joint. A link without mass after that is dropped with all its descendants.
    """

    def __init__(self, description: Description):
        self._topology = description.topology
        self._preserved = frozenset(
            element.get('reference') for element in description.gazebo
            if any(option.tag in KEEP_JOINT and is_true(value_of(option)) for option in element))
        self._own_masses = {
            name: _mass(description, link) for name, link in self._topology.links.items()}
        """Mass of each link in kg; None where it has no inertial."""
        self.masses: dict[str, float] = {
            link: mass or 0.0 for link, mass in self._own_masses.items()}
        """Mass of each link with the links lumped into it, in kg."""
        self._parents: dict[str, str] = {
            link: parent for link, joint in self._topology.first_parent_joints.items()
            if (parent := self._lumped_into(joint)) is not None}
        for link in reversed(self._topology.order):
            if link in self._parents:
                self.masses[self._parents[link]] += self.masses[link]

    def is_lumped(self, joint: Element) -> bool:
        """Tell whether the child of a joint is lumped into its parent."""
        return self._lumped_into(joint) is not None

    def _lumped_into(self, joint: Element) -> str | None:
        parent = attached_link(joint, 'parent')
        is_lumped = (joint.get('type') == 'fixed' and joint.get('name') not in self._preserved
                     and parent in self._topology.links and parent != WORLD)
        return parent if is_lumped else None

    def body(self, link: str) -> str:
        """Return the link that a link is lumped into, itself if it is not."""
        return self._bodies[link]

    @cached_property
    def _bodies(self) -> dict[str, str]:
        bodies: dict[str, str] = {}
        for link in self._topology.order:
            parent = self._parents.get(link)
            bodies[link] = link if parent is None else bodies.get(parent, parent)
        return bodies

    @cached_property
    def massless_pairs(self) -> Mapping[str, str]:
        """
        Links whose inertial adds no mass to a link that had none until then, and those links.

        The children of a link are lumped into it in the order of the names of their joints.
        """
        children: dict[str, list[tuple[str, str]]] = {}
        masses = dict(self._own_masses)
        pairs = {}
        for link in reversed(self._topology.order):
            for _, lumped in sorted(children.get(link, ())):
                mass = masses[lumped]
                if mass is not None:
                    if not masses[link] and not mass:
                        pairs[lumped] = link
                    masses[link] = (masses[link] or 0.0) + mass
            joint = self._topology.parent_joint(link)
            parent = self._parents.get(link)
            if joint is not None and parent is not None:
                children.setdefault(parent, []).append((joint.get('name', ''), link))
        return pairs

    def dropped_links(self) -> Mapping[str, int]:
        """Return the links that are dropped, each with the number of descendants lost with it."""
        lost: dict[str, int] = {}
        for ancestor in self._lost_with.values():
            lost[ancestor] = lost.get(ancestor, -1) + 1
        return lost

    @property
    def lost_links(self) -> Collection[str]:
        """The links that are dropped, and the descendants dropped with them."""
        return self._lost_with.keys()

    @property
    def loses_all(self) -> bool:
        """Whether no link is left that is not lumped into another one or into the world."""
        return bool(self.lost_links) and self._topology.links.keys() <= {WORLD, *self.lost_links}

    @cached_property
    def _lost_with(self) -> dict[str, str]:
        """Each link that is lost to the link without mass that it is lost with."""
        lost_with: dict[str, str] = {}
        for link in self._topology.order:
            joint = self._topology.parent_joint(link)
            parent = None if joint is None else attached_link(joint, 'parent')
            if parent is not None and parent in lost_with:
                lost_with[link] = lost_with[parent]
            elif link != WORLD and self.masses[link] <= 0 and link not in self._parents:
                lost_with[link] = link
        return lost_with


def _mass(description: Description, link: Element) -> float | None:
    inertial = link.find('inertial')
    if inertial is None:
        return None
    return description.number(inertial.find('mass'), 'value') or 0.0
