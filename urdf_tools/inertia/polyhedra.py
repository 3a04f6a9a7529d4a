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
The inertia of bodies bounded by triangles, as solids or as shells, of density one.

As in :mod:`urdf_tools.inertia.solids`, the mass is the volume of a solid and the area of a shell.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array

_BLOCK = 100_000
"""Number of triangles that are computed at once, which bounds the memory that it takes."""


class MeshError(ValueError):
    """
    A mesh whose inertia cannot be computed; the text says why.

    :ivar limit: the limit of :class:`~urdf_tools.inertia.mesh_limits.MeshLimits` that it exceeds,
        or an empty string.
    """

    def __init__(self, text: str, limit: str = ''):
        self.limit = limit
        super().__init__(text)


def polyhedron(triangles: Array) -> SpatialInertia:
    """
    Return the inertia of the solid inside a closed surface, 1 kg/m^3.

    It is the sum over the tetrahedra between the triangles and a point, which count negative if
    the point sees the outer side of the triangle.

    :param triangles: corners, counterclockwise seen from outside, shape (T, 3, 3).
    :raises MeshError: it encloses no volume.
    """
    return _simplices(triangles, _volumes, 4)


def prism(polygon: Array, height: float) -> SpatialInertia:
    """
    Return the inertia of a prism along z, 1 kg/m^3, with the origin at half its height.

    :param polygon: x and y of the corners of the base, a simple polygon, clockwise or
        counterclockwise, shape (N, 2).
    :raises ValueError: the height is not positive, or the polygon has no area.
    """
    if not (height > 0 and len(polygon) > 2):
        raise ValueError('the prism has no height, or its base fewer than three corners')
    ends = np.stack([
        np.insert(polygon, 2, z, axis=1) for z in (-height / 2, height / 2)])
    low, high = ends
    next_low, next_high = np.roll(ends, -1, axis=1)
    first_low, first_high = np.broadcast_to(ends[:, :1], ends.shape)
    body = polyhedron(np.concatenate([
        np.stack(corners, axis=1) for corners in (
            (low, next_low, next_high), (next_high, high, low),
            (first_low, next_low, low), (first_high, high, next_high))]))
    return body if body.mass > 0 else -body


def surface(triangles: Array) -> SpatialInertia:
    """
    Return the inertia of triangles as thin plates, 1 kg/m^2.

    :param triangles: corners, shape (T, 3, 3).
    :raises MeshError: they have no area.
    """
    return _simplices(triangles, _areas, 3)


def _volumes(corners: Array) -> Array:
    """Return the signed volumes of tetrahedra between triangles and the origin, shape (T,)."""
    a, b, c = np.moveaxis(corners, 0, -1)
    volumes: Array = (
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return volumes


def _areas(corners: Array) -> Array:
    """Return the areas of triangles, shape (T,)."""
    areas: Array = np.linalg.norm(np.cross(
        corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return areas


def _simplices(
        triangles: Array, measure: Callable[[Array], Array], count: int) -> SpatialInertia:
    """
    Return the inertia of triangles, or of tetrahedra between triangles and a common point.

    With n corners c and their sum s, the first moments of a simplex are ``m s / n``, the second
    ``m (s s' + sum of c c') / (n (n + 1))``. The common point is the mean of all corners: far from
    the body, large numbers would cancel.

    :param measure: returns the masses of the simplices.
    :param count: number of corners of a simplex.
    """
    middle = triangles.reshape(-1, 3).mean(axis=0)
    matrix = np.zeros((4, 4))
    extent = 0.0
    for start in range(0, len(triangles), _BLOCK):
        corners = triangles[start:start + _BLOCK] - middle
        masses = measure(corners)
        sums = corners.sum(axis=1)
        matrix[3, 3] += masses.sum()
        matrix[:3, 3] += masses @ sums / count
        weighted = (corners * masses[:, None, None]).reshape(-1, 3)
        matrix[:3, :3] += ((masses * sums.T) @ sums + weighted.T @ corners.reshape(-1, 3)
                           ) / (count * (count + 1))
        extent = max(extent, np.abs(corners).max(initial=0.0))
    matrix[3, :3] = matrix[:3, 3]
    if not abs(matrix[3, 3]) > 1e-12 * extent ** (count - 1):
        raise MeshError('it has no ' + ('volume' if count == 4 else 'area'))
    return SpatialInertia.from_pseudo_inertia(matrix).translated(middle)


def stretched(body: SpatialInertia, scale: Array) -> SpatialInertia:
    """
    Return the inertia of a body of the same density with its coordinates scaled.

    :param scale: factors on x, y and z, shape (3,).
    :raises MeshError: nothing is left of its volume.
    """
    stretch = np.diag([*scale, 1.0])
    matrix = abs(np.prod(scale)) * stretch @ body.pseudo_inertia() @ stretch
    if not matrix[3, 3]:
        raise MeshError('its scale leaves no volume')
    return SpatialInertia.from_pseudo_inertia(matrix)


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
        raise MeshError(
            'its convex hull needs the scipy package, which is not installed '
            '("pip install scipy")') from error
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError) as error:
        if 'memory' in str(error):
            raise MemoryError from error
        raise MeshError('it is flat') from error
    triangles: Array = points[hull.simplices]
    inward = _volumes(triangles - points[hull.vertices].mean(axis=0)) < 0
    triangles[inward] = triangles[inward, ::-1]
    return triangles
