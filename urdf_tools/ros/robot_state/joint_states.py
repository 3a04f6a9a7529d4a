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

"""The latest position of each joint, from joint states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from math import dist
from types import MappingProxyType
from typing import Generic
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.ros.fault_log import FaultLog
from urdf_tools.ros.wire.joint_state_reader import JointStateReader
from urdf_tools.ros.wire.joint_state_reader import Positions

Plan = TypeVar('Plan')

FAULTS = {
    'unknown': 'Joint states name joints that the description does not have',
    'duplicate': 'Joint states name a joint more than once; the first position counts',
    'no position': 'Joint states name joints without giving a position',
    'no name': 'Joint states have more positions than names',
    'not planar or floating': 'Poses are given for joints that are neither planar nor floating',
    'mimic overflow': 'Positions of mimic joints are too large for a number; these are skipped',
    'non-finite': 'Joint states have positions that are not finite; these are skipped',
}
"""Kind of fault to what is logged about it."""

MAX_PENDING = 16
"""Most layouts whose latest message is kept unread."""

MAX_UNKNOWN = 100
"""Most unknown names that are kept, which bounds the memory that a faulty source takes."""


class Layout(Generic[Plan]):
    """
    Which joints the messages with certain names move, and where their positions are.

    :param joints: rows of the joints, shape (k,), each once.
    :param slots: index of each joint's position in the message, shape (k,).
    :param faults: kind of fault to the names that are skipped; see :data:`FAULTS`.
    :param make_plan: computes :attr:`plan`.
    :ivar plan: what the owner of the joint states does with messages of this layout.
    """

    def __init__(
            self, joints: Indices, slots: Indices, make_plan: Callable[[Layout[Plan]], Plan],
            faults: Mapping[str, Sequence[str]] = MappingProxyType({})):
        self.joints = joints
        self.slots = slots
        self.faults = faults
        self._make_plan = make_plan
        self._parts: dict[bytes, Layout[Plan]] = {}
        self.plan = make_plan(self)

    def only(self, chosen: npt.NDArray[np.bool_]) -> Layout[Plan]:
        """Return the layout of the joints selected by a mask of shape (k,)."""
        key = chosen.tobytes()
        part = self._parts.get(key)
        if part is None:
            if len(self._parts) >= MAX_PENDING:
                self._parts.clear()
            part = self._parts[key] = Layout(
                self.joints[chosen], self.slots[chosen], self._make_plan)
        return part


class JointStates(Generic[Plan]):
    """
    The latest finite position of each joint of a robot with one degree of freedom.

    Joints are independent: a fault in one is counted and leaves the others alone, and a message
    with some of the joints says nothing about the rest. Times are seconds of any one monotonic
    clock, such as ``time.monotonic()``.

    :param log: counts and logs what is skipped.
    :param make_plan: computes what a :class:`Layout` has as its plan.
    :ivar names: the joints in the order of :func:`moving_joints`, mimic joints included.
    :ivar index: name to row of the arrays.
    :ivar multi_dof: whether the robot has planar or floating joints.
    :ivar unknown: names that were given but belong to no joint of the robot.
    """

    def __init__(
            self, robot: Robot, log: FaultLog | None = None, *,
            make_plan: Callable[[Layout[Plan]], Plan]):
        moving = moving_joints(robot)
        self.names = tuple(joint.name for joint in moving)
        self.index = {name: row for row, name in enumerate(self.names)}
        self.multi_dof = any(joint.type.dof > 1 for joint in robot.tree)
        self.messages = 0
        self.last_time = -np.inf
        self.unknown: dict[str, None] = {}
        self._positions = np.full(len(moving), np.nan)
        self._times = np.full(len(moving), -np.inf)
        self._pending: dict[Layout[Plan], tuple[float, Positions]] = {}
        self._log = FaultLog() if log is None else log
        self._make_plan = make_plan
        self._reader = JointStateReader(self.layout)
        self._joints = robot.joints
        self._independent = np.array([joint.mimic is None for joint in moving], dtype=bool)
        limits = [_limits(joint) for joint in moving]
        self._lower, self._upper = np.array(limits).reshape(len(moving), 2).T

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

    @property
    def faults(self) -> Counter[str]:
        """Number of skipped values by kind of fault."""
        return self._log.counts

    def layout(self, names: Sequence[str], count: int) -> Layout[Plan]:
        """Return the layout of messages with these names and a number of positions."""
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
            self._make_plan, faults)

    def _fault(self, name: str, has_position: bool, slots: Mapping[int, int]) -> str:
        if name not in self._joints:
            return 'unknown'
        if name in self.index and not has_position:
            return 'no position'
        return 'duplicate' if self.index.get(name) in slots else ''

    def read(self, data: bytes) -> tuple[int, Layout[Plan], Positions]:
        """
        Read a serialized joint state without keeping it.

        :return: its stamp in nanoseconds, and what :meth:`keep` takes.
        :raises ValueError: the bytes are not a joint state.
        """
        stamp, layout, positions = self._reader.read(data)
        if layout.faults or not all_finite(positions):
            layout = self.check(layout, positions)
        return stamp, layout, positions

    def check(self, layout: Layout[Plan], positions: Positions) -> Layout[Plan]:
        """Count the faults of a message; return the layout of the joints with finite positions."""
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

    def keep(self, layout: Layout[Plan], positions: Positions, time: float) -> None:
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

    def update(self, names: Sequence[str], positions: Sequence[float], time: float) -> None:
        """Check and keep the positions of a message that arrived at a time."""
        values = list(map(float, positions))
        self.keep(self.check(self.layout(names, len(values)), values), values, time)

    def adopt(self, previous: JointStates[Plan]) -> None:
        """Take over the counts and what is known of the joints with the same names."""
        common = [name for name in self.names if name in previous.index]
        new = [self.index[name] for name in common]
        old = [previous.index[name] for name in common]
        self._positions[new] = previous.positions[old]
        self._times[new] = previous.times[old]
        self.messages = previous.messages
        self.last_time = previous.last_time
        self._log = previous._log

    def known(self) -> Mapping[str, float]:
        """Return the position of every joint that has one, by name."""
        return {
            name: position for name, position in zip(self.names, self.positions.tolist())
            if position == position}

    def missing(self) -> tuple[str, ...]:
        """Return the joints that never had a position; mimic joints follow another one."""
        return self._where(np.isnan(self.positions) & self._independent)

    def stale(self, time: float, timeout: float) -> tuple[str, ...]:
        """Return the joints whose position is older than ``timeout`` seconds at a time."""
        age = time - self.times
        return self._where(np.isfinite(age) & (age > timeout) & self._independent)

    def beyond_limits(self, tolerance: float = 1e-6) -> tuple[str, ...]:
        """Return the joints whose position is beyond the limits of the description."""
        return self._where(
            (self.positions < self._lower - tolerance)
            | (self.positions > self._upper + tolerance))

    def _settle(self) -> None:
        """Spread the pending messages over the joints; the latest counts."""
        for layout, (time, positions) in sorted(
                self._pending.items(), key=lambda item: item[1][0]):
            self._positions[layout.joints] = np.asarray(positions)[layout.slots]
            self._times[layout.joints] = time
        self._pending.clear()

    def _where(self, mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(self.names[row] for row in np.flatnonzero(mask))

    def _skip(self, fault: str, names: Sequence[str]) -> None:
        if fault == 'unknown':
            for name in names[:MAX_UNKNOWN - len(self.unknown)]:
                self.unknown[name] = None
        self._log.add(fault, len(names), lambda: name_list(tuple(filter(None, names))))


def no_plan(layout: Layout[None]) -> None:
    """Plan nothing, for owners that only keep the positions."""


def all_finite(positions: Positions) -> bool:
    """Tell whether there is neither infinity nor NaN."""
    if isinstance(positions, list):
        # Only infinity and NaN are not at the distance zero from themselves.
        return dist(positions, positions) == 0
    # Infinity and NaN end in one of these bytes, as only numbers beyond 1e303 do otherwise, and
    # searching bytes is done before numpy would have started.
    last_bytes = positions.astype('<f8', copy=False).tobytes()[7::8]
    if b'\x7f' in last_bytes or b'\xff' in last_bytes:
        return bool(np.isfinite(positions).all())
    return True


def _limits(joint: Joint) -> tuple[float, float]:
    if joint.limits is None or joint.type is JointType.CONTINUOUS:
        return -np.inf, np.inf
    return joint.limits.lower, joint.limits.upper
