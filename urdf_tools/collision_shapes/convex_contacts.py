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

"""Whether convex shapes overlap, at many poses at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.meshes.shape_triangles import shape_triangles
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere

_MOST_STEPS = 60

_TOUCHING = 1e-8
"""Distance in m up to which shapes overlap."""

_PRECISION = 1e-6
"""Share of a distance that another step has to save."""

_SUBSETS = [(list(some), np.isin(np.arange(3), some))
            for number in (1, 2, 3) for some in combinations(range(3), number)]
"""The corners of the faces of a simplex that a new corner has, as indices and as a mask."""


@dataclass(frozen=True, eq=False)
class Convex:
    """
    The hull of some points, each the centre of a disk and a ball.

    :param points: shape (K, 3); of N such hulls (N, K, 3).
    :param axis: of the disks.
    """

    points: Array
    ball: float = 0.0
    disk: float = 0.0
    axis: Array | None = None

    @classmethod
    def of(cls, solid: Solid) -> Convex:
        """Return a solid; the hull of one that is not convex."""
        shape = solid.shape
        if isinstance(shape, (Sphere, Capsule, Cylinder)):
            half = 0.0 if isinstance(shape, Sphere) else shape.length / 2
            axis = solid.rotation[:, 2]
            ends = solid.centre + np.outer((-half, half), axis)
            if isinstance(shape, Cylinder):
                return cls(ends, disk=shape.radius, axis=axis)
            return cls(ends, shape.radius)
        if isinstance(shape, Box):
            points = np.unique(shape_triangles(shape).vertices.astype(float), axis=0)
        else:
            points = shape.surface.points
        return cls(points @ solid.rotation.T + solid.centre)

    @cached_property
    def middle(self) -> Array:
        """The mean of the points, shape (3,) or (N, 3)."""
        middle: Array = self.points.mean(axis=-2)
        return middle

    @cached_property
    def reach(self) -> float | Array:
        """The radius of a ball about the middle around everything, in metres."""
        offsets = np.linalg.norm(self.points - self.middle[..., None, :], axis=-1)
        reach: Array = np.hypot(offsets.max(axis=-1), self.disk) + self.ball
        return reach

    @property
    def box(self) -> Array:
        """The lowest and the highest corner of the box around one hull, shape (2, 3)."""
        return np.stack([self.supports(-np.eye(3)).diagonal() - self.ball,
                         self.supports(np.eye(3)).diagonal() + self.ball])

    def some(self, indices: Indices) -> Convex:
        """Return some of N hulls; one is the same for all."""
        return self if self.points.ndim == 2 else Convex(self.points[indices])

    def supports(self, directions: Array) -> Array:
        """Return the farthest points in directions without the balls, shape (N, 3)."""
        if self.points.ndim == 2:
            farthest: Array = self.points[np.argmax(directions @ self.points.T, axis=1)]
        else:
            heights = np.einsum('nki,ni->nk', self.points, directions)
            farthest = self.points[np.arange(len(heights)), np.argmax(heights, axis=1)]
        if self.axis is None:
            return farthest
        across = directions - np.outer(directions @ self.axis, self.axis)
        lengths = np.linalg.norm(across, axis=1, keepdims=True)
        beyond: Array = farthest + across * (self.disk / lengths.clip(min=1e-300))
        return beyond


def gaps(first: Convex, second: Convex, poses: Array) -> Array:
    """
    Return the distances of the balls around shapes, shape (N,).

    :param poses: of the first in the frame of the second, shape (N, 4, 4).
    """
    found: Array = np.linalg.norm(_offsets(first, second, poses), axis=1)
    return found - first.reach - second.reach


def _offsets(first: Convex, second: Convex, poses: Array) -> Array:
    """Return the middles of the first less those of the second, shape (N, 3)."""
    offsets: Array = (poses[:, :3, :3] @ first.middle[..., None])[..., 0] + poses[:, :3, 3]
    return offsets - second.middle


def _difference(first: Convex, second: Convex, poses: Array, points: Array) -> Array:
    """Return the points of the difference that are the farthest towards the origin."""
    rotations = poses[:, :3, :3]
    inner = np.einsum('nji,nj->ni', rotations, -points)
    ahead = np.einsum('nij,nj->ni', rotations, first.supports(inner)) + poses[:, :3, 3]
    farthest: Array = ahead - second.supports(points)
    return farthest


def overlap(first: Convex, second: Convex, poses: Array) -> npt.NDArray[np.bool_]:
    """
    Return at which poses shapes overlap, shape (N,).

    The point of their difference nearest to the origin is found among ever nearer simplices
    (Gilbert, Johnson and Keerthi).

    :param poses: of the first in the frame of the second, shape (N, 4, 4).
    """
    radius = max(first.ball + second.ball, _TOUCHING)
    found = np.zeros(len(poses), bool)
    left = np.flatnonzero(gaps(first, second, poses) <= 0)
    nearest = _offsets(first, second, poses)[left]
    corners, held = np.zeros((len(left), 3, 3)), np.zeros((len(left), 3), bool)
    for _ in range(_MOST_STEPS):
        supports = _difference(first.some(left), second.some(left), poses[left], nearest)
        lengths = np.linalg.norm(nearest, axis=1)
        heights = np.einsum('ij,ij->i', nearest, supports)
        kept = (heights <= radius * lengths) & (
            (heights < lengths ** 2 * (1 - _PRECISION)) | ~held.any(axis=1))
        left, corners, held, supports = left[kept], corners[kept], held[kept], supports[kept]
        corners, held, nearest = _reduced(corners, held, supports)
        is_in = np.einsum('ij,ij->i', nearest, nearest) <= radius ** 2
        found[left[is_in]] = True
        left, corners, held, nearest = (
            each[~is_in] for each in (left, corners, held, nearest))
        if not len(left):
            break
    return found


def _reduced(
        corners: Array, held: npt.NDArray[np.bool_], new: Array
        ) -> tuple[Array, npt.NDArray[np.bool_], Array]:
    """
    Return the corners of simplices that are nearest to the origin with a new one each.

    :param corners: of N simplices, shape (N, 3, 3).
    :param held: which of them there are, shape (N, 3).
    :return: corners, which there are, and the nearest points, the origin if it is inside.
    """
    nearest, best = new.copy(), np.einsum('ij,ij->i', new, new)
    chosen = np.zeros_like(held)
    for some, mask in _SUBSETS:
        is_held = held[:, some].all(axis=1)
        if not is_held.any():
            continue
        edges = corners[:, some] - new[:, None]
        products = edges @ edges.swapaxes(1, 2)
        flat = 1e-14 * np.einsum('nii->n', products)[:, None, None] + 1e-300
        shares = np.linalg.solve(products + flat * np.eye(len(some)), -edges @ new[..., None])
        points = new + (edges * shares).sum(axis=1)
        squares = np.einsum('ij,ij->i', points, points)
        is_better = is_held & (squares < best) & (
            shares[..., 0] >= -1e-12).all(axis=1) & (shares[..., 0].sum(axis=1) <= 1 + 1e-12)
        nearest[is_better], best[is_better] = points[is_better], squares[is_better]
        chosen[is_better] = mask
    nearest[chosen.all(axis=1)] = 0
    rows, free = np.arange(len(new)), chosen.argmin(axis=1)
    corners, chosen = corners.copy(), chosen.copy()
    corners[rows, free], chosen[rows, free] = new, True
    return corners, chosen, nearest
