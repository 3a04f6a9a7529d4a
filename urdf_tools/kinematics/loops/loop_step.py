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

from collections.abc import Sequence
import math
from threading import local

import numpy as np

from urdf_tools.kinematics.loops.loop_constraints import DISTANCE
from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.kinematics.loops.loop_constraints import RATIO
from urdf_tools.kinematics.loops.loop_constraints import TURNED
from urdf_tools.kinematics.loops.loop_solver import LoopSolver
from urdf_tools.kinematics.loops.loop_solver import TOLERANCE
from urdf_tools.kinematics.loops.loop_solver import Unknowns
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.loops import LoopType
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

_FAR = 0.1
"""Largest motion of a variable that counts as small, in rad and m."""

_CERTAIN = 1e-2
"""Largest product of the first correction and the largest change of unknowns by an equation."""

_EVALUATIONS = 4
"""Maximum number of evaluations of the equations."""

_SIGNS = np.array([[1.0, -1.0], [-1.0, 1.0]])


def _spread() -> Array:
    """Return what maps a pose, 16 numbers, to [z] of its axis z, and to its origin as a column."""
    spread = np.zeros((4, 4, 21))
    for row, (plus, minus) in enumerate(((7, 5), (2, 6), (3, 1))):
        spread[row, 2, plus], spread[row, 2, minus] = 1, -1
        spread[row, 3, 12 + 4 * row] = 1
    return spread.reshape(16, 21)


_SPREAD = _spread()


class _Memory(local):
    """
    Memory of one thread for L chains of P joints.

    The motions of the joints come first, those of the last joint first; then the poses after each
    joint, the first of which is the motion of the first joint; then their derivatives.
    """

    def __init__(self, joints: int, loops: int):
        poses = np.zeros((3 * joints - 1, loops, 4, 4))
        self.motions, self.terms = poses[:joints], np.empty((joints, loops, 4, 4))
        self.products = [
            (poses[place - 1], poses[2 * (joints - 1) - place], poses[place])
            for place in range(joints, 2 * joints - 1)]
        after = poses[joints - 1:2 * joints - 1]
        self.after = after.reshape(-1, 16)
        self.axes, self.end = after[..., :3, 2], after[-1, :, :3]
        self.changes = poses[2 * joints - 1:, :, :3]
        self.all = poses[2 * joints - 2:].reshape(joints + 1, loops, 16).transpose(1, 2, 0)
        self.spread = np.empty((joints * loops, 21))
        self.turns = self.spread[:, :9].reshape(joints, loops, 3, 3)
        self.origins = self.spread[:, 9:].reshape(joints, loops, 3, 4)
        self.arms = np.empty((joints, loops, 3, 4))


