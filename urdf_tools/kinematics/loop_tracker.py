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

"""A mechanism that moves: its loops are closed anew for each measurement."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy

import numpy as np

from urdf_tools.kinematics.loop_assembly import CLOSED
from urdf_tools.kinematics.loop_closure import Closure
from urdf_tools.kinematics.loop_closure import Measured
from urdf_tools.kinematics.loop_solver import Path
from urdf_tools.kinematics.loop_solver import Truth
from urdf_tools.kinematics.mechanism import Mechanism
from urdf_tools.kinematics.transforms import Array

WORN = 1e-3
"""Closing error of measured joints in m and rad that wear and noise explain."""

_ALIKE = 0.9
"""Smallest cosine between two motions of which one tells what the other will do."""

_WAIT = 100
"""Measurements after which it is tried again to find how groups are assembled."""


class LoopTracker:
    """
    Follows a mechanism from one configuration to the next, each group of loops on one branch.

    A group whose start is not the only way to assemble it stays undecided until passive joints
    are measured that leave only one way.

    :param mechanism: the mechanism.
    :ivar positions: the last configuration, shape (n,); meaningless of undecided groups.
    :ivar decided: whether it is known how the groups are assembled, shape (G,).
    """

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.positions = mechanism.start.copy()
        # Measured joints may contradict each other; motions go on from where all is closed.
        self._closed = self.positions
        self.decided: Truth = np.array([group.is_decided for group in mechanism.groups])
        self._membership = mechanism.membership
        self._none = np.zeros((2, len(mechanism.loops)))
        self._placed = np.zeros(len(self.decided), dtype=bool)
        self._way: Array | None = None
        self._change: Array | None = None
        self._before: Array | None = None
        self._ratio: Array | None = None
        self._measured: Measured | None = None
        self._wait = 0

    def update(self, positions: Array, measured: Collection[str]) -> Closure:
        """
        Return the configuration for new positions; of loops that cannot be closed, the last one.

        :param positions: of all variables, finite, shape (n,).
        :param measured: names of the variables whose positions count. If some of a group follow
            from others, none of them is changed, and the closure tells how far its loops are
            from closed. Groups that are not determined are not changed.
        """
        known = self.mechanism.measured(measured)
        if known is not self._measured:
            self._way = self._change = self._before = self._ratio = None
            self._wait = 0
        self._measured = known
        goal = positions[None].copy()
        goal[:, known.kept] = self._closed[known.kept]
        over = known.overdetermined & known.enough
        moving = known.enough & self.decided & ~over
        start = self._closed[None]
        rates = self._expected((goal - start)[0], known)
        path = self.mechanism.follow(start, goal, known.unknowns, rates, moving)
        lost = known.enough & ~self._placed & (
            (path.reached[0] < 1) | over | ~self.decided)
        if lost.any():
            self._place(path, goal[0], known, lost)
        if (over & self._placed).any():
            self._fit(path, goal, known, over & self._placed)
        closure = self._closure(path, goal, known, over)
        if over.any():
            nearest, openings = self.mechanism.assembly.nearest(self.positions)
            is_closed = self._membership @ (over & (openings <= CLOSED))
            is_over = self._membership @ over
            self._closed = np.where(is_over, np.where(is_closed, nearest, start[0]), self._closed)
        return closure

    def copy(self) -> LoopTracker:
        """Return a tracker that goes on from here by itself."""
        return copy(self)

    def determined(self, measured: Collection[str]) -> list[str]:
        """Return the variables in groups all of whose positions are known."""
        enough = self.mechanism.measured(measured).enough
        return [name for group, is_known in zip(
            self.mechanism.groups, (enough & self.decided).tolist())
            if is_known for name in group.variables]

    def undecided(self, measured: Collection[str]) -> list[str]:
        """Return the variables that would tell how groups are assembled."""
        following = {*self.mechanism.dependent} - {*measured}
        return [name for group, is_decided in zip(self.mechanism.groups, self.decided.tolist())
                if not is_decided for name in group.variables if name in following]

    def _closure(self, path: Path, goal: Array, known: Measured, over: Truth) -> Closure:
        distances, angles = self._none
        closed = np.array(True)
        if over.any() or (path.reached < 1).any():
            wanted = self.mechanism.closure(path, goal, known.unknowns)
            distances, angles, closed = wanted.distances[0], wanted.angles[0], wanted.closed[0]
            late = path.reached[0] < 1
            path.positions[0] = np.where(
                self._membership @ late, self._closed, path.positions[0])
        closed = closed & self.decided[known.enough].all()
        self._note(path.positions[0], known)
        return Closure(self.positions, distances, angles, closed, path.iterations)

    def _place(self, path: Path, goal: Array, known: Measured, lost: Truth) -> None:
        """Find how groups are assembled whose first measurement may be anywhere."""
        self._wait -= 1
        if self._wait >= 0:
            return
        found, is_only = self.mechanism.assembly.ways(goal, known.unknowns)
        openings = self.mechanism.openings(found)
        taken = lost & is_only & np.where(
            known.overdetermined, (openings <= WORN) | known.unknowns.padding.all(axis=1),
            openings <= CLOSED)
        path.positions[0] = np.where(self._membership @ taken, found, path.positions[0])
        path.reached[0, taken] = 1.0
        self._placed = self._placed | taken
        self.decided = self.decided | taken
        self._wait = 0 if not (lost & ~taken).any() else _WAIT

    def _fit(self, path: Path, goal: Array, known: Measured, groups: Truth) -> None:
        """Take what was measured, with the rest where the loops are the least open."""
        found, iterations = self.mechanism.fitted(goal, known.unknowns)
        path.positions[0] = np.where(self._membership @ groups, found, path.positions[0])
        path.iterations += iterations

    def _expected(self, way: Array, known: Measured) -> Array | None:
        """
        Return the change of the unknowns if the motion goes on as before, shape (1, d).

        The rates before the last change and in it are those in the middle of these ways.
        """
        if self._way is None or self._change is None:
            return None
        way[known.unknowns.variables] = 0
        before, now, along = np.stack((self._way**2, way**2, self._way * way)) @ self._membership
        with np.errstate(divide='ignore', invalid='ignore'):
            ratio = along / before
        ratio[~((before > 1e-24) & (now > 0) & (np.abs(ratio) <= 3) & (
            np.abs(along) >= _ALIKE * np.sqrt(before * now)))] = np.nan
        rate = self._change
        if self._before is not None and self._ratio is not None:
            even = (self._ratio > 0.3) & (ratio > 0.3)
            ratios = np.where(even, self._ratio, 0.0)[known.unknowns.groups]
            slope = np.where(even, ratio + 1, 0.0)[known.unknowns.groups] / (1 + 1 / np.where(
                even, self._ratio, 1.0))[known.unknowns.groups]
            rate = rate + slope * (rate - ratios * self._before)
        self._ratio = ratio
        expected: Array = (ratio[known.unknowns.groups] * rate)[None]
        return expected

    def _note(self, positions: Array, known: Measured) -> None:
        way = positions - self._closed
        self._before, self._change = self._change, way[known.unknowns.variables]
        way[known.unknowns.variables] = 0
        self._way = way
        self._placed = self._placed | (known.enough & self.decided)
        self.positions = self._closed = positions
