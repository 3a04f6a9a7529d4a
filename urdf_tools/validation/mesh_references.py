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

"""The meshes that a description refers to, each file read once for all rules."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace
from pathlib import Path

from urdf_tools.meshes.mesh_facts import MeshFacts
from urdf_tools.meshes.mesh_facts import read_meshes
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression


@dataclass(frozen=True, eq=False)
class MeshReference:
    """
    A mesh of a visual or collision.

    :ivar filename: the URI of its file as written.
    :ivar path: the file, or None where it was not found.
    :ivar facts: what the file contains, or None where it cannot be read.
    :ivar error: why there is no ``path`` or no ``facts``.
    """

    element: Element
    owner: Element
    filename: str
    path: Path | None = None
    facts: MeshFacts | None = None
    error: ResourceError | MeshError | None = None

    def __str__(self) -> str:
        """Return the filename in quotes."""
        return quote(self.filename, 120)


class MeshReferences:
    """
    All meshes of a description in file order.

    Their files are read when the first rule asks for them, several at the same time.
    """

    def __init__(self, description: Description):
        self._paths: dict[str, Path | ResourceError] = {}
        found = [_found(description, self._paths, owner, geometry)
                 for owner, geometry in description.shapes]
        references = [reference for reference in found if reference is not None]
        self._facts = read_meshes([
            reference.path for reference in references if reference.path is not None])
        self.all = [self._read(reference) for reference in references]

    def resolve(self, filename: str) -> Path:
        """
        Return the file of a mesh that can be read.

        :raises ResourceError: it was not found, or cannot be read.
        """
        path = self._paths.get(filename.strip())
        if isinstance(path, ResourceError):
            raise path
        if path is None or isinstance(self._facts[path], MeshError):
            raise ResourceError(f'{quote(filename)} cannot be read', '', 'missing')
        return path

    def facts(self, filename: str) -> MeshFacts | None:
        """Return what a mesh contains, or None where it was not found or cannot be read."""
        path = self._paths.get(filename.strip())
        facts = self._facts.get(path) if isinstance(path, Path) else None
        return facts if isinstance(facts, MeshFacts) else None

    def _read(self, reference: MeshReference) -> MeshReference:
        if reference.path is None:
            return reference
        facts = self._facts[reference.path]
        return (replace(reference, error=facts) if isinstance(facts, MeshError)
                else replace(reference, facts=facts))


def _found(
        description: Description, paths: dict[str, Path | ResourceError], owner: Element,
        geometry: Element | None) -> MeshReference | None:
    """Return the mesh of a shape with its file, or None where it has none."""
    element = child(geometry, 'mesh')
    filename = '' if element is None else element.get('filename', '').strip()
    if element is None or not filename or is_expression(filename):
        return None
    if filename not in paths:
        try:
            paths[filename] = description.resolve(filename)
        except ResourceError as error:
            paths[filename] = error
    path = paths[filename]
    if isinstance(path, ResourceError):
        return MeshReference(element, owner, filename, error=path)
    return MeshReference(element, owner, filename, path)
