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

"""Parts of the visual geometry of a link, the shapes around each, and their errors."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from urdf_tools.collision.fits import convex_hull_of
from urdf_tools.collision.fits import extreme_points
from urdf_tools.collision.fits import hull_of
from urdf_tools.collision.fits import principal_axes
from urdf_tools.collision.fits import smallest_box
from urdf_tools.collision.fits import smallest_round
from urdf_tools.collision.fits import smallest_sphere
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import rounded
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.types import Array
from urdf_tools.types import BoolArray

_GAP = 3e-3
"""A point of a shape counts unless another shape is so near outside of it, in metres."""

_AT_ONCE = 96
"""Number of points that are measured together."""

_MAX_SIDES = 30_000_000
"""Maximum number of tests of a point against a triangle for the points of a link."""

_ON_SURFACE = 1e-5
"""Distance in m up to which it does not matter on which side of a mesh a point is."""

_CUTS = np.linspace(0, 1, 13)[1:-1]
"""Positions of candidate planes, as shares of the extent of a part."""

_LEVELS = 6
"""Number of heights with the most corners that add candidate planes."""

_BESIDE = np.array([-1e-5, 1e-5])
"""Distances in m of these planes from the corners."""

_BEST = 3
"""Number of planes of each direction whose hulls are compared."""

_SAME = 0.03
"""Share of the volume up to which planes through many corners are preferred to others."""

_SAMPLES = 1500

_MAX_CORNERS = 500

_MIN_EXTENT = 1e-3
"""Smallest extent in m that counts."""

_Cut = tuple[float, bool, float, Array, float]
"""
A plane: its rank by boxes, whether it avoids many corners, the volume of the boxes, its normal and
its offset.
"""

KINDS = ('box', 'cylinder', 'sphere', 'capsule', 'hull')
"""Kinds of shapes, the simplest first."""

_HULL_COST = 3
"""Cost of a hull, in primitives."""

_FEW = 3
"""Number of shapes of a link above which each further one costs extra."""

_EXTRA = 2
"""Extra cost of a further shape, in primitives."""

_HULL_ERROR = 1e-3
"""Target for the distance left outside by a hull of few vertices, in metres."""

_ROUND_FACES = 8


@dataclass(frozen=True)
class Errors:
    """
    Distances between collision shapes and the visual geometry, in metres.

    :ivar outside: largest distance of a visual point from the shapes.
    :ivar excess: largest distance of a point on the surface of all shapes from the visuals.
    """

    outside: float
    excess: float

    @property
    def largest(self) -> float:
        """The larger one."""
        return max(self.outside, self.excess)


@dataclass(frozen=True, eq=False)
class SurfaceSamples:
    """
    The surface of a shape, and how far it is from the visual geometry.

    :ivar surface: the visual geometry.
    """

    surface: Surface
    solid: Solid

    @cached_property
    def _reaches(self) -> tuple[Array, BoolArray]:
        """Upper bounds on distances of points of the shape from visuals, and which are exact."""
        reaches = self.surface.reaches(self.solid.surface_points[0])
        return reaches, np.zeros(len(reaches), bool)

    @cached_property
    def clearances(self) -> Array:
        """Lower bounds on the distances of visual points from the shape, negative inside."""
        return self.solid.clearances(self.surface.probes)

    def excess(self, others: Iterable[Solid] = ()) -> float:
        """
        Return how far it is from the visual geometry, where it is not in other shapes.

        The points that can be the farthest are measured, one block after another.
        """
        others = list(others)
        points, normals = self.solid.surface_points
        reaches, is_exact = self._reaches
        largest = 0.0
        order = np.argsort(-reaches)
        for start in range(0, len(order), _AT_ONCE):
            some = order[start:start + _AT_ONCE]
            some = some[reaches[some] > largest]
            if not len(some):
                break
            for other in others:
                some = some[other.clearances(points[some] + _GAP * normals[some]) > 0]
            missing = some[~is_exact[some]]
            reaches[missing] = self.surface.distances(points[missing])
            is_exact[missing] = True
            largest = max(largest, float(reaches[some].max(initial=0.0)))
        return largest


def errors_of(surface: Surface, solids: Iterable[Solid], counted: Iterable[bool] = ()) -> Errors:
    """
    Return the errors of shapes, of which there are some.

    :param counted: whether the excess of each counts; by default, all do.
    """
    return errors_among([SurfaceSamples(surface, solid) for solid in solids], counted)


def errors_among(samples: Sequence[SurfaceSamples], counted: Iterable[bool] = ()) -> Errors:
    """Return the errors of shapes, all of the same surface; see :func:`errors_of`."""
    return Errors(_outside(samples), max((
        sample.excess(other.solid for other in samples if other is not sample)
        for sample in compress(samples, [*counted] or [True] * len(samples))), default=0.0))


def _outside(samples: Sequence[SurfaceSamples]) -> float:
    """Return the largest distance of a visual point from the nearest of some shapes."""
    shells = [sample.solid.shape.surface for sample in samples
              if isinstance(sample.solid.shape, Shell)]
    points = samples[0].surface.probes
    step = 1 + len(points) * sum(len(shell.triangles) for shell in shells) // _MAX_SIDES
    is_out = np.min([sample.clearances[::step] for sample in samples], axis=0) > 0
    points = points[::step][is_out]
    distances = np.min([sample.solid.distances(points) for sample in samples], axis=0)
    # Testing whether a point is inside a mesh is slow, so the farthest points come first.
    order = np.argsort(-distances)
    for start in range(0, len(order) if shells else 0, _AT_ONCE):
        some = order[start:start + _AT_ONCE]
        if distances[some[0]] <= _ON_SURFACE:
            break
        inside = np.any([shell.is_inside(points[some]) for shell in shells], axis=0)
        if not inside.all():
            return float(distances[some[~inside]].max())
        distances[some] = 0
    return float(distances.max(initial=0.0))


def cut_in_two(part: Surface, frame: Array) -> tuple[Surface, Surface] | None:
    """
    Return the parts on both sides of the plane that gives the smallest hulls.

    Planes are along the axes of a frame, of the points or of the link. Of each direction those are
    compared beside which boxes are the smallest. Volumes that are nearly equal do not count.
    """
    step = max(1, len(part.points) // _MAX_CORNERS)
    corners = part.points[::step]
    points = np.concatenate([part.samples_with_owners(_SAMPLES)[0], corners])
    frames = [np.eye(3)]
    for each in (frame, principal_axes(points)):
        if all(np.abs(each.T @ other).max(axis=1).min() < 0.999 for other in frames):
            frames.append(each)
    unit = _SAME * _box_volume(points)
    cuts: list[_Cut] = []
    for each in frames:
        turned = points @ each
        for axis in range(3):
            along = []
            for offset, is_between in _offsets(turned[:, axis], corners @ each[:, axis]):
                below = turned[:, axis] <= offset
                if below.any() and not below.all():
                    volume = _box_volume(turned[below]) + _box_volume(turned[~below])
                    along.append((round(volume / unit), is_between, volume, each[:, axis], offset))
            cuts += sorted(along, key=lambda cut: cut[:3])[:_BEST]

    def rank(cut: _Cut) -> tuple[float, bool, float]:
        below = points @ cut[3] <= cut[4]
        return (round((_volume(points[below]) + _volume(points[~below])) / unit), *cut[1:3])

    return part.halves(*min(cuts, key=rank)[3:]) if cuts else None


def _offsets(heights: Array, corners: Array) -> Iterator[tuple[float, bool]]:
    """Yield heights of planes, and whether they avoid those of many corners."""
    low, extent = heights.min(), np.ptp(heights)
    yield from ((offset, True) for offset in (low + _CUTS * extent).tolist())
    levels, counts = np.unique(np.round(corners, 4), return_counts=True)
    levels = levels[np.argsort(-counts, kind='stable')[:_LEVELS]]
    yield from ((offset, False) for offset in np.add.outer(levels, _BESIDE).ravel().tolist())


def _volume(points: Array) -> float:
    """Return the volume of the hull of points; that of their box if they are in a plane."""
    hull = convex_hull_of(points)
    return _box_volume(points) if hull is None else float(hull.volume)


def _box_volume(points: Array) -> float:
    return float(np.prod(np.ptp(points, axis=0).clip(min=_MIN_EXTENT)))


@dataclass(frozen=True, eq=False)
class Task:
    """
    Requirements on the shapes for a link.

    :ivar tolerance: in metres.
    :ivar fit: whether the shapes may not be farther outside of the visual geometry, either.
    :ivar kinds: some of :data:`KINDS`.
    :ivar axes: axes of joints in the frame of the link, about which parts may be round.
    :ivar spare: excess in metres that does not count without ``fit``; beyond it, it is
        counted in multiples of that. None for the tolerance.
    """

    tolerance: float
    fit: bool
    kinds: Collection[str]
    axes: Sequence[Array] = ()
    spare: float | None = None

    @property
    def unit(self) -> float:
        """The excess in metres that does not count."""
        return self.tolerance if self.fit or self.spare is None else self.spare


def cost_of(*solids: Solid) -> int:
    """Return the cost of the shapes of a link, in primitives."""
    costs = (_HULL_COST if isinstance(solid.shape, Hull) else 1 for solid in solids)
    return sum(costs) + extra_cost(len(solids))


def extra_cost(number: int) -> int:
    """Return the extra cost of a number of shapes of a link, in primitives."""
    return _EXTRA * max(number - _FEW, 0)


class PartShapes:
    """
    The shapes around a part of the visual geometry of a link.

    :ivar samples: the shapes, at least one.
    """

    def __init__(self, surface: Surface, part: Surface, task: Task):
        self._surface = surface
        self._part = part
        self._task = task
        self.samples = [SurfaceSamples(surface, solid) for solid in _around(part, task)]

    @cached_property
    def smallest(self) -> Solid:
        """The shape of the smallest volume."""
        return min((sample.solid for sample in self.samples), key=lambda solid: solid.volume)

    def halves(self) -> tuple[PartShapes, PartShapes] | None:
        """Return the shapes for the parts on both sides of the best plane, if there is one."""
        halves = cut_in_two(self._part, self.samples[0].solid.rotation)
        if halves is None:
            return None
        below, above = (PartShapes(self._surface, half, self._task) for half in halves)
        return below, above


def _around(part: Surface, task: Task) -> Iterator[Solid]:
    """Yield the smallest shapes around a part, primitives rounded, at least one."""
    points, faces = extreme_points(part.points)
    hull = hull_of(points, min(task.tolerance / 10, _HULL_ERROR)) if 'hull' in task.kinds else None
    primitives = set(task.kinds) - {'hull'}
    spread = principal_axes(points).T
    box = smallest_box(points)
    if 'box' in primitives or not primitives and hull is None:
        yield rounded(box, points)
    axes = [*np.eye(3), *task.axes, *spread, *box.rotation.T, *faces[:_ROUND_FACES]]
    yield from (rounded(solid, points) for solid in smallest_round(points, axes, primitives))
    if 'sphere' in primitives:
        yield rounded(smallest_sphere(points), points)
    if hull is not None:
        yield hull
