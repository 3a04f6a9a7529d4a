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

"""
Configurations that close loops: Newton's method along a path, damped least squares elsewhere.

A path is followed in steps short enough that the method's correction stays small beside the step
itself, which keeps to one branch (Allgower and Georg, Introduction to Numerical Continuation
Methods, chapter 6).

Coupled loops are a group. No variable moves two groups, so each takes steps of its own
length; the equations of all are evaluated at once, and solved as one batch of equal blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.loops.loop_constraints import Columns
from urdf_tools.kinematics.loops.loop_constraints import index_table
from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

TOLERANCE = 1e-11
"""Tolerance of the equations, in m and rad."""

_NEWTON = 8
_NEAR = 1e-5
"""Largest value of an equation below which the derivatives hardly change."""
_DAMPED = 60
_LONGEST = 0.25
"""Longest step along a path, of any variable, in rad and m."""
_SHORTEST = 1e-8
"""Shortest part of a path that is a step."""
_STEPS = 2000
_CORRECTION = 0.3
"""Largest correction at the end of a step as a part of the step."""


@dataclass(frozen=True, eq=False)
class Unknowns:
    """
    The variables that are solved for.

    :ivar variables: indices of the variables, shape (d,).
    :ivar velocities: indices of their velocities, shape (d,).
    :ivar groups: index of the group of each, shape (d,).
    :ivar slots: index of each in the blocks of all groups, shape (d,).
    :ivar blocked: the velocities in blocks, -1 where a block has none, shape (G, w).
    :ivar padding: 1 where a block has no variable, shape (G, w).
    :ivar columns: the derivatives of a block.
    :ivar is_even: whether the blocks are the variables in their order.
    """

    variables: Indices
    velocities: Indices
    groups: Indices
    slots: Indices
    blocked: Indices
    padding: Array
    columns: Columns
    is_even: bool

    def blocks(self, values: Array) -> Array:
        """Return values of the variables, shape (B, d), as blocks of groups, (B, G, w)."""
        blocks = values
        if not self.is_even:
            blocks = np.zeros((len(values), self.padding.size))
            blocks[:, self.slots] = values
        return blocks.reshape(len(values), *self.padding.shape)

    def of_blocks(self, blocks: Array) -> Array:
        """Return values of the variables, shape (d,), of blocks of groups."""
        values = blocks.reshape(-1)
        return values if self.is_even else values[self.slots]

    def largest(self, values: Array) -> Array:
        """Return the largest absolute value of each group, shape (B, G), of values of (B, d)."""
        return np.asarray(self.blocks(np.abs(values)).max(axis=2, initial=0.0))


@dataclass
class Path:
    """
    The ends of the paths of B configurations.

    :ivar positions: the last ones that are closed, shape (B, n).
    :ivar reached: how much of its path each group is at, 1 at its end, shape (B, G).
    :ivar rates: change of the unknowns by the whole path at its end; NaN if unknown, (B, d).
    :ivar singular: whether branches meet where the path of a group starts, so that it cannot be
        followed, shape (B, G).
    :ivar iterations: evaluations of the equations.
    """

    positions: Array
    reached: Array
    rates: Array
    singular: BoolArray
    iterations: int = 0


class LoopSolver:
    """
    Solves the equations of loops.

    :param constraints: the equations.
    :param groups: indices of the loops and of the variables of each group; no variable is in two.
    :ivar group_of: index of the group of each variable, G of those in none, shape (n,).
    :ivar group_of_loop: index of the group of each loop, shape (L,).
    :ivar loops: indices of the loops of each group, L where there are less, (G, l).
    """

    def __init__(self, constraints: LoopConstraints,
                 groups: Sequence[tuple[Sequence[int], Sequence[int]]]):
        self.constraints = constraints
        self.count = len(groups)
        self.group_of = np.full(len(constraints.tree.variable_names), self.count, dtype=np.intp)
        self.group_of_loop = np.empty(len(constraints.loops), dtype=np.intp)
        for group, (loops, variables) in enumerate(groups):
            self.group_of_loop[list(loops)], self.group_of[list(variables)] = group, group
        group_of_row = self.group_of_loop[constraints.loop_of_row]
        self._rows = index_table(
            [np.flatnonzero(group_of_row == group) for group in range(self.count)],
            constraints.count)
        self._is_even = bool(np.array_equal(self._rows.reshape(-1), np.arange(constraints.count)))
        self._has_others = bool((self.group_of == self.count).any())
        self.loops = index_table([np.array(loops) for loops, _ in groups], len(constraints.loops))
        self._members = index_table(
            [np.flatnonzero(self.group_of == group) for group in range(self.count)],
            len(self.group_of))

    def unknowns(self, variables: Sequence[int], velocities: Sequence[int]) -> Unknowns:
        """Return what to solve for: variables with one velocity each, in any groups."""
        groups = self.group_of[list(variables)]
        places = [int((groups[:place] == group).sum()) for place, group in enumerate(groups)]
        width = max(places, default=-1) + 1
        slots = groups * width + np.array(places, dtype=np.intp)
        blocks = np.full((self.count, width), -1)
        blocks.reshape(-1)[slots] = list(velocities)
        return Unknowns(
            np.array(variables, dtype=np.intp), np.array(velocities, dtype=np.intp), groups, slots,
            blocks, (blocks < 0).astype(float),
            self.constraints.columns(blocks[self.group_of_loop]),
            np.array_equal(slots, np.arange(blocks.size)))

    def spread(self, of_groups: npt.NDArray[Any], others: object) -> npt.NDArray[Any]:
        """Return values of groups for their variables, shape (B, n); of those in none, others."""
        if not self._has_others:
            return of_groups[:, self.group_of]
        padded = np.full((len(of_groups), self.count + 1), others)
        padded[:, :-1] = of_groups
        return padded[:, self.group_of]

    def chosen(self, found: Array, rows: Indices) -> Array:
        """Return one row of (B, n) per group, rows (G,); for variables in none the first."""
        return np.asarray(np.take_along_axis(found, self.spread(rows[None], 0), 0)[0])

    def farthest(self, values: Array) -> Array:
        """Return the largest absolute value of the variables of groups, (B, G), of (B, n)."""
        return np.asarray(_taken(np.abs(values), self._members).max(axis=2, initial=0.0))

    def openings(self, positions: Array) -> Array:
        """Return the closure errors of groups, the larger of m and rad, shape (B, G)."""
        errors = np.maximum(*self.constraints.errors(positions))
        return np.asarray(_taken(errors, self.loops).max(axis=2))

    def values(self, positions: Array) -> Array:
        """Return the values of groups, shape (B, G, M)."""
        return self._in_blocks(self.constraints.values(positions)[..., None])[..., 0]

    def blocks(self, positions: Array, columns: Columns) -> tuple[Array, Array]:
        """Return values and derivatives of groups, shape (B, G, M) and (B, G, M, w)."""
        values, derivatives = self.constraints.evaluate(positions, columns)
        return self._in_blocks(values[..., None])[..., 0], self._in_blocks(derivatives)

    def _in_blocks(self, of_rows: Array) -> Array:
        """Return values of equations, shape (B, m, w), as blocks, shape (B, G, M, w)."""
        if self._is_even:
            return of_rows.reshape(len(of_rows), *self._rows.shape, of_rows.shape[2])
        return _taken(of_rows, self._rows)

    def newton(self, positions: Array, unknowns: Unknowns) -> tuple[BoolArray, Array, int]:
        """
        Close loops nearby, in place.

        :param positions: shape (B, n).
        :return: whether each group is closed, shape (B, G); the unknowns after the first step,
            shape (B, d); evaluations.
        """
        variables = unknowns.variables
        first = positions[:, variables]
        rows = np.arange(len(positions))
        closed = np.zeros((len(positions), self.count), dtype=bool)
        sizes = np.full(closed.shape, np.inf)
        for iteration in range(_NEWTON + 1):
            # Reuse the derivatives of the previous step for the last one.
            if iteration and (sizes <= _NEAR).all():
                values = self.values(positions[rows])
            else:
                values, derivatives = self.blocks(positions[rows], unknowns.columns)
            sizes = np.abs(values).max(axis=2)
            going = np.logical_not(sizes <= TOLERANCE)
            closed[rows] = ~going
            chosen = going.any(axis=1)
            if iteration == _NEWTON or not chosen.any():
                break
            if not chosen.all():
                rows, values, derivatives = rows[chosen], values[chosen], derivatives[chosen]
                sizes, going = sizes[chosen], going[chosen]
            step = _step(values, derivatives, 1e-4 * sizes**2, unknowns) * going[..., None]
            positions[rows[:, None], variables] -= step.reshape(len(rows), -1)[:, unknowns.slots]
            if not iteration:
                first = positions[:, variables]
        return closed, first, iteration + 1

    def damped(self, positions: Array, unknowns: Unknowns) -> tuple[Array, BoolArray, int]:
        """
        Close loops as well as possible from anywhere, by damped least squares.

        :return: configurations, shape (B, n); whether the groups are closed in them, shape
            (B, G); evaluations.
        """
        best, variables = positions.copy(), unknowns.variables
        values, derivatives = self.blocks(best, unknowns.columns)
        costs = np.square(values).sum(axis=2)
        damping = np.full(costs.shape, 1e-3)
        iteration = 1
        for iteration in range(2, _DAMPED + 2):
            going = (np.abs(values).max(axis=2) > TOLERANCE) & (damping < 1e8)
            rows = np.flatnonzero(going.any(axis=1))
            if not len(rows) or not len(variables):
                break
            step = _step(values[rows], derivatives[rows],
                         damping[rows] * np.minimum(1.0, costs[rows]), unknowns)
            tried = best[rows]
            tried[:, variables] -= step.reshape(len(rows), -1)[:, unknowns.slots]
            new, changes = self.blocks(tried, unknowns.columns)
            cost = np.square(new).sum(axis=2)
            better = (cost < costs[rows]) & going[rows]
            best[rows] = np.where(self.spread(better, False), tried, best[rows])
            values[rows] = np.where(better[..., None], new, values[rows])
            derivatives[rows] = np.where(better[..., None, None], changes, derivatives[rows])
            costs[rows] = np.where(better, cost, costs[rows])
            damping[rows] *= np.where(better, 0.25, 10.0)
        return best, np.abs(values).max(axis=2) <= TOLERANCE, iteration

    def nearest(self, starts: Array, unknowns: Unknowns) -> tuple[Array, int]:
        """
        Return the configurations with the smallest closure error, and evaluations.

        :param starts: shape (R, S, n).
        :return: shape (R, n).
        """
        count, tries, n = starts.shape
        nearest, iterations = starts[:, 0].copy(), 0
        for chunk in chunks_of(count, 256):
            found, _, more = self.damped(starts[chunk].reshape(-1, n), unknowns)
            openings = self.openings(found).reshape(-1, tries, self.count)
            best = self.spread(openings.argmin(axis=1), 0)
            nearest[chunk] = np.take_along_axis(
                found.reshape(-1, tries, n), best[:, None], 1)[:, 0]
            iterations += more
        return nearest, iterations

    def follow(self, start: Array, way: Array, unknowns: Unknowns, rates: Array | None = None,
               moving: BoolArray | None = None) -> Path:
        """
        Follow the loops while the known variables move evenly.

        :param start: closed configurations, shape (B, n).
        :param way: changes of the known variables; the others are ignored, shape (B, n).
        :param rates: expected changes of the unknowns; NaN if unknown, shape (B, d).
        :param moving: the groups that move, the others stay at the start, shape (G,).
        """
        way = way.copy()
        way[:, unknowns.variables] = 0
        reached = np.zeros((len(start), self.count))
        if moving is not None:
            reached[:, ~moving] = 1
            way[:, self.spread(~moving[None], False)[0]] = 0
        began = start + np.where(self.group_of == self.count, way, 0.0) if (
            self._has_others) else start.copy()
        path = Path(began, reached, np.full(
            (len(start), len(unknowns.variables)), np.nan) if rates is None else rates.copy(),
            np.zeros(reached.shape, dtype=bool))
        longest = np.maximum(self.farthest(way), 1e-300)
        steps = np.minimum(1.0, _LONGEST / longest)
        for _ in range(_STEPS):
            going = (path.reached < 1) & (steps > _SHORTEST)
            rows = np.flatnonzero(going.any(axis=1))
            if not len(rows):
                break
            self._advance(path, rows, going[rows], steps, start, way, longest, unknowns)
        return path

    def _advance(self, path: Path, rows: Indices, going: BoolArray, steps: Array, start: Array,
                 way: Array, longest: Array, unknowns: Unknowns) -> None:
        """Take one step on some of the paths, or halve it."""
        variables, groups = unknowns.variables, unknowns.groups
        reached, old = path.reached[rows], path.positions[rows]
        ends = np.where(going, np.minimum(reached + steps[rows], 1.0), reached)
        parts = ends - reached
        before, rates = old[:, variables], path.rates[rows]
        expected = rates * parts[:, groups]
        is_expected: BoolArray = np.isfinite(unknowns.largest(expected))
        made = start[rows] + self.spread(ends, 1.0) * way[rows]
        made[:, variables] = before + np.where(is_expected[:, groups], expected, 0.0)
        guess = made[:, variables]
        closed, first, evaluations = self.newton(made, unknowns)
        path.iterations += evaluations
        guess = np.where(is_expected[:, groups], guess, first)
        correction = unknowns.largest(made[:, variables] - guess)
        travel = np.maximum(unknowns.largest(made[:, variables] - before), longest[rows] * parts)
        good: BoolArray = going & closed & (correction <= _CORRECTION * travel + 1e-9) & (
            travel <= 2 * _LONGEST)
        failed: BoolArray = going & ~good
        path.positions[rows] = np.where(self.spread(good, False), made, old)
        path.reached[rows] = np.where(good, ends, reached)
        # An initial guess from before a turning point may be the cause.
        rates[(failed & is_expected & (steps[rows] < 1e-3))[:, groups]] = np.nan
        taken = good[:, groups]
        rates[taken] = ((made[:, variables] - before)[taken]) / parts[:, groups][taken]
        path.rates[rows] = rates
        steps[rows] = np.where(good, np.minimum(2 * steps[rows], _LONGEST / longest[rows]),
                               np.where(failed, np.minimum(steps[rows], parts) / 2, steps[rows]))


def _taken(values: Array, table: Indices) -> Array:
    """Return values of shape (B, n, ...) at a table of indices, of which n is for zero."""
    padded = np.zeros((len(values), values.shape[1] + 1, *values.shape[2:]))
    padded[:, :-1] = values
    return padded[:, table]


def _step(values: Array, derivatives: Array, damping: Array, unknowns: Unknowns) -> Array:
    """
    Return the step of damped least squares, at most half a radian or metre a variable.

    :param values: shape (B, G, M).
    :param derivatives: shape (B, G, M, w).
    :param damping: shape (B, G).
    """
    size = derivatives.shape[3]
    if not size:
        return np.zeros((*values.shape[:2], 0))
    turned = np.swapaxes(derivatives, 2, 3)
    matrix = turned @ derivatives
    # Rounding of a matrix that is singular is far below this.
    least = damping + 1e-13 * np.trace(matrix, axis1=2, axis2=3) + 1e-300
    matrix[:, :, np.arange(size), np.arange(size)] += least[..., None] + unknowns.padding
    step = np.linalg.solve(matrix, (turned @ values[..., None]))[..., 0]
    longest = np.abs(step).max(axis=2, initial=0.0)
    return np.asarray(step * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-300))[..., None])
