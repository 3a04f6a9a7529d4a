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

from lsprotocol import types

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.launch_files import LaunchFiles
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import substitution_at
from urdf_tools.lsp.occurrences import definitions_of
from urdf_tools.lsp.occurrences import files_near
from urdf_tools.lsp.occurrences import Target
from urdf_tools.lsp.occurrences import target_at
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source import cursor_at
from urdf_tools.lsp.source import Source
from urdf_tools.lsp.source import uri_of
from urdf_tools.lsp.symbol_index import Occurrence
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.syntax_tree import Attribute
from urdf_tools.model.syntax_tree import Node

_START = types.Range(types.Position(0, 0), types.Position(0, 0))


def definitions_at(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> list[types.Location]:
    """
    Return where the name at an offset is defined, the most likely location first.

    :param robots: what the file was expanded to, for names that xacro makes.
    """
    target = target_at(project, source, offset)
    if target is not None:
        return list(_named(project, source, robots, target))
    cursor = cursor_at(source, offset)
    if cursor is None or cursor.node is None or cursor.attribute is None or (
            cursor.part != 'value'):
        return []
    return list(_file_at(project, source, cursor.node, cursor.attribute, offset))


def _named(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], target: Target
        ) -> Iterator[types.Location]:
    index = files_near(project, source, target)
    places = sorted(definitions_of(index, target), key=lambda each: each.source is not source)
    if target.kind == 'arg':
        places += LaunchFiles(project).likely(index.sources, target.name)
    for each in places:
        yield location(each)
    if not places and target.use is None:
        for robot in robots:
            yield from _expanded(project, robot, target.kind, target.name)


def location(found: Occurrence) -> types.Location:
    """Return where a name is as the protocol has it."""
    return types.Location(
        uri_of(found.source.path), found.source.positions.range(found.start, found.end))


def _file_at(
        project: Project, source: Source, node: Node, attribute: Attribute, offset: int
        ) -> Iterator[types.Location]:
    """Yield the file or package that a value names."""
    if attribute.name == 'filename' and '$' not in attribute.value or node.tag == 'xacro:include':
        yield from _file(project, source, node, attribute.value)
        return
    opening, content, _ = substitution_at(attribute.value, offset - attribute.value_start)
    words = content.split()
    if opening == '$(' and len(words) == 2 and words[0].startswith('find'):
        folder = project.resolver(source).find_package(words[1])
        if folder is not None and (folder / 'package.xml').is_file():
            yield types.Location(uri_of(str(folder / 'package.xml')), _START)


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
