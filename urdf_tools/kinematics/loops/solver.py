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
Configurations that close loops, by damped least squares (Levenberg and Marquardt).

A path is followed in steps short enough that the correction at their end stays small beside the
step itself, which keeps to one branch (Allgower and Georg, Introduction to Numerical Continuation
Methods, chapter 6). Coupled loops are a group. No variable moves two groups, so each takes steps
of its own length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.loops.constraints import LoopConstraints
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

TOLERANCE = 1e-11
"""Root of the sum of the squares of the equations of closed loops, in m and rad."""

SINGULAR = 1e-6
"""Ratio of singular values below which a configuration is singular."""

_ITERATIONS = 60
_FEW = 8
"""Largest numbers of iterations from anywhere, and at the end of a step along a path."""
_MOST_DAMPED = 1e8
_LONGEST_STEP = 0.5
"""Largest change of a variable in an iteration, in rad and m."""
_LONGEST = 0.25
"""Longest step along a path, of any variable, in rad and m."""
_SHORTEST = 1e-7
"""Shortest part of a path that is a step."""
_CORRECTION = 0.3
"""Largest correction at the end of a step as a part of the step."""


@dataclass
class Path:
    """
    The ends of the paths of B configurations.

    :ivar positions: the last ones that are closed, shape (B, n).
    :ivar reached: how much of its path each group is at, 1 at its end, shape (B, G).
    :ivar singular: whether branches meet where the path of a group starts, so that it cannot be
        followed, shape (B, G).
    """

    positions: Array
    reached: Array
    singular: BoolArray


