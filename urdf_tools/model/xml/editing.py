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

import codecs
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
import re
from typing import NamedTuple

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceComment
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import SourceTag

_MARKUP = re.compile(
    rb'<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>'
    rb'|<(?P<close>/?)[^\s/>]+(?:[^>"\']|"[^"]*"|\'[^\']*\')*?(?P<empty>/?)>', re.DOTALL)

_MAX_INDENT = 1000

_ENCODING = re.compile(rb'(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["\']([\w.-]+)')

_ATTRIBUTE = re.compile(rb'\s+([^\s=/>]+)\s*=\s*("[^"]*"|\'[^\']*\')')
"""An attribute with the space before it: its name, and its quoted value."""

# Not of xml.sax.saxutils, which imports the clients of HTTP.
_ENTITIES = str.maketrans({
    '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;',
    '\t': '&#9;', '\n': '&#10;', '\r': '&#13;'})


class Edit(NamedTuple):
    """The range of bytes to replace, and the new bytes."""

    start: int
    end: int
    text: bytes


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


def source_lines(data: bytes, start: int, end: int) -> tuple[str, ...]:
    """Return the lines of a part of a description, without the indentation of the first."""
    _, indent = line_start(data, start)
    text = data[start:end].decode(encoding_of(data), 'replace')
    return tuple(re.split(rf'\r?\n(?:{re.escape(indent.decode())})?', text))


def element_end(data: bytes, element: Element) -> int:
    """
    Return the offset of the first byte after an element.

    :raises DescriptionError: the end is not found.
    """
    *_, last = _markups(data, element)
    return last.end()


def _markups(data: bytes, element: Element) -> Iterator[re.Match[bytes]]:
    """
    Yield the tags and comments of an element, from its start tag to its end tag.

    :raises DescriptionError: the end is not found.
    """
    depth = 0
    for markup in _MARKUP.finditer(data, element.start):
        yield markup
        if markup['close'] is not None:
            depth += 0 if markup['empty'] else -1 if markup['close'] else 1
            if depth == 0:
                return
    raise element.error('The end of the element is not found')


def tag_end(data: bytes, element: Element) -> int:
    """Return the offset after the last attribute of an element's start tag."""
    start_tag = next(_markups(data, element))[0]
    return element.start + len(start_tag.rstrip(b'/> \t\r\n'))


def attributes_of(data: bytes, element: Element) -> Mapping[str, re.Match[bytes]]:
    """Return the space, name and quoted value of each attribute of an element, by name."""
    start, end = next(_markups(data, element)).span()
    return {match[1].decode('utf-8', 'replace'): match
            for match in _ATTRIBUTE.finditer(data, start, end)}


def child_after(parent: Element, tags: Collection[str]) -> Element | None:
    """Return the first child after all of some tags; None without one, or without these."""
    children = list(parent)
    last = max((index for index, child in enumerate(children) if child.tag in tags),
               default=len(children) - 1)
    return children[last + 1] if last + 1 < len(children) else None


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
        quote = '"' if old is None else old[2][:1].decode()
        text = f'{quote}{self.value.translate(_ENTITIES)}{quote}'
        if old is not None and not self.instead_of:
            return Edit(*old.span(2), encoded(data, text))
        span = (tag_end(data, self.element),) * 2 if old is None else old.span()
        return Edit(*span, encoded(data, f' {self.name}={text}'))


class SetText(NamedTuple):
    """Set the text of an element without children; the space around it stays."""

    element: Element
    text: str

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        start = data.index(b'>', tag_end(data, self.element)) + 1
        old = data[start:data.index(b'</', start)]
        start += len(old) - len(old.lstrip())
        return Edit(start, start + len(old.strip()), encoded(data, self.text.translate(_ENTITIES)))


class RemoveAttribute(NamedTuple):
    """Remove an attribute."""

    element: Element
    name: str

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        return Edit(*attributes_of(data, self.element)[self.name].span(), b'')


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


@dataclass(frozen=True)
class Tag:
    """
    An element to write.

    :param element: where it was read, if it is to be compared with that.
    :param text: the text in it, if it has no children.
    """

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Tag, ...] = ()
    element: Element | None = field(default=None, repr=False, compare=False)
    text: str = ''

    def lines(self, step: str = '  ') -> Iterator[str]:
        """Yield the lines of its text, the inner ones indented by a step more."""
        start = f'<{self.name}' + ''.join(
            f' {name}="{value.translate(_ENTITIES)}"' for name, value in self.attributes.items())
        if not self.children:
            text = self.text.translate(_ENTITIES)
            yield f'{start}>{text}</{self.name}>' if text else f'{start}/>'
            return
        yield f'{start}>'
        for child in self.children:
            yield from (step + line for line in child.lines(step))
        yield f'</{self.name}>'


Content = Tag | tuple[str, ...]
"""Content to insert: an element, or its lines."""


class ReplaceElement(NamedTuple):
    """
    Replace an element as a whole by the comments in it and another one.

    :param content: the other one; None for the comments alone.
    """

    element: Element
    content: Tag | None

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        layout = _Layout.of(data, self.element)
        comments = [source_lines(data, *markup.span())
                    for markup in _markups(data, self.element) if markup[0].startswith(b'<!--')]
        contents: list[Content] = [
            lines if layout.newline else ('\n'.join(lines),) for lines in comments]
        if self.content is not None:
            contents.append(self.content)
        if not contents:
            return RemoveElement(self.element).edit(data)
        end = element_end(data, self.element)
        return Edit(self.element.start, end, layout.text(data, contents))


