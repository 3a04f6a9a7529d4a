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

"""The joints of a description by type, child element and position limits, for the rules."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.topology import attached_link
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.element import Element

INTERFACES = ('command_interface', 'state_interface')
"""The interfaces of a ``<joint>`` in ``<ros2_control>``."""

JOINT_TYPES = tuple(kind.value for kind in JointType)

LIMITED_TYPES = ('revolute', 'prismatic')
"""The joint types that need position limits."""

AXIS_TYPES = ('revolute', 'continuous', 'prismatic', 'planar')
"""The joint types that have an axis."""


def joints_of_type(description: Description, types: Collection[str]) -> Iterator[Element]:
    """Yield each joint of one of these types."""
    return (joint for joint in description.joints if joint.get('type') in types)


def joints_with(description: Description, tag: str,
                types: Collection[str] = JOINT_TYPES) -> Iterator[tuple[Element, Element]]:
    """Yield each joint of one of these types that has a child with this tag, and that child."""
    for joint, element in _first_children(description).get(tag, {}).items():
        if joint.get('type') in types:
            yield joint, element


def named_joints(description: Description, owners: Iterable[Element]
                 ) -> Iterator[tuple[Element, Element, str, Element | None]]:
    """Yield each ``<joint>`` in elements: parent element, joint, name, joint of the robot."""
    for owner in owners:
        for part in owner.findall('joint'):
            if name := part.get('name'):
                yield owner, part, name, description.joint_names.get(name)


def has_computed_type(joint: Element) -> bool:
    """Return whether a xacro expression computes the type, so that it may vary."""
    kind = None if joint.origin is None else joint.origin.attribute('type')
    return kind is not None and kind.is_expression


@once
def rigid_bodies(description: Description) -> Mapping[str, str]:
    """Return each link to the first link of its rigid body, which fixed joints form."""
    bodies: dict[str, str] = {}
    for link in description.topology.order:
        joint = description.topology.parent_joint(link)
        is_fixed = joint is not None and joint.get('type') == 'fixed'
        parent = attached_link(joint, 'parent') if joint is not None and is_fixed else None
        bodies[link] = link if parent is None else bodies.get(parent, parent)
    return bodies


@once
def _first_children(description: Description) -> Mapping[str, Mapping[Element, Element]]:
    """Return each tag to the joints that have a child with it, each with the first of these."""
    found: dict[str, dict[Element, Element]] = {}
    for joint in description.joints:
        for element in joint:
            found.setdefault(element.tag, {}).setdefault(joint, element)
    return found


@once
def position_ranges(description: Description) -> Mapping[Element | None, tuple[float, float]]:
    """Return each joint with both position limits, to these limits."""
    return {joint: (lower, upper) for joint, _, lower, upper in position_limits(description)}


def position_limits(description: Description) -> list[tuple[Element, Element, float, float]]:
    """Return each joint with both position limits, its ``<limit>``, lower and upper."""
    found = []
    for joint, limit in joints_with(description, 'limit', LIMITED_TYPES):
        lower = description.number(limit, 'lower')
        upper = description.number(limit, 'upper')
        if lower is not None and upper is not None:
            found.append((joint, limit, lower, upper))
    return found
