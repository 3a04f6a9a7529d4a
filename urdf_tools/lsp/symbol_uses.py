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

"""Where a text has names: those that xacro looks up, and those of links, joints and materials."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import re
from typing import Any
from typing import Literal
from typing import NamedTuple

from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.expressions import tokens
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import Kind
from urdf_tools.lsp.specification import parameter_matches
from urdf_tools.lsp.specification import role_of
from urdf_tools.lsp.specification import SYMBOLS
from urdf_tools.lsp.specification import TABLES
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree

How = Literal['binds', 'parameter', 'passes', 'sets', 'reads', 'reads outside', 'member', 'closes',
              'makes']

GLOBAL = ''
"""The scope outside of macros."""

ANY_MACRO = '*'
"""The scope of what is passed to a macro whose name an expression makes."""

_SUBSTITUTION = re.compile(r'\$[{(]')
_NAMING: Mapping[str, Any] = TABLES['elements that name a symbol']
"""The attribute of an element that has the name of a symbol, its kind, and how it is used."""

_CONDITIONS = ('xacro:if', 'xacro:unless')


class Use(NamedTuple):
    """
    A name in a text.

    :ivar scope: the macro whose symbols it is looked up in, or :data:`GLOBAL`. A property with
        content is a scope, too, because what it contains is evaluated where it is inserted.
    :ivar how: ``binds`` defines it in its scope, ``parameter`` and ``passes`` as a parameter;
        ``sets`` may define it there or replace it outside; ``reads`` looks it up there, and
        ``reads outside`` where the macro is called. A ``member`` of something that may be a
        namespace has the name of that as its scope. ``closes`` is in the end tag of a call. An
        expression ``makes`` a name that has one in it. A link, joint or material is bound or read
        in :data:`GLOBAL`.
    """

    kind: Kind
    name: str
    start: int
    end: int
    scope: str
    how: How

    @property
    def defines(self) -> bool:
        """Whether it is a definition."""
        return self.how in ('binds', 'parameter', 'sets')

    @property
    def is_symbol(self) -> bool:
        """Whether xacro looks it up; the others are names of links, joints and materials."""
        return self.kind in SYMBOLS


def macro_name(tag: str) -> str:
    """Return the name of the macro that a tag calls, without namespaces; else an empty text."""
    return '' if tag in ELEMENTS or not tag.startswith('xacro:') else tag[6:].rpartition('.')[2]


class Names:
    """
    The names in a text.

    :ivar all: those in the order of the text.
    :ivar starting: the last one that starts at an offset.
    :ivar calls: each scope with one that it is used in: where it is called, inserted or written.
    :ivar including: the scopes that include files.
    :ivar namespaces: the names of namespaces.
    """

    def __init__(self, tree: SyntaxTree, is_xacro: bool = True):
        self.all = list(_of_parts(tree))
        self.calls: set[tuple[str, str]] = set()
        self.including: set[str] = set()
        self.namespaces: set[str] = set()
        if is_xacro:
            self._read(tree)
        self.all.sort(key=lambda use: use.start)
        self.starting = {use.start: use for use in self.all}
        self._by_name = grouped((use.name, use) for use in self.all)
        self.calls.update(
            (use.name if use.kind == 'macro' else block_scope(use.name), use.scope)
            for use in self.all if use.how == 'reads' and use.is_symbol)

    def of(self, name: str) -> list[Use]:
        """Return the uses of a name, in the order of the text."""
        return self._by_name.get(name, [])

    def at(self, offset: int) -> Use | None:
        """Return the innermost name at an offset, or None."""
        around = [use for use in self.all if use.start <= offset <= use.end]
        return around[-1] if around else None

    def _read(self, tree: SyntaxTree) -> None:
        text = tree.text
        scopes: dict[Node | None, str] = {None: GLOBAL}
        for node in tree.nodes:
            scope = scopes[node.parent]
            own = _own_scope(node)
            scopes[node] = own or scope
            if own:
                self.calls.add((own, scope))
            if node.tag == 'xacro:include':
                self.including.add(scope)
                self.namespaces.add(node.get('ns'))
            self.all += _of_tag(node, scope)
            for attribute in node.attributes:
                if '$' in attribute.value:
                    is_default = attribute.name == 'params'
                    self.all += _in_text(
                        text, attribute.value_start, attribute.value_end, scopes[node]
                        if is_default else scope, 'reads outside' if is_default else 'reads')
        end = 0
        while match := _SUBSTITUTION.search(text, end):
            end = text.find('<', match.end())
            end = len(text) if end < 0 else end
            if not tree.is_hidden(match.start()) and tree.tag_at(match.start()) is None:
                scope = scopes[tree.node_at(match.start())]
                self.all += _in_text(text, match.start(), end, scope)


def block_scope(name: str) -> str:
    """Return the scope of the content of a property."""
    return f'**{name}'


def _own_scope(node: Node) -> str:
    name = node.get('name')
    if node.tag == 'xacro:macro':
        return name.removeprefix('xacro:')
    return block_scope(name) if node.tag == 'xacro:property' and node.children else ''


def _of_parts(tree: SyntaxTree) -> Iterator[Use]:
    """Yield the names of links, joints and materials."""
    for node in tree.nodes:
        for attribute in node.attributes:
            role = role_of(node, attribute.name) if attribute.value else None
            if role is not None:
                yield _ending(role.kind, attribute.value, attribute.value_end, GLOBAL,
                              'binds' if role.defines else 'reads')


def _of_tag(node: Node, scope: str) -> Iterator[Use]:
    """Yield the names in the tags of an element outside of substitutions."""
    if node.tag == 'xacro:macro':
        yield from _of_macro(node)
    elif macro := macro_name(node.tag):
        yield _ending('macro', macro, node.name_end, scope, 'reads')
        if node.close >= 0:
            yield _ending('macro', macro, node.close + 2 + len(node.tag), scope, 'closes')
        yield from _passed(node, macro)
    elif node.tag in _NAMING:
        key, kind, how = _NAMING[node.tag]
        named = node.attribute(key)
        name = '' if named is None else named.value
        if '$' in name:
            how = 'makes'
        elif node.tag == 'xacro:call':
            name = name.rpartition('.')[2]
        if node.tag == 'xacro:call':
            yield from _passed(node, name if name and how == 'reads' else ANY_MACRO)
        if named is not None and name:
            use = _ending(kind, name, named.value_end, GLOBAL if kind == 'arg' else scope, how)
            is_bound = node.tag == 'xacro:property' and how == 'binds'
            yield _of_property(node, use) if is_bound else use


def _ending(kind: Kind, name: str, end: int, scope: str, how: How) -> Use:
    """Return the use of a name that ends at an offset."""
    return Use(kind, name, end - len(name), end, scope, how)


def _passed(call: Node, macro: str) -> Iterator[Use]:
    for attribute in call.attributes:
        if ':' not in attribute.name and (call.tag, attribute.name) != ('xacro:call', 'macro'):
            yield _ending('property', attribute.name, attribute.name_end, macro, 'passes')


def _of_macro(node: Node) -> Iterator[Use]:
    named, params = node.attribute('name'), node.attribute('params')
    if named is None or not named.value:
        return
    name = named.value.removeprefix('xacro:')
    yield _ending('macro', name, named.value_end, name, 'binds')
    if params is not None:
        for match in parameter_matches(node):
            end = params.value_start + match.end(2)
            yield _ending('property', match[2], end, name, 'parameter')
            if match[3]:
                # Its default is the symbol of the same name at the call.
                yield _ending('property', match[2], end, name, 'reads outside')


def _of_property(node: Node, use: Use) -> Use:
    if node.get('scope') == 'global':
        return use._replace(scope=GLOBAL)
    around = next((outer.tag for outer in node.ancestors()
                   if outer.tag in ('xacro:macro', *_CONDITIONS)), '')
    if node.get('scope') == 'parent' or around in _CONDITIONS or (
            node.attribute('default') or node.attribute('remove')):
        return use._replace(how='sets')
    return use


def _in_text(text: str, start: int, end: int, scope: str, how: How = 'reads') -> Iterator[Use]:
    """Yield the names in the substitutions between two offsets."""
    for found in substitutions(text, start, end):
        for token in tokens(text, found):
            yield Use(token.kind, text[token.start:token.end], token.start, token.end,
                      token.owner or (GLOBAL if token.kind == 'arg' else scope),
                      'member' if token.owner else how)
