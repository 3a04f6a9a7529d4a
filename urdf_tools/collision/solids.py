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

"""
Shapes in the frame of their link: distances, points, rounded numbers.

A shape is a primitive of URDF, a convex hull, or the surface of a mesh.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property
from math import asin
from math import atan2
from math import pi
from pathlib import Path

import numpy as np

from urdf_tools.collision.surface import Surface
from urdf_tools.meshes.facts import read_surfaces
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.types import Array
from urdf_tools.types import Indices

_STEP = 1e-7
"""Step in m of numeric derivatives."""

_CLOSE = 2e-4
"""Height in m over the plane of a face up to which that counts as the distance."""

_SAMPLES = 2400
"""Number of points on the surface of a solid, besides its corners."""

_STEPS = ((1e-3, 1e-2), (1e-3, 0.0), (1e-4, 0.0), (1e-5, 0.0))
"""Steps of lengths in m, and angles in rad within which a right angle is taken."""

_MAX_GROWTH = 1.03
"""Factor on the volume that rounding may cause."""

_MIN_SIZE = 1e-3
"""Smallest size of a shape in m, as programs refuse flat ones."""

_DIGITS = 4
"""Decimals of angles."""

_MAX_COORDINATE = 1e6
"""Largest coordinate in m of shapes to fit."""

Primitive = Box | Cylinder | Sphere | Capsule

_Shapes = Iterable[Visual | Collision]


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex polyhedron: vertices (V, 3) in metres, and faces (F, 3) with normals outward."""

    vertices: Array
    faces: Indices

    @cached_property
    def surface(self) -> Surface:
        """Its triangles."""
        return Surface(self.vertices[self.faces])

    @cached_property
    def normals(self) -> Array:
        """The unit normals of the faces, shape (F, 3)."""
        return unit_normals(self.surface.triangles)

    def heights(self, points: Array) -> Array:
        """Return the largest height of each point over the planes of the faces, shape (N,)."""
        heights: Array = (points @ self.normals.T - np.einsum(
            'ij,ij->i', self.normals, self.surface.triangles[:, 0])).max(axis=1)
        return heights


@dataclass(frozen=True, eq=False)
class Shell:
    """A surface of few triangles that is not convex; distances inside of it are not negative."""

    surface: Surface


Shape = Primitive | Hull | Shell


@dataclass(frozen=True, eq=False)
class Solid:
    """
    A shape in the frame of a link, convex but for a :class:`Shell`.

    The triangles of a :class:`Hull` or :class:`Shell` are in that frame already.

    :ivar rotation: its axes as columns, shape (3, 3).
    :ivar centre: in metres, shape (3,).
    """

    shape: Shape
    rotation: Array
    centre: Array

    @property
    def kind(self) -> str:
        """The name of the shape in lower case."""
        return type(self.shape).__name__.lower()

    def distances(self, points: Array) -> Array:
        """Return the distances of points from the surface, negative inside, shape (N,)."""
        return _distances(self.shape, (points - self.centre) @ self.rotation)

    def clearances(self, points: Array) -> Array:
        """Return lower bounds on distances of points from the surface, negative inside."""
        if isinstance(self.shape, Hull):
            return self.shape.heights((points - self.centre) @ self.rotation)
        return self.distances(points)

    @cached_property
    def volume(self) -> float:
        """The volume in m^3."""
        shape = self.shape
        if isinstance(shape, Box):
            return float(np.prod(shape.size))
        if isinstance(shape, (Hull, Shell)):
            return abs(polyhedron(shape.surface.triangles).measure)
        ball = 0.0 if isinstance(shape, Cylinder) else 4 / 3 * np.pi * shape.radius ** 3
        length = 0.0 if isinstance(shape, Sphere) else shape.length
        return float(np.pi * shape.radius ** 2 * length + ball)

    @property
    def triangles(self) -> Array:
        """Its triangles in the frame of the link, shape (T, 3, 3)."""
        return _surface(self.shape).triangles @ self.rotation.T + self.centre

    @cached_property
    def surface_points(self) -> tuple[Array, Array]:
        """Points spread over the surface, and their normals, each of shape (N, 3)."""
        surface = _surface(self.shape)
        if isinstance(self.shape, Shell):
            return surface.probes, np.zeros_like(surface.probes)
        points, owners = surface.samples_with_owners(_SAMPLES)
        corners = surface.points
        if isinstance(self.shape, Hull):
            normals = self.shape.normals[owners]
        else:
            if isinstance(self.shape, Box):
                # The middle of a side is often the farthest from the visual geometry.
                sides = np.diag(self.shape.size) / 2
                corners = np.concatenate([corners, sides, -sides])
            normals = _slopes(self.shape, points)
            points = points - _distances(self.shape, points)[:, None] * normals
        outward = corners - corners.mean(axis=0)
        outward /= np.linalg.norm(outward, axis=1, keepdims=True).clip(min=1e-12)
        return (np.concatenate([points, corners]) @ self.rotation.T + self.centre,
                np.concatenate([normals, outward]) @ self.rotation.T)

    def inset(self, depth: float) -> Solid:
        """Return the solid shrunk by a depth, but to no less than half its thickness."""
        shape = self.shape
        if isinstance(shape, (Hull, Shell)):
            return self
        if isinstance(shape, Box):
            x, y, z = (max(size - 2 * depth, size / 2) for size in shape.size)
            return replace(self, shape=Box((x, y, z)))
        radius = max(shape.radius - depth, shape.radius / 2)
        if isinstance(shape, Cylinder):
            return replace(self, shape=Cylinder(
                radius, max(shape.length - 2 * depth, shape.length / 2)))
        return replace(self, shape=replace(shape, radius=radius))


