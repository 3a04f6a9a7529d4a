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

"""The frames of a robot's moving joints, on ``/tf``."""

from __future__ import annotations

from contextlib import AbstractContextManager

from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.model.robot import Robot
from urdf_tools.nodes.state_publisher.parameters import RobotParameters
from urdf_tools.nodes.state_publisher.tf_pipeline import TfPipeline
from urdf_tools.ros.diagnostics import Task
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.robot_state.tasks import JointStatesTask
from urdf_tools.ros.wire.raw_topics import RawPublisher
from urdf_tools.ros.wire.raw_topics import RawSubscription


class JointFrames:
    """
    Publishes the frames that move.

    joint_states, multi_dof_joint_states --> pipeline --> /tf

    :param settings: the parameters of the robot.
    :param publisher: of ``/tf``.
    :param lock: held while anything changes that the diagnostics read.
    :ivar pipeline: turns joint states into transforms.
    :ivar tasks: diagnostics of both.
    """

    def __init__(
            self, node: Node, settings: RobotParameters, publisher: RawPublisher,
            logger: RcutilsLogger, lock: AbstractContextManager[object]):
        self._node = node
        self._joint_states: RawSubscription | None = None
        self.pipeline = TfPipeline(node.get_clock(), settings, publisher, logger, lock)
        self.tasks: tuple[Task, ...] = (
            JointStatesTask(
                lambda: self.pipeline.joints, lambda: settings['joint_timeout'],
                publishers=lambda: self._joint_states.publishers if self._joint_states else 0),
            self.pipeline.task)

    def use(self, robot: Robot, static: int) -> None:
        """
        Continue with another robot, or with other frames.

        :param static: number of its static frames.
        """
        self.pipeline.use(robot)
        self.pipeline.task.static = static

    def follow(self, namespace: str) -> None:
        """
        Follow the joint states.

        :param namespace: of the topics, with a slash at its end if it is not empty.
        """
        self._node.create_subscription(
            MultiDOFJointState, namespace + 'multi_dof_joint_states',
            self.pipeline.receive_multi_dof, JOINT_STATES)
        self._joint_states = RawSubscription(
            self._node, JointState, namespace + 'joint_states', self.pipeline.receive,
            JOINT_STATES, qos_overriding_options=QoSOverridingOptions.with_default_policies())

    def end(self) -> None:
        """Stop following the joint states."""
        if self._joint_states is not None:
            self._joint_states.end()
