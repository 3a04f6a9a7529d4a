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

"""Refusals: what urdfdom finds wrong with a robot that the loader accepts."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass

from urdf_tools.model.attributes import read_number
from urdf_tools.model.attributes import read_text
from urdf_tools.model.element import Element
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot

_PARTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    'limit': (('effort', 'velocity'), ('lower', 'upper')),
    'safety_controller': (
        ('k_velocity',), ('soft_lower_limit', 'soft_upper_limit', 'k_position')),
    'calibration': ((), ('rising', 'falling')),
    'mimic': ((), ('multiplier', 'offset')),
    'dynamics': ((), ('damping', 'friction')),
}
"""Parts of a joint: the numbers that each must have, and those that it may have."""


@dataclass(frozen=True)
class Refusal:
    """
    A reason why Gazebo gets nothing at all.

    :param message: what is wrong, one sentence.
    :param hint: how to fix it.
    """

    element: Element
    message: str
    hint: str = ''


def refusals(robot: Robot) -> Iterator[Refusal]:
    """Yield why urdfdom, which libsdformat reads URDF with, refuses a robot."""
    assert robot.element is not None, 'robots of a description have elements'
    if robot.version != '1.0':
        yield Refusal(
            robot.element, f'The description is URDF {robot.version}, and the urdfdom that Gazebo '
                           'is built with reads only 1.0', 'Write version="1.0"')
    yield from _equal_materials(robot.element)
    for joint in robot.element.iterfind('joint'):
        yield from _joint_refusals(joint)
    yield from _several_parents(robot)


def _equal_materials(root: Element) -> Iterator[Refusal]:
    names = set()
    for material in root.iterfind('material'):
        name = material.get('name', '')
        if name in names:
            yield Refusal(material, f'Two materials have the name {quote(name)}', 'Rename one')
        names.add(name)


def _joint_refusals(joint: Element) -> Iterator[Refusal]:
    name = quote(joint.get('name', ''))
    if joint.get('type') in ('revolute', 'prismatic') and joint.find('limit') is None:
        yield Refusal(joint, f'Joint {name} is {joint.get("type")} and has no <limit>',
                      'Add <limit lower= upper= effort= velocity=>')
    for tag, (required, optional) in _PARTS.items():
        part = joint.find(tag)
        if part is None:
            continue
        for attribute in required:
            yield from _error(part, attribute, read_number)
        for attribute in optional:
            if attribute in part.attrib:
                yield from _error(part, attribute, read_number)
        if tag == 'mimic':
            yield from _error(part, 'joint', read_text)
        if tag == 'dynamics' and not part.attrib.keys() & {'damping', 'friction'}:
            yield Refusal(part, f'<dynamics> of joint {name} has neither damping nor friction',
                          'Remove it')


def _error(
        element: Element, attribute: str,
        read: Callable[[Element, str], object]) -> Iterator[Refusal]:
    try:
        read(element, attribute)
    except DescriptionError as error:
        yield Refusal(element, error.message, error.hint)


def _several_parents(robot: Robot) -> Iterator[Refusal]:
    for joint in robot.joints.values():
        if robot.parent_joint[joint.child] is not joint:
            assert joint.element is not None, 'robots of a description have elements'
            yield Refusal(
                joint.element, f'Link {quote(joint.child)} is the child of several joints',
                'Keep one of them')
