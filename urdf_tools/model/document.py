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

from collections import Counter
from dataclasses import dataclass
from dataclasses import replace
import os
from xml.etree import ElementTree
from xml.parsers import expat

from urdf_tools.model.diagnosis import likely_cause
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.mending import mend
from urdf_tools.model.messages import quote

MAX_BYTES = 32 * 2**20
"""Largest description that is read; real ones stay below 5 MB."""

MAX_ELEMENTS = 250_000
"""Most elements and comments of one description; a robot of 2,000 links has about 50,000."""

MAX_ATTRIBUTES = 1_000_000
"""Most attributes of one description."""

MAX_DEPTH = 128
"""Deepest nesting of elements; URDF with its Gazebo extensions needs about 15."""

MAX_TOKEN = 2**20
"""Most bytes of one tag or comment, which the parser has to hold at once."""

MAX_NAME = 255
"""Longest name of an element; longer names of links and joints are left out of paths."""

_CHUNK = 2**16

_TEXT_AS_PATH = 'This is a description, not a path: pass it to loads() or validates()'

_NAMED = frozenset(('link', 'joint', 'material', 'transmission'))


class Element(ElementTree.Element):
    """
    An XML element that knows where it stands.

    Tags and attribute names are kept as written, prefix included, since URDF readers know
    nothing of namespaces and descriptions use prefixes that they never declare.

    ``line`` and ``column`` count from 1; ``start`` is the offset of the tag's ``<`` in the
    document's bytes. ``parent`` is None for the root. The tree is not to be changed.
    """

    __slots__ = ('parent', 'line', 'column', 'start', '_steps')

    @property
    def path(self) -> str:
        """Path from the root, by name where there is one, else by position among its kind."""
        steps = []
        element = self
        while element.parent is not None:
            steps.append(element.parent._steps_down()[element])
            element = element.parent
        return '/' + '/'.join([element.tag, *reversed(steps)])

    def _steps_down(self):
        """Return the last part of the path of each child, worked out once."""
        if self._steps is None:
            twins = Counter(child.tag for child in self)
            namesakes = Counter((child.tag, child.get('name')) for child in self)
            position = Counter()
            self._steps = {}
            for child in self:
                position[child.tag] += 1
                name = child.get('name')
                if twins[child.tag] == 1 and child.tag not in _NAMED:
                    self._steps[child] = child.tag
                elif name and namesakes[child.tag, name] == 1 and len(name) <= MAX_NAME:
                    self._steps[child] = f'{child.tag}[@name={_in_quotes(name)}]'
                else:
                    self._steps[child] = f'{child.tag}[{position[child.tag]}]'
        return self._steps

    def findall_tag(self, tag: str) -> list[Element]:
        """Return the children whose tag is exactly this text, without XPath."""
        return [child for child in self if child.tag == tag]

    def error(self, message: str, hint: str = '') -> DescriptionError:
        """Return an exception that says what is wrong with this element, and where."""
        return DescriptionError(
            message, element=self.path, line=self.line, column=self.column, hint=hint)


