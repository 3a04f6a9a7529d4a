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

"""Tracking of a mechanism: close its loops for each measurement or user motion."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from itertools import compress

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.loop_assembly import CLOSED
from urdf_tools.kinematics.loops.loop_closure import Closure
from urdf_tools.kinematics.loops.loop_closure import Measured
from urdf_tools.kinematics.loops.loop_solver import Path
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.transforms import numbers
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

WORN = 1e-3
"""Closure error of measured joints in m and rad attributed to wear and noise."""

_ALIKE = 0.9
"""Smallest cosine between two motions for one to predict the other."""

_WAIT = 100
"""Measurements after which finding the assembly mode of groups is retried."""


_REST = 200
"""Measurements for which a position that is no nearer than one out of reach is not tried."""

_NEARER = 0.9
"""Share of the way to a position out of reach from which on another one is tried."""

_BESIDE = 1e-2
"""Condition, as part of the best so far, below which another branch may be near."""

_YES = np.array(True)


class LoopTracker:
    """
    Follows a mechanism from one configuration to the next, each group of loops on one branch.

    A group whose start is not the only way to assemble it stays undecided until passive joints
    are measured that leave only one way. Where branches meet, such as at a dead centre, a group
    goes on on the one that it came on; if it started there, it stays.

    :param mechanism: the mechanism.
    :ivar positions: the last configuration, shape (n,); meaningless of undecided groups.
    :ivar decided: whether it is known how the groups are assembled, shape (G,).
    """

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.positions = mechanism.start.copy()
        # Measured joints may contradict each other; motions go on from where all is closed.
        self._closed = self._regular = self.positions
        self.decided: BoolArray = np.array([group.is_decided for group in mechanism.groups])
        self._membership = mechanism.membership
        self._none = np.zeros((2, len(mechanism.loops)))
        self._placed = np.zeros(len(self.decided), dtype=bool)
        self._singular = self._placed
        self._out_of_reach = np.zeros(len(self.decided))
        self._open = self._none
        self._loops_of = np.array(
            [[loop in group.loops for loop in mechanism.loops] for group in mechanism.groups])
        self._begin(mechanism.measured(mechanism.independent))

    def _begin(self, known: Measured) -> None:
        """Start tracking measured positions, and discard the motion history."""
        self._measured = known
        self._past: list[Array] = []
        self._step = self.mechanism.step(known)
        self._moving = None if known.enough.all() else known.enough
        self._of_known = self._membership.copy()
        self._of_known[known.unknowns.variables] = 0
        self._wait = 0
        self._condition = np.zeros(len(self.decided))
        self._rest: Indices = np.zeros(len(self.decided), dtype=np.intp)
        # Whether all that is measured follows its loops, so that no question is open.
        self._is_settled = False

    def update(self, positions: Array, measured: Collection[str]) -> Closure:
        """
        Return the configuration for new positions; of loops that cannot be closed, the last one.

        :param positions: of all variables, finite, shape (n,).
        :param measured: names of the variables whose positions count. If some of a group follow
            from others, none of them is changed, and the closure tells how far its loops are
            from closed. Groups that are not determined are not changed.
        """
        positions = numbers(positions, 'positions')
        known = self.mechanism.measured(measured)
        if known is not self._measured:
            self._begin(known)
        if self._is_settled:
            step = self._step.take(self._closed, positions, self._moving)
            if step:
                self._move(step[0])
                if step[1]:
                    self._regular = step[0]
                distances, angles = self._none
                return Closure(step[0], distances, angles, _YES, self._singular, step[1])
        goal = positions[None].copy()
        goal[:, known.kept] = self._closed[known.kept]
        closure = self._followed(goal, known)
        self._is_settled = not self._rest.any() and bool(
            (known.enough <= (self._placed & ~known.overdetermined)).all())
        return closure

    def _followed(self, goal: Array, known: Measured) -> Closure:
        """Return the configuration for measured positions of groups of which any may be open."""
        over = known.overdetermined & known.enough
        resting = self._resting(goal[0])
        moving = known.enough & self.decided & ~over & ~resting
        start = self._closed
        step = None if self._is_settled else self._step.take(start, goal[0], moving)
        if step:
            path = Path(step[0][None], np.ones((1, len(moving))), np.empty((1, 0)),
                        np.zeros((1, len(moving)), dtype=bool), step[1])
        else:
            path = self._path(goal, known, moving)
        lost = known.enough & ~self._placed & ((path.reached[0] < 1) | over | ~self.decided)
        if lost.any():
            self._place(path, goal[0], known, lost)
        measured = over & self.decided
        if measured.any():
            # What was measured is taken, with the rest where the loops are the least open.
            found, _ = self.mechanism.assembly.nearest(goal[0], known.unknowns)
            path.positions[0] = np.where(self._membership @ measured, found, path.positions[0])
        closure = self._closure(path, goal, known, over, resting)
        if over.any():
            nearest, openings = self.mechanism.assembly.nearest(self.positions)
            is_near = self._membership @ (over & (openings <= CLOSED))
            is_over = self._membership @ over
            self._closed = np.where(is_over, np.where(is_near, nearest, start), self._closed)
        return closure

    def _path(self, goal: Array, known: Measured, moving: BoolArray) -> Path:
        """Follow the loops, from where they were on one branch for sure if need be."""
        self._step.forget()
        path = self.mechanism.follow(
            self._closed, goal, known.unknowns, self._expected((goal - self._closed)[0], known),
            moving)
        if moving.any():
            condition = self.mechanism.assembly.condition(self._closed, known.unknowns)
            self._condition = np.maximum(self._condition, condition)
            beside = moving & (condition < _BESIDE * self._condition)
            self._regular = np.where(self._membership @ beside, self._regular, self._closed)
            late = beside & (path.reached[0] < 1)
            if late.any():
                again = self.mechanism.follow(self._regular, goal, known.unknowns, moving=late)
                path.positions = np.where(self._membership @ late, again.positions, path.positions)
                path.reached = np.where(late, again.reached, path.reached)
                path.singular = np.where(late, again.singular, path.singular)
                path.iterations += again.iterations
        return path

    def copy(self) -> LoopTracker:
        """Return an independent copy of the tracker in its present state."""
        other = copy(self)
        other._step = copy(self._step)
        return other

    def determined(self, measured: Collection[str]) -> list[str]:
        """Return the variables in groups all of whose positions are known."""
        known = self.mechanism.measured(measured).enough & self.decided
        return [name for group in compress(self.mechanism.groups, known)
                for name in group.variables]

    def undecided(self, measured: Collection[str]) -> list[str]:
        """Return the variables that would determine the assembly mode of groups."""
        following = {*self.mechanism.dependent} - {*measured}
        return [name for group in compress(self.mechanism.groups, ~self.decided)
                if group.is_closed for name in group.variables if name in following] or (
            self.mechanism.branching(self._singular, measured))

    def unclosable(self) -> list[str]:
        """Return the names of coupled loops for which no closed configuration was found."""
        return [loop.name for group in compress(self.mechanism.groups, ~self.decided)
                if not group.is_closed for loop in group.loops]

    def unplaced(self, measured: Collection[str], advice: str) -> str:
        """
        Return why it is not known how some loops are assembled; empty if it is.

        :param advice: what to do about variables that would determine it, ``{}`` for their names.
        """
        unclosable, undecided = self.unclosable(), self.undecided(measured)
        if unclosable:
            return f'No positions were found that close loops {name_list(unclosable)}'
        return 'Loops can be assembled in several ways: ' + advice.format(
            name_list(undecided)) if undecided else ''

    def _resting(self, goal: Array) -> BoolArray:
        """Return the groups that did not move, to skip repeated failing searches."""
        if not self._rest.any():
            return self._rest > 0
        resting: BoolArray = (self._rest > 0) & (
            self._distances(goal) > _NEARER * self._out_of_reach)
        self._rest = np.where(resting, self._rest - 1, 0)
        return resting

    def _distances(self, goal: Array) -> Array:
        """Return how far the known variables are from the last closed ones, shape (G,)."""
        with np.errstate(over='ignore'):
            distances: Array = np.sqrt((goal - self._closed)**2 @ self._of_known)
        return distances

    def _closure(self, path: Path, goal: Array, known: Measured, over: BoolArray,
                 resting: BoolArray) -> Closure:
        distances, angles = self._none
        closed = np.array(True)
        if over.any() or (path.reached < 1).any():
            wanted = self.mechanism.closure(path, goal, known.unknowns)
            distances, angles, closed = wanted.distances[0], wanted.angles[0], wanted.closed[0]
            late = path.reached[0] < 1
            self._rest = np.where(late, _REST, self._rest)
            self._out_of_reach = np.where(late, self._distances(goal[0]), self._out_of_reach)
            path.positions[0] = np.where(self._membership @ late, self._closed, path.positions[0])
        if resting.any():
            is_old = resting @ self._loops_of
            distances = np.where(is_old, self._open[0], distances)
            angles = np.where(is_old, self._open[1], angles)
            closed = np.array(False)
        self._open = np.stack((distances, angles))
        closed = closed & self.decided[known.enough].all()
        self._move(path.positions[0])
        self._placed = self._placed | (known.enough & self.decided)
        self._singular = path.singular[0] | (resting & self._singular)
        return Closure(self.positions, distances, angles, closed, self._singular, path.iterations)

    def _place(self, path: Path, goal: Array, known: Measured, lost: BoolArray) -> None:
        """Find the assembly mode of groups from a first measurement that may be anywhere."""
        self._wait -= 1
        if self._wait >= 0:
            return
        found, is_only = self.mechanism.assembly.best_mode(goal, known.unknowns)
        openings = self.mechanism.openings(found)
        taken = lost & is_only & np.where(
            known.overdetermined, (openings <= WORN) | known.unknowns.padding.all(axis=1),
            openings <= CLOSED)
        path.positions[0] = np.where(self._membership @ taken, found, path.positions[0])
        path.reached[0, taken], path.singular[0, taken] = 1.0, False
        self._step.forget()
        self._placed = self._placed | taken
        self.decided = self.decided | taken
        self._wait = 0 if not (lost & ~taken).any() else _WAIT

    def _expected(self, way: Array, known: Measured) -> Array | None:
        """
        Return the change of the unknowns extrapolated from the motion, shape (1, d).

        The rates before the last change and in it are those in the middle of these ways.
        """
        if not self._past:
            return None
        last, groups = self._closed - self._past[0], known.unknowns.groups
        ratio = self._ratio(last, way)
        rate = last[known.unknowns.variables]
        if len(self._past) > 1:
            before = self._past[0] - self._past[1]
            ratios = self._ratio(before, last)
            even = (ratios > 0.3) & (ratio > 0.3)
            slope = np.where(even, ratio + 1, 0.0) / (1 + 1 / np.where(even, ratios, 1.0))
            rate = rate + slope[groups] * (rate - np.where(even, ratios, 0.0)[groups] * (
                before[known.unknowns.variables]))
        return np.asarray((ratio[groups] * rate)[None])

    def _ratio(self, before: Array, now: Array) -> Array:
        """Return the length ratio of motions to the previous ones, NaN if unlike, shape (G,)."""
        squares, longer, along = np.stack((before**2, now**2, before * now)) @ self._of_known
        with np.errstate(divide='ignore', invalid='ignore'):
            ratio: Array = along / squares
        ratio[~((squares > 1e-24) & (longer > 0) & (np.abs(ratio) <= 3) & (
            np.abs(along) >= _ALIKE * np.sqrt(squares * longer)))] = np.nan
        return ratio

    def _move(self, positions: Array) -> None:
        self._past = [self._closed, *self._past[:1]]
        self.positions = self._closed = positions


class LoopMotion:
    """
    Replaces positions of joints in loops by those that close the loops.

    :ivar mechanism: the mechanism.
    :ivar tracker: follows it.
    :ivar independent: the variables in loops that are free, by default those that are given.
    """

    def __init__(self, tree: KinematicTree):
        self.mechanism = Mechanism(tree)
        self.independent = frozenset(self.mechanism.independent)
        self.tracker = LoopTracker(self.mechanism)
        self._inside: frozenset[str] = frozenset().union(
            *(group.variables for group in self.mechanism.groups))

    def follow(self, positions: Array, given: Collection[str] | None = None) -> tuple[Array, str]:
        """
        Move to given positions from the last ones.

        :param positions: of all variables, shape (n,).
        :param given: names of the variables that have them, :attr:`independent` by default.
        :return: positions that close the loops, shape (n,), those of loops that are not determined
            or of which it is not known how they are assembled as they were given; a message
            about loops that cannot be closed, or an empty text.
        """
        given = self.independent if given is None else self._inside & {*given}
        return self._result(self.tracker, positions, given)

    def close(self, positions: Array, given: Collection[str],
              wanted: Collection[str]) -> tuple[Array, str]:
        """
        Do the same without moving there: the next motion begins where the last one ended.

        :param wanted: those of the given ones that count alone where they determine loops.
        """
        given = frozenset().union(*(
            {*group.variables} & {*(wanted if len(
                {*group.variables} & {*wanted}) >= max(group.mobility, 1) else given)}
            for group in self.mechanism.groups))
        return self._result(self.tracker.copy(), positions, given)

    def known(self, given: Collection[str] | None = None) -> set[str]:
        """Return the variables in loops that are given, or follow from what is."""
        given = self.independent if given is None else self._inside & {*given}
        return {*self.tracker.determined(given), *given}

    def _result(self, tracker: LoopTracker, positions: Array,
                given: Collection[str]) -> tuple[Array, str]:
        closure, placed = tracker.update(positions, given), positions.copy()
        index = self.mechanism.tree.variable_index
        rows = np.array([index[name] for name in self.tracker.determined(given)], dtype=np.intp)
        placed[rows] = closure.positions[rows]
        return placed, self._fault(closure, given)

    def _fault(self, closure: Closure, given: Collection[str]) -> str:
        loop = quote(self.mechanism.loops[closure.worst()].name)
        distance, angle = (errors[closure.worst()] for errors in (
            closure.distances, closure.angles))
        if max(distance, angle) > 1e-6:
            return f'Loop {loop} is open by {1e3 * distance:.3g} mm and {1e3 * angle:.3g} mrad'
        if closure.singular.any():
            names = name_list(self.mechanism.branching(closure.singular, given))
            return f'Branches of loop {loop} meet there, and some of {names} tell which is meant'
        if closure.closed or not all(self.tracker.decided):
            return ''
        return f'Loop {loop} can be closed there, but not on the way'
