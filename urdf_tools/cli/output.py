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


"""Output of the verbs: tables, numbers, differences and JSON."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
import difflib
import json
import re
import sys
from typing import TextIO

from urdf_tools.model.messages import printable


def print_json(value: object, file: TextIO | None = None, *, indent: int | None = 2) -> None:
    """
    Print a value, which may hold arrays, as JSON; non-finite numbers become null.

    It escapes what :func:`~urdf_tools.model.messages.printable` does, as its texts come from
    outside, and the rest beyond ASCII. Surrogates, which many parsers refuse, become texts.

    :param file: where to print to; by default standard output.
    :param indent: spaces of a level; None for a single line.
    """
    # Numpy may not be imported.
    data = json.dumps(value, default=lambda array: array.tolist(), ensure_ascii=False)
    data = re.sub('[\ud800-\udfff]', lambda match: '\\' + printable(match[0]), data)
    text = json.dumps(json.loads(data, parse_constant=lambda name: None), indent=indent)
    print(text.replace('\x7f', r'\u007f').replace('##', r'#\u0023'), file=file)


def print_exact(data: bytes) -> None:
    """Print a text for other programs, byte for byte; on a terminal its lines are printable."""
    if sys.stdout.isatty():
        text = data.decode('utf-8', 'surrogateescape')
        print('\n'.join(map(printable, text.split('\n'))), end='')
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_line(text: str = '', file: TextIO | None = None) -> None:
    """Print a line, after it is made printable, to standard output or a file."""
    print(printable(text), file=file)


def print_lines(lines: Iterable[str], file: TextIO | None = None) -> None:
    """Print lines likewise."""
    for line in lines:
        print_line(line, file)


def print_result(form: str, data: Callable[[], object], lines: Iterable[str]) -> None:
    """Print a result as data if the format is ``json``, or else as lines of text."""
    if form == 'json':
        print_json(data())
    else:
        print_lines(lines)


def fixed_point(value: float) -> str:
    """Return a number with six decimals and no negative zero; from 1e9 with six digits."""
    return f'{value:.6g}' if abs(value) >= 1e9 else f'{round(value, 6) + 0.0:.6f}'


def unified_diff(name: str, before: bytes, after: bytes, label: str) -> bytes:
    """
    Return the difference between two versions of a file as a unified diff.

    :param label: the label of the second in the header, such as ``fixed``.
    """
    old, new = (data.decode('utf-8', 'surrogateescape').split('\n') for data in (before, after))
    name = printable(name)
    lines = difflib.unified_diff(old, new, name, f'{name} ({label})', lineterm='')
    return ''.join(f'{line}\n' for line in lines).encode('utf-8', 'surrogateescape')
