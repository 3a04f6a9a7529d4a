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

"""Publish joint states where no driver does: at zero, swept, or merged from other topics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
import sys

from rclpy.node import Node
from sensor_msgs.msg import JointState

from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.joint_state_source.joint_source import JointSource
from urdf_tools.nodes.joint_state_source.joint_source import JointValues
from urdf_tools.nodes.joint_state_source.parameters import declare_options
from urdf_tools.nodes.joint_state_source.sources_task import FAULTS
from urdf_tools.nodes.joint_state_source.sources_task import SourcesTask
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.fault_log import FaultLog
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import run
from urdf_tools.ros.process import StartError
from urdf_tools.ros.qos import JOINT_STATES
from urdf_tools.ros.robot_state.current_model import CurrentModel
from urdf_tools.ros.robot_state.current_model import ModelSubscription
from urdf_tools.ros.robot_state.tasks import ModelTask


class JointStateSource(Node):
    """
    Does what joint_state_publisher does, without a window.

    /robot_description --> JointSource <-- topics of source_list
    JointSource --> joint_states
    """

    _model: ModelSubscription | None = None

    def __init__(self) -> None:
        # Only the user knows the names of parameters such as zeros.<joint>.
        try:
            super().__init__(
                'joint_state_source', automatically_declare_parameters_from_overrides=True)
        except ValueError as error:
            raise StartError(
                'A parameter is an empty list, which has no type in ROS; omit it') from error
        parameters = Parameters(self)
        rate = parameters.declare(
            'rate', 10, 'Publish rate (Hz)', minimum=1, maximum=1000, read_only=True)
        self._options = declare_options(self, parameters)
        # The default is not an empty list, because that has no type in ROS.
        topics = list(filter(None, parameters.declare(
            'source_list', [''], 'Topics of joint states to merge', read_only=True)))
        self._step = 1.0 / rate
        self._source: JointSource | None = None
        self._faults = FaultLog(self.get_logger().warning, FAULTS)
        self._task = SourcesTask(topics, self._faults.counts)
        model = CurrentModel()
        self._updater = Updater(self, ModelTask(model), self._task)
        self._publisher = self.create_publisher(JointState, 'joint_states', 10)
        for topic in topics:
            self._subscribe(topic)
        self._model = ModelSubscription(self, model, self._use, self._updater.publish)
        self.create_timer(self._step, self._publish)
        warn_of_unknown(self, ('zeros.', 'dependent_joints.'))

    def destroy_node(self) -> None:
        if self._model is not None:
            self._model.end()
        super().destroy_node()

    def _subscribe(self, topic: str) -> None:
        if self.resolve_topic_name(topic) == self._publisher.topic_name:
            raise StartError(f'source_list contains {topic!r}, the topic that is published')
        self.create_subscription(
            JointState, topic, partial(self._merge, topic), JOINT_STATES)

    def _use(self, robot: Robot) -> None:
        start = {} if self._source is None else self._source.positions
        try:
            self._source = JointSource(robot, self._options, start)
        except ValueError as error:
            self._task.error = str(error)
            self.get_logger().error(
                printable(f'No joint states for robot {quote(robot.name)}: {error}'))
            return
        self._task.error = ''
        self._task.joints = len(self._source.values().names)
        if self._source.unused:
            self.get_logger().warning(printable(
                f'Parameters that apply to no joint of robot {quote(robot.name)}: '
                f'{name_list(self._source.unused)}'))

    def _merge(self, topic: str, message: JointState) -> None:
        self._task.received(topic)
        if self._source is None:
            return
        values = JointValues(message.name, message.position, message.velocity, message.effort)
        try:
            skipped = self._source.report(values)
        except ValueError as error:
            reason = f'{topic}: {error}'
            self._faults.add('wrong length', detail=lambda: reason)
        else:
            if skipped:
                self._faults.add('non-finite', skipped, lambda: topic)

    def _publish(self) -> None:
        if self._source is None:
            return
        self._source.step(self._step)
        values = self._source.values()
        self._task.joints = len(values.names)
        if not values.names:
            return
        message = JointState(
            name=values.names, position=values.positions, velocity=values.velocities,
            effort=values.efforts)
        message.header.stamp = self.get_clock().now().to_msg()
        self._publisher.publish(message)
        self._task.published += 1


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('joint_state_source', JointStateSource, args)


if __name__ == '__main__':
    sys.exit(main())
