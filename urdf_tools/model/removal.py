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

"""Remove a link with all below it and all that refers to it, from a robot and its SRDF."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.records import element_of
from urdf_tools.model.records import Removed
from urdf_tools.model.replacement import build
from urdf_tools.model.replacement import document_of
from urdf_tools.model.replacement import replaced
from urdf_tools.model.replacement import rewritten
from urdf_tools.model.replacement import with_origin
from urdf_tools.model.robot_reader import RobotT
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.element import Element

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
