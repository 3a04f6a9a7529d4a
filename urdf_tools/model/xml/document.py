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

"""Parse descriptions from files or text into XML trees with source locations."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
import errno
import os
import re
from typing import TYPE_CHECKING

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.errors import MissingFileError
from urdf_tools.model.files import files_in
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Comment
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.xml_parser import XmlParser

if TYPE_CHECKING:
    from urdf_tools.model.xml.element_sources import XacroSources

MAX_BYTES = 32 * 2**20
"""Maximum size of a description in bytes; real ones are below 5 MB."""

_DECLARATION = re.compile(rb'\A(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml[ \t\r\n][^<>]*\?>')
_BLANK = bytes(byte if byte in b'\r\n' else ord(' ') for byte in range(256))
_COMMENT = re.compile(rb'<!--(.*?)(-->|\Z)', re.DOTALL)

_TEXT_AS_PATH = 'This is a description, not a path: name its file, or call loads() in Python'


@dataclass(frozen=True)
class Document:
    """
    A parsed description.

    :param root: the outermost element, whatever its tag.
    :param data: the bytes that offsets refer to.
    :param source: the file or topic that the bytes came from, or an empty string.
    :param comments: all comments in the order of the text.
    :param malformed: why the text is not well-formed XML, if it had to be repaired to be read;
        None if it is well-formed.
    :param xacro: the files that an expanded xacro file comes from, or None; see
        :attr:`Element.origin`.
    :param withheld: the environment variables that xacro asked for and was not given.
    """

    root: Element
    data: bytes = field(repr=False)
    source: str
    comments: tuple[Comment, ...] = field(repr=False)
    malformed: DescriptionError | None = None
    xacro: XacroSources | None = None
    withheld: tuple[str, ...] = ()


def read_document(data: bytes | str, source: str = '') -> Document:
    """
    Parse a description without entities, network or file access, in bounded time and memory.

    What urdfdom reads although it is not well-formed XML is read, too.

    :param data: the description; an encoding declared inside a ``str`` is ignored.
    :param source: where it came from, for messages.
    :raises DescriptionError: it is not XML, uses entities or exceeds a limit on its size.
    :raises TypeError: neither text nor bytes.
    """
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            f'A description is str or bytes, not {type(data).__name__}; '
            'for paths call load() or open_document()')
    try:
        return _read(data, source)
    except DescriptionError as error:
        error.source = source
        raise


def _read(data: bytes | str, source: str) -> Document:
    if len(data) > MAX_BYTES:
        raise too_large(len(data), source)
    encoding = 'utf-8' if isinstance(data, str) else None
    data = data.encode('utf-8', 'surrogatepass') if isinstance(data, str) else bytes(data)
    if not data.strip(b' \t\r\n\0\xef\xbb\xbf'):
        raise DescriptionError(
            'The description is empty', ErrorKind.MALFORMED,
            hint='Pass the text of a URDF file; an empty text often comes from a xacro or '
                 'launch file that failed')
    try:
        root, comments = XmlParser(encoding).parse(data)
        return Document(root, data, source, comments)
    except DescriptionError as error:
        repaired = _repaired(data) if error.kind is ErrorKind.MALFORMED else data
        if repaired == data:
            raise
        root, comments = XmlParser('utf-8').parse(repaired)
        error.source = source
        error.kind = ErrorKind.REPAIRED
        return Document(root, data, source, comments, error)


def too_large(size: int, source: str) -> DescriptionError:
    """Return the error for a description that is too large."""
    return DescriptionError(
        f'The description has {size} bytes; at most {MAX_BYTES} are read', ErrorKind.TOO_LARGE,
        hint='Refer to meshes by file instead of embedding data', source=source)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """
    Return the bytes of a description file, at most one more than :data:`MAX_BYTES`.

    :raises DescriptionError: the file cannot be read, or is a pipe that nobody has opened yet.
    """
    name = os.fsdecode(path)
    try:
        if not is_open(name):
            return read_regular_file(path, MAX_BYTES + 1)
        with open(path, 'rb') as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or str(error)
        missing = isinstance(error, FileNotFoundError)
        meant = _meant(name) if missing else ''
        raise (MissingFileError if missing else DescriptionError)(
            f'Cannot read {quote(name, 200)}: {reason}', ErrorKind.UNREADABLE,
            hint=next(hint for is_so, hint in (
                ('<' in name, _TEXT_AS_PATH),
                (getattr(error, 'errno', 0) == errno.EINVAL,
                 'Redirect it to standard input: - < PIPE'),
                (re.match('https?:/', name), 'Nothing is fetched: download the file, and name it'),
                (re.match('[a-z]+:/', name), 'URIs are not looked up here: name the file itself'),
                (isinstance(error, PermissionError), 'Make it readable, as with chmod u+r'),
                (isinstance(error, IsADirectoryError), 'Name a file in this folder; only check '
                 'takes folders'),
                (meant, meant),
                (True, 'Give the path of a URDF or xacro file')) if is_so)) from error


def _meant(path: str) -> str:
    """Return whether a file in the folder of one that does not exist is probably meant."""
    folder, name = os.path.split(path)
    known = os.path.splitext(name)[1], '.urdf', '.xacro', '.sdf', '.xml'
    files = [each for each in files_in(folder or '.') if os.path.splitext(each)[1] in known]
    stem = closest(name.split('.')[0], (each.split('.')[0] for each in files))
    near = closest(name, (each for each in files if each.split('.')[0] == stem), 0.0)
    return f'Did you mean {quote(os.path.join(folder, near), 200)}?' if near else ''


def is_open(path: str) -> bool:
    """Return whether a path is that of an open file, such as the pipe of ``<(xacro FILE)``."""
    return re.fullmatch(r'/dev/(stdin|fd/\d+)|/proc/\w+/fd/\d+', os.path.abspath(path)) is not None


def _repaired(data: bytes) -> bytes:
    """
    Return a description with the errors overwritten that urdfdom tolerates.

    Its parser ignores encodings and the content of declarations and comments. Every other byte
    keeps its offset. An encoding that is not compatible with ASCII is returned unchanged.
    """
    if b'\0' in data:
        return data
    data = _DECLARATION.sub(lambda match: match[0].translate(_BLANK), data)
    data = _COMMENT.sub(_repaired_comment, data)
    # Bytes that are not UTF-8 are decoded to surrogates, which are encoded as question marks.
    return data.decode('utf-8', 'surrogateescape').encode('utf-8', 'replace')


def _repaired_comment(comment: re.Match[bytes]) -> bytes:
    """Return a comment without hyphens if two of them follow each other in it."""
    text, end = comment.groups()
    if end and b'--' in text + b'-':
        text = text.replace(b'-', b'_')
    return b'<!--' + text + end
