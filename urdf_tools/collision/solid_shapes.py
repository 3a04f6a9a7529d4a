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

"""Shapes at a pose in the frame of a link: distances, points and extremes."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property

import numpy as np

from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array
from urdf_tools.types import Indices

_STEP = 1e-7
"""Step in m of numeric derivatives."""

_CLOSE = 2e-4
"""Height in m over the plane of a face up to which that counts as the distance."""

_SAMPLES = 2400
"""Points on the surface of a solid, besides its corners."""


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


Primitive = Box | Cylinder | Sphere | Capsule
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
        return 'mesh' if isinstance(self.shape, Shell) else type(self.shape).__name__.lower()

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
