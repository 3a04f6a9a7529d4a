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

"""Convert parsed descriptions to the records of a robot."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError
from graphlib import TopologicalSorter
import json
from pathlib import Path
from typing import TypeVar

from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.grouping import grouped
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import loop_elements
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.records import element_of
from urdf_tools.model.records import Joint
from urdf_tools.model.records import Link
from urdf_tools.model.records import Material
from urdf_tools.model.records import Problem
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.spelling import NamedMapping
from urdf_tools.model.values import KNOWN_VERSIONS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element

Named = TypeVar('Named', Link, Joint)
RobotT = TypeVar('RobotT', bound=RobotRecord)

_CORE = frozenset(('link', 'joint', 'material', 'transmission', 'gazebo'))

OTHER_FORMATS: Mapping[str, str] = json.loads(
    Path(__file__).with_name('other_formats.json').read_bytes())
"""Root elements of other XML formats to what they are."""


def read_robot(document: Document, kind: type[RobotT]) -> RobotT:
    """
    Read a parsed description.

    Invalid parts that are not needed are left out and noted in ``problems``.

    :param kind: the class of the result; :func:`~urdf_tools.model.loader.build_robot` knows it.
    :raises DescriptionError: the description is not a tree of named links and joints.
    """
    try:
        return _read(document, kind)
    except DescriptionError as error:
        error.source = error.source or document.source
        error.hint = ' '.join(filter(None, (error.hint, _xacro_hint(document.root))))
        raise


def _read(document: Document, kind: type[RobotT]) -> RobotT:
    root = document.root
    version = _version(root)
    reader = ElementReader(version)
    if document.malformed is not None:
        reader.problems.append(Problem(document.malformed.message, document.malformed.element,
                                       document.malformed.line, kind=document.malformed.kind))
    links = _by_name(reader.link, root.iterfind('link'))
    if not links:
        raise root.error('The robot has no links')
    joints = _by_name(reader.joint, root.iterfind('joint'))
    robot_root = find_root(links, joints, reader)
    joints = drop_invalid_mimics(joints, reader)
    defined = [reader.material(element) for element in root.iterfind('material')]
    materials = name_materials(defined, links.values(), reader)
    links = {name: apply_materials(link, materials, reader) for name, link in links.items()}
    loops: Iterable[Loop] = ()
    if elements := loop_elements(root):
        # Imported late: few robots have loops.
        from urdf_tools.model.loop_reader import LoopReader
        loops = LoopReader(reader, links, joints, robot_root).loops(elements)
    return kind(
        name=root.attrib['name'],
        version='{}.{}'.format(*version),
        root=robot_root,
        links=NamedMapping(links, 'link'),
        joints=NamedMapping(joints, 'joint'),
        materials=NamedMapping(materials, 'material'),
        transmissions=tuple(
            reader.transmission(element) for element in root.iterfind('transmission')),
        gazebo=tuple(root.iterfind('gazebo')),
        extensions=tuple(element for element in root if element.tag not in _CORE),
        loops=tuple(loops),
        problems=tuple(reader.problems),
        element=root,
        source=document.source,
        xacro_files=() if document.xacro is None else tuple(
            dict.fromkeys(file.path for file in document.xacro.files)),
        document=document)


def _version(root: Element) -> tuple[int, int]:
    if root.tag != 'robot':
        what = OTHER_FORMATS.get(root.tag, f'a <{root.tag}>')
        raise root.error(
            f'The description is {what}, not a <robot>', 'Pass a robot description in URDF')
    if 'name' not in root.attrib:
        is_part = root.origin is not None and root.find('link') is None
        raise root.error('The robot has no name', 'Name the file that includes this one, if it '
                         'defines macros' if is_part else 'Write <robot name="...">')
    text = root.get('version', '1.0')
    version = parse_version(text)
    if version is None:
        raise root.error(
            f'The version {quote(text)} is malformed', f'Write one of {KNOWN_VERSIONS}')
    if version not in URDF_VERSIONS:
        raise root.error(
            f'URDF version {text} is not supported', f'Supported versions are {KNOWN_VERSIONS}')
    return version


def _by_name(read: Callable[[Element], Named], elements: Iterable[Element]) -> dict[str, Named]:
    records: dict[str, Named] = {}
    for element in elements:
        record = read(element)
        if record.name in records:
            first = element_of(records[record.name])
            raise element.error(f'Two {element.tag}s have the name {quote(record.name)}',
                                f'The first is {first.position}; rename one of them')
        records[record.name] = record
    return records


def _xacro_hint(root: Element) -> str:
    for element in root.iter():
        if element.tag.startswith('xacro:') or any(
                '${' in text or '$(' in text for text in element.attrib.values()):
            return f'Line {element.line} has xacro that was not expanded: run xacro first'
    return ''


def find_root(
        links: Mapping[str, Link], joints: Mapping[str, Joint], reader: ElementReader) -> str:
    """
    Return the name of the root link.

    Of several parents of a link the last is kept, and a problem noted.

    :raises DescriptionError: a joint names a link that does not exist, or the links are not a
        tree.
    """
    parent_joint: dict[str, Joint] = {}
    for joint in joints.values():
        _check_ends(joint, links)
        if joint.child in parent_joint:
            reader.note(element_of(joint), (
                f'Link {quote(joint.child)} is the child of two joints, '
                f'{quote(parent_joint[joint.child].name)} and {quote(joint.name)}; '
                'the latter is used'))
        parent_joint[joint.child] = joint
    _check_acyclic(links, joints.values())
    roots = [name for name in links if name not in parent_joint]
    if len(roots) > 1:
        raise element_of(links[roots[1]]).error(
            f'The robot has {len(roots)} root links: {_quoted(roots)}',
            'Make every link but one the child of a joint')
    return roots[0]


def _check_ends(joint: Joint, links: Mapping[str, Link]) -> None:
    for role, name in (('parent', joint.parent), ('child', joint.child)):
        if name not in links:
            raise element_of(joint).child(role).error(
                f'The {role} link {quote(name)} of joint {quote(joint.name)} does not exist',
                did_you_mean(name, links))
    if joint.parent == joint.child:
        raise element_of(joint).error(
            f'Joint {quote(joint.name)} connects link {quote(joint.child)} to itself')


def _check_acyclic(links: Iterable[str], joints: Iterable[Joint]) -> None:
    """Refuse cycles, also through a replaced joint: programs would loop forever."""
    try:
        TopologicalSorter(grouped((joint.child, joint.parent) for joint in joints)).prepare()
    except CycleError as error:
        cycle = error.args[1][1:]
        start = cycle.index(next(link for link in links if link in cycle))
        *inner, last = cycle[start:] + cycle[:start]
        closing = {(joint.parent, joint.child): joint for joint in joints}[last, cycle[start]]
        raise element_of(closing).error(
            'Links are connected in a cycle: '
            + _quoted([*inner, last, cycle[start]], ' -> ')) from None


def _quoted(names: Iterable[str], separator: str = ', ') -> str:
    return name_list([quote(name) for name in names], separator)


def name_materials(defined: Iterable[Material], links: Iterable[Link],
                   reader: ElementReader) -> dict[str, Material]:
    """
    Return all named materials.

    As in urdfdom, materials of the robot take precedence over those that visuals define, and
    the first definition over later ones.
    """
    materials: dict[str, Material] = {}
    for material in defined:
        if material.name in materials:
            reader.note(element_of(material), (
                f'Material {quote(material.name)} is already defined; this definition is ignored'))
        materials.setdefault(material.name, material)
    for visual in (visual for link in links for visual in link.visuals):
        used = visual.material
        if used is not None and used.name and (used.rgba is not None or used.texture is not None):
            materials.setdefault(used.name, used)
    return materials


def apply_materials(link: Link, materials: Mapping[str, Material], reader: ElementReader) -> Link:
    """Return a link with the named materials of its visuals resolved."""
    visuals = []
    for visual in link.visuals:
        used = visual.material
        if used is not None and used.name:
            if used.name in materials:
                visual = replace(visual, material=materials[used.name])
            else:
                reader.note(element_of(used), f'Material {quote(used.name)} is not defined')
        visuals.append(visual)
    return replace(link, visuals=tuple(visuals))


def drop_invalid_mimics(joints: Mapping[str, Joint], reader: ElementReader) -> dict[str, Joint]:
    """Return the joints without mimics that do not determine a position."""
    reasons = {name: reason for name, joint in joints.items() if joint.mimic
               and (reason := _reason_against(joint, joint.mimic.joint, joints))}
    leaders = {name: joint.mimic.joint for name, joint in joints.items()
               if joint.mimic and name not in reasons}
    for cycle in find_cycles(leaders):
        reasons.update(dict.fromkeys(cycle, 'it is in a cycle of mimic joints'))
    for name, reason in reasons.items():
        reader.note(element_of(joints[name]).child('mimic'),
                    f'The mimic of joint {quote(name)} is ignored, because {reason}')
    return {name: replace(joint, mimic=None) if name in reasons else joint
            for name, joint in joints.items()}


def _reason_against(joint: Joint, leader: str, joints: Mapping[str, Joint]) -> str:
    if joint.type.dof != 1:
        return f'a {joint.type.value} joint has no single position'
    if leader not in joints:
        return f'joint {quote(leader)} does not exist'
    kind = joints[leader].type
    return '' if kind.dof == 1 else f'{quote(leader)} is a {kind.value} joint'
