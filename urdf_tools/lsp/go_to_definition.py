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

"""Where the name under the cursor is defined, or the file that it names."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import os
import re

from lsprotocol import types

from urdf_tools.lsp.cursor import Cursor
from urdf_tools.lsp.cursor import cursor_at
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import role_of
from urdf_tools.lsp.name_roles import substitution_at
from urdf_tools.lsp.name_roles import word_at
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.project import uri_of
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.syntax_tree import Node

_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def definitions_at(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> list[types.Location]:
    """
    Return where the name at an offset is defined, the most likely location first.

    :param robots: what the file was expanded to, for names that xacro makes.
    """
    cursor = cursor_at(source, offset)
    if cursor is None or cursor.node is None:
        return []
    if cursor.part in ('tag', 'closing'):
        name = source.text[cursor.start:cursor.end]
        return _named(project, source, 'macro', name[6:]) if name.startswith('xacro:') else []
    if cursor.part == 'value' and cursor.attribute is not None:
        return list(_value(project, source, robots, cursor, offset))
    return []


def _value(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], cursor: Cursor,
        offset: int) -> Iterator[types.Location]:
    node, attribute = cursor.node, cursor.attribute
    assert node is not None and attribute is not None
    inside = offset - attribute.value_start
    opening, content, start = substitution_at(attribute.value, inside)
    if opening and not (node.tag == 'xacro:include' and attribute.name == 'filename'):
        yield from _substitution(
            project, source, node, opening, content, inside - start)
    elif attribute.name == 'filename':
        yield from _file(project, source, node, attribute.value)
    elif node.tag == 'xacro:insert_block':
        yield from _substitution(project, source, node, '${', attribute.value, 0)
    elif node.tag == 'xacro:call' and attribute.name == 'macro':
        yield from _named(project, source, 'macro', attribute.value)
    else:
        role = role_of(node, attribute.name)
        if role is not None:
            found = _named(project, source, role.kind, attribute.value)
            yield from found
            if not found:
                for robot in robots:
                    yield from _expanded(project, robot, role.kind, attribute.value)


def _named(project: Project, source: Source, kind: Kind, name: str) -> list[types.Location]:
    # The name may have the prefix of a namespace.
    name = name.rpartition('.')[2] if kind == 'macro' else name
    return [
        types.Location(uri_of(other.path), other.positions.range(
            named.attribute.value_start, named.attribute.value_end))
        for other, named in project.definitions(source, kind)
        if name and named.attribute.value == name]


def _substitution(
        project: Project, source: Source, node: Node, opening: str, content: str, inside: int
        ) -> Iterator[types.Location]:
    words = content.split()
    if opening == '$(' and len(words) == 2 and words[0].startswith('find'):
        folder = project.resolver(source).find_package(words[1])
        if folder is not None and (folder / 'package.xml').is_file():
            yield types.Location(uri_of(str(folder / 'package.xml')), _START)
    elif opening == '$(' and words:
        yield from _named(project, source, 'arg', words[-1])
    elif opening == '${':
        name = word_at(content, inside)[0]
        yield from _parameter(source, node, name)
        yield from _named(project, source, 'property', name)


def _parameter(source: Source, node: Node, name: str) -> Iterator[types.Location]:
    """Yield the parameter of this name of a macro around a node."""
    for outer in node.ancestors():
        attribute = outer.attribute('params') if outer.tag == 'xacro:macro' else None
        match = attribute and name and re.search(
            rf'(?<![\w.]){re.escape(name)}(?![\w.])', attribute.value)
        if attribute and match:
            start = attribute.value_start + match.start()
            yield types.Location(
                uri_of(source.path), source.positions.range(start, start + len(name)))


def _file(
        project: Project, source: Source, node: Node, value: str) -> Iterator[types.Location]:
    if node.tag == 'xacro:include':
        path = project.included_path(source, value)
        if path is not None and os.path.isfile(path):
            yield types.Location(uri_of(path), _START)
        return
    try:
        yield types.Location(uri_of(str(project.resolver(source).resolve(value))), _START)
    except ResourceError:
        return  # A diagnostic says why.


def _expanded(
        project: Project, robot: ExpandedRobot, kind: Kind, name: str
        ) -> Iterator[types.Location]:
    for location in robot.definitions(kind, name):
        source = project.source(location.file)
        if source is not None:
            start = source.positions.offset_of_line(location.line, location.column)
            yield types.Location(uri_of(location.file), source.positions.range(start, start))
