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

"""The way of a robot's joint states through the state publisher."""

from __future__ import annotations

from contextlib import AbstractContextManager
import time

import numpy as np
from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node
from sensor_msgs.msg import MultiDOFJointState
from tf2_msgs.msg import TFMessage

from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import JointStateReader
from urdf_tools.ros.cdr import SECOND
from urdf_tools.ros.frame_parameters import NOW_IF_ZERO
from urdf_tools.ros.frame_parameters import RobotParameters
from urdf_tools.ros.joint_states import FAULTS
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.multi_dof import multi_dof_joints
from urdf_tools.ros.multi_dof import MultiDofTransforms
from urdf_tools.ros.qos import TF
from urdf_tools.ros.raw_topics import RawPublisher
from urdf_tools.ros.stamp_gate import DROPS
from urdf_tools.ros.stamp_gate import REPEATED
from urdf_tools.ros.stamp_gate import StampGate
from urdf_tools.ros.tally import Tally
from urdf_tools.ros.tasks import TransformsTask
from urdf_tools.ros.transforms import MovingTransforms


class FrameStream:
    """
    Joint states in, transforms out, for one robot after another.

    joint states --> positions --> gate by stamp --> transforms --> /tf

    Everything may be called from any thread.

    :param settings: the parameters of the robot.
    :param lock: held while any of this changes.
    :ivar joints: the joints of one degree of freedom, or None before the first robot.
    :ivar task: diagnostics of the transforms.
    """

    def __init__(
            self, node: Node, settings: RobotParameters, logger: RcutilsLogger,
            lock: AbstractContextManager):
        self._lock = lock
        self.joints: JointStates | None = None
        self._settings = settings
        self._clock = node.get_clock()
        self._publisher = RawPublisher(node, TFMessage, '/tf', TF)
        self._faults = Tally(logger.warning, FAULTS)
        self._drops = Tally(logger.warning, DROPS)
        self._gate = StampGate()
        self._multi_dof_gate = StampGate()
        self._seen: set[str] = set()
        self._receivers = 0
        self.task = TransformsTask(self._drops.counts, self._now)
        self.set_limits()

    def receive(self, joint_state: bytes) -> None:
        """Publish what a serialized ``sensor_msgs/JointState`` moves."""
        with self._lock:
            if self.joints is None:
                return self._drops.add('no description')
            try:
                stamp, layout, positions = self._reader.read(joint_state)
            except ValueError:
                return self._drops.add('malformed')
            layout = self.joints.check(layout, positions)
            stamp = self._admit(self._gate, layout.joints, stamp)
            if stamp is not None:
                self._publish(self._moving.message(layout, positions, stamp), stamp)
            # Only now, as the transforms are what others wait for.
            self.joints.keep(layout, positions, time.monotonic())

    def receive_multi_dof(self, state: MultiDOFJointState) -> None:
        """Publish what the state of planar and floating joints moves."""
        with self._lock:
            if self.joints is None:
                return self._drops.add('no description')
            transforms = self._multi_dof.take(state)
            self._note(self._multi_dof.names[row] for row in transforms)
            stamp = self._admit(
                self._multi_dof_gate, np.array(list(transforms), dtype=np.intp),
                state.header.stamp.sec * SECOND + state.header.stamp.nanosec)
            if stamp is not None:
                self._publish(self._multi_dof.message(transforms, stamp), stamp)

    def _admit(self, gate, joints, stamp):
        """Return the stamp to publish a message with, or None if it is not published."""
        if not self._publishes:
            return None
        if not stamp and self._stamps_zero:
            stamp = self._now()
        refusal = gate.admit(joints, stamp)
        if not refusal or refusal is REPEATED and self._has_new_receiver():
            return stamp
        return self._drops.add(refusal)

    def _has_new_receiver(self):
        """Tell whether somebody is there who may not have what is repeated, as in a pause."""
        before, self._receivers = self._receivers, self._publisher.receivers
        return self._receivers > before

    def _publish(self, transforms, stamp):
        self._publisher.publish(transforms)
        self.task.published += 1
        self.task.stamp = stamp

    def use(self, robot: Robot) -> None:
        """Go on with another robot, from what is known of the joints that both have."""
        joints = JointStates(robot, self._faults)
        gate = StampGate(joints.names)
        with self._lock:
            if self.joints is not None:
                joints.adopt(self.joints)
            gate.adopt(self._gate)
            self.joints, self._gate = joints, gate
            self._reader = JointStateReader(joints.layout)
            self._use_frames(robot)

    def set_frames(self, robot: Robot) -> None:
        """Go on with the same robot, but with its frames as the parameters now say."""
        with self._lock:
            self._use_frames(robot)

    def _use_frames(self, robot):
        prefix = self._settings['frame_prefix']
        fixed = self._settings['fix_multi_dof_joints']
        self._moving = MovingTransforms(robot, prefix)
        self._multi_dof = MultiDofTransforms(
            () if fixed else multi_dof_joints(robot), prefix, self._faults)
        gate = StampGate(self._multi_dof.names)
        gate.adopt(self._multi_dof_gate)
        self._multi_dof_gate = gate
        self._note(())

    def set_limits(self) -> None:
        """Go on with what is published as the parameters now say."""
        with self._lock:
            self._publishes = self._settings['publish_tf']
            self._stamps_zero = self._settings['stamp_policy'] == NOW_IF_ZERO
            for gate in (self._gate, self._multi_dof_gate):
                gate.ignore_timestamp = self._settings['ignore_timestamp']
                gate.set_frequency(self._settings['publish_frequency'])

    def rewind(self) -> None:
        """Publish every joint anew, because time went backwards."""
        with self._lock:
            self._gate.reset()
            self._multi_dof_gate.reset()

    def _note(self, names):
        """Note planar and floating joints whose state has come."""
        self._seen.update(names)
        self.task.waiting = tuple(
            name for name in self._multi_dof.names if name not in self._seen)

    def _now(self):
        return self._clock.now().nanoseconds
