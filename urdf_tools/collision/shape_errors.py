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

"""How far collision shapes are from the visual geometry of a link, measured in both directions."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.types import Array

_GAP = 3e-3
"""A point of a shape counts unless another shape is so near outside of it, in metres."""

_AT_ONCE = 96

_MOST_SIDES = 30_000_000
"""Maximum number of tests of a point against a triangle for the points of a link."""

_NOTHING = 1e-5
"""Distance in m up to which it does not matter on which side of a mesh a point is."""


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
    def ahead(self) -> Array:
        """Points just outside of it, shape (N, 3)."""
        points, normals = self.solid.surface_points
        return points + _GAP * normals

    @cached_property
    def _reaches(self) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Upper bounds on distances of points of the shape from visuals, and which are exact."""
        reaches = self.surface.reaches(self.solid.surface_points[0])
        return reaches, np.zeros(len(reaches), bool)

    @cached_property
    def clearances(self) -> Array:
        """At most the distances of visual points from the shape, negative inside."""
        return self.solid.clearances(self.surface.probes)

    def excess(self, others: Iterable[Solid] = ()) -> float:
        """
        Return how far it is from the visual geometry, where it is not in other shapes.

        The points that can be the farthest are measured, one block after another.
        """
        others = list(others)
        reaches, is_exact = self._reaches
        largest = 0.0
        order = np.argsort(-reaches)
        for start in range(0, len(order), _AT_ONCE):
            some = order[start:start + _AT_ONCE]
            some = some[reaches[some] > largest]
            if not len(some):
                break
            for other in others:
                some = some[other.clearances(self.ahead[some]) > 0]
            missing = some[~is_exact[some]]
            reaches[missing] = self.surface.distances(self.solid.surface_points[0][missing])
            is_exact[missing] = True
            largest = max(largest, float(reaches[some].max(initial=0.0)))
        return largest


def errors_of(surface: Surface, solids: Iterable[Solid]) -> Errors:
    """Return the errors of shapes, of which there are some."""
    return errors_among([SurfaceSamples(surface, solid) for solid in solids])


def errors_among(samples: Sequence[SurfaceSamples]) -> Errors:
    """Return the errors of shapes, all of the same surface."""
    return Errors(_outside(samples), max(
        sample.excess(other.solid for other in samples if other is not sample)
        for sample in samples))


def _outside(samples: Sequence[SurfaceSamples]) -> float:
    """Return the largest distance of a visual point from the nearest of some shapes."""
    shells = [sample.solid.shape.surface for sample in samples
              if isinstance(sample.solid.shape, Shell)]
    points = samples[0].surface.probes
    step = 1 + len(points) * sum(len(shell.triangles) for shell in shells) // _MOST_SIDES
    is_out = np.min([sample.clearances[::step] for sample in samples], axis=0) > 0
    points = points[::step][is_out]
    distances = np.min([sample.solid.distances(points) for sample in samples], axis=0)
    # Testing whether a point is inside a mesh is slow, so the farthest points come first.
    order = np.argsort(-distances)
    for start in range(0, len(order) if shells else 0, _AT_ONCE):
        some = order[start:start + _AT_ONCE]
        if distances[some[0]] <= _NOTHING:
            break
        inside = np.any([shell.is_inside(points[some]) for shell in shells], axis=0)
        if not inside.all():
            return float(distances[some[~inside]].max())
        distances[some] = 0
    return float(distances.max(initial=0.0))
