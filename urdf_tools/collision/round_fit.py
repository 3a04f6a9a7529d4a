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

"""The smallest spheres, cylinders and capsules around points."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array

_ROUNDING = 1e-10
_MOST_STEPS = 200

_AROUND = np.array([(np.cos(angle), np.sin(angle)) for angle in np.pi / 8 * np.arange(8)]).T
"""Number of directions in a plane in which widths are measured."""

_Round = type[Cylinder] | type[Capsule]


def smallest_ball(points: Array) -> tuple[Array, float]:
    """
    Return centre and radius of the smallest ball around points, in any number of dimensions.

    The point farthest outside joins those that determine the ball (Welzl's basis, with a pivot),
    until none is outside.

    :param points: shape (N, D).
    """
    basis = points[:1]
    centre, radius = points[0], 0.0
    for _ in range(_MOST_STEPS):
        distances = np.linalg.norm(points - centre, axis=1)
        farthest = int(np.argmax(distances))
        if distances[farthest] <= radius * (1 + _ROUNDING) + 1e-12:
            break
        basis, centre, radius = _ball_of_few(np.vstack([basis, points[farthest]]))
    return centre, max(radius, float(np.linalg.norm(points - centre, axis=1).max()))


def _ball_of_few(points: Array) -> tuple[Array, Array, float]:
    """Return which of a few points determine the smallest ball around them, and the ball."""
    best: tuple[Array, Array, float] | None = None
    for number in range(2, min(len(points), points.shape[1] + 1) + 1):
        some = points[np.array(list(combinations(range(len(points)), number)))]
        edges = some[:, 1:] - some[:, :1]
        # Each centre is equidistant from all, in the flat through them.
        products = edges @ edges.swapaxes(1, 2)
        squares = np.einsum('nii->ni', products)
        flat = _ROUNDING ** 1.5 * squares.max(axis=1)[:, None, None] + 1e-30
        shares = np.linalg.solve(products + flat * np.eye(number - 1), squares[..., None] / 2)
        centres = some[:, 0] + (edges * shares).sum(axis=1)
        radii = np.linalg.norm(some - centres[:, None], axis=2).max(axis=1)
        farthest = np.linalg.norm(points - centres[:, None], axis=2).max(axis=1)
        radii[farthest > radii * (1 + 1e-9) + 1e-12] = np.inf
        least = int(np.argmin(radii))
        if radii[least] < (np.inf if best is None else best[2]):
            best = some[least], centres[least], float(radii[least])
    if best is None:  # Caused by rounding, as for nearly equal points.
        centre = points.mean(axis=0)
        return points[:points.shape[1] + 1], centre, float(
            np.linalg.norm(points - centre, axis=1).max())
    return best


def smallest_sphere(points: Array) -> Solid:
    """Return the smallest sphere around points."""
    centre, radius = smallest_ball(points)
    return Solid(Sphere(radius), np.eye(3), centre)


def smallest_round(points: Array, axes: Iterable[Array], kinds: Iterable[str]) -> list[Solid]:
    """
    Return the smallest cylinder and the smallest capsule around points about one of some axes.

    :param axes: unit vectors.
    :param kinds: ``cylinder``, ``capsule``, both or neither; others are ignored.
    """
    wanted = [shape for shape in (Cylinder, Capsule) if shape.__name__.lower() in kinds]
    if not wanted:
        return []
    seen = sorted((_seen_along(points, axis) for axis in axes), key=lambda each: each[0])
    best: dict[_Round, Solid] = {}
    for least, rotation, turned in seen:
        if best and all(least >= solid.volume for solid in best.values()):
            break
        ball = smallest_ball(turned[:, :2])
        for shape in wanted:
            solid = _along(shape, rotation, turned, *ball)
            if shape not in best or solid.volume < best[shape].volume:
                best[shape] = solid
    return list(best.values())


def _seen_along(points: Array, axis: Array) -> tuple[float, Array, Array]:
    """Return the least volume of a capsule along an axis, a rotation to it, and the points."""
    rotation = rotation_from_z(tuple((axis / np.linalg.norm(axis)).tolist()))
    turned = points @ rotation
    radius = float(np.ptp(turned[:, :2] @ _AROUND, axis=0).max()) / 2
    length = max(float(np.ptp(turned[:, 2])) - 2 * radius, 0.0)
    return np.pi * radius ** 2 * (length + 4 / 3 * radius), rotation, turned


def _along(shape: _Round, rotation: Array, points: Array, middle: Array, radius: float) -> Solid:
    """Return the shape around points about an axis with a radius, along the z of a rotation."""
    caps = np.zeros(len(points))
    if shape is Capsule:
        beside = np.linalg.norm(points[:, :2] - middle, axis=1)
        caps = np.sqrt((radius ** 2 - beside ** 2).clip(min=0))
    low, high = float((points[:, 2] + caps).min()), float((points[:, 2] - caps).max())
    if low > high:
        # A sphere does; its half spheres reach beyond all points on both sides.
        low = high = (low + high) / 2
    return Solid(shape(radius, high - low), rotation, rotation @ [*middle, (low + high) / 2])
