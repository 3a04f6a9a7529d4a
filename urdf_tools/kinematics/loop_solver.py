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
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.loop_constraints import LoopConstraints
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices

Truth = npt.NDArray[np.bool_]

TOLERANCE = 1e-11
"""Largest value of an equation that counts as zero, in m and rad."""

_NEWTON = 8
_DAMPED = 60
_LONGEST = 0.25
"""Longest step along a path, of any variable, in rad and m."""
_SHORTEST = 1e-6
"""Shortest part of a path that is a step."""
_STEPS = 2000
_CORRECTION = 0.3
"""Largest correction at the end of a step as a part of the step."""


@dataclass(frozen=True)
class Unknowns:
    """
    The variables that are solved for.

    :ivar variables: indices of the variables, shape (d,).
    :ivar velocities: indices of their velocities, shape (d,).
    """

    variables: Indices
    velocities: Indices


@dataclass
class Path:
    """
    Where paths of B configurations lead.

    :ivar positions: the last ones that are closed, shape (B, n).
    :ivar reached: how much of each path they are at, 1 at its end, shape (B,).
    :ivar rates: change of the unknowns by the whole path at its end; NaN if unknown, (B, d).
    :ivar iterations: evaluations of the equations.
    """

    positions: Array
    reached: Array
    rates: Array
    iterations: int = 0


class LoopSolver:
    """
    Solves the equations of some loops.

    :param constraints: the equations.
    """

    def __init__(self, constraints: LoopConstraints):
        self.constraints = constraints

    def newton(self, positions: Array, unknowns: Unknowns) -> tuple[Truth, Array, int]:
        """
        Close loops nearby, in place.

        :param positions: shape (B, n).
        :return: whether each is closed, shape (B,); the unknowns after the first step, shape
            (B, d); evaluations.
        """
        variables, velocities = unknowns.variables, unknowns.velocities
        first = positions[:, variables]
        active = np.arange(len(positions))
        for iteration in range(_NEWTON + 1):
            values, derivatives = self.constraints.evaluate(positions[active])
            sizes = np.abs(values).max(axis=1, initial=0.0)
            going = np.logical_not(sizes <= TOLERANCE)
            if not going.any():
                active = active[:0]
                break
            if iteration == _NEWTON:
                active = active[going]
                break
            active, values, sizes = active[going], values[going], sizes[going]
            step = _step(values, derivatives[going][:, :, velocities], 1e-4 * sizes**2)
            positions[np.ix_(active, variables)] -= step
            if not iteration:
                first = positions[:, variables]
        closed = np.ones(len(positions), dtype=bool)
        closed[active] = False
        return closed, first, iteration + 1

    def damped(self, positions: Array, unknowns: Unknowns) -> tuple[Array, Truth, int]:
        """
        Close loops as well as possible from anywhere, by damped least squares.

        :return: configurations, shape (B, n); whether they are closed, shape (B,); evaluations.
        """
        best = positions.copy()
        variables, velocities = unknowns.variables, unknowns.velocities
        values, derivatives = self.constraints.evaluate(best)
        costs = np.square(values).sum(axis=1)
        damping = np.full(len(best), 1e-3)
        iteration = 1
        for iteration in range(2, _DAMPED + 2):
            active = np.flatnonzero(
                (np.abs(values).max(axis=1, initial=0.0) > TOLERANCE) & (damping < 1e8))
            if not len(active) or not len(variables):
                break
            tried = best[active]
            tried[:, variables] -= _step(
                values[active], derivatives[active][:, :, velocities],
                damping[active] * np.minimum(1.0, costs[active]))
            new, changes = self.constraints.evaluate(tried)
            cost = np.square(new).sum(axis=1)
            better = cost < costs[active]
            chosen = active[better]
            best[chosen], values[chosen] = tried[better], new[better]
            derivatives[chosen], costs[chosen] = changes[better], cost[better]
            damping[chosen] /= 4
            damping[active[~better]] *= 10
        return best, np.abs(values).max(axis=1, initial=0.0) <= TOLERANCE, iteration

    def follow(
            self, start: Array, way: Array, unknowns: Unknowns,
            rates: Array | None = None) -> Path:
        """
        Follow the loops while the known variables move evenly.

        :param start: closed configurations, shape (B, n).
        :param way: changes of the known variables; the others are ignored, shape (B, n).
        :param rates: expected changes of the unknowns; NaN if unknown, shape (B, d).
        """
        count, variables = len(start), unknowns.variables
        way = way.copy()
        way[:, variables] = 0
        path = Path(start.copy(), np.zeros(count), np.full((count, len(variables)), np.nan)
                    if rates is None else rates.copy())
        longest = np.abs(way).max(axis=1, initial=0.0)
        steps = np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))
        for _ in range(_STEPS):
            rows = np.flatnonzero((path.reached < 1) & (steps > _SHORTEST))
            if not len(rows):
                break
            self._advance(path, rows, steps, start, way, unknowns)
        return path

    def _advance(
            self, path: Path, rows: Indices, steps: Array, start: Array, way: Array,
            unknowns: Unknowns) -> None:
        """Take one step on some of the paths, or halve it."""
        variables = unknowns.variables
        ends = np.minimum(path.reached[rows] + steps[rows], 1.0)
        parts = (ends - path.reached[rows])[:, None]
        before = path.positions[rows][:, variables]
        expected = path.rates[rows] * parts
        is_expected: Truth = np.asarray(np.isfinite(expected).all(axis=1))
        made = start[rows] + ends[:, None] * way[rows]
        made[:, variables] = before + np.where(is_expected[:, None], expected, 0.0)
        guess = made[:, variables]
        closed, first, evaluations = self.newton(made, unknowns)
        path.iterations += evaluations
        guess = np.where(is_expected[:, None], guess, first)
        correction = np.abs(made[:, variables] - guess).max(axis=1, initial=0.0)
        travel = np.maximum(
            np.abs(made[:, variables] - before).max(axis=1, initial=0.0),
            np.abs(way[rows] * parts).max(axis=1, initial=0.0))
        good: Truth = closed & (correction <= _CORRECTION * travel + 1e-9) & (
            travel <= 2 * _LONGEST)
        taken = rows[good]
        path.positions[taken] = made[good]
        path.reached[taken] = ends[good]
        path.rates[taken] = (made[good][:, variables] - before[good]) / parts[good]
        longest = np.abs(way[taken]).max(axis=1, initial=0.0)
        steps[taken] = np.minimum(
            2 * steps[taken], _LONGEST / np.maximum(longest, 1e-300))
        failed = rows[~good]
        # A guess from behind a turn may be what is wrong.
        path.rates[failed[is_expected[~good] & (steps[failed] < 1e-3)]] = np.nan
        steps[failed] = np.minimum(steps[failed], parts[~good][:, 0]) / 2


