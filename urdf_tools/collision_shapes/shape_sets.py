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

"""Sets of shapes for a link, from one for all of it to several for parts of it."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.collision_shapes.box_fit import bulk
from urdf_tools.collision_shapes.box_fit import smallest_box
from urdf_tools.collision_shapes.convex_points import extreme_points
from urdf_tools.collision_shapes.convex_points import hull_of
from urdf_tools.collision_shapes.convex_points import principal_axes
from urdf_tools.collision_shapes.round_fit import smallest_round
from urdf_tools.collision_shapes.round_fit import smallest_sphere
from urdf_tools.collision_shapes.round_numbers import rounded
from urdf_tools.collision_shapes.shape_errors import Errors
from urdf_tools.collision_shapes.shape_errors import errors_of
from urdf_tools.collision_shapes.shape_errors import excesses
from urdf_tools.collision_shapes.shape_errors import outside
from urdf_tools.collision_shapes.shape_errors import probes
from urdf_tools.collision_shapes.solid_shapes import Hull
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array

KINDS = ('box', 'cylinder', 'sphere', 'capsule', 'hull')
"""Kinds of shapes, the simplest first."""

MOST_PARTS = 6
"""Most parts that a link is split into."""

_PATIENCE = 2
"""Number of parts more that are tried in vain without ``fit``."""

_HULL_COST = 4
"""A hull costs as much as so many primitives."""

_HULL_ERROR = 1e-3
"""Most that a hull of few vertices leaves outside if it can, in metres."""

_WORTH = 4 / 3
"""Factor on the volume that another primitive is worth."""

_CAPSULE_PENALTY = 1.02
"""Factor on the volume of capsules, so that a sphere stays one."""

_FACES = 24
_ROUND_FACES = 8
_CUTS = np.linspace(0, 1, 13)[1:-1]
"""Where planes may cut a part, as shares of its extent."""

_LEVELS = 6
"""Heights at which most corners are, beside which planes may cut, too."""

_BESIDE = np.array([-1e-5, 1e-5])

_SAMPLES = 1500


@dataclass(frozen=True, eq=False)
class ShapeSet:
    """Shapes for a link, with their measured errors."""

    solids: tuple[Solid, ...]
    errors: Errors

    @property
    def cost(self) -> int:
        """How complicated it is, in primitives."""
        return sum(
            _HULL_COST if isinstance(solid.shape, Hull) else 1 for solid in self.solids)

    @property
    def score(self) -> float:
        """The volume, times what each primitive is worth."""
        return self.volume * _WORTH ** self.cost

    @property
    def volume(self) -> float:
        """The sum of the volumes in m^3."""
        return sum(solid.volume for solid in self.solids)


@dataclass(frozen=True, eq=False)
class Task:
    """
    What is asked of the shapes for a link.

    :ivar tolerance: in metres.
    :ivar fit: whether the shapes may not be farther outside of what is seen, either.
    :ivar kinds: some of :data:`KINDS`.
    :ivar axes: axes of joints in the frame of the link, about which parts may be round.
    """

    tolerance: float
    fit: bool
    kinds: Collection[str]
    axes: Sequence[Array] = ()


def best_set(surface: Surface, task: Task) -> ShapeSet:
    """
    Return the shapes to choose for a surface.

    They are the cheapest ones within the tolerance; if none are, those of the smallest error.
    Without ``fit``, what counts is that nothing is outside and then the volume, of which a part
    must be gained for each shape more.
    """
    found = list(_sets(surface, task, task.tolerance))
    if not set(task.kinds) - {'hull'}:
        found = [each for each in found if each.cost >= _HULL_COST * len(each.solids)] or found
    if task.fit:
        within = [each for each in found if each.errors.largest <= task.tolerance]
        best = (min(within, key=lambda each: (each.cost, each.errors.largest)) if within
                else min(found, key=lambda each: each.errors.largest))
    else:
        covering = [each for each in found if each.errors.outside <= task.tolerance] or found
        exact = [each for each in covering if each.errors.excess <= task.tolerance]
        cheapest = min((each.cost for each in exact), default=np.inf)
        best = min((each for each in covering if each.cost <= cheapest),
                   key=lambda each: each.score)
    return best


def closer_sets(surface: Surface, task: Task, best: ShapeSet) -> list[ShapeSet]:
    """Return ever closer sets of shapes, each with less excess than the one before."""
    closer, excess = [], best.errors.excess
    found = _sets(surface, task, 0.0)
    for each in sorted(found, key=lambda each: (each.cost, each.errors.excess)):
        if each.errors.excess < excess and each.errors.outside <= max(
                task.tolerance, best.errors.outside):
            closer.append(each)
            excess = each.errors.excess
    return closer


def _sets(surface: Surface, task: Task, enough: float) -> Iterator[ShapeSet]:
    """
    Yield sets for the whole surface, and for ever more parts of it.

    :param enough: excess in metres at which it ends.
    """
    parts = [surface]
    solids = [_fitted(surface, task)]
    points = probes(surface)
    scores: list[float] = []
    while True:
        beyond = excesses(surface, solids)
        found = ShapeSet(tuple(solids), Errors(outside(points, solids), max(beyond)))
        yield found
        is_close = found.errors.excess <= enough
        if task.fit and found.errors.excess > task.tolerance or not enough:
            yield from _inset(surface, points, found, task.tolerance)
        hulls = _hulls(surface, parts, task)
        if hulls is not None:
            yield hulls
        scores.append(found.score)
        is_vain = not task.fit and enough > 0 and len(scores) - np.argmin(scores) > _PATIENCE
        if is_close or is_vain or len(parts) >= MOST_PARTS:
            return
        for index in np.argsort([-value for value in beyond], kind='stable').tolist():
            halves = _split(parts[index], solids[index])
            if halves is not None:
                parts[index:index + 1] = halves
                solids[index:index + 1] = [_fitted(half, task) for half in halves]
                break
        else:
            return


def _inset(
        surface: Surface, points: Array, found: ShapeSet, tolerance: float) -> Iterator[ShapeSet]:
    """Yield the shapes smaller by what the tolerance allows, if that makes them closer."""
    smaller = tuple(
        rounded(solid.inset(0.8 * tolerance), solid.centre[None]) for solid in found.solids)
    errors = Errors(outside(points, smaller), max(excesses(surface, smaller)))
    if errors.largest < found.errors.largest:
        yield ShapeSet(smaller, errors)


def _hulls(surface: Surface, parts: Sequence[Surface], task: Task) -> ShapeSet | None:
    if 'hull' not in task.kinds or len(parts) > (MOST_PARTS if task.fit else 2):
        return None
    error = min(task.tolerance / 10, _HULL_ERROR)
    hulls = [hull_of(extreme_points(part.points)[0], error) for part in parts]
    solids = tuple(hull for hull in hulls if hull is not None)
    if len(solids) < len(parts):
        return None
    return ShapeSet(solids, errors_of(surface, solids))


def _fitted(part: Surface, task: Task) -> Solid:
    """Return the smallest primitive around a part, rounded."""
    points, faces = extreme_points(part.points)
    spread = principal_axes(points).T
    found: list[Solid] = []
    box = smallest_box(points, [*faces[:_FACES], *spread, *task.axes])
    if 'box' in task.kinds or not set(task.kinds) - {'hull'}:
        found.append(box)
    axes = [*np.eye(3), *task.axes, *spread, *box.rotation.T, *faces[:_ROUND_FACES]]
    found += smallest_round(points, axes, task.kinds)
    if 'sphere' in task.kinds:
        found.append(smallest_sphere(points))
    return rounded(min(found, key=_worse), points)


def _worse(solid: Solid) -> float:
    return bulk(solid) if solid.kind == 'box' else solid.volume * (
        _CAPSULE_PENALTY if solid.kind == 'capsule' else 1)


def _split(part: Surface, solid: Solid) -> tuple[Surface, Surface] | None:
    """
    Return the parts on both sides of the plane beside which boxes are the smallest.

    Boxes and planes are along the axes of the shape around the part, of its points or of the link.
    """
    step = max(1, len(part.points) // _SAMPLES)
    corners = part.points[::step]
    points = np.concatenate([part.samples(_SAMPLES), corners])
    cuts = [cut for frame in (solid.rotation, principal_axes(points), np.eye(3))
            for cut in _cuts(points @ frame, corners @ frame, frame)]
    return part.halves(*min(cuts, key=lambda cut: cut[0])[1:]) if cuts else None


def _cuts(points: Array, corners: Array, frame: Array) -> Iterator[tuple[float, Array, float]]:
    """Yield the volume of the boxes beside planes, with normal and offset of the plane."""
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    for axis in range(3):
        heights, counts = np.unique(np.round(corners[:, axis], 4), return_counts=True)
        levels = heights[np.argsort(-counts, kind='stable')[:_LEVELS]]
        for offset in (*(low[axis] + _CUTS * extent[axis]), *np.add.outer(levels, _BESIDE).flat):
            below = points[:, axis] <= offset
            if not below.all() and below.any():
                yield sum(float(np.prod(np.ptp(side, axis=0).clip(min=1e-3)))
                          for side in (points[below], points[~below])), frame[:, axis], offset
