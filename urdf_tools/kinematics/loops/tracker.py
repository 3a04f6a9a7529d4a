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
import math

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import CLOSED
from urdf_tools.kinematics.loops.mechanism import Closure
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.loops.solver import Path
from urdf_tools.kinematics.loops.solver import TOLERANCE
from urdf_tools.kinematics.transforms import numbers
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.types import Array
from urdf_tools.types import BoolArray

WORN = 1e-3
"""Closure error of measured joints in m and rad attributed to wear and noise."""

_FAR = 0.1
"""Largest motion of a variable that counts as small, in rad and m."""

_CERTAIN = 1e-2
"""Largest product of a correction and the norm of the inverse derivatives in a small motion."""

_EXACT = 3e-6
"""Correction in rad and m whose square is within the tolerance of the equations."""

_EVALUATIONS = 3
"""Largest number of corrections in a small motion."""

_BESIDE = 100.0
"""Norm of the inverse derivatives, by the smallest so far, where another branch may be near."""

_NEARER, _ELSEWHERE = 0.1, 0.5
"""Motion after which what failed is tried again: part of the distance; in rad and m."""

_YES = np.array(True)


class LoopTracker:
    """
    Follows a mechanism from one configuration to the next, each group of loops on one branch.

    A group whose start is not the only way to assemble it stays undecided until passive joints
    are measured that leave only one way. Where branches meet, such as at a dead centre, a group
    keeps its current branch; if it started there, it stays.

    :param mechanism: the mechanism.
    :ivar positions: the last configuration, shape (n,); meaningless of undecided groups.
    :ivar decided: whether it is known how the groups are assembled, shape (G,).
    """

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.positions = mechanism.start
        # Measured joints may contradict each other; motions go on from where all is closed.
        self._closed = self._regular = self._goal = self.positions
        self.decided: BoolArray = np.array([group.is_decided for group in mechanism.groups])
        self._singular = np.zeros(len(self.decided), dtype=bool)
        self._errors = self._none = np.zeros((2, len(mechanism.loops)))
        self._begin(mechanism.independent)

    def _begin(self, measured: Collection[str]) -> None:
        """Start tracking measured positions."""
        self._known = self.mechanism.measured(measured)
        self._failed = np.zeros(len(self.decided), dtype=bool)
        self._moving = np.zeros(0, dtype=bool)
        self._smallest = np.inf
        self._set_moving()

    def _set_moving(self) -> None:
        """Set the groups that follow what is measured, the others stay, and what steps need."""
        known, solver = self._known, self.mechanism.solver
        moving = known.enough & self.decided & ~known.overdetermined & ~self._failed
        if np.array_equal(moving, self._moving):
            return
        self._moving = moving
        self._is_settled = bool((known.enough <= self._moving).all())
        self._given, self._following = (
            rows[self._moving[solver.group_of[rows]]] for rows in (known.given, known.following))
        self._velocities = solver.velocity_of[np.concatenate((self._following, self._given))]
        self._rounding = 1e-13 * np.eye(len(self._following))
        self._is_free = solver.spread(self._moving, True)
        self._has_fixed = not self._is_free.all()
        self._slopes: Array | None = None
        self._before: Array | None = None

    def update(self, positions: Array, measured: Collection[str]) -> Closure:
        """
        Return the configuration for new positions; of loops that cannot be closed, the last one.

        :param positions: of all variables, finite, shape (n,).
        :param measured: names of the variables whose positions count. If some of a group follow
            from others, none of them is changed, and the closure tells how far its loops are
            from closed. Groups that are not determined are not changed.
        """
        positions = numbers(positions, 'positions')
        if self.mechanism.measured(measured) is not self._known:
            self._begin(measured)
        evaluations = self.mechanism.solver.evaluations
        found = self._step(positions) if self._is_settled else None
        if found is None:
            return self._search(positions, evaluations)
        self.positions = self._closed = found
        distances, angles = self._none
        return Closure(found, distances, angles, _YES, self._singular,
                       self.mechanism.solver.evaluations - evaluations)

    def _step(self, positions: Array) -> Array | None:
        """
        Return the closed configuration after a short motion, or None if one step is not safe.

        The variables that follow are expected to move as their derivatives by what is known tell,
        by the second-order method of Adams and Bashforth, and corrected by Newton's method. The
        correction times the norm of the inverse derivatives tells how curved the equations must
        be for another branch to be near (Newton-Kantorovich).
        """
        last, rows = self._closed, self._following
        made = np.where(self._is_free, positions, last) if self._has_fixed else positions.copy()
        way = made.take(self._given) - last.take(self._given)
        length = math.hypot(*way.tolist())
        if not length:
            made[rows] = last[rows]
            return made
        if length > _FAR:
            return None
        if self._slopes is None or self._before is None:
            self._slopes = self._before = self._newton(last)[1]
        change = (1.5 * self._slopes - 0.5 * self._before) @ way
        if not _norm(change) <= _FAR:
            return None
        values = last.take(rows) - change
        made[rows] = values
        for _ in range(_EVALUATIONS):
            correction, slopes, norm, rest = self._newton(made)
            size = _norm(correction)
            if not size * norm <= _CERTAIN:
                return None
            values -= correction
            made[rows] = values
            if size <= _EXACT and rest <= TOLERANCE:
                self._keep(made, slopes, norm)
                return made
        return None

    def _keep(self, made: Array, slopes: Array, norm: float) -> None:
        """Keep a configuration, also as one where no branches meet if that is so."""
        self._before = slopes if self._slopes is None else self._slopes
        self._slopes = slopes
        self._smallest = min(self._smallest, norm)
        if norm <= _BESIDE * self._smallest:
            self._regular = made

    def _newton(self, positions: Array) -> tuple[Array, Array, float, float]:
        """
        Return how much the variables that follow are off, and how they change.

        :return: shape (d,); by what is given, with the opposite sign, shape (d, k); the norm of
            the inverse derivatives; what is left of the equations to first order.
        """
        values, derivatives = self.mechanism.solver.evaluate(positions[None])
        count = len(self._following)
        columns = derivatives[0].take(self._velocities, axis=1)
        own = columns[:, :count]
        products = own.T @ columns
        inverse = np.linalg.inv(products[:, :count] + self._rounding)
        correction = inverse @ (own.T @ values[0])
        return (correction, inverse @ products[:, count:], math.sqrt(_norm(inverse.ravel())),
                _norm(values[0] - own @ correction))

    def _search(self, goal: Array, evaluations: int) -> Closure:
        """Return the configuration where steps are long, or groups open, undecided or measured."""
        mechanism, known, spread = self.mechanism, self._known, self.mechanism.solver.spread
        goal = goal.copy()
        goal[known.kept] = self._closed[known.kept]
        found = None
        if not self._is_settled:
            self._failed = self._failed & self._is_near_failed(goal)
            self._set_moving()
            found = self._step(goal)
        path = self._path(goal) if found is None else Path(
            found[None], np.ones((1, len(self._moving))), np.zeros((1, len(self._moving)), bool))
        lost = known.enough & ~self.decided & ~self._failed
        placed = self._place(path, goal, lost) if lost.any() else lost
        lost = lost & ~placed
        over = known.enough & known.overdetermined & self.decided
        if over.any():
            # What was measured is taken, with the rest where the loops are the least open.
            nearest, _ = mechanism.nearest(goal, known.following)
            path.positions[0] = np.where(spread(over, False), nearest, path.positions[0])
        late = path.reached[0] < 1
        closure = mechanism.closure(path, goal[None], known, evaluations)
        is_old, is_decided = (each @ mechanism.solver.has_loop for each in (
            self._failed, self.decided))
        self._errors = np.where(is_old, self._errors, np.where(
            is_decided, (closure.distances[0], closure.angles[0]), 0.0))
        self._singular = closure.singular[0] | (self._failed & self._singular)
        self._failed = self._failed | late | lost
        self._goal = np.where(spread(late | lost, False), goal, self._goal)
        closed = closure.closed[0] and not self._failed.any()
        self.positions = np.where(spread(late, False), self._closed, path.positions[0])
        kept = self.positions
        if over.any():
            nearest, openings = mechanism.nearest(self.positions)
            kept = np.where(spread(over & (openings <= CLOSED), False), nearest, np.where(
                spread(over, False), self._closed, self.positions))
        self._closed = kept
        self._regular = np.where(spread(placed, False), kept, self._regular)
        self._set_moving()
        distances, angles = self._errors
        return Closure(self.positions, distances, angles, np.asarray(
            closed and self.decided[known.enough].all()), self._singular, closure.iterations)

    def _path(self, goal: Array) -> Path:
        """Follow the loops, from where they were on one branch for sure if need be."""
        mechanism, known, spread = self.mechanism, self._known, self.mechanism.solver.spread
        self._slopes = None
        self._keep(self._closed, *self._newton(self._closed)[1:3])
        path = mechanism.follow(self._closed[None], goal[None], known, self._moving)
        late = path.reached[0] < 1
        if late.any() and self._regular is not self._closed:
            again = mechanism.follow(self._regular[None], goal[None], known, late)
            path.positions = np.where(spread(late, False), again.positions, path.positions)
            path.reached = np.where(late, again.reached, path.reached)
            path.singular = np.where(late, again.singular, path.singular)
        if (path.reached == 1).all():
            self._keep(path.positions[0], *self._newton(path.positions[0])[1:3])
        return path

    def _place(self, path: Path, goal: Array, lost: BoolArray) -> BoolArray:
        """Find the assembly mode of groups from measured joints, and return of which."""
        known = self._known
        found, openings, is_only = self.mechanism.best_mode(goal, known.following)
        taken: BoolArray = lost & is_only & (
            (openings <= np.where(known.overdetermined, WORN, CLOSED))
            | (known.overdetermined & (np.array(known.ranks) == 0)))
        path.positions[0] = np.where(
            self.mechanism.solver.spread(taken, False), found, path.positions[0])
        self.decided = self.decided | taken
        return taken

    def _is_near_failed(self, goal: Array) -> BoolArray:
        """Return for which groups a goal is like the last one that was out of reach."""
        largest, given = self.mechanism.solver.largest, self._known.given
        (moved, distance) = largest(np.stack((goal, self._closed)) - self._goal, given)
        return np.asarray(moved <= np.maximum(
            _NEARER * distance, np.where(self.decided, 0.0, _ELSEWHERE)))

    def copy(self) -> LoopTracker:
        """Return an independent copy of the tracker in its present state."""
        return copy(self)

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


def _norm(vector: Array) -> float:
    return math.sqrt(vector.dot(vector))
