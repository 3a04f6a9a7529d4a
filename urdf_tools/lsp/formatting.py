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

"""Indent a description; only the leading whitespace of lines changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from urdf_tools.lsp.live_checks import start_of_line
from urdf_tools.lsp.live_checks import TextEdit
from urdf_tools.lsp.source_text import Source
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree

_SPACE = ' \t'


class _Piece(NamedTuple):
    """A tag, or a comment or the like, in an element."""

    start: int
    end: int
    around: Node | None
    tag: Node | None = None


def indentation(source: Source, options: types.FormattingOptions) -> list[TextEdit]:
    """
    Return the edits that indent each line by the depth of its element.

    Text, comments and values of attributes stay as they are, and so does what is beside text. A
    tag of several lines is moved as a whole. A text that is not well-formed has no edits.
    """
    try:
        read_document(source.text)
    except DescriptionError:
        return []
    unit = ' ' * min(options.tab_size, 16) if options.insert_spaces else '\t'
    return [edit for edit in _edits(source.tree, unit)
            if source.text[edit.start:edit.end] != edit.text]


def _edits(tree: SyntaxTree, unit: str) -> Iterator[TextEdit]:
    text = tree.text
    # The end tag of an element is inside of it.
    pieces = [_Piece(node.start, node.tag_end, node.parent, node) for node in tree.nodes]
    pieces += [_Piece(node.close, node.end, node, node) for node in tree.nodes if node.close >= 0]
    pieces += [_Piece(start, end, tree.node_at(start)) for start, end in tree.hidden]
    pieces.sort()
    kept = {piece.around for before, piece in zip(pieces, pieces[1:])
            if text[before.end:piece.start].strip() and piece.around is not None}
    kept |= {node for node in tree.nodes if node.get('xml:space') == 'preserve'}
    depths: dict[Node | None, int] = {None: 0}
    in_kept: dict[Node | None, bool] = {None: False}
    for node in tree.nodes:
        depths[node] = depths[node.parent] + 1
        in_kept[node] = in_kept[node.parent] or node in kept
    for piece in pieces:
        start = start_of_line(text, piece.start)
        old = text[start:piece.start]
        if in_kept[piece.around] or old.strip(_SPACE):
            continue
        is_end = piece.tag is not None and piece.tag is piece.around
        new = unit * (depths[piece.around] - is_end)
        yield TextEdit(start, piece.start, new)
        if piece.tag is not None and not is_end:
            yield from _other_lines(text, piece.tag, old, new)


def _other_lines(text: str, node: Node, old: str, new: str) -> Iterator[TextEdit]:
    """Yield how the further lines of a start tag move with the first one."""
    offsets = [attribute.start for attribute in node.attributes]
    offsets.append(node.tag_end - (2 if node.is_empty else 1))
    for offset in offsets:
        start = start_of_line(text, offset)
        indent = text[start:offset]
        if start > node.start and not indent.strip(_SPACE) and indent.startswith(old):
            yield TextEdit(start, offset, new + indent[len(old):])
