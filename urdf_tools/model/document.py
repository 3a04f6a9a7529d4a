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

"""Bytes to a hardened XML tree whose every element knows its place in the text."""

from __future__ import annotations

from dataclasses import dataclass
import os
from xml.etree import ElementTree
from xml.parsers import expat

MAX_BYTES = 32 * 2**20
"""Largest description that is read; real ones stay below 5 MB."""

MAX_ELEMENTS = 250_000
"""Most elements one description may have; a robot of 2,000 links has about 50,000."""

MAX_DEPTH = 128
"""Deepest nesting of elements; URDF with its Gazebo extensions needs about 15."""

MAX_TOKEN = 2**20
"""Most bytes of one tag or comment, which the parser has to hold at once."""

_CHUNK = 2**16


class DescriptionError(ValueError):
    """
    A robot description that cannot be used, with the place and the cure.

    :param message: what is wrong, one sentence.
    :param element: path of the element, such as ``/robot/joint[@name='j1']/limit``.
    :param line: line in the description, from 1, or None where there is no place.
    :param column: column in that line, from 1, or None.
    :param hint: how to mend it, or an empty string.
    :param source: the file or topic that the description came from.
    """

    def __init__(self, message, *, element='', line=None, column=None, hint='', source=''):
        self.message = message
        self.element = element
        self.line = line
        self.column = column
        self.hint = hint
        self.source = source
        super().__init__(message)

    def __str__(self):
        place = ':'.join(str(part) for part in (self.source, self.line, self.column) if part)
        text = f'{place}: {self.message}' if place else self.message
        if self.element:
            text += f' ({self.element})'
        return f'{text}. {self.hint}' if self.hint else text


class Element(ElementTree.Element):
    """
    An XML element that knows where it stands.

    Tags and attribute names are kept as written, prefix included, since URDF readers know
    nothing of namespaces and descriptions use prefixes that they never declare.

    ``line`` and ``column`` count from 1; ``start`` is the offset of the tag's ``<`` in the
    document's bytes. ``parent`` is None for the root.
    """

    __slots__ = ('parent', 'line', 'column', 'start')

    @property
    def path(self) -> str:
        """Path from the root, by name where there is one, else by position among its kind."""
        steps = []
        element = self
        while element is not None:
            steps.append(element._step())
            element = element.parent
        return '/' + '/'.join(reversed(steps))

    def _step(self):
        if self.parent is None:
            return self.tag
        twins = self.parent.findall_tag(self.tag)
        if len(twins) == 1 and self.tag not in ('link', 'joint', 'material', 'transmission'):
            return self.tag
        name = self.get('name')
        if name and sum(twin.get('name') == name for twin in twins) == 1:
            quote = '"' if "'" in name else "'"
            return f'{self.tag}[@name={quote}{name}{quote}]'
        position = next(i for i, twin in enumerate(twins, 1) if twin is self)
        return f'{self.tag}[{position}]'

    def findall_tag(self, tag: str) -> list[Element]:
        """Return the children whose tag is exactly this text, without XPath."""
        return [child for child in self if child.tag == tag]

    def error(self, message: str, hint: str = '') -> DescriptionError:
        """Return an exception that says what is wrong with this element, and where."""
        return DescriptionError(
            message, element=self.path, line=self.line, column=self.column, hint=hint)


@dataclass(frozen=True)
class Comment:
    """A comment, its place, and the element that holds it (None outside the root)."""

    text: str
    line: int
    column: int
    parent: Element | None


@dataclass(frozen=True)
class Document:
    """
    A parsed description.

    :param root: the outermost element, whatever its tag.
    :param data: the bytes that offsets refer to.
    :param source: the file or topic that the bytes came from, or an empty string.
    :param comments: all comments in the order of the text.
    """

    root: Element
    data: bytes
    source: str
    comments: tuple[Comment, ...]


def read_document(data: bytes | str, source: str = '') -> Document:
    """
    Parse a description without entities, network or file access, in bounded time and memory.

    :param data: the description itself; an encoding declared inside a ``str`` is ignored.
    :param source: where it came from, for messages.
    :raises DescriptionError: not XML, or beyond one of the limits of this module.
    """
    encoding = None
    if isinstance(data, str):
        data = data.encode('utf-8', 'surrogatepass')
        encoding = 'utf-8'
    data = bytes(data)
    try:
        if len(data) > MAX_BYTES:
            raise DescriptionError(
                f'The description has {len(data)} bytes; at most {MAX_BYTES} are read',
                hint='Refer to meshes by file instead of embedding data')
        if not data.strip(b' \t\r\n\0\xef\xbb\xbf'):
            raise DescriptionError(
                'The description is empty',
                hint='Pass the text of a URDF file; an empty text often comes from a xacro or '
                     'launch file that failed')
        return _Parser(encoding).parse(data, source)
    except DescriptionError as error:
        error.source = source
        raise


