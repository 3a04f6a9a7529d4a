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

"""The symbols of a file: its links and joints as a kinematic tree, macros, properties."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import macro_around
from urdf_tools.lsp.specification import TABLES
from urdf_tools.lsp.symbol_uses import macro_name
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.syntax_tree import Node

MAX_DEPTH = 50
"""Deepest nesting of symbols; deeper ones are beside those of this depth."""

_MAX_SYMBOLS = 20_000
_KINDS = {tag: types.SymbolKind[kind] for tag, kind in TABLES['symbol kinds'].items()}


def outline(source: Source) -> list[types.DocumentSymbol]:
    """Return the symbols of a file; a joint is below its parent link, and a link below it."""
    shown = [node for node in source.tree.nodes[:_MAX_SYMBOLS] if _is_shown(node)]
    below = grouped((above, node) for node, above in _shown_below(shown).items())
    symbols: list[types.DocumentSymbol] = []
    pending = [(node, symbols, 1) for node in reversed(below.get(None, ()))]
    while pending:
        node, siblings, depth = pending.pop()
        symbol = _symbol(source, node)
        siblings.append(symbol)
        children = siblings
        if depth < MAX_DEPTH and node in below:
            symbol.children = children = []
        pending += [(child, children, depth + 1) for child in reversed(below.get(node, ()))]
    return symbols


def _is_shown(node: Node) -> bool:
    if node.tag not in _KINDS and not macro_name(node.tag):
        return False
    return not any(outer.tag in ('gazebo', 'ros2_control', 'transmission', 'link', 'joint')
                   for outer in node.ancestors())


def _shown_below(shown: Sequence[Node]) -> dict[Node, Node | None]:
    """Return the parent symbol of each element: its parent link, its joint or its macro."""
    macros = {node: macro_around(node) for node in shown}
    links: dict[tuple[Node | None, str], Node] = {}
    for node in shown:
        if node.tag == 'link':
            links.setdefault((macros[node], node.get('name')), node)
    above: dict[Node, Node] = {}
    for node in shown:
        if node.tag != 'joint':
            continue
        ends = {child.tag: child.get('link') for child in node.descendants()
                if child.tag in ('parent', 'child')}
        parent, child = (links.get((macros[node], ends.get(end, ''))) for end in (
            'parent', 'child'))
        if parent is not None:
            above[node] = parent
        if child is not None:
            above.setdefault(child, node)
    for cycle in list(find_cycles(above)):
        del above[max((node for node in cycle if node.tag == 'link'),
                      key=lambda link: above[link].start)]
    return {**macros, **above}


def _symbol(source: Source, node: Node) -> types.DocumentSymbol:
    named = node.attribute('name') or node.attribute('reference') or node.attribute('filename')
    name = named.value if named is not None and named.value.strip() else f'<{node.tag}>'
    if macro_name(node.tag):
        name, named = f'<{node.tag}>', None
    selection = (node.start, node.tag_end) if named is None else (
        named.value_start, named.value_end)
    detail = node.get('type') if node.tag == 'joint' else node.get('value')
    return types.DocumentSymbol(
        name, _KINDS.get(node.tag, types.SymbolKind.Event),
        source.positions.range(node.start, max(node.end, selection[1])),
        source.positions.range(*selection),
        detail=' '.join(filter(None, (node.tag.removeprefix('xacro:'), detail[:80]))))
