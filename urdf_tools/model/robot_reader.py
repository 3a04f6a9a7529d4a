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

"""Parsed descriptions to the records of a robot."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from typing import TypeVar

from urdf_tools.model.document import Document
from urdf_tools.model.element import Element
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.messages import quote
from urdf_tools.model.named_mapping import NamedMapping
from urdf_tools.model.records import Joint
from urdf_tools.model.records import Link
from urdf_tools.model.records import Problem
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.references import apply_materials
from urdf_tools.model.references import drop_invalid_mimics
from urdf_tools.model.references import find_root
from urdf_tools.model.references import name_materials
from urdf_tools.model.values import KNOWN_VERSIONS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS

Named = TypeVar('Named', Link, Joint)
RobotT = TypeVar('RobotT', bound=RobotRecord)

_CORE = frozenset(('link', 'joint', 'material', 'transmission', 'gazebo'))

_WITH_LOOPS = frozenset(('gazebo', *LOOP_TAGS))

OTHER_FORMATS: Mapping[str, str] = {
    'sdf': 'an SDF model',
    'mujoco': 'a MuJoCo model',
    'COLLADA': 'a COLLADA scene',
    'launch': 'a launch file',
    'html': 'a web page',
    'svg': 'an SVG drawing'}
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
        reader.problems.append(Problem(
            document.malformed.message, document.malformed.element, document.malformed.line,
            kind=document.malformed.kind))
    links = _by_name(reader.link, root.iterfind('link'))
    if not links:
        raise root.error('The robot has no links')
    joints = _by_name(reader.joint, root.iterfind('joint'))
    robot_root = find_root(links, joints, reader)
    joints = drop_invalid_mimics(joints, reader)
    defined = [reader.material(element) for element in root.iterfind('material')]
    materials = name_materials(defined, links.values(), reader)
    links = {name: apply_materials(link, materials, reader) for name, link in links.items()}
    loops = _loops(root, reader, links, joints, robot_root)
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
        problems=tuple(reader.problems),
        loops=loops,
        element=root,
        source=document.source,
        xacro_files=() if document.xacro is None else tuple(
            dict.fromkeys(file.path for file in document.xacro.files)),
        document=document)


def _loops(
        root: Element, reader: ElementReader, links: Mapping[str, Link],
        joints: Mapping[str, Joint], robot_root: str) -> tuple[Loop, ...]:
    """Return the loops; most robots have none, and do without what reads them."""
    if not any(element.tag in _WITH_LOOPS and (
            element.tag != 'gazebo' or element.find_tag('joint') is not None)
            for element in root):
        return ()
    from urdf_tools.model.loop_reader import loop_elements
    from urdf_tools.model.loop_reader import LoopReader
    return LoopReader(reader, links, joints, robot_root).loops(loop_elements(root))


def _version(root: Element) -> tuple[int, int]:
    if root.tag != 'robot':
        what = OTHER_FORMATS.get(root.tag, f'a <{root.tag}>')
        raise root.error(
            f'The description is {what}, not a <robot>', 'Pass a robot description in URDF')
    if 'name' not in root.attrib:
        raise root.error('The robot has no name', 'Write <robot name="...">')
    text = root.get('version', '1.0')
    version = parse_version(text)
    if version is None:
        raise root.error(
            f'The version {quote(text)} is malformed', f'Write one of {KNOWN_VERSIONS}')
    if version not in URDF_VERSIONS:
        raise root.error(
            f'URDF version {text} is not supported', f'Supported versions are {KNOWN_VERSIONS}')
    return version


def _by_name(
        read: Callable[[Element], Named], elements: Iterable[Element]) -> dict[str, Named]:
    records: dict[str, Named] = {}
    first: dict[str, Element] = {}
    for element in elements:
        record = read(element)
        name = record.name
        if name in records:
            raise element.error(
                f'Two {element.tag}s have the name {quote(name)}',
                f'The first is {first[name].position}; rename one of them')
        records[name] = record
        first[name] = element
    return records


def _xacro_hint(root: Element) -> str:
    for element in root.iter():
        if element.tag.startswith('xacro:') or any(
                '${' in text or '$(' in text for text in element.attrib.values()):
            return f'Line {element.line} has xacro that was not expanded: run xacro first'
    return ''
