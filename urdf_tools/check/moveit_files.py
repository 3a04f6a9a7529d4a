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

"""The MoveIt files of a description, as elements with source locations."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
import os
from pathlib import Path
import re
from typing import TYPE_CHECKING

from urdf_tools.check.indexed_description import by_name
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.topology import attached_link
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceTag

if TYPE_CHECKING:
    import yaml

MAX_LIMITS = 2**18
"""Largest joint_limits.yaml that is read; real ones stay below 20 kB."""

_NAME = re.compile(r'\w[\w.-]*')

_SUFFIXES = ('.urdf', '.xacro', '.xml')


class MoveItFiles:
    """
    The SRDF file of a robot, and what MoveIt reads with it.

    It is in the folder of the description, and has the name of the description or of the robot:
    ``arm.srdf`` beside ``arm.urdf.xacro``. Only beside one is ``joint_limits.yaml`` MoveIt's.

    :ivar srdf: its ``<robot>``; None if there is no such file, or it cannot be read.
    :ivar errors: why files cannot be read, each with an element at that location.
    """

    def __init__(self, description: Description):
        self._description = description
        self.srdf: Element | None = None
        self.errors: list[tuple[Element, str]] = []
        self._path = ''
        source = description.document.source
        names = (os.path.basename(source).split('.')[0], description.robot.get('name', ''))
        for name in dict.fromkeys(names) if source.endswith(_SUFFIXES) else ():
            if _NAME.fullmatch(name) and (path := self._beside(f'{name}.srdf')):
                self._path = path.name
                self._read_srdf(path)
                break

    def _beside(self, name: str) -> Path | None:
        try:
            return self._description.resolve(name)
        except ResourceError:
            return None

    def _shown(self, name: str) -> str:
        return os.path.join(os.path.dirname(self._description.document.source), name)

    def _read_srdf(self, path: Path) -> None:
        text = ''
        try:
            data, _ = read_regular_file(path, MAX_BYTES + 1)
            text = _text(data)
            document = read_document(data, path.name)
        except OSError as error:
            self._fail(path.name, text, 1, 1, error.strerror or str(error))
        except DescriptionError as error:
            self._fail(path.name, text, error.line or 1, error.column or 1, error.message)
        else:
            file = SourceFile(self._shown(path.name), text, None)
            for element in document.root.iter():
                _locate(element, file)
            self.srdf = document.root

    def _fail(self, name: str, text: str, line: int, column: int, reason: str) -> None:
        file = SourceFile(self._shown(name), text + '\n' * line, None)
        element = Element('robot', {}, None, line, column, 0)
        _locate(element, file)
        self.errors.append((element, reason))

    @cached_property
    def limits(self) -> tuple[Element, ...]:
        """An element ``<joint name="...">`` for each joint in ``joint_limits.yaml``."""
        path = self._beside('joint_limits.yaml') if self._path else None
        if path is None:
            return ()
        # It takes long, and few descriptions have such a file.
        import yaml
        text = ''
        try:
            data, _ = read_regular_file(path, MAX_LIMITS + 1)
            if len(data) > MAX_LIMITS:
                raise ValueError(f'It has more than {MAX_LIMITS} bytes')
            text = _text(data)
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark = getattr(error, 'problem_mark', None)
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self._fail(path.name, text, line, column,
                       f'It is not YAML: {getattr(error, "problem", None) or error}')
        except (OSError, RecursionError, ValueError) as error:
            self._fail(path.name, text, 1, 1, getattr(error, 'strerror', None) or str(error))
        else:
            return tuple(_joints(root, SourceFile(self._shown(path.name), text, None)))
        return ()

    @cached_property
    def groups(self) -> Mapping[str, Element]:
        """The first group of each name."""
        return by_name(() if self.srdf is None else self.srdf.findall_tag('group'))

    def contained(self, name: str) -> list[str]:
        """Return the direct and indirect subgroups of a group."""
        found: list[str] = []
        pending = [name]
        while pending:
            for inner in self.groups[pending.pop()].findall_tag('group'):
                other = inner.get('name', '')
                if other in self.groups and other not in found:
                    found.append(other)
                    pending.append(other)
        return found

    def parts(self, name: str) -> tuple[set[str], set[str]]:
        """Return the links and joints that MoveIt includes in a group and its subgroups."""
        groups = [self.groups[each] for each in (name, *self.contained(name))]
        links = {each.get('name', '') for group in groups for each in group.findall_tag('link')}
        joints = {each.get('name', '') for group in groups for each in group.findall_tag('joint')}
        for chain in (each for group in groups for each in group.findall_tag('chain')):
            joints |= self._above(chain.get('base_link', '')) ^ self._above(
                chain.get('tip_link', ''))
        for link in links:
            above = self._description.topology.parent_joint(link)
            joints |= set() if above is None else {above.get('name', '')}
        known = self._description.joint_names
        moved = (attached_link(known[joint], 'child') for joint in joints if joint in known)
        return links.union(filter(None, moved)), joints

    def _above(self, link: str) -> set[str]:
        """Return the joints between a link and its root."""
        found: set[str] = set()
        joint = self._description.topology.parent_joint(link)
        while joint is not None and joint.get('name', '') not in found:
            found.add(joint.get('name', ''))
            joint = self._description.topology.parent_joint(attached_link(joint, 'parent') or '')
        return found


moveit_files = once(MoveItFiles)
"""Return the files of MoveIt beside a description."""


def _text(data: bytes) -> str:
    return data.decode('utf-8', 'replace').replace('\r\n', '\n').replace('\r', '\n')


def _locate(element: Element, file: SourceFile) -> None:
    parent = None if element.parent is None or element.parent.origin is None else (
        element.parent.origin.tag)
    element.origin = ElementSource(SourceTag(
        file, element.tag, element.line, element.column, element.attrib, parent), None)


def _joints(root: yaml.Node, file: SourceFile) -> Iterator[Element]:
    """Yield the joints of a file, whose keys are their attributes."""
    for key, table in _items(root):
        if key.value == 'joint_limits':
            for joint, values in _items(table):
                attributes = {'name': str(joint.value), **{
                    str(name.value): str(value.value) for name, value in _items(values)
                    if value.id == 'scalar'}}
                element = Element('joint', attributes, None, joint.start_mark.line + 1,
                                  joint.start_mark.column + 1, 0)
                _locate(element, file)
                yield element


def _items(node: yaml.Node) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    if node.id == 'mapping':
        yield from ((key, value) for key, value in node.value if key.id == 'scalar')
