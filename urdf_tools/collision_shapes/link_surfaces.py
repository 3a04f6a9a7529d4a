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

"""What is seen of the links of a robot as triangles, and the collision shapes that they have."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_surfaces import read_surfaces
from urdf_tools.meshes.shape_triangles import shape_triangles
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Link
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual

_LARGEST = 1e6
"""Coordinates in m beyond which nothing is fitted."""


class SurfaceError(ValueError):
    """A shape that cannot be used; the text says which and why."""


@dataclass(frozen=True, eq=False)
class Collisions:
    """The collision shapes that a link has."""

    solids: tuple[Solid, ...]
    meshes: tuple[Surface, ...]


class LinkSurfaces:
    """
    The visuals and collisions of links, with all their meshes read.

    :param resolve: takes the URI of a mesh to its file.
    """

    def __init__(self, links: Iterable[Link], resolve: Callable[[str], Path]):
        self.files: dict[str, Path] = {}
        self._errors: dict[str, str] = {}
        for link in links:
            shapes: tuple[Visual | Collision, ...] = (*link.visuals, *link.collisions)
            for shape in shapes:
                if isinstance(shape.geometry, Mesh):
                    self._find(shape.geometry.filename, resolve)
        self._read: Mapping[Path, Array | MeshError] = read_surfaces(self.files.values())

    def _find(self, uri: str, resolve: Callable[[str], Path]) -> None:
        try:
            self.files[uri] = resolve(uri)
        except ResourceError as error:
            self._errors[uri] = str(error)

    def visual(self, link: Link) -> Surface:
        """
        Return what is seen of a link, which has visuals.

        :raises SurfaceError: a mesh cannot be read, or the shapes have no extent.
        """
        surface = Surface(np.concatenate([self._triangles(shape) for shape in link.visuals]))
        if not 0 < surface.size < _LARGEST or np.abs(surface.points).max() > _LARGEST:
            raise SurfaceError(f'its visuals are {surface.size:g} m large')
        return surface

    def collisions(self, link: Link) -> Collisions:
        """
        Return the collision shapes of a link.

        :raises SurfaceError: a mesh cannot be read.
        """
        return Collisions(
            solids_of(link.collisions),
            tuple(Surface(self._triangles(shape)) for shape in link.collisions
                  if isinstance(shape.geometry, Mesh)))

    def _triangles(self, shape: Visual | Collision) -> Array:
        geometry = shape.geometry
        if isinstance(geometry, Mesh):
            triangles = self._mesh(geometry.filename) * geometry.scale
        else:
            surface = shape_triangles(geometry)
            triangles = surface.vertices.astype(float)[surface.faces]
        return triangles @ shape.origin.rotation.T + shape.origin.xyz

    def _mesh(self, uri: str) -> Array:
        if uri in self._errors:
            raise SurfaceError(self._errors[uri])
        found = self._read[self.files[uri]]
        if isinstance(found, MeshError):
            raise SurfaceError(f'mesh {quote(uri, 120)}: {found}')
        return found


def solids_of(shapes: Iterable[Visual | Collision]) -> tuple[Solid, ...]:
    """Return the shapes other than meshes in the frame of their link."""
    return tuple(
        Solid(shape.geometry, shape.origin.rotation, np.array(shape.origin.xyz))
        for shape in shapes if not isinstance(shape.geometry, Mesh))
