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

"""Geoms of MJCF: their shapes, and the inertia that MuJoCo computes from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
import math

import numpy as np

from urdf_tools.dynamics.shapes import mesh_pyramids
from urdf_tools.dynamics.solids import ellipsoid
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import parallel_axis
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.formats.mjcf.models import from_z
from urdf_tools.formats.mjcf.models import Part
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.meshes.facts import read_vertices
from urdf_tools.meshes.moments import Moments
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.meshes.moments import pyramids
from urdf_tools.meshes.moments import surface
from urdf_tools.meshes.triangles import convex_hull
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.types import Array

WATER = 1000.0
"""The density (kg/m^3) of geoms for which MJCF gives none."""

SIZES = {'sphere': 1, 'capsule': 2, 'cylinder': 2, 'ellipsoid': 3, 'box': 3}
"""The shapes with a volume to how many numbers measure them."""

FLAT = ('plane', 'hfield')
"""The shapes without a volume."""

_LAYER = 1e-6
"""Thickness in metres of the layer that MuJoCo takes for the shell of an ellipsoid."""

_POWER = 1.6075
"""The exponent of Thomsen's formula for the area of an ellipsoid, as in MuJoCo."""


@dataclass(frozen=True, eq=False)
class Shape:
    """
    The shape of a geom.

    :ivar type: one of :data:`SIZES`, :data:`FLAT`, ``mesh`` or ``sdf``.
    :ivar size: radius, half lengths or half sides in metres, as in MJCF.
    :ivar pose: its pose in its body; of a mesh as its file has it.
    :ivar mesh: the mesh that it is.
    """

    type: str
    size: tuple[float, ...]
    pose: Array
    mesh: Mesh | None = None


class Mesh:
    """
    A mesh of the assets.

    :param part: the ``<mesh>``.
    :ivar scale: factors on x, y and z, which MuJoCo applies after ``refpos`` and ``refquat``.
    """

    def __init__(self, part: Part, resources: ResourceResolver):
        self.part = part
        self._resources = resources
        self.scale = np.array(part.numbers('scale', (1.0, 1.0, 1.0), 3))
        self.turned = part.turned('refquat').T
        self.reference = np.array(part.numbers('refpos', (0.0, 0.0, 0.0), 3))
        self._inertia: SpatialInertia | None = None
        self._triangles: Array | None = None

    @cached_property
    def uri(self) -> str:
        """Its file as the description can write it; empty if its vertices are in the model."""
        name = self.part.values.get('file', '')
        if not name:
            return ''
        path, beside = self.part.model.files(self.part.element, name, 'meshdir')
        if beside != path:
            try:
                self._resources.resolve(path)
            except ResourceError:
                return beside
        return path

    @property
    def placement(self) -> Array | None:
        """The pose in the geom of the scaled file; None if it is sheared."""
        if not np.allclose(self.turned, np.eye(3)) and np.ptp(self.scale):
            return None
        return homogeneous(self.turned, -self.scale * (self.turned @ self.reference))

    @property
    def inertia(self) -> SpatialInertia:
        """
        Its inertia of density one, in the frame of its vertices as the geom places them.

        :raises ValueError: it cannot be found or read, or has no volume.
        """
        if self._inertia is None:
            self._inertia = self._computed()
        return self._inertia

    def _computed(self) -> SpatialInertia:
        kind = self.part.values.get('inertia', 'legacy')
        placed = self.placement
        if kind == 'legacy' and placed is not None and self.uri:
            return mesh_pyramids(self._resources.resolve(self.uri), self.scale.tolist()
                                 ).transformed(placed)
        triangles = self.triangles
        if kind == 'convex':
            triangles = convex_hull(triangles.reshape(-1, 3))
        compute: dict[str, Callable[[Array], Moments]] = {'legacy': pyramids, 'shell': surface}
        found = compute.get(kind, polyhedron)(triangles)
        body = SpatialInertia.from_moments(found.measure, found.centroid, found.second)
        return body if body.mass > 0 else -body

    @property
    def triangles(self) -> Array:
        """
        Its triangles, scaled, shape (T, 3, 3).

        :raises ValueError: it cannot be found or read.
        """
        if self._triangles is None:
            if self.uri:
                vertices, faces = read_vertices(self._resources.resolve(self.uri))
                corners = vertices[faces]
            else:
                corners = self._written()
            self._triangles = (corners - self.reference) @ self.turned.T * self.scale
        return self._triangles

    def _written(self) -> Array:
        """Return the triangles that are written in the model."""
        if 'vertex' not in self.part.values:
            raise ValueError('it has neither a file nor vertices')
        numbers = self.part.numbers('vertex')
        if len(numbers) % 3 or not numbers:
            raise self.part.element.error('The coordinates of vertices are not a multiple of 3')
        vertices = np.reshape(numbers, (-1, 3))
        faces = np.array(self.part.numbers('face'), dtype=int)
        if not len(faces):
            return convex_hull(vertices)
        if len(faces) % 3 or faces.min() < 0 or faces.max() >= len(vertices):
            raise self.part.element.error('The faces do not name three vertices each')
        corners: Array = vertices[faces.reshape(-1, 3)]
        return corners