def _step(values: Array, derivatives: Array, damping: Array) -> Array:
    """
    Return the step of damped least squares, at most half a radian or metre a variable.

    :param values: shape (B, m).
    :param derivatives: shape (B, m, d).
    :param damping: shape (B,).
    """
    size = derivatives.shape[2]
    if not size:
        return np.zeros((len(values), 0))
    turned = np.swapaxes(derivatives, 1, 2)
    matrix = turned @ derivatives
    # Rounding of a matrix that is singular is far below this.
    least = 1e-13 * np.trace(matrix, axis1=1, axis2=2) + 1e-300
    matrix[:, np.arange(size), np.arange(size)] += (damping + least)[:, None]
    step = np.linalg.solve(matrix, (turned @ values[..., None]))[..., 0]
    longest = np.abs(step).max(axis=1, initial=0.0)
    limited: Array = step * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-300))[:, None]
    return limited


def determined(columns: Array, least: float) -> list[int]:
    """
    Return the indices of columns that span all of them, the last ones rather than the first.

    :param least: smallest part of a column that the others do not span.
    """
    basis = np.zeros((columns.shape[0], 0))
    chosen = []
    for place in reversed(range(columns.shape[1])):
        column = columns[:, place]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > least * np.maximum(np.linalg.norm(column), 1e-3):
            basis = np.column_stack((basis, rest / np.linalg.norm(rest)))
            chosen.append(place)
    return chosen
