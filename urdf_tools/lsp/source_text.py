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

"""The text of a file: its positions and names, and the syntax at an offset."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
import os
from pathlib import Path
import re
from typing import Literal
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec
from pygls.workspace import TextDocument

from urdf_tools.check.workspace.descriptions import DescriptionFile
from urdf_tools.check.workspace.descriptions import is_description_file
from urdf_tools.check.workspace.descriptions import is_semantic
from urdf_tools.lsp.symbol_uses import Names
from urdf_tools.model.package_lookup import MAX_DEPTH
from urdf_tools.model.package_lookup import MAX_PATH
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import first_tag
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.model.xml.syntax_tree import TextLines
from urdf_tools.xacro.text import is_xacro

_ASCII = re.compile(r'[\0-\x7f]+')


def uri_of(path: str) -> str:
    """Return the URI of a path; of a buffer that has never been saved, its own."""
    return Path(path).as_uri() if os.path.isabs(path) else path


def path_of(uri: str) -> str:
    """
    Return the path of a URI; for what cannot be a file, such as a new buffer, the URI.

    :raises JsonRpcInvalidParams: it is too long to look around in its folders.
    """
    if len(unquote(uri)) > MAX_PATH or uri.count('/') > MAX_DEPTH:
        raise JsonRpcInvalidParams(
            f'A URI has at most {MAX_PATH} characters and {MAX_DEPTH} slashes')
    path = to_fs_path(uri) if uri.startswith('file:') else None
    with suppress(UnicodeEncodeError):
        is_file = path and b'\0' not in os.fsencode(path)
        return os.path.normpath(path) if path and is_file else uri.encode().decode()
    return uri.encode('utf-8', 'replace').decode()


class TextPositions(TextLines):
    """
    Converts between offsets in a text, in characters, and positions of the protocol.

    :param codec: the unit in which the client counts characters of a line.
    """

    def __init__(self, text: str, codec: PositionCodec):
        super().__init__(text)
        self._codec = codec

    def of(self, text: str) -> TextPositions:
        """Return the positions in another text."""
        return TextPositions(text, self._codec)

    @cached_property
    def _data(self) -> bytes:
        return self.text.encode('utf-8', 'surrogatepass')

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position, which is moved into the line if it is outside."""
        start = self.line_start(position.line + 1)
        line = self.text[start:self.end_of_line(start)]
        character = position.character
        if not line.isascii():
            # The codec takes a line with its end, and changes the position.
            character = self._codec.position_from_client_units(
                (line + '\n',), types.Position(0, character)).character
        return start + min(character, len(line))

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, column = self.line_and_column(offset)
        before = self.text[offset - column + 1:offset]
        # The codec looks at each character, which takes long in a long line.
        wide = '' if before.isascii() else _ASCII.sub('', before)
        return types.Position(
            line - 1, len(before) - len(wide) + self._codec.client_num_units(wide))

    def range(self, start: int, end: int) -> types.Range:
        """Return the range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def offset_of_byte(self, byte: int) -> int:
        """Return the offset of a byte in the text as UTF-8."""
        if self.text.isascii():
            return byte
        return len(self._data[:byte].decode('utf-8', 'surrogatepass'))


class Buffer(TextDocument):
    """
    An open text that is changed at positions of the protocol.

    Its lines end where the protocol says. Those of pygls also end at form feeds and the like, and
    after such a character it changes the text somewhere else than the editor.

    :ivar positions: those in the text as it is now.
    """

    def __init__(self, document: TextDocument):
        super().__init__(
            document.uri, document.source, document.version, document.language_id,
            position_codec=document.position_codec)
        self.positions = TextPositions(document.source, document.position_codec)

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Change a part of the text, or all of it."""
        text = change.text
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = self.positions.offset(change.range.start)
            end = self.positions.offset(change.range.end)
            text = self.source[:start] + text + self.source[end:]
        super().apply_change(types.TextDocumentContentChangeWholeDocument(text))
        self.positions = self.positions.of(text)


