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

"""Extreme points for fitting convex shapes, and hulls of few vertices."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.types import Array

MOST_VERTICES = 64
"""Maximum number of vertices of a hull, as in physics engines."""

_DIRECTIONS = np.array([
    direction for direction in product((-1.0, 0.0, 1.0), repeat=3) if any(direction)])

_MOST_POINTS = 500
"""Number of corners of a hull above which only the farthest in some directions count."""

_MAIN_FACES = 24
"""Faces whose normals are such directions; the others are spread evenly."""

_SAME_WAY = 1e-3
"""Step to which normals are rounded to merge equal ones."""


def convex_hull_of(points: Array) -> Any:
    """Return scipy's convex hull of points in space or in a plane; None if it is flat."""
    from scipy.spatial import ConvexHull
    from scipy.spatial import QhullError
    try:
        return ConvexHull(points)
    except (QhullError, ValueError):
        return None


def extreme_points(points: Array) -> tuple[Array, Array]:
    """
    Return the corners of the convex hull of points, and the directions of its largest faces.

    Points in a plane are all returned, with the normal of the plane. Of many corners of something
    round those are left out that hardly stand out.
    """
    hull = convex_hull_of(points)
    if hull is None:
        return points, principal_axes(points)[:, :1].T
    normals = hull.equations[:, :3]
    keys = np.round(normals / _SAME_WAY)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    areas = np.bincount(group.ravel(), triangle_areas(points[hull.simplices]))
    faces = normals[first[np.argsort(-areas, kind='stable')]]
    corners = points[hull.vertices]
    if len(corners) > _MOST_POINTS:
        main = faces[:_MAIN_FACES]
        corners = corners[np.unique(np.argmax(np.concatenate(
            [_DIRECTIONS, _spread(_MOST_POINTS), main, -main]) @ corners.T, axis=1))]
    return corners, faces


def _spread(number: int) -> Array:
    """Return directions spread evenly (on a spiral of golden angles), shape (N, 3)."""
    heights = 1 - (2 * np.arange(number) + 1) / number
    angles = np.pi * (3 - np.sqrt(5)) * np.arange(number)
    radii = np.sqrt(1 - heights ** 2)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles), heights], axis=1)


def principal_axes(points: Array) -> Array:
    """Return the principal axes of points as columns, the one of least spread first."""
    centred = points - points.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred)[1]


def hull_of(points: Array, error: float) -> Solid | None:
    """
    Return a hull of at most :data:`MOST_VERTICES` of some points; None if they are in a plane.

    The point farthest outside is added until none is farther than the error.

    :param points: corners of their convex hull.
    """
    chosen = list(dict.fromkeys(np.argmax(_DIRECTIONS @ points.T, axis=1).tolist()))
    while True:
        hull = convex_hull_of(points[chosen])
        if hull is None:
            return None
        heights = points @ hull.equations[:, :3].T + hull.equations[:, 3]
        worst = heights.max(axis=1)
        farthest = int(np.argmax(worst))
        if worst[farthest] <= error or len(chosen) >= MOST_VERTICES or farthest in chosen:
            break
        chosen.append(farthest)
    kept = np.sort(hull.vertices)
    vertices = points[chosen][kept]
    faces = np.searchsorted(kept, hull.simplices)
    inward = np.einsum('ij,ij->i', unit_normals(vertices[faces]), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward, ::-1]
    return Solid(Hull(vertices, faces), np.eye(3), np.zeros(3))


def thinner(solid: Solid, depth: float) -> Solid:
    """
    Return a shape shrunk by a depth, but to no less than half its thickness.

    The faces of a hull move inwards; corners of thin parts of it then move far.
    """
    hull = solid.shape
    if not isinstance(hull, Hull):
        return solid.inset(depth)
    from scipy.spatial import HalfspaceIntersection
    from scipy.spatial import QhullError
    middle = hull.vertices.mean(axis=0)
    depth = min(depth, -float(hull.heights(middle[None])[0]) / 2)
    offsets = depth - np.einsum('ij,ij->i', hull.normals, hull.surface.triangles[:, 0])
    try:
        corners = HalfspaceIntersection(
            np.column_stack([hull.normals, offsets]), middle).intersections
    except (QhullError, ValueError):  # It is flat.
        return solid
    inner = hull_of(corners[np.isfinite(corners).all(axis=1)], 0.0)
    return solid if inner is None else replace(solid, shape=inner.shape)
