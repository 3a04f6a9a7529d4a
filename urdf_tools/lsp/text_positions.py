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
from pygls.workspace import PositionCodec
from pygls.workspace import TextDocument

_LINE_END = re.compile(r'\r\n|\r|\n')
_ASCII = re.compile(r'[\0-\x7f]+')


class TextPositions:
    """
    Converts between offsets in a text, in characters, and positions of the protocol.

    :param codec: the unit in which the client counts characters of a line.
    """

    def __init__(self, text: str, codec: PositionCodec):
        self.text = text
        self._codec = codec

    def of(self, text: str) -> TextPositions:
        """Return the positions in another text."""
        return TextPositions(text, self._codec)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

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
        line = self.line(position.line)
        character = position.character
        if not line.isascii():
            # The codec takes a line with its end, and changes the position.
            character = self._codec.position_from_client_units(
                (line + '\n',), types.Position(0, character)).character
        return self.line_start(position.line) + min(character, len(line))

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line = self.line_number(offset)
        before = self.text[self._starts[line]:offset]
        # The codec looks at each character, which takes long in a long line.
        wide = '' if before.isascii() else _ASCII.sub('', before)
        return types.Position(
            line, len(before) - len(wide) + self._codec.client_num_units(wide))

    def line_number(self, offset: int) -> int:
        """Return the line of an offset, from 0."""
        return bisect_right(self._starts, offset) - 1

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
        if self.text.isascii():
            return byte
        return len(self._data[:byte].decode('utf-8', 'surrogatepass'))


class Buffer(TextDocument):
    """
    An open text that is changed at positions of the protocol.

    Its lines end where the protocol says. Those of pygls also end at form feeds and the like, and
    after such a character it changes the text somewhere else than the editor.

    :ivar positions: those in the text as it is now.
    """

    def __init__(self, document: TextDocument):
        super().__init__(
            document.uri, document.source, document.version, document.language_id,
            position_codec=document.position_codec)
        self.positions = TextPositions(document.source, document.position_codec)

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Change a part of the text, or all of it."""
        text = change.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = self.positions.offset(change.range.start)
            end = self.positions.offset(change.range.end)
            text = self.source[:start] + text + self.source[end:]
        super().apply_change(types.TextDocumentContentChangeWholeDocument(text))
        self.positions = self.positions.of(text)
