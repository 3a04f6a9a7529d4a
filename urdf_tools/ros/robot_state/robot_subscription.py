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

"""A robot and its joint positions at run time, for nodes that compute with them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from threading import RLock
from types import MappingProxyType

from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.diagnostics import Task
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.robot_state.current_model import CurrentModel
from urdf_tools.ros.robot_state.current_model import ModelSubscription
from urdf_tools.ros.robot_state.live_robot import LiveRobot
from urdf_tools.ros.robot_state.tasks import JointStatesTask
from urdf_tools.ros.robot_state.tasks import model_status
from urdf_tools.ros.serialized_topics import RawSubscription


class RobotSubscription:
    """
    Follows ``robot_description``, ``joint_states`` and ``multi_dof_joint_states``.

    It also publishes diagnostics about them.

    :param tasks: further diagnostics, by the names of their statuses.
    :param on_robot: called with each new robot.
    :ivar live: the robot and its joint positions, or None before the first description.
    :ivar description_topic: full name of the topic of the description.
    :ivar loops_file: YAML file of loops in addition to those of the description, or empty.
    """

    def __init__(
            self, node: BaseNode, tasks: Mapping[str, Task] = MappingProxyType({}),
            on_robot: Callable[[LiveRobot], None] = lambda live: None):
        self.live: LiveRobot | None = None
        self._on_robot = on_robot
        # Joint states arrive in a thread of their own.
        self._lock = RLock()
        self._log = FaultLog()
        self._settings = Parameters(node)
        self.loops_file = self._settings.declare_loops_file()
        self._model = CurrentModel(self.loops_file)
        self._settings.declare(
            'joint_timeout', 5.0, 'Age (s) above which joint states are stale; 0 is never',
            minimum=0.0, maximum=86400.0)
        joint_states = JointStatesTask(
            lambda: self.live.joints if self.live else None, lambda: self.joint_timeout,
            lambda: self._joint_states.publishers)
        self._updater = Updater(node, {
            'Model': partial(model_status, self._model), 'Joint states': joint_states.run,
            **tasks}, self._lock)
        description = ModelSubscription(
            node, self._model, self._use, self._updater.publish,
            build=lambda robot, text: LiveRobot(robot, text, self._lock, self._log))
        self.description_topic = description.topic
        self._joint_states = RawSubscription(
            node, JointState, 'joint_states', self._receive, JOINT_STATES)
        node.create_subscription(
            MultiDOFJointState, 'multi_dof_joint_states', self._receive_multi_dof, JOINT_STATES)

    @property
    def joint_timeout(self) -> float:
        """Age in seconds above which joint states are stale; 0 is never."""
        return float(self._settings['joint_timeout'])

    def _use(self, live: LiveRobot) -> None:
        if self.live is not None:
            live.adopt(self.live)
        self._on_robot(live)
        self.live = live

    def _receive(self, joint_state: bytes) -> None:
        if self.live is not None:
            self.live.receive(joint_state)

    def _receive_multi_dof(self, state: MultiDOFJointState) -> None:
        if self.live is not None:
            self.live.receive_multi_dof(state)
