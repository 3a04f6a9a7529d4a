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

"""Completions at the cursor: elements, attributes, names, packages and files."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
import os
import re
from typing import NamedTuple

from lsprotocol import types

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Cursor
from urdf_tools.lsp.source_text import cursor_at
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import attribute_text
from urdf_tools.lsp.specification import ATTRIBUTES
from urdf_tools.lsp.specification import definition
from urdf_tools.lsp.specification import element_text
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import JOINT_TYPES
from urdf_tools.lsp.specification import Kind
from urdf_tools.lsp.specification import macro_around
from urdf_tools.lsp.specification import own_parent
from urdf_tools.lsp.specification import parameters
from urdf_tools.lsp.specification import role_of
from urdf_tools.lsp.specification import substitution_at
from urdf_tools.lsp.specification import TABLES
from urdf_tools.lsp.specification import type_text
from urdf_tools.meshes.formats import mesh_formats
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import Node

TRIGGERS = ('<', ' ', '"', "'", '/', ':', '{', '(')
"""The characters after which an editor asks."""

_MAX_ITEMS = 1000
_MAX_ENTRIES = 5000
_SCHEME = 'package://'
_ENDINGS: Mapping[str, Sequence[str]] = TABLES['endings of files']
"""The ends of the names of files that an element refers to; others refer to meshes."""

_XACRO = tuple(name for name in ELEMENTS if name.startswith('xacro:'))
_LAST_WORD = re.compile(r'[A-Za-z0-9_]*\Z')

_Kind = types.CompletionItemKind


class _Option(NamedTuple):
    """A completion, and what it inserts if that is more than its text."""

    text: str
    kind: types.CompletionItemKind
    detail: str = ''
    inserted: str = ''


class Suggestions:
    """
    Completes a file at an offset.

    :param robots: what the file was expanded to, for names that xacro makes.
    """

    def __init__(self, project: Project, source: Source, robots: Sequence[ExpandedRobot]):
        self._project = project
        self._source = source
        self._robots = robots

    def at(self, offset: int) -> types.CompletionList:
        """Return the suggestions at an offset."""
        cursor = cursor_at(self._source, offset)
        if cursor is None:
            return types.CompletionList(False, [])
        start, end, options = self._options(cursor, offset)
        where = self._source.positions.range(start, end)
        items = [types.CompletionItem(
            option.text, kind=option.kind, detail=option.detail or None, filter_text=option.text,
            text_edit=types.TextEdit(where, option.inserted or option.text))
            for option in islice(options, _MAX_ITEMS)]
        return types.CompletionList(len(items) == _MAX_ITEMS, items)

    def _options(self, cursor: Cursor, offset: int) -> tuple[int, int, Iterable[_Option]]:
        """Return the start and end of the range to replace, and the options."""
        node = cursor.node
        if cursor.part == 'tag':
            return cursor.start, offset, self._elements(node)
        if cursor.part == 'closing':
            return cursor.start, cursor.end, [_Option(node.tag + '>', _Kind.Class)]
        if cursor.part == 'attribute':
            return cursor.start, offset, self._attributes(node, cursor.attribute)
        text = self._source.text
        begin = text.rfind('>', 0, offset) + 1 if cursor.part == 'content' else cursor.start
        opening, typed, _ = substitution_at(text[begin:offset], offset - begin)
        if opening == '${':
            word = _LAST_WORD.search(typed)
            return offset - len(word[0] if word else ''), offset, self._symbols(node)
        if opening:
            command, space, name = typed.partition(' ')
            return offset - len(name if space else typed), offset, self._commands(command, space)
        if cursor.attribute is None:
            return offset, offset, ()
        if cursor.attribute.name == 'filename':
            return cursor.start, offset, self._files(node, text[cursor.start:offset])
        return cursor.start, cursor.end, self._values(node, cursor.attribute.name)

    def _elements(self, node: Node) -> Iterator[_Option]:
        parent = own_parent(node)
        if parent is None:
            yield _Option('robot', _Kind.Class, element_text('robot'))
            return
        tag = None if self._source.is_semantic else definition(parent)
        if tag is not None:
            present = {child.tag for child in parent.children if child is not node}
            for name, child in tag.children.items():
                if name not in present or name in tag.many:
                    yield _Option(name, _Kind.Class, element_text(name, parent.tag))
        if self._source.is_xacro:
            for name in _XACRO:
                yield _Option(name, _Kind.Keyword, element_text(name))
            yield from self._macros()

    def _macros(self) -> Iterator[_Option]:
        macros: dict[str, Node] = {}
        for macro, use in self._project.defining(self._source, 'macro'):
            macros.setdefault(f'xacro:{use.name}', macro)
        for name, macro in macros.items():
            names = [parameter for stars, parameter in parameters(macro) if not stars]
            yield _Option(name, _Kind.Function, 'macro: ' + ', '.join(names))

    def _attributes(self, node: Node, current: Attribute | None) -> Iterator[_Option]:
        has_value = current is not None and current.value_start >= 0
        present = {attribute.name for attribute in node.attributes if attribute is not current}
        tag = definition(node)
        names = list(() if tag is None else tag.attributes) or [
            key.partition('@')[2] for key in ATTRIBUTES if key.startswith(f'{node.tag}@')]
        for macro in self._project.macros(self._source, node.tag):
            names += [parameter for stars, parameter in parameters(macro) if not stars]
        for name in names:
            if name not in present:
                detail = '. '.join(filter(None, (
                    type_text(tag, name), attribute_text(node.tag, name))))
                yield _Option(name, _Kind.Property, detail, '' if has_value else f'{name}=""')

    def _values(self, node: Node, attribute: str) -> Iterator[_Option]:
        macro = macro_around(node)
        if macro is not None and node.tag == 'xacro:insert_block':
            yield from (_Option(name, _Kind.Variable)
                        for stars, name in parameters(macro) if stars)
        if (node.tag, attribute) == ('joint', 'type'):
            for name, text in JOINT_TYPES.items():
                yield _Option(name, _Kind.EnumMember, text)
        role = role_of(node, attribute)
        if role is not None and (not role.defines or role.kind == 'material'):
            for name in self._names(role.kind):
                yield _Option(name, _Kind.Reference, role.kind)

    def _names(self, kind: Kind) -> Iterable[str]:
        names = [use.name for _, use in self._project.definitions(self._source, kind)]
        for robot in self._robots:
            names += robot.names(kind)
        return dict.fromkeys(filter(None, names))

    def _commands(self, command: str, space: str) -> Iterator[_Option]:
        """Yield the commands in ``$(...)``, or behind one its arguments."""
        if not space:
            yield _Option('find', _Kind.Keyword, 'folder of a package')
            yield _Option('arg', _Kind.Keyword, 'argument')
        elif command == 'arg':
            for name in self._names('arg'):
                yield _Option(name, _Kind.Variable, 'argument')
        elif command == 'find':
            for name in sorted({*self._project.resolver(self._source).lookup.names()}):
                yield _Option(name, _Kind.Module, 'package')

    def _symbols(self, node: Node) -> Iterator[_Option]:
        """Yield what an expression in an element can use."""
        macros = [outer for outer in node.ancestors() if outer.tag == 'xacro:macro']
        found = {parameter: 'parameter of the macro'
                 for macro in macros for _, parameter in parameters(macro)}
        for named, use in self._project.defining(self._source, 'property'):
            around = macro_around(named)
            # A property of another macro is visible only there, unless it has a wider scope.
            if use.how != 'parameter' and (
                    around is None or around in macros or named.get('scope')):
                found.setdefault(use.name, 'property')
        for name, detail in found.items():
            if name:
                yield _Option(name, _Kind.Variable, detail)

    def _files(self, node: Node, typed: str) -> Iterator[_Option]:
        resolver = self._project.resolver(self._source)
        folder: str | os.PathLike[str] | None = os.path.dirname(self._source.path)
        prefix = ''
        if node.tag == 'xacro:include':
            if '$' in typed:
                return
        elif typed.startswith(_SCHEME) and '/' in typed[len(_SCHEME):]:
            name, _, typed = typed[len(_SCHEME):].partition('/')
            folder, prefix = resolver.find_package(name), f'{_SCHEME}{name}/'
        else:
            for name in sorted({*resolver.lookup.names()}):
                yield _Option(f'{_SCHEME}{name}/', _Kind.Module, 'package')
            return
        inner, slash, _ = typed.rpartition('/')
        if folder is None or '..' in inner.split('/'):
            return
        with suppress(OSError, ValueError):
            entries = islice(os.scandir(os.path.join(folder, inner)), _MAX_ENTRIES)
            for entry in sorted(entries, key=lambda entry: entry.name):
                path = f'{prefix}{inner}{slash}{entry.name}'
                if entry.name.startswith('.'):
                    continue
                if entry.is_dir():
                    yield _Option(path + '/', _Kind.Folder)
                elif path.lower().endswith(tuple(_ENDINGS.get(node.tag, mesh_formats()))):
                    yield _Option(path, _Kind.File)
