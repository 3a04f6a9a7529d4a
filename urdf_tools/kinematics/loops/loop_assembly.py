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

"""Assembly modes of a mechanism: closed configurations near wanted ones; rods between balls."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.jacobian import ReferenceFrame
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.loop_solver import LoopSolver
from urdf_tools.kinematics.loops.loop_solver import Unknowns
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

CLOSED = 1e-9
"""Largest distance in m and angle in rad of a loop that is closed."""

INDEPENDENT = 1e-7
"""Smallest residual of a column after projection on others that makes it independent."""

STARTS = 24
"""Number of starts from which other assembly modes are searched."""

_NEAR = 0.02
_PROBES = 8
_SAME = 1e-5
_OPEN = 0.01
"""Opening in m and rad above which positions do not determine the assembly mode."""


class LoopAssembly:
    """
    Assembles mechanisms.

    :param unknowns: all variables of one degree of freedom that move loops.
    :param wraps: variables whose values a whole turn apart are the same.
    """

    def __init__(
            self, tree: KinematicTree, solver: LoopSolver, unknowns: Unknowns, wraps: Indices):
        # Limits that leave no range at all are those of a program that writes none.
        none = tree.position_lower >= tree.position_upper
        self._lower = np.where(none, -np.inf, tree.position_lower)
        self._upper = np.where(none, np.inf, tree.position_upper)
        low, high = tree.ranges()
        self._ranges = np.where(none, low - np.pi, low), np.where(none, high + np.pi, high)
        self._solver = solver
        self._all = unknowns
        self._wraps = wraps

    def clipped(self, positions: Array) -> Array:
        """Return positions within the limits."""
        return np.clip(positions, self._lower, self._upper)

    def assembled(self, wanted: Array) -> tuple[Array, BoolArray]:
        """
        Return a closed configuration near a wanted one, or the nearest to closed.

        :return: shape (n,); whether each group was closed from there straight, shape (G,).
        """
        own = self._all.variables
        starts = np.tile(wanted, (1 + STARTS, 1))
        starts[1:, own] += np.random.default_rng(0).standard_normal(
            (STARTS, len(own))) * np.repeat((0.1, 0.4, 1.0), STARTS // 3)[:, None]
        starts = self.clipped(starts)
        nearby = self._solver.damped(starts[:1], self._all)[0]
        direct: BoolArray = self._solver.openings(nearby)[0] <= CLOSED
        if direct.all():
            return nearby[0], direct
        other = self.best(starts, wanted, self._all)
        mixed: Array = np.where(self._solver.spread(direct[None], True)[0], nearby[0], other)
        return mixed, direct

    def is_only_one(self, wanted: Array, found: Array, unknowns: Unknowns) -> BoolArray:
        """
        Return for which groups every start near the wanted one leads to the same result.

        :param unknowns: what the independent variables determine.
        :return: shape (G,).
        """
        own = self._all.variables
        starts = np.tile(wanted, (_PROBES, 1))
        starts[:, own] += _NEAR * np.random.default_rng(5).standard_normal((_PROBES, len(own)))
        others, closed, _ = self._solver.damped(starts, self._all)
        path = self._solver.follow(others, found - others, unknowns)
        apart = self.difference(path.positions, found)[:, unknowns.variables]
        same = (closed & (path.reached >= 1) & (unknowns.largest(apart) < _SAME)).all(axis=0)
        same &= ~self.singular(found, unknowns)
        is_open = self._solver.openings(wanted[None])[0] > _OPEN
        return np.asarray(same & ~(is_open & self._is_special(wanted, unknowns)))

    def _is_special(self, wanted: Array, unknowns: Unknowns) -> BoolArray:
        """Return for which groups other assembly modes have less mobility, shape (G,)."""
        found, closed, _ = self._solver.damped(self.spread_out(wanted, self._all), self._all)
        values = np.linalg.svd(self._solver.blocks(found, self._all.columns)[1], compute_uv=False)
        largest = values.max(axis=2, keepdims=True, initial=0.0)
        ranks = (values > 1e-4 * largest).sum(axis=2) * closed
        return np.asarray(ranks.max(axis=0) > (unknowns.padding == 0).sum(axis=1))

    def nearest(self, positions: Array, unknowns: Unknowns | None = None) -> tuple[Array, Array]:
        """
        Return configurations nearby that are closed, or of least closure error.

        :param positions: shape (n,) or (B, n).
        :param unknowns: what may move, all variables by default.
        :return: likewise; how far groups are open, shape (G,) or (B, G).
        """
        found = self._solver.damped(np.atleast_2d(positions), unknowns or self._all)[0]
        openings = self._solver.openings(found)
        return (found, openings) if positions.ndim == 2 else (found[0], openings[0])

    def difference(self, positions: Array, others: Array) -> Array:
        """Return differences, of joints without limits less than half a turn."""
        apart: Array = positions - others
        apart[..., self._wraps] = np.remainder(apart[..., self._wraps] + np.pi, 2 * np.pi) - np.pi
        return apart

    def condition(self, positions: Array, unknowns: Unknowns,
                  solved: Unknowns | None = None) -> Array:
        """
        Return how well configurations determine the unknowns: ratios of singular values.

        :param positions: shape (n,) or (B, n).
        :param solved: as many of the unknowns as follow elsewhere, all of them by default.
        :return: 0 where groups are singular, shape (G,) or (B, G).
        """
        derivatives = self._solver.blocks(np.atleast_2d(positions), unknowns.columns)[1]
        ratios = np.ones(derivatives.shape[:2])
        for group, (own, padding) in enumerate(zip(
                unknowns.padding == 0, (solved or unknowns).padding)):
            rank = np.count_nonzero(padding == 0)
            if rank:
                values = np.linalg.svd(derivatives[:, group][:, :, own], compute_uv=False)
                ratios[:, group] = values[:, rank - 1] / np.maximum(values[:, 0], 1e-300)
        return ratios.reshape(*positions.shape[:-1], -1)

    def singular(self, positions: Array, unknowns: Unknowns,
                 solved: Unknowns | None = None) -> BoolArray:
        """Return for which groups configurations do not determine the unknowns, likewise."""
        return np.asarray(self.condition(positions, unknowns, solved) < 1e-6)

    def best(self, starts: Array, wanted: Array, unknowns: Unknowns) -> Array:
        """Return the nearest closed configuration within limits, or the nearest to closed."""
        found = self._solver.damped(starts, unknowns)[0]
        opening = np.maximum(self._solver.openings(found), CLOSED)
        order = np.lexsort((
            self._solver.farthest(found - wanted), ~self.is_within(found), opening), axis=0)
        return self._solver.chosen(found, order[0])

    def best_mode(self, goal: Array, unknowns: Unknowns) -> tuple[Array, BoolArray]:
        """
        Return the best assembly mode for known positions within the limits.

        :param goal: shape (n,).
        :return: the configuration that is the nearest to closed, shape (n,); whether each group
            has no other that is about as near, shape (G,).
        """
        own = unknowns.variables
        found = self._solver.damped(
            np.concatenate((goal[None], self.spread_out(goal, unknowns))), unknowns)[0]
        inside = self.is_within(found)
        opening = np.where(inside, self._solver.openings(found), np.inf)
        best = self._solver.chosen(found, opening.argmin(axis=0))
        good = opening <= 2 * opening.min(axis=0) + 1e-6
        apart = unknowns.largest(self.difference(found, best)[:, own])
        return best, np.asarray(~(good & (apart > _NEAR)).any(axis=0) & inside.any(axis=0))

    def is_within(self, positions: Array) -> BoolArray:
        """Return whether groups are within their limits, shape (B, G)."""
        beyond = np.maximum(self._lower - positions, positions - self._upper)
        return np.asarray(self._solver.farthest(np.maximum(0.0, beyond)) <= 1e-6)

    def spread_out(self, goal: Array, unknowns: Unknowns) -> Array:
        """Return starts spread over the ranges of the unknowns, shape (S, n)."""
        starts = np.tile(goal, (STARTS, 1))
        low, high = self._ranges
        own = unknowns.variables
        starts[:, own] = np.random.default_rng(2).uniform(low[own], high[own], (STARTS, len(own)))
        return starts

    def generic(self, start: Array) -> Array:
        """Return a nearby configuration of generic rank."""
        rng = np.random.default_rng(1)
        best: Array = start
        most = np.full(self._solver.count, -1)
        tried: Array = start
        least = self._solver.openings(start[None])
        for _ in range(3):
            derivatives = self._solver.blocks(tried[None], self._all.columns)[1][0]
            moves = np.zeros(self._all.padding.shape)
            ranks = np.empty(len(derivatives), dtype=np.intp)
            for group, (block, padding) in enumerate(zip(derivatives, self._all.padding)):
                free = free_motions(block[:, padding == 0])
                ranks[group] = len(free) - free.shape[1]
                moves[group, :len(free)] = free @ (0.3 * rng.standard_normal(free.shape[1]))
            best = np.where(self._solver.spread((ranks >= most)[None], True)[0], tried, best)
            most = np.maximum(ranks, most)
            moved = best.copy()
            moved[self._all.variables] += moves.reshape(-1)[self._all.slots]
            found = self._solver.damped(moved[None], self._all)[0]
            # Loops that cannot be closed are as determined where they are as little open.
            as_closed = self._solver.openings(found) <= least + CLOSED
            tried = np.where(self._solver.spread(as_closed, True)[0], found[0], best)
        return best

    def near(self, start: Array, independent: Indices, unknowns: Unknowns) -> Array:
        """
        Return a start beside a singular one, on the branch that moves least.

        :param independent: variables that are moved a little.
        """
        beside = start.copy()
        beside[independent] += np.where(
            beside[independent] + 0.2 > self._upper[independent], -0.2, 0.2)
        starts = np.tile(beside, (STARTS, 1))
        starts[:, unknowns.variables] += 0.3 * np.random.default_rng(3).standard_normal(
            (STARTS, len(unknowns.variables)))
        found = self.best(starts, start, unknowns)
        closed = (self._solver.openings(np.stack((found, start))) <= CLOSED).all(axis=0)
        taken = closed & self.singular(start, unknowns) & ~self.singular(found, unknowns)
        return np.where(self._solver.spread(taken[None], False)[0], found, start)


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


def free_motions(derivatives: Array) -> Array:
    """Return an orthonormal basis of rates that cause no error, shape (variables, m)."""
    values, rows = np.linalg.svd(derivatives, full_matrices=True)[1:]
    return np.asarray(rows[(values > INDEPENDENT * values.max(initial=1e-300)).sum():].T)


def wrapping(tree: KinematicTree) -> Indices:
    """Return the variables of a robot with loops whose values a whole turn apart are the same."""
    robot = tree.robot
    geared = {joint.name for loop in robot.loops if loop.type is LoopType.GEAR
              for link in (loop.parent, loop.child) for joint in robot.geared(loop, link)}
    leaders = {mimic.joint for mimic in tree.mimic.values()}
    return np.array([
        index for index, name in enumerate(tree.variable_names)
        if name in robot.joints and robot.joints[name].type is JointType.CONTINUOUS
        and name not in geared | leaders], dtype=np.intp)


_STILL = 1e-6
"""Velocity in m/s and rad/s of what stays, at rates of about 1 rad/s or m/s; distance in m."""


def rod_spins(tree: KinematicTree, loops: Sequence[Loop], positions: Array,
              variables: Sequence[int], derivatives: Array) -> list[int]:
    """
    Return the variables that only spin rods about their own axes, one for each rod.

    A rod is a link that can turn without any other motion of origins of links, joints and loops,
    about an axis that other motions tilt: no shaft in bearings, and no gear.

    :param loops: coupled loops.
    :param positions: a configuration in which they are closed, shape (n,).
    :param variables: indices of those that move them.
    :param derivatives: of their errors by these, shape (k, variables).
    """
    motions = free_motions(derivatives[derivatives.any(axis=1)])
    if not motions.shape[1]:
        return []
    names = [tree.variable_names[index] for index in variables]
    ends = [(link, origin.matrix[:3, 3]) for loop in loops for link, origin in (
        (loop.parent, loop.parent_origin), (loop.child, loop.child_origin))]
    held = _held(tree.robot, names)
    links = list(dict.fromkeys(
        [name for pair in held for name in pair] + [link for link, _ in ends]))
    found = [Jacobian(tree, link, ReferenceFrame.LOCAL_WORLD_ALIGNED).with_poses(positions[None])
             for link in links]
    poses, jacobians = (np.concatenate(each) for each in zip(*found))
    columns = [tree.velocity_index[name] for name in names]
    moves, rates = np.split((jacobians[:, :, columns] @ motions).swapaxes(1, 2), 2, axis=2)
    place = {link: row for row, link in enumerate(links)}
    rows = [place[link] for link, _ in ends]
    arms = np.stack([poses[place[link], :3, :3] @ point for link, point in ends])
    moves = np.concatenate((moves, moves[rows] + np.cross(rates[rows], arms[:, None])))
    values, basis = np.linalg.svd(
        moves.swapaxes(1, 2).reshape(-1, motions.shape[1]), full_matrices=False)[1:]
    # Links within a ball constrain nothing away from their origin, and turn freely.
    is_long = np.zeros(len(links), dtype=bool)
    for link, child in held:
        apart = poses[place[child], :3, 3] - poses[place[link], :3, 3]
        is_long[place[link]] |= np.linalg.norm(apart) > _STILL
    for row, arm in zip(rows, arms):
        is_long[row] |= np.linalg.norm(arm) > _STILL
    return [variables[row] for row, mix in _separated(motions, basis[values <= _STILL].T)
            if _is_rod(mix @ rates[is_long], rates[is_long])]


def _held(robot: Robot, names: Collection[str]) -> list[tuple[str, str]]:
    """Return the links that variables move, or that are fixed to these, with what each holds."""
    held = []
    pending = [joint.child for joint in robot.tree if (
        joint.name if joint.mimic is None else joint.mimic.joint) in names]
    for link in pending:
        joints = robot.child_joints[link]
        held += [(link, link), *((link, joint.child) for joint in joints)]
        pending += [joint.child for joint in joints if joint.type is JointType.FIXED]
    return held


def _is_rod(turns: Array, rates: Array) -> bool:
    """
    Return whether links that turn are one rod.

    :param turns: angular velocities, shape (L, 3).
    :param rates: those of all motions, shape (L, m, 3).
    """
    speeds = np.linalg.norm(turns, axis=1)
    links = speeds > _STILL
    if not links.any():
        return False
    axis = turns[links][0] / speeds[links][0]
    return bool((np.abs(turns[links] - turns[links][0]) < 1e-5).all() and (
        np.linalg.norm(np.cross(rates[links], axis), axis=2) > 1e-3).any())


def _separated(motions: Array, mixes: Array) -> list[tuple[int, Array]]:
    """
    Return motions that variables tell apart, each by the one that takes the largest part in it.

    :param mixes: the span of the motions, by others, shape (m, k).
    :return: the row of the variable, and the motion at its unit rate, shape (m,).
    """
    places: list[int] = []
    rest = motions @ mixes
    for _ in range(mixes.shape[1]):
        places.append(int(np.linalg.norm(rest, axis=1).argmax()))
        part = rest[places[-1]] / np.linalg.norm(rest[places[-1]])
        rest = rest - np.outer(rest @ part, part)
    single = mixes @ np.linalg.inv((motions @ mixes)[places])
    return list(zip(places, single.T))
