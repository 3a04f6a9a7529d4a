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

"""
Attributes of URDF elements, read with the tables and value types of urdf_parser_py.

urdf_parser_py expects a whole file of valid URDF 1.0: it prints what it does not know, stops at
the first error and has no source locations. Here its tables are applied to single elements: they
name the attributes of an element, say which are required, and convert each value. The syntax of
a number is checked before the conversion, because Python's ``float`` also accepts texts such as
``nan`` and ``1_0``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from typing import TypeVar

from urdf_parser_py.xml_reflection import core

from urdf_tools.model.element import Element
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector

Value = TypeVar('Value')


def read_attributes(kind: type[core.Object], element: Element) -> dict[str, Any]:
    """
    Return the known attributes that an element has.

    :param kind: the class of urdf_parser_py for this element.
    :raises DescriptionError: a required attribute is missing, or a value is not a number.
    """
    return {
        name: _converted(element, name, attribute.value_type)
        for name, attribute in kind.XML_REFL.attribute_map.items()
        if attribute.required or name in element.attrib}


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


def _converted(element: Element, name: str, value_type: core.ValueType) -> Any:
    convert = value_type.from_string
    if isinstance(value_type, core.VectorType):
        n = int(value_type.count)
        return _parsed(element, name, lambda text: parse_vector(text, n, convert))
    if value_type.type is float:
        return _parsed(element, name, lambda text: parse_number(text, convert))
    return convert(read_text(element, name))


def _parsed(element: Element, name: str, parse: Callable[[str], Value]) -> Value:
    text = read_text(element, name)
    try:
        return parse(text)
    except ValueError as reason:
        raise element.error(f'{name} of <{element.tag}> cannot be read: {reason}') from None