class Meshes:
    """The meshes of all models, each read once."""

    def __init__(self, resources: ResourceResolver):
        self._resources = resources
        self._meshes: dict[Part, Mesh] = {}

    def of(self, geom: Part) -> Mesh:
        """
        Return the mesh of a geom.

        :raises DescriptionError: it does not exist.
        """
        name = geom.values.get('mesh', '')
        part = geom.model.asset('mesh', name)
        if part is None:
            raise geom.element.error(f'Mesh {quote(name)} does not exist')
        if part not in self._meshes:
            self._meshes[part] = Mesh(part, self._resources)
        return self._meshes[part]


def shape_of(geom: Part, meshes: Meshes) -> Shape:
    """
    Return the shape of a geom.

    :raises DescriptionError: a value in it cannot be read, or its mesh does not exist.
    :raises ValueError: it is fitted to a mesh that cannot be found or read.
    """
    default = 'mesh' if 'mesh' in geom.values and 'type' not in geom.values else 'sphere'
    kind = geom.values.get('type', default)
    if kind in ('mesh', 'sdf'):
        return Shape(kind, (), geom.pose(), meshes.of(geom) if 'mesh' in geom.values else None)
    size = geom.numbers('size', (0.0, 0.0, 0.0))
    if kind in FLAT:
        return Shape(kind, size, geom.pose())
    if kind not in SIZES:
        raise geom.element.error(f'Geom type {quote(kind)} does not exist')
    if 'mesh' in geom.values:
        return _fitted(geom, kind, meshes.of(geom))
    pose, half = ends_pose(geom)
    if half:
        size = (size[0], half) if SIZES[kind] == 2 else (size[0], size[0], half)
    return Shape(kind, size[:SIZES[kind]], pose)


def ends_pose(part: Part) -> tuple[Array, float]:
    """
    Return the pose of a geom or a site, and half its length if ``fromto`` gives its ends.

    :raises DescriptionError: the ends are the same.
    """
    if 'fromto' not in part.values or part.values.get('type', 'sphere') == 'sphere':
        return part.pose(), 0.0
    ends = np.reshape(part.numbers('fromto', (), 6), (2, 3))
    along = ends[0] - ends[1]
    half = float(np.linalg.norm(along)) / 2
    if not half:
        raise part.element.error('The ends in fromto are the same')
    return part.frame @ homogeneous(from_z(along), ends.mean(axis=0)), half


def _fitted(geom: Part, kind: str, mesh: Mesh) -> Shape:
    """Return the primitive that MuJoCo fits to a mesh: to its inertia, or to its extent."""
    body = mesh.inertia
    moments, axes = np.linalg.eigh(body.rotational)
    moments, axes = moments[::-1], axes[:, ::-1].copy()
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    centre = np.zeros(3)
    if geom.model.settings.get('fitaabb') == 'true':
        corners = (mesh.triangles.reshape(-1, 3) - body.com) @ axes
        low, high = corners.min(axis=0), corners.max(axis=0)
        centre, half = (low + high) / 2, (high - low) / 2
        radius = float(max(half[:2]))
        sizes = {'sphere': (float(max(half)),), 'cylinder': (radius, float(half[2])),
                 'capsule': (radius, max(float(half[2]) - radius, 0.0))}
    else:
        half = np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / body.mass, 0)) / 2
        radius = float(half[:2].mean())
        sizes = {'sphere': (float(half.mean()),), 'cylinder': (radius, float(half[2])),
                 'capsule': (radius, max(float(half[2]) - radius / 2, 0.0))}
    scale = geom.number('fitscale', 1.0)
    size = tuple(scale * each for each in sizes.get(kind, tuple(half.tolist())))
    return Shape(kind, size, geom.pose() @ homogeneous(axes, body.com + axes @ centre))


