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

"""Shapes around one part of a surface, of which one is chosen."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.collision.box_fit import smallest_box
from urdf_tools.collision.convex_points import extreme_points
from urdf_tools.collision.convex_points import hull_of
from urdf_tools.collision.convex_points import principal_axes
from urdf_tools.collision.part_cuts import cut_in_two
from urdf_tools.collision.round_fit import smallest_round
from urdf_tools.collision.round_fit import smallest_sphere
from urdf_tools.collision.round_numbers import rounded
from urdf_tools.collision.shape_errors import SurfaceSamples
from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.types import Array

KINDS = ('box', 'cylinder', 'sphere', 'capsule', 'hull', 'mesh')
"""Kinds of shapes, the simplest first."""

_HULL_COST = 3
"""Cost of a hull in primitives."""

MESH_COST = 28
"""Likewise a mesh, which some programs refuse, and others replace by its hull."""

_FEW = 3
"""Number of shapes of a link above which each further one costs extra."""

_EXTRA = 2
"""Extra cost of a further shape, in primitives."""

_HULL_ERROR = 1e-3
"""Target for the distance left outside by a hull of few vertices, in metres."""

_FACES = 24
_ROUND_FACES = 8


@dataclass(frozen=True, eq=False)
class Task:
    """
    Requirements on the shapes for a link.

    :ivar tolerance: in metres.
    :ivar fit: whether the shapes may not be farther outside of the visual geometry, either.
    :ivar kinds: some of :data:`KINDS`.
    :ivar axes: axes of joints in the frame of the link, about which parts may be round.
    :ivar spare: excess in metres that does not count without ``fit``; beyond it, it is weighed
        in multiples of that. None for the tolerance.
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


def cost_of(solid: Solid) -> int:
    """Return the cost of a shape, in primitives."""
    if isinstance(solid.shape, Shell):
        return MESH_COST
    return _HULL_COST if isinstance(solid.shape, Hull) else 1


def cost_of_set(solids: Collection[Solid]) -> int:
    """Return the cost of the shapes of a link, in primitives."""
    return sum(map(cost_of, solids)) + extra_cost(len(solids))


def extra_cost(number: int) -> int:
    """Return the extra cost of a number of shapes of a link, in primitives."""
    return _EXTRA * max(number - _FEW, 0)


class PartShapes:
    """
    The shapes around a part of the visual geometry of a link.

    :ivar samples: the shapes, some.
    """

    def __init__(self, surface: Surface, part: Surface, task: Task):
        self._surface = surface
        self._part = part
        self._task = task
        self.samples = [SurfaceSamples(surface, solid) for solid in _around(part, task)]

    @cached_property
    def smallest(self) -> Solid:
        """The shape of the least volume."""
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
    primitives = set(task.kinds) - {'hull', 'mesh'}
    spread = principal_axes(points).T
    box = smallest_box(points, [*faces[:_FACES], *spread, *task.axes])
    if 'box' in primitives or not primitives and hull is None:
        yield rounded(box, points)
    axes = [*np.eye(3), *task.axes, *spread, *box.rotation.T, *faces[:_ROUND_FACES]]
    for solid in smallest_round(points, axes, primitives):
        yield rounded(solid, points)
    if 'sphere' in primitives:
        yield rounded(smallest_sphere(points), points)
    if hull is not None:
        yield hull