def read_file(path: str | os.PathLike) -> bytes:
    """
    Return the bytes of a description file, at most one more than :data:`MAX_BYTES`.

    :raises DescriptionError: it cannot be read.
    """
    try:
        with open(path, 'rb') as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or str(error)
        raise DescriptionError(
            f'Cannot read {os.fspath(path)!r}: {reason}',
            hint='Give the path of a URDF or xacro file') from error


class _Parser:
    """Expat's events to a tree of :class:`Element`."""

    def __init__(self, encoding):
        self._expat = expat.ParserCreate(encoding)
        self._expat.buffer_text = True
        self._expat.ordered_attributes = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.CommentHandler = self._comment
        self._expat.EntityDeclHandler = self._refuse_entity
        self._expat.SkippedEntityHandler = self._refuse_entity
        self._data = b''
        self._root = None
        self._open = []
        self._last = None
        self._count = 0
        self._comments = []
        self._unclosed = None

    def parse(self, data, source):
        self._data = data
        view = memoryview(data)
        try:
            for position in range(0, len(data), _CHUNK):
                chunk = view[position:position + _CHUNK]
                self._expat.Parse(chunk, False)
                held = position + len(chunk) - max(self._expat.CurrentByteIndex, 0)
                if held > MAX_TOKEN + _CHUNK:
                    raise self._here(
                        f'A single tag, comment or section has more than {MAX_TOKEN} bytes',
                        hint='Refer to large data by file')
            self._expat.Parse(b'', True)
        except expat.ExpatError as error:
            raise self._malformed(error) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, DescriptionError):
                raise
            raise DescriptionError(
                f'The encoding that the description declares cannot be read: {error}',
                line=1, hint='Save it as UTF-8') from None
        return Document(self._root, data, source, tuple(self._comments))

    def _here(self, message, hint=''):
        return DescriptionError(
            message, element=self._open[-1].path if self._open else '',
            line=self._expat.CurrentLineNumber, column=self._expat.CurrentColumnNumber + 1,
            hint=hint)

    def _malformed(self, error):
        reason = expat.errors.messages.get(error.code, str(error.code))
        place = {'line': error.lineno, 'column': error.offset + 1}
        if not self._open:
            return DescriptionError(
                f'The description is not well-formed XML: {reason}', **place)
        inside = self._open[-1]
        hint = ''
        if reason == expat.errors.XML_ERROR_TAG_MISMATCH:
            hint = f'<{inside.tag}> of line {inside.line} is not closed before this'
        elif reason == expat.errors.XML_ERROR_NO_ELEMENTS:
            hint = f'<{inside.tag}> of line {inside.line} is never closed'
        return DescriptionError(
            f'The description is not well-formed XML: {reason}',
            element=inside.path, hint=hint, **place)

    def _start(self, tag, attributes):
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise self._here(f'The description has more than {MAX_ELEMENTS} elements')
        if len(self._open) >= MAX_DEPTH:
            raise DescriptionError(
                f'Elements are nested deeper than {MAX_DEPTH}',
                line=self._expat.CurrentLineNumber, column=self._expat.CurrentColumnNumber + 1)
        pairs = iter(attributes)
        element = Element(tag, dict(zip(pairs, pairs)))
        element.line = self._expat.CurrentLineNumber
        element.column = self._expat.CurrentColumnNumber + 1
        element.start = self._expat.CurrentByteIndex
        element.parent = self._open[-1] if self._open else None
        if element.parent is None:
            self._root = element
        else:
            element.parent.append(element)
        self._open.append(element)
        self._last = None

    def _end(self, _tag):
        self._last = self._open.pop()

    def _text(self, text):
        if self._last is not None:
            self._last.tail = (self._last.tail or '') + text
        elif self._open:
            self._open[-1].text = (self._open[-1].text or '') + text

    def _comment(self, text):
        self._comments.append(Comment(
            text, self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1,
            self._open[-1] if self._open else None))

    def _refuse_entity(self, name, *_):
        raise self._here(
            f'The description declares or uses the XML entity {name!r}, which is refused',
            hint='Write the text out; entities can pull in files or expand without bound')
