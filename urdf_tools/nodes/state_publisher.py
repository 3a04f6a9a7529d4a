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

from rclpy.clock import Clock
from rclpy.clock import ClockType
from rclpy.clock import JumpThreshold
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.model.document import DescriptionError
from urdf_tools.model.robot import Robot
from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.description import log_problems
from urdf_tools.ros.description import ModelSubscription
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.frame_parameters import declare_parameters
from urdf_tools.ros.frame_parameters import FRAME_PARAMETERS
from urdf_tools.ros.frame_parameters import LIMIT_PARAMETERS
from urdf_tools.ros.frame_stream import FrameStream
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.qos import ROBOT_DESCRIPTION
from urdf_tools.ros.qos import TF_STATIC
from urdf_tools.ros.raw_topics import RawSubscription
from urdf_tools.ros.running import run
from urdf_tools.ros.tasks import JointStatesTask
from urdf_tools.ros.tasks import ModelTask
from urdf_tools.ros.transforms import static_joints
from urdf_tools.ros.transforms import static_message


class StatePublisher(Node):
    """
    Turns a robot's description and its joint states into frames.

    description --> robot --> /robot_description, /tf_static
    joint_states, multi_dof_joint_states --> stream --> /tf
    """

    _joint_states: RawSubscription | None = None

    def __init__(self):
        super().__init__('state_publisher')
        self._model = CurrentModel()
        self._settings = Parameters(self, self._change)
        declare_parameters(self._settings, self._check)
        self._stream = FrameStream(self, self._settings)
        self._tf_static = self.create_publisher(TFMessage, '/tf_static', TF_STATIC)
        self._updater = Updater(
            self, ModelTask(self._model),
            JointStatesTask(
                lambda: self._stream.joints, lambda: self._settings['joint_timeout'],
                publishers=lambda: self._joint_states.publishers),
            self._stream.task, lock=self._stream.lock)
        self._joint_states = RawSubscription(
            self, JointState, 'joint_states', self._stream.receive, JOINT_STATES,
            qos_overriding_options=QoSOverridingOptions.with_default_policies())
        self.create_subscription(
            MultiDOFJointState, 'multi_dof_joint_states', self._stream.receive_multi_dof,
            JOINT_STATES)
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        self._static_timer = None
        self._set_static_timer()
        if self._settings['description_from_topic']:
            self._description = ModelSubscription(
                self, self._model, self._use, self._updater.publish)
        else:
            self._description = self.create_publisher(
                String, 'robot_description', ROBOT_DESCRIPTION)
            self._take_description()

    def destroy_node(self):
        if self._joint_states is not None:
            self._joint_states.end()
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
        self._stream.use(robot)
        self._publish_static()
        self.get_logger().info(
            f'Robot {robot.name!r}: {len(robot.links)} links, {len(robot.joints)} joints, '
            f'{self._stream.task.static} of them static')

    def _change(self, names):
        if not names.isdisjoint(LIMIT_PARAMETERS):
            self._stream.set_limits()
        if 'static_period' in names:
            self._set_static_timer()
        if 'robot_description' in names:
            self._take_description()
        elif self._model.robot is not None and not names.isdisjoint(FRAME_PARAMETERS):
            self._stream.set_frames(self._model.robot)
            self._publish_static()

    def _publish_static(self):
        """Publish the whole of /tf_static, so that who comes later finds no frame of old."""
        joints = ()
        if self._settings['publish_tf'] and self._model.robot is not None:
            joints = static_joints(self._model.robot, self._settings['fix_multi_dof_joints'])
        self._tf_static.publish(static_message(
            joints, self._settings['frame_prefix'], self.get_clock().now().nanoseconds))
        self._stream.task.static = len(joints)

    def _set_static_timer(self):
        if self._static_timer is not None:
            self.destroy_timer(self._static_timer)
            self._static_timer = None
        if self._settings['static_period']:
            self._static_timer = self.create_timer(
                self._settings['static_period'], self._publish_static,
                clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _rewind(self, _jump):
        self._stream.rewind()
        self.get_logger().warning('Time went backwards; every joint is published anew')


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(StatePublisher, args)


if __name__ == '__main__':
    sys.exit(main())
