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

"""URDF attributes, parsed as strictly as by urdfdom, with explained errors."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import lru_cache
import math
import re
from typing import Any
from typing import TypeVar

from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import readable
from urdf_tools.model.xml.element import Element

URDF_VERSIONS = ((1, 0), (1, 1), (1, 2))
"""The existing versions of URDF, major and minor."""

KNOWN_VERSIONS = ', '.join('{}.{}'.format(*version) for version in URDF_VERSIONS)
"""The same as text, for messages."""

_NOISE = 1e-12
"""Parts of a vector below this fraction of its largest one are noise."""

_LONG = 40
"""Characters from which on a number is not kept for other programs that parse it."""

_SPACE = ' \t\r\n'
_WORD = re.compile(f'[^{_SPACE}]+')
_NUMBER = re.compile(r'[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
_DECIMAL_COMMA = re.compile(r'[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?')
_VERSION = re.compile(r'([0-9]{1,9})\.([0-9]{1,9})')
_NOT_FINITE = re.compile(r'[+-]?(?:nan|inf|infinity)', re.IGNORECASE)


def parse_number(text: str) -> float:
    """
    Parse one number of a URDF attribute.

    The syntax is that of urdfdom in every locale: a decimal point, no hexadecimal digits, no
    digit separators, neither NaN nor infinity. White space around the number is ignored.

    :raises ValueError: the text is not such a number; the message is the reason.
    """
    return _number(text) if len(text) < _LONG else _number.__wrapped__(text)


@lru_cache(maxsize=4096)
def _number(text: str) -> float:
    number = text.strip(_SPACE)
    if not _NUMBER.fullmatch(number):
        raise ValueError(_reason(number))
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f'{quote(number)} is too large for a number')
    return value


def parse_vector(text: str, n: int) -> tuple[float, ...]:
    """
    Parse ``n`` numbers separated by white space.

    :raises ValueError: another count, or one of them is not a number; the message is the reason.
    """
    return (_vector if len(text) < _LONG else _vector.__wrapped__)(text, n)


@lru_cache(maxsize=4096)
def _vector(text: str, n: int) -> tuple[float, ...]:
    words = _WORD.findall(text)
    if len(words) != n or ', ' in text:
        if ',' in text:
            raise ValueError(f'{quote(text)} has commas between its numbers; URDF takes spaces')
        numbers = count(len(words), 'number') if words else 'none'
        raise ValueError(f'{quote(text)} has {numbers}, {n} expected')
    return tuple(map(parse_number, words))


def parse_version(text: str) -> tuple[int, int] | None:
    """Return major and minor version, or None if the text is malformed."""
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def number_texts(numbers: Sequence[float], digits: int, minimum: float = 0.0) -> list[str]:
    """
    Return the parts of a vector as text, with rounding errors as 0.

    :param minimum: anything smaller always counts as a rounding error.
    """
    largest = max(map(abs, numbers))
    noise = max(minimum, _NOISE * largest) if math.isfinite(largest) else 0.0
    return [readable(0.0 if abs(number) <= noise else number, f'.{digits}g') for number in numbers]


def _reason(text: str) -> str:
    quoted, words = quote(text), len(_WORD.findall(text))
    faults = (
        (not text, 'it is empty'),
        ('${' in text or '$(' in text, f'{quoted} is a xacro expression that was not expanded'),
        (_NOT_FINITE.fullmatch(text), f'{quoted} is not finite'),
        (_DECIMAL_COMMA.fullmatch(text), f'{quoted} has a decimal comma'),
        (words > 1, f'{quoted} has {words} numbers, 1 expected'))
    return next((reason for is_fault, reason in faults if is_fault), f'{quoted} is not a number')


Value = TypeVar('Value')

TEXT = 0
"""The number count that marks a text attribute."""


def read_attributes(element: Element, required: Mapping[str, int],
                    optional: Mapping[str, int] = {}) -> dict[str, Any]:
    """
    Return the known attributes that an element has.

    :param required: attributes that it must have: how many numbers they are, or :data:`TEXT`.
    :param optional: attributes that it may have.
    :raises DescriptionError: a required attribute is missing, or a value is not a number.
    """
    return {
        name: _READ[n](element, name) if n < 2 else read_vector(element, name, n)
        for name, n in (*required.items(), *optional.items())
        if name in required or name in element.attrib}


def read_text(element: Element, name: str) -> str:
    """
    Return an attribute.

    :raises DescriptionError: it is missing.
    """
    text = element.get(name)
    if text is None:
        raise element.error(f'<{element.tag}> has no {name}')
    return text


def read_number(element: Element, name: str) -> float:
    """
    Return an attribute that is one number.

    :raises DescriptionError: it is missing or not a number.
    """
    return _parsed(element, name, parse_number)


def read_vector(element: Element, name: str, n: int) -> tuple[float, ...]:
    """
    Return an attribute of ``n`` numbers.

    :raises DescriptionError: it is missing or not ``n`` numbers.
    """
    return _parsed(element, name, lambda text: parse_vector(text, n))


def numbers_in(element: Element, n: int) -> tuple[float, ...]:
    """
    Return the n numbers in the text of an element.

    :raises DescriptionError: they are not as many numbers.
    """
    try:
        return parse_vector(element.text or '', n)
    except ValueError as reason:
        raise element.error(f'<{element.tag}> cannot be read: {reason}') from None


def _parsed(element: Element, name: str, parse: Callable[[str], Value]) -> Value:
    text = read_text(element, name)
    try:
        return parse(text)
    except ValueError as reason:
        raise element.error(f'{name} of <{element.tag}> cannot be read: {reason}') from None


_READ: tuple[Callable[[Element, str], object], ...] = (read_text, read_number)
"""Reads an attribute by its count of numbers."""
