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

"""Changes to the text of a description that keep every other byte."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
import re
from typing import NamedTuple

from urdf_tools.model.document import Document
from urdf_tools.model.element import Element
from urdf_tools.model.errors import DescriptionError

_MARKUP = re.compile(
    rb'<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>'
    rb'|<(?P<close>/?)[^\s/>]+(?:[^>"\']|"[^"]*"|\'[^\']*\')*?(?P<empty>/?)>', re.DOTALL)

_MAX_INDENT = 1000

_NAME = re.compile(rb'<[^\s/>]+')
_ATTRIBUTE = re.compile(rb'(\s+)([^\s=/>]+)\s*=\s*("[^"]*"|\'[^\']*\')')


class Edit(NamedTuple):
    """The range of bytes to replace, and the new bytes."""

    start: int
    end: int
    text: bytes


class Attribute(NamedTuple):
    """Offsets of an attribute: of the space before its name, its quoted value, and its end."""

    start: int
    value: int
    end: int


def edited(document: Document, edits: Iterable[Edit]) -> bytes:
    """
    Return the text of a description with edits applied.

    If edits overlap, the one that begins first is applied.

    :raises DescriptionError: the text is in an encoding that is not based on ASCII.
    """
    data = document.data
    if b'\0' in data:
        raise DescriptionError(
            'The encoding of the description is not based on ASCII, so it cannot be edited',
            hint='Save it as UTF-8', source=document.source)
    parts = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start >= position:
            parts += [data[position:edit.start], edit.text]
            position = edit.end
    return b''.join((*parts, data[position:]))


def line_start(data: bytes, position: int) -> tuple[bytes, bytes]:
    """Return the line break and the indentation before a position; empty if text is there."""
    start = data.rfind(b'\n', max(position - _MAX_INDENT, 0), position) + 1
    indent = data[start:position]
    if not start or indent.strip(b' \t'):
        return b'', b''
    return (b'\r\n' if data.startswith(b'\r', max(start - 2, 0)) else b'\n'), indent


def element_end(data: bytes, element: Element) -> int:
    """
    Return the offset of the first byte after an element.

    :raises DescriptionError: the end is not found.
    """
    depth = 0
    for markup in _MARKUP.finditer(data, element.start):
        if markup['close'] is not None:
            depth += 0 if markup['empty'] else -1 if markup['close'] else 1
            if depth == 0:
                return markup.end()
    raise element.error('The end of the element is not found')


def tag_end(data: bytes, element: Element) -> int:
    """Return the offset after the last attribute of an element's start tag."""
    attributes = attributes_of(data, element)
    if attributes:
        return max(attribute.end for attribute in attributes.values())
    return _name_end(data, element)


def attributes_of(data: bytes, element: Element) -> Mapping[str, Attribute]:
    """Return the offsets of each attribute of an element, by name."""
    found = {}
    position = _name_end(data, element)
    while match := _ATTRIBUTE.match(data, position):
        name = match[2].decode('utf-8', 'replace')
        found[name] = Attribute(match.start(), match.start(3), match.end())
        position = match.end()
    return found


def _name_end(data: bytes, element: Element) -> int:
    match = _NAME.match(data, element.start)
    assert match is not None, 'an element starts with its tag'
    return match.end()
