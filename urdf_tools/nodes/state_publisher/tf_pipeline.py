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

"""The pipeline from the joint states of a robot to ``/tf``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import partial
import time
from typing import Any
from typing import TYPE_CHECKING

import numpy as np
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import FAULTS
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.joint_state_reader import TooManyNames
from urdf_tools.messages.multi_dof_states import multi_dof_joints
from urdf_tools.messages.multi_dof_states import MultiDofStates
from urdf_tools.messages.multi_dof_states import MultiDofTransforms
from urdf_tools.messages.stamp_filter import DROPS
from urdf_tools.messages.stamp_filter import REPEATED
from urdf_tools.messages.stamp_filter import StampFilter
from urdf_tools.messages.stamp_filter import THROTTLED
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.messages.tf_messages import TransformPlan
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Robot
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.conversions import deserialize_joint_state
from urdf_tools.ros.conversions import from_time
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import Task
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.joint_states import JointStatesTask
from urdf_tools.ros.topics import JOINT_STATES
from urdf_tools.ros.topics import JOINT_STATES_OVERRIDES
from urdf_tools.ros.topics import RawPublisher
from urdf_tools.ros.topics import RawSubscription
from urdf_tools.types import Indices

if TYPE_CHECKING:  # Only robots with loops need the solver.
    from urdf_tools.nodes.state_publisher.mechanism_reader import MechanismReader


class TfPipeline:
    """
    Turns joint states into transforms, for one description after another.

    joint_states --> JointStateReader --> StampFilter --> TransformPlan --> /tf

    Planar and floating joints have states, a filter and transforms of their own. All methods may
    be called from any thread.

    :param setting: returns the present value of a parameter.
    :param publisher: of ``/tf``.
    :param lock: held while any of this changes.
    :ivar tasks: diagnostics of the joint states and of the transforms, by their names.
    """

    _reader: JointStateReader[TransformPlan] | None = None
    _joints: JointStates | None = None

    def __init__(
            self, node: BaseNode, setting: Callable[[str], Any], publisher: RawPublisher,
            lock: AbstractContextManager[object]):
        self._lock = lock
        self._setting = setting
        self._node = node
        self._publisher = publisher
        self._faults = FaultLog(node.get_logger().warning, FAULTS)
        self._drops = FaultLog(node.get_logger().warning, DROPS)
        self._filter = StampFilter()
        self._multi_dof_filter = StampFilter()
        self._seen: set[str] = set()
        self._subscribers: int | None = None
        self._task = TransformsTask(self._drops.counts, self._now)
        joint_states = JointStatesTask(
            lambda: self._joints, lambda: setting('joint_timeout'),
            lambda: self._subscription.publishers)
        self.tasks: dict[str, Task] = {
            'Joint states': joint_states.run, 'Transforms': self._task.run}
        self.apply_filter_settings()

    def follow(self) -> None:
        """Subscribe to the joint states."""
        self._node.create_subscription(
            MultiDOFJointState, 'multi_dof_joint_states', self._receive_multi_dof, JOINT_STATES)
        self._subscription = RawSubscription(
            self._node, JointState, 'joint_states', self._receive, JOINT_STATES,
            qos_overriding_options=JOINT_STATES_OVERRIDES)

    def _receive(self, joint_state: bytes) -> None:
        """Publish the transforms of a serialized ``sensor_msgs/JointState``."""
        with self._lock:
            reader, joints = self._reader, self._joints
            if reader is None or joints is None:
                return self._drops.add('no description')
            try:
                stamp, layout, positions = reader.read(joint_state)
            except TooManyNames:
                return self._drops.add('too many names')
            except ValueError:
                return self._drops.add('malformed')
            admitted = self._admit(self._filter, layout.joints, stamp)
            if admitted is not None:
                part = self._filter.part
                plan = layout.plan if part is None else layout.only(part).plan
                self._publisher.publish(plan.message(positions, admitted))
            # Last, because others wait for the transforms.
            joints.keep(layout, positions, time.monotonic())

    def _receive_multi_dof(self, state: MultiDOFJointState) -> None:
        """Publish the transforms of the state of planar and floating joints."""
        with self._lock:
            if self._joints is None:
                return self._drops.add('no description')
            values = self._multi_dof.read(
                state.joint_names, [from_transform(pose) for pose in state.transforms])
            self._note(self._multi_dof.names[row] for row in values)
            rows = np.array(list(values), dtype=np.intp)
            admitted = self._admit(self._multi_dof_filter, rows, from_time(state.header.stamp))
            if admitted is not None:
                self._publisher.publish(self._multi_dof_transforms.message(
                    values, admitted, self._multi_dof_filter.part))

    def _admit(self, stamp_filter: StampFilter, joints: Indices, stamp: int) -> int | None:
        """Return the stamp with which to publish a message, or None if it is refused."""
        if self._task.off:
            return None
        if not stamp and self._stamps_zero:
            stamp = self._now()
        refusal = stamp_filter.admit(joints, stamp)
        if refusal and not (refusal is REPEATED and self._has_new_subscriber()):
            self._drops.add(refusal, detail=partial(stamp_filter.restarts.detail, refusal))
            return None
        if self._subscribers is None:
            self._subscribers = self._publisher.subscribers
        self._task.published += 1
        self._task.stamp = stamp
        return stamp

    def use(self, robot: Robot, static: int) -> None:
        """
        Switch to another robot, or to other frames, keeping the state of the joints.

        :param static: number of its static frames.
        """
        prefix = self._setting('frame_prefix')
        moving = MovingTransforms(robot, prefix, self._faults)
        kind: type[JointStateReader[Any]] = JointStateReader
        if robot.loops:
            from urdf_tools.nodes.state_publisher.mechanism_reader import MechanismReader
            kind = MechanismReader
        reader: Any = kind(
            robot, self._faults, make_plan=moving.plan, deserialize=deserialize_joint_state)
        joints = JointStates(robot, reader)
        fixed = self._setting('fix_multi_dof_joints')
        multi_dof = MultiDofStates(() if fixed else multi_dof_joints(robot), self._faults)
        with self._lock:
            if self._joints is not None:
                joints.adopt(self._joints)
            self._reader, self._joints = reader, joints
            self._multi_dof = multi_dof
            self._multi_dof_transforms = MultiDofTransforms(multi_dof.joints, prefix)
            self._filter = self._filter.successor(joints.names)
            self._multi_dof_filter = self._multi_dof_filter.successor(multi_dof.names)
            self._task.moving = bool(joints.names or self._multi_dof.joints)
            self._task.static = static
            self._task.loops = reader if robot.loops else None
            self._note(())

    def apply_filter_settings(self) -> None:
        """Apply the current parameters of the stamp filter."""
        with self._lock:
            self._task.off = not self._setting('publish_tf')
            if not self._task.off:
                self._publisher.advertise()
            self._stamps_zero = self._setting('stamp_policy') == 'now_if_zero'
            for stamp_filter in (self._filter, self._multi_dof_filter):
                stamp_filter.ignore_timestamp = self._setting('ignore_timestamp')
                stamp_filter.set_frequency(self._setting('publish_frequency'))

    def rewind(self) -> None:
        """Publish every joint again, because time jumped backwards."""
        with self._lock:
            self._filter.reset()
            self._multi_dof_filter.reset()
            self._task.rewinds += 1

    def _has_new_subscriber(self) -> bool:
        """Return whether a new subscriber may lack transforms, as in a paused simulation."""
        before, self._subscribers = self._subscribers or 0, self._publisher.subscribers
        return self._subscribers > before

    def _note(self, names: Iterable[str]) -> None:
        """Note planar and floating joints whose state has arrived."""
        self._seen.update(names)
        self._task.waiting = tuple(
            name for name in self._multi_dof.names if name not in self._seen)

    def _now(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)


MIN_AGE = -1.0
MAX_AGE = 5.0
"""Normal ages of stamps in seconds, as in diagnostic_updater's TimeStampStatus."""

