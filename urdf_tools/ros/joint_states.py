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

"""The latest position of each joint, from joint states, and diagnostics of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.joint_state_reader import Layout
from urdf_tools.model.messages import name_list
from urdf_tools.model.records import NO_LIMITS
from urdf_tools.model.robot import Robot
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status
from urdf_tools.types import Array

MAX_PENDING = 16
"""Maximum number of layouts whose latest message is kept unread."""


class JointStates:
    """
    The latest finite position of each joint of a robot with one degree of freedom.

    A message with some of the joints says nothing about the rest. Times are seconds of any one
    monotonic clock, such as ``time.monotonic()``.

    :param reader: what reads the messages.
    :ivar faults: number of skipped values by kind of fault.
    :ivar multi_dof: whether the robot has planar or floating joints.
    """

    def __init__(self, robot: Robot, reader: JointStateReader[Any]):
        moving = moving_joints(robot)
        self.reader = reader
        self.names = reader.names
        self.faults = reader.log.counts
        self.multi_dof = any(joint.type.dof > 1 for joint in robot.tree)
        self.messages = 0
        self.last_time = -np.inf
        self._positions = np.full(len(moving), np.nan)
        self._times = np.full(len(moving), -np.inf)
        self._pending: dict[Layout[Any], tuple[float, Sequence[float]]] = {}
        self._independent = np.array([joint.mimic is None for joint in moving], dtype=bool)
        limits = [joint.limits or NO_LIMITS for joint in moving]
        self._lower, self._upper = (
            np.array([getattr(each, end) for each in limits]) for end in ('lower', 'upper'))

    @property
    def positions(self) -> Array:
        """The latest position of each joint in radians or metres, shape (n,), NaN if unknown."""
        self._settle()
        return self._positions

    @property
    def times(self) -> Array:
        """When each position arrived, shape (n,), minus infinity if unknown."""
        self._settle()
        return self._times

    def keep(self, layout: Layout[Any], positions: Sequence[float], time: float) -> None:
        """
        Keep the positions of a message.

        :param positions: finite for every joint of the layout.
        :param time: when it arrived.
        """
        self.messages += 1
        self.last_time = time
        if len(self._pending) >= MAX_PENDING:
            self._settle()
        self._pending[layout] = time, positions

    def adopt(self, previous: JointStates) -> None:
        """Take over the number of messages and the states of the joints with the same names."""
        index, old_index = self.reader.index, previous.reader.index
        common = [name for name in self.names if name in old_index]
        new = [index[name] for name in common]
        old = [old_index[name] for name in common]
        self._positions[new] = previous.positions[old]
        self._times[new] = previous.times[old]
        self.messages = previous.messages
        self.last_time = previous.last_time

    def known(self) -> Mapping[str, float]:
        """Return the position of every joint that has one, by name."""
        return {
            name: position for name, position in zip(self.names, self.positions.tolist())
            if position == position}

    def missing(self) -> tuple[str, ...]:
        """Return the joints that never had a position; mimic joints follow another one."""
        return self._where(np.isnan(self.positions) & self._independent)

    def stale(self, time: float, timeout: float) -> tuple[str, ...]:
        """Return the joints whose position is older than a timeout in seconds; 0 is never."""
        age = time - self.times
        return self._where(np.isfinite(age) & (0 < timeout) & (age > timeout) & self._independent)

    def beyond_limits(self, tolerance: float = 1e-6) -> tuple[str, ...]:
        """Return the joints whose position is beyond the limits of the description."""
        return self._where(
            (self.positions < self._lower - tolerance)
            | (self.positions > self._upper + tolerance))

    def _settle(self) -> None:
        """Store the pending messages by joint; the latest counts."""
        for layout, (arrival, positions) in sorted(
                self._pending.items(), key=lambda item: item[1][0]):
            self._positions[layout.joints] = np.asarray(positions)[layout.slots]
            self._times[layout.joints] = arrival
        self._pending.clear()

    def _where(self, mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(self.names[row] for row in np.flatnonzero(mask))


class JointStatesTask:
    """
    Diagnostics of the received joint states: their rate and their faults.

    :param joints: returns the present joint states, or None before the first description.
    :param timeout: returns the age in seconds beyond which a joint is stale; 0 is never.
    :param publishers: returns the number of publishers of joint states.
    """

    def __init__(
            self, joints: Callable[[], JointStates | None],
            timeout: Callable[[], float], publishers: Callable[[], int]):
        self._joints = joints
        self._timeout = timeout
        self._publishers = publishers
        self._rate = Rate()
        self._faults: Counter[str] = Counter()
        self._messages = 0

    def run(self) -> Status:
        """Return the status of the joint states."""
        joints = self._joints()
        if joints is None:
            return Status(Level.WARN, NO_DESCRIPTION)
        now = time.monotonic()
        lists = {
            'Missing': joints.missing(),
            'Stale': joints.stale(now, self._timeout()),
            'Beyond limits': joints.beyond_limits()}
        values = {
            'Publishers': self._publishers(),
            'Messages': joints.messages,
            'Rate (Hz)': f'{self._rate(joints.messages):.2f}',
            'Age (s)': f'{now - joints.last_time:.3f}' if joints.messages else 'none',
            **{key: name_list(names) for key, names in lists.items()},
            'Unknown': name_list(tuple(joints.reader.unknown)),
            **{f'Values skipped: {reason}': n for reason, n in sorted(joints.faults.items())}}
        fresh = joints.faults - self._faults
        self._faults = Counter(joints.faults)
        status = Status(*self._verdict(joints, lists, fresh, now - joints.last_time), values)
        self._messages = joints.messages
        return status

    def _verdict(
            self, joints: JointStates, lists: Mapping[str, Sequence[str]],
            fresh: Counter[str], age: float) -> tuple[Level, str]:
        if not joints.names:
            return Level.OK, (
                'The robot has only planar and floating joints, which joint_states cannot move'
                if joints.multi_dof else 'The robot has no moving joints')
        if not joints.messages:
            return Level.WARN, f'No joint states received yet; publishers: {self._publishers()}'
        if 0 < self._timeout() < age:
            return Level.WARN, f'No joint states for {age:.1f} s'
        complaints = [f'{len(names)} {key.lower()}' for key, names in lists.items() if names]
        complaints += [
            f'{count} values skipped ({reason})' for reason, count in sorted(fresh.items())
            if reason != 'unknown']
        if complaints:
            return Level.WARN, 'Joints: ' + ', '.join(complaints)
        if joints.messages == self._messages:
            return Level.OK, f'The last joint states arrived {age:.1f} s ago'
        return Level.OK, 'Receiving joint states'
