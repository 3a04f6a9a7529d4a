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

"""The moments of bodies bounded by triangles, as solids or as shells, of density one."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.triangles import signed_volumes
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.types import Array

NUMBERS = 13
"""Numbers that make up moments: measure, centroid, 3x3 matrix."""

_BLOCK = 100_000
"""Number of triangles that are computed at once, which bounds memory."""


@dataclass(frozen=True, eq=False)
class Moments:
    """
    The moments of a body of density one.

    :ivar measure: volume of a solid in m^3, or area of a shell in m^2; negative if the triangles
        face inward.
    :ivar centroid: in metres, shape (3,).
    :ivar second: integral of ``(x - c) (x - c)'`` around the centroid c, shape (3, 3).
    """

    measure: float
    centroid: Array
    second: Array

    def __neg__(self) -> Moments:
        """Return the moments of the body turned inside out."""
        return Moments(-self.measure, self.centroid, -self.second)

    def stretched(self, scale: Array) -> Moments:
        """
        Return the moments of the body with its coordinates scaled.

        :param scale: factors on x, y and z, shape (3,).
        :raises MeshError: nothing is left of its volume.
        """
        factor = abs(float(np.prod(scale)))
        if not factor * self.measure:
            raise MeshError('its scale leaves no volume')
        return Moments(factor * self.measure, scale * self.centroid,
                       factor * np.outer(scale, scale) * self.second)

    def numbers(self) -> tuple[float, ...]:
        """Return the moments as :data:`NUMBERS` numbers."""
        return (float(self.measure), *self.centroid.tolist(), *self.second.ravel().tolist())

    @classmethod
    def from_numbers(cls, numbers: Sequence[float]) -> Moments:
        """Return the moments that :meth:`numbers` returned."""
        return cls(numbers[0], np.array(numbers[1:4]), np.array(numbers[4:NUMBERS]).reshape(3, 3))


def polyhedron(triangles: Array) -> Moments:
    """
    Return the moments of the solid inside a closed surface.

    It is the sum over the tetrahedra between the triangles and a point, which count negative if
    the point sees the outer side of the triangle.

    :param triangles: corners, counterclockwise seen from outside, shape (T, 3, 3).
    :raises MeshError: it encloses no volume.
    """
    return _simplices(triangles, signed_volumes, 4)


def pyramids(triangles: Array) -> Moments:
    """
    Return the moments of the pyramids between triangles and a point inside, all of them positive.

    MuJoCo does so ("legacy" inertia of meshes), which for a mesh that is not convex, or open,
    differs from the solid: the centroid is seen from the centroid of the surface, and the rest
    from there.

    :param triangles: corners, shape (T, 3, 3).
    :raises MeshError: they have no volume.
    """
    def sizes(corners: Array) -> Array:
        return np.abs(signed_volumes(corners))

    centroid = _simplices(triangles, sizes, 4, surface(triangles).centroid).centroid
    moments = _simplices(triangles, sizes, 4, centroid)
    offset = moments.centroid - centroid
    return Moments(
        moments.measure, centroid, moments.second + moments.measure * np.outer(offset, offset))


def surface(triangles: Array) -> Moments:
    """
    Return the moments of triangles as thin plates.

    :param triangles: corners, shape (T, 3, 3).
    :raises MeshError: they have no area.
    """
    return _simplices(triangles, triangle_areas, 3)


def _simplices(triangles: Array, measure: Callable[[Array], Array], count: int,
               middle: Array | None = None) -> Moments:
    """
    Return the moments of triangles, or of tetrahedra between triangles and a common point.

    With n corners c and their sum s, the first moments of a simplex are ``m s / n``, the second
    ``m (s s' + sum of c c') / (n (n + 1))``.

    :param measure: returns the masses of the simplices.
    :param count: number of corners of a simplex.
    :param middle: the common point; by default the mean of all corners, as far from the body
        large numbers would cancel.
    """
    if middle is None:
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
    mass = float(matrix[3, 3])
    centroid = matrix[:3, 3] / mass
    return Moments(mass, centroid + middle, matrix[:3, :3] - mass * np.outer(centroid, centroid))
