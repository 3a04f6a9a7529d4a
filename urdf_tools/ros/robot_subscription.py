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

"""A robot and its joints at run time: what nodes follow that answer questions about it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from rclpy.node import Node
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.model.robot import Robot
from urdf_tools.ros.configuration import LiveRobot
from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.description import ModelSubscription
from urdf_tools.ros.diagnostics import Task
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.raw_topics import RawSubscription
from urdf_tools.ros.tally import Tally
from urdf_tools.ros.tasks import JointStatesTask
from urdf_tools.ros.tasks import ModelTask


class RobotSubscription:
    """
    Follows ``robot_description``, ``joint_states`` and ``multi_dof_joint_states``.

    It publishes diagnostics of them, too.

    :param tasks: further diagnostics.
    :param on_robot: called with each new robot.
    :ivar live: the robot and what is known of its joints, or None before the first description.
    """

    def __init__(
            self, node: Node, *tasks: Task,
            on_robot: Callable[[LiveRobot], None] = lambda live: None):
        self.live: LiveRobot | None = None
        self._on_robot = on_robot
        # Joint states come in a thread of their own.
        self._lock = RLock()
        self._tally = Tally()
        self._model = CurrentModel()
        self._updater = Updater(
            node, ModelTask(self._model),
            JointStatesTask(
                lambda: self.live and self.live.joints,
                publishers=lambda: self._joint_states.publishers),
            *tasks, lock=self._lock)
        self._description = ModelSubscription(
            node, self._model, self._use, self._updater.publish)
        self._joint_states = RawSubscription(
            node, JointState, 'joint_states', self._receive, JOINT_STATES)
        node.create_subscription(
            MultiDOFJointState, 'multi_dof_joint_states', self._receive_multi_dof, JOINT_STATES)

    @property
    def description_topic(self) -> str:
        """Full name of the topic that the description comes from."""
        return self._description.subscription.topic_name

    def end(self) -> None:
        """Follow no more."""
        self._joint_states.end()

    def _use(self, robot: Robot):
        live = LiveRobot(robot, self._model.text, self._lock, self._tally)
        if self.live is not None:
            live.adopt(self.live)
        self.live = live
        self._on_robot(live)

    def _receive(self, joint_state: bytes):
        if self.live is not None:
            self.live.receive(joint_state)

    def _receive_multi_dof(self, state: MultiDOFJointState):
        if self.live is not None:
            self.live.receive_multi_dof(state)
