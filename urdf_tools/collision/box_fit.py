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

"""The smallest box around points, in any orientation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from urdf_tools.collision.convex_points import convex_hull_of
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.records import Box
from urdf_tools.types import Array

_COSTS_NOTHING = 1.02
"""Factor on volume up to which a box along the axes of the link is preferred."""

_THINNEST = 1e-4
"""Least extent in m that counts, so that flat boxes are compared by their area."""

_IS_BETTER = 0.999
"""Share of the volume of the best box above which a new one ends the search."""


def smallest_box(points: Array, directions: Iterable[Array]) -> Solid:
    """
    Return the smallest box found around points, or one along the axes of the link.

    For each direction, the best box with an edge along it is the best rectangle around the points
    seen from there, which has a side along one of their hull (rotating calipers). The search goes
    on along the edges of the best box.

    :param points: corners of a convex hull, shape (N, 3).
    :param directions: unit vectors to begin with, such as normals of faces.
    """
    aligned = box_along(points, np.eye(3))
    best = min((aligned, *(_box_about(points, each) for each in directions)), key=bulk)
    while True:
        nearby = min((_box_about(points, axis) for axis in best.rotation.T), key=bulk)
        if not bulk(nearby) < _IS_BETTER * bulk(best):
            break
        best = nearby
    return aligned if bulk(aligned) <= _COSTS_NOTHING * bulk(best) else _upright(best)


def box_along(points: Array, rotation: Array) -> Solid:
    """Return the box around points with its edges along the columns of a rotation."""
    seen = points @ rotation
    low, high = seen.min(axis=0), seen.max(axis=0)
    x, y, z = (high - low).tolist()
    return Solid(Box((x, y, z)), rotation, rotation @ (low + high) / 2)


def bulk(box: Solid) -> float:
    """Return the volume of a box, no extent of which counts as less than :data:`_THINNEST`."""
    assert isinstance(box.shape, Box)
    return float(np.prod(np.maximum(box.shape.size, _THINNEST)))


def _box_about(points: Array, axis: Array) -> Solid:
    """Return the smallest box around points with an edge along an axis."""
    basis = rotation_from_z(tuple((axis / np.linalg.norm(axis)).tolist()))
    corners, edges = _outline(points @ basis[:, :2])
    across = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    areas = np.ptp(edges @ corners.T, axis=1).clip(_THINNEST) * np.ptp(
        across @ corners.T, axis=1).clip(_THINNEST)
    x, y = edges[np.argmin(areas)]
    return box_along(points, basis @ np.array([[x, -y, 0], [y, x, 0], [0, 0, 1.0]]))


def _outline(points: Array) -> tuple[Array, Array]:
    """Return corners and directions of the sides of the convex hull of points in a plane."""
    hull = convex_hull_of(points)
    if hull is None:  # They are on a line.
        corners = points[[np.argmin(points.sum(axis=1)), np.argmax(points.sum(axis=1))]]
    else:
        corners = points[hull.vertices]
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    sides = sides[lengths > 1e-12] / lengths[lengths > 1e-12, None]
    return corners, np.vstack([sides, [[1.0, 0.0]]])


def _upright(box: Solid) -> Solid:
    """Return the same box with its axes permuted for the smallest rotation."""
    assert isinstance(box.shape, Box)
    best, rotation, size = -np.inf, box.rotation, np.array(box.shape.size)
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        axes = box.rotation[:, order]
        for signs in np.array(np.meshgrid(*[[1, -1]] * 3)).reshape(3, -1).T:
            turned = axes * signs
            if np.linalg.det(turned) > 0 and np.trace(turned) > best + 1e-9:
                best, rotation, size = float(np.trace(turned)), turned, np.take(
                    box.shape.size, order)
    x, y, z = size.tolist()
    return Solid(Box((x, y, z)), rotation, box.centre)