class LoopChains:
    """
    The linearized equations of loops that are chains of joints of one degree of freedom.

    From the first frame of a loop to the second one leads a chain of its joints, turned such that
    each moves about or along z. Most equations are linear in the pose at its end: so they have the
    same factors for the pose and for its derivatives ``[z] (T - o)`` by the joints, where z is the
    axis and o the origin of the joint (Lynch and Park, Modern Robotics, chapter 5).

    :param solver: of the loops, of which :func:`are_chains` is true.
    :param velocities: indices of velocity variables of the groups, -1 for none, shape (G, d).
    """

    def __init__(self, solver: LoopSolver, velocities: Indices):
        constraints = solver.constraints
        count, parents = len(constraints.loops), constraints.frames.parents.tolist()
        chains = [[] if loop.type is LoopType.GEAR else _chain(parents, *ends) for loop, ends in
                  zip(constraints.loops, constraints.ends.reshape(2, -1).T.tolist())]
        shape = (max(1, *map(len, chains)), count)
        self._variables = np.zeros((*shape, 1, 1), dtype=np.intp)
        self._multipliers, self._shifts = np.ones((*shape, 1, 1)), np.zeros((*shape, 1, 1))
        self._cosine, self._sine, self._slide = np.zeros((3, *shape, 4, 4))
        self._rest = np.tile(np.eye(4), (*shape, 1, 1))
        self._factors = np.zeros((count, np.bincount(constraints.loop_of_row).max(), 16))
        of_loops = velocities[solver.group_of_loop]
        self._weights = np.zeros((count, shape[0] + 1, 1 + velocities.shape[1]))
        self._weights[:, 0, 0] = 1
        for loop, chain in enumerate(chains):
            self._lay(constraints, loop, chain, of_loops[loop])
        self._slides = self._slide[::-1].any(axis=(2, 3)) if self._slide.any() else None
        rows = np.flatnonzero(constraints.kinds == RATIO)
        self._gears = constraints.loop_of_row[rows]
        self._of_gears = np.hstack((constraints.offsets[rows, None], constraints.columns(
            of_loops).gears[rows]))
        self._of_variables = constraints.of_variables[rows]
        self._groups = solver.loops
        self._is_even = np.array_equal(self._groups, np.arange(count)[:, None])
        self._memory = _Memory(*shape)

    def _lay(self, constraints: LoopConstraints, loop: int, chain: Sequence[tuple[int, int]],
             velocities: Indices) -> None:
        """Set the joint motions around a loop, and the factors of its equations."""
        frames, placements = constraints.frames, constraints.placements.reshape(2, -1, 4, 4)
        pose = invert(placements[0, loop])
        for place, (frame, way) in enumerate(chain):
            slot = (len(self._rest) - 1 - place, loop)
            turned = np.eye(4)
            turned[:3, :3] = np.roll(np.eye(3), -1 - frames.axes[frame], axis=1)
            pose = (pose @ frames.offsets[frame] if way > 0 else pose) @ turned
            if frames.kinds[frame] == SLIDING:
                self._rest[slot], self._slide[slot][:, 3] = pose, pose[:, 2]
            else:
                self._rest[slot] = pose * [0, 0, 1, 1]
                self._cosine[slot] = pose * [1, 1, 0, 0]
                self._sine[slot][:, :2] = pose[:, 1::-1] * [1, -1]
            self._variables[slot] = frames.variables[frame]
            self._multipliers[slot] = way * frames.multipliers[frame]
            self._shifts[slot] = way * frames.shifts[frame]
            self._weights[loop, 1 + place, 1:] = self._multipliers[slot][0] * (
                velocities == frames.velocities[frame])
            pose = turned.T if way > 0 else turned.T @ invert(frames.offsets[frame])
        rows = np.flatnonzero(constraints.loop_of_row == loop)
        factors = np.zeros((len(rows), 4, 4))
        factors[:, :3] = constraints.from_frame[rows, 0].reshape(-1, 3, 4)
        factors = factors @ (pose @ placements[1, loop]).T
        factors[:, 3, 3] -= constraints.wanted[rows]
        self._factors[loop, :len(rows)] = factors.reshape(-1, 16)

    def linearized(self, positions: Array) -> Array:
        """
        Return the values of equations and their derivatives.

        :param positions: shape (n,).
        :return: of the M equations of each group in metres and radians, shape (G, M, 1 + d).
        """
        memory = self._memory
        amounts = positions.take(self._variables)
        amounts *= self._multipliers
        amounts += self._shifts
        motions, terms = memory.motions, memory.terms
        np.multiply(self._cosine, np.cos(amounts), motions)
        np.multiply(self._sine, np.sin(amounts), terms)
        np.add(motions, terms, motions)
        np.add(motions, self._rest, motions)
        if self._slides is not None:
            motions += self._slide * amounts
        for before, motion, after in memory.products:
            np.matmul(before, motion, after)
        np.matmul(memory.after, _SPREAD, memory.spread)
        np.subtract(memory.end, memory.origins, memory.arms)
        np.matmul(memory.turns, memory.arms, memory.changes)
        if self._slides is not None:
            memory.changes[self._slides] = 0
            memory.changes[self._slides, :, 3] = memory.axes[self._slides]
        equations: Array = self._factors @ memory.all @ self._weights
        if len(self._gears):
            equations[self._gears, 0] = self._of_gears
            equations[self._gears, 0, 0] += self._of_variables @ positions
        if self._is_even:
            return equations
        padded: Array = np.concatenate((equations, np.zeros((1, *equations.shape[1:]))))
        return padded.take(self._groups, axis=0).reshape(len(self._groups), -1, equations.shape[2])


def are_chains(constraints: LoopConstraints) -> bool:
    """Return whether :class:`LoopChains` supports the loops: no rods, sliders or fixed ones."""
    floating = constraints.frames.velocities[constraints.frames.kinds == FLOATING]
    return not (np.isin(constraints.kinds, (TURNED, DISTANCE)).any()
                or constraints.moves[:, floating].any())


def _chain(parents: list[int], first: int, second: int) -> list[tuple[int, int]]:
    """Return the frames from one to another one, each with -1 upwards and 1 downwards."""
    up, down = [], []
    while first != second:
        # Parents come before their children.
        if first > second:
            up.append((first, -1))
            first = parents[first]
        else:
            down.append((second, 1))
            second = parents[second]
    return up + down[::-1]


class LoopStep:
    """
    Closes loops after small motions, in one step for all groups.

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
        """Restart, because the motion was continued in another way."""
        self._slopes = None

    def take(
            self, start: Array, goal: Array, moving: BoolArray | None) -> tuple[Array, int] | None:
        """
        Return the closed configuration at a goal, or None if a single step is not safe.

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
