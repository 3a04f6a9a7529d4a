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

"""One robot of the state publisher."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from rclpy.node import Node
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from urdf_tools.model.document import DescriptionError
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.description import log_problems
from urdf_tools.ros.description import ModelSubscription
from urdf_tools.ros.frame_parameters import FRAME_PARAMETERS
from urdf_tools.ros.frame_parameters import RobotParameters
from urdf_tools.ros.frame_stream import FrameStream
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.qos import ROBOT_DESCRIPTION
from urdf_tools.ros.raw_topics import RawSubscription
from urdf_tools.ros.tasks import JointStatesTask
from urdf_tools.ros.tasks import ModelTask
from urdf_tools.ros.transforms import static_joints


class PublishedRobot:
    """
    Turns a robot's description and its joint states into frames.

    description --> robot --> robot_description, static frames
    joint_states, multi_dof_joint_states --> stream --> /tf

    :param parameters: the state publisher's; those of the robot are added to them.
    :param lock: held while anything changes that the tasks look at.
    :param name: namespace of the robot's topics and first part of its parameters' names; or
        :data:`NAMELESS`.
    :param on_robot: called when there are other static frames.
    :param on_description: called after every new description, good or bad.
    :ivar stream: the way of its joint states.
    :ivar tasks: its diagnostics.
    :raises StartError: a parameter is refused.
    """

    def __init__(
            self, node: Node, parameters: Parameters, lock: AbstractContextManager, name: str,
            *, on_robot: Callable[[], None], on_description: Callable[[], None]):
        self._node = node
        self._logger = node.get_logger().get_child(name) if name else node.get_logger()
        self._namespace = f'{name}/' if name else ''
        self._on_robot = on_robot
        self._on_description = on_description
        self._model = CurrentModel()
        self._settings = RobotParameters(parameters, name, self._check)
        self._joint_states: RawSubscription | None = None
        self.stream = FrameStream(node, self._settings, self._logger, lock)
        self.tasks = (
            ModelTask(self._model),
            JointStatesTask(
                lambda: self.stream.joints, lambda: self._settings['joint_timeout'],
                publishers=lambda: self._joint_states.publishers if self._joint_states else 0),
            self.stream.task)
        if name:
            for task in self.tasks:
                task.name += f' of {name}'

    def start(self) -> None:
        """
        Take the description, and follow the topics.

        :raises DescriptionError: the description that the parameter gives has no meaning.
        """
        topic = self._namespace + 'robot_description'
        if self._settings['description_from_topic']:
            self._description = ModelSubscription(
                self._node, self._model, self._use, self._on_description, topic, self._logger)
        else:
            self._description = self._node.create_publisher(String, topic, ROBOT_DESCRIPTION)
            self._take_description()
        self._node.create_subscription(
            MultiDOFJointState, self._namespace + 'multi_dof_joint_states',
            self.stream.receive_multi_dof, JOINT_STATES)
        self._joint_states = RawSubscription(
            self._node, JointState, self._namespace + 'joint_states', self.stream.receive,
            JOINT_STATES, qos_overriding_options=QoSOverridingOptions.with_default_policies())

    def end(self) -> None:
        """Follow its joint states no more."""
        if self._joint_states is not None:
            self._joint_states.end()

    @property
    def static(self) -> tuple[tuple[Joint, ...], str]:
        """The joints whose frames are static, and the prefix of their frames."""
        joints = ()
        if self._settings['publish_tf'] and self._model.robot is not None:
            joints = static_joints(self._model.robot, self._settings['fix_multi_dof_joints'])
        return joints, self._settings['frame_prefix']

    def change(self, names: set[str]) -> None:
        """Go on as the parameters now say, of which some with these names were set."""
        if self._settings.full_name('robot_description') in names:
            self._take_description()
        elif self._model.robot is not None and not names.isdisjoint(
                map(self._settings.full_name, FRAME_PARAMETERS)):
            self.stream.set_frames(self._model.robot)
            self._on_robot()

    def _check(self, description):
        try:
            self._model.check(description)
        except DescriptionError as error:
            if self._model.robot is not None:
                self._logger.error(f'New description refused, the last one stays: {error}')
                self._on_description()
            raise

    def _take_description(self):
        robot = self._model.update(self._settings['robot_description'])
        log_problems(self._logger, robot)
        self._use(robot)
        self._description.publish(String(data=self._model.text))
        self._on_description()

    def _use(self, robot: Robot):
        self.stream.use(robot)
        self._on_robot()
        self._logger.info(
            f'Robot {robot.name!r}: {len(robot.links)} links, {len(robot.joints)} joints, '
            f'{len(self.static[0])} of them static')
