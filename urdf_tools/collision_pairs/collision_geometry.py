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

"""The collision shapes of links as numbers, which another process can compute with."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_record import merge_corners
from urdf_tools.meshes.mesh_surfaces import end_readers
from urdf_tools.meshes.mesh_surfaces import read_surfaces
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Sphere


class GeometryError(ValueError):
    """A collision shape that cannot be used; the text says which and why."""


@dataclass(frozen=True, eq=False)
class Solid:
    """
    A box, sphere, cylinder or capsule.

    :param kind: its name.
    :param sizes: the extents of a box, or radius and, unless it is a sphere, length, in metres.
    :param pose: in the frame of its link, shape (4, 4).
    """

    kind: str
    sizes: tuple[float, ...]
    pose: Array

    @property
    def extents(self) -> Array:
        """Size along its x, y and z in metres, shape (3,)."""
        if self.kind == 'box':
            return np.array(self.sizes)
        radius, length = self.sizes[0], self.sizes[1] if len(self.sizes) > 1 else 0.0
        ends = 0.0 if self.kind == 'cylinder' else 2 * radius
        return np.array([2 * radius, 2 * radius, length + ends])


@dataclass(frozen=True, eq=False)
class Surface:
    """
    The triangles of a mesh in the frame of its link.

    :param vertices: in metres, shape (V, 3).
    :param faces: shape (F, 3).
    """

    vertices: Array
    faces: Indices


Shape = Solid | Surface


def collision_geometry(
        robot: Robot, resolve: Callable[[str], Path]) -> Mapping[str, tuple[Shape, ...]]:
    """
    Return the collision shapes of each link that has some, in the order of the description.

    :param resolve: takes the URI of a mesh to its file.
    :raises GeometryError: a mesh cannot be read.
    """
    files: dict[str, Path] = {}
    links = {link.name: link.collisions for link in robot.links.values() if link.collisions}
    for name, shapes in links.items():
        for shape in shapes:
            if isinstance(shape.geometry, Mesh):
                uri = shape.geometry.filename
                try:
                    files[uri] = resolve(uri)
                except ResourceError as error:
                    raise GeometryError(f'Link {quote(name)}: {error}') from error
    read = read_surfaces(files.values())
    end_readers()
    meshes = {}
    for uri, path in files.items():
        found = read[path]
        if isinstance(found, MeshError):
            raise GeometryError(f'Mesh {quote(uri, 120)}: {found}')
        meshes[uri] = merge_corners(found)
    return {name: tuple(_shape(shape, meshes) for shape in shapes)
            for name, shapes in links.items()}


def _shape(shape: Collision, meshes: Mapping[str, tuple[Array, Indices]]) -> Shape:
    geometry, pose = shape.geometry, shape.origin.matrix
    if isinstance(geometry, Mesh):
        vertices, faces = meshes[geometry.filename]
        return Surface((vertices * geometry.scale) @ pose[:3, :3].T + pose[:3, 3], faces)
    if isinstance(geometry, Box):
        sizes: tuple[float, ...] = geometry.size
    elif isinstance(geometry, Sphere):
        sizes = (geometry.radius,)
    else:
        sizes = (geometry.radius, geometry.length)
    return Solid(type(geometry).__name__.lower(), sizes, pose)
