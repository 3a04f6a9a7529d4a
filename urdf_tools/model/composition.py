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

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
import os
import re

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
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import Content
from urdf_tools.model.xml.editing import element_end
from urdf_tools.model.xml.editing import encoding_of
from urdf_tools.model.xml.editing import line_start
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import SetText
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
    for before in (robot, part):
        for name, record in before.links.items():
            if made.links[name] != record:
                raise DescriptionError(f'The materials of link {quote(name)} would change',
                                       hint='Choose a prefix that no name of the robot has')
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
    if mount.name in part.joints:
        raise DescriptionError(
            f'The attached robot has a joint {quote(mount.name)}', hint='Name the new joint')


def _contents(robot: RobotRecord, part: RobotRecord) -> Iterator[Content]:
    """Yield the source text of each element of a part that the robot lacks."""
    document = document_of(part)
    data, encoding = document.data, encoding_of(document.data)
    known = {name for name, material in part.materials.items()
             if is_global(material) and name in robot.materials}
    for element in document.root:
        if element.tag == 'material' and element.get('name') in known:
            continue
        text = data[element.start:element_end(data, element)].decode(encoding, 'replace')
        _, indent = line_start(data, element.start)
        yield tuple(re.split(rf'\r?\n(?:{re.escape(indent.decode())})?', text))


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


_CONTAINERS = ('gazebo', 'ros2_control', 'group', 'group_state')
"""Elements that stay as long as they have more than hardware."""

_TITLED = ('sensor', 'plugin', 'model', 'world', 'system', 'param', 'command_interface',
           'state_interface')
"""Elements of Gazebo and ros2_control whose own name is not that of a part of the robot."""


def without_links(
        robot: RobotT, links: Sequence[str], srdf: str | bytes
        ) -> tuple[RobotT, tuple[Removed, ...], str]:
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
    document = document_of(rewritten(bare))
    parts = {*links, *joints} - {*bare.links, *bare.joints}
    found = _found(document.root, lambda element, top: _part(element, top, parts))
    made = build(document, map(RemoveElement, found), type(robot))
    kept, others = _without_references(srdf, {*links}, {*joints}) if srdf else ('', {})
    return with_origin(made, robot), (*removed, *found.values(), *others.values()), kept


def _without_references(
        srdf: str | bytes, links: set[str], joints: set[str]
        ) -> tuple[str, dict[Element, Removed]]:
    """Return an SRDF file without links, joints, and groups that are left empty."""
    document = read_document(srdf)
    gone: dict[str, set[str]] = {'link': links, 'joint': joints, 'group': set()}
    while True:
        found = _found(document.root, lambda element, top: _semantic_name(element, top, gone))
        groups = {element.get('name', '') for element in found
                  if element.tag == 'group' and element.parent is document.root}
        if groups == gone['group']:
            text = changed(document, map(RemoveElement, found))
            return text.decode('utf-8', 'surrogateescape'), found
        gone['group'] = groups


def _found(root: Element, named: Callable[[Element, Element], str]) -> dict[Element, Removed]:
    """
    Return what refers to what is gone, or is left empty.

    :param named: takes an element, and the one below the root that it is in, to what is gone and
        it names, or to an empty string.
    """
    found: dict[Element, str] = {}
    for top in root:
        inside = {_whole(element, top): name for element in top.iter()
                  if (name := named(element, top))}
        if inside and top.tag in _CONTAINERS and all(
                child in inside or child.tag == 'hardware' for child in top):
            inside = {top: next(iter(inside.values()))}
        found.update(inside)
    return {element: Removed(element.path, name) for element, name in found.items()}


def _whole(element: Element, top: Element) -> Element:
    """Return the greatest element that has no sense without one inside it."""
    end = element if top.tag in _CONTAINERS else top
    while end is not top and end.parent is not None and end.parent is not top:
        end = end.parent
    while element is not end and (around := element.parent) is not None and (
            top.tag == 'transmission' or element.get('name') != 'mimic'
            and len(around.findall(element.tag)) == 1):
        element = around
    return element


def _part(element: Element, top: Element, parts: set[str]) -> str:
    """Return the part of the robot that an element of another program names, if it is gone."""
    if top.tag in ('link', 'joint', 'material'):
        return ''
    names = [name for attribute, name in element.attrib.items()
             if attribute != 'name' or not (element is top or element.tag in _TITLED)]
    return next((name for name in (*names, (element.text or '').strip()) if name in parts), '')


def _semantic_name(element: Element, top: Element, gone: Mapping[str, set[str]]) -> str:
    """Return what an element of SRDF names, if it is gone: by the words in tag or attribute."""
    for attribute, name in element.attrib.items():
        if attribute != 'name' or element is not top or top.tag == 'passive_joint':
            word = element.tag if attribute == 'name' else attribute
            if any(kind in word and name in names for kind, names in gone.items()):
                return name
    return ''