def geom_inertia(geom: Part, shape: Shape) -> SpatialInertia:
    """
    Return the inertia of a geom in the frame of its body.

    :raises ValueError: it has no volume, or its mesh cannot be found or read.
    """
    mass = geom.number('mass', -1.0)
    if shape.type in FLAT or mass == 0 or (mass < 0 and geom.number('density', WATER) == 0):
        return SpatialInertia.zero()
    if shape.type in ('mesh', 'sdf'):
        if shape.mesh is None:
            raise ValueError('its shape is made by a plugin')
        body = shape.mesh.inertia
    elif geom.values.get('shellinertia') == 'true':
        body = _shell(shape.type, shape.size)
    else:
        body = _solid(shape.type, shape.size)
    body = body.with_mass(mass) if mass > 0 else body.scaled(geom.number('density', WATER))
    return body.transformed(shape.pose)


def _solid(kind: str, size: tuple[float, ...]) -> SpatialInertia:
    """Return the inertia of a primitive of density one in its own frame."""
    if kind == 'ellipsoid':
        return ellipsoid(size)
    return solid(primitive(kind, size))


def primitive(kind: str, size: tuple[float, ...]) -> Box | Capsule | Cylinder | Sphere:
    """Return a shape, other than an ellipsoid, as URDF measures it."""
    if kind == 'box':
        x, y, z = size
        return Box((2 * x, 2 * y, 2 * z))
    if kind == 'sphere':
        return Sphere(size[0])
    return (Capsule if kind == 'capsule' else Cylinder)(size[0], 2 * size[1])


def _shell(kind: str, size: tuple[float, ...]) -> SpatialInertia:
    """Return the inertia of the surface of a primitive, 1 kg/m^2, in its own frame."""
    if kind == 'ellipsoid':
        return _ellipsoid_shell(np.array(size))
    if kind == 'box':
        total = np.zeros(3)
        area = 0.0
        for axis in range(3):
            sides = np.array(size)
            face = 8 * float(np.prod(np.delete(sides, axis)))
            squares = sides ** 2 / 3
            squares[axis] = sides[axis] ** 2
            total += face * (squares.sum() - squares)
            area += face
        return SpatialInertia(area, np.zeros(3), np.diag(total))
    radius = size[0]
    square = radius ** 2
    if kind == 'sphere':
        area = 4 * math.pi * square
        return SpatialInertia(area, np.zeros(3), np.eye(3) * 2 / 3 * area * square)
    half = size[1]
    side = 4 * math.pi * radius * half
    wall = SpatialInertia(side, np.zeros(3), np.diag(
        [side * (square / 2 + half ** 2 / 3)] * 2 + [side * square]))
    if kind == 'cylinder':
        ends = 2 * math.pi * square
        across = ends * (square / 4 + half ** 2)
        caps = SpatialInertia(ends, np.zeros(3), np.diag([across, across, ends * square / 2]))
    else:
        ends = 4 * math.pi * square
        # The centre of mass of a hemisphere is half its radius from the plane.
        about = np.eye(3) * 2 / 3 * ends * square
        about -= ends * parallel_axis(np.array([0.0, 0.0, radius / 2]))
        about += ends * parallel_axis(np.array([0.0, 0.0, half + radius / 2]))
        caps = SpatialInertia(ends, np.zeros(3), about)
    return wall + caps


def _ellipsoid_shell(radii: Array) -> SpatialInertia:
    powers = radii ** _POWER
    products = powers[0] * powers[1] + powers[0] * powers[2] + powers[1] * powers[2]
    area = 4 * math.pi * float(products / 3) ** (1 / _POWER)
    outer, inner = map(ellipsoid, (radii + _LAYER, radii))
    layer = SpatialInertia(outer.mass - inner.mass, np.zeros(3),
                           outer.rotational - inner.rotational)
    return layer.with_mass(area)
