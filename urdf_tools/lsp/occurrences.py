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

"""Where the name under the cursor is written, in all files that share it."""

from __future__ import annotations

from typing import NamedTuple

from urdf_tools.lsp.cursor import cursor_at
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import role_of
from urdf_tools.lsp.part_names import PartNames
from urdf_tools.lsp.part_names import Purpose
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_index import Occurrence
from urdf_tools.lsp.symbol_index import occurrences
from urdf_tools.lsp.symbol_index import shared_files
from urdf_tools.lsp.symbol_index import SymbolIndex
from urdf_tools.lsp.symbol_uses import Use


class Target(NamedTuple):
    """
    A name, and where it is written at the cursor.

    :ivar use: the symbol of xacro; None for the name of a link, joint or material.
    """

    kind: Kind
    name: str
    start: int
    end: int
    use: Use | None = None


def target_at(project: Project, source: Source, offset: int) -> Target | None:
    """Return the name at an offset, or None."""
    cursor = cursor_at(source, offset)
    if cursor is None:
        return None
    use = source.symbols.at(offset)
    if use is not None:
        return Target(use.kind, use.name, use.start, use.end, use)
    if cursor.part != 'value' or cursor.node is None or cursor.attribute is None:
        return None
    role = role_of(cursor.node, cursor.attribute.name)
    name = cursor.attribute.value
    if role is None or not name:
        return None
    kind = role.kind
    if kind == 'link or joint':
        is_link = any(named.attribute.value == name
                      for _, named in project.definitions(source, 'link')
                      if named.role.kind == 'link')
        kind = 'link' if is_link else 'joint'
    return Target(kind, name, cursor.start, cursor.end)


def files_near(project: Project, source: Source, target: Target) -> SymbolIndex:
    """Return the files that may share a name with one, with their symbols."""
    return SymbolIndex(
        project.related(source) if target.use is None else project.expanded_with(source))


def files_of(project: Project, source: Source, target: Target) -> SymbolIndex:
    """Return all files that share a name, with their symbols."""
    use = target.use
    if use is not None:
        return shared_files(project.expanded_with, source, lambda index: (
            other for other, _ in index.same(use)))
    return shared_files(project.related, source, lambda index: (
        found.source for found, _ in PartNames(index, target.kind).occurrences(target.name)))


def occurrences_of(index: SymbolIndex, target: Target) -> dict[Occurrence, set[Purpose]]:
    """Return where a name is written in some files, and what for."""
    if target.use is not None:
        return {found: {'defines' if found.defines else 'refers'}
                for found in occurrences(index, target.use)}
    found: dict[Occurrence, set[Purpose]] = {}
    for place, purposes in PartNames(index, target.kind).occurrences(target.name):
        found.setdefault(place, set()).update(purposes)
    return found


def definitions_of(index: SymbolIndex, target: Target) -> list[Occurrence]:
    """Return where a name is defined: in the macro that uses it, if that binds it."""
    places = [place for place in occurrences_of(index, target) if place.defines]
    use = target.use
    if use is None or use.how == 'reads outside':
        return places
    bound = {(source.path, each.start) for source, each in index.same(use)
             if each.defines and each.scope == use.scope}
    return [place for place in places if (place.source.path, place.start) in bound] or places
