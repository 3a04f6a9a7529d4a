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

"""Attributes of URDF elements, as texts, numbers and vectors."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from typing import Any
from typing import TypeVar

from urdf_tools.model.element import Element
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector

Value = TypeVar('Value')

TEXT = 0
"""The count of numbers of an attribute that is a text."""


def read_attributes(
        element: Element, required: Mapping[str, int],
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


def _parsed(element: Element, name: str, parse: Callable[[str], Value]) -> Value:
    text = read_text(element, name)
    try:
        return parse(text)
    except ValueError as reason:
        raise element.error(f'{name} of <{element.tag}> cannot be read: {reason}') from None


_READ: tuple[Callable[[Element, str], object], ...] = (read_text, read_number)
"""Reads an attribute by its count of numbers."""
