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

"""
Publish a robot's frames: what robot_state_publisher does, and says why when it does not.

Topics, services, parameters and their defaults are those of robot_state_publisher. A description
parameter that is missing or wrong at the start ends the node with one sentence. A description
that comes later is refused with its reason if it is wrong, and the last good one stays.
"""

from __future__ import annotations

import sys
from threading import Lock
import time

from rclpy.clock import JumpThreshold
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.model.document import DescriptionError
from urdf_tools.model.robot import Robot
from urdf_tools.ros.cdr import JointStateReader
from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.description import log_problems
from urdf_tools.ros.description import ModelSubscription
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.frame_parameters import declare_parameters
from urdf_tools.ros.frame_parameters import FRAME_PARAMETERS
from urdf_tools.ros.frame_parameters import NOW_IF_ZERO
from urdf_tools.ros.joint_states import FAULTS
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.qos import ROBOT_DESCRIPTION
from urdf_tools.ros.qos import TF
from urdf_tools.ros.qos import TF_STATIC
from urdf_tools.ros.raw_subscription import RawSubscription
from urdf_tools.ros.running import run
from urdf_tools.ros.stamp_gate import DROPS
from urdf_tools.ros.stamp_gate import StampGate
from urdf_tools.ros.tally import Tally
from urdf_tools.ros.tasks import JointStatesTask
from urdf_tools.ros.tasks import ModelTask
from urdf_tools.ros.tasks import TransformsTask
from urdf_tools.ros.transforms import MovingTransforms
from urdf_tools.ros.transforms import static_transforms


class StatePublisher(Node):
    """
    Turns joint states into transforms.

    description --> robot --> /robot_description, /tf_static
    joint_states --> positions --> gate by stamp --> transforms --> /tf
    """

    _subscription: RawSubscription | None = None

    def __init__(self):
        super().__init__('state_publisher')
        # Joint states come in a thread of their own.
        self._lock = Lock()
        self._model = CurrentModel()
        self._joints: JointStates | None = None
        self._gate = StampGate(())
        self._faults = Tally(self.get_logger().warning, FAULTS)
        self._drops = Tally(self.get_logger().warning, DROPS)
        self._task = TransformsTask(self._drops.counts)
        self._settings = Parameters(self, self._change)
        declare_parameters(self._settings, self._check)
        self._set_gate()
        self._updater = Updater(
            self, ModelTask(self._model),
            JointStatesTask(lambda: self._joints, lambda: self._settings['joint_timeout']),
            self._task, lock=self._lock)
        self._tf = self.create_publisher(TFMessage, '/tf', TF)
        self._tf_static = self.create_publisher(TFMessage, '/tf_static', TF_STATIC)
        if self._settings['description_from_topic']:
            self._description = ModelSubscription(
                self, self._model, self._use, self._updater.publish)
        else:
            self._description = self.create_publisher(
                String, 'robot_description', ROBOT_DESCRIPTION)
            self._take_description()
        self._subscription = RawSubscription(
            self, JointState, 'joint_states', self._receive, JOINT_STATES,
            qos_overriding_options=QoSOverridingOptions.with_default_policies())
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)

    def _receive(self, joint_state: bytes):
        with self._lock:
            transforms = self._convert(joint_state)
            if transforms is not None:
                self._tf.publish(transforms)
                self._task.published += 1

    def _convert(self, joint_state: bytes) -> bytes | None:
        if self._joints is None:
            return self._drops.add('no description')
        try:
            stamp, layout, positions = self._reader.read(joint_state)
        except ValueError:
            return self._drops.add('malformed')
        layout = self._joints.take(layout, positions, time.monotonic())
        if not self._settings['publish_tf']:
            return None
        if not stamp and self._settings['stamp_policy'] == NOW_IF_ZERO:
            stamp = self.get_clock().now().nanoseconds
        refusal = self._gate.admit(layout.joints, stamp)
        if refusal:
            return self._drops.add(refusal)
        return self._moving.message(layout, positions, stamp)

    def destroy_node(self):
        if self._subscription is not None:
            self._subscription.end()
        super().destroy_node()

    def _check(self, description):
        try:
            self._model.check(description)
        except DescriptionError as error:
            if self._model.robot is not None:
                self.get_logger().error(f'New description refused, the last one stays: {error}')
                self._updater.publish()
            raise

    def _take_description(self):
        robot = self._model.update(self._settings['robot_description'])
        log_problems(self.get_logger(), robot)
        self._use(robot)
        self._description.publish(String(data=self._model.text))
        self._updater.publish()

    def _use(self, robot: Robot):
        joints = JointStates(robot, self._faults)
        gate = StampGate(joints.names)
        moving = MovingTransforms(robot, self._settings['frame_prefix'])
        with self._lock:
            if self._joints is not None:
                joints.adopt(self._joints)
            gate.adopt(self._gate)
            self._joints, self._gate, self._moving = joints, gate, moving
            self._reader = JointStateReader(joints.layout)
        self._publish_static()
        self.get_logger().info(
            f'Robot {robot.name!r}: {len(joints.names)} moving of {len(robot.joints)} joints')

    def _change(self, names):
        if not names.isdisjoint(('ignore_timestamp', 'publish_frequency')):
            self._set_gate()
        if 'robot_description' in names:
            self._take_description()
        elif self._joints is not None and not names.isdisjoint(FRAME_PARAMETERS):
            self._set_frames()

    def _set_gate(self):
        with self._lock:
            self._gate.ignore_timestamp = self._settings['ignore_timestamp']
            self._gate.set_frequency(self._settings['publish_frequency'])

    def _set_frames(self):
        moving = MovingTransforms(self._model.robot, self._settings['frame_prefix'])
        with self._lock:
            self._moving = moving
        self._publish_static()

    def _publish_static(self):
        """Publish the whole of /tf_static, so that who comes later finds no frame of old."""
        static = TFMessage()
        if self._settings['publish_tf']:
            static = static_transforms(
                self._model.robot, self._settings['frame_prefix'],
                self.get_clock().now().to_msg(), self._settings['fix_multi_dof_joints'])
        self._tf_static.publish(static)
        self._task.static = len(static.transforms)

    def _rewind(self, _jump):
        self.get_logger().warning('Time went backwards; every joint is published anew')
        with self._lock:
            self._gate.reset()


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(StatePublisher, args)


if __name__ == '__main__':
    sys.exit(main())
