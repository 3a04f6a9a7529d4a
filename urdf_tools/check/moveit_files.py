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
"""The files of MoveIt and of controllers of a description, as elements with source locations."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from functools import cached_property
from itertools import takewhile
import os
from pathlib import Path
import re
from typing import TYPE_CHECKING

from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_folder
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.file_lookup import SUFFIXES
from urdf_tools.check.indexed_description import by_name
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.package_files import package_files
from urdf_tools.check.schema import TABLES
from urdf_tools.check.topology import attached_link
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import resolve_beside
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import text_of

if TYPE_CHECKING:
    import yaml

MAX_YAML = 2**18
"""Largest YAML file that is read; real ones stay below 20 kB."""

_MAX_ENTRIES = 20_000
"""Most entries of a YAML file, whose aliases can repeat them without end."""

_MAX_SUBGROUPS = 100
"""About how many direct and indirect subgroups of a group are looked at; robots have a dozen."""


def entries_of(path: Path, shown: str) -> list[Element]:
    """
    Return the entries of a YAML file, from the outside in.

    :raises DescriptionError: it cannot be read, is not YAML or has too many entries.
    """
    try:
        return entries_in_text(shown, read_regular_file(path, MAX_YAML + 1))
    except (OSError, RecursionError) as error:
        raise DescriptionError(getattr(error, 'strerror', None) or str(error)) from None


def entries_in_text(shown: str, data: bytes) -> list[Element]:
    """
    Return the entries of the text of a YAML file, from the outside in.

    :raises DescriptionError: it is not YAML, or has too many entries.
    """
    # It takes long, and few descriptions have such a file.
    from urdf_tools.model.yaml_file import YamlFile
    entries: list[Element] = []
    file = YamlFile(shown, data=data, max_bytes=MAX_YAML)
    if file.root is not None:
        _collect(file.root, '', None, file.file, entries)
    return entries


def entry_of(entry: Element, name: str) -> Element | None:
    """Return the entry of this name in a table of YAML, or None."""
    return next((inner for inner in entry if inner.get('name') == name), None)


def entries_in(entry: Element, name: str) -> list[Element]:
    """Return what an entry in a table of YAML holds; nothing if there is none."""
    return [*(entry_of(entry, name) or ())]


def value_of(entry: Element, name: str) -> str:
    """Return the text of an entry in a table of YAML; empty if there is none."""
    found = entry_of(entry, name)
    return '' if found is None else found.text or ''


def element_at(tag: str, attributes: dict[str, str], entry: Element,
               parent: Element | None = None) -> Element:
    """Return an element at the location of an entry."""
    assert entry.origin is not None
    return located(Element(tag, attributes, parent, entry.line, entry.column, 0),
                   entry.origin.tag.file)


def _collect(node: yaml.Node, name: str, parent: Element | None, file: SourceFile,
             found: list[Element], key: yaml.Node | None = None) -> None:
    """Append an entry for a node of YAML, with its text or its entries, and for those inside."""
    if len(found) >= _MAX_ENTRIES:
        raise DescriptionError(f'It has more than {_MAX_ENTRIES} entries')
    mark = (key or node).start_mark
    entry = located(Element('entry', {'name': name} if name else {}, parent, mark.line + 1,
                            mark.column + 1, 0), file)
    found.append(entry)
    if node.id == 'scalar':
        entry.text = str(node.value)
        if node.style in ('"', "'") or not node.value:
            entry.set('null' if not node.style and not node.value else 'quoted', 'yes')
    elif node.id == 'sequence':
        for value in node.value:
            if not (value.id == 'scalar' and _REPLACED.search(value.value)):
                _collect(value, '', entry, file, found)
    else:
        for inner, value in node.value:
            name = str(inner.value) if inner.id == 'scalar' else ''
            if not _REPLACED.search(name):
                _collect(value, name, entry, file, found, inner)


NAMES = TABLES['names in an SRDF file']
"""Tag of an element to what it names: the tag of a child if that does, attribute, and kind."""

CONTROLLERS = tuple(TABLES['files of controllers'])

JOINTS = tuple(TABLES['parameters that name joints'])
"""Parameters of controllers that name joints, besides those of left and right wheels."""

WHEELS = {**dict.fromkeys(('left_wheel_names', 'left_wheel'), 'left_joint'),
          **dict.fromkeys(('right_wheel_names', 'right_wheel'), 'right_joint')}
"""Parameters of controllers to what plugins of Gazebo call the same."""

_DESCRIPTION = re.compile(r'[\w.-]+\.(?:urdf|xacro)\b')

_NAME = re.compile(r'\w[\w.-]*')

_REPLACED = re.compile(r'<\w+>')
"""What launch files replace in names, with ReplaceString of nav2_common."""

_PREFIX = re.compile(r'prefix|name(?:space)?:=')
"""What in a launch file may add to the names of joints."""


class MoveItFiles:
    """
    The SRDF file of a robot, and what MoveIt reads with it.

    It is the one that is given, or in the folder of the description with the name of the
    description or of the robot: ``arm.srdf`` or ``arm.srdf.xacro``, which is expanded with the
    arguments of the description that it has, beside ``arm.urdf.xacro``. The YAML files of MoveIt
    are those in the folder of an SRDF file, or above it if it is called srdf.

    :ivar srdf: its ``<robot>``; None if there is no such file, or it cannot be read.
    :ivar stray: the ``<robot>`` of an SRDF file that is of another robot, or of a larger one if
        there is ``srdf``, too.
    :ivar unknown: the links and joints that a stray file names and that do not exist.
    :ivar lacking: the ``<robot>`` of an SRDF file that was not expanded, with the arguments that
        have no value, as a user gives them; or None.
    :ivar errors: why files that were read cannot be, each with an element at that location.
    :ivar broken: why files that :attr:`entries_in_file` was asked for are not YAML.
    """

    def __init__(self, description: Description):
        self._description = description
        self.srdf: Element | None = None
        self.stray: Element | None = None
        self.unknown: list[str] = []
        self.lacking: tuple[Element, str] | None = None
        self.errors: list[tuple[Element, str]] = []
        self.broken: dict[str, DescriptionError] = {}
        self._path: Path | None = None
        self.entries_in_file = cache(self._read_entries)
        self.contained, self.parts = cache(self._contained), cache(self._parts)
        if description.srdf is None:
            self._find(description.document.source)
        elif description.may_read(description.srdf):
            self._read_srdf(Path(description.srdf))
            self._set_aside()
        else:
            self._fail(os.path.basename(description.srdf), DescriptionError(
                '--untrusted follows no link out of the project, and reads no file outside of it'))

    def _find(self, source: str) -> None:
        """Read the SRDF file beside a description, if there is one."""
        description = self._description
        own, name = os.path.basename(source).split('.')[0], description.robot.get('name', '')
        # MoveIt reads the description that is called like the SRDF file, if there is one.
        names = [own] if _NAME.fullmatch(name) and any(
            self._beside(name + suffix) for suffix in ('.urdf', '.urdf.xacro')) else [own, name]
        for name in dict.fromkeys(names) if source.endswith(SUFFIXES) else ():
            if _NAME.fullmatch(name) and (path := self._beside(f'{name}.srdf')
                                          or self._beside(f'{name}.srdf.xacro')):
                self._read_srdf(path)
                break

    def _set_aside(self) -> None:
        """Set an SRDF file aside that is of another robot, or of one with other arguments."""
        names = self._exist()
        exist = [*names.values()]
        # A few names may be wrong: half of two, a fifth of many.
        if not (self._description.is_template or self.is_alone) and exist.count(False) > min(
                len(exist) / 2, 1 + len(exist) / 5):
            self.stray = self.srdf
            self.unknown = [name for (_, name), exists in names.items() if not exists]
            names = self._exist()
            if not all(names.values()) or not names:
                self.srdf = None

    def _exist(self) -> dict[tuple[str, str], bool]:
        """Return whether each link and joint exists that is named, by its kind and name."""
        known = {'link': self._description.link_names, 'joint': self.joints}
        return {(kind, name): name in known[kind] for _, part, attribute, kind in self.names()
                if kind in known and (name := part.get(attribute, '').strip())}

    @property
    def is_alone(self) -> bool:
        """Whether there is no description."""
        return self._description.document.source == self._description.srdf

    def names(self) -> Iterator[tuple[Element, Element, str, str]]:
        """Yield each name of something: the element, the part and attribute with it, its kind."""
        for element in () if self.srdf is None else self.srdf:
            if self.stray is not None and element.tag.endswith('_collisions'):
                continue  # They are those of a larger robot.
            for tag, attribute, kind in NAMES.get(element.tag, ()):
                for part in element.findall_tag(tag) if tag else (element,):
                    if part.get(attribute, '').strip():
                        yield element, part, attribute, kind

    @cached_property
    def joints(self) -> frozenset[str]:
        """The names of the joints of the description, and of the virtual joints."""
        return frozenset((*self._description.joint_names, *(
            each.get('name', '') for each in self.elements('virtual_joint'))))

    def elements(self, tag: str) -> list[Element]:
        """Return the elements of the SRDF file with a tag."""
        return [] if self.srdf is None else self.srdf.findall_tag(tag)

    def _beside(self, name: str, path: Path | None = None) -> Path | None:
        given = path or self._description.srdf
        try:
            return self._description.resolve(name) if given is None else (
                resolve_beside(Path(given), name))
        except ResourceError:
            return None

    def _shown(self, name: str) -> str:
        beside = self._description.srdf or self._description.document.source
        return os.path.join(os.path.dirname(beside), name)

    def _as_given(self, path: Path) -> str | Path:
        """Return a path as it is shown where that leads to the same file."""
        shown = self._shown(path.name)
        return shown if os.path.exists(shown) and os.path.samefile(shown, path) else path

    def _read_srdf(self, path: Path) -> None:
        self._path, text, given = path, '', self._description.arguments
        try:
            data = read_regular_file(path, MAX_BYTES + 1)
            text = text_of(data)
            document = read_document(data, path.name) if path.suffix != '.xacro' else (
                open_document(self._as_given(path), arguments=given, optional=given,
                              resources=self._description.context.resolver,
                              buffers={os.path.abspath(path): text}))
        except OSError as error:
            self._fail(path.name, DescriptionError(error.strerror or str(error)))
        except DescriptionError as error:
            error.text = SourceFile('', text, None).excerpt(error.line or 1)
            if error.argument:
                self.lacking = self._at(path.name, error), error.argument
            else:
                self._fail(path.name, error)
        else:
            file = SourceFile(self._shown(path.name), text, None)
            for element in document.root.iter() if document.xacro is None else ():
                located(element, file)
            if len(document.root) or document.xacro is None:  # Else it only defines macros.
                self.srdf = document.root

    def _fail(self, name: str, error: DescriptionError) -> None:
        self.errors.append((self._at(name, error), error.message))

    def _at(self, name: str, error: DescriptionError) -> Element:
        """Return an element where a file has an error."""
        line = error.line or 1
        file = SourceFile(self._shown(name), '\n' * (line - 1) + (error.text or ''), None)
        return located(Element('robot', {}, None, line, error.column or 1, 0), file)

    @cached_property
    def limits(self) -> list[Element]:
        """An element ``<joint name="...">`` for each joint in ``joint_limits.yaml``."""
        return [*map(_joint, self._in_table('joint_limits'))]

    @cached_property
    def solvers(self) -> list[Element]:
        """The entry of each group in ``kinematics.yaml``."""
        return [each for each in self._yaml('kinematics.yaml') if value_of(
            each, 'kinematics_solver')]

    @cached_property
    def positions(self) -> list[Element]:
        """The entry of each joint in ``initial_positions.yaml``."""
        return self._in_table('initial_positions')

    @cached_property
    def controllers(self) -> list[tuple[str, Element]]:
        """The file and the entry of each controller with joints, of MoveIt and ros2_control."""
        return [(file, entry) for file, entries in self._of_controllers.items()
                for entry in entries if entry_of(entry, 'joints') is not None]

    @cached_property
    def _of_controllers(self) -> dict[str, list[Element]]:
        """The entries of each file of controllers beside the SRDF file."""
        return {file: self._yaml(file) for file in CONTROLLERS}

    def read_all(self) -> None:
        """Read the files that rules ask for one by one, so that :attr:`errors` has all."""
        for name in ('limits', 'solvers', 'positions', 'controllers'):
            getattr(self, name)

    def _in_table(self, name: str) -> list[Element]:
        """Return the entries of a table in the YAML file of the same name."""
        return [entry for entry in self._yaml(f'{name}.yaml')
                if entry.parent is not None and entry.parent.get('name') == name]

    @cached_property
    def parameters(self) -> list[list[Element]]:
        """
        The entries of each YAML file that may have parameters of controllers of ros2_control.

        They are those of controllers beside the SRDF file and, unless that is in another folder,
        those that plugins of Gazebo name and those in the package that name a joint of the robot,
        or are in one folder with such a file; for a description with ``<ros2_control>`` also those
        in the packages beside its own.
        """
        found = [*self._of_controllers.values()]
        if self._description.srdf is None:
            found += map(self.entries_in_file, (*self._named, *self._packaged()))
        return [*{os.path.abspath(entries[0].origin.tag.file.path): entries
                  for entries in found if entries and entries[0].origin is not None}.values()]

    def _packaged(self) -> list[str]:
        """Return the files of packages that may have parameters of controllers of the robot."""
        known = {*self._description.joint_names}
        words = {file: {*_NAME.findall(text)} for file, text in self.texts.items() if (
            'ros__param' in text and not (os.path.basename(file) in CONTROLLERS and any(
                glob_in(Path(file).parent, '*.srdf*'))))}
        folders = {os.path.dirname(file) for file in words if words[file] & known}
        own = package_folder(self._description)
        return [file for file in words if words[file] & {*known, 'controller_manager'} and (
            os.path.dirname(file) in folders or own in Path(file).parents)]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The YAML files of the package and, with ``<ros2_control>``, of those beside it."""
        description = self._description
        return package_texts(description, 'y*ml', beside='config' if (
            description.srdf is None and description.ros2_control) else '')

    def written(self, pattern: re.Pattern[str]) -> dict[str, list[Element]]:
        """Return the entries of each YAML file in packages whose text has a pattern."""
        return {file: self.entries_in_file(file) for file, text in self.texts.items()
                if pattern.search(text)}

    @cached_property
    def _named(self) -> list[str]:
        """The files that plugins of Gazebo name as their parameters."""
        return sorted({(element.text or '').strip()
                       for element in self._description.parameter_files})

    @cached_property
    def loaded(self) -> tuple[tuple[str, Element], ...]:
        """
        Each table in the files that are certainly for controllers of this robot.

        Plugins of Gazebo name them as their parameters, or a launch file does that names no other
        description than this one, and no prefix, which it may add to the names in the files.
        """
        texts = [text for text in package_files(self._description).launching.values()
                 if len({*_DESCRIPTION.findall(text)}) == 1 and not _PREFIX.search(text)]
        files = [file for file in self.texts if 'controller_manager' in self.texts[file] and any(
            os.path.basename(file) in _NAME.findall(text) for text in texts)]
        names = [os.path.basename(file) for file in files]
        files = [file for file in files if names.count(os.path.basename(file)) == 1]
        return tuple((os.path.basename(name), entry) for name in dict.fromkeys(
            (*self._named, *files)) for entry in self.entries_in_file(name))

    @property
    def is_moveit_2(self) -> bool:
        """Whether the files are those of MoveIt 2, which reads integers as such."""
        return 'ament' in self._manifest or any(
            file == 'moveit_controllers.yaml' for file, _ in self.controllers)

    @property
    def is_moveit_1(self) -> bool:
        """Whether the files are those of MoveIt 1."""
        return 'catkin' in self._manifest or any(
            self._of_controllers[file] for file in ('ros_controllers.yaml',
                                                    'fake_controllers.yaml'))

    @cached_property
    def _manifest(self) -> str:
        """The package.xml of the package of the SRDF file."""
        source = self._description.srdf or self._description.document.source
        package = project_folder(Path(source).absolute().parent)
        with suppress(OSError, ResourceError):
            return read_regular_file(self._description.resolve(
                os.fspath(package / 'package.xml')), MAX_YAML).decode('utf-8', 'replace')
        return ''

    @cached_property
    def drives(self) -> tuple[tuple[str, Element], ...]:
        """
        The file and an element like a plugin for each controller of left and right wheels.

        They are in the files that are certainly for this robot; without such, in the only YAML
        file of the package that names a wheel of it.
        """
        found, known = _drives(self.loaded), self._description.joint_names
        own = package_folder(self._description)
        texts = {} if any(map(self.entries_in_file, self._named)) else self.texts
        of_files = [drives for file, text in texts.items()
                    if 'left_wheel' in text and own in Path(file).parents
                    for drives in (_drives((os.path.basename(file), entry)
                                           for entry in self.entries_in_file(file)),)
                    if any(each.text in known for _, drive in drives for each in drive)]
        return tuple(found or (of_files[0] if len(of_files) == 1 else ()))

    @cached_property
    def likely(self) -> tuple[tuple[str, Element], ...]:
        """Those of each table in :attr:`parameters`, whose files may be of another robot."""
        return tuple((os.path.basename(entries[0].origin.tag.file.path), entry)
                     for entries in self.parameters for entry in entries if entries[0].origin)

    def _read_entries(self, name: str) -> list[Element]:
        """Return those of a YAML file; none if it cannot be read, as it may be a template."""
        with suppress(ResourceError):
            path = self._description.resolve(name)
            try:
                return entries_of(path, os.path.relpath(path))
            except DescriptionError as error:
                self.broken[name] = error
        return []

    def _yaml(self, name: str) -> list[Element]:
        """Return the entries of a YAML file beside the SRDF file, from the outside in."""
        path = self._beside(name) if self._path and self.srdf is not None else None
        folder = Path(self._description.srdf or '').absolute().parent
        if path is None and folder.name == 'srdf' and len([*glob_in(folder, '*.srdf*')]) == 1 and (
                self._description.may_read(folder.parent / name)):
            path, name = self._beside(name, folder), f'../{name}'
        try:
            return [] if path is None else entries_of(path, os.path.normpath(self._shown(name)))
        except DescriptionError as error:
            self._fail(name, error)
            return []

    @cached_property
    def groups(self) -> Mapping[str, Element]:
        """The first group of each name."""
        return by_name(self.elements('group'))

    def _contained(self, name: str) -> set[str]:
        """Return the direct and indirect subgroups of a group."""
        found: set[str] = set()
        pending = [name]
        for group in takewhile(lambda _: len(found) < _MAX_SUBGROUPS, pending):
            inner = {each.get('name', '') for each in self.groups[group].findall_tag('group')}
            inner = (inner & self.groups.keys()) - found
            found |= inner
            pending += inner
        return found

    def _parts(self, name: str) -> tuple[set[str], set[str]]:
        """Return the links and joints that MoveIt includes in a group and its subgroups."""
        inside = [each for group in (name, *self.contained(name)) for each in self.groups[group]]
        links = {each.get('name', '') for each in inside if each.tag == 'link'}
        joints = {each.get('name', '') for each in inside if each.tag == 'joint'}
        for each in (each for each in inside if each.tag == 'chain'):
            joints |= self.above(each.get('base_link', '')) ^ self.above(each.get('tip_link', ''))
        parents = map(self._description.topology.parent_joint, links)
        joints.update(each.get('name', '') for each in parents if each is not None)
        known = self._description.joint_names
        moved = (attached_link(known[joint], 'child') for joint in joints if joint in known)
        return links.union(filter(None, moved)), joints

    def above(self, link: str) -> set[str]:
        """Return the joints between a link and its root."""
        return {each.get('name', '') for each in self._description.topology.joints_above(link)}


