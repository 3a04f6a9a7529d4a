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

"""The tables of sources that a worker sends with an expanded xacro file."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
from typing import TypeVar

from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import MacroCall
from urdf_tools.model.xml.element_sources import SourceComment
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.xacro.text import NONE

Row = TypeVar('Row')


class SourceTables:
    """
    The tables of a :class:`~urdf_tools.xacro.tracking.XacroTracker`.

    They come from a process that ran untrusted code, so everything that is used is checked.
    A row refers to earlier rows only, so no chain of them is endless.

    :param is_quotable: whether messages may quote the lines of a file.
    :param source_of: returns the file that was read for a path.
    :raises ValueError: they are malformed.
    """

    def __init__(self, tables: Any, is_quotable: Callable[[str], bool],
                 source_of: Callable[[str], str] = str):
        self._tags: list[SourceTag] = []
        self._calls: list[MacroCall] = []
        try:
            self._files = [
                SourceFile(source_of(_text(path)), text, None, is_quotable(source_of(path)))
                for path, text, _ in tables['files']]
            self._lines = [file.text.count('\n') + 1 for file in self._files]
            self._malformed = tables['malformed']
            self._read_tags(tables)
            self._properties = {
                name: [_row(self._tags, number) for number in numbers]
                for name, numbers in tables['properties'].items()}
            for tag, macro, outer in tables['calls']:
                self._calls.append(MacroCall(
                    _row(self._tags, tag), _text(macro), _referred(self._calls, outer)))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f'malformed tables: {error}') from error

    def _read_tags(self, tables: Any) -> None:
        for file, name, line, column, raw, around in tables['tags']:
            self._check(file, line, column)
            attributes = {attribute: _text(value) for attribute, value in raw.items()}
            tag = SourceTag(self._files[file], _text(name), line, column, attributes,
                            _referred(self._tags, around))
            if tag.parent is not None and name == 'xacro:attribute':
                tag.parent.setters += (tag,)
            tag.file.tags.append(tag)
            self._tags.append(tag)
        for file, text, line, column, around in tables['comments']:
            self._check(file, line, column)
            self._files[file].comments.append(SourceComment(
                _text(text), line, column, _referred(self._tags, around)))
        for number, (_, _, include) in enumerate(tables['files']):
            if include != NONE and tables['tags'][include][0] >= number:
                raise ValueError('a file that includes one before it')
            self._files[number].include = _referred(self._tags, include)

    def _check(self, file: int, line: int, column: int) -> None:
        if not (1 <= line <= _row(self._lines, file) and column >= 1):
            raise ValueError('a tag outside of its file')

    def files(self) -> XacroSources:
        """Return the files and the properties that they define."""
        return XacroSources(self._files, self._properties)

    def element(self, tag: int, call: int) -> ElementSource:
        """
        Return the source of an element.

        :raises LookupError: there is no such row.
        """
        return ElementSource(_row(self._tags, tag), _referred(self._calls, call))

    def elements(self, numbers: Iterable[int]) -> list[ElementSource]:
        """Return the sources of elements from alternating tags and calls."""
        pairs = iter(numbers)
        return [self.element(tag, call) for tag, call in zip(pairs, pairs)]

    def malformed(self) -> ElementSource:
        """Return where the XML of a file is malformed, as the source of a tag without a name."""
        file, line, column, call = self._malformed
        self._check(file, line, column)
        tag = SourceTag(self._files[file], '', line, column, {}, None)
        return ElementSource(tag, _referred(self._calls, call))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f'{value!r} is no text')
    return value


def _referred(rows: Sequence[Row], number: int) -> Row | None:
    return None if number == NONE else _row(rows, number)


def _row(rows: Sequence[Row], number: int) -> Row:
    if number < 0:
        raise IndexError('a number of no row')
    return rows[number]
