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

"""A robot that xacro has expanded, and where its elements are written."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from urdf_tools.findings.message import link_or_joint
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import fits
from urdf_tools.lsp.specification import is_one_symbol
from urdf_tools.lsp.specification import Kind
from urdf_tools.lsp.specification import TABLES
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceLocation

_KINDS: dict[str, Kind] = {'link': 'link', 'joint': 'joint', 'material': 'material'}
_NAMES: Mapping[str, Any] = TABLES['elements that name a part']


class ExpandedRobot:
    """
    An expanded description, by the source locations of its elements.

    :param document: the description with the sources of its elements.
    :param own_path: returns the path of a file as the editor knows it.
    """

    def __init__(self, document: Document, own_path: Callable[[str], str]):
        self._root = document.root
        files = () if document.xacro is None else document.xacro.files
        self._paths = {file.path: own_path(file.path) for file in files}
        self._texts = {self._paths[file.path]: file.text for file in files}

    @cached_property
    def _elements(self) -> dict[tuple[str, int, int], list[Element]]:
        return grouped(
            ((self._paths[origin.location.file], *origin.location[1:]), element)
            for element in self._root.iter() if (origin := element.origin) is not None)

    @cached_property
    def _named(self) -> list[tuple[Kind, str, Element]]:
        return [(_KINDS[element.tag], element.get('name', ''), element)
                for element in self._root if element.tag in _KINDS]

    def values(self, source: Source, start: int, attribute: str) -> Iterator[tuple[str, str]]:
        """
        Yield the values of an attribute after the expansion, each with its link or joint.

        Nothing if the file has changed since.

        :param start: offset of the tag that the attribute is in.
        """
        if self._texts.get(source.path) not in (source.text, source.text.replace('\r\n', '\n')):
            return
        key = (source.path, *source.positions.line_and_column(start))
        for element in self._elements.get(key, ()):
            if attribute in element.attrib:
                owner = link_or_joint(element)
                yield element.attrib[attribute], owner.get('name', '') if (
                    owner is not None) else element.get('name', element.tag)

    def names(self, kind: Kind) -> list[str]:
        """Return the names of the links, joints or materials."""
        return list(dict.fromkeys(
            name for own, name, _ in self._named if name and fits(kind, own)))

    def templates(self, kind: Kind, name: str) -> Iterator[str]:
        """Yield the source texts of names that contain an expression and other text."""
        for element in self._root.iter():
            own, key = _NAMES.get(element.tag, (kind, ''))
            if element.get(key) != name or element.origin is None or not fits(kind, own):
                continue
            written = element.origin.attribute(key)
            raw = '' if written is None else written.raw
            for call in element.origin.call_chain():
                if is_one_symbol(raw):
                    raw = call.tag.raw.get(raw.strip()[2:-1].strip(), '')
            if '$' in raw and not is_one_symbol(raw):
                yield raw

    def definitions(self, kind: Kind, name: str) -> Iterator[SourceLocation]:
        """Yield where the links, joints or materials of a name are written."""
        for own, other, element in self._named:
            if other == name and fits(kind, own) and element.origin is not None:
                path, line, column = element.origin.location
                yield SourceLocation(self._paths[path], line, column)
