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
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from itertools import compress

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.constraints import LoopConstraints
from urdf_tools.kinematics.loops.solver import LoopSolver
from urdf_tools.kinematics.loops.solver import Path
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

CLOSED = 1e-9
"""Largest distance in m and angle in rad of a loop that is closed."""

_INDEPENDENT = 1e-7
"""Smallest residual of a column after projection on others that makes it independent."""

_STARTS, _PROBES, _TRIES = 24, 8, 6
"""Starts of searches for assembly modes, for those near the initial positions, for fits."""

_MOST_NUMBERS = 2**22
"""Most numbers of the weights of pins that are evaluated together; they are nv^2 of each."""

_CHUNK = 256
"""Configurations that are fitted together."""

_NEAR, _SAME = 0.02, 1e-5
"""Distances in rad and m of starts near others, and of configurations that are the same."""

_ARRIVED, _AT_END = 0.999, 0.1
"""Part of a path after which its end is tried, and the distance from it in rad and m."""


@dataclass(frozen=True)
class Closure:
    """
    The result of closing one configuration, or B of them.

    :param positions: closed configurations; the last ones on the way where the loops cannot be
        closed, shape (n,) or (B, n).
    :param distances: how far each loop is from closed at what was asked for, in m, (L,) or (B, L).
    :param angles: likewise in rad.
    :param closed: whether the loops are closed where that was asked for, shape () or (B,).
    :param singular: which groups of loops stayed where they were because branches meet there,
        such as at a dead centre: what is known does not tell on which one to go on, shape (G,) or
        (B, G).
    :param iterations: evaluations of the equations.
    """

    positions: Array
    distances: Array
    angles: Array
    closed: npt.NDArray[np.bool_]
    singular: npt.NDArray[np.bool_]
    iterations: int

    def first(self) -> Closure:
        """Return the closure of the first of the configurations."""
        return Closure(self.positions[0], self.distances[0], self.angles[0],
                       np.asarray(self.closed[0]), self.singular[0], self.iterations)

    def worst(self) -> int:
        """Return the index of the loop with the largest closure error."""
        sizes = np.maximum(self.distances, self.angles)
        return int(np.argmax(sizes.max(axis=0) if sizes.ndim == 2 else sizes))


@dataclass(frozen=True, eq=False)
class Measured:
    """
    The variables determined by some measured ones.

    :ivar given: indices of the variables that are measured.
    :ivar following: indices of those that follow from them.
    :ivar kept: indices of all in loops that are not measured.
    :ivar solved: indices of those to solve for: all of a group that does not follow.
    :ivar ranks: how many follow, of each group.
    :ivar overdetermined: whether the measured ones of a group follow from others, shape (G,).
    :ivar enough: whether all of a group follow, shape (G,).
    """

    given: Indices
    following: Indices
    kept: Indices
    solved: Indices
    ranks: tuple[int, ...]
    overdetermined: BoolArray
    enough: BoolArray


