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

"""Untrusted TOML files, whose size and depth are limited before they are parsed."""

from __future__ import annotations

from pathlib import Path
import re
import sys
from typing import Any

from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.model.messages import location
from urdf_tools.model.resources import read_regular_file

MAX_BYTES = 64_000
"""Most bytes of a settings file."""

MAX_DEPTH = 32
"""Most tables and lists inside one another, and most parts of a dotted key."""

MAX_WORD = 250
"""Most characters of a number or of a key without quotes."""

_TOKEN = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:[^"\\\n]|\\.)*"?'
    r'|\'[^\'\n]*\'?|[][{}.=,\n]'
    rf'|(?P<word>[\w+-]{{{MAX_WORD + 1}}})', re.DOTALL)
"""What opens, closes or separates; comments and strings in one piece, those not closed as well."""

_SYNTAX = re.compile(r'(.*) \(at line (\d+), column (\d+)\)', re.DOTALL)


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """
    Return the text of a TOML file and its content.

    :raises SettingsError: it cannot be read, is too large or too deep, or is not valid TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data, _ = read_regular_file(path, MAX_BYTES + 1)
    except OSError as error:
        raise SettingsError(f'Cannot read {location(str(path))}: {error.strerror}') from error
    if len(data) > MAX_BYTES:
        raise SettingsError(
            f'{location(str(path), 1)} is larger than {MAX_BYTES} bytes, the most that a '
            'file with settings may have')
    text = data.decode(errors='surrogateescape')
    _require_moderate(path, text)
    try:
        return text, tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b'\n', 0, error.start) + 1
        raise SettingsError(
            f'{location(str(path), line)} is not valid TOML: it is not UTF-8') from error
    except tomllib.TOMLDecodeError as error:
        match = _SYNTAX.fullmatch(str(error))
        line, column = (int(match[2]), int(match[3])) if match else (text.count('\n') + 1, None)
        raise SettingsError(f'{location(str(path), line, column)} is not valid TOML: '
                            f'{match[1] if match else error}') from error


def _require_moderate(path: Path, text: str) -> None:
    """
    Refuse deep nesting, for which a parser needs memory quadratic in the depth.

    Numbers of thousands of digits, which Python cannot convert to text, are refused as well.

    :raises SettingsError: it is refused.
    """
    opened = dots = 0
    for token in _TOKEN.finditer(text):
        kind = token[0]
        if kind == '.':
            dots += 1
        elif kind in '[]{}=,\n':
            dots = 0
            opened += (kind in '[{') - (kind in ']}')
        problem = (f'Tables, lists or the parts of a key are more than {MAX_DEPTH} deep'
                   if max(opened, dots + 1) > MAX_DEPTH else
                   f'A number or a key is longer than {MAX_WORD} characters'
                   if token['word'] else '')
        if problem:
            line = text.count('\n', 0, token.start()) + 1
            raise SettingsError(f'{location(str(path), line)}: {problem}')
