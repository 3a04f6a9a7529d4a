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

from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from math import log

import numpy as np

from urdf_tools.collision.parts import cost_of
from urdf_tools.collision.parts import Errors
from urdf_tools.collision.parts import errors_among
from urdf_tools.collision.parts import errors_of
from urdf_tools.collision.parts import extra_cost
from urdf_tools.collision.parts import PartShapes
from urdf_tools.collision.parts import SurfaceSamples
from urdf_tools.collision.parts import Task
from urdf_tools.collision.solids import rounded
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.model.records import Cylinder

MAX_PARTS = 6
"""Maximum number of parts into which a link is split."""

_WORTH = 0.1
"""Share of the excess that another primitive must save, approximately (of its logarithm)."""

_WHEEL = 0.5
"""Additional saving required of shapes that replace a wheel, which rolls and is hollow."""

_SAME = 0.05
"""Differences of the score up to which the volume counts."""

_AS_CLOSE = 1.05
"""Factor on the excess up to which the smaller one of two shapes is taken."""


@dataclass(frozen=True, eq=False)
class ShapeSet:
    """Shapes for a link, with their measured errors."""

    solids: tuple[Solid, ...]
    errors: Errors

    @property
    def cost(self) -> int:
        """Its cost, in primitives."""
        return cost_of(*self.solids)

    @property
    def volume(self) -> float:
        """The sum of the volumes in m^3."""
        return sum(solid.volume for solid in self.solids)

    def error(self, task: Task) -> float:
        """Return the error that has to be within the tolerance, in metres."""
        return self.errors.largest if task.fit else self.errors.outside

    @property
    def is_wheel(self) -> bool:
        """Whether it is one flat cylinder about an axis through the frame of the link."""
        solid, shape = self.solids[0], self.solids[0].shape
        return len(self.solids) == 1 and isinstance(shape, Cylinder) and (
            shape.length <= 2 * shape.radius) and bool(
            np.linalg.norm(np.cross(solid.rotation[:, 2], solid.centre)) <= 0.02 * shape.radius)

    def score(self, task: Task) -> tuple[float, float]:
        """Return what to minimize: the excess that counts and the cost; then the volume."""
        price = _price(self.errors.excess, self.cost, task.unit) - _WHEEL * self.is_wheel
        return round(price / _SAME), self.volume


def _price(excess: float, cost: int, unit: float) -> float:
    """Return the price of a set, to which excess up to the unit does not contribute."""
    return log(max(excess / unit, 1.0)) + _WORTH * cost


def best_set(surface: Surface, task: Task) -> ShapeSet:
    """
    Return the shapes to choose for a surface.

    With ``fit`` they are the cheapest ones within the tolerance; if none are, those of the
    smallest error. Without, nothing may be outside, and each shape more must save excess.
    """
    sets = list(_sets(surface, task, exhaust=False))
    within = [each for each in sets if each.error(task) <= task.tolerance]
    if not within:
        return min(sets, key=lambda each: each.error(task))
    return min(within, key=lambda each: (
        (each.cost, each.errors.largest) if task.fit else each.score(task)))


def closer_sets(surface: Surface, task: Task, best: ShapeSet) -> list[ShapeSet]:
    """Return ever closer sets of shapes, each with less excess than the one before."""
    closer, excess = [], best.errors.excess
    outside = max(task.tolerance, best.errors.outside)
    for each in sorted(_sets(surface, task, exhaust=True),
                       key=lambda each: (each.cost, each.errors.excess)):
        if each.errors.excess < excess and each.errors.outside <= outside:
            closer.append(each)
            excess = each.errors.excess
    return closer


def _sets(surface: Surface, task: Task, exhaust: bool) -> Iterator[ShapeSet]:
    """
    Yield sets for the whole surface, and for ever more parts of it.

    :param exhaust: whether to go on when no better set can follow.
    """
    lowest = inf
    for parts in _partitions(surface, task):
        for samples in _choices(parts, task.unit):
            each = ShapeSet(tuple(sample.solid for sample in samples), errors_among(samples))
            yield each
            if not task.fit:
                lowest = min(lowest, _price(each.errors.excess, each.cost, task.unit))
            elif each.errors.largest <= task.tolerance:
                lowest = min(lowest, _WORTH * each.cost)
            if task.fit or exhaust:
                yield from _inset(surface, each, task.tolerance)
        following = len(parts) + 1
        if not exhaust and lowest <= _WORTH * (following + extra_cost(following)):
            return


def _partitions(surface: Surface, task: Task) -> Iterator[list[PartShapes]]:
    """Yield a surface in one part, in two, and so on, each time the worst part cut in two."""
    parts = [PartShapes(surface, surface.thinned(), task)]
    while True:
        yield parts
        if len(parts) >= MAX_PARTS:
            return
        excesses = [min(_excesses(parts, index)) for index in range(len(parts))]
        for index in np.argsort(np.negative(excesses), kind='stable').tolist():
            halves = parts[index].halves()
            if halves is not None:
                parts = [*parts[:index], *halves, *parts[index + 1:]]
                break
        else:
            return


def _excesses(parts: Sequence[PartShapes], index: int) -> list[float]:
    """Return the excess of each shape of a part, beside the smallest ones of the others."""
    others = [part.smallest for number, part in enumerate(parts) if number != index]
    return [sample.excess(others) for sample in parts[index].samples]


def _choices(parts: Sequence[PartShapes], unit: float) -> list[tuple[SurfaceSamples, ...]]:
    """
    Return choices of a shape for each part.

    They are the cheapest ones of which none has more than some excess: what does not count, or
    what is the best in sum with the cost, or the smallest that is possible. Of one part they are
    all such ones, as it may be a wheel.
    """
    options = [list(zip(_excesses(parts, index), part.samples))
               for index, part in enumerate(parts)]
    smallest = max(min(excess for excess, _ in each) for each in options)
    bounds = sorted({excess for each in options for excess, _ in each if excess >= smallest})
    choices: dict[tuple[SurfaceSamples, ...], tuple[float, int]] = {}
    for bound in bounds:
        chosen = [min((option for option in each if option[0] <= _AS_CLOSE * bound),
                      key=lambda option: (cost_of(option[1].solid), option[1].solid.volume))
                  for each in options]
        samples = tuple(sample for _, sample in chosen)
        choices.setdefault(samples, (
            max(excess for excess, _ in chosen), cost_of(*(sample.solid for sample in samples))))
    if len(parts) == 1:
        return list(choices)
    picked = {next(iter(choices)),
              min(choices, key=lambda each: _price(*choices[each], unit=unit))}
    within = [each for each, (excess, _) in choices.items() if excess <= unit]
    if within:
        picked.add(min(within, key=lambda each: choices[each][::-1]))
    return [each for each in choices if each in picked]


def _inset(surface: Surface, given: ShapeSet, tolerance: float) -> Iterator[ShapeSet]:
    """Yield the shapes smaller by what the tolerance allows, if that makes them closer."""
    smaller = tuple(
        rounded(solid.inset(0.8 * tolerance), solid.centre[None]) for solid in given.solids)
    errors = errors_of(surface, smaller)
    if errors.largest < given.errors.largest:
        yield ShapeSet(smaller, errors)