class AddElements(NamedTuple):
    """
    Add elements at the end of another one.

    :param before: the child that they come before, instead of the end.
    """

    element: Element
    contents: tuple[Content, ...]
    before: Element | None = None

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        parent = self.element
        if self.before is not None:
            layout, start = _Layout.of(data, self.before), self.before.start
            return Edit(start, start, layout.text(data, self.contents) + layout.line_break)
        outer = _Layout.of(data, parent)
        layout = _Layout.of(data, parent[0]) if len(parent) else outer.inner()
        text = layout.text(data, self.contents)
        end = element_end(data, parent)
        if data[end - 2:end] == b'/>':
            close = b'</' + parent.tag.encode() + b'>'
            return Edit(tag_end(data, parent), end,
                        b'>' + layout.line_break + text + outer.line_break + close)
        close_start = data.rindex(b'</', parent.start, end)
        newline, indent = line_start(data, close_start)
        if newline and layout.newline:
            start = close_start - len(indent)
            return Edit(start, start, layout.indent + text + newline)
        return Edit(close_start, close_start, layout.newline and (
            layout.line_break + text + outer.line_break) or text)


class RenameElement(NamedTuple):
    """Rename an element in its start tag and its end tag; what is in it stays."""

    element: Element
    tag: str

    def edit(self, data: bytes) -> Edit:
        """Return the edit of the text of the description."""
        old, start, end = self.element.tag.encode(), self.element.start, element_end(
            data, self.element)
        text = data[start + 1 + len(old):end]
        if not text.endswith(b'/>'):
            inner, _, after = text.rpartition(b'</' + old)
            text = inner + b'</' + self.tag.encode() + after
        return Edit(start, end, b'<' + self.tag.encode() + text)


Change = SetAttribute | RemoveElement | AddElements | RenameElement
"""A change to one existing element, as made by fixes."""

AnyChange = Change | RemoveAttribute | SetText | ReplaceElement


def changed(document: Document, changes: Iterable[AnyChange]) -> bytes:
    """
    Return the text of a description with changes made and every other byte as it was.

    :raises DescriptionError: the encoding of the text is not a superset of ASCII.
    """
    return edited(document, (change.edit(document.data) for change in changes))


class _Layout(NamedTuple):
    """Line layout: the line break, or none, the indentation, and the step of it."""

    newline: bytes
    indent: bytes
    step: bytes

    @classmethod
    def of(cls, data: bytes, element: Element) -> _Layout:
        """Return the layout of the line of an element."""
        newline, indent = line_start(data, element.start)
        if element.parent is None:
            return cls(b'\r\n' if b'\r\n' in data else b'\n', indent, b'  ')
        _, outer = line_start(data, element.parent.start)
        return cls(newline, indent, (indent.removeprefix(outer) or b'  ') if newline else b'')

    @property
    def line_break(self) -> bytes:
        """The text between lines."""
        return self.newline + self.indent if self.newline else b''

    def inner(self) -> _Layout:
        """Return the layout of the lines inside."""
        return self._replace(indent=self.indent + self.step)

    def text(self, data: bytes, contents: Iterable[Content]) -> bytes:
        """Return the text of contents, without the indentation of the first line."""
        step = self.step.decode()
        lines = [line for content in contents
                 for line in (content.lines(step) if isinstance(content, Tag) else content)]
        return self.line_break.join(encoded(data, line) for line in lines)


def encoded(data: bytes, text: str) -> bytes:
    """Return a text in the encoding of a description."""
    return text.encode(encoding_of(data), 'xmlcharrefreplace')


def encoding_of(data: bytes) -> str:
    """Return the encoding that a description declares, or else the detected one."""
    match = _ENCODING.match(data)
    name = match[1].decode() if match else 'utf-8'
    try:
        return codecs.lookup(name).name
    except LookupError:
        return 'utf-8'


class SourceDocuments:
    """
    The xacro files of a description.

    :param texts: texts that override the content of files, by path.
    """

    def __init__(self, texts: Mapping[str, bytes]):
        self._texts = texts
        self._documents: dict[str, Document] = {}

    def data(self, file: str) -> bytes:
        """Return the text of a file that an element was requested from."""
        return self._documents[file].data

    def element(self, location: SourceLocation) -> Element:
        """
        Return the tag at a location, with its offset in the bytes of the file.

        :raises DescriptionError: the file cannot be edited.
        """
        if location.file not in self._documents:
            data = self._texts.get(location.file) or read_file(location.file)
            self._documents[location.file] = read_document(data, location.file)
        for element in self._documents[location.file].root.iter():
            if (element.line, element.column) == location[1:]:
                return element
        raise DescriptionError('its tag is not found', source=location.file)

    def edited(self, edits: Mapping[str, Iterable[Edit]]) -> dict[str, bytes]:
        """Return the texts of files with edits applied."""
        return {file: edited(self._documents[file], some) for file, some in edits.items()}


def located(element: Element, file: SourceFile) -> Element:
    """Return an element, after its source is set to its line and column in a file."""
    around = None if element.parent is None else element.parent.origin
    element.origin = ElementSource(SourceTag(
        file, element.tag, element.line, element.column, element.attrib, around and around.tag),
        None)
    return element


def add_tags(file: SourceFile, document: Document) -> dict[Element | None, SourceTag]:
    """Add the tags and comments of a document to its file, and return the tags by element."""
    tags: dict[Element | None, SourceTag] = {}
    for element in document.root.iter():
        tags[element] = SourceTag(file, element.tag, element.line, element.column,
                                  dict(element.attrib), tags.get(element.parent))
    file.tags += tags.values()
    file.comments += (SourceComment(text, line, column, tags.get(parent))
                      for text, line, column, parent in document.comments)
    return tags