moveit_files = once(MoveItFiles)
"""Return the files of MoveIt beside a description."""


def controller_name(entry: Element) -> str:
    """Return the name of a controller, whose parameters may be in ros__parameters."""
    name = value_of(entry, 'name') or entry.get('name', '')
    return entry.parent.get('name', '') if (
        name == 'ros__parameters' and entry.parent is not None) else name


def _joint(entry: Element) -> Element:
    """Return a joint with an element for each value of an entry."""
    joint = element_at('joint', {'name': entry.get('name', '')}, entry)
    for each in entry:
        element_at(each.get('name', ''), {}, each, joint).text = each.text
    return joint


def _drives(tables: Iterable[tuple[str, Element]]) -> list[tuple[str, Element]]:
    """Return the controllers of left and right wheels among tables of YAML files."""
    return [(file, drive) for file, entry in tables for drive in (_controller(entry),)
            if all(drive.find(tag) is not None for tag in WHEELS.values())]


def _controller(entry: Element) -> Element:
    """Return a controller whose elements are the scalars and lists of an entry."""
    controller = element_at('controller', {'name': controller_name(entry)}, entry)
    for each in entry:
        name = each.get('name', '')
        for value in each if len(each) else (each,):
            if name and (value is each or not value.get('name')):
                element_at(WHEELS.get(name, name), {}, value, controller).text = value.text
    return controller