@dataclass(frozen=True)
class LoopGroup:
    """
    Coupled loops: joints move several of them.

    :ivar loops: the loops.
    :ivar variables: names of the variables that change them.
    :ivar rank: number of variables that they determine.
    :ivar is_decided: whether the start is the only way to assemble them near the initial
        positions.
    :ivar is_closed: whether they are closed at the start; if not, no way to close them was found.
    :ivar spins: names of the variables that only spin rods about their own axes.
    """

    loops: tuple[Loop, ...]
    variables: tuple[str, ...]
    rank: int
    is_decided: bool = True
    is_closed: bool = True
    spins: tuple[str, ...] = ()

    @property
    def mobility(self) -> int:
        """Return the degrees of freedom that are left, without turns of rods."""
        return len(self.variables) - self.rank - len(self.spins)


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
    :ivar solver: solves them.
    :ivar groups: the groups of coupled loops.
    :ivar membership: 1 where a variable is in a group, shape (n, G).
    :ivar start: a closed configuration near these, shape (n,).
    :ivar independent: names of the variables that determine the others, of those in loops.
    :ivar dependent: names of the variables that follow from them.
    :ivar mobility: degrees of freedom of the joints in loops, without turns of rods.
    :ivar spins: names of the variables that only tell how far rods between balls have turned
        about themselves. They stay where they are unless they are measured.
    :raises ValueError: the robot has no loops.
    """

    def __init__(self, robot: Robot | KinematicTree, initial: Mapping[str, float] | None = None):
        self.tree = tree = KinematicTree.of(robot)
        self.loops = tree.robot.loops
        if not self.loops:
            raise ValueError('The robot has no loops')
        self.constraints = LoopConstraints(tree, self.loops)
        if initial is None:
            initial = {name: value for name, value in tree.robot.initial.items()
                       if name in tree.variable_index}
        coupled = _coupled_loops(self.constraints)
        self.solver = LoopSolver(self.constraints, coupled)
        self.membership = self.solver.membership
        plain = {*tree.plain_variables.tolist()}
        self._inside = [[index for index in indices if index in plain] for _, indices in coupled]
        self._all = _indices(chain(*self._inside))
        self._wraps = _wrapping(tree)
        # Limits that leave no range at all are those of a program that writes none.
        none = tree.position_lower >= tree.position_upper
        self._lower = np.where(none, -np.inf, tree.position_lower)
        self._upper = np.where(none, np.inf, tree.position_upper)
        self._measured = lru_cache(64)(self._determined)
        wanted = np.clip(tree.configuration(initial), self._lower, self._upper)
        self.start, direct = self._assembled(wanted)
        beside = self._set_derivatives()
        self._spins = self._rod_spins(beside)
        solved = [self._solvable(indices) for indices in self._inside]
        self.spins = self._named(sorted(self._spins))
        self.dependent = self._named(chain(*solved))
        self.independent = self._named(sorted({*self._all.tolist()}.difference(
            self._spins, *solved)))
        self.mobility = len(self.independent)
        closed = self.solver.openings(self.start[None])[0] <= CLOSED
        known = self.measured()
        # Without dependent variables there is nothing to decide.
        decided = closed & (np.array(known.ranks) == 0) | direct & ~self._singular(
            self.start[None], known)[0]
        self.groups = tuple(
            LoopGroup(
                tuple(self.loops[loop] for loop in loops), self._named(indices), len(own),
                is_decided, is_closed, self._named(filter(self._spins.__contains__, indices)))
            for (loops, _), indices, own, is_decided, is_closed in zip(
                coupled, self._inside, solved, decided.tolist(), closed.tolist()))
        self._settle(wanted, beside, known)

    def _named(self, variables: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.tree.variable_names[index] for index in variables)

    def _assembled(self, wanted: Array) -> tuple[Array, BoolArray]:
        """
        Return a closed configuration near a wanted one, or the nearest to closed.

        :return: shape (n,); whether each group was closed from there straight, shape (G,).
        """
        starts = np.tile(wanted, (1 + _STARTS, 1))
        starts[1:, self._all] += np.random.default_rng(0).standard_normal(
            (_STARTS, len(self._all))) * np.repeat((0.1, 0.4, 1.0), _STARTS // 3)[:, None]
        nearby, openings = self.nearest(wanted)
        direct: BoolArray = openings <= CLOSED
        if direct.all():
            return nearby, direct
        found, openings = self.nearest(np.clip(starts, self._lower, self._upper))
        order = np.lexsort((self.solver.largest(found - wanted), ~self._is_within(found),
                            np.maximum(openings, CLOSED)), axis=0)
        other = self._chosen(found, order[0])
        return np.where(self.solver.spread(direct, True), nearby, other), direct

    def _chosen(self, found: Array, rows: Indices) -> Array:
        """Return rows of (B, n) for groups, (..., G); for variables in none the first."""
        return np.asarray(found[self.solver.spread(rows, 0), np.arange(found.shape[1])])

    def _set_derivatives(self) -> Array:
        """
        Set the derivatives of the equations at a configuration of generic rank, and return it.

        It is beside the start, where the first variables determine the others rather.
        """
        velocities, count = self.solver.velocity_of, len(self._all)
        columns = self.constraints.evaluate(self.start[None])[1][0][:, velocities[self._all]]
        moves = 0.3 * np.random.default_rng(1).standard_normal((_PROBES, count))
        starts = np.tile(self.start, (_PROBES + 1, 1))
        starts[:-1, self._all] += moves - moves @ columns.T @ np.linalg.pinv(columns).T
        found, openings = self.nearest(starts)
        found[-1] = self.start
        _, derivatives = self.constraints.evaluate(found)
        # Loops that cannot be closed are as determined where they are as little open.
        is_closed = openings <= openings[-1] + CLOSED
        best = []
        for group, variables in enumerate(self._inside):
            places = [_determined(each[:, velocities[variables]]) for each in derivatives]
            best.append(max(range(len(found)), key=lambda row: (
                is_closed[row, group], len(places[row]), sum(places[row]))))
        chosen = self._chosen(found, np.array(best))
        self._derivatives: Array = self.constraints.evaluate(chosen[None])[1][0]
        return chosen

    def _rod_spins(self, positions: Array) -> set[int]:
        """
        Return the variables that only spin rods about their own axes, one for each rod.

        Of balls and rods, they move no origin of a link or loop at a configuration.
        """
        tree, loops = self.tree, self.loops
        balls = np.array([loop.type in (LoopType.BALL, LoopType.ROD) for loop in loops])
        velocities = self.solver.velocity_of
        own = [index for index in self._all.tolist()
               if not self.constraints.moves[~balls, velocities[index]].any()]
        points = [(link, Pose()) for link in tree.link_names if link != tree.robot.root]
        points += [(loop.child, loop.child_origin) for loop in loops]
        points += [(loop.parent, loop.parent_origin) for loop in loops]
        pins = [Loop('', LoopType.BALL, tree.robot.root, link, child_origin=origin)
                for link, origin in points]
        size = max(1, _MOST_NUMBERS // max(1, len(tree.velocity_names))**2)
        columns = np.concatenate([
            LoopConstraints(tree, pins[first:first + size]).evaluate(positions[None])[1][0][
                :, velocities[own]] for first in range(0, len(pins), size)])
        # A shaft in a bearing of the root is not a rod, even with a ball at its end.
        shafts = {*tree.frames.variables[tree.frames.parents == 0].tolist()}
        still = {index for index, column in zip(own, columns.T)
                 if index in shafts and np.linalg.norm(column) < _INDEPENDENT}
        return {*own} - still - {own[place] for place in _determined(columns)}

    def _spread_out(self, goal: Array, variables: Indices) -> Array:
        """Return starts spread over the ranges of some variables, and a goal itself at last."""
        starts = np.tile(goal, (_STARTS + 1, 1))
        low, high = (ends[variables] for ends in self.tree.ranges())
        widening = np.pi * (low >= high)
        starts[:-1, variables] = np.random.default_rng(2).uniform(
            low - widening, high + widening, (_STARTS, len(variables)))
        return starts

    def _settle(self, wanted: Array, beside: Array, known: Measured) -> None:
        """
        Start with the independent variables where they are wanted if the loops close there, too.

        Where branches meet, such as in a parallelogram that is flat, the start is beside that.
        """
        goal = self.start.copy()
        goal[known.given] = wanted[known.given]
        path = self.follow(self.start[None], goal[None], known)
        good = (path.reached >= 1) & (self.solver.openings(path.positions) <= CLOSED)
        self.start = np.where(self.solver.spread(good, False), path.positions, self.start)[0]
        singular = self._singular(np.stack((self.start, beside)), known)
        self.start = np.where(self.solver.spread(singular[0] & ~singular[1], False),
                              beside, self.start)

    def close(self, positions: npt.ArrayLike, measured: Collection[str] | None = None,
              start: npt.ArrayLike | None = None) -> Closure:
        """
        Return configurations in which the loops are closed.

        They are on the branch that the start is on after the straight way to the positions. If
        there is no such way and no start is given, another branch will do. Where branches meet at
        the start, such as at a dead centre, none is taken: loops that would move stay there and
        are reported as singular, until a start on one branch is given.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param measured: names of the variables that keep them; the independent ones by default.
            Variables that these do not determine move as little as possible.
        :param start: a configuration near closed ones, :attr:`start` by default, shape (n,).
        :raises ValueError: the positions have another shape, or are not finite.
        """
        goal = self.tree.batch(positions).copy()
        if not np.isfinite(goal).all():
            raise ValueError('positions are not finite')
        known, evaluations = self.measured(measured), self.solver.evaluations
        began = self.start
        if start is not None:
            (given,) = self.tree.batch(start)
            began = self.nearest(given)[0]
        goal[:, known.kept] = began[known.kept]
        path = self.follow(np.tile(began, (len(goal), 1)), goal, known)
        closure = self.closure(path, goal, known, evaluations, is_free=start is None)
        return closure if np.ndim(positions) == 2 else closure.first()

    def follow(self, start: Array, goal: Array, known: Measured,
               moving: BoolArray | None = None) -> Path:
        """
        Follow the loops from closed configurations, shape (B, n), to known positions, (B, n).

        Those at whose start branches meet are not followed.

        :param moving: the groups that move, the others stay at the start, shape (G,).
        """
        solver = self.solver
        going = np.ones(len(self._inside), dtype=bool) if moving is None else moving
        solved = known.solved[going[solver.group_of[known.solved]]]
        goal = np.where(solver.spread(going, True), goal, start)
        way = self._difference(goal, start)
        moved = solver.largest(way) > CLOSED
        singular = moved & self._singular(start, known) if moved.any() else moved
        way = np.where(solver.spread(moved & ~singular, True), way, 0.0)
        path = solver.follow(start, way, solved)
        path.reached[singular] = 0
        # A path gets only close to where branches meet, and turns leave rounding.
        made = np.where(solver.spread(path.reached > _ARRIVED, True), goal, path.positions)
        made[:, solved] = path.positions[:, solved]
        found, closed = solver.solve(made, solved)
        taken = ~moved | (closed & (path.reached > _ARRIVED) & (
            solver.largest(found - made, solved) < _AT_END))
        path.positions = np.where(solver.spread(taken, True), found, path.positions)
        path.reached = np.where(taken, 1.0, np.minimum(path.reached, _ARRIVED))
        # From a regular start a path leads some way.
        path.singular = moved & (path.reached <= 0)
        return path

    def closure(self, path: Path, goal: Array, known: Measured, evaluations: int,
                is_free: bool = False) -> Closure:
        """
        Return the closures at the ends of paths, with the closure errors at the goal.

        :param evaluations: of the equations before.
        :param is_free: whether a goal on another branch will do.
        """
        wanted, own, solver = path.positions.copy(), known.solved, self.solver
        is_late = path.reached < 1
        late = np.flatnonzero(is_late.any(axis=1))
        for chunk in chunks_of(len(late), _CHUNK):
            rows = late[chunk]
            tried = np.repeat(goal[rows, None], _TRIES, axis=1)
            tried[..., own] = path.positions[rows[:, None], own][:, None]
            tried[:, 1:, own] += np.random.default_rng(4).normal(0, 0.5, (_TRIES - 1, len(own)))
            found, openings = self.nearest(tried.reshape(-1, tried.shape[2]), own)
            best = openings.reshape(len(rows), _TRIES, -1).argmin(axis=1)
            fitted = self._chosen(found, best + _TRIES * np.arange(len(rows))[:, None])
            wanted[rows] = np.where(solver.spread(is_late[rows], False), fitted, wanted[rows])
        distances, angles = self.constraints.errors(wanted)
        closed = np.maximum(distances, angles).max(axis=1) <= CLOSED
        singular = path.singular & (solver.openings(wanted) <= CLOSED)
        closed &= ~singular.any(axis=1)
        if is_free:
            path.positions[closed] = wanted[closed]
        else:
            closed &= ~is_late.any(axis=1)
        return Closure(path.positions, distances, angles, closed, singular,
                       solver.evaluations - evaluations)

    def nearest(self, positions: Array, variables: Indices | None = None) -> tuple[Array, Array]:
        """
        Return configurations nearby that are closed, or of least closure error.

        :param positions: shape (n,) or (B, n).
        :param variables: what may move, all variables by default.
        :return: likewise; how far groups are open, shape (G,) or (B, G).
        """
        found, _ = self.solver.solve(
            np.atleast_2d(positions), self._all if variables is None else variables)
        openings = self.solver.openings(found)
        return (found, openings) if positions.ndim == 2 else (found[0], openings[0])

    def best_mode(self, goal: Array, variables: Indices) -> tuple[Array, Array, BoolArray]:
        """
        Return the best assembly mode for known positions within the limits.

        :param goal: shape (n,).
        :param variables: that may move.
        :return: the configuration that is the nearest to closed, shape (n,); how far groups are
            open; whether each has no other that is about as near, each of shape (G,).
        """
        found, openings = self.nearest(self._spread_out(goal, variables), variables)
        openings[~self._is_within(found)] = np.inf
        best = self._chosen(found, openings.argmin(axis=0))
        minimum = openings.min(axis=0)
        apart = self.solver.largest(self._difference(found, best), variables) > _NEAR
        is_only = ~((openings <= 2 * minimum + 1e-6) & apart).any(axis=0) & np.isfinite(minimum)
        return best, minimum, np.asarray(is_only)

    def _is_within(self, positions: Array) -> BoolArray:
        """Return whether groups are within their limits, shape (B, G)."""
        beyond = np.maximum(self._lower - positions, positions - self._upper)
        return np.asarray(self.solver.largest(np.maximum(0.0, beyond)) <= 1e-6)

    def _difference(self, positions: Array, others: Array) -> Array:
        """Return differences, of joints without limits less than half a turn."""
        apart: Array = positions - others
        apart[..., self._wraps] = np.remainder(apart[..., self._wraps] + np.pi, 2 * np.pi) - np.pi
        return apart

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
        following = self._named(self.measured(measured).following)
        inside = self._named(self._all)
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
        velocities = self.solver.velocity_of[self.measured(measured).following]
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
        singular = self._singular(self.tree.batch(positions), self.measured(measured))
        return np.asarray((singular if np.ndim(positions) == 2 else singular[0]).any(axis=-1))

    def _singular(self, positions: Array, known: Measured) -> BoolArray:
        return self.solver.singular(positions, known.solved, known.ranks)

    def branching(self, groups: BoolArray, measured: Collection[str]) -> list[str]:
        """Return the variables, besides measured ones, that tell the branch of some groups."""
        return [name for group in compress(self.groups, groups)
                for name in group.variables if name not in {*measured, *group.spins}]

    def measured(self, names: Collection[str] | None = None) -> Measured:
        """Return the variables determined by measured ones, by default the independent ones."""
        return self._measured(frozenset(self.independent if names is None else names))

    def _determined(self, names: frozenset[str]) -> Measured:
        known = {self.tree.variable_index[name]
                 for name in names if name in self.tree.variable_index}
        kept = [[index for index in indices if index not in known] for indices in self._inside]
        follow = [self._solvable(indices) for indices in kept]
        enough = [(known | self._spins).issuperset({*indices} - {*own})
                  for indices, own in zip(self._inside, follow)]
        full = [self._solvable(indices) for indices in self._inside]
        return Measured(
            _indices(index for index in self._all.tolist() if index in known),
            _indices(chain(*follow)), _indices(chain(*kept)),
            _indices(chain(*(own if is_enough else rest for own, rest, is_enough in zip(
                follow, kept, enough)))),
            tuple(map(len, follow)),
            np.array([len(own) < len(all_) for own, all_ in zip(follow, full)]), np.array(enough))

    def is_overdetermined(self, measured: Collection[str]) -> bool:
        """Return whether the loops determine some of the measured variables by others."""
        return bool(self.measured(measured).overdetermined.any())

    def _solvable(self, variables: Sequence[int]) -> list[int]:
        """Return variables that the loops determine, the last rather, and spins at last."""
        order = sorted(variables, key=lambda index: index not in self._spins)
        columns = self._derivatives[:, self.solver.velocity_of[order]]
        return sorted(order[place] for place in _determined(columns))


def _indices(values: Iterable[int]) -> Indices:
    return np.array([*values], dtype=np.intp)


def _coupled_loops(constraints: LoopConstraints) -> list[tuple[list[int], list[int]]]:
    """Return the coupled loops and the variables that change them, as indices."""
    tree = constraints.tree
    indices_of = {velocity: {index} for index, velocity in zip(
        tree.plain_variables.tolist(), tree.plain_velocities.tolist())}
    for frame in tree.frames.of_kinds[FLOATING].tolist():
        first, variable = int(tree.frames.velocities[frame]), int(tree.frames.variables[frame])
        indices_of |= dict.fromkeys(range(first, first + 6), {*range(variable, variable + 7)})
    sets: list[tuple[set[int], set[int]]] = []
    for loop, moves in enumerate(constraints.moves):
        loops, variables = {loop}, {
            index for velocity in np.flatnonzero(moves).tolist()
            for index in indices_of[velocity]}
        others = []
        for each in sets:
            if each[1] & variables:
                loops, variables = loops | each[0], variables | each[1]
            else:
                others.append(each)
        sets = [*others, (loops, variables)]
    return [(sorted(loops), sorted(variables)) for loops, variables in sorted(
        sets, key=lambda each: min(each[0]))]


def _wrapping(tree: KinematicTree) -> Indices:
    """Return the variables of a robot with loops whose values a whole turn apart are the same."""
    robot = tree.robot
    geared = {joint.name for loop in robot.loops if loop.type is LoopType.GEAR
              for link in (loop.parent, loop.child) for joint in robot.geared(loop, link)}
    leaders = {mimic.joint for mimic in tree.mimic.values()}
    return _indices(
        index for index, name in enumerate(tree.variable_names)
        if name in robot.joints and robot.joints[name].type is JointType.CONTINUOUS
        and name not in geared | leaders)


def _determined(columns: Array) -> list[int]:
    """Return the indices of columns that span all of them, the last ones rather than the first."""
    basis = np.zeros((columns.shape[0], 0))
    chosen = []
    for place in reversed(range(columns.shape[1])):
        column = columns[:, place]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > _INDEPENDENT * np.maximum(np.linalg.norm(column), 1e-3):
            basis = np.column_stack((basis, rest / np.linalg.norm(rest)))
            chosen.append(place)
    return chosen
