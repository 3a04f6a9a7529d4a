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
from math import isfinite
from types import MappingProxyType

import numpy as np

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import Positions
from urdf_tools.ros.tally import Tally

FAULTS = {
    'unknown': 'Joint states have joints that the description does not have',
    'duplicate': 'Joint states name a joint more than once, of which the first counts',
    'no position': 'Joint states name joints without giving a position',
    'no name': 'Joint states have more positions than names',
    'not planar or floating': 'Poses are given of what is no planar or floating joint',
    'non-finite': 'Joint states have positions that are not finite, which are skipped',
}
"""Why a value of a joint state is not taken, and what is said of it."""

MAX_LAYOUTS = 16
"""Most layouts that are remembered for one purpose."""

MAX_UNKNOWN = 100
"""Most unknown names that are remembered, so that a babbling source costs no memory."""


class Layout:
    """
    Where the joints of a robot stand in messages with the same names and number of positions.

    :param joints: rows of the joints that are read, shape (k,), none twice.
    :param slots: their places in the message, shape (k,).
    :ivar faults: names of what is not read, by reason; see :data:`FAULTS`.
    """

    def __init__(self, joints: np.ndarray, slots: np.ndarray,
                 faults: Mapping[str, Sequence[str]] = MappingProxyType({})):
        self.joints = joints
        self.slots = slots
        self.faults = faults
        self._parts: dict[bytes, Layout] = {}

    def only(self, chosen: np.ndarray) -> Layout:
        """Return the layout of some of the joints, where a boolean array of shape (k,) says."""
        key = chosen.tobytes()
        part = self._parts.get(key)
        if part is None:
            if len(self._parts) >= MAX_LAYOUTS:
                self._parts.clear()
            part = self._parts[key] = Layout(self.joints[chosen], self.slots[chosen])
        return part


class JointStates:
    """
    The latest finite position of each joint of a robot that has one degree of freedom.

    Joints are independent: what is wrong with one is counted and leaves the others alone, and a
    message with some of the joints says nothing about the rest. Times are seconds of any one
    clock that never goes back, such as ``time.monotonic()``.

    :param tally: counts what is not taken.
    :ivar names: the joints in the order of :func:`moving_joints`, mimic joints included.
    :ivar index: name to row of the arrays.
    :ivar unknown: names that were given but belong to no joint of the robot.
    """

    def __init__(self, robot: Robot, tally: Tally | None = None):
        moving = moving_joints(robot)
        self.names = tuple(joint.name for joint in moving)
        self.index = {name: row for row, name in enumerate(self.names)}
        self._positions = np.full(len(moving), np.nan)
        self._times = np.full(len(moving), -np.inf)
        self._recent: dict[Layout, tuple[float, np.ndarray]] = {}
        self.messages = 0
        self.last_time = -np.inf
        self.unknown: dict[str, None] = {}
        self._tally = Tally() if tally is None else tally
        self._joints = robot.joints
        self._independent = np.array([joint.mimic is None for joint in moving], dtype=bool)
        limits = [_limits(joint) for joint in moving]
        self._lower, self._upper = np.array(limits).reshape(len(moving), 2).T

    @property
    def positions(self) -> np.ndarray:
        """The last position of each joint in radians or metres, shape (n,), NaN where unknown."""
        self._settle()
        return self._positions

    @property
    def times(self) -> np.ndarray:
        """When each position arrived, shape (n,), minus infinity where none is known."""
        self._settle()
        return self._times

    @property
    def faults(self) -> Counter[str]:
        """Values that were not taken, counted by reason."""
        return self._tally.counts

    def knows(self, name: str) -> bool:
        """Say whether the robot has a joint of this name, of whatever type."""
        return name in self._joints

    def layout(self, names: Sequence[str], count: int) -> Layout:
        """Return where to find the joints in messages with these names and so many positions."""
        faults: dict[str, list[str]] = {}
        slots: dict[int, int] = {}
        for slot, name in enumerate(names):
            fault = self._fault(name, slot < count, slots)
            if fault:
                faults.setdefault(fault, []).append(name)
            elif name in self.index:
                slots[self.index[name]] = slot
        if count > len(names):
            faults['no name'] = [''] * (count - len(names))
        return Layout(
            np.array(list(slots), dtype=np.intp), np.array(list(slots.values()), dtype=np.intp),
            faults)

    def _fault(self, name, has_position, slots):
        if not self.knows(name):
            return 'unknown'
        if name in self.index and not has_position:
            return 'no position'
        return 'duplicate' if self.index.get(name) in slots else ''

    def update(self, names: Sequence[str], positions: Sequence[float], time: float) -> Layout:
        """
        Take one message that arrived at a time.

        :return: where in the message the joints stand that it gives a finite position.
        """
        return self.take(
            self.layout(names, len(positions)), list(map(float, positions)), time)

    def take(self, layout: Layout, positions: Positions, time: float) -> Layout:
        """
        Take the positions of one message whose layout is known.

        :return: where in the message the joints stand that it gives a finite position.
        """
        layout = self.check(layout, positions)
        self.keep(layout, positions, time)
        return layout

    def check(self, layout: Layout, positions: Positions) -> Layout:
        """Count what is wrong with a message, and return what :meth:`take` returns."""
        if layout.faults:
            for fault, names in layout.faults.items():
                self._skip(fault, names)
        if all_finite(positions):
            return layout
        finite = np.isfinite(np.asarray(positions)[layout.slots])
        if finite.all():
            return layout
        self._skip('non-finite', [self.names[row] for row in layout.joints[~finite]])
        return layout.only(finite)

    def keep(self, layout: Layout, positions: Positions, time: float) -> None:
        """Keep the positions of a message, which are finite where the layout has a joint."""
        self.messages += 1
        self.last_time = time
        if len(self._recent) >= MAX_LAYOUTS:
            self._settle()
        self._recent[layout] = time, positions

    def adopt(self, previous: JointStates) -> None:
        """Keep what is known of the joints that another description had, too, and the counts."""
        common = [name for name in self.names if name in previous.index]
        new = [self.index[name] for name in common]
        old = [previous.index[name] for name in common]
        self._positions[new] = previous.positions[old]
        self._times[new] = previous.times[old]
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

    def _settle(self):
        """Give each joint the last of its positions, which are kept by layout at first."""
        for layout, (time, positions) in sorted(
                self._recent.items(), key=lambda item: item[1][0]):
            self._positions[layout.joints] = np.asarray(positions)[layout.slots]
            self._times[layout.joints] = time
        self._recent.clear()

    def _where(self, mask):
        return tuple(self.names[row] for row in np.flatnonzero(mask))

    def _skip(self, fault, names):
        if fault == 'unknown':
            for name in names[:MAX_UNKNOWN - len(self.unknown)]:
                self.unknown[name] = None
        self._tally.add(fault, len(names), lambda: name_list(tuple(filter(None, names))))


def all_finite(positions: Positions) -> bool:
    """Tell whether there is neither infinity nor NaN."""
    if isinstance(positions, list):
        # One number tells of all, unless it overflows.
        return isfinite(sum(positions)) or all(map(isfinite, positions))
    # The last byte of infinity and NaN is one that only numbers beyond 1e303 have besides, and
    # bytes are looked through before numpy would have started.
    last_bytes = positions.astype('<f8', copy=False).tobytes()[7::8]
    if b'\x7f' in last_bytes or b'\xff' in last_bytes:
        return bool(np.isfinite(positions).all())
    return True


def _limits(joint: Joint):
    if joint.limits is None or joint.type is JointType.CONTINUOUS:
        return -np.inf, np.inf
    return joint.limits.lower, joint.limits.upper
