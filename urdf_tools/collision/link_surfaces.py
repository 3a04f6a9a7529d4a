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

"""The shapes of links, with the meshes of visuals and collisions loaded."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from urdf_tools.collision.solid_shapes import shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.meshes.facts import read_surfaces
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.types import Array

_LARGEST = 1e6
"""Largest coordinate in m of shapes to fit."""

_Shapes = Iterable[Visual | Collision]


class SurfaceError(ValueError):
    """A shape that cannot be used; the text says which and why."""


class LinkSurfaces:
    """
    Visuals and collisions of links, with all their meshes loaded.

    :param shapes: all of them.
    :param resolve: takes the URI of a mesh to its file.
    :ivar files: the files of the meshes by URI.
    """

    def __init__(self, shapes: _Shapes, resolve: Callable[[str], Path]):
        self.files: dict[str, Path] = {}
        self._found: dict[str, Array | ResourceError | MeshError] = {}
        for shape in shapes:
            if isinstance(shape.geometry, Mesh):
                uri = shape.geometry.filename
                try:
                    self.files[uri] = resolve(uri)
                except ResourceError as error:
                    self._found[uri] = error
        read = read_surfaces(self.files.values())
        self._found |= {uri: read[path] for uri, path in self.files.items()}

    def surface(self, shapes: _Shapes) -> Surface:
        """
        Return the surface of all visuals of a link, of which there are some.

        :raises SurfaceError: a mesh cannot be read, or the shapes have no extent.
        """
        surface = Surface(np.concatenate([solid.triangles for solid in self.solids(shapes)]))
        if not 0 < surface.size < _LARGEST or np.abs(surface.points).max() > _LARGEST:
            raise SurfaceError(f'its visuals are {surface.size:g} m large')
        return surface

    def solids(self, shapes: _Shapes) -> tuple[Solid, ...]:
        """
        Return shapes in the frame of their link, meshes as shells.

        :raises SurfaceError: a mesh cannot be read.
        """
        return tuple(self._solid(shape) for shape in shapes)

    def _solid(self, shape: Visual | Collision) -> Solid:
        geometry, origin = shape.geometry, shape.origin
        if not isinstance(geometry, Mesh):
            return primitives([shape])[0]
        try:
            return shell(self.triangles(geometry) @ origin.rotation.T + origin.xyz)
        except ResourceError as error:
            raise SurfaceError(str(error)) from error
        except MeshError as error:
            raise SurfaceError(f'mesh {quote(geometry.filename, 120)}: {error}') from error

    def triangles(self, mesh: Mesh) -> Array:
        """
        Return the triangles of a mesh with its scale, shape (T, 3, 3) in metres.

        :raises ResourceError: its file is not found.
        :raises MeshError: it cannot be read.
        """
        found = self._found[mesh.filename]
        if isinstance(found, (ResourceError, MeshError)):
            raise found
        return np.asarray(found * mesh.scale)


def primitives(shapes: _Shapes) -> tuple[Solid, ...]:
    """Return the shapes other than meshes in the frame of their link."""
    return tuple(Solid(shape.geometry, shape.origin.rotation, np.array(shape.origin.xyz))
                 for shape in shapes if not isinstance(shape.geometry, Mesh))
