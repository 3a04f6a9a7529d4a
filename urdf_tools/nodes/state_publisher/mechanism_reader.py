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

"""Joint states of a robot with loops: measured joints, and those that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from typing import Generic

import numpy as np

from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.kinematics.loops.mechanism import Closure
from urdf_tools.kinematics.loops.tracker import WORN
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.joint_state_reader import Layout
from urdf_tools.messages.joint_state_reader import Plan
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.types import Indices


class MechanismReader(JointStateReader[Plan], Generic[Plan]):
    """
    Adds the positions of joints in loops that follow from those that were measured so far.

    If the loops cannot be closed, the joints in them keep the last positions that close them. If
    the measured ones leave some undetermined, or it is not known how the loops are assembled, only
    the measured ones are passed on.

    :param arguments: of :class:`JointStateReader`.
    """

    def __init__(self, robot: Robot, *arguments: Any, **options: Any):
        super().__init__(robot, *arguments, **options)
        mechanism = Mechanism(robot)
        self._tracker = LoopTracker(mechanism)
        self._closure: Closure | None = None
        self._latest = mechanism.start.copy()
        self._measured: frozenset[str] = frozenset()
        index = mechanism.tree.variable_index
        # Of mimic joints there are no variables.
        self._variables = np.array([index.get(name, -1) for name in self.names], dtype=np.intp)
        self._source = lru_cache(64)(self._find_source)
        self._in_loops: frozenset[str] = frozenset().union(
            *(group.variables for group in mechanism.groups))
        self._extension = lru_cache(16)(self._extend)

    def read(self, data: bytes) -> tuple[int, Layout[Plan], Sequence[float]]:
        stamp, layout, given = super().read(data)
        slots, variables, names = self._source(layout)
        values = np.asarray(given)
        self._latest[variables] = values[slots]
        if not names:
            return stamp, layout, given
        if not names <= self._measured:
            self._measured |= names
        closure = self._closure = self._tracker.update(self._latest, self._measured)
        published, indices, raw = self._extension(
            layout, self._measured, self._tracker.decided.tobytes())
        solved = closure.positions[indices]
        if len(raw):
            solved[raw] = values[layout.slots[raw]]
        return stamp, published, solved.tolist()

    def _find_source(self, layout: Layout[Plan]) -> tuple[Indices, Indices, frozenset[str]]:
        """Return slots and variables of the positions, and names that move loops."""
        variables = self._variables[layout.joints]
        own = variables >= 0
        return (
            layout.slots[own], variables[own],
            self._in_loops & {self.names[row] for row in layout.joints.tolist()})

    def _extend(self, layout: Layout[Plan], measured: frozenset[str],
                _decided: bytes) -> tuple[Layout[Plan], Indices, Indices]:
        """
        Return the published joints for a message, which depend on the groups decided on.

        :return: the layout of its joints and of those that follow, the index of the variable of
            each, and which joints of the message are published as they are.
        """
        rows, known = layout.joints.tolist(), self._determined()
        every = np.array([*rows, *(
            self.index[name] for name in known if name not in measured)], dtype=np.intp)
        raw = [index for index, row in enumerate(rows) if self.names[row] not in known]
        return (Layout(every, np.arange(len(every)), self._make_plan), self._variables[every],
                np.array(raw, dtype=np.intp))

    def _determined(self) -> list[str]:
        """Return the joints in loops whose positions are known."""
        return [name for name in self._tracker.determined(self._measured) if name in self.index]

    def fault(self) -> str:
        """Return a message about loops that are open; empty if there is nothing to report."""
        closure, mechanism = self._closure, self._tracker.mechanism
        if closure is None:
            return f'No position yet of a joint that moves loop {quote(mechanism.loops[0].name)}'
        unplaced = self._tracker.unplaced(
            self._measured, 'measure some of {}, or give them in "initial" of loops_file')
        if unplaced:
            return unplaced
        open_ = self._in_loops - {*self._determined()}
        if open_:
            return ('The measured joints leave loops undetermined; no position yet of '
                    + name_list(sorted(open_ - self._measured)))
        worst = closure.worst()
        error = max(closure.distances[worst], closure.angles[worst])
        if closure.closed or mechanism.is_overdetermined(self._measured) and error <= WORN:
            return ''
        loop = quote(mechanism.loops[worst].name)
        opening = (f'{1e3 * closure.distances[worst]:.3g} mm and '
                   f'{1e3 * closure.angles[worst]:.3g} mrad')
        if mechanism.is_overdetermined(self._measured):
            return f'The measured joints leave loop {loop} open by {opening}'
        if error < 1e-6:
            return (f'Loop {loop} cannot be followed from its last position to the measured one; '
                    'the last closed frames stay')
        return f'Loop {loop} does not close by {opening}; the last closed frames stay'

    def report(self) -> Mapping[str, object]:
        """Return the closing errors for diagnostics."""
        mechanism, closure = self._tracker.mechanism, self._closure
        values: dict[str, object] = {'Loops': len(mechanism.loops), 'Mobility': mechanism.mobility}
        if closure is not None:
            values.update({
                f'Closing error of {loop.name}': f'{1e3 * distance:.3g} mm, {1e3 * angle:.3g} mrad'
                for loop, distance, angle in zip(
                    mechanism.loops, closure.distances, closure.angles)})
        return values
