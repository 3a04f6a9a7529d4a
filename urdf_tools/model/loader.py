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

"""Anything that holds a robot description to a :class:`~urdf_tools.model.robot.Robot`."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
import os
import re
from types import MappingProxyType
from typing import TypeVar

from urdf_tools.model.document import DescriptionError
from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.document import read_file
from urdf_tools.model.elements import ElementReader
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Material
from urdf_tools.model.robot import Robot

VERSIONS = ((1, 0), (1, 1), (1, 2))
"""The versions of URDF that are understood."""

Source = bytes | str | os.PathLike
Named = TypeVar('Named', Link, Joint)

_CORE = frozenset(('link', 'joint', 'material', 'transmission', 'gazebo'))

_OTHER_FORMATS = {
    'sdf': 'an SDF model',
    'mujoco': 'a MuJoCo model',
    'COLLADA': 'a COLLADA mesh',
    'launch': 'a launch file'}


def load(source: Source, *, mappings: Mapping[str, str] | None = None) -> Robot:
    """
    Load a robot.

    :param source: the description itself as bytes or as a text with a ``<`` in it, or the path
        of a file; one that ends in ``.xacro`` is expanded.
    :param mappings: arguments for xacro.
    :raises DescriptionError: there is no robot in it.
    """
    return build_robot(open_document(source, mappings=mappings))


def open_document(source: Source, *, mappings: Mapping[str, str] | None = None) -> Document:
    """
    Read the XML tree of what :func:`load` takes.

    :raises DescriptionError: it cannot be read, expanded or parsed.
    """
    if not isinstance(source, (str, os.PathLike)):
        return read_document(source)
    if isinstance(source, str) and '<' in source:
        return read_document(source)
    path = os.fspath(source)
    if os.path.splitext(path)[1] == '.xacro':
        from urdf_tools.model.expansion import expand
        return read_document(expand(path, mappings or {}), f'{path} (expanded)')
    return read_document(read_file(path), path)


def build_robot(document: Document) -> Robot:
    """
    Make the robot that a description describes.

    What can be done without is left out and noted in ``Robot.problems``.

    :raises DescriptionError: there is no tree of named links and joints in it.
    """
    try:
        return _robot(document.root)
    except DescriptionError as error:
        error.source = document.source
        raise


def _robot(root):
    version = _version(root)
    reader = ElementReader(version)
    links = _by_name(reader.link(element) for element in root.iterfind('link'))
    if not links:
        raise root.error('The robot has no links')
    joints = _by_name(reader.joint(element) for element in root.iterfind('joint'))
    _check_tree(links, joints, reader)
    materials = _materials(root, links, reader)
    return Robot(
        name=root.attrib['name'],
        version='{}.{}'.format(*version),
        root=_root(root, links, joints),
        links=MappingProxyType(_painted(links, materials, reader)),
        joints=MappingProxyType(_without_broken_mimics(joints, reader)),
        materials=MappingProxyType(materials),
        transmissions=tuple(
            reader.transmission(element) for element in root.iterfind('transmission')),
        gazebo=tuple(root.iterfind('gazebo')),
        extensions=tuple(element for element in root if element.tag not in _CORE),
        problems=tuple(reader.problems),
        element=root)


def _version(root):
    if root.tag != 'robot':
        what = _OTHER_FORMATS.get(root.tag, f'a <{root.tag}>')
        raise root.error(
            f'The description is {what}, not a <robot>', 'Give a robot description in URDF')
    if not root.get('name'):
        raise root.error('The robot has no name', 'Write <robot name="...">')
    text = root.get('version', '1.0')
    known = ', '.join('{}.{}'.format(*version) for version in VERSIONS)
    if not re.fullmatch(r'[0-9]{1,9}\.[0-9]{1,9}', text):
        raise root.error(f'The version {text!r} is malformed', f'Write one of {known}')
    version = tuple(int(part) for part in text.split('.'))
    if version not in VERSIONS:
        raise root.error(
            f'Version {text} of URDF is not supported', f'The versions that are: {known}')
    return version


def _by_name(records: Iterable[Named]) -> dict[str, Named]:
    found = {}
    for record in records:
        if record.name in found:
            first = found[record.name].element
            raise record.element.error(
                f'A second {first.tag} has the name {record.name!r}',
                f'The first is in line {first.line}; rename one of them')
        found[record.name] = record
    return found


def _check_tree(links, joints, reader):
    carriers = {}
    for joint in joints.values():
        for role, name in (('parent', joint.parent), ('child', joint.child)):
            if name not in links:
                raise joint.element.find(role).error(
                    f'The {role} of joint {joint.name!r} is {name!r}, and there is no such link',
                    _suggestion(name, links))
        if joint.parent == joint.child:
            raise joint.element.error(
                f'Joint {joint.name!r} joins link {joint.child!r} to itself')
        if joint.child in carriers:
            reader.note(joint.element, (
                f'Link {joint.child!r} has two parents, by joint {carriers[joint.child].name!r} '
                f'and by joint {joint.name!r}; the latter is taken'))
        carriers[joint.child] = joint
    for link in links:
        _check_acyclic(link, carriers)


def _check_acyclic(link, carriers):
    path = [link]
    seen = set(path)
    while path[-1] in carriers:
        path.append(carriers[path[-1]].parent)
        if path[-1] in seen:
            cycle = path[path.index(path[-1]):]
            raise carriers[link].element.error(
                'Links carry each other in a circle: ' + ' -> '.join(reversed(cycle)))
        seen.add(path[-1])


def _root(robot, links, joints):
    children = {joint.child for joint in joints.values()}
    roots = [link for link in links if link not in children]
    if len(roots) > 1:
        raise links[roots[1]].element.error(
            f'The robot falls into {len(roots)} parts, with the roots ' + ', '.join(roots),
            'Join them so that every link but one is the child of a joint')
    return roots[0]


def _suggestion(name, names):
    near = get_close_matches(name, names, 1)
    return f'Is {near[0]!r} meant?' if near else ''


def _materials(root, links, reader):
    materials = {}
    for element in root.iterfind('material'):
        material = reader.material(element)
        if material.name in materials:
            reader.note(element, f'Material {material.name!r} is defined twice')
        materials.setdefault(material.name, material)
    for link in links.values():
        for visual in link.visuals:
            material = visual.material
            if material and material.name and (material.rgba or material.texture):
                materials.setdefault(material.name, material)
    return materials


def _painted(links, materials, reader):
    def paint(visual):
        material = visual.material
        if material is None or not material.name:
            return visual
        if material.name not in materials:
            reader.note(
                visual.element.find('material'), f'Material {material.name!r} is not defined')
            return visual
        return replace(visual, material=materials[material.name])
    return {name: replace(link, visuals=tuple(paint(visual) for visual in link.visuals))
            for name, link in links.items()}


def _without_broken_mimics(joints, reader):
    sound = {name: joint if joint.mimic is None or _follows(joint, joints, reader)
             else replace(joint, mimic=None) for name, joint in joints.items()}
    for name in _circular(sound):
        joint = sound[name]
        reader.note(joint.element.find('mimic'), f'Joint {name!r} mimics itself in the end')
        sound[name] = replace(joint, mimic=None)
    return sound


def _follows(joint, joints, reader):
    leader = joint.mimic.joint
    mimic = joint.element.find('mimic')
    if joint.type.dof != 1:
        reader.note(mimic, f'Joint {joint.name!r} is {joint.type.value} and cannot mimic')
    elif leader not in joints:
        reader.note(mimic, f'Joint {joint.name!r} mimics {leader!r}, and there is no such joint')
    elif joints[leader].type.dof != 1:
        reader.note(mimic, f'Joint {joint.name!r} mimics {leader!r}, which is '
                           f'{joints[leader].type.value} and has no single position')
    else:
        return True
    return False


def _circular(joints):
    circular = []
    for name in joints:
        seen = set()
        leader = name
        while joints[leader].mimic is not None and leader not in seen:
            seen.add(leader)
            leader = joints[leader].mimic.joint
        if leader == name and seen:
            circular.append(name)
    return circular