class LoopSolver:
    """
    Solves the equations of loops.

    :param constraints: the equations.
    :param groups: indices of the loops and of the variables of each group; no variable is in two.
    :ivar velocity_of: index of the velocity of each variable, -1 for quaternions, shape (n,).
    :ivar group_of: index of the group of each variable, G of those in none, shape (n,).
    :ivar membership: 1 where a variable is in a group, shape (n, G).
    :ivar has_loop: whether a loop is in a group, shape (G, L).
    :ivar evaluations: of the equations so far.
    """

    def __init__(self, constraints: LoopConstraints,
                 groups: Sequence[tuple[Sequence[int], Sequence[int]]]):
        self.constraints, tree = constraints, constraints.tree
        self.velocity_of = np.full(len(tree.variable_names), -1)
        self.velocity_of[tree.plain_variables] = tree.plain_velocities
        self.group_of = np.full(len(tree.variable_names), len(groups))
        self.has_loop = np.zeros((len(groups), len(constraints.loops)), dtype=bool)
        for group, (loops, variables) in enumerate(groups):
            self.has_loop[group, loops], self.group_of[list(variables)] = True, group
        self.membership = (self.group_of[:, None] == np.arange(len(groups))).astype(float)
        self._has_row = self.has_loop[:, constraints.loop_of_row].astype(float)
        self.evaluations = 0

    def spread(self, of_groups: npt.NDArray[Any], others: object) -> npt.NDArray[Any]:
        """Return values of groups for their variables, (..., n); of those in none, others."""
        padded = np.full((*of_groups.shape[:-1], of_groups.shape[-1] + 1), others)
        padded[..., :-1] = of_groups
        return padded[..., self.group_of]

    def largest(self, values: Array, variables: Indices | slice = slice(None)) -> Array:
        """Return the largest absolute value of some variables in each group, shape (B, G)."""
        own = np.abs(values[:, variables])[:, None] * self.membership[variables].T
        return np.asarray(own.max(axis=2, initial=0.0))

    def openings(self, positions: Array) -> Array:
        """Return the closure errors of groups, the larger of m and rad, shape (B, G)."""
        errors = np.maximum(*self.constraints.errors(positions))
        return np.asarray((errors[:, None] * self.has_loop).max(axis=2))

    def evaluate(self, positions: Array) -> tuple[Array, Array]:
        """Return the values and derivatives of the equations, and count."""
        self.evaluations += 1
        return self.constraints.evaluate(positions)

    def solve(self, positions: Array, variables: Indices,
              iterations: int = _ITERATIONS) -> tuple[Array, BoolArray]:
        """
        Close loops as well as possible.

        :param positions: shape (B, n).
        :param variables: that may change, shape (d,).
        :return: configurations, shape (B, n); whether the groups are closed in them, (B, G).
        """
        found, velocities = positions.copy(), self.velocity_of[variables]
        groups, members = self.group_of[variables], self.membership[variables].T
        values, derivatives = self.evaluate(found)
        costs = values**2 @ self._has_row.T
        damping = np.full(costs.shape, 1e-3)
        for _ in range(iterations):
            going = (costs > TOLERANCE**2) & (damping < _MOST_DAMPED) & members.any(axis=1)
            rows = np.flatnonzero(going.any(axis=1))
            if not len(rows):
                break
            factors = damping[rows] * np.minimum(1.0, costs[rows])
            step = _least_squares(derivatives[rows][:, :, velocities], values[rows, :, None],
                                  factors[:, groups])[..., 0]
            longest = (np.abs(step)[:, None] * members).max(axis=2, initial=1e-300)
            tried = found[rows]
            tried[:, variables] -= step * np.minimum(1.0, _LONGEST_STEP / longest)[:, groups]
            new, changes = self.evaluate(tried)
            cost = new**2 @ self._has_row.T
            better: BoolArray = (cost < costs[rows]) & going[rows]
            found[rows] = np.where(self.spread(better, False), tried, found[rows])
            is_better = better @ self._has_row > 0
            values[rows] = np.where(is_better, new, values[rows])
            derivatives[rows] = np.where(is_better[..., None], changes, derivatives[rows])
            costs[rows] = np.where(better, cost, costs[rows])
            damping[rows] *= np.where(better, 0.25, 10.0)
        return found, costs <= TOLERANCE**2

    def singular(self, positions: Array, variables: Indices, ranks: Sequence[int]) -> BoolArray:
        """
        Return for which groups configurations do not determine variables, shape (B, G).

        :param variables: that follow, shape (d,).
        :param ranks: how many of them follow elsewhere, of each group.
        """
        derivatives = self.evaluate(positions)[1]
        singular = np.zeros((len(positions), len(ranks)), dtype=bool)
        for group, rank in enumerate(ranks):
            own = self.velocity_of[variables[self.group_of[variables] == group]]
            if rank:
                values = np.linalg.svd(derivatives[:, :, own], compute_uv=False)
                singular[:, group] = ~(values[:, rank - 1] >= SINGULAR * values[:, 0])
        return singular

    def follow(self, start: Array, way: Array, variables: Indices) -> Path:
        """
        Follow the loops while the known variables move evenly.

        :param start: closed configurations, shape (B, n).
        :param way: changes of the known variables, 0 of others, shape (B, n).
        :param variables: those that follow, shape (d,).
        """
        longest = self.largest(way)
        path = Path(start + np.where(self.group_of == len(self.has_loop), way, 0.0),
                    (longest == 0).astype(float), np.zeros(longest.shape, dtype=bool))
        steps = np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))
        while (going := (path.reached < 1) & (steps > _SHORTEST)).any():
            rows = np.flatnonzero(going.any(axis=1))
            good = self._advance(path, rows, np.where(going, steps, 0.0)[rows], way[rows],
                                 longest[rows], variables)
            steps[rows] *= np.where(good, 2.0, 0.5)
            steps = np.minimum(steps, _LONGEST / np.maximum(longest, 1e-300))
        return path

    def _advance(self, path: Path, rows: Indices, steps: Array, way: Array, longest: Array,
                 variables: Indices) -> BoolArray:
        """Take one step on some of the paths where it is safe, and return where that is."""
        old, tree = path.positions[rows], self.constraints.tree
        ends = np.minimum(path.reached[rows] + steps, 1.0)
        parts = ends - path.reached[rows]
        guess = old + self.spread(parts, 0.0) * way
        _, derivatives = self.evaluate(old)
        rates = derivatives[..., tree.plain_velocities] @ (
            (guess - old)[:, tree.plain_variables, None])
        guess[:, variables] -= _least_squares(
            derivatives[..., self.velocity_of[variables]], rates)[..., 0]
        made, closed = self.solve(guess, variables, _FEW)
        travel = np.maximum(self.largest(made - old, variables), longest * parts)
        good: BoolArray = closed & (travel <= 2 * _LONGEST) & (
            self.largest(made - guess) <= _CORRECTION * travel + 1e-9)
        path.positions[rows] = np.where(self.spread(good, False), made, old)
        path.reached[rows] = np.where(good, ends, path.reached[rows])
        return good


def _least_squares(derivatives: Array, values: Array, damping: Array | float = 0.0) -> Array:
    """
    Return the changes that cause values, shape (B, d, k).

    :param derivatives: shape (B, m, d).
    :param values: shape (B, m, k).
    :param damping: shape (B, d).
    """
    turned = np.swapaxes(derivatives, 1, 2)
    matrix = turned @ derivatives
    places = np.arange(matrix.shape[1])
    # Rounding of a matrix that is singular is far below this.
    matrix[:, places, places] += damping + (
        1e-13 * np.trace(matrix, axis1=1, axis2=2)[:, None] + 1e-300)
    return np.asarray(np.linalg.solve(matrix, turned @ values), dtype=float)
