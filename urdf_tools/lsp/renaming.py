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

"""Rename a link, joint or material, with everything that refers to it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from typing import NamedTuple

from urdf_tools.lsp.cursor import cursor_at
from urdf_tools.lsp.name_roles import fits
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import Named
from urdf_tools.lsp.name_roles import parameter_defaults
from urdf_tools.lsp.name_roles import role_of
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.model.messages import quote
from urdf_tools.model.syntax_tree import Node

_MAX_DEPTH = 8
_NOT_IN_NAMES = frozenset('<>&"\'${}')


class RenameError(ValueError):
    """A name that cannot be changed; the text is one sentence for the user."""


class Target(NamedTuple):
    """A name that can be changed, and where it is written at the cursor."""

    kind: Kind
    name: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """A name in a text."""

    source: Source
    start: int
    end: int


def target_at(project: Project, source: Source, offset: int) -> Target:
    """
    Return the name at an offset.

    :raises RenameError: there is none that can be changed.
    """
    cursor = cursor_at(source, offset)
    role = None
    if cursor is not None and cursor.part == 'value' and cursor.node and cursor.attribute:
        role = role_of(cursor.node, cursor.attribute.name)
    if cursor is None or cursor.attribute is None or role is None or role.kind not in (
            'link', 'joint', 'material', 'link or joint'):
        raise RenameError('Only the names of links, joints and materials can be changed')
    name = cursor.attribute.value
    if '$' in name:
        raise RenameError(
            f'The name {quote(name)} is made by an expression; change what the expression uses')
    kind = role.kind
    if kind == 'link or joint':
        is_link = any(named.attribute.value == name
                      for _, named in project.definitions(source, 'link')
                      if named.role.kind == 'link')
        kind = 'link' if is_link else 'joint'
    if not name:
        raise RenameError('The name is empty')
    return Target(kind, name, cursor.start, cursor.end)


def occurrences(
        project: Project, source: Source, target: Target, new_name: str,
        is_editable: Callable[[str], bool]) -> list[Occurrence]:
    """
    Return every occurrence of a name that must be changed.

    :param is_editable: returns whether a file belongs to the user.
    :raises RenameError: the new name is not possible, or an occurrence is not editable.
    """
    if not new_name.strip() or _NOT_IN_NAMES & set(new_name) or any(map(str.isspace, new_name)):
        raise RenameError(f'{quote(new_name)} cannot be a name: write one without spaces, '
                          'quotes and any of <>&${}')
    related = project.related(source)
    names = _Names(related, target.kind)
    if new_name != target.name and new_name in names.defined:
        raise RenameError(f'A {target.kind} with the name {quote(new_name)} exists already')
    found = list(dict.fromkeys(names.occurrences(target.name)))
    for occurrence in found:
        if not is_editable(occurrence.source.path):
            raise RenameError(f'The name {quote(target.name)} is also written in '
                              f'{quote(occurrence.source.path, 200)}, which is outside of the '
                              'workspace')
    return found


class _Names:
    """The occurrences of names of a kind in some files."""

    def __init__(self, sources: list[Source], kind: Kind):
        self._sources = sources
        self._kind = kind
        self._named = [(source, named) for source in sources for named in source.named]
        self._macros: dict[str, Node] = {}
        for _, named in self._named:
            if named.role.kind == 'macro':
                self._macros.setdefault(named.attribute.value, named.node)
        self.defined = {named.attribute.value for _, named in self._named
                        if named.role.defines and named.role.kind == kind}
        self._links = {named.attribute.value for _, named in self._named
                       if named.role.defines and named.role.kind == 'link'}

    def occurrences(self, name: str) -> Iterator[Occurrence]:
        for source, named in self._named:
            if named.attribute.value == name and self._is_of_kind(named):
                yield Occurrence(source, named.attribute.value_start, named.attribute.value_end)
        for source in self._sources:
            for node in source.tree.nodes:
                if node.tag.startswith('xacro:'):
                    yield from self._passed(source, node, name)

    def _is_of_kind(self, named: Named) -> bool:
        if named.role.kind == 'link or joint' and self._kind == 'joint':
            return named.attribute.value not in self._links
        return fits(self._kind, named.role.kind)

    def _passed(self, source: Source, node: Node, name: str) -> Iterator[Occurrence]:
        """Yield where a name is the argument of a macro, or the value of a property."""
        if node.tag in ('xacro:property', 'xacro:arg'):
            substitution = ('${%s}' if node.tag == 'xacro:property' else '$(arg %s)') % (
                node.get('name'))
            for key in ('value', 'default'):
                attribute = node.attribute(key)
                if attribute is not None and attribute.value == name and any(
                        self._uses(other.tree.nodes, substitution, 0, set())
                        for other in self._sources):
                    yield Occurrence(source, attribute.value_start, attribute.value_end)
        elif node.tag == 'xacro:macro':
            attribute = node.attribute('params')
            for parameter, default, start in parameter_defaults(node):
                if attribute is not None and default == name and self._takes(
                        node, parameter, 0, set()):
                    begin = attribute.value_start + start
                    yield Occurrence(source, begin, begin + len(name))
        elif (macro := self._macro(node)) is not None:
            for attribute in node.attributes:
                if attribute.value == name and attribute.value_start >= 0 and self._takes(
                        macro, attribute.name, 0, set()):
                    yield Occurrence(source, attribute.value_start, attribute.value_end)

    def _macro(self, call: Node) -> Node | None:
        return self._macros.get(call.tag[6:].rpartition('.')[2])

    def _takes(self, macro: Node, parameter: str, depth: int, seen: set[tuple[int, str]]) -> bool:
        """Return whether a macro uses a parameter as a name of this kind."""
        if depth > _MAX_DEPTH or (id(macro), parameter) in seen:
            return False
        seen.add((id(macro), parameter))
        return self._uses(macro.descendants(), '${%s}' % parameter, depth, seen)

    def _uses(self, nodes: Iterator[Node] | list[Node], substitution: str, depth: int,
              seen: set[tuple[int, str]]) -> bool:
        for node in nodes:
            for attribute in node.attributes:
                if ''.join(attribute.value.split()) != ''.join(substitution.split()):
                    continue
                role = role_of(node, attribute.name)
                if role is not None and fits(self._kind, role.kind):
                    return True
                macro = self._macro(node) if node.tag.startswith('xacro:') else None
                if macro is not None and self._takes(macro, attribute.name, depth + 1, seen):
                    return True
        return False
