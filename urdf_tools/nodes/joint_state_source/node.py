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

from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
import time
from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.nodes.joint_state_source.joint_source import JointSource
from urdf_tools.nodes.joint_state_source.joint_source import JointValues
from urdf_tools.nodes.joint_state_source.joint_source import Options
from urdf_tools.nodes.joint_state_source.joint_source import PassiveJoints
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.current_model import CurrentModel
from urdf_tools.ros.current_model import model_status
from urdf_tools.ros.current_model import ModelSubscription
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import check_finite
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import StartError
from urdf_tools.ros.topics import JOINT_STATES

SILENCE = 5.0
"""Seconds without a message after which a topic is reported as silent."""

FAULTS = {
    'wrong length': 'Joint states have different numbers of names and values, and are skipped',
    'non-finite': 'Joint states have values that are not finite; these are skipped'}
"""Kind of fault in a received joint state to what is logged about it."""


class JointStateSource(BaseNode):
    """
    Does what joint_state_publisher does, without a window.

    /robot_description --> JointSource <-- topics of source_list
    JointSource --> joint_states
    """

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
        self._passive: PassiveJoints | None = None
        self._faults = FaultLog(self.get_logger().warning, FAULTS)
        self._task = SourcesTask(topics, self._faults.counts)
        model = CurrentModel(parameters.declare_loops_file())
        self._updater = Updater(self, {
            'Model': partial(model_status, model), 'Joint sources': self._task.run})
        self._publisher = self.create_publisher(JointState, 'joint_states', 10)
        for topic in topics:
            if self.resolve_topic_name(topic) == self._publisher.topic_name:
                raise StartError(f'source_list contains {topic!r}, the topic that is published')
            self.create_subscription(JointState, topic, partial(self._merge, topic), JOINT_STATES)
        self._model = ModelSubscription(self, model, self._use, self._updater.publish)
        self.create_timer(self._step, self._publish)
        warn_of_unknown(self, ('zeros.', 'dependent_joints.'))

    def _use(self, robot: Robot) -> None:
        start = {} if self._source is None else self._source.positions
        try:
            self._source = JointSource(robot, self._options, start)
        except ValueError as error:
            self._task.error = str(error)
            self._model.log.error(
                printable(f'Cannot publish joint states of robot {quote(robot.name)}: {error}'))
            return
        self._passive = None
        if robot.loops:
            self._passive = PassiveJoints(robot)
        self._task.error = ''
        self._task.joints = len(self._source.values().names)
        if self._source.unused:
            self._model.log.warning(printable(
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
        if self._passive is not None:
            values = self._passive.closed(values, self._source.reported)
            self._task.open_loops = self._passive.fault
        self._task.joints = len(values.names)
        if not values.names:
            return
        message = JointState(
            name=values.names, position=values.positions, velocity=values.velocities,
            effort=values.efforts)
        message.header.stamp = self.get_clock().now().to_msg()
        self._publisher.publish(message)
        self._task.published += 1


class SourcesTask:
    """
    Diagnostics of the published joint states, and of the source topics.

    :param topics: the topics that joint states are merged from.
    :param faults: number of faults in them, by the kinds of :data:`FAULTS`.
    :ivar error: why the newest description has no joint states, or an empty string.
    :ivar published: number of messages published.
    :ivar joints: number of joints with a state to publish; None before the first description.
    :ivar open_loops: a message about loops that stay open, or an empty text.
    """

    def __init__(self, topics: Sequence[str], faults: Counter[str]):
        self.error = ''
        self.published = 0
        self.joints: int | None = None
        self.open_loops = ''
        self._faults = faults
        self._last: dict[str, float | None] = dict.fromkeys(topics)
        self._rate = Rate()
        self._seen: Counter[str] = Counter()

    def received(self, topic: str) -> None:
        """Note a message on a topic."""
        self._last[topic] = time.monotonic()

    def run(self) -> Status:
        """Return the status of the topics."""
        now = time.monotonic()
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{self._rate(self.published):.2f}',
            **{f'Age of {topic} (s)': 'none' if last is None else f'{now - last:.3f}'
               for topic, last in self._last.items()},
            **{f'Skipped: {kind}': count for kind, count in sorted(self._faults.items())}}
        fresh = self._faults - self._seen
        self._seen = Counter(self._faults)
        silent = tuple(
            topic for topic, last in self._last.items() if last is None or now - last > SILENCE)
        skipped = [f'{count} skipped: {kind}' for kind, count in fresh.most_common(1)]
        cases = (
            (self.error, Level.ERROR, self.error),
            (self.joints is None, Level.WARN, NO_DESCRIPTION),
            (silent, Level.WARN, f'No joint states from {name_list(silent)}'),
            (self.open_loops, Level.WARN, self.open_loops),
            (skipped, Level.WARN, ''.join(skipped)),
            (not self.joints, Level.OK, 'There are no joint states to publish'),
            (True, Level.OK, 'Joint states are published'))
        level, text = next((level, text) for applies, level, text in cases if applies)
        return Status(level, text, values)


def declare_options(node: Node, parameters: Parameters) -> Options:
    """
    Declare and read the parameters that decide the positions of joints.

    :param node: created with ``automatically_declare_parameters_from_overrides``.
    :raises StartError: one of them is refused.
    """
    def declare(name: str, default: Any, description: str) -> Any:
        return parameters.declare(name, default, description, read_only=True)

    try:
        return Options(
            defaults=(
                declare('publish_default_positions', True, 'Whether to publish positions'),
                declare('publish_default_velocities', False, 'Whether to publish velocities'),
                declare('publish_default_efforts', False, 'Whether to publish efforts')),
            use_mimic_tags=declare('use_mimic_tags', True, 'Whether to follow <mimic>'),
            use_smallest_joint_limits=declare(
                'use_smallest_joint_limits', True, 'Whether soft limits narrow the ranges'),
            zeros={name: _number(parameter)
                   for name, parameter in node.get_parameters_by_prefix('zeros').items()},
            dependent_joints=_dependent_joints(node),
            delta=declare('delta', 0.0, 'Step of each joint per message (rad, m); 0 is no motion'),
            sweep_period=declare(
                'sweep_period', 0.0,
                'Period (s) in which each joint sweeps its range and back; 0 is no motion'))
    except ValueError as error:
        raise StartError(str(error)) from error


def _dependent_joints(node: Node) -> dict[str, Mimic]:
    given: dict[str, dict[str, Parameter[Any]]] = {}
    for key, parameter in node.get_parameters_by_prefix('dependent_joints').items():
        joint, _, field = key.rpartition('.')
        given.setdefault(joint, {})[field] = parameter
    return {joint: _mimic(joint, fields) for joint, fields in given.items()}


def _mimic(joint: str, fields: Mapping[str, Parameter[Any]]) -> Mimic:
    unknown = fields.keys() - {'parent', 'factor', 'offset'}
    if unknown:
        raise ValueError(
            f'dependent_joints.{joint}.{min(unknown)} is unknown; use parent, factor and offset')
    if 'parent' not in fields or not isinstance(fields['parent'].value, str):
        raise ValueError(f'dependent_joints.{joint}.parent must name the joint to follow')
    return Mimic(
        fields['parent'].value,
        **{attribute: _number(fields[field])
           for field, attribute in (('factor', 'multiplier'), ('offset', 'offset'))
           if field in fields})


def _number(parameter: Parameter[Any]) -> float:
    if isinstance(parameter.value, bool) or not isinstance(parameter.value, (int, float)):
        raise ValueError(f'{parameter.name} must be a number')
    check_finite(parameter)
    return float(parameter.value)
