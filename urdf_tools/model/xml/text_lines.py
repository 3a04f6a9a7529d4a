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
"""Offsets in a text, and the lines and columns of messages."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
import re

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
