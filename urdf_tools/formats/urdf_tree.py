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

"""Make the URDF that a document of another format becomes, with the source of each element."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
import json
import os
from pathlib import Path
from typing import Any
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import Losses
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import add_tags
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import text_of
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.model.xml.xml_parser import MAX_ELEMENTS
from urdf_tools.types import Array

if TYPE_CHECKING:
    from collections.abc import Iterator


TABLES: Mapping[str, Any] = json.loads(Path(__file__).with_name('tables.json').read_bytes())
"""What the readers of other formats know, by name."""

MAX_FILES = 1000
"""Maximum number of files that are included; one counts as often as it is."""


class Work:
    """
    Counts what a description asks for, in all files and copies.

    :param source: its file; if that is relative, so are those that it includes.
    :ivar elements: how many elements.
    """

    def __init__(self, source: str = os.sep) -> None:
        self._source = source
        self.elements = 0
        self._files = 0
        self._size = 0

    def add(self, element: Element, elements: int, size: int) -> None:
        """
        Count elements.

        :param element: what asks for them.
        :param size: their size in bytes, or that of their names.
        :raises DescriptionError: there are too many.
        """
        self.elements += elements
        self._size += size
        if self.elements > MAX_ELEMENTS or self._size > MAX_BYTES or self._files > MAX_FILES:
            error = element.error(
                f'The model has more than {MAX_ELEMENTS} elements, {MAX_FILES} files or '
                f'{MAX_BYTES // 2**20} MB, with all that it includes and copies')
            error.kind = ErrorKind.TOO_LARGE
            raise error

    def read(self, path: Path, include: Element) -> Document:
        """
        Read a file that an element includes.

        :raises DescriptionError: it cannot be read, or the files are too many or too large.
        """
        try:
            data = read_regular_file(path, MAX_BYTES + 1)
        except OSError as error:
            raise include.error(
                f'Cannot read {quote(str(path), 200)}: {error.strerror or error}') from error
        self._files += 1
        self.add(include, 0, len(data))
        document = read_document(
            data, str(path) if os.path.isabs(self._source) else os.path.relpath(path))
        self.add(include, sum(1 for _ in document.root.iter()), 0)
        return document


class Node(ElementTree.Element):
    """
    An element of URDF that is being made.

    :param work: counts the nodes.
    :ivar source: the element of the other format that it stands for.
    :raises DescriptionError: there are too many.
    """

    source: Element

    def __init__(self, tag: str, source: Element, work: Work, **attributes: object):
        super().__init__(tag, {name: text_of_value(value) for name, value in attributes.items()})
        work.add(source, 1, sum(map(len, self.attrib.values())))
        self.source = source
        self._work = work

    if TYPE_CHECKING:
        def __iter__(self) -> Iterator[Node]: ...

    def add(self, tag: str, source: Element | None = None, **attributes: object) -> Node:
        """
        Append a child, and return it.

        :param source: what it stands for; by default the same as the element.
        :param attributes: as in :func:`text_of_value`.
        """
        child = Node(tag, self.source if source is None else source, self._work, **attributes)
        self.append(child)
        return child

    def add_copy(self, element: Element) -> Node:
        """Append a copy of an element with all below it, and return it."""
        child = self.add(element.tag, element)
        child.attrib.update(element.attrib)
        child.text = element.text
        for below in element:
            child.add_copy(below)
        return child


def leave_out(losses: Losses, element: Element, kind: str = 'element', is_harmless: bool = True,
              impact: Impact = Impact.IGNORES) -> None:
    """Note an element for which URDF has nothing."""
    losses.note(kind, impact, element, '{element} is left out: URDF has nothing like it',
                is_harmless=is_harmless)


def text_of_value(value: Any) -> str:
    """Return a text, a number or a sequence of numbers as text, which loses no digit."""
    if isinstance(value, str):
        return value
    numbers = [value] if isinstance(value, (int, float)) else value
    return ' '.join(repr(float(number) + 0.0) for number in numbers)


def pose_numbers(pose: Array) -> tuple[float, ...]:
    """Return x, y, z, roll, pitch and yaw of a homogeneous matrix of shape (4, 4)."""
    x, y, z = pose[:3, 3].tolist()
    return (x, y, z, *rpy_of(pose[:3, :3]))


def add_origin(node: Node, pose: Array, source: Element | None = None) -> None:
    """
    Add the ``<origin>`` of a pose, unless it is the identity.

    :param pose: homogeneous matrix of shape (4, 4).
    :param source: where it is written; by default where the element is.
    """
    numbers = pose_numbers(pose)
    parts = {name: part for name, part in (('xyz', numbers[:3]), ('rpy', numbers[3:]))
             if any(part)}
    if parts:
        node.add('origin', source, **parts)


def place(document: Document, include: Element | None = None, is_quotable: bool = True
          ) -> Sequence[SourceFile]:
    """
    Give every element of a document its source, and return the files that it comes from.

    An expanded document has them already.

    :param include: the element of another document, already placed, that includes this one.
    :param is_quotable: whether messages may quote its lines.
    """
    if document.xacro is not None:
        return document.xacro.files
    origin = None if include is None else include.origin
    file = SourceFile(document.source, text_of(document.data),
                      None if origin is None else origin.tag, is_quotable)
    for element, tag in zip(document.root.iter(), add_tags(file, document).values()):
        element.origin = ElementSource(tag, None)
    return [file]


def converted(root: Node, document: Document, files: Sequence[SourceFile], losses: Sequence[Loss],
              format: str, is_free: bool, commands: Mapping[str, Sequence[str]] = {}
              ) -> ConvertedDocument:
    """
    Return what a document became as a document.

    :param root: the ``<robot>`` with all below it, made of elements of placed documents.
    :param document: what was converted.
    :param files: all files that it comes from, the outermost first.
    :param format: its format, such as ``SDF``.
    :param is_free: whether its base moves freely in the world.
    :param commands: what actuators command, by joint.
    :raises DescriptionError: the result exceeds a limit on its size.
    """
    ElementTree.indent(root)
    text = f'<?xml version="1.0"?>\n{ElementTree.tostring(root, "unicode")}\n'
    made = read_document(text, f'{document.source} (converted)')
    nodes: Any = root.iter()
    for element, node in zip(made.root.iter(), nodes, strict=True):
        element.origin = node.source.origin
    return ConvertedDocument(
        made.root, made.data, document.source, made.comments, document.malformed,
        XacroSources(files, {}), document.withheld, format, tuple(losses), commands,
        document.xacro is not None, is_free)
