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

"""Files and texts of robot descriptions to :class:`~urdf_tools.model.robot.Robot`."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import replace
import os
from threading import Lock
from typing import TYPE_CHECKING
from typing import TypeVar
from weakref import WeakValueDictionary

from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.document import read_file
from urdf_tools.model.element import Element
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.messages import quote
from urdf_tools.model.named_mapping import NamedMapping
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.references import apply_materials
from urdf_tools.model.references import drop_invalid_mimics
from urdf_tools.model.references import find_root
from urdf_tools.model.references import name_materials
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Problem
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import KNOWN_VERSIONS
from urdf_tools.model.values import parse_version
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.model.xacro_text import is_xacro

if TYPE_CHECKING:
    from urdf_tools.model.xacro_limits import XacroBudget

Named = TypeVar('Named', Link, Joint)

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


def load(
        path: str | os.PathLike[str], *, mappings: Mapping[str, str] | None = None) -> Robot:
    """
    Load a robot from a URDF or xacro file.

    :param path: the file; xacro is expanded.
    :param mappings: arguments for xacro, which plain URDF does not take.
    :raises DescriptionError: the file does not describe a robot.
    """
    return build_robot(open_document(path, mappings=mappings))


def loads(text: str | bytes, *, source: str = '') -> Robot:
    """
    Load a robot from the text of a URDF description.

    :param text: the description; an encoding declared inside a ``str`` is ignored.
    :param source: where it came from, for messages.
    :raises DescriptionError: the text does not describe a robot.
    """
    return build_robot(read_document(text, source))


def shared_robot(text: str, source: str = '') -> Robot:
    """
    Load a robot as :func:`loads` does, once for all in this process who use it at the same time.

    :param source: where it came from, for messages, if nobody uses it yet.
    :raises DescriptionError: the text does not describe a robot.
    """
    with _sharing:
        robot = _shared.get(text)
        if robot is None:
            robot = _shared[text] = loads(text, source=source)
        return robot


_sharing = Lock()
_shared: WeakValueDictionary[str, Robot] = WeakValueDictionary()


def open_document(
        path: str | os.PathLike[str], *, mappings: Mapping[str, str] | None = None,
        packages: PackageLookup | None = None, budget: XacroBudget | None = None,
        buffers: Mapping[str, str] = {}) -> Document:
    """
    Parse a URDF or xacro file.

    :param path: the file; xacro is expanded, as :func:`is_xacro` tells it.
    :param mappings: arguments for xacro, which plain URDF does not take.
    :param packages: finds packages for xacro; by default those of the environment and around
        the file.
    :param budget: what the expansion of xacro may take.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :raises DescriptionError: the file cannot be read, expanded or parsed.
    """
    path = os.fsdecode(path)
    if packages is not None and not packages.trust.is_full and not packages.holds(path):
        raise DescriptionError(
            'The file is a link out of the project, which --untrusted does not follow',
            ErrorKind.UNREADABLE, source=path)
    absolute = os.path.abspath(path)
    data = (buffers[absolute].encode('utf-8', 'surrogatepass') if absolute in buffers
            else read_file(path))
    if is_xacro(path, data):
        # A pipe can be read only once.
        if not os.path.isfile(path):
            buffers = {**buffers, absolute: data.decode('utf-8', 'replace')}
        return expand_document(path, mappings or {}, buffers, packages, budget)
    if mappings:
        given = ' '.join(f'{name}:={value}' for name, value in mappings.items())
        raise DescriptionError(
            f'The file is no xacro file, and takes no arguments such as {quote(given, 80)}',
            ErrorKind.UNREADABLE, source=path,
            hint='Leave them out, or declare xmlns:xacro="http://www.ros.org/wiki/xacro" in '
                 '<robot> if xacro has to expand the file')
    return read_document(data, path)


def expand_document(
        path: str, mappings: Mapping[str, str], buffers: Mapping[str, str] = {},
        packages: PackageLookup | None = None, budget: XacroBudget | None = None) -> Document:
    """
    Expand a xacro file, and parse the result.

    :param mappings: arguments for xacro.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :param packages: finds packages for xacro, as :func:`open_document` takes it.
    :param budget: what the expansion may take.
    :raises DescriptionError: the file cannot be expanded or parsed.
    """
    # Most descriptions are URDF already, and need no process.
    from urdf_tools.model.xacro_errors import failure
    from urdf_tools.model.xacro_expansion import expand_xacro
    from urdf_tools.model.xacro_expansion import UNTRACKED
    expansion = expand_xacro(path, mappings, buffers, packages, budget)
    document = read_document(expansion.text, f'{path} (expanded)')
    document = replace(document, withheld=expansion.withheld)
    if expansion.sources is None:
        return replace(document, remark=UNTRACKED)
    elements = list(document.root.iter())
    if len(elements) != len(expansion.sources):
        raise DescriptionError(
            failure('the sources are not those of its elements'), ErrorKind.XACRO, source=path)
    for element, source in zip(elements, expansion.sources):
        element.origin = source
    return replace(document, source=path, xacro=expansion.files)


def build_robot(document: Document) -> Robot:
    """
    Build the robot of a parsed description.

    Invalid parts that are not needed are left out and noted in ``Robot.problems``.

    :raises DescriptionError: the description is not a tree of named links and joints.
    """
    try:
        return _build(document)
    except DescriptionError as error:
        error.source = error.source or document.source
        error.hint = ' '.join(filter(None, (error.hint, _xacro_hint(document.root))))
        raise


def _build(document: Document) -> Robot:
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
    return Robot(
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
