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

"""Parts of messages: untrusted text, quoted names, counts, short lists, locations, tables."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence

MAX_LISTED = 10
"""Maximum number of names that one message lists."""

MAX_LENGTH = 1000
"""Maximum length of a message."""

_NOISE = 1e-15
"""MuJoCo takes nothing smaller for a mass, either."""

_MAX_SOURCE = 4096
"""Maximum length of a source: no path is longer, but the name of a recorded topic may be."""


def printable(text: str) -> str:
    r"""
    Return untrusted text as one line that is safe to print.

    Whatever is not printable is shown as an escape such as ``\n``, ``\x1b`` or ``\u202e``:
    control characters, which forge lines and steer terminals, line separators, characters that
    change the direction of writing or are invisible, and bytes of a file name that are not UTF-8.
    So is the beginning of a command to a CI service that reads the output: ``::`` at the start
    (GitHub), ``##`` (Azure, TeamCity).

    Every text from a description, a message or a file name passes here, or through
    :func:`quote`, on its way to a log or a terminal.
    """
    if not text.isprintable():
        text = ''.join(
            character if character.isprintable() else _escape(character) for character in text)
    if text.lstrip().startswith('::'):
        text = text.replace(':', r'\x3a', 1)
    return text.replace('##', r'#\x23')


def _escape(character: str) -> str:
    code = ord(character)
    if 0xdc80 <= code <= 0xdcff:  # A surrogate escape: a byte that could not be decoded.
        return f'\\x{code - 0xdc00:02x}'
    return repr(character)[1:-1]


def shortened(text: str, longest: int = MAX_LENGTH) -> str:
    """Return a text of at most ``longest`` characters."""
    return text if len(text) <= longest else text[:longest - 3] + '...'


def quote(text: str, longest: int = 40) -> str:
    """Return a text in quotes, cut to ``longest`` characters."""
    return repr(shortened(text, longest))


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 error`` or ``2 errors``."""
    if number == 1 or noun.endswith('ics'):
        return f'{number} {noun}'
    if noun.endswith('is'):
        return f'{number} {noun[:-2]}es'
    return f'{number} {noun}{"es" if noun.endswith("s") else "s"}'


def readable(number: float, form: str = 'g') -> str:
    """
    Return a number for people: without a negative zero, and below 10 million without an exponent.

    What is smaller than any quantity of a robot is a rounding error, and 0.

    :param form: a format specification of the type ``g``.
    """
    text = format(0.0 if abs(number) < _NOISE else number, form)
    return format(float(text), f'{form.partition(".")[0].rstrip("g")}.0f') if (
        'e+0' in text and abs(number) < 1e7) else text


def joined(*sentences: str) -> str:
    """Return sentences without full stops as one text; empty ones are left out."""
    return '. '.join(filter(None, sentences)).replace('?. ', '? ')


def name_list(names: Sequence[str], separator: str = ', ', rest: str = '') -> str:
    """Return at most :data:`MAX_LISTED` names as text, the number of the others, and a rest."""
    text = separator.join(names[:MAX_LISTED])
    more = len(names) - MAX_LISTED
    return f'{text} and {more} more{rest}' if more > 0 else text


def location(source: str, line: int | None = None, column: int | None = None) -> str:
    """Return ``source:line:column`` without the parts that are unknown."""
    source = printable(shortened(source, _MAX_SOURCE))
    return ':'.join(str(part) for part in (source, line, column) if part)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1
          ) -> Iterator[str]:
    """
    Yield rows in columns, after their texts are made printable and cut to a bounded width.

    :param text_columns: number of columns, from the left, that are aligned left; the others hold
        numbers and are aligned right.
    """
    rows = [header, *([printable(shortened(cell)) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield '  '.join(
            cell.ljust(width) if column < text_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