def shell(triangles: Array) -> Solid:
    """Return triangles in the frame of a link, shape (T, 3, 3), as a shape."""
    return Solid(Shell(Surface(triangles)), np.eye(3), np.zeros(3))


def _surface(shape: Shape) -> Surface:
    """Return the surface of a shape in its own frame."""
    if isinstance(shape, (Hull, Shell)):
        return shape.surface
    vertices, faces, _ = shape_triangles(shape)
    return Surface(vertices.astype(float)[faces])


def _distances(shape: Shape, points: Array) -> Array:
    """Return the signed distances of points in the frame of a shape."""
    if isinstance(shape, Box):
        return _beyond(np.abs(points) - np.array(shape.size) / 2)
    if isinstance(shape, Cylinder):
        beside = np.hypot(points[:, 0], points[:, 1]) - shape.radius
        return _beyond(np.stack([beside, np.abs(points[:, 2]) - shape.length / 2], axis=1))
    if isinstance(shape, Hull):
        heights = shape.heights(points)
        outside = heights > _CLOSE
        if outside.any():
            heights[outside] = shape.surface.distances(points[outside])
        return heights
    if isinstance(shape, Shell):
        return shape.surface.distances(points)
    nearest = np.zeros_like(points)
    if isinstance(shape, Capsule):
        nearest[:, 2] = np.clip(points[:, 2], -shape.length / 2, shape.length / 2)
    return np.asarray(np.linalg.norm(points - nearest, axis=1) - shape.radius)


def _slopes(shape: Shape, points: Array) -> Array:
    """Return the unit vectors in which the distances grow."""
    slopes: Array = np.stack([
        _distances(shape, points + step) - _distances(shape, points - step)
        for step in np.eye(3) * _STEP], axis=1)
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True).clip(min=1e-12)
    return slopes


def _beyond(excess: Array) -> Array:
    return np.asarray(np.linalg.norm(excess.clip(min=0), axis=1) + excess.max(axis=1).clip(max=0))


def rounded(solid: Solid, points: Array) -> Solid:
    """
    Return nearly the same shape with the roundest numbers that cost nothing.

    :param points: what it is around; they are then outside by less than the step of lengths.
    """
    if isinstance(solid.shape, (Hull, Shell)):
        return solid
    thick = _rounded(solid, 1e-6, 0.0)
    for step, angle in _STEPS:
        result = _rounded(solid, step, angle)
        if result.volume <= _MAX_GROWTH * thick.volume and (
                result.distances(points).max() <= step):
            return result
    return thick