class Source:
    """
    The text of a file, with cached results of its analysis.

    :ivar path: the absolute path; for a buffer that has never been saved, its URI.
    :ivar version: the version of the buffer; None for a file on disk.
    :ivar positions: the positions in the text.
    :ivar is_semantic: whether it is the SRDF of a robot, which has the same outermost element.
    """

    def __init__(self, path: str, version: int | None, positions: TextPositions):
        self.path = path
        self.text = positions.text
        self.version = version
        self.positions = positions
        self.is_semantic = is_semantic(path)

    @cached_property
    def tree(self) -> SyntaxTree:
        """The tags of the text."""
        return SyntaxTree(self.text)

    @cached_property
    def names(self) -> Names:
        """The names in it; none that xacro looks up in a text that it does not expand."""
        return Names(self.tree, self.is_xacro)

    @cached_property
    def is_xacro(self) -> bool:
        """Whether xacro has to expand it."""
        return is_xacro(self.path, self.text)

    @cached_property
    def included_names(self) -> tuple[str, ...]:
        """The files that it includes, as written."""
        nodes = self.tree.nodes if 'xacro:include' in self.text else ()
        return tuple(node.get('filename') for node in nodes if node.tag == 'xacro:include')

    @cached_property
    def is_description(self) -> bool:
        """Whether it is a robot description and not another XML file."""
        return is_description_file(self.path) or first_tag(self.text) == 'robot'

    @cached_property
    def robot(self) -> str:
        """The name of the robot that it is about; empty if it has none."""
        root = self.tree.root if first_tag(self.text) == 'robot' else None
        return '' if root is None else root.get('name')

    @cached_property
    def contents(self) -> DescriptionFile:
        """The purpose of the file, as far as its text shows."""
        return DescriptionFile(
            self.path, lambda: self.tree.root, self.is_xacro, 'xacro:include' in self.text)


@dataclass(frozen=True)
class Cursor:
    """
    The syntax at an offset in a text.

    :ivar part: ``tag`` (the name in a start tag), ``closing`` (in an end tag), ``attribute`` (its
        name, or where one may begin), ``value`` (inside of the quotes) or ``content``.
    :ivar node: the element of the tag; for content the element around it.
    :ivar attribute: the attribute, if there is one.
    :ivar start: offset where the word at the cursor begins.
    :ivar end: offset where it ends.
    """

    part: Literal['tag', 'closing', 'attribute', 'value', 'content']
    node: Node
    attribute: Attribute | None
    start: int
    end: int


def cursor_at(source: Source, offset: int) -> Cursor | None:
    """Return the syntax at an offset; None in comments and the like, and outside of elements."""
    if source.tree.is_hidden(offset):
        return None
    node = source.tree.tag_at(offset)
    if node is None:
        return _outside_tag(source, offset)
    if offset <= node.name_end:
        return Cursor('tag', node, None, node.start + 1, node.name_end)
    for attribute in node.attributes:
        if attribute.start <= offset <= attribute.name_end:
            return Cursor('attribute', node, attribute, attribute.start, attribute.name_end)
        if 0 <= attribute.value_start <= offset <= attribute.value_end:
            return Cursor('value', node, attribute, attribute.value_start, attribute.value_end)
    if source.text[offset - 1].isspace():
        return Cursor('attribute', node, None, offset, offset)
    return None


def _outside_tag(source: Source, offset: int) -> Cursor | None:
    text = source.text
    opening = text.rfind('<', 0, offset)
    if opening >= 0 and text.startswith('</', opening) and '>' not in text[opening:offset]:
        end = offset + len(re.split(r'[<> \t\r\n]', text[offset:], maxsplit=1)[0])
        inner = source.tree.node_at(opening)
        return None if inner is None else Cursor('closing', inner, None, opening + 2, end)
    around = source.tree.node_at(offset)
    return None if around is None else Cursor('content', around, None, offset, offset)
