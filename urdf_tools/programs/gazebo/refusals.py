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

"""Why Gazebo refuses a robot, and what of that urdfdom finds before the conversion."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Container
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

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


class Fault(Enum):
    """What kind of thing makes Gazebo refuse a robot."""

    REFUSED = 'libsdformat does not convert the description'
    EMPTY = 'no link is left'
    NAME = 'a name is missing, reserved or not unique'
    FRAME = 'a frame is attached to a link that is dropped'
    JOINT_END = 'a joint connects a link that is dropped'
    JOINT_TYPE = 'SDFormat does not have the type of a joint'
    AXIS = 'an axis is zero'
    MIMIC = 'a joint mimics one that is dropped'
    INERTIA = 'an inertia is physically inconsistent'
    CENTRE_OF_MASS = 'a centre of mass is not a number'
    MESH = 'a mesh has no file'
    MODEL = 'an included model does not exist'
    ATTRIBUTE = 'an element in <gazebo> lacks an attribute, or has an unknown type'


@dataclass(frozen=True)
class LoadError:
    """
    A reason why Gazebo does not load a robot.

    :param message: what is wrong, one sentence.
    :param hint: how to fix it.
    :param wrong: a word that does not exist.
    :param near: the one that was probably meant by that.
    """

    element: Element
    message: str
    hint: str
    fault: Fault
    wrong: str = ''
    near: str = ''


def refusals(robot: Robot) -> Iterator[LoadError]:
    """Yield why libsdformat converts nothing of a robot."""
    yield from urdfdom_refusals(robot)
    yield from _several_parents(robot)


def urdfdom_refusals(
        robot: Robot, versions: Container[str] = ('1.0',)) -> Iterator[LoadError]:
    """
    Yield why urdfdom, with which libsdformat reads URDF, refuses a robot.

    :param versions: the versions of URDF that it reads.
    """
    assert robot.element is not None, 'robots of a description have elements'
    if robot.version not in versions:
        yield _refusal(
            robot.element, f'The description is URDF {robot.version}, but the urdfdom that Gazebo '
                           'is built with reads only 1.0', 'Write version="1.0"')
    yield from _equal_materials(robot.element)
    for joint in robot.element.iterfind('joint'):
        yield from _joint_refusals(joint)


def _refusal(element: Element, message: str, hint: str) -> LoadError:
    return LoadError(element, message, hint, Fault.REFUSED)


def _equal_materials(root: Element) -> Iterator[LoadError]:
    names = set()
    for material in root.iterfind('material'):
        name = material.get('name', '')
        if name in names:
            yield _refusal(
                material, f'Two materials have the name {quote(name)}', 'Rename one of them')
        names.add(name)


def _joint_refusals(joint: Element) -> Iterator[LoadError]:
    name = quote(joint.get('name', ''))
    if joint.get('type') in ('revolute', 'prismatic') and joint.find('limit') is None:
        yield _refusal(joint, f'Joint {name} is {joint.get("type")} and has no <limit>',
                       'Write <limit lower="..." upper="..." effort="..." velocity="..."/>')
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
            yield _refusal(
                part, f'The <dynamics> of joint {name} has neither damping nor friction',
                'Remove it, or write damping')


def _error(
        element: Element, attribute: str,
        read: Callable[[Element, str], object]) -> Iterator[LoadError]:
    try:
        read(element, attribute)
    except DescriptionError as error:
        yield _refusal(element, error.message, error.hint or f'Write {attribute}="..."')


def _several_parents(robot: Robot) -> Iterator[LoadError]:
    second: dict[str, Element] = {}
    for joint in robot.joints.values():
        if robot.parent_joint[joint.child] is not joint or joint.child in second:
            assert joint.element is not None, 'robots of a description have elements'
            second[joint.child] = joint.element.child('child')
    for name, element in second.items():
        yield _refusal(element, f'Link {quote(name)} is the child of several joints',
                       'Keep one of them')
