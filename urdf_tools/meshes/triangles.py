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

"""Triangles: of shapes, their distinct corners, normals, areas, volumes and convex hulls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.installation import needs
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array
from urdf_tools.types import Indices

_SECTORS = 32

_PER_METRE = 1e8
"""Steps in a metre to which vertices are rounded to merge equal ones."""


class Triangles(NamedTuple):
    """
    A surface.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, counterclockwise seen from outside, shape (F, 3).
    :ivar is_flat: whether the surface has edges; otherwise it is round.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    is_flat: bool = True


def shape_triangles(shape: Box | Cylinder | Sphere | Capsule) -> Triangles:
    """Return the surface of a shape around its centre."""
    if isinstance(shape, Box):
        return box(np.array(shape.size))
    if isinstance(shape, Sphere):
        return ellipsoid(np.full(3, 2 * shape.radius))
    half = shape.length / 2
    if isinstance(shape, Cylinder):
        # The rims are duplicated, so that the ends are not shaded as round.
        rim = (shape.radius, shape.radius)
        return _revolved(np.array([(0, *rim, *rim, 0), (-half, -half, -half, half, half, half)]).T)
    angles = np.linspace(-np.pi / 2, np.pi / 2, _SECTORS // 2 + 2)
    profile = shape.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    profile[:, 1] += half * np.sign(angles)
    return _revolved(profile)


def box(size: Array) -> Triangles:
    """Return the surface of a box."""
    corners = np.array([(x, y, z) for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [corner for a, b, c, d in sides for corner in ((a, b, c), (a, c, d))]
    return Triangles((corners * size).astype(np.float32), np.array(faces, dtype=np.uint32))


def ellipsoid(size: Array) -> Triangles:
    """Return the surface of an ellipsoid; ``size`` is its full extent along x, y and z."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, _SECTORS // 2 + 1)
    vertices, faces, _ = _revolved(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return Triangles((vertices * size / 2).astype(np.float32), faces, False)


def _revolved(profile: Array) -> Triangles:
    """
    Return the surface of a solid of revolution about z.

    :param profile: radius and z of points from the lowest to the highest one, shape (P, 2).
    """
    angles = np.linspace(0, 2 * np.pi, _SECTORS, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), np.ones(_SECTORS)], axis=1)
    vertices = profile[:, None, [0, 0, 1]] * ring
    low = np.arange((len(profile) - 1) * _SECTORS)
    following = low - low % _SECTORS + (low + 1) % _SECTORS
    faces = np.concatenate([
        np.stack([low, following, following + _SECTORS], axis=1),
        np.stack([low, following + _SECTORS, low + _SECTORS], axis=1)])
    return Triangles(vertices.reshape(-1, 3).astype(np.float32), faces.astype(np.uint32), False)


def merge_corners(triangles: Array) -> tuple[Array, Indices]:
    """Return the different corners of triangles, shape (V, 3), and the triangles, shape (T, 3)."""
    corners = np.asarray(triangles).reshape(-1, 3).astype(float)
    words = (np.round(corners * _PER_METRE) + 0.0).view(np.uint64)
    order = np.lexsort(words.T)
    is_new = np.arange(len(words)) == 0
    for column in words.T:
        is_new[1:] |= np.diff(column[order]) != 0
    starts = np.flatnonzero(is_new)
    inverse = np.empty(len(words), np.intp)
    inverse[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(words)))
    return corners[order[starts]], inverse.reshape(-1, 3)


def unit_normals(triangles: Array) -> Array:
    """Return the unit normals of triangles, zero for those without area, shape (T, 3)."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    normals: Array = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-300)
    return normals


def triangle_areas(corners: Array) -> Array:
    """Return the areas of triangles, shape (T,)."""
    areas: Array = np.linalg.norm(np.cross(
        corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return areas


def signed_volumes(corners: Array) -> Array:
    """Return the signed volumes of tetrahedra between triangles and the origin, shape (T,)."""
    a, b, c = np.moveaxis(corners, 0, -1)
    volumes: Array = (
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return volumes


def convex_hull(points: Array) -> Array:
    """
    Return the triangles of the convex hull of points, counterclockwise seen from outside.

    :param points: shape (N, 3).
    :raises MeshError: they lie in a plane, or scipy is not installed.
    """
    try:
        from scipy.spatial import ConvexHull
        from scipy.spatial import QhullError
    except ImportError as error:
        raise MeshError(needs('its convex hull', 'scipy', 'meshes')) from error
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError) as error:
        if 'memory' in str(error):
            raise MemoryError from error
        raise MeshError('it is flat') from error
    triangles: Array = points[hull.simplices]
    inward = signed_volumes(triangles - points[hull.vertices].mean(axis=0)) < 0
    triangles[inward] = triangles[inward, ::-1]
    return triangles