def _rounded(solid: Solid, step: float, angle: float) -> Solid:
    shape = solid.shape
    rotation = Pose(quaternion=quaternion_from_rpy(*angles_of(solid, angle))).rotation
    centre = np.round(np.round(solid.centre / step) * step, 7) + 0.0
    if isinstance(shape, Box):
        x, y, z = (_up(step, size) for size in shape.size)
        return Solid(Box((x, y, z)), rotation, centre)
    assert not isinstance(shape, (Hull, Shell))
    radius = _up(step, shape.radius, _MIN_SIZE / 2)
    if isinstance(shape, Sphere):
        return Solid(Sphere(radius), np.eye(3), centre)
    return Solid(replace(shape, radius=radius, length=_up(step, shape.length)), rotation, centre)


def _up(step: float, size: float, minimum: float = _MIN_SIZE) -> float:
    """Return a size rounded up, unless it is nearly round, and not less than is allowed."""
    return round(max(float(np.ceil(size / step - 0.1)) * step, minimum), 7)


def angles_of(solid: Solid, snap: float = 0.0) -> tuple[float, float, float]:
    """
    Return roll, pitch and yaw of a shape, in rad with few decimals.

    :param snap: angle in rad within which a right angle is taken.
    """
    if isinstance(solid.shape, (Sphere, Hull, Shell)):
        return 0.0, 0.0, 0.0
    if isinstance(solid.shape, Box):
        angles = rpy_of(solid.rotation)
    else:
        # Round shapes look the same turned about their axis, or the other way round.
        ax, ay, az = np.round(solid.rotation[:, 2], 9).tolist()
        if az < 0 or az == 0 and (ax < 0 or ax == 0 and ay > 0):
            ax, ay, az = -ax, -ay, -az
        angles = (-asin(max(-1.0, min(1.0, ay))), atan2(ax, az) if ax or az else 0.0, 0.0)
    roll, pitch, yaw = (round(_snapped(value, snap), _DIGITS) + 0.0 for value in angles)
    return roll, pitch, yaw


def _snapped(angle: float, within: float) -> float:
    right = round(angle / (pi / 2)) * pi / 2
    return right if abs(angle - right) <= max(within, 1e-4) else angle


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
        self._triangles: dict[str, Array | ResourceError | MeshError] = {}
        for shape in shapes:
            if isinstance(shape.geometry, Mesh):
                uri = shape.geometry.filename
                try:
                    self.files[uri] = resolve(uri)
                except ResourceError as error:
                    self._triangles[uri] = error
        surfaces = read_surfaces(self.files.values())
        self._triangles |= {uri: surfaces[path] for uri, path in self.files.items()}

    def surface(self, shapes: _Shapes) -> Surface:
        """
        Return the surface of all visuals of a link, of which there are some.

        :raises SurfaceError: a mesh cannot be read, or the shapes have no extent.
        """
        surface = Surface(np.concatenate([solid.triangles for solid in self.solids(shapes)]))
        if not 0 < surface.size < _MAX_COORDINATE or (
                np.abs(surface.points).max() > _MAX_COORDINATE):
            raise SurfaceError(f'its visuals are {surface.size:g} m large')
        return surface

    def solids(self, shapes: _Shapes) -> tuple[Solid, ...]:
        """
        Return shapes in the frame of their link, meshes as shells.

        :raises SurfaceError: a mesh cannot be read.
        """
        return tuple(self._solid(shape) for shape in shapes)

    def _solid(self, shape: Visual | Collision) -> Solid:
        mesh, origin = shape.geometry, shape.origin
        if not isinstance(mesh, Mesh):
            return Solid(mesh, origin.rotation, np.array(origin.xyz))
        try:
            return shell(self.triangles(mesh) @ origin.rotation.T + origin.xyz)
        except ResourceError as error:
            raise SurfaceError(str(error)) from error
        except MeshError as error:
            raise SurfaceError(f'mesh {quote(mesh.filename, 120)}: {error}') from error

    def triangles(self, mesh: Mesh) -> Array:
        """
        Return the triangles of a mesh with its scale, shape (T, 3, 3) in metres.

        :raises ResourceError: its file is not found.
        :raises MeshError: it cannot be read.
        """
        triangles = self._triangles[mesh.filename]
        if isinstance(triangles, (ResourceError, MeshError)):
            raise triangles
        return np.asarray(triangles * mesh.scale)


def primitives(shapes: _Shapes) -> tuple[Solid, ...]:
    """Return the shapes other than meshes in the frame of their link."""
    return tuple(Solid(shape.geometry, shape.origin.rotation, np.array(shape.origin.xyz))
                 for shape in shapes if not isinstance(shape.geometry, Mesh))
