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

"""Mechanisms: robots with loops, and the positions of the joints that these determine."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loop_closure import Closure
from urdf_tools.kinematics.loop_closure import LoopGroup
from urdf_tools.kinematics.loop_constraints import LoopConstraints
from urdf_tools.kinematics.loop_solver import determined
from urdf_tools.kinematics.loop_solver import LoopSolver
from urdf_tools.kinematics.loop_solver import Path
from urdf_tools.kinematics.loop_solver import Unknowns
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.loops import LoopType
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot

CLOSED = 1e-9
"""Largest distance in m and angle in rad of a loop that is closed."""

INDEPENDENT = 1e-7
"""Smallest part of a column that others do not span, of one that counts as independent."""

_STARTS = 24
_TRIES = 6


class Mechanism:
    """
    A robot with loops: some of its joints are independent, and the others follow from them.

    Positions are those of all variables of the tree. Planar and floating joints are taken as
    given. What is independent is found from the rank of the equations' derivatives where the
    mechanism is closed; of several choices, joints that come first in the description are.

    :param robot: the robot or its kinematic tree.
    :param initial: positions near which it starts, by the name of the variable, the others
        neutral: they tell which of several ways to assemble it is meant.
    :ivar tree: the kinematic tree.
    :ivar loops: the L loops.
    :ivar groups: loops that hang together.
    :ivar start: a closed configuration near these, shape (n,).
    :ivar independent: names of the variables that determine the others, of those in loops.
    :ivar dependent: names of the variables that follow from them.
    :raises ValueError: the robot has no loops.
    """

    def __init__(
            self, robot: Robot | KinematicTree, initial: Mapping[str, float] | None = None):
        self.tree = KinematicTree.of(robot)
        self.loops = self.tree.robot.loops
        if not self.loops:
            raise ValueError('The robot has no loops')
        self._whole = LoopSolver(LoopConstraints(self.tree, self.loops))
        tree = self.tree
        self._initial = np.clip(
            tree.configuration(initial or {}), tree.position_lower, tree.position_upper)
        plain = [name for name in tree.variable_names if name in tree.velocity_index]
        self._velocity = {
            tree.variable_index[name]: tree.velocity_index[name] for name in plain}
        self._sets = self._connected()
        self._solvers = [self._whole] if len(self._sets) == 1 else [
            LoopSolver(LoopConstraints(tree, [self.loops[loop] for loop in loops]))
            for loops, _ in self._sets]
        self._wraps = self._find_wraps()
        self.start = self._assembled()
        generic = self._generic(self.start)
        _, self._derivatives = self._whole.constraints.evaluate(generic[None])
        self._chosen: dict[frozenset[int], Unknowns] = {}
        unknowns = self.unknowns(())
        self.dependent = tuple(tree.variable_names[index] for index in unknowns.variables)
        inside = sorted(index for _, indices in self._sets for index in indices)
        self.independent = tuple(
            tree.variable_names[index] for index in inside
            if tree.variable_names[index] not in self.dependent)
        self.groups = tuple(map(self._group, self._sets))
        self._settle(unknowns)

    @property
    def mobility(self) -> int:
        """Return the degrees of freedom of the joints in loops."""
        return len(self.independent)

    def close(
            self, positions: npt.ArrayLike, measured: Collection[str] | None = None,
            start: npt.ArrayLike | None = None) -> Closure:
        """
        Return configurations in which the loops are closed.

        They are on the branch that the start is on after the straight way to the positions. If
        there is no such way, or a limit is in it, and no start is given, another branch will do.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param measured: names of the variables that keep them; the independent ones by default.
            Variables that these do not determine keep the values of the start.
        :param start: a closed configuration, :attr:`start` by default, shape (n,).
        :raises ValueError: the positions have another shape, or are not finite.
        """
        goal = self.tree.batch(positions)
        if not np.isfinite(goal).all():
            raise ValueError('positions are not finite')
        names = self.independent if measured is None else measured
        unknowns = self.unknowns(names)
        began = np.tile(self.start if start is None else np.asarray(start, float), (len(goal), 1))
        goal = self.known(goal, names, began)
        path = self.follow(began, goal, unknowns)
        closure = self.closure(path, goal, unknowns, is_free=start is None)
        if start is None:
            closure = self._within_limits(closure, goal, unknowns)
        return closure if np.ndim(positions) == 2 else closure.first()

    def errors(self, positions: npt.ArrayLike) -> tuple[Array, Array]:
        """
        Return how far each loop is from closed, in m and rad.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: distances and angles, each of shape (L,) or (B, L).
        """
        distances, angles = self._whole.constraints.errors(self.tree.batch(positions))
        return (distances, angles) if np.ndim(positions) == 2 else (distances[0], angles[0])

    def derivatives(self, positions: npt.ArrayLike) -> Array:
        """
        Return the velocities of all variables for unit velocities of the independent ones.

        Multiply a :class:`~urdf_tools.kinematics.Jacobian` by it for that of the mechanism.

        :param positions: closed, shape (n,).
        :return: shape (nv, k), of :attr:`independent` and then of what is in no loop.
        :raises ValueError: the configuration is singular, so that there is none.
        """
        _, matrices = self._whole.constraints.evaluate(self.tree.batch(positions))
        velocities = self.unknowns(self.independent).velocities
        others = np.setdiff1d(np.arange(matrices.shape[2]), velocities)
        first = [self.tree.velocity_index[name] for name in self.independent]
        others = np.array([*first, *(each for each in others if each not in first)], dtype=np.intp)
        if self.is_singular(positions):
            raise ValueError('The configuration is singular')
        result = np.zeros((matrices.shape[2], len(others)))
        result[others, np.arange(len(others))] = 1
        result[velocities] = -np.linalg.lstsq(
            matrices[0][:, velocities], matrices[0][:, others], rcond=None)[0]
        return result

    def is_singular(
            self, positions: npt.ArrayLike, measured: Collection[str] | None = None) -> bool:
        """Return whether the measured variables do not determine the others at a configuration."""
        names = self.independent if measured is None else measured
        velocities = self.unknowns(names).velocities
        _, matrices = self._whole.constraints.evaluate(self.tree.batch(positions))
        values = np.linalg.svd(matrices[0][:, velocities], compute_uv=False)
        return bool(len(values) and values[-1] < 1e-6 * values[0])

    def unknowns(self, measured: Collection[str]) -> Unknowns:
        """Return what is solved for where some variables are measured."""
        known = frozenset(self._indices(measured))
        if known not in self._chosen:
            variables = [index for _, indices in self._sets for index in self._solvable(
                [index for index in indices if index not in known])]
            self._chosen[known] = self._unknowns(variables)
        return self._chosen[known]

    def follow(
            self, start: Array, goal: Array, unknowns: Unknowns,
            rates: Array | None = None) -> Path:
        """Follow the loops from closed configurations to known positions, each of (B, n)."""
        way = goal - start
        wrapped = np.remainder(way[:, self._wraps] + np.pi, 2 * np.pi) - np.pi
        way[:, self._wraps] = wrapped
        path = self._whole.follow(start, way, unknowns, rates)
        late = np.flatnonzero(path.reached < 1)
        if len(late) and len(self._solvers) > 1:
            self._follow_each(path, late, start, way, unknowns)
        arrived = path.reached >= 1
        known = np.ones(goal.shape[1], dtype=bool)
        known[unknowns.variables] = False
        np.copyto(path.positions, goal, where=arrived[:, None] & known)
        return path

    def closure(
            self, path: Path, goal: Array, unknowns: Unknowns, is_free: bool = False) -> Closure:
        """
        Return what became of paths, with how far the goal is from closed.

        :param is_free: whether a goal on another branch will do.
        """
        wanted = path.positions.copy()
        late = np.flatnonzero(path.reached < 1)
        if len(late):
            for row in late.tolist():
                tried = np.tile(goal[row], (_TRIES, 1))
                own = path.positions[row, unknowns.variables]
                tried[:, unknowns.variables] = own + np.random.default_rng(4).normal(
                    0, 0.5, (_TRIES, len(own))) * (np.arange(_TRIES) > 0)[:, None]
                wanted[row], more = self.fitted(tried, unknowns)
                path.iterations += more
        distances, angles = self._whole.constraints.errors(wanted)
        closed = np.maximum(distances, angles).max(axis=1) <= CLOSED
        if is_free:
            path.positions[closed] = wanted[closed]
        else:
            closed &= path.reached >= 1
        return Closure(path.positions, distances, angles, closed, path.iterations)

    def _follow_each(
            self, path: Path, late: Indices, start: Array, way: Array,
            unknowns: Unknowns) -> None:
        """Follow each group by itself, so that one that cannot be closed does not stop others."""
        for (_, indices), solver in zip(self._sets, self._solvers):
            own = np.isin(unknowns.variables, indices)
            part = Unknowns(unknowns.variables[own], unknowns.velocities[own])
            found = solver.follow(start[late], way[late], part)
            path.iterations += found.iterations
            path.positions[late[:, None], indices] = found.positions[:, indices]

    def is_overdetermined(self, measured: Collection[str]) -> bool:
        """Return whether the loops determine some of the measured variables by others."""
        determined = len(self.unknowns(()).variables)
        return len(self.unknowns(measured).variables) < determined

    def fitted(self, starts: Array, unknowns: Unknowns) -> tuple[Array, int]:
        """Return the configuration where the loops are the least open, and evaluations."""
        found, _, iterations = self._whole.damped(starts, unknowns)
        distances, angles = self._whole.constraints.errors(found)
        best: Array = found[np.argmin(np.square(distances).sum(1) + np.square(angles).sum(1))]
        return best, iterations

    def known(self, goal: Array, measured: Iterable[str], start: Array) -> Array:
        """Return goals in which variables that are not measured keep the start's values."""
        kept = {index for _, indices in self._sets for index in indices} - {
            *self._indices(measured)}
        goal = goal.copy()
        chosen = sorted(kept)
        goal[:, chosen] = start[:, chosen]
        return goal

    def _indices(self, names: Iterable[str]) -> list[int]:
        index = self.tree.variable_index
        return [index[name] for name in names if name in index]

    def _connected(self) -> list[tuple[list[int], list[int]]]:
        """Return the loops that hang together and the variables that change them, as indices."""
        index_of = {velocity: index for index, velocity in self._velocity.items()}
        sets: list[tuple[set[int], set[int]]] = []
        for loop, moves in enumerate(self._whole.constraints.moves):
            loops, variables = {loop}, {
                index_of[velocity] for velocity in np.flatnonzero(moves).tolist()
                if velocity in index_of}
            others = []
            for each in sets:
                if each[1] & variables:
                    loops, variables = loops | each[0], variables | each[1]
                else:
                    others.append(each)
            sets = [*others, (loops, variables)]
        return [(sorted(loops), sorted(variables)) for loops, variables in sorted(
            sets, key=lambda each: min(each[0]))]

    def _find_wraps(self) -> Indices:
        """Return the variables whose values a whole turn apart are the same."""
        robot, tree = self.tree.robot, self.tree
        geared = {robot.parent_joint[link].name for loop in self.loops
                  if loop.type is LoopType.GEAR for link in (loop.parent, loop.child)}
        leaders = {mimic.joint for mimic in tree.mimic.values()}
        return np.array([
            index for index, name in enumerate(tree.variable_names)
            if name in robot.joints and robot.joints[name].type is JointType.CONTINUOUS
            and name not in geared | leaders], dtype=np.intp)

    def _unknowns(self, variables: Sequence[int]) -> Unknowns:
        return Unknowns(np.array(variables, dtype=np.intp), np.array(
            [self._velocity[index] for index in variables], dtype=np.intp))

    def _solvable(self, variables: list[int]) -> list[int]:
        """Return variables that the loops determine, the last of the description rather."""
        columns = self._derivatives[0][:, [self._velocity[index] for index in variables]]
        return sorted(variables[place] for place in determined(columns, INDEPENDENT))

    def _group(self, connected: tuple[list[int], list[int]]) -> LoopGroup:
        loops, variables = connected
        rank = len(self._solvable(variables))
        held = sum(self.loops[loop].type.held for loop in loops)
        return LoopGroup(
            tuple(self.loops[loop] for loop in loops),
            tuple(self.tree.variable_names[index] for index in variables), rank, held - rank)

    def _assembled(self) -> Array:
        """Return a closed configuration near the initial one, or the nearest to closed."""
        tree, rng = self.tree, np.random.default_rng(0)
        unknowns = self._unknowns([index for _, indices in self._sets for index in indices])
        own = unknowns.variables
        starts = np.tile(self._initial, (1 + _STARTS, 1))
        spread = rng.standard_normal((_STARTS, len(own))) * np.repeat(
            (0.1, 0.4, 1.0), _STARTS // 3)[:, None]
        starts[1:, own] += spread
        starts = np.clip(starts, tree.position_lower, tree.position_upper)
        nearby = self._best(starts[:1], self._initial, unknowns)
        return nearby if self._is_closed(nearby) else self._best(
            starts, self._initial, unknowns)

    def _best(self, starts: Array, wanted: Array, unknowns: Unknowns) -> Array:
        """Return the nearest closed configuration within limits, or the nearest to closed."""
        found, _, _ = self._whole.damped(starts, unknowns)
        distances, angles = self._whole.constraints.errors(found)
        opening = np.maximum(distances, angles).max(axis=1)
        outside = np.maximum(
            self.tree.position_lower - found, found - self.tree.position_upper).max(axis=1)
        order = np.lexsort((
            np.abs(found - wanted).max(axis=1), outside > 1e-6, np.maximum(opening, CLOSED)))
        best: Array = found[order[0]]
        return best

    def _is_closed(self, positions: Array) -> bool:
        distances, angles = self._whole.constraints.errors(positions[None])
        return bool(max(distances.max(), angles.max()) <= CLOSED)

    def _generic(self, start: Array) -> Array:
        """Return a configuration nearby where as much is determined as almost everywhere."""
        unknowns = self._unknowns([index for _, indices in self._sets for index in indices])
        rng = np.random.default_rng(1)
        best, most = start, -1
        for _ in range(3):
            _, matrices = self._whole.constraints.evaluate(best[None])
            matrix = matrices[0][:, unknowns.velocities]
            values, rows = np.linalg.svd(matrix, full_matrices=True)[1:]
            rank = int((values > INDEPENDENT * float(values.max(initial=1e-300))).sum())
            if rank >= most:
                start, most = best, rank
            moved = start.copy()
            moved[unknowns.variables] += rows[rank:].T @ (
                0.3 * rng.standard_normal(len(rows) - rank))
            found, closed, _ = self._whole.damped(moved[None], unknowns)
            best = found[0] if closed[0] else start
        return start

    def _settle(self, unknowns: Unknowns) -> None:
        """
        Start with the independent variables where they are wanted if the loops close there, too.

        Where branches meet, such as in a parallelogram that is flat, the start is beside that, on
        the branch that moves least.
        """
        tree = self.tree
        path = self.follow(self.start[None], self.known(
            self._initial[None], self.independent, self.start[None]), unknowns)
        if path.reached[0] >= 1 and self._is_closed(path.positions[0]):
            self.start = path.positions[0]
        if not self._is_closed(self.start) or not self.is_singular(self.start):
            return
        rng = np.random.default_rng(3)
        beside = self.start.copy()
        known = [tree.variable_index[name] for name in self.independent]
        beside[known] += np.where(beside[known] + 0.2 > tree.position_upper[known], -0.2, 0.2)
        starts = np.tile(beside, (_STARTS, 1))
        starts[:, unknowns.variables] += 0.3 * rng.standard_normal(
            (_STARTS, len(unknowns.variables)))
        found = self._best(starts, self.start, unknowns)
        if self._is_closed(found) and not self.is_singular(found):
            self.start = found

    def _within_limits(self, closure: Closure, goal: Array, unknowns: Unknowns) -> Closure:
        """Return a closure on another branch where the first one is outside of limits."""
        lower, upper = self.tree.position_lower, self.tree.position_upper
        own = unknowns.variables
        for row in np.flatnonzero(closure.closed).tolist():
            values = closure.positions[row, own]
            if ((values >= lower[own] - 1e-6) & (values <= upper[own] + 1e-6)).all():
                continue
            starts = np.tile(goal[row], (_STARTS, 1))
            low, high = self.tree.ranges()
            starts[:, own] = np.random.default_rng(2).uniform(
                low[own], high[own], (_STARTS, len(own)))
            other = self._best(starts, closure.positions[row], unknowns)
            if self._is_closed(other) and (
                    (other[own] >= lower[own] - 1e-6) & (other[own] <= upper[own] + 1e-6)).all():
                closure.positions[row] = other
        return closure
