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

"""A tree of tags built from any text, including incomplete XML, in linear time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
import re
from typing import NamedTuple

MAX_CHARACTERS = 8 * 2**20
"""Maximum length of a scanned text; the tree of a longer one is empty."""

_NAME = re.compile(r'[^\s<>/="\']*')
_ATTRIBUTE = re.compile(
    r'([^\s<>/="\']+)(?:\s*=\s*(?:"([^"<]*)"|\'([^\'<]*)\'|'
    r'["\']([^<>\r\n]*?)(?=/?>|[<\r\n]|\Z))?)?')
"""The name of an attribute, and its value in either quotes or unfinished, if it has one."""

_SPACE = re.compile(r'\s*')
_CLOSING = re.compile(r'</([^\s<>/]*)\s*(>?)')


class Attribute(NamedTuple):
    """
    An attribute in a text.

    :ivar start: offset of its name.
    :ivar name_end: offset after its name.
    :ivar value_start: offset after the opening quote; -1 if it has no value.
    :ivar value_end: offset of the closing quote, or of the end of an unfinished value.
    """

    name: str
    value: str
    start: int
    name_end: int
    value_start: int
    value_end: int


@dataclass(eq=False)
class Node:
    """
    An element in a text, iterable over its children.

    :ivar start: offset of its ``<``.
    :ivar tag_end: offset after its start tag.
    :ivar finished: whether the start tag has its ``>``.
    :ivar close: offset of the ``</`` of its end tag; -1 if there is none.
    :ivar end: offset after the element.
    """

    tag: str
    start: int
    attributes: list[Attribute]
    tag_end: int
    finished: bool
    is_empty: bool
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    close: int = -1
    end: int = 0

    @property
    def name_end(self) -> int:
        """The offset after the name in the start tag."""
        return self.start + 1 + len(self.tag)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute of this name that has a value, or None."""
        return next((attribute for attribute in self.attributes
                     if attribute.name == name and attribute.value_start >= 0), None)

    def get(self, name: str, default: str = '') -> str:
        """Return the value of an attribute, or the default if it is missing."""
        attribute = self.attribute(name)
        return default if attribute is None else attribute.value

    def ancestors(self) -> Iterator[Node]:
        """Yield the elements around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def descendants(self) -> Iterator[Node]:
        """Yield the elements inside this one, in the order of the text."""
        pending = self.children[::-1]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


class SyntaxTree:
    """
    The elements of a text, whether or not it is well-formed.

    A start tag without ``>`` is an empty element, and ends at the next ``<``. An end tag ends the
    nearest open element of its name, or nothing.

    :ivar nodes: all elements in the order of the text.
    """

    def __init__(self, text: str):
        self.text = text
        self.nodes: list[Node] = []
        self.hidden: list[tuple[int, int]] = []
        """Start and end of each comment, CDATA section and processing instruction."""
        if len(text) <= MAX_CHARACTERS:
            self._scan()
        self._starts = [node.start for node in self.nodes]

    @property
    def root(self) -> Node | None:
        """The first outermost element, or None."""
        return self.nodes[0] if self.nodes else None

    def node_at(self, offset: int) -> Node | None:
        """Return the innermost element around an offset, or None."""
        position = bisect_right(self._starts, offset) - 1
        node = self.nodes[position] if position >= 0 else None
        while node is not None and offset >= node.end:
            node = node.parent
        return node

    def tag_at(self, offset: int) -> Node | None:
        """Return the element whose start tag an offset is in, after its ``<``, or None."""
        position = bisect_right(self._starts, offset - 1) - 1
        if position < 0:
            return None
        node = self.nodes[position]
        within = offset < node.tag_end or (offset == node.tag_end and not node.finished)
        return node if within else None

    def is_hidden(self, offset: int) -> bool:
        """Return whether an offset is inside a comment or the like."""
        position = bisect_right(self.hidden, (offset, 0)) - 1
        return position >= 0 and self.hidden[position][0] < offset < self.hidden[position][1]

    def _scan(self) -> None:
        text = self.text
        stack: list[Node] = []
        names: Counter[str] = Counter()
        position = text.find('<')
        while position >= 0:
            if end := _hidden_end(text, position):
                self.hidden.append((position, end))
            elif match := _CLOSING.match(text, position):
                end = match.end()
                is_open = names[match[1]] > 0
                while is_open:
                    node = stack.pop()
                    names[node.tag] -= 1
                    node.end = position
                    if node.tag == match[1]:
                        node.close, node.end = position, end
                        is_open = False
            else:
                node = scan_tag(text, position)
                if stack:
                    node.parent = stack[-1]
                    stack[-1].children.append(node)
                self.nodes.append(node)
                if node.finished and not node.is_empty:
                    stack.append(node)
                    names[node.tag] += 1
                end = node.tag_end
            position = text.find('<', end)
        for node in stack:
            node.end = len(text)


def _hidden_end(text: str, position: int) -> int:
    """Return the end of a comment or the like that begins here; 0 if none does."""
    for opening, closing in (('<!--', '-->'), ('<![CDATA[', ']]>'), ('<?', '?>'), ('<!', '>')):
        if text.startswith(opening, position):
            end = text.find(closing, position + len(opening))
            return end + len(closing) if end >= 0 else len(text)
    return 0


def first_tag(text: str) -> str:
    """Return the name of the outermost element; empty if there is none."""
    position = text.find('<')
    while position >= 0 and (end := _hidden_end(text, position)):
        position = text.find('<', end)
    return '' if position < 0 else _match(_NAME, text, position + 1)


def scan_tag(text: str, start: int) -> Node:
    """Return the element whose start tag begins at an offset, without its content."""
    name = _match(_NAME, text, start + 1)
    position = start + 1 + len(name)
    attributes: list[Attribute] = []
    while True:
        position += len(_match(_SPACE, text, position))
        if position >= len(text) or text[position] == '<':
            return Node(name, start, attributes, position, False, True, end=position)
        if text[position] == '>':
            return Node(name, start, attributes, position + 1, True, False, end=position + 1)
        if text.startswith('/>', position):
            return Node(name, start, attributes, position + 2, True, True, end=position + 2)
        if match := _ATTRIBUTE.match(text, position):
            start_of_value, end_of_value = max(map(match.span, (2, 3, 4)))
            attributes.append(Attribute(
                match[1], text[start_of_value:end_of_value], position, match.end(1),
                start_of_value, end_of_value))
            position = match.end()
        else:
            position += 1


def _match(pattern: re.Pattern[str], text: str, position: int) -> str:
    match = pattern.match(text, position)
    return match[0] if match else ''


_LINE_END = re.compile(r'\r\n|\r|\n')


class TextLines:
    """Converts between offsets in a text, in characters, and lines and columns from 1."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """The offsets at which the lines begin."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def end_of_line(self, offset: int) -> int:
        """Return the offset of the end of the line that an offset is in."""
        match = _LINE_END.search(self.text, offset)
        return match.start() if match else len(self.text)

    def line_start(self, line: int) -> int:
        """Return the offset of a line; the end of the text for one after the last."""
        return self.starts[line - 1] if 0 < line <= len(self.starts) else len(self.text)

    def offset_of_line(self, line: int, column: int) -> int:
        """Return the offset of a line and column, at most the end of the line."""
        start = self.line_start(line)
        return min(start + column - 1, self.end_of_line(start))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
