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

from urdf_tools.model.robot import Robot

MAX_UNKNOWN = 100
"""Most unknown names that are remembered, so that a babbling source costs no memory."""


class Layout:
    """
    Where the joints of a robot stand in messages with the same names and number of positions.

    :ivar slots: places in the message that are read, shape (k,).
    :ivar joints: the joint of each of them, shape (k,), no joint twice.
    :ivar faults: why other places are not read, with how many there are: ``unknown``,
        ``duplicate`` (the first counts), ``no position`` (fewer positions than names),
        ``no name`` (more positions than names).
    """

    def __init__(self, joints: JointStates, names: Sequence[str], positions: int):
        self.unknown = tuple(sorted({name for name in names if not joints.knows(name)}))
        self.faults = Counter()
        places = {}
        for slot, name in enumerate(names):
            if name not in joints.index:
                if not joints.knows(name):
                    self.faults['unknown'] += 1
            elif slot >= positions:
                self.faults['no position'] += 1
            elif joints.index[name] in places:
                self.faults['duplicate'] += 1
            else:
                places[joints.index[name]] = slot
        if positions > len(names):
            self.faults['no name'] = positions - len(names)
        self.joints = np.array(list(places.keys()), dtype=np.intp)
        self.slots = np.array(list(places.values()), dtype=np.intp)


class JointStates:
    """
    The latest finite position of each joint of a robot that has one degree of freedom.

    Joints are independent: what is wrong with one is counted and leaves the others alone, and a
    message with some of the joints says nothing about the rest. Times are seconds of any one
    clock that never goes back, such as ``time.monotonic()``.

    :ivar names: the joints in tree order, mimic joints included.
    :ivar index: name to place in the arrays.
    :ivar positions: radians or metres, shape (n,), NaN where none is known.
    :ivar times: when each position arrived, shape (n,), minus infinity where none is known.
    :ivar faults: values that were not taken, counted by reason.
    :ivar unknown: names that were given but belong to no joint of the robot.
    """

    def __init__(self, robot: Robot):
        moving = [joint for joint in robot.tree if joint.type.dof == 1]
        self.names = tuple(joint.name for joint in moving)
        self.index = {name: place for place, name in enumerate(self.names)}
        self.positions = np.full(len(moving), np.nan)
        self.times = np.full(len(moving), -np.inf)
        self.independent = np.array([joint.mimic is None for joint in moving], dtype=bool)
        self.lower, self.upper = _limits(moving)
        self.messages = 0
        self.last_time = -np.inf
        self.faults: Counter[str] = Counter()
        self.unknown: dict[str, None] = {}
        self._joints = robot.joints

    def knows(self, name: str) -> bool:
        """Say whether the robot has a joint of this name, of whatever type."""
        return name in self._joints

    def layout(self, names: Sequence[str], positions: int) -> Layout:
        """Return where to find the joints in messages with these names."""
        return Layout(self, names, positions)

    def update(self, names: Sequence[str], positions: Sequence[float], time: float) -> np.ndarray:
        """
        Take one message that arrived at a time.

        :return: the places of the joints that it gave a finite position.
        """
        return self.take(
            self.layout(names, len(positions)), np.asarray(positions, dtype=float), time)

    def take(self, layout: Layout, positions: np.ndarray, time: float) -> np.ndarray:
        """
        Take the positions of one message, shape (m,), whose layout is known.

        :return: the places of the joints that it gave a finite position.
        """
        self.messages += 1
        self.last_time = time
        if layout.faults:
            self._count(layout)
        joints = layout.joints
        values = positions[layout.slots]
        finite = np.isfinite(values)
        if not finite.all():
            self.faults['non-finite'] += len(values) - np.count_nonzero(finite)
            joints, values = joints[finite], values[finite]
        self.positions[joints] = values
        self.times[joints] = time
        return joints

    def adopt(self, previous: JointStates) -> None:
        """Keep what is known of the joints that another description had, too, and the counts."""
        for name, old in previous.index.items():
            new = self.index.get(name)
            if new is not None:
                self.positions[new] = previous.positions[old]
                self.times[new] = previous.times[old]
        self.messages = previous.messages
        self.last_time = previous.last_time
        self.faults = previous.faults

    def known(self) -> Mapping[str, float]:
        """Return the position of every joint that has one."""
        return {
            name: float(position) for name, position in zip(self.names, self.positions)
            if position == position}

    def missing(self) -> tuple[str, ...]:
        """Return the joints that never had a position; mimic joints have their leader's."""
        return self._where(np.isnan(self.positions) & self.independent)

    def stale(self, time: float, timeout: float) -> tuple[str, ...]:
        """Return the joints whose position is older than ``timeout`` seconds at a time."""
        age = time - self.times
        return self._where(np.isfinite(age) & (age > timeout) & self.independent)

    def beyond_limits(self, tolerance: float = 1e-6) -> tuple[str, ...]:
        """Return the joints that stand outside the limits of the description."""
        return self._where(
            (self.positions < self.lower - tolerance) | (self.positions > self.upper + tolerance))

    def _where(self, mask):
        return tuple(self.names[place] for place in np.flatnonzero(mask))

    def _count(self, layout):
        self.faults.update(layout.faults)
        for name in layout.unknown[:MAX_UNKNOWN - len(self.unknown)]:
            self.unknown[name] = None


def _limits(joints):
    bounded = [
        joint.limits if joint.type.value in ('revolute', 'prismatic') else None
        for joint in joints]
    lower = [-np.inf if limits is None else limits.lower for limits in bounded]
    upper = [np.inf if limits is None else limits.upper for limits in bounded]
    return np.array(lower), np.array(upper)
