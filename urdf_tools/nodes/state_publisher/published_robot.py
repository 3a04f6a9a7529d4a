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

"""One robot of the state publisher: its description, and the frames that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set
from functools import partial
from typing import Any
from typing import TYPE_CHECKING

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.subscription import Subscription
from rclpy.timer import Timer
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.messages.tf_messages import static_joints
from urdf_tools.messages.tf_messages import static_message
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.current_model import CurrentModel
from urdf_tools.ros.current_model import log_problems
from urdf_tools.ros.current_model import model_status
from urdf_tools.ros.current_model import ModelSubscription
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.topics import declare_overrides
from urdf_tools.ros.topics import JOINT_STATES
from urdf_tools.ros.topics import JOINT_STATES_OVERRIDES
from urdf_tools.ros.topics import RawPublisher
from urdf_tools.ros.topics import ROBOT_DESCRIPTION
from urdf_tools.ros.topics import TF
from urdf_tools.ros.topics import TF_OVERRIDES
from urdf_tools.ros.topics import TF_STATIC
from urdf_tools.ros.topics import TF_STATIC_OVERRIDES

if TYPE_CHECKING:
    from urdf_tools.nodes.state_publisher.tf_pipeline import TfPipeline

FILTER_PARAMETERS = frozenset((
    'ignore_timestamp', 'publish_frequency', 'publish_tf', 'stamp_policy'))
"""Parameters that determine which joint states are published."""

FRAME_PARAMETERS = frozenset(('frame_prefix', 'publish_tf', 'fix_multi_dof_joints'))
"""Parameters that decide which frames there are, and which of them are static."""

_OF_ONE_ROBOT = frozenset(('frame_prefix', 'loops_file', 'robot_description'))


class PublishedRobot:
    """
    Publishes the description of a robot and its static frames, and sets up its pipeline.

    robot_description --> robot --> topic robot_description, static frames, frames of the pipeline

    :param parameters: the state publisher's; ``robot_description``, ``frame_prefix`` and
        ``loops_file`` of the robot are declared in addition. If it has a name, theirs begin with
        the name and a dot.
    :param static_frames: where its static frames go.
    :param updater: gets its diagnostics.
    :param name: of the robot, or an empty string for a single one.
    :param description: its URDF, if the parameter is not given.
    :ivar logger: of the robot.
    :ivar namespace: of its topics, with a slash at its end if it is not empty.
    :ivar tf_publisher: of ``/tf``.
    :raises StartError: a parameter is refused.
    """

    _publisher: Publisher[String] | None = None
    _pipeline: TfPipeline | None = None
    _static = 0

    def __init__(
            self, node: BaseNode, parameters: Parameters, static_frames: StaticFrames,
            updater: Updater, name: str, description: str = ''):
        self.logger = node.get_logger().get_child(name) if name else node.get_logger()
        self._log = LimitedLog(self.logger)
        self.namespace = f'{name}/' if name else ''
        self._node = node
        self._name = name
        self._parameters = parameters
        self._static_frames = static_frames
        self._updater = updater
        self._model = CurrentModel(parameters.declare_loops_file(self._full_name('loops_file')))
        if not parameters['use_robot_description_topic']:
            parameters.declare(
                self._full_name('robot_description'), description,
                'Text of the robot description (URDF)', check=self._check)
        parameters.declare(
            self._full_name('frame_prefix'), self.namespace,
            'Prefix prepended to every frame ID')
        # Wrong QoS overrides are refused before anything is published.
        declare_overrides(node, Publisher, '/tf', TF, TF_OVERRIDES)
        declare_overrides(node, Subscription, self.namespace + 'joint_states', JOINT_STATES,
                          JOINT_STATES_OVERRIDES)
        self.tf_publisher = RawPublisher(
            node, TFMessage, '/tf', TF, qos_overriding_options=TF_OVERRIDES)
        if parameters['publish_tf']:
            self.tf_publisher.advertise()

    def setting(self, name: str) -> Any:
        """Return the current value of a parameter for this robot."""
        return self._parameters[self._full_name(name)]

    def start(self) -> None:
        """
        Publish the description and the static frames if the parameter has a description.

        :raises DescriptionError: the parameter's text does not describe a robot.
        """
        if not self.setting('use_robot_description_topic'):
            self._publisher = self._node.create_publisher(
                String, self.namespace + 'robot_description', ROBOT_DESCRIPTION)
            self._use_parameter()

    def feed(self, pipeline: TfPipeline) -> None:
        """Pass each new robot to a pipeline; subscribe to the description topic if used."""
        self._pipeline = pipeline
        owner = f' of {self._name}' if self._name else ''
        self._updater.tasks['Model' + owner] = partial(model_status, self._model)
        for name, task in pipeline.tasks.items():
            self._updater.tasks[name + owner] = task
        if self._publisher is None:
            ModelSubscription(
                self._node, self._model, self._use, self._updater.publish,
                self.namespace + 'robot_description', self._log)
        elif self._model.robot is not None:
            pipeline.use(self._model.robot, self._static)
            self._updater.publish()

    def apply(self, changed: Set[str]) -> None:
        """Apply the current parameters, some of which have changed."""
        if self._pipeline is not None and self._is_any(FILTER_PARAMETERS, changed):
            self._pipeline.apply_filter_settings()
        if self._is_any({'robot_description'}, changed):
            self._use_parameter()
            self._updater.publish()
        elif self._model.robot is not None and self._is_any(FRAME_PARAMETERS, changed):
            self._use_frames(self._model.robot)

    def rewind(self) -> None:
        """Publish every joint again, because time jumped backwards."""
        if self._pipeline is not None:
            self._pipeline.rewind()

    def _full_name(self, parameter: str) -> str:
        return f'{self._name}.{parameter}' if self._name and parameter in _OF_ONE_ROBOT else (
            parameter)

    def _is_any(self, parameters: Set[str], changed: Set[str]) -> bool:
        """Return whether one of some parameters of this robot is among those that changed."""
        return not changed.isdisjoint(map(self._full_name, parameters))

    def _check(self, description: str) -> None:
        try:
            self._model.check(description)
        except DescriptionError as error:
            if self._model.robot is not None:
                self._log.error(
                    printable(f'New description refused, keeping the last good one: {error}'))
                self._updater.publish()
            raise

    def _use_parameter(self) -> None:
        text = self.setting('robot_description')
        robot = self._model.check(text)
        log_problems(self._log, robot)
        self._use(robot)
        self._model.use(robot, text)
        if self._publisher is not None:
            self._publisher.publish(String(data=text))

    def _use(self, robot: Robot) -> None:
        self._use_frames(robot)
        self._log.info(
            f'Robot {quote(robot.name)}: {len(robot.links)} links, {len(robot.joints)} joints, '
            f'{self._static} of them static')

    def _use_frames(self, robot: Robot) -> None:
        """Publish the frames by the current parameters."""
        if self.setting('publish_tf'):
            joints = static_joints(robot, self.setting('fix_multi_dof_joints'))
            self._static = len(joints)
            self._static_frames.set(self._name, joints, self.setting('frame_prefix'))
        else:
            self._static = 0
            self._static_frames.remove(self._name)
        if self._pipeline is not None:
            self._pipeline.use(robot, self._static)


class StaticFrames:
    """
    Publishes ``/tf_static``.

    Each message is the complete set of all robots, so that late subscribers find no frame that
    an earlier description had.
    """

    def __init__(self, node: Node):
        self._node = node
        declare_overrides(node, Publisher, '/tf_static', TF_STATIC, TF_STATIC_OVERRIDES)
        self._publisher = RawPublisher(
            node, TFMessage, '/tf_static', TF_STATIC, qos_overriding_options=TF_STATIC_OVERRIDES)
        self._frames: dict[str, tuple[Sequence[Joint], str]] = {}
        self._timer: Timer | None = None

    def set(self, robot: str, joints: Sequence[Joint], prefix: str) -> None:
        """
        Replace the static frames of one robot.

        :param robot: its name among the robots of the state publisher.
        :param joints: the joints whose child frames are static.
        :param prefix: prepended to every frame ID.
        """
        self._frames[robot] = joints, prefix
        self._publisher.advertise()
        self._publish()

    def remove(self, robot: str) -> None:
        """Remove the static frames of one robot; the topic is advertised only for others."""
        self._frames.pop(robot, None)
        self._publish()

    def repeat(self, period: float) -> None:
        """
        Publish again periodically from now on.

        :param period: in seconds of real time; 0 is never.
        """
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if period:
            self._timer = self._node.create_timer(
                period, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _publish(self) -> None:
        if not self._publisher.advertised:
            return
        stamp = self._node.get_clock().now().nanoseconds
        self._publisher.publish(static_message(self._frames.values(), stamp))
