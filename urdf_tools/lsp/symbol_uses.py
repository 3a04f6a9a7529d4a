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

"""Where a text has names that xacro looks up: of macros, properties, parameters and arguments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
import re
from typing import Literal
from typing import NamedTuple

from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.expressions import tokens
from urdf_tools.lsp.specification import ELEMENTS
from urdf_tools.lsp.specification import parameter_matches
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree

SymbolKind = Literal['macro', 'property', 'arg']
How = Literal['binds', 'parameter', 'passes', 'sets', 'reads', 'reads outside', 'member', 'closes']

GLOBAL = ''
"""The scope outside of macros."""

ANY_MACRO = '*'
"""The scope of what is passed to a macro whose name an expression makes."""

_SUBSTITUTION = re.compile(r'\$[{(]')
_MADE = {('xacro:property', 'name'): 'property', ('xacro:call', 'macro'): 'macro',
         ('xacro:arg', 'name'): 'arg'}
_CONDITIONS = ('xacro:if', 'xacro:unless')


class Use(NamedTuple):
    """
    A name in a text.

    :ivar scope: the macro whose symbols it is looked up in, or :data:`GLOBAL`. A property with
        content is a scope, too, because what it contains is evaluated where it is inserted.
    :ivar how: ``binds`` defines it in its scope, ``parameter`` and ``passes`` as a parameter;
        ``sets`` may define it there or replace it outside; ``reads`` looks it up there, and
        ``reads outside`` where the macro is called. A ``member`` of something that may be a
        namespace has the name of that as its scope. ``closes`` is in the end tag of a call.
    """

    kind: SymbolKind
    name: str
    start: int
    end: int
    scope: str
    how: How

    @property
    def defines(self) -> bool:
        """Whether it is a definition."""
        return self.how in ('binds', 'parameter', 'sets')


def macro_name(tag: str) -> str:
    """Return the name of the macro that a tag calls, without namespaces; else an empty text."""
    return '' if tag in ELEMENTS or not tag.startswith('xacro:') else tag[6:].rpartition('.')[2]


class Symbols:
    """
    The names in a text.

    :ivar uses: those of each name, in the order of the text.
    :ivar calls: each scope with one that it is used in: where it is called, inserted or written.
    :ivar including: the scopes that include files.
    :ivar namespaces: the names of namespaces.
    :ivar templates: the names that expressions make, by their kind.
    """

    def __init__(self, tree: SyntaxTree):
        self.uses: dict[str, list[Use]] = {}
        self.calls: set[tuple[str, str]] = set()
        self.including: set[str] = set()
        self.namespaces: set[str] = set()
        self.templates: dict[str, set[str]] = {'property': set(), 'macro': set(), 'arg': set()}
        self._all: list[Use] = []
        self._read(tree)
        self._all.sort(key=lambda use: use.start)
        self._starts = [use.start for use in self._all]
        for use in self._all:
            self.uses.setdefault(use.name, []).append(use)
            if use.how == 'reads':
                self.calls.add((use.name if use.kind == 'macro' else block_scope(use.name),
                                use.scope))

    def at(self, offset: int) -> Use | None:
        """Return the name at an offset, or None."""
        for use in reversed(self._all[:bisect_right(self._starts, offset)][-4:]):
            if offset <= use.end:
                return use
        return None

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
            for key, kind in _MADE.items():
                if node.tag == key[0] and '$' in node.get(key[1]):
                    self.templates[kind].add(node.get(key[1]))
            self._all += _of_tag(node, scope)
            for attribute in node.attributes:
                if '$' in attribute.value:
                    is_default = attribute.name == 'params'
                    self._all += _in_text(
                        text, attribute.value_start, attribute.value_end, scopes[node]
                        if is_default else scope, 'reads outside' if is_default else 'reads')
        end = 0
        while match := _SUBSTITUTION.search(text, end):
            end = text.find('<', match.end())
            end = len(text) if end < 0 else end
            if not tree.is_hidden(match.start()) and tree.tag_at(match.start()) is None:
                scope = scopes[tree.node_at(match.start())]
                self._all += _in_text(text, match.start(), end, scope)


def block_scope(name: str) -> str:
    """Return the scope of the content of a property."""
    return f'**{name}'


def _own_scope(node: Node) -> str:
    name = node.get('name')
    if node.tag == 'xacro:macro':
        return name.removeprefix('xacro:')
    return block_scope(name) if node.tag == 'xacro:property' and node.children else ''


def _of_tag(node: Node, scope: str) -> Iterator[Use]:
    """Yield the names in the tags of an element outside of substitutions."""
    named = node.attribute('macro' if node.tag == 'xacro:call' else 'name')
    if node.tag == 'xacro:macro':
        yield from _of_macro(node)
    elif macro := macro_name(node.tag):
        yield _ending('macro', macro, node.name_end, scope, 'reads')
        if node.close >= 0:
            yield _ending('macro', macro, node.close + 2 + len(node.tag), scope, 'closes')
        yield from _passed(node, macro)
    elif node.tag == 'xacro:call':
        macro = '' if named is None else named.value.rpartition('.')[2]
        if named is None or not macro or '$' in macro:
            macro = ANY_MACRO
        else:
            yield _ending('macro', macro, named.value_end, scope, 'reads')
        yield from _passed(node, macro)
    elif named is not None and named.value and '$' not in named.value:
        if node.tag == 'xacro:property':
            yield _of_property(
                node, _ending('property', named.value, named.value_end, scope, 'binds'))
        elif node.tag == 'xacro:arg':
            yield _ending('arg', named.value, named.value_end, GLOBAL, 'binds')
        elif node.tag == 'xacro:insert_block':
            yield _ending('property', named.value, named.value_end, scope, 'reads')


def _ending(kind: SymbolKind, name: str, end: int, scope: str, how: How) -> Use:
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
            name = text[token.start:token.end]
            if token.kind == 'argument':
                yield Use('arg', name, token.start, token.end, GLOBAL, 'reads')
            elif token.kind == 'name':
                yield Use('property', name, token.start, token.end, scope, how)
            elif token.owner:
                yield Use('property', name, token.start, token.end, token.owner, 'member')
