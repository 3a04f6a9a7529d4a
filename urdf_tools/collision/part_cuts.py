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

"""Parts of a surface on both sides of a plane, each nearly convex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from urdf_tools.collision.convex_points import convex_hull_of
from urdf_tools.collision.convex_points import principal_axes
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.types import Array

_CUTS = np.linspace(0, 1, 13)[1:-1]
"""Positions of candidate planes, as shares of the extent of a part."""

_LEVELS = 6
"""Number of heights with the most corners that add candidate planes."""

_BESIDE = np.array([-1e-5, 1e-5])

_BEST = 3
"""Number of planes of each direction whose hulls are compared."""

_SAME = 0.03
"""Share of the volume up to which planes through many corners are preferred to others."""

_SAMPLES = 1500
_MOST_CORNERS = 500
_THINNEST = 1e-3
"""Least extent in m that counts."""


class _Cut(NamedTuple):
    bulk: float
    is_between: bool
    normal: Array
    offset: float

    def rank(self, bulk: float, whole: float) -> tuple[float, bool, float]:
        """Return a sort key, lower for better planes; nearly equal bulk does not count."""
        return round(bulk / whole / _SAME), self.is_between, self.bulk


def cut_in_two(part: Surface, frame: Array) -> tuple[Surface, Surface] | None:
    """
    Return the parts on both sides of the plane that gives the smallest hulls.

    Planes are along the axes of a frame, of the points or of the link. Of each direction those are
    looked at beside which boxes are the smallest.
    """
    step = max(1, len(part.points) // _MOST_CORNERS)
    corners = part.points[::step]
    points = np.concatenate([part.samples_with_owners(_SAMPLES)[0], corners])
    frames = [np.eye(3)]
    for each in (frame, principal_axes(points)):
        if all(np.abs(each.T @ other).max(axis=1).min() < 0.999 for other in frames):
            frames.append(each)
    whole = _box_bulk(points)
    cuts = [cut for each in frames for axis in range(3)
            for cut in sorted(_cuts(points @ each, corners @ each, each, axis),
                              key=lambda cut: cut.rank(cut.bulk, whole))[:_BEST]]
    if not cuts:
        return None
    best = min(cuts, key=lambda cut: cut.rank(_hull_bulk(points, cut), whole))
    return part.halves(best.normal, best.offset)


def _cuts(points: Array, corners: Array, frame: Array, axis: int) -> Iterator[_Cut]:
    """Yield planes across an axis of a frame, with the volume of the boxes beside them."""
    low, extent = points[:, axis].min(), np.ptp(points[:, axis])
    heights, counts = np.unique(np.round(corners[:, axis], 4), return_counts=True)
    levels = heights[np.argsort(-counts, kind='stable')[:_LEVELS]]
    offsets = [(offset, True) for offset in (low + _CUTS * extent).tolist()]
    offsets += [(offset, False) for offset in np.add.outer(levels, _BESIDE).ravel().tolist()]
    for offset, is_between in offsets:
        below = points[:, axis] <= offset
        if not below.all() and below.any():
            yield _Cut(sum(_box_bulk(side) for side in (points[below], points[~below])),
                       is_between, frame[:, axis], offset)


def _hull_bulk(points: Array, cut: _Cut) -> float:
    below = points @ cut.normal <= cut.offset
    return sum(_bulk(side) for side in (points[below], points[~below]))


def _bulk(points: Array) -> float:
    """Return the volume of the hull of points; that of their box if they are in a plane."""
    hull = convex_hull_of(points)
    return _box_bulk(points) if hull is None else float(hull.volume)


def _box_bulk(points: Array) -> float:
    return float(np.prod(np.ptp(points, axis=0).clip(min=_THINNEST)))
