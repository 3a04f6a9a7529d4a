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

"""Mechanisms: robots with loops, and the joint positions that the loops determine."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from itertools import chain
from itertools import compress

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.loop_assembly import CLOSED
from urdf_tools.kinematics.loops.loop_assembly import determined
from urdf_tools.kinematics.loops.loop_assembly import INDEPENDENT
from urdf_tools.kinematics.loops.loop_assembly import LoopAssembly
from urdf_tools.kinematics.loops.loop_assembly import rod_spins
from urdf_tools.kinematics.loops.loop_assembly import wrapping
from urdf_tools.kinematics.loops.loop_closure import Closure
from urdf_tools.kinematics.loops.loop_closure import coupled_loops
from urdf_tools.kinematics.loops.loop_closure import LoopGroup
from urdf_tools.kinematics.loops.loop_closure import Measured
from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.kinematics.loops.loop_solver import LoopSolver
from urdf_tools.kinematics.loops.loop_solver import Path
from urdf_tools.kinematics.loops.loop_solver import Unknowns
from urdf_tools.kinematics.loops.loop_step import LoopStep
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import BoolArray

_TRIES = 6

_ARRIVED, _NEAR = 0.999, 0.1
"""Part of a path after which its end is tried, and the distance from it in rad and m."""

_ROUNDING = 1e-3
"""Largest correction of an unknown in rad and m that rounding of many turns explains."""


class Mechanism:
    """
    A robot with loops: some of its joints are independent, and the others follow from them.

    Positions are those of all variables of the tree. Planar and floating joints are taken as
    given. What is independent is found from the rank of the equations' derivatives where the
    mechanism is closed; of several choices, joints that come first in the description are.

    :param robot: the robot or its kinematic tree.
    :param initial: positions near which it starts, by the name of the variable, the others
        neutral: they tell which of several ways to assemble it is meant. Those of the robot by
        default.
    :ivar tree: the kinematic tree.
    :ivar loops: the L loops.
    :ivar constraints: their equations.
    :ivar groups: the groups of coupled loops.
    :ivar membership: 1 where a variable is in a group, shape (n, G).
    :ivar assembly: finds ways to assemble it.
    :ivar start: a closed configuration near these, shape (n,).
    :ivar independent: names of the variables that determine the others, of those in loops.
    :ivar dependent: names of the variables that follow from them.
    :ivar mobility: degrees of freedom of the joints in loops, without turns of rods.
    :ivar spins: names of the variables that only tell how far rods between balls have turned
        about themselves. They stay where they are unless they are measured.
    :raises ValueError: the robot has no loops.
    """

    def __init__(self, robot: Robot | KinematicTree, initial: Mapping[str, float] | None = None):
        self.tree = KinematicTree.of(robot)
        self.loops = self.tree.robot.loops
        if not self.loops:
            raise ValueError('The robot has no loops')
        tree = self.tree
        self.constraints = LoopConstraints(tree, self.loops)
        if initial is None:
            initial = {name: value for name, value in tree.robot.initial.items()
                       if name in tree.variable_index}
        self._velocity = dict(zip(tree.plain_variables.tolist(), tree.plain_velocities.tolist()))
        self._sets = coupled_loops(self.constraints, self._velocity)
        self._solver = LoopSolver(self.constraints, self._sets)
        self.membership: Array = (
            self._solver.group_of[:, None] == np.arange(len(self._sets))).astype(float)
        self._inside = [[index for index in indices if index in self._velocity]
                        for _, indices in self._sets]
        inside = list(chain(*self._inside))
        self._wraps = wrapping(tree)
        self.assembly = LoopAssembly(tree, self._solver, self._unknowns(inside), self._wraps)
        wanted = self.assembly.clipped(tree.configuration(initial))
        self.start, direct = self.assembly.assembled(wanted)
        generic = self.assembly.generic(self.start)
        _, derivatives = self.constraints.evaluate(generic[None])
        self._derivatives: Array = derivatives[0]
        self._spins = {index for (loops, _), indices in zip(self._sets, self._inside)
                       for index in rod_spins(tree, [self.loops[loop] for loop in loops], generic,
                                              indices, self._columns(indices))}
        self._measured = lru_cache(64)(self._determined)
        self._steps = lru_cache(64)(
            lambda known: LoopStep(self._solver, known.given, known.unknowns))
        solved = [self._solvable(indices) for indices in self._inside]
        unknowns = self._unknowns(list(chain(*solved)))
        self.spins = self._named(sorted(self._spins))
        self.dependent = self._named(chain(*solved))
        self.independent = self._named(sorted({*inside}.difference(self._spins, *solved)))
        self.mobility = len(self.independent)
        closed = self.openings(self.start) <= CLOSED
        # Without dependent variables there is nothing to decide.
        decided = closed & unknowns.padding.all(axis=1) | (
            direct & self.assembly.is_only_one(wanted, self.start, unknowns))
        self.groups = tuple(
            LoopGroup(
                tuple(self.loops[loop] for loop in loops), self._named(indices), len(own),
                is_decided, is_closed, self._named(filter(self._spins.__contains__, indices)))
            for (loops, _), indices, own, is_decided, is_closed in zip(
                self._sets, self._inside, solved, decided.tolist(), closed.tolist()))
        self._settle(wanted, unknowns)

    def _named(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.tree.variable_names[index] for index in variables)

    def openings(self, positions: Array) -> Array:
        """Return the closure errors of groups, the larger of m and rad, shape (G,)."""
        return np.asarray(self._solver.openings(positions[None])[0])

    def close(self, positions: npt.ArrayLike, measured: Collection[str] | None = None,
              start: npt.ArrayLike | None = None) -> Closure:
        """
        Return configurations in which the loops are closed.

        They are on the branch that the start is on after the straight way to the positions. If
        there is no such way, or a limit is in it, and no start is given, another branch will do.
        Where branches meet at the start, such as at a dead centre, none is taken: loops that would
        move stay there and are reported as singular, until a start on one branch is given.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param measured: names of the variables that keep them; the independent ones by default.
            Variables that these do not determine move as little as possible.
        :param start: a configuration near closed ones, :attr:`start` by default, shape (n,).
        :raises ValueError: the positions have another shape, or are not finite.
        """
        goal = self.tree.batch(positions).copy()
        if not np.isfinite(goal).all():
            raise ValueError('positions are not finite')
        known = self.measured(measured)
        unknowns = known.unknowns if known.enough.all() else self._unknowns(known.kept.tolist())
        began = self.start
        if start is not None:
            (given,) = self.tree.batch(start)
            began = self.assembly.nearest(given)[0]
        goal[:, known.kept] = began[known.kept]
        path = self.follow(began, goal, unknowns, solved=known.unknowns)
        closure = self.closure(path, goal, unknowns, is_free=start is None)
        if start is None:
            self._take_within_limits(closure, unknowns)
        return closure if np.ndim(positions) == 2 else closure.first()

    def errors(self, positions: npt.ArrayLike) -> tuple[Array, Array]:
        """
        Return how far each loop is from closed, in m and rad.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: distances and angles, each of shape (L,) or (B, L).
        """
        distances, angles = self.constraints.errors(self.tree.batch(positions))
        return (distances, angles) if np.ndim(positions) == 2 else (distances[0], angles[0])

    def free(self, measured: Collection[str] | None = None) -> list[str]:
        """
        Return the velocity variables that determine the others, those in loops first.

        :param measured: names of variables to be among them, which do not follow from each other;
            the independent ones by default.
        """
        following = self._named(self.measured(measured).unknowns.variables)
        inside = self._named(chain(*self._inside))
        return sorted((name for name in self.tree.velocity_names if name not in following),
                      key=lambda name: name not in inside)

    def derivatives(
            self, positions: npt.ArrayLike, measured: Collection[str] | None = None) -> Array:
        """
        Return the velocities of all variables for unit velocities of the free ones.

        Multiply a :class:`~urdf_tools.kinematics.Jacobian` by it for that of the mechanism.

        :param positions: closed, shape (n,) or (B, n).
        :param measured: as for :meth:`free`.
        :return: shape (nv, k) or (B, nv, k), by the velocities of :meth:`free`.
        :raises ValueError: a configuration is singular, so that there is none.
        """
        _, matrices = self.constraints.evaluate(self.tree.batch(positions))
        velocities = self.measured(measured).unknowns.velocities
        others = [self.tree.velocity_index[name] for name in self.free(measured)]
        singular = self.is_singular(positions, measured)
        if singular.any():
            where = f' {singular.argmax()}' if singular.size > 1 else ''
            raise ValueError(f'The configuration{where} is singular')
        result = np.zeros((*matrices.shape[::2], len(others)))
        result[:, others, np.arange(len(others))] = 1
        result[:, velocities] = -np.linalg.pinv(matrices[..., velocities]) @ matrices[..., others]
        return result if np.ndim(positions) == 2 else result[0]

    def is_singular(
            self, positions: npt.ArrayLike, measured: Collection[str] | None = None) -> BoolArray:
        """Return whether measured variables do not determine the others, shape () or (B,)."""
        singular = self.assembly.singular(
            self.tree.batch(positions), self.measured(measured).unknowns)
        return np.asarray((singular if np.ndim(positions) == 2 else singular[0]).any(axis=-1))

    def branching(self, groups: BoolArray, measured: Collection[str]) -> list[str]:
        """Return the variables, besides measured ones, that tell the branch of some groups."""
        return [name for group in compress(self.groups, groups)
                for name in group.variables if name not in {*measured, *group.spins}]

    def measured(self, names: Collection[str] | None = None) -> Measured:
        """Return the variables determined by measured ones, by default the independent ones."""
        return self._measured(frozenset(self.independent if names is None else names))

    def _determined(self, names: frozenset[str]) -> Measured:
        inside, index = list(chain(*self._inside)), self.tree.variable_index
        known = {index[name] for name in names if name in index}
        solved = [self._solvable([index for index in indices if index not in known])
                  for indices in self._inside]
        return Measured(
            self._unknowns([index for index in inside if index in known]),
            self._unknowns(list(chain(*solved))),
            np.array([index for index in inside if index not in known], dtype=np.intp),
            np.array([len(each) < group.rank for each, group in zip(solved, self.groups)]),
            np.array([(known | self._spins).issuperset({*indices} - {*each})
                      for each, indices in zip(solved, self._inside)]))

    def step(self, measured: Measured) -> LoopStep:
        """Return the single-step solver for some measured variables."""
        return copy(self._steps(measured))

    def follow(self, start: Array, goal: Array, unknowns: Unknowns, rates: Array | None = None,
               moving: BoolArray | None = None, solved: Unknowns | None = None) -> Path:
        """
        Follow the loops from a closed configuration, shape (n,), to known positions, (B, n).

        Those at whose start branches meet are not followed.
        """
        way = self.assembly.difference(goal, start)
        way[:, unknowns.variables] = 0
        going = np.ones(len(self.groups), dtype=bool) if moving is None else moving
        moved = going & (self._solver.farthest(way) > CLOSED)
        if moved.any():
            going = going & ~self.assembly.singular(start, unknowns, solved)
        path = self._solver.follow(np.tile(start, (len(goal), 1)), way, unknowns, rates, going)
        path.reached[moved & ~going] = 0
        self._arrive(path, goal, unknowns)
        # From a regular start a path leads some way.
        path.singular = moved & (path.reached <= 0)
        known = self._solver.spread((path.reached >= 1) & going, True)
        known[:, unknowns.variables] = False
        followed = path.positions.copy()
        np.copyto(path.positions, goal, where=known)
        if (np.abs(path.positions - followed)[:, self._wraps] > 1).any():
            self._close_turned(path, followed, unknowns)
        return path

    def _arrive(self, path: Path, goal: Array, unknowns: Unknowns) -> None:
        """Close loops at ends of paths where branches meet: a path gets only close to them."""
        near = (path.reached > _ARRIVED) & (path.reached < 1)
        rows, own = np.flatnonzero(near.any(axis=1)), unknowns.variables
        if len(rows):
            made = goal[rows]
            made[:, own] = path.positions[rows[:, None], own]
            found, closed, evaluations = self._solver.damped(made, unknowns)
            path.iterations += evaluations
            taken = near[rows] & closed & (unknowns.largest((found - made)[:, own]) < _NEAR)
            path.positions[rows] = np.where(
                self._solver.spread(taken, False), found, path.positions[rows])
            path.reached[rows] = np.where(taken, 1.0, path.reached[rows])

    def _close_turned(self, path: Path, followed: Array, unknowns: Unknowns) -> None:
        """Close loops opened by rounding, for positions many turns away from the path."""
        made = path.positions.copy()
        closed, _, evaluations = self._solver.newton(made, unknowns)
        path.iterations += evaluations
        good = closed & (unknowns.largest((made - followed)[:, unknowns.variables]) <= _ROUNDING)
        path.reached[~good & (path.reached >= 1)] = 0
        path.positions = np.where(self._solver.spread(good, True), made, followed)

    def closure(
            self, path: Path, goal: Array, unknowns: Unknowns, is_free: bool = False) -> Closure:
        """
        Return the closures at the ends of paths, with the closure errors at the goal.

        :param is_free: whether a goal on another branch will do.
        """
        wanted = path.positions.copy()
        late = np.flatnonzero((path.reached < 1).any(axis=1))
        if len(late):
            tried = np.repeat(goal[late, None], _TRIES, axis=1)
            own = unknowns.variables
            tried[..., own] = path.positions[late[:, None], own][:, None]
            tried[:, 1:, own] += np.random.default_rng(4).normal(0, 0.5, (_TRIES - 1, len(own)))
            fitted, more = self._solver.nearest(tried, unknowns)
            is_late = self._solver.spread(path.reached[late] < 1, False)
            wanted[late] = np.where(is_late, fitted, wanted[late])
            path.iterations += more
        distances, angles = self.constraints.errors(wanted)
        closed = np.maximum(distances, angles).max(axis=1) <= CLOSED
        if path.singular.any():
            path.singular &= self._solver.openings(wanted) <= CLOSED
            closed &= ~path.singular.any(axis=1)
        if is_free:
            path.positions[closed] = wanted[closed]
        else:
            closed &= (path.reached >= 1).all(axis=1)
        return Closure(path.positions, distances, angles, closed, path.singular, path.iterations)

    def is_overdetermined(self, measured: Collection[str]) -> bool:
        """Return whether the loops determine some of the measured variables by others."""
        return bool(self.measured(measured).overdetermined.any())

    def _unknowns(self, variables: Sequence[int]) -> Unknowns:
        return self._solver.unknowns(variables, [self._velocity[index] for index in variables])

    def _solvable(self, variables: Sequence[int]) -> list[int]:
        """Return variables that the loops determine, the last rather, and spins at last."""
        order = sorted(variables, key=lambda index: index not in self._spins)
        return sorted(order[place] for place in determined(self._columns(order), INDEPENDENT))

    def _columns(self, variables: Sequence[int]) -> Array:
        return self._derivatives[:, [self._velocity[index] for index in variables]]

    def _settle(self, wanted: Array, unknowns: Unknowns) -> None:
        """
        Start with the independent variables where they are wanted if the loops close there, too.

        Where branches meet, such as in a parallelogram that is flat, the start is beside that, on
        the branch that moves least.
        """
        goal = self.start.copy()
        known = [self.tree.variable_index[name] for name in self.independent]
        goal[known] = wanted[known]
        path = self.follow(self.start, goal[None], unknowns)
        good = (path.reached >= 1) & (self._solver.openings(path.positions) <= CLOSED)
        self.start = np.where(self._solver.spread(good, False)[0], path.positions[0], self.start)
        if self.assembly.singular(self.start, unknowns).any():
            self.start = self.assembly.near(self.start, np.array(known, dtype=np.intp), unknowns)

    def _take_within_limits(self, closure: Closure, unknowns: Unknowns) -> None:
        """Take the closures on another branch where those found are outside of limits."""
        inside = self.assembly.is_within(closure.positions)
        for row in np.flatnonzero(closure.closed & ~inside.all(axis=1)).tolist():
            first = closure.positions[row]
            other = self.assembly.best(self.assembly.spread_out(first, unknowns), first, unknowns)
            taken = ~inside[row] & self.assembly.is_within(other[None])[0] & (
                self._solver.openings(other[None])[0] <= CLOSED)
            closure.positions[row] = np.where(
                self._solver.spread(taken[None], False)[0], other, first)
