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

import numpy as np

from urdf_tools.kinematics.loop_closure import Closure
from urdf_tools.kinematics.loop_solver import Unknowns
from urdf_tools.kinematics.mechanism import CLOSED
from urdf_tools.kinematics.mechanism import Mechanism
from urdf_tools.kinematics.transforms import Array

_ALIKE = 0.9
"""Smallest cosine between two motions of which one tells what the other will do."""


class LoopTracker:
    """
    Follows a mechanism from one configuration to the next, on one branch.

    :param mechanism: the mechanism.
    :ivar positions: the last closed configuration, shape (n,).
    """

    def __init__(self, mechanism: Mechanism):
        self.mechanism = mechanism
        self.positions = mechanism.start.copy()
        self._way: Array | None = None
        self._change: Array | None = None
        self._unknowns: Unknowns | None = None
        self._is_placed = False

    def update(self, positions: Array, measured: Collection[str]) -> Closure:
        """
        Return the configuration for new positions; the last one that was closed, if they do not.

        :param positions: of all variables, finite, shape (n,).
        :param measured: names of the variables whose positions count. If the loops do not
            determine all of them independently, none of them is changed, and the closure tells
            how far the loops are from closed.
        """
        mechanism = self.mechanism
        unknowns = mechanism.unknowns(measured)
        goal = mechanism.known(positions[None], measured, self.positions[None])
        if mechanism.is_overdetermined(measured):
            return self._fitted(goal, unknowns)
        start = self.positions[None]
        rates = self._expected(goal[0] - self.positions, unknowns)
        path = mechanism.follow(start, goal, unknowns, rates)
        if path.reached[0] < 1 and not self._is_placed:
            # The first measurement may be anywhere.
            found = mechanism.close(goal[0], measured)
            if found.closed:
                path.positions[0], path.reached[0] = found.positions, 1.0
        closure = mechanism.closure(path, goal, unknowns)
        if closure.closed[0]:
            self._note(path.positions[0], unknowns)
        return Closure(self.positions, closure.distances[0], closure.angles[0],
                       closure.closed[0], closure.iterations)

    def _fitted(self, goal: Array, unknowns: Unknowns) -> Closure:
        """Return what was measured, with the rest where the loops are the least open."""
        goal[:, unknowns.variables] = self.positions[unknowns.variables]
        found, iterations = self.mechanism.fitted(goal, unknowns)
        distances, angles = self.mechanism.errors(found)
        closed = np.array(max(distances.max(), angles.max()) <= CLOSED)
        self.positions, self._change, self._is_placed = found, None, True
        return Closure(found, distances, angles, closed, iterations)

    def _expected(self, way: Array, unknowns: Unknowns) -> Array | None:
        """Return the change of the unknowns if the motion goes on as before, shape (1, d)."""
        if self._way is None or self._change is None or self._unknowns is not unknowns:
            return None
        way = way.copy()
        way[unknowns.variables] = 0
        before, now = self._way @ self._way, way @ way
        along = way @ self._way
        if not before or not now or abs(along) < _ALIKE * np.sqrt(before * now):
            return None
        ratio = along / before
        return None if abs(ratio) > 3 else (ratio * self._change)[None]

    def _note(self, positions: Array, unknowns: Unknowns) -> None:
        way = positions - self.positions
        self._change = way[unknowns.variables]
        way[unknowns.variables] = 0
        # Of a motion that is all rounding there is nothing to learn.
        self._way = way if way @ way > 1e-24 else None
        self._unknowns = unknowns
        self._is_placed = True
        self.positions = positions.copy()
