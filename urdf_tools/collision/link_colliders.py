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

"""Contacts and distances between two links, computed by the library coal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from typing import NamedTuple

import coal
import numpy as np

from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.shape_records import Box
from urdf_tools.types import Array
from urdf_tools.types import Indices

_FLAT = 1e-6
"""Distance in m from the plane of a face within which points are in it."""

_MOST_COMPARED = 4_000_000


class _Part(NamedTuple):
    """
    A shape of a link.

    :ivar hull: a convex shape around it; the shape itself if that is convex.
    :ivar pose: in the frame of the link; None for that frame.
    """

    geometry: Any
    hull: Any
    pose: Array | None


class LinkCollider:
    """The shapes of a link as coal objects."""

    def __init__(self, solids: Iterable[Solid]):
        self.parts = [_part(solid) for solid in solids]
        self._balls = [_ball(part) for part in self.parts]

    def gaps(self, other: LinkCollider, poses: Array) -> Array:
        """
        Return the smallest distances of balls around the shapes of two links, shape (N,).

        :param poses: of the other link in the frame of this one, shape (N, 4, 4).
        """
        least = np.full(len(poses), np.inf)
        for centre, radius in other._balls:
            there = poses[:, :3, :3] @ centre + poses[:, :3, 3]
            for own, reach in self._balls:
                gaps = np.linalg.norm(there - own, axis=1) - radius - reach
                np.minimum(least, gaps, out=least)
        return least


class _Compared(NamedTuple):
    """Two shapes, and what compares their hulls and, unless these are exact, themselves."""

    pose: Any
    other: Array | None
    hulls_touch: Any
    touch: Any
    apart: Any


class PairCollider:
    """Two links whose shapes are compared; meshes that are not convex are surfaces."""

    def __init__(self, first: LinkCollider, second: LinkCollider):
        self._links = first, second  # The functors only borrow the geometry.
        self._parts = [_compared(a, b) for a in first.parts for b in second.parts]
        self._collision = coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, 1)
        self._collided = coal.CollisionResult()
        self._distance = coal.DistanceRequest()
        self._measured = coal.DistanceResult()

    def nearer(self, pose: Array, margin: float) -> float:
        """
        Return the distance between the links in metres if it is below a margin, or the margin.

        :param pose: of the second link in the frame of the first, shape (3, 4).
        :return: zero if they touch.
        """
        for part in self._parts:
            there = _placed(pose, part.other)
            if not self._hits(part.hulls_touch, part.pose, there, margin):
                continue
            margin = self._gap(part.apart, part.pose, there, margin)
            if margin <= 0:
                return 0.0
        return margin

    def touch(self, pose: Array) -> bool:
        """Return whether the links touch."""
        for part in self._parts:
            there = _placed(pose, part.other)
            if self._hits(part.hulls_touch, part.pose, there) and (
                    part.touch is None or self._hits(part.touch, part.pose, there)):
                return True
        return False

    def are_nearer(self, pose: Array, margin: float) -> bool:
        """Return whether the links are nearer to each other than a positive margin."""
        for part in self._parts:
            there = _placed(pose, part.other)
            if self._hits(part.hulls_touch, part.pose, there, margin) and (
                    part.touch is None
                    or self._gap(part.apart, part.pose, there, margin) < margin):
                return True
        return False

    def _hits(self, collide: Any, pose: Any, there: Any, margin: float = 0.0) -> bool:
        self._collision.security_margin = margin
        self._collided.clear()
        return bool(collide(pose, there, self._collision, self._collided))

    def _gap(self, measure: Any, pose: Any, there: Any, limit: float) -> float:
        self._measured.clear()
        self._measured.min_distance = limit  # Parts of meshes beyond it are skipped.
        return min(limit, float(measure(pose, there, self._distance, self._measured)))


def _compared(first: _Part, second: _Part) -> _Compared:
    is_exact = first.geometry is first.hull and second.geometry is second.hull
    shapes = first.geometry, second.geometry
    return _Compared(
        coal.Transform3s() if first.pose is None else _transform(first.pose), second.pose,
        coal.ComputeCollision(first.hull, second.hull),
        None if is_exact else coal.ComputeCollision(*shapes), coal.ComputeDistance(*shapes))


def _placed(pose: Array, other: Array | None) -> Any:
    if other is None:
        return _transform(pose)
    rotation = pose[:3, :3]
    return coal.Transform3s(rotation @ other[:3, :3], rotation @ other[:3, 3] + pose[:3, 3])


def _transform(pose: Array) -> Any:
    return coal.Transform3s(pose[:3, :3], pose[:3, 3])


def _ball(part: _Part) -> tuple[Array, float]:
    """Return centre and radius of a ball around a shape, in the frame of its link."""
    part.geometry.computeLocalAABB()
    centre = part.geometry.aabb_center.reshape(3)
    if part.pose is not None:
        centre = part.pose[:3, :3] @ centre + part.pose[:3, 3]
    return centre, part.geometry.aabb_radius


def _part(solid: Solid) -> _Part:
    shape = solid.shape
    if isinstance(shape, (Hull, Shell)):
        return _mesh(shape.surface)
    sizes = shape.size if isinstance(shape, Box) else vars(shape).values()
    geometry = getattr(coal, type(shape).__name__)(*sizes)
    return _Part(geometry, geometry, np.column_stack([solid.rotation, solid.centre]))


def _mesh(surface: Surface) -> _Part:
    points, faces = surface.points, surface.faces
    hull = _hull(points)
    if hull is not None and _is_convex(points, faces):
        return _Part(hull, hull, None)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(points))
    model.addVertices(points)
    model.addTriangles(faces)
    model.endModel()
    return _Part(model, model if hull is None else hull, None)


def _hull(points: Array) -> Any:
    """Return the convex hull of points; None if they are in a plane."""
    vector = coal.StdVec_Vec3s()
    vector.extend(points)
    try:
        return coal.Convex.convexHull(vector, True, 'Qt')
    except (RuntimeError, ValueError):
        return None


def _is_convex(vertices: Array, faces: Indices) -> bool:
    """Return whether triangles are the closed surface of a convex solid, seen from outside."""
    if len(faces) * len(vertices) > _MOST_COMPARED:
        return False
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    if (np.unique(edges, axis=0, return_counts=True)[1] != 2).any():
        return False
    normals = unit_normals(vertices[faces])
    above = vertices @ normals.T - np.einsum('fi,fi->f', normals, vertices[faces[:, 0]])
    return bool((above.max(axis=0) <= _FLAT).all())
