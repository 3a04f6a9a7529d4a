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

"""Fixes: changes to the text of a description that resolve a defect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from urdf_tools.model.document import Document
from urdf_tools.model.editing import attributes_of
from urdf_tools.model.editing import Edit
from urdf_tools.model.editing import edited
from urdf_tools.model.editing import element_end
from urdf_tools.model.editing import line_start
from urdf_tools.model.editing import tag_end
from urdf_tools.model.element import Element

# Not of xml.sax.saxutils, which imports the clients of HTTP.
_ENTITIES = str.maketrans(
    {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;'})


class SetAttribute(NamedTuple):
    """
    Set an attribute of an element.

    :param instead_of: an attribute that it replaces, or an empty string.
    """

    element: Element
    name: str
    value: str
    instead_of: str = ''

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        old = attributes_of(data, self.element).get(self.instead_of or self.name)
        quote = '"' if old is None else data[old.value:old.value + 1].decode()
        value = self.value.translate(_ENTITIES)
        if old is None:
            end = tag_end(data, self.element)
            return Edit(end, end, f' {self.name}="{value}"'.encode())
        if self.instead_of:
            return Edit(old.start, old.end, f' {self.name}={quote}{value}{quote}'.encode())
        return Edit(old.value, old.end, f'{quote}{value}{quote}'.encode())


class RemoveAttribute(NamedTuple):
    """Remove an attribute."""

    element: Element
    name: str

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        old = attributes_of(data, self.element)[self.name]
        return Edit(old.start, old.end, b'')


class RemoveElement(NamedTuple):
    """Remove an element, and its line if nothing else is on it."""

    element: Element

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        start = self.element.start
        end = element_end(data, self.element)
        newline, indent = line_start(data, start)
        if newline and data[end:end + len(newline)] == newline:
            return Edit(start - len(newline) - len(indent), end, b'')
        return Edit(start, end, b'')


class AddContent(NamedTuple):
    """
    Add to the end of what an element contains.

    :param content: XML, without line breaks.
    """

    element: Element
    content: str

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        end = element_end(data, self.element)
        content = self.content.encode()
        if data[:end].endswith(b'/>'):
            tag = self.element.tag.encode()
            return Edit(tag_end(data, self.element), end, b'>' + content + b'</' + tag + b'>')
        start = data.rindex(b'</', 0, end)
        return Edit(start, start, content)


Change = SetAttribute | RemoveAttribute | RemoveElement | AddContent
"""A change to one element."""

Fix = tuple[Change, ...]


def written(fix: Fix, element: Element) -> list[str]:
    """Return the attributes of an element that a fix sets, replaces or removes."""
    return [
        name for change in fix if isinstance(change, (SetAttribute, RemoveAttribute))
        if change.element is element
        for name in (change.name, getattr(change, 'instead_of', '')) if name]


def format_number(value: float) -> str:
    """Return a number as text for a description, with 12 significant digits."""
    return f'{value + 0.0:.12g}'


def format_numbers(values: tuple[float, ...]) -> str:
    """Return numbers as text for a description, separated by spaces."""
    return ' '.join(map(format_number, values))


def apply_fixes(document: Document, fixes: Iterable[Fix]) -> bytes:
    """
    Return the text of a description with fixes applied and every other byte unchanged.

    :raises DescriptionError: the encoding of the text is not a superset of ASCII.
    """
    return edited(document, (change.edit(document.data) for fix in fixes for change in fix))
