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

"""The robot of a state publisher: its description, and the frames that follow from it."""

from __future__ import annotations

from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from rclpy.clock import Clock
from rclpy.clock import JumpThreshold
from rclpy.clock import TimeJump
from rclpy.clock_type import ClockType
from rclpy.duration import Duration
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
from urdf_tools.ros.base_node import say_what_is_awaited
from urdf_tools.ros.current_model import CurrentModel
from urdf_tools.ros.current_model import log_problems
from urdf_tools.ros.current_model import model_status
from urdf_tools.ros.current_model import ModelSubscription
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import StartError
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


class PublishedRobot:
    """
    Publishes the description of a robot and its static frames, and sets up its pipeline.

    robot_description --> robot --> topic robot_description, /tf_static, frames of the pipeline

    :param node: the state publisher.
    :param file: path of the URDF file if the parameter is not given.
    :raises StartError: a parameter or the file is refused.
    :raises DescriptionError: the description does not describe a robot.
    """

    _publisher: Publisher[String] | None = None
    _pipeline: TfPipeline | None = None
    _static: tuple[Joint, ...] = ()
    _timer: Timer | None = None

    def __init__(self, node: BaseNode, file: str):
        self._node = node
        self._log = LimitedLog(node.get_logger())
        self._settings = Parameters(node, self._apply)
        self._settings.declare_table('state_publisher')
        self._model = CurrentModel(self._settings.declare_loops_file())
        uses_topic = self._settings['use_robot_description_topic']
        description = self._read(file) if file else ''
        if not uses_topic:
            self._settings.declare(
                'robot_description', description, 'Text of the robot description (URDF)',
                check=self._check, source=f'File {quote(file)}' if description else '')
        lock = Lock()
        self._updater = Updater(node, {'Model': partial(model_status, self._model)}, lock)
        # Wrong QoS overrides are refused before anything is published.
        declare_overrides(node, Publisher, '/tf_static', TF_STATIC, TF_STATIC_OVERRIDES)
        declare_overrides(node, Publisher, '/tf', TF, TF_OVERRIDES)
        declare_overrides(
            node, Subscription, 'joint_states', JOINT_STATES, JOINT_STATES_OVERRIDES)
        self._tf_static = RawPublisher(
            node, TFMessage, '/tf_static', TF_STATIC, qos_overriding_options=TF_STATIC_OVERRIDES)
        tf = RawPublisher(node, TFMessage, '/tf', TF, qos_overriding_options=TF_OVERRIDES)
        if self._settings['publish_tf']:
            tf.advertise()
        self._repeat()
        if not uses_topic:
            self._publisher = node.create_publisher(
                String, 'robot_description', ROBOT_DESCRIPTION)
            self._use_parameter()
        # This imports numpy and more, which the static frames do not wait for.
        from urdf_tools.nodes.state_publisher.tf_pipeline import TfPipeline
        self._pipeline = TfPipeline(node, self._settings.__getitem__, tf, lock)
        self._updater.tasks.update(self._pipeline.tasks)
        if self._model.robot is not None:
            self._pipeline.use(self._model.robot, len(self._static))
        self._pipeline.follow()
        if uses_topic:
            topic = ModelSubscription(
                node, self._model, self._use, self._updater.publish, log=self._log).topic
            say_what_is_awaited(node, lambda: '' if self._model.robot or self._model.error else (
                f'a robot description on {topic}, and publishes no frames'))
        else:
            self._updater.publish()
        self._jumps = node.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        warn_of_unknown(node)

    def _read(self, file: str) -> str:
        """Return the text of the URDF file, or an empty string if the parameter is given."""
        if self._settings['use_robot_description_topic']:
            raise StartError(
                f'Unexpected argument {quote(file)}: a URDF file is taken only without '
                'use_robot_description_topic')
        if 'robot_description' in getattr(self._node, '_parameter_overrides', ()):
            return ''
        self._node.get_logger().warning(
            'No robot_description parameter, but command-line argument available.  Assuming '
            'argument is name of URDF file.  This backwards compatibility fallback will be '
            'removed in the future.')
        from urdf_tools.model.xml.document import read_file
        try:
            return read_file(file).decode(errors='replace')
        except DescriptionError as error:
            error.hint = 'Give the path of a URDF file; a xacro file has to be expanded first'
            raise

    def _apply(self, changed: set[str]) -> None:
        """Apply the current parameters, some of which have changed."""
        if 'static_period' in changed:
            self._repeat()
        if self._pipeline is not None and changed & FILTER_PARAMETERS:
            self._pipeline.apply_filter_settings()
        if 'robot_description' in changed:
            self._use_parameter()
            self._updater.publish()
        elif self._model.robot is not None and changed & FRAME_PARAMETERS:
            self._use_frames(self._model.robot)

    def _rewind(self, _jump: TimeJump) -> None:
        if self._pipeline is not None:
            self._pipeline.rewind()
        self._node.get_logger().warning('Time jumped backwards; every joint is published again')

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
        text = self._settings['robot_description']
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
            f'{len(self._static)} of them static')

    def _use_frames(self, robot: Robot) -> None:
        """Publish the frames by the current parameters."""
        self._static = ()
        if self._settings['publish_tf']:
            self._static = static_joints(robot, self._settings['fix_multi_dof_joints'])
            self._tf_static.advertise()
        self._publish_static()
        if self._pipeline is not None:
            self._pipeline.use(robot, len(self._static))

    def _publish_static(self) -> None:
        """Publish all static frames: a late subscriber finds none of an earlier description."""
        if self._tf_static.advertised:
            self._tf_static.publish(static_message(
                self._static, self._settings['frame_prefix'],
                self._node.get_clock().now().nanoseconds))

    def _repeat(self) -> None:
        """Publish the static frames periodically in real time, if a period is set."""
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if self._settings['static_period']:
            self._timer = self._node.create_timer(
                self._settings['static_period'], self._publish_static,
                clock=Clock(clock_type=ClockType.STEADY_TIME))
