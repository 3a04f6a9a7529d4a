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

"""The symbols of a file: its links and joints as the tree that they make, macros, properties."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from urdf_tools.lsp.project import Source
from urdf_tools.model.syntax_tree import Node

MAX_DEPTH = 50
"""Deepest nesting of symbols; deeper ones are beside those of this depth."""

_MAX_SYMBOLS = 20_000
KINDS = {
    'link': types.SymbolKind.Struct,
    'joint': types.SymbolKind.Interface,
    'material': types.SymbolKind.Constant,
    'gazebo': types.SymbolKind.Object,
    'ros2_control': types.SymbolKind.Object,
    'transmission': types.SymbolKind.Object,
    'xacro:macro': types.SymbolKind.Function,
    'xacro:property': types.SymbolKind.Variable,
    'xacro:arg': types.SymbolKind.Variable,
    'xacro:include': types.SymbolKind.File}


class _Entry:
    """A symbol and those below it."""

    def __init__(self, node: Node):
        self.node = node
        self.below: list[_Entry] = []


def outline(source: Source) -> list[types.DocumentSymbol]:
    """Return the symbols of a file; a joint is below its parent link, and a link below it."""
    root = source.tree.root
    if root is None:
        return []
    shown = [node for node in source.tree.nodes[:_MAX_SYMBOLS] if _is_shown(node)]
    entries = {id(node): _Entry(node) for node in shown}
    scopes: dict[int, list[_Entry]] = {}
    for node in shown:
        scopes.setdefault(id(_scope(node)), []).append(entries[id(node)])
    top: list[_Entry] = []
    for scope, inside in scopes.items():
        tops = _link_tree(inside)
        if scope in entries:
            entries[scope].below += tops
        else:
            top += tops
    return _symbols(source, top)


def flat(symbols: Iterable[types.DocumentSymbol], uri: str) -> list[types.SymbolInformation]:
    """Return symbols for a client that knows no hierarchy."""
    found = []
    pending = [(symbol, '') for symbol in symbols][::-1]
    while pending:
        symbol, container = pending.pop()
        found.append(types.SymbolInformation(
            location=types.Location(uri, symbol.range), name=symbol.name, kind=symbol.kind,
            container_name=container or None))
        pending += [(child, symbol.name) for child in reversed(symbol.children or ())]
    return found


def _is_shown(node: Node) -> bool:
    if node.tag not in KINDS and not _is_call(node):
        return False
    return not any(outer.tag in ('gazebo', 'ros2_control', 'transmission', 'link', 'joint')
                   for outer in node.ancestors())


def _is_call(node: Node) -> bool:
    return node.tag.startswith('xacro:') and node.tag[6:] not in (
        'if', 'unless', 'insert_block', 'element', 'attribute', 'call')


def _scope(node: Node) -> Node | None:
    """Return the macro around a node, or None."""
    return next((outer for outer in node.ancestors() if outer.tag == 'xacro:macro'), None)


def _link_tree(entries: Iterable[_Entry]) -> list[_Entry]:
    """Put joints below their parent links and links below their joints; return the others."""
    entries = list(entries)
    links: dict[str, _Entry] = {}
    for entry in entries:
        if entry.node.tag == 'link':
            links.setdefault(entry.node.get('name'), entry)
    parent: dict[int, _Entry] = {}
    trees = _Trees()
    for entry in entries:
        if entry.node.tag != 'joint':
            continue
        ends = {child.tag: child.get('link') for child in entry.node.descendants()
                if child.tag in ('parent', 'child')}
        above, below = links.get(ends.get('parent', '')), links.get(ends.get('child', ''))
        if above is not None:
            parent[id(entry)] = above
            trees.join(id(entry), id(above))
        if below is not None and id(below) not in parent and trees.join(id(below), id(entry)):
            parent[id(below)] = entry
    tops = []
    for entry in entries:
        if id(entry) in parent:
            parent[id(entry)].below.append(entry)
        else:
            tops.append(entry)
    return tops


class _Trees:
    """Which entries are in one tree, in almost constant time."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def join(self, root: int, other: int) -> bool:
        """Put the root of one tree below an entry; False if that would make a cycle."""
        top = self._top(other)
        if top == root:
            return False
        self._above[root] = top
        return True

    def _top(self, entry: int) -> int:
        path = []
        while entry in self._above:
            path.append(entry)
            entry = self._above[entry]
        for below in path:
            self._above[below] = entry
        return entry


def _symbols(source: Source, top: list[_Entry]) -> list[types.DocumentSymbol]:
    symbols: list[types.DocumentSymbol] = []
    pending: list[tuple[_Entry, list[types.DocumentSymbol], int]] = [
        (entry, symbols, 1) for entry in reversed(top)]
    while pending:
        entry, siblings, depth = pending.pop()
        symbol = _symbol(source, entry.node)
        siblings.append(symbol)
        children = siblings
        if depth < MAX_DEPTH and entry.below:
            children = []
            symbol.children = children
        pending += [(below, children, depth + 1) for below in reversed(entry.below)]
    return symbols


def _symbol(source: Source, node: Node) -> types.DocumentSymbol:
    named = node.attribute('name') or node.attribute('reference') or node.attribute('filename')
    name = named.value if named is not None and named.value.strip() else f'<{node.tag}>'
    if _is_call(node) and node.tag not in KINDS:
        name, named = f'<{node.tag}>', None
    selection = (node.start, node.tag_end) if named is None else (
        named.value_start, named.value_end)
    detail = node.get('type') if node.tag == 'joint' else node.get('value')
    return types.DocumentSymbol(
        name, KINDS.get(node.tag, types.SymbolKind.Event),
        source.positions.range(node.start, max(node.end, selection[1])),
        source.positions.range(*selection),
        detail=' '.join(filter(None, (node.tag.removeprefix('xacro:'), detail[:80]))))
