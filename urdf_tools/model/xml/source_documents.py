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

"""The sources of a description: xacro files as editable documents, and places in files."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import edited
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import SourceTag


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
