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

"""How far collision shapes are from what is seen of a link, measured in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array

_SAMPLES = 3000
_MOST_CORNERS = 3000
_GAP = 3e-3
"""A point of a shape counts unless another shape is so near outside of it, in metres."""

_AT_ONCE = 32


@dataclass(frozen=True)
class Errors:
    """
    Distances between collision shapes and what is seen, in metres.

    :ivar outside: largest distance of a visual point from the shapes.
    :ivar excess: largest distance of a point on the surface of all shapes from the visuals.
    """

    outside: float
    excess: float

    @property
    def largest(self) -> float:
        """The larger one."""
        return max(self.outside, self.excess)


def probes(surface: Surface) -> Array:
    """Return the points of a surface that are looked at: samples and corners."""
    step = max(1, len(surface.points) // _MOST_CORNERS)
    return np.concatenate([surface.samples(_SAMPLES), surface.points[::step]])


def _outside(points: Array, solids: Sequence[Solid], meshes: Sequence[Surface] = ()) -> float:
    """Return the largest distance of points from the nearest of some shapes."""
    distances = np.full(len(points), np.inf)
    for solid in solids:
        distances = np.minimum(distances, solid.distances(points))
    for mesh in meshes:
        distances = np.minimum(distances, mesh.distances(points))
    # Whether a point is inside of a mesh takes long, so the farthest points come first.
    order = np.argsort(-distances)
    for start in range(0, len(order) if meshes else 0, _AT_ONCE):
        some = order[start:start + _AT_ONCE]
        if distances[some[0]] <= 0:
            break
        inside = np.any([mesh.is_inside(points[some]) for mesh in meshes], axis=0)
        if not inside.all():
            return float(distances[some[~inside]].max())
        distances[some] = 0
    return float(distances.max().clip(min=0))


@dataclass(frozen=True, eq=False)
class Mantle:
    """
    The surface of a shape, and how far it is from what is seen.

    :ivar surface: what is seen.
    """

    surface: Surface
    solid: Solid

    @cached_property
    def ahead(self) -> Array:
        """Points just outside of it, shape (N, 3)."""
        points, normals = self.solid.mantle
        ahead: Array = points + _GAP * normals
        return ahead

    @cached_property
    def distances(self) -> Array:
        """The distances of points of the shape from what is seen, shape (N,)."""
        return self.surface.distances(self.solid.mantle[0])

    @cached_property
    def gaps(self) -> Array:
        """The distances of visual points from the shape, negative inside."""
        return self.solid.distances(probes(self.surface))

    def excess(self, others: Iterable[Solid] = ()) -> float:
        """Return how far it is from what is seen, where it is not in other shapes."""
        exposed = np.ones(len(self.ahead), bool)
        for other in others:
            exposed &= ~other.holds(self.ahead)
        return float(self.distances[exposed].max()) if exposed.any() else 0.0


def errors_among(mantles: Sequence[Mantle]) -> Errors:
    """Return the errors of shapes."""
    gaps = np.min([mantle.gaps for mantle in mantles], axis=0)
    return Errors(float(gaps.max().clip(min=0)), _largest_excess(mantles))


def _largest_excess(mantles: Sequence[Mantle]) -> float:
    """Return how far the surface of all shapes is from what is seen."""
    return max(mantle.excess(other.solid for other in mantles if other is not mantle)
               for mantle in mantles)


def errors_of(
        surface: Surface, solids: Sequence[Solid], meshes: Sequence[Surface] = ()) -> Errors:
    """Return the errors of shapes and meshes, of which there are some."""
    beyond = [float(surface.distances(probes(mesh)).max()) for mesh in meshes]
    if solids:
        beyond.append(_largest_excess([Mantle(surface, solid) for solid in solids]))
    return Errors(_outside(probes(surface), solids, meshes), max(beyond))
