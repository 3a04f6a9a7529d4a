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

from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import partial
import time
from typing import Protocol
from typing import TypeVar

import numpy as np
from rclpy.clock import Clock
from rclpy.impl.rcutils_logger import RcutilsLogger
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.state_publisher.parameters import NOW_IF_ZERO
from urdf_tools.nodes.state_publisher.parameters import RobotParameters
from urdf_tools.nodes.state_publisher.stamp_filter import DROPS
from urdf_tools.nodes.state_publisher.stamp_filter import REPEATED
from urdf_tools.nodes.state_publisher.stamp_filter import StampFilter
from urdf_tools.nodes.state_publisher.tf_messages import MovingTransforms
from urdf_tools.nodes.state_publisher.tf_messages import MultiDofTransforms
from urdf_tools.nodes.state_publisher.tf_messages import TransformPlan
from urdf_tools.nodes.state_publisher.transforms_task import TransformsTask
from urdf_tools.ros.conversions import from_time
from urdf_tools.ros.fault_log import FaultLog
from urdf_tools.ros.robot_state.joint_states import FAULTS
from urdf_tools.ros.robot_state.joint_states import JointStates
from urdf_tools.ros.robot_state.multi_dof_states import multi_dof_joints
from urdf_tools.ros.robot_state.multi_dof_states import MultiDofStates
from urdf_tools.ros.wire.raw_topics import RawPublisher

Values = TypeVar('Values', contravariant=True)


class Transforms(Protocol[Values]):
    """What turns the values of joints into a message."""

    def message(self, values: Values, stamp: int, /) -> bytes:
        """Return a serialized ``tf2_msgs/TFMessage`` with a stamp in nanoseconds."""


class TfPipeline:
    """
    Turns joint states into transforms, for one description after another.

    joint state --> positions --> filter by stamp --> transforms --> /tf

    All methods may be called from any thread.

    :param clock: of the node.
    :param settings: the parameters of the robot.
    :param publisher: of ``/tf``.
    :param lock: held while any of this changes.
    :ivar joints: the joints with one degree of freedom, or None before the first description.
    :ivar task: diagnostics of the transforms.
    """

    def __init__(
            self, clock: Clock, settings: RobotParameters, publisher: RawPublisher,
            logger: RcutilsLogger, lock: AbstractContextManager[object]):
        self.joints: JointStates[TransformPlan] | None = None
        self._lock = lock
        self._settings = settings
        self._clock = clock
        self._publisher = publisher
        self._faults = FaultLog(logger.warning, FAULTS)
        self._drops = FaultLog(logger.warning, DROPS)
        self._filter = StampFilter()
        self._multi_dof = MultiDofStates((), self._faults)
        self._multi_dof_transforms = MultiDofTransforms((), '')
        self._multi_dof_filter = StampFilter()
        self._seen: set[str] = set()
        self._subscribers = 0
        self.task = TransformsTask(self._drops.counts, self._now)
        self.apply_filter_settings()

    def receive(self, joint_state: bytes) -> None:
        """Publish the transforms of a serialized ``sensor_msgs/JointState``."""
        with self._lock:
            joints = self.joints
            if joints is None:
                return self._drops.add('no description')
            try:
                stamp, layout, positions = joints.read(joint_state)
            except ValueError:
                return self._drops.add('malformed')
            self._send(self._filter, layout.joints, stamp, layout.plan, positions)
            # Last, because others wait for the transforms.
            joints.keep(layout, positions, time.monotonic())

    def receive_multi_dof(self, state: MultiDOFJointState) -> None:
        """Publish the transforms of the state of planar and floating joints."""
        with self._lock:
            if self.joints is None:
                return self._drops.add('no description')
            values = self._multi_dof.read(state)
            self._note(self._multi_dof.names[row] for row in values)
            self._send(
                self._multi_dof_filter, np.array(list(values), dtype=np.intp),
                from_time(state.header.stamp), self._multi_dof_transforms, values)

    def use(self, robot: Robot) -> None:
        """Continue with another robot, or with other frames, keeping what is known of joints."""
        moving = MovingTransforms(robot, self._settings['frame_prefix'], self._faults)
        joints: JointStates[TransformPlan] = JointStates(
            robot, self._faults, make_plan=moving.plan)
        fixed = self._settings['fix_multi_dof_joints']
        multi_dof = MultiDofStates(() if fixed else multi_dof_joints(robot), self._faults)
        with self._lock:
            if self.joints is not None:
                joints.adopt(self.joints)
            self.joints = joints
            self._multi_dof = multi_dof
            self._multi_dof_transforms = MultiDofTransforms(
                multi_dof.joints, self._settings['frame_prefix'])
            self._filter = _successor(self._filter, joints.names)
            self._multi_dof_filter = _successor(self._multi_dof_filter, self._multi_dof.names)
            self.task.moving = bool(joints.names or self._multi_dof.joints)
            self._note(())

    def apply_filter_settings(self) -> None:
        """Continue with the present parameters of which joint states are published."""
        with self._lock:
            self._publishes = self._settings['publish_tf']
            self.task.off = not self._publishes
            self._stamps_zero = self._settings['stamp_policy'] == NOW_IF_ZERO
            for stamp_filter in (self._filter, self._multi_dof_filter):
                stamp_filter.ignore_timestamp = self._settings['ignore_timestamp']
                stamp_filter.set_frequency(self._settings['publish_frequency'])

    def rewind(self) -> None:
        """Publish every joint again, because time jumped backwards."""
        with self._lock:
            self._filter.reset()
            self._multi_dof_filter.reset()
            self.task.rewinds += 1

    def _send(
            self, stamp_filter: StampFilter, joints: Indices, stamp: int,
            transforms: Transforms[Values], values: Values) -> None:
        """Publish transforms with the stamp of a message, unless the filter refuses it."""
        if not self._publishes:
            return
        if not stamp and self._stamps_zero:
            stamp = self._now()
        refusal = stamp_filter.admit(joints, stamp)
        if refusal and not (refusal is REPEATED and self._has_new_subscriber()):
            return self._drops.add(refusal, detail=partial(stamp_filter.detail, refusal))
        self._publisher.publish(transforms.message(values, stamp))
        self.task.published += 1
        self.task.stamp = stamp

    def _has_new_subscriber(self) -> bool:
        """Tell whether a subscriber may lack what is repeated, as while simulation is paused."""
        before, self._subscribers = self._subscribers, self._publisher.subscribers
        return self._subscribers > before

    def _note(self, names: Iterable[str]) -> None:
        """Note planar and floating joints whose state has arrived."""
        self._seen.update(names)
        self.task.waiting = tuple(
            name for name in self._multi_dof.names if name not in self._seen)

    def _now(self) -> int:
        return int(self._clock.now().nanoseconds)


def _successor(previous: StampFilter, names: tuple[str, ...]) -> StampFilter:
    stamp_filter = StampFilter(names)
    stamp_filter.adopt(previous)
    return stamp_filter
