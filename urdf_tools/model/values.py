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

"""Text to numbers and versions, as strict as urdfdom and with a reason for each refusal."""

from __future__ import annotations

import math
import re

from urdf_tools.model.messages import quote

URDF_VERSIONS = ((1, 0), (1, 1), (1, 2))
"""The versions of URDF that exist."""

KNOWN_VERSIONS = ', '.join('{}.{}'.format(*version) for version in URDF_VERSIONS)
"""The same as text, for messages."""

_SPACE = ' \t\r\n'
_GAP = re.compile(f'[{_SPACE}]+')
_NUMBER = re.compile(r'[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
_DECIMAL_COMMA = re.compile(r'[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?')
_VERSION = re.compile(r'([0-9]{1,9})\.([0-9]{1,9})')
_NOT_FINITE = re.compile(r'[+-]?(?:nan|inf|infinity)', re.IGNORECASE)


def parse_number(text: str) -> float:
    """
    Read one number of a URDF attribute.

    The grammar is that of urdfdom in every locale: a decimal point, no hexadecimal digits, no
    digit separators, neither NaN nor infinity. White space around it is ignored.

    :raises ValueError: it is no such number; the message is the reason, in words for a person.
    """
    number = text.strip(_SPACE)
    if not _NUMBER.fullmatch(number):
        raise ValueError(_reason(number))
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f'{quote(number)} is too large for a number')
    return value


def parse_vector(text: str, n: int) -> tuple[float, ...]:
    """
    Read ``n`` numbers with white space between them.

    :raises ValueError: another count, or one of them is no number; the message is the reason.
    """
    numbers = _words(text)
    if len(numbers) != n or ', ' in text:
        if ',' in text:
            raise ValueError(f'{quote(text)} has commas between its numbers; URDF takes spaces')
        count = f'{len(numbers)} number{"s" if len(numbers) != 1 else ""}' if numbers else 'none'
        raise ValueError(f'{quote(text)} has {count}, {n} expected')
    return tuple(parse_number(number) for number in numbers)


def parse_version(text: str) -> tuple[int, int] | None:
    """Return major and minor version, or None where the text is malformed."""
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def _words(text):
    return [word for word in _GAP.split(text) if word]


def _reason(text):
    quoted = quote(text)
    if not text:
        return 'it is empty'
    if '${' in text or '$(' in text:
        return f'{quoted} is an expression for xacro that was not expanded'
    if _NOT_FINITE.fullmatch(text):
        return f'{quoted} is not finite'
    if _DECIMAL_COMMA.fullmatch(text):
        return f'{quoted} has a decimal comma'
    if len(_words(text)) > 1:
        return f'{quoted} has {len(_words(text))} numbers, 1 expected'
    return f'{quoted} is not a number'
