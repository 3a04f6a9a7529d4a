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

"""The next configuration of a mechanism that moved a little since the last one."""

from __future__ import annotations

import math

import numpy as np

from urdf_tools.kinematics.loop_chains import are_chains
from urdf_tools.kinematics.loop_chains import LoopChains
from urdf_tools.kinematics.loop_solver import LoopSolver
from urdf_tools.kinematics.loop_solver import TOLERANCE
from urdf_tools.kinematics.loop_solver import Truth
from urdf_tools.kinematics.loop_solver import Unknowns
from urdf_tools.kinematics.transforms import Array

_FAR = 0.1
"""Longest motion of a variable that is little, in rad and m."""

_CERTAIN = 1e-2
"""Largest product of the first correction and the largest change of unknowns by an equation."""

_EVALUATIONS = 4
"""Most evaluations of the equations."""

_SIGNS = np.array([[1.0, -1.0], [-1.0, 1.0]])


class LoopStep:
    """
    Closes loops where all that moves did so a little, in one step for all groups.

    The unknowns are expected to move as their derivatives by the known variables tell, by the
    second-order method of Adams and Bashforth, and corrected once by the derivatives there. The
    correction times the norm of their inverse tells how curved the equations must be for another
    branch to be near (Newton-Kantorovich): where it is not tiny, nothing is returned. How far the
    loops can be open after the correction follows from its size; they are evaluated again where
    that does not suffice.

    :param known: the variables that are known.
    :param unknowns: those that follow.
    """

    def __init__(self, solver: LoopSolver, known: Unknowns, unknowns: Unknowns):
        self._solver, self._known, self._unknowns = solver, known, unknowns
        self._width = unknowns.padding.shape[1]
        velocities = np.hstack((unknowns.blocked, known.blocked))
        self._chains = LoopChains(solver, velocities) if are_chains(solver.constraints) else None
        self._columns = solver.constraints.columns(velocities[solver.group_of_loop])
        # Rounding of a matrix that is singular is far below this, as in the solver.
        self._padding = (unknowns.padding + 1e-13)[..., None] * np.eye(self._width)
        self._slopes: Array | None = None
        self._before: Array | None = None

    def forget(self) -> None:
        """Begin anew, because it went on in another way."""
        self._slopes = None

    def take(
            self, start: Array, goal: Array, moving: Truth | None) -> tuple[Array, int] | None:
        """
        Return the closed configuration at a goal, or None if it has to be looked for with care.

        :param start: a closed configuration, shape (n,).
        :param goal: where the known variables are, shape (n,).
        :param moving: the groups that move, the others stay, shape (G,); None for all.
        :return: shape (n,); evaluations of the equations.
        """
        if moving is not None:
            goal = np.where(self._solver.spread(moving[None], True)[0], goal, start)
        rows, variables = self._known.variables, self._unknowns.variables
        way = self._known.blocks((goal.take(rows) - start.take(rows))[None])[0, ..., None]
        values = start.take(variables)
        made = goal.copy()
        if not way.any():
            made[variables] = values
            return made, 0
        if self._slopes is None or self._before is None:
            self._slopes = self._before = self._linearized(start)[2][..., 1 + self._width:]
        # The slopes have the opposite sign.
        change = (1.5 * self._slopes - 0.5 * self._before) @ way
        if not max(_largest(way), _largest(change)) <= _FAR:
            return None
        values -= self._unknowns.of_blocks(change)
        made[variables] = values
        equations, inverse, solved = self._linearized(made)
        correction = solved[..., :1]
        if moving is not None:
            equations, inverse, correction = (
                each * moving[:, None, None] for each in (equations, inverse, correction))
        size = _largest(correction)
        if not size * math.sqrt(self._width * _largest(inverse)) <= _CERTAIN:
            return None
        values -= self._unknowns.of_blocks(correction)
        made[variables] = values
        own = equations[..., 1:1 + self._width]
        open_ = _largest(equations[..., :1] - own @ correction) + (
            self._solver.constraints.curvature(made) / 2 * (self._width * size)**2)
        evaluations = 1
        while not open_ <= TOLERANCE:
            if evaluations == _EVALUATIONS:
                return None
            closing = self._equations(made)[..., :1]
            if moving is not None:
                closing = closing * moving[:, None, None]
            open_ = _largest(closing)
            if open_ > TOLERANCE:
                values -= self._unknowns.of_blocks(inverse @ (own.swapaxes(1, 2) @ closing))
                made[variables] = values
            evaluations += 1
        self._before, self._slopes = self._slopes, solved[..., 1 + self._width:]
        return made, evaluations

    def _equations(self, positions: Array) -> Array:
        """Return values and derivatives of groups at a configuration, shape (G, M, 1 + w + k)."""
        if self._chains is not None:
            return self._chains.linearized(positions)
        values, derivatives = self._solver.blocks(positions[None], self._columns)
        return np.concatenate((values[0, ..., None], derivatives[0]), axis=2)

    def _linearized(self, positions: Array) -> tuple[Array, Array, Array]:
        """
        Return the equations of groups near a configuration.

        :return: values and derivatives by the unknowns and by what is known, (G, M, 1 + w + k);
            the inverse of the square of those by the unknowns, shape (G, w, w); the product of
            their pseudo-inverse with all, shape (G, w, 1 + w + k).
        """
        equations = self._equations(positions)
        products = equations[..., 1:1 + self._width].swapaxes(1, 2) @ equations
        inverse = _inverse(products[..., 1:1 + self._width] + self._padding)
        return equations, inverse, inverse @ products


def _largest(values: Array) -> float:
    """Return the largest absolute value, 0 if there is none, NaN if one is not a number."""
    return float(np.maximum.reduce(np.abs(values), axis=None, initial=0.0))


def _inverse(matrices: Array) -> Array:
    """Return the inverses of symmetric matrices, shape (..., w, w)."""
    if matrices.shape[-1] != 2:
        return np.asarray(np.linalg.inv(matrices))
    # LAPACK takes several times as long. The inverse may be huge, but not infinite.
    inverse: Array = matrices[..., ::-1, ::-1] * _SIGNS
    inverse /= matrices[..., :1, :] @ inverse[..., :1] + 1e-99
    return inverse
