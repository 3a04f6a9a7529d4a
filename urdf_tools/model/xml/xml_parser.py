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

"""A hardened XML parser that records source locations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import gc
import json
from pathlib import Path
import re
from xml.parsers import expat

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.element import Comment
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element import MAX_NAME

MAX_ELEMENTS = 160_000
"""Maximum number of elements and comments; a robot of 2,000 links has about 50,000."""

MAX_ATTRIBUTES = 500_000
"""Maximum number of attributes; a robot of 2,000 links has about 100,000."""

MAX_DEPTH = 128
"""Maximum nesting depth of elements; URDF with its Gazebo extensions needs about 15."""

MAX_TOKEN = 2**20
"""Maximum size of a tag or comment in bytes, which the parser buffers."""

_CHUNK = 2**16
_MOST_SIBLINGS = 1000

_SEEN = 2**16

_NAMESPACES = {
    'drake': 'http://drake.mit.edu', 'xacro': 'http://www.ros.org/wiki/xacro',
    'xi': 'http://www.w3.org/2001/XInclude'}

_TAG = re.compile(rb'<(?:"[^"]*"|\'[^\']*\'|[^"\'>])*>')
_AFTER_ELEMENT = re.compile(
    rb'(?:/>|</[^<>]*>)\s*(?:<!--(?:[^-]|-(?!->))*-->\s*)*\Z')


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """
    Pause the collector while a large tree is built and read.

    It goes through all objects again and again while their number grows, which is a fifth of the
    time for a large description, and finds nothing: elements are in use until the whole tree is
    released. What is not part of a cycle is released at once, as always.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class XmlParser:
    """
    Builds a tree of :class:`Element` from the events of expat, once.

    :param encoding: encoding of the data, or None to detect it.
    """

    def __init__(self, encoding: str | None):
        self._expat = expat.ParserCreate(encoding)
        self._expat.buffer_text = True
        self._expat.ordered_attributes = True
        # Newer versions of expat delay parsing to bound the work for long tokens; MAX_TOKEN
        # bounds it without a delay.
        if hasattr(self._expat, 'SetReparseDeferralEnabled'):
            self._expat.SetReparseDeferralEnabled(False)
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text
        self._expat.CommentHandler = self._comment
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.SkippedEntityHandler = self._skipped_entity
        self._data = b''
        self._open: list[Element] = []
        self._last: Element | None = None
        self._texts: list[str] = []
        self._elements = 0
        self._attributes = 0
        self._comments: list[Comment] = []

    @garbage_collection_paused()
    def parse(self, data: bytes) -> tuple[Element, tuple[Comment, ...]]:
        """
        Return the outermost element and all comments.

        :raises DescriptionError: not XML, uses entities or exceeds a limit of this module.
        """
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
                f'The declared encoding cannot be read: {error}',
                ErrorKind.MALFORMED, line=1, column=1, hint='Save it as UTF-8') from None
        assert self._last is not None, 'expat accepts only documents with an element'
        return self._last, tuple(self._comments)

    def _error(self, message: str, hint: str, kind: ErrorKind) -> DescriptionError:
        return DescriptionError(message, kind, element=self._open[-1].path if self._open else '',
                                line=self._expat.CurrentLineNumber,
                                column=self._expat.CurrentColumnNumber + 1, hint=hint)

    def _too_large(self, message: str) -> DescriptionError:
        return self._error(message, 'Refer to large data by file', ErrorKind.TOO_LARGE)

    def _malformed(self, error: expat.ExpatError) -> DescriptionError:
        reason = expat.errors.messages.get(error.code, str(error.code))
        line, column = error.lineno, error.offset + 1
        hint = likely_cause(self._data, self._expat.ErrorByteIndex)
        if self._open and not hint:
            inside = self._open[-1]
            if reason == expat.errors.XML_ERROR_TAG_MISMATCH:
                here = self._data[self._expat.ErrorByteIndex:]
                closing = re.split(rb'[\s/>]', here, maxsplit=1)[0].decode('utf-8', 'replace')
                if any(element.tag == closing for element in self._open):
                    hint = f'Write </{inside.tag}> before </{closing}> on line {line}'
                    line, column = inside.line, inside.column
                elif (ended := self._ended_by_itself(closing)) is not None:
                    line, column = ended.line, ended.column
                    hint = (f'Remove the / of />, which ends <{closing}> before its content, or '
                            f'the </{closing}> on line {error.lineno}')
                else:
                    hint = f'Write </{inside.tag}>, which closes the one on line {inside.line}'
            elif reason == expat.errors.XML_ERROR_NO_ELEMENTS:
                hint = f'<{inside.tag}> on line {inside.line} is never closed'
        return DescriptionError(
            f'The description is not well-formed XML: {reason}', ErrorKind.MALFORMED,
            element=self._open[-1].path if self._open else '', line=line, column=column, hint=hint)

    def _ended_by_itself(self, tag: str) -> Element | None:
        """Return the last child with a tag beside a stray end tag, if it is written <tag/>."""
        for element in reversed([*self._open[-1]][-_MOST_SIBLINGS:]):
            if element.tag == tag:
                match = _TAG.match(self._data, element.start)
                return element if match is not None and match[0].endswith(b'/>') else None
        return None

    def _start(self, tag: str, attributes: list[str]) -> None:
        self._count(len(attributes) // 2)
        if len(self._open) >= MAX_DEPTH:
            raise self._too_large(f'Elements are nested deeper than {MAX_DEPTH}')
        if len(tag) > MAX_NAME:
            raise self._too_large(f'The name of an element has more than {MAX_NAME} characters')
        self._keep_text()
        pairs = iter(attributes)
        self._open.append(Element(
            tag, dict(zip(pairs, pairs)), self._open[-1] if self._open else None,
            self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1,
            self._expat.CurrentByteIndex))
        self._last = None

    def _end(self, _tag: str) -> None:
        self._keep_text()
        self._last = self._open.pop()

    def _text(self, text: str) -> None:
        self._texts.append(text)

    def _keep_text(self) -> None:
        """Store the text since the last tag in the element that it follows or is inside of."""
        text = ''.join(self._texts)
        self._texts.clear()
        if self._last is not None:
            self._last.tail = text
        elif self._open:
            self._open[-1].text = text

    def _comment(self, text: str) -> None:
        self._count(0)
        self._comments.append(Comment(
            text, self._expat.CurrentLineNumber, self._expat.CurrentColumnNumber + 1,
            self._open[-1] if self._open else None))

    def _count(self, attributes: int) -> None:
        self._elements += 1
        self._attributes += attributes
        if self._elements > MAX_ELEMENTS:
            raise self._too_large(
                f'The description has more than {MAX_ELEMENTS} elements and comments')
        if self._attributes > MAX_ATTRIBUTES:
            raise self._too_large(f'The description has more than {MAX_ATTRIBUTES} attributes')

    def _doctype(self, _name: str, _system: str | None, _public: str | None,
                 has_declarations: bool) -> None:
        if has_declarations:
            raise self._error(
                'The description declares XML entities or similar in its <!DOCTYPE>, which is not '
                'allowed',
                'Remove the declarations and write the text out; entities can include files or '
                'expand without limit', ErrorKind.ENTITY)

    def _skipped_entity(self, name: str, _is_parameter: bool) -> None:
        raise self._error(
            f'The description uses the XML entity {quote(name)}, which it does not define',
            'Write the text out', ErrorKind.ENTITY)


def namespace_of(prefix: str) -> str:
    """Return the namespace that a prefix usually stands for."""
    return _NAMESPACES.get(prefix, f'http://example.org/{prefix}')


def likely_cause(data: bytes, offset: int) -> str:
    """
    Return a hint on the likely cause and its fix, or an empty string.

    :param data: a description that is not well-formed.
    :param offset: offset of the byte at which the parser stopped.
    """
    start = data[:_SEEN].lstrip(b'\xef\xbb\xbf \t\r\n')
    near = data[max(offset - _SEEN, 0):offset]
    here = data[offset:offset + _SEEN]
    line = data[data.rfind(b'\n', 0, offset) + 1:offset] + here.partition(b'\n')[0]
    if re.match(rb'<{7}|={7}|>{7}', line) or start.startswith(b'<<<<<<<'):
        return 'This is a git conflict marker: resolve the merge and remove it'
    if len(data) >= 84 and len(data) == 84 + 50 * int.from_bytes(data[80:84], 'little'):
        return 'This is a binary STL mesh, not a robot description'
    if not start.startswith(b'<'):
        texts = json.loads(Path(__file__).parent.with_name('other_texts.json').read_bytes())
        return next((hint for pattern, hint in texts if re.match(pattern.encode(), start)),
                    'This is not XML: a robot description begins with <robot')
    tag = near[near.rfind(b'<'):]
    is_in_value = bool(tag.count(b'"') % 2)  # Whose quote is missing.
    causes = (
        (re.match(rb'<\?xml\s', here), 'Remove what is before <?xml; it must come first'),
        (data.startswith((b'<?xml', b'\xef\xbb\xbf<?xml')) and offset < data.find(b'?>') + 2,
         'Begin with <?xml version="1.0"?>'),
        (b'--' in (near.rpartition(b'-->')[2] + here[:4]).partition(b'<!--')[2],
         'A comment must not contain "--"; it ends at the first "-->"'),
        (not is_in_value and re.match(rb'<[A-Za-z]', here) and _AFTER_ELEMENT.search(near),
         'The file has two <robot>: write each into a file of its own'
         if re.match(rb'<robot\b', here) and b'<robot' in near else
         'There can be only one outermost element: put everything inside <robot>'),
        (b'\0' in here[:2] or b'\0' in near[-2:], 'The text contains NUL bytes: save it as UTF-8'),
        (here[:4].decode('utf-8', 'replace')[:1] == '\ufffd',
         'This is not UTF-8: save it as UTF-8, or declare its encoding'),
        (re.match(rb'\xe2\x80[\x98\x99\x9c\x9d]', here), 'Use straight quotes'),
        (re.match(rb'[\x01-\x08\x0b\x0c\x0e-\x1f]', here),
         'The text contains a control character: remove it'),
        (b'&' in near[-40:].rpartition(b';')[2] + here[:1], 'Write &amp; for &'),
        (re.search(rb'=\s*\Z', tag), 'Put the value in quotes'),
        (is_in_value or here[:1] == b'<' and re.match(rb'<\w', tag),
         'A quote or ">" is missing before this, or "<" must be written as &lt;'),
        (re.search(rb'["\']\Z', tag), 'Put a space between the attributes'))
    return next((hint for is_cause, hint in causes if is_cause), '')