SILENCE = 15.0
"""Seconds without a transform after which that is reported; the lowest usual rate is 0.1 Hz."""


class TransformsTask:
    """
    Diagnostics: how many transforms are published, and why others are not.

    :param dropped: number of joint states that gave no transform, by reason.
    :param now: returns the time of the node's clock in nanoseconds.
    :ivar published: number of messages published on ``/tf``.
    :ivar stamp: stamp of the last of them in nanoseconds.
    :ivar static: number of transforms on ``/tf_static``.
    :ivar waiting: joints whose transform is not known yet.
    :ivar moving: whether the robot has moving joints; None before the first description.
    :ivar rewinds: how often the clock has jumped back.
    :ivar off: whether the user has turned the transforms off.
    :ivar loops: tells of the loops of the robot, if it has any.
    """

    def __init__(self, dropped: Counter[str], now: Callable[[], int]):
        self.published = 0
        self.stamp = 0
        self.static = 0
        self.waiting: tuple[str, ...] = ()
        self.moving: bool | None = None
        self.rewinds = 0
        self.off = False
        self.loops: MechanismReader[Any] | None = None
        self._active = (time.monotonic(), 0)
        self._dropped = dropped
        self._now = now
        self._rate = Rate()
        self._seen = Counter(dropped)
        self._seen_rewinds = 0

    def run(self) -> Status:
        """Return the status of the transforms."""
        rate = self._rate(self.published)
        age = (self._now() - self.stamp) / 1e9 if rate else None
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{rate:.2f}',
            'Age of stamps (s)': 'none' if age is None else f'{age:.3f}',
            'Static': self.static,
            'Clock jumped back': self.rewinds,
            'Waiting for': name_list(self.waiting),
            **{f'Dropped: {reason}': count for reason, count in sorted(self._dropped.items())}}
        if self.loops is not None:
            values.update(self.loops.report())
        fresh = self._dropped - self._seen
        self._seen = Counter(self._dropped)
        rewound = self.rewinds > self._seen_rewinds
        self._seen_rewinds = self.rewinds
        # What the user's own limit holds back does not call for a warning.
        del fresh[THROTTLED]
        if self.published != self._active[1]:
            self._active = time.monotonic(), self.published
        return Status(*self._verdict(rewound, fresh, age), values)

    def _verdict(self, rewound: bool, fresh: Counter[str], age: float | None) -> tuple[Level, str]:
        dropped = [f'{count} joint states dropped: {why}' for why, count in fresh.most_common(1)]
        age = age or 0.0
        fault = '' if self.loops is None else self.loops.fault()
        silence = time.monotonic() - self._active[0]
        cases = (
            (self.moving is None, Level.WARN, NO_DESCRIPTION),
            (self.off, Level.OK, 'Transforms are turned off by the parameter publish_tf'),
            (rewound, Level.WARN, 'The clock jumped back, and every joint is published again'),
            (dropped, Level.WARN, ''.join(dropped)),
            (not MIN_AGE <= age <= MAX_AGE, Level.WARN,
             f'Stamps are {abs(age):.1f} s {"ahead of" if age < 0 else "behind"} the clock'),
            (fault, Level.WARN, fault),
            (self.waiting, Level.WARN, f'No transforms yet for {name_list(self.waiting)}'),
            (not self.moving, Level.OK,
             'Static transforms are published; the robot has no moving joints'),
            (silence > SILENCE, Level.WARN,
             f'No transforms of moving joints for {silence:.0f} s'),
            (True, Level.OK, 'Transforms are published'))
        return next((level, text) for applies, level, text in cases if applies)
