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

"""Attach one robot to a link of another, such as a gripper to an arm, or remove a part of one."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import replace
import os

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import element_of
from urdf_tools.model.records import Joint
from urdf_tools.model.records import JointType
from urdf_tools.model.records import Removed
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.replacement import build
from urdf_tools.model.replacement import document_of
from urdf_tools.model.replacement import is_global
from urdf_tools.model.replacement import joint_tag
from urdf_tools.model.replacement import refuse_problems
from urdf_tools.model.replacement import replaced
from urdf_tools.model.replacement import rewritten
from urdf_tools.model.replacement import with_origin
from urdf_tools.model.robot_reader import RobotT
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import Content
from urdf_tools.model.xml.editing import element_end
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import SetText
from urdf_tools.model.xml.editing import source_lines
from urdf_tools.model.xml.element import Element

_VOCABULARY = frozenset(('param', 'command_interface', 'state_interface'))
"""Elements of ros2_control whose names do not refer to parts of the robot."""

_NOT_NAMES = frozenset(('type', 'filename', 'version'))
"""Attributes that name no part of a robot."""


def attach(robot: RobotT, link: str, other: RobotT, *, prefix: str = '', origin: Pose = Pose(),
           joint: str = '') -> RobotT:
    """
    Return a robot with another one fixed to a link.

    The prefix comes before the names of the other's links, joints, materials and transmissions,
    wherever they are used: by mimic joints, ``<gazebo>`` elements, ros2_control and other
    extensions.

    :param link: link of the robot.
    :param other: the robot whose root link is attached.
    :param prefix: such as ``left_``; with it, no name may occur in both robots.
    :param origin: pose of the other's root link in the frame of the link.
    :param joint: name of the new joint; ``<link>_to_<root link>`` by default.
    :raises KeyError: the link does not exist.
    :raises DescriptionError: both robots have the same name for a part, or cannot be written.
    """
    parent = robot.links[link].name
    robot, other = rewritten(robot), rewritten(other)
    changes = list(_prefix_changes(robot, other, prefix))
    part = build(document_of(other), changes, type(robot)) if changes else other
    mount = Joint(joint or f'{link}_to_{part.root}', JointType.FIXED, parent, part.root, origin)
    _require_distinct_names(robot, part, mount)
    contents = (*_contents(robot, part), joint_tag(mount))
    made = build(document_of(robot), [AddElements(element_of(robot), contents)], type(robot))
    refuse_problems((*robot.problems, *part.problems), made)
    return with_origin(made, robot)


def _require_distinct_names(robot: RobotRecord, part: RobotRecord, mount: Joint) -> None:
    both: tuple[tuple[str, Collection[str], Collection[str]], ...] = (
        ('link', robot.links, part.links),
        ('joint', robot.joints, (*part.joints, mount.name)),
        ('transmission', [transmission.name for transmission in robot.transmissions],
         [transmission.name for transmission in part.transmissions]),
        ('material', robot.materials, [
            name for name, material in part.materials.items()
            if robot.materials.get(name) != material]))
    for what, names, others in both:
        for name in names:
            if name in others:
                raise DescriptionError(f'Both robots have a {what} {quote(name)}',
                                       hint='Give a prefix, such as left_')


def _contents(robot: RobotRecord, part: RobotRecord) -> Iterator[Content]:
    """Yield the source text of each element of a part that the robot lacks."""
    document = document_of(part)
    data = document.data
    known = {name for name, material in part.materials.items()
             if is_global(material) and name in robot.materials}
    for element in document.root:
        if element.tag != 'material' or element.get('name') not in known:
            yield source_lines(data, element.start, element_end(data, element))


def _prefix_changes(
        robot: RobotRecord, other: RobotRecord, prefix: str) -> Iterator[AnyChange]:
    """Yield the changes that prefix names and relocate file paths of the attached robot."""
    parts = {*other.links, *other.joints}
    for top in element_of(other):
        for element in top.iter():
            for name, value in element.attrib.items():
                if name == 'filename' and element.tag in ('mesh', 'texture'):
                    moved = _relocated(value, other.folder, robot.folder)
                    if moved != value:
                        yield SetAttribute(element, name, moved)
                elif prefix and value and _is_name(element, name, top, parts):
                    yield SetAttribute(element, name, prefix + value)
            text = (element.text or '').strip()
            if prefix and top.tag not in ('link', 'joint') and text in parts and not len(element):
                yield SetText(element, prefix + text)


def _is_name(element: Element, attribute: str, top: Element, parts: Collection[str]) -> bool:
    """Return whether an attribute names a part of a robot."""
    tag = element.tag
    if top.tag in ('link', 'joint', 'material'):
        return (tag, attribute) in (
            ('parent', 'link'), ('child', 'link'), ('mimic', 'joint')) or attribute == 'name' and (
            element is top or tag == 'material')
    if attribute in _NOT_NAMES or tag in _VOCABULARY:
        return False
    if top.tag in ('transmission', 'ros2_control'):
        return attribute == 'name' and tag != 'plugin'
    return element is top and attribute == 'reference' or element.attrib[attribute] in parts


def _relocated(filename: str, old: str, new: str) -> str:
    """Return a relative file path rewritten for another folder; other paths unchanged."""
    if '://' in filename or os.path.isabs(filename) or not old or not new:
        return filename
    return os.path.relpath(os.path.join(old, filename), new)


_CONTAINERS = ('gazebo', 'ros2_control')
"""Elements that stay as long as they have more than hardware."""

_TITLED = ('sensor', 'plugin', 'model', 'world', 'system', 'param', 'command_interface',
           'state_interface')
"""Elements of Gazebo and ros2_control whose own name is not that of a part of the robot."""


def without_links(robot: RobotT, links: Sequence[str]) -> tuple[RobotT, tuple[Removed, ...]]:
    """Return a robot without a link and all below it; see :meth:`Robot.without`."""
    if robot.root in links:
        raise DescriptionError(f'Nothing is left without the root link {quote(robot.root)}')
    robot = rewritten(robot)
    joints = {joint.name: joint for joint in robot.joints.values()
              if joint.parent in links or joint.child in links}
    followers = [joint for joint in robot.joints.values()
                 if joint.name not in joints and joint.mimic and joint.mimic.joint in joints]
    bare = replaced(robot, [replace(joint, mimic=None) for joint in followers], links, joints,
                    None)
    removed = [Removed(element_of(robot.links[name]).path, name) for name in links]
    removed += [Removed(element_of(joint).path, name) for name, joint in joints.items()]
    removed += [Removed(f'{element_of(joint).path}/mimic', joint.mimic.joint)
                for joint in followers if joint.mimic]
    document = document_of(bare)
    parts = {*links, *joints} - {*bare.links, *bare.joints}
    found = {element: name for top in document.root
             if top.tag not in ('link', 'joint', 'material')
             for element, name in _references(top, parts).items()}
    removed += [Removed(element.path, name) for element, name in found.items()]
    made = build(document, map(RemoveElement, found), type(robot))
    return with_origin(made, robot), tuple(removed)


def _references(top: Element, parts: set[str]) -> dict[Element, str]:
    """Return what refers to parts that are gone, or is left empty, with the names of these."""
    found = {_whole(element, top): name for element in top.iter()
             if (name := _part(element, top, parts))}
    if found and top.tag in _CONTAINERS and all(
            child in found or child.tag == 'hardware' for child in top):
        return {top: next(iter(found.values()))}
    return found


def _whole(element: Element, top: Element) -> Element:
    """Return the greatest element that has no sense without one inside it."""
    around = [*element.with_ancestors()][:-1]
    if top.tag in _CONTAINERS:
        around = around[:-1] or around
    for inner, outer in zip(around, around[1:]):
        if top.tag != 'transmission' and (
                inner.get('name') == 'mimic' or len(outer.findall_tag(inner.tag)) > 1):
            return inner
    return around[-1]


def _part(element: Element, top: Element, parts: set[str]) -> str:
    """Return the part of the robot that an element of another program names, if it is gone."""
    names = [name for attribute, name in element.attrib.items()
             if attribute != 'name' or not (element is top or element.tag in _TITLED)]
    return next((name for name in (*names, (element.text or '').strip()) if name in parts), '')
