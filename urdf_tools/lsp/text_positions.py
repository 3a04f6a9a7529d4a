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

"""Offsets in a text, and the positions in lines that editors use for them."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re

from lsprotocol import types

_LINE_END = re.compile(r'\r\n|\r|\n')

_UNIT = {
    types.PositionEncodingKind.Utf8: ('utf-8', 1),
    types.PositionEncodingKind.Utf16: ('utf-16-le', 2),
    types.PositionEncodingKind.Utf32: ('utf-32-le', 4)}
"""The codec of each encoding of positions, and the bytes of one unit."""


class TextPositions:
    """
    Converts between offsets in a text, in characters, and positions of the protocol.

    :param encoding: the unit in which the client counts characters of a line.
    """

    def __init__(
            self, text: str,
            encoding: types.PositionEncodingKind | str = types.PositionEncodingKind.Utf16):
        self.text = text
        self._encoding = types.PositionEncodingKind(encoding)
        self._codec, self._unit = _UNIT[self._encoding]

    def of(self, text: str) -> TextPositions:
        """Return the positions in another text."""
        return TextPositions(text, self._encoding)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def _data(self) -> bytes:
        return self.text.encode('utf-8', 'surrogatepass')

    def line(self, number: int) -> str:
        """Return a line, from 0, without its end; empty behind the last."""
        start = self.line_start(number)
        match = _LINE_END.search(self.text, start)
        return self.text[start:match.start() if match else len(self.text)]

    def line_start(self, number: int) -> int:
        """Return the offset of a line, from 0."""
        return self._starts[number] if number < len(self._starts) else len(self.text)

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position, which is moved into the line if it is outside."""
        start = self.line_start(position.line)
        line = self.line(position.line)
        if self._is_ascii:
            return start + min(position.character, len(line))
        data = line.encode(self._codec, 'surrogatepass')[:position.character * self._unit]
        return start + len(data.decode(self._codec, 'ignore'))

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line]:offset]
        if self._is_ascii:
            return types.Position(line, len(before))
        return types.Position(line, len(before.encode(self._codec, 'surrogatepass')) // self._unit)

    def range(self, start: int, end: int) -> types.Range:
        """Return the range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def offset_of_line(self, line: int, column: int) -> int:
        """Return the offset of a line and column as messages give them, both from 1."""
        return min(self.line_start(line - 1) + column - 1, len(self.text))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset as messages give them, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset_of_byte(self, byte: int) -> int:
        """Return the offset of a byte in the text as UTF-8."""
        if self._is_ascii:
            return byte
        return len(self._data[:byte].decode('utf-8', 'surrogatepass'))