def _in_quotes(name):
    return f'"{name}"' if "'" in name else f"'{name}'"


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
    :param malformed: why the text is no well-formed XML, although it could be read once mended
        as urdfdom's parser would; None where it is.
    """

    root: Element
    data: bytes
    source: str
    comments: tuple[Comment, ...]
    malformed: DescriptionError | None = None


def read_document(data: bytes | str, source: str = '') -> Document:
    """
    Parse a description without entities, network or file access, in bounded time and memory.

    :param data: the description itself; an encoding declared inside a ``str`` is ignored.
    :param source: where it came from, for messages.
    :raises DescriptionError: not XML, or beyond one of the limits of this module.
    :raises TypeError: neither text nor bytes.
    """
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            f'A description is str or bytes, not {type(data).__name__}; '
            'pass paths to load(), validate() or open_document()')
    try:
        return _read(data, source)
    except DescriptionError as error:
        error.source = source
        raise


def _read(data, source):
    if len(data) > MAX_BYTES:
        raise DescriptionError(
            f'The description has {len(data)} bytes; at most {MAX_BYTES} are read',
            ErrorKind.TOO_LARGE, hint='Refer to meshes by file instead of embedding data')
    encoding = 'utf-8' if isinstance(data, str) else None
    data = data.encode('utf-8', 'surrogatepass') if encoding else bytes(data)
    if not data.strip(b' \t\r\n\0\xef\xbb\xbf'):
        raise DescriptionError(
            'The description is empty', ErrorKind.MALFORMED,
            hint='Pass the text of a URDF file; an empty text often comes from a xacro or '
                 'launch file that failed')
    try:
        return _Parser(encoding).parse(data, source)
    except DescriptionError as error:
        repaired = mend(data) if error.kind is ErrorKind.MALFORMED else data
        if repaired == data:
            raise
        document = _Parser('utf-8').parse(repaired, source)
        error.source = source
        error.kind = ErrorKind.REPAIRED
        return replace(document, data=data, malformed=error)


def read_file(path: str | os.PathLike) -> bytes:
    """
    Return the bytes of a description file, at most one more than :data:`MAX_BYTES`.

    :raises DescriptionError: it cannot be read.
    """
    try:
        with open(path, 'rb') as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        name = os.fsdecode(path)
        reason = getattr(error, 'strerror', None) or str(error)
        raise DescriptionError(
            f'Cannot read {quote(name, 200)}: {reason}', ErrorKind.UNREADABLE,
            hint=_TEXT_AS_PATH if '<' in name else 'Give the path of a URDF or xacro file',
        ) from error


class _Parser:
    """Expat's events to a tree of :class:`Element`."""

    def __init__(self, encoding):
        self._expat = expat.ParserCreate(encoding)
        self._expat.buffer_text = True
        self._expat.ordered_attributes = True
        # The limit on tokens bounds the work that newer parsers put off to bound it.
        if hasattr(self._expat, 'SetReparseDeferralEnabled'):
            self._expat.SetReparseDeferralEnabled(False)
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.CommentHandler = self._comment
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.SkippedEntityHandler = self._skipped_entity
        self._data = b''
        self._root = None
        self._open = []
        self._last = None
        self._texts = []
        self._elements = 0
        self._attributes = 0
        self._comments = []

    def parse(self, data, source):
        self._data = data
        view = memoryview(data)
        try:
            for position in range(0, len(data), _CHUNK):
                chunk = view[position:position + _CHUNK]
                self._expat.Parse(chunk, False)
                held = position + len(chunk) - max(self._expat.CurrentByteIndex, 0)
                if held > MAX_TOKEN + _CHUNK:
                    raise self._too_large(
                        f'A single tag, comment or section has more than {MAX_TOKEN} bytes')
            self._expat.Parse(b'', True)
        except expat.ExpatError as error:
            raise self._malformed(error) from None
        except DescriptionError:
            raise
        except (LookupError, ValueError) as error:
            raise DescriptionError(
                f'The encoding that the description declares cannot be read: {error}',
                ErrorKind.MALFORMED, line=1, column=1, hint='Save it as UTF-8') from None
        return Document(self._root, data, source, tuple(self._comments))

    def _refused(self, message, hint, kind):
        return DescriptionError(
            message, kind, element=self._open[-1].path if self._open else '',
            line=self._expat.CurrentLineNumber, column=self._expat.CurrentColumnNumber + 1,
            hint=hint)

    def _too_large(self, message):
        return self._refused(message, 'Refer to large data by file', ErrorKind.TOO_LARGE)

    def _malformed(self, error):
        reason = expat.errors.messages.get(error.code, str(error.code))
        hint = likely_cause(self._data, self._expat.ErrorByteIndex)
        if self._open and not hint:
            inside = self._open[-1]
            if reason == expat.errors.XML_ERROR_TAG_MISMATCH:
                hint = f'<{inside.tag}> of line {inside.line} is not closed before this'
            elif reason == expat.errors.XML_ERROR_NO_ELEMENTS:
                hint = f'<{inside.tag}> of line {inside.line} is never closed'
        return DescriptionError(
            f'The description is not well-formed XML: {reason}', ErrorKind.MALFORMED,
            element=self._open[-1].path if self._open else '',
            line=error.lineno, column=error.offset + 1, hint=hint)

    def _start(self, tag, attributes):
        self._count(len(attributes) // 2)
        if len(self._open) >= MAX_DEPTH:
            raise self._too_large(f'Elements are nested deeper than {MAX_DEPTH}')
        if len(tag) > MAX_NAME:
            raise self._too_large(f'The name of an element has more than {MAX_NAME} characters')
        self._keep_text()
        pairs = iter(attributes)
        element = Element(tag, dict(zip(pairs, pairs)))
        element.line = self._expat.CurrentLineNumber
        element.column = self._expat.CurrentColumnNumber + 1
        element.start = self._expat.CurrentByteIndex
        element.parent = self._open[-1] if self._open else None
        element._steps = None
        if element.parent is None:
            self._root = element
        else:
            element.parent.append(element)
        self._open.append(element)
        self._last = None

    def _end(self, _tag):
        self._keep_text()
        self._last = self._open.pop()

    def _text(self, text):
        self._texts.append(text)

    def _keep_text(self):
        """Give the text since the last tag to the element that it follows or fills."""
        text = ''.join(self._texts)
        self._texts.clear()
        if self._last is not None:
            self._last.tail = text
        elif self._open:
            self._open[-1].text = text

    def _comment(self, text):
        self._count(0)
        self._comments.append(Comment(
            text, self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1,
            self._open[-1] if self._open else None))

    def _count(self, attributes):
        self._elements += 1
        self._attributes += attributes
        if self._elements > MAX_ELEMENTS:
            raise self._too_large(
                f'The description has more than {MAX_ELEMENTS} elements and comments')
        if self._attributes > MAX_ATTRIBUTES:
            raise self._too_large(f'The description has more than {MAX_ATTRIBUTES} attributes')

    def _doctype(self, _name, _system, _public, has_declarations):
        if has_declarations:
            raise self._refused(
                'The description declares XML entities or the like, which is refused',
                'Remove the declarations of <!DOCTYPE> and write the text out; entities can '
                'pull in files or expand without bound', ErrorKind.ENTITY)

    def _skipped_entity(self, name, _is_parameter):
        raise self._refused(
            f'The description uses the XML entity {quote(name)}, which it does not define',
            'Write the text out', ErrorKind.ENTITY)
