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

from collections.abc import Mapping
from collections.abc import Set
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from rclpy.node import Node
from rclpy.publisher import Publisher
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.state_publisher.parameters import FILTER_PARAMETERS
from urdf_tools.nodes.state_publisher.parameters import FRAME_PARAMETERS
from urdf_tools.nodes.state_publisher.parameters import RobotParameters
from urdf_tools.nodes.state_publisher.static_frames import static_joints
from urdf_tools.nodes.state_publisher.static_frames import StaticFrames
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.qos import ROBOT_DESCRIPTION
from urdf_tools.ros.qos import TF
from urdf_tools.ros.qos import TF_OVERRIDES
from urdf_tools.ros.robot_state.current_model import CurrentModel
from urdf_tools.ros.robot_state.current_model import log_problems
from urdf_tools.ros.robot_state.current_model import ModelSubscription
from urdf_tools.ros.robot_state.tasks import ModelTask
from urdf_tools.ros.wire.raw_topics import RawPublisher

if TYPE_CHECKING:
    from urdf_tools.nodes.state_publisher.joint_frames import JointFrames


class PublishedRobot:
    """
    Turns a robot's description and joint states into frames.

    description --> robot --> robot_description, static frames, joint frames

    :param parameters: the state publisher's; those of the robot are declared in addition.
    :param static_frames: where its static frames go.
    :param updater: gets its diagnostics.
    :param lock: held while anything changes that the diagnostics read.
    :param name: namespace of the robot's topics and first part of its parameters' names, or
        :data:`NAMELESS`.
    :param description: its URDF, if the parameter is not given.
    :raises StartError: a parameter is refused.
    """

    _publisher: Publisher[String] | None = None
    _subscription: ModelSubscription | None = None
    _joint_frames: JointFrames | None = None
    _static = 0

    def __init__(
            self, node: Node, parameters: Parameters, static_frames: StaticFrames,
            updater: Updater, lock: AbstractContextManager[object], name: str,
            description: str = ''):
        self._node = node
        self._logger = node.get_logger().get_child(name) if name else node.get_logger()
        self._name = name
        self._namespace = f'{name}/' if name else ''
        self._static_frames = static_frames
        self._updater = updater
        self._lock = lock
        self._model = CurrentModel()
        self._settings = RobotParameters(parameters, name, self._check, description)
        # Created here, because wrong QoS overrides are refused before anything is published.
        self._tf = RawPublisher(
            node, TFMessage, '/tf', TF, qos_overriding_options=TF_OVERRIDES)

    def start(self) -> None:
        """
        Publish the description and the static frames if the parameter has a description.

        :raises DescriptionError: the parameter's text does not describe a robot.
        """
        if not self._settings['description_from_topic']:
            self._publisher = self._node.create_publisher(
                String, self._namespace + 'robot_description', ROBOT_DESCRIPTION)
            self._use_parameter()

    def follow(self) -> None:
        """Publish the moving frames, too, and follow the topics."""
        # This imports numpy and more, which the static frames do not wait for.
        from urdf_tools.nodes.state_publisher.joint_frames import JointFrames
        self._joint_frames = JointFrames(
            self._node, self._settings, self._tf, self._logger, self._lock)
        for task in (ModelTask(self._model), *self._joint_frames.tasks):
            if self._name:
                task.name += f' of {self._name}'
            self._updater.add(task)
        if self._publisher is None:
            self._subscription = ModelSubscription(
                self._node, self._model, self._use, self._updater.publish,
                self._namespace + 'robot_description', self._logger)
        elif self._model.robot is not None:
            self._joint_frames.use(self._model.robot, self._static)
            self._updater.publish()
        self._joint_frames.follow(self._namespace)

    def prepare(self, descriptions: Mapping[str, str]) -> None:
        """
        Parse a proposed description, in whichever thread.

        :param descriptions: the texts among proposed parameters, by the name of the parameter.
        """
        text = descriptions.get(self._settings.description_name)
        if text is not None:
            self._model.prepare(text)

    def end(self) -> None:
        """Stop following the topics."""
        if self._subscription is not None:
            self._subscription.end()
        if self._joint_frames is not None:
            self._joint_frames.end()

    def apply(self, changed: Set[str]) -> None:
        """Continue with the present parameters, some of which have changed."""
        if self._joint_frames is not None and self._settings.any_of(FILTER_PARAMETERS, changed):
            self._joint_frames.pipeline.apply_filter_settings()
        if self._settings.any_of({'robot_description'}, changed):
            self._use_parameter()
            self._updater.publish()
        elif self._model.robot is not None and self._settings.any_of(FRAME_PARAMETERS, changed):
            self._use_frames(self._model.robot)

    def rewind(self) -> None:
        """Publish every joint again, because time jumped backwards."""
        if self._joint_frames is not None:
            self._joint_frames.pipeline.rewind()

    def _check(self, description: str) -> None:
        try:
            self._model.check(description)
        except DescriptionError as error:
            if self._model.robot is not None:
                self._logger.error(
                    printable(f'New description refused, the last one stays: {error}'))
                self._updater.publish()
            raise

    def _use_parameter(self) -> None:
        robot = self._model.update(self._settings['robot_description'])
        log_problems(self._logger, robot)
        self._use(robot)
        if self._publisher is not None:
            self._publisher.publish(String(data=self._model.text))

    def _use(self, robot: Robot) -> None:
        self._use_frames(robot)
        self._logger.info(
            f'Robot {quote(robot.name)}: {len(robot.links)} links, {len(robot.joints)} joints, '
            f'{self._static} of them static')

    def _use_frames(self, robot: Robot) -> None:
        """Publish the frames by the present parameters."""
        joints: tuple[Joint, ...] = ()
        if self._settings['publish_tf']:
            joints = static_joints(robot, self._settings['fix_multi_dof_joints'])
        self._static = len(joints)
        self._static_frames.set(self._name, joints, self._settings['frame_prefix'])
        if self._joint_frames is not None:
            self._joint_frames.use(robot, self._static)
