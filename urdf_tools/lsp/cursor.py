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

"""What a text has at an offset: a tag, an attribute, a value or content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from urdf_tools.lsp.project import Source
from urdf_tools.model.syntax_tree import Attribute
from urdf_tools.model.syntax_tree import Node


@dataclass(frozen=True)
class Cursor:
    """
    What is at an offset in a text.

    :ivar part: ``tag`` (the name in a start tag), ``closing`` (in an end tag), ``attribute`` (its
        name, or where one may begin), ``value`` (inside of the quotes) or ``content``.
    :ivar node: the element of the tag; for content the element around it, or None.
    :ivar attribute: the attribute, if there is one.
    :ivar start: offset where the word at the cursor begins.
    :ivar end: offset where it ends.
    :ivar typed: the word up to the cursor.
    """

    part: Literal['tag', 'closing', 'attribute', 'value', 'content']
    node: Node | None
    attribute: Attribute | None
    start: int
    end: int
    typed: str


def cursor_at(source: Source, offset: int) -> Cursor | None:
    """Return what a text has at an offset; None inside of comments and the like."""
    tree, text = source.tree, source.text
    if tree.is_hidden(offset):
        return None
    node = tree.tag_at(offset)
    if node is None:
        return _outside_tag(source, offset)
    if offset <= node.name_end:
        return Cursor(
            'tag', node, None, node.start + 1, node.name_end, text[node.start + 1:offset])
    for attribute in node.attributes:
        if attribute.start <= offset <= attribute.name_end:
            return Cursor('attribute', node, attribute, attribute.start, attribute.name_end,
                          text[attribute.start:offset])
        if 0 <= attribute.value_start <= offset <= attribute.value_end:
            return Cursor('value', node, attribute, attribute.value_start, attribute.value_end,
                          text[attribute.value_start:offset])
    if text[offset - 1].isspace():
        return Cursor('attribute', node, None, offset, offset, '')
    return None


def _outside_tag(source: Source, offset: int) -> Cursor:
    text = source.text
    opening = text.rfind('<', 0, offset)
    if opening >= 0 and text.startswith('</', opening) and '>' not in text[opening:offset]:
        inner = source.tree.node_at(opening)
        end = offset
        while end < len(text) and text[end] not in '<> \t\r\n':
            end += 1
        return Cursor('closing', inner, None, opening + 2, end, text[opening + 2:offset])
    return Cursor('content', source.tree.node_at(offset), None, offset, offset, '')
