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

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import once
from urdf_tools.meshes.facts import read_meshes
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.element import Element


class MeshReference(NamedTuple):
    """
    A mesh of a visual or collision.

    :ivar filename: the URI of its file as written.
    :ivar path: the file, or None if it was not found.
    :ivar facts: what the file contains, or None if it cannot be read.
    :ivar error: why there is no ``path`` or no ``facts``.
    """

    element: Element
    owner: Element
    filename: str
    path: Path | None = None
    facts: MeshRecord | None = None
    error: ResourceError | MeshError | None = None


class MeshReferences:
    """
    All meshes of a description in file order.

    Their files are read when the first rule asks for them, several at the same time.
    """

    def __init__(self, description: Description):
        paths: dict[str, Path | ResourceError] = {}
        found = []
        for owner, geometry in description.shapes:
            element = child(geometry, 'mesh')
            filename = '' if element is None else element.get('filename', '').strip()
            if element is not None and filename and not is_expression(filename):
                found.append((element, owner, filename))
                try:
                    paths[filename] = description.resolve(filename)
                except ResourceError as error:
                    paths[filename] = error
        facts = read_meshes([path for path in paths.values() if isinstance(path, Path)])
        self.all = [_reference(*parts, paths[parts[-1]], facts) for parts in found]
        self._of_file = {mesh.filename: mesh for mesh in self.all}

    def resolve(self, filename: str) -> Path:
        """
        Return the file of a mesh that can be read.

        :raises ResourceError: it was not found, or cannot be read.
        """
        mesh = self._of_file.get(filename.strip())
        if mesh is None or mesh.path is None or mesh.facts is None:
            raise ResourceError(f'{quote(filename)} cannot be read', '', 'missing')
        return mesh.path

    def facts(self, filename: str) -> MeshRecord | None:
        """Return what a mesh contains, or None if it was not found or cannot be read."""
        mesh = self._of_file.get(filename.strip())
        return None if mesh is None else mesh.facts


def _reference(element: Element, owner: Element, filename: str, path: Path | ResourceError,
               facts: Mapping[Path, MeshRecord | MeshError]) -> MeshReference:
    if isinstance(path, ResourceError):
        return MeshReference(element, owner, filename, error=path)
    found = facts[path]
    return MeshReference(element, owner, filename, path, error=found) if (
        isinstance(found, MeshError)) else MeshReference(element, owner, filename, path, found)


mesh_references = once(MeshReferences)
"""Return the meshes of a description."""
