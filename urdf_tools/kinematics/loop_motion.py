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

"""A robot with loops that is moved by some of its joints, by a user or by measurements."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loop_closure import Closure
from urdf_tools.kinematics.loop_tracker import LoopTracker
from urdf_tools.kinematics.mechanism import Mechanism
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.messages import quote


class LoopMotion:
    """
    Replaces positions of joints in loops by those that close the loops.

    :ivar mechanism: the mechanism.
    :ivar independent: the variables in loops that are free, by default those that are given.
    """

    def __init__(self, tree: KinematicTree):
        self.mechanism = Mechanism(tree)
        self.independent = frozenset(self.mechanism.independent)
        self._tracker = LoopTracker(self.mechanism)
        self._inside: frozenset[str] = frozenset().union(
            *(group.variables for group in self.mechanism.groups))

    def follow(
            self, positions: Array, given: Collection[str] | None = None) -> tuple[Array, str]:
        """
        Move to given positions from the last ones.

        :param positions: of all variables, shape (n,).
        :param given: names of the variables that have them, :attr:`independent` by default.
        :return: positions that close the loops, shape (n,), those of loops that are not determined
            or of which it is not known how they are assembled as they were given; what is to be
            said of loops that cannot be closed, or an empty text.
        """
        given = self.independent if given is None else self._inside & {*given}
        closure = self._tracker.update(positions, given)
        return self._placed(positions, closure, given), self._fault(closure)

    def close(
            self, positions: Array, given: Collection[str], wanted: Collection[str],
    ) -> tuple[Array, str]:
        """
        Do the same without moving there: the next motion begins where the last one ended.

        :param wanted: those of the given ones that count alone where they determine loops.
        """
        tracker = self._tracker.copy()
        given = frozenset().union(*(
            {*group.variables} & {*(wanted if len(
                {*group.variables} & {*wanted}) >= max(group.mobility, 1) else given)}
            for group in self.mechanism.groups))
        closure = tracker.update(positions, given)
        return self._placed(positions, closure, given), self._fault(closure)

    def undecided(self) -> list[str]:
        """Return the variables that would tell how loops are assembled, where that is unknown."""
        return self._tracker.undecided(self.independent)

    def unclosable(self) -> list[str]:
        """Return the names of loops that hang together and are not closed anywhere found."""
        return self._tracker.unclosable()

    def known(self, given: Collection[str] | None = None) -> set[str]:
        """Return the variables in loops that are given, or follow from what is."""
        given = self.independent if given is None else self._inside & {*given}
        return {*self._tracker.determined(given), *given}

    def _placed(self, positions: Array, closure: Closure, given: Collection[str]) -> Array:
        index = self.mechanism.tree.variable_index
        rows = np.array([index[name] for name in self._tracker.determined(given)], dtype=np.intp)
        placed = positions.copy()
        placed[rows] = closure.positions[rows]
        return placed

    def _fault(self, closure: Closure) -> str:
        loop = quote(self.mechanism.loops[closure.worst()].name)
        distance, angle = (errors[closure.worst()] for errors in (
            closure.distances, closure.angles))
        if max(distance, angle) > 1e-6:
            return f'Loop {loop} is open by {1e3 * distance:.3g} mm and {1e3 * angle:.3g} mrad'
        if closure.closed or not all(self._tracker.decided):
            return ''
        return f'Loop {loop} can be closed there, but not on the way'
