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

"""What is known of the joints: joint states in, the latest position of each joint out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.mimic import in_tree
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.tally import name_list
from urdf_tools.ros.tally import Tally

FAULTS = {
    'unknown': 'Joint states have joints that the description does not have',
    'duplicate': 'Joint states name a joint more than once, of which the first counts',
    'no position': 'Joint states name joints without giving a position',
    'no name': 'Joint states have more positions than names',
    'non-finite': 'Joint states have positions that are not finite, which are skipped',
}
"""Why a value of a joint state is not taken, and what is said of it."""

MAX_UNKNOWN = 100
"""Most unknown names that are remembered, so that a babbling source costs no memory."""


class Layout:
    """
    Where the joints of a robot stand in messages with the same names and number of positions.

    :ivar joints: rows of the joints that are read, shape (k,), none twice.
    :ivar slots: their places in the message, shape (k,).
    :ivar faults: names by why they are not read; see :data:`FAULTS`.
    """

    def __init__(self, robot: JointStates, names: Sequence[str], positions: int):
        self.faults: dict[str, list[str]] = {}
        slots = {}
        for slot, name in enumerate(names):
            fault = _fault(robot, slots, name, slot < positions)
            if fault:
                self.faults.setdefault(fault, []).append(name)
            elif name in robot.index:
                slots[robot.index[name]] = slot
        if positions > len(names):
            self.faults['no name'] = [''] * (positions - len(names))
        self.joints = np.array(list(slots), dtype=np.intp)
        self.slots = np.array(list(slots.values()), dtype=np.intp)


def _fault(robot, slots, name, has_position):
    if not robot.knows(name):
        return 'unknown'
    if name in robot.index and not has_position:
        return 'no position'
    return 'duplicate' if robot.index.get(name) in slots else ''


class JointStates:
    """
    The latest finite position of each joint of a robot that has one degree of freedom.

    Joints are independent: what is wrong with one is counted and leaves the others alone, and a
    message with some of the joints says nothing about the rest. Times are seconds of any one
    clock that never goes back, such as ``time.monotonic()``.

    :param tally: counts what is not taken.
    :ivar names: the joints in the order of :class:`JointTransforms`, mimic joints included.
    :ivar index: name to row of the arrays.
    :ivar positions: radians or metres, shape (n,), NaN where none is known.
    :ivar times: when each position arrived, shape (n,), minus infinity where none is known.
    :ivar unknown: names that were given but belong to no joint of the robot.
    """

    def __init__(self, robot: Robot, tally: Tally | None = None):
        moving = [joint for joint in robot.joints.values()
                  if joint.type.dof == 1 and in_tree(robot, joint)]
        self.names = tuple(joint.name for joint in moving)
        self.index = {name: row for row, name in enumerate(self.names)}
        self.positions = np.full(len(moving), np.nan)
        self.times = np.full(len(moving), -np.inf)
        self.messages = 0
        self.last_time = -np.inf
        self.unknown: dict[str, None] = {}
        self._tally = Tally() if tally is None else tally
        self._joints = robot.joints
        self._independent = np.array([joint.mimic is None for joint in moving], dtype=bool)
        limits = [_limits(joint) for joint in moving]
        self._lower, self._upper = np.array(limits).reshape(len(moving), 2).T

    @property
    def faults(self) -> Counter[str]:
        """Values that were not taken, counted by reason."""
        return self._tally.counts

    def knows(self, name: str) -> bool:
        """Say whether the robot has a joint of this name, of whatever type."""
        return name in self._joints

    def layout(self, names: Sequence[str], positions: int) -> Layout:
        """Return where to find the joints in messages with these names."""
        return Layout(self, names, positions)

    def update(self, names: Sequence[str], positions: Sequence[float], time: float) -> np.ndarray:
        """
        Take one message that arrived at a time.

        :return: the rows of the joints that it gave a finite position.
        """
        return self.take(
            self.layout(names, len(positions)), np.asarray(positions, dtype=float), time)

    def take(self, layout: Layout, positions: np.ndarray, time: float) -> np.ndarray:
        """
        Take the positions of one message, shape (m,), whose layout is known.

        :return: the rows of the joints that it gave a finite position.
        """
        self.messages += 1
        self.last_time = time
        for fault, names in layout.faults.items():
            self._skip(fault, names)
        joints = layout.joints
        values = positions[layout.slots]
        finite = np.isfinite(values)
        if not finite.all():
            self._skip('non-finite', [self.names[row] for row in joints[~finite]])
            joints, values = joints[finite], values[finite]
        self.positions[joints] = values
        self.times[joints] = time
        return joints

    def adopt(self, previous: JointStates) -> None:
        """Keep what is known of the joints that another description had, too, and the counts."""
        common = [name for name in self.names if name in previous.index]
        new = [self.index[name] for name in common]
        old = [previous.index[name] for name in common]
        self.positions[new] = previous.positions[old]
        self.times[new] = previous.times[old]
        self.messages = previous.messages
        self.last_time = previous.last_time
        self._tally = previous._tally

    def known(self) -> Mapping[str, float]:
        """Return the position of every joint that has one."""
        return {
            name: float(position) for name, position in zip(self.names, self.positions)
            if position == position}

    def missing(self) -> tuple[str, ...]:
        """Return the joints that never had a position; mimic joints have their leader's."""
        return self._where(np.isnan(self.positions) & self._independent)

    def stale(self, time: float, timeout: float) -> tuple[str, ...]:
        """Return the joints whose position is older than ``timeout`` seconds at a time."""
        age = time - self.times
        return self._where(np.isfinite(age) & (age > timeout) & self._independent)

    def beyond_limits(self, tolerance: float = 1e-6) -> tuple[str, ...]:
        """Return the joints that stand outside the limits of the description."""
        return self._where(
            (self.positions < self._lower - tolerance)
            | (self.positions > self._upper + tolerance))

    def _where(self, mask):
        return tuple(self.names[row] for row in np.flatnonzero(mask))

    def _skip(self, fault, names):
        if fault == 'unknown':
            for name in names[:MAX_UNKNOWN - len(self.unknown)]:
                self.unknown[name] = None
        self._tally.add(fault, len(names), lambda: name_list(tuple(filter(None, names))))


def _limits(joint: Joint):
    if joint.limits is None or joint.type is JointType.CONTINUOUS:
        return -np.inf, np.inf
    return joint.limits.lower, joint.limits.upper
