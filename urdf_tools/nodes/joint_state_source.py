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
from collections.abc import Set
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from functools import partial
import math
import time
from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import TEXTS
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.records import FAR
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import say_what_is_awaited
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

FAULTS = TEXTS['sources']
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
        self._options = declare_options(self, parameters)
        # The default is not an empty list, because that has no type in ROS.
        topics = list(filter(None, parameters['source_list']))
        self._step = 1.0 / parameters['rate']
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
        say_what_is_awaited(self, self._awaited)
        warn_of_unknown(self, ('zeros.', 'dependent_joints.'))

    def _awaited(self) -> str:
        """Return what is missing to publish joint states, or an empty text."""
        waits = [] if self._source is not None else [f'a robot description on {self._model.topic}']
        if self.get_clock().now().nanoseconds == 0:
            waits.append('the time on /clock, as use_sim_time is true')
        return ' and '.join(waits)

    def _use(self, robot: Robot) -> None:
        start = {} if self._source is None else self._source.positions
        try:
            self._source = JointSource(robot, self._options, start)
        except ValueError as error:
            self._task.error = str(error)
            self._model.log.error(
                printable(f'Cannot publish joint states of robot {quote(robot.name)}: {error}'))
            return
        self._passive = PassiveJoints(robot) if robot.loops else None
        self._task.error = ''
        self._task.joints = len(self._source.state().name)
        if self._source.unused:
            self._model.log.warning(printable(
                f'Parameters that apply to no joint of robot {quote(robot.name)}: '
                f'{name_list(self._source.unused)}'))

    def _merge(self, topic: str, message: JointState) -> None:
        self._task.received(topic)
        if self._source is None:
            return
        try:
            skipped = self._source.report(message)
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
        state = self._source.state()
        if self._passive is not None:
            state = self._passive.closed(state, self._source.reported)
            self._task.open_loops = self._passive.fault
        self._task.joints = len(state.name)
        if state.name:
            state.header.stamp = self.get_clock().now().to_msg()
            self._publisher.publish(state)
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
    parameters.declare_table('joint_state_source')
    try:
        return Options(
            defaults=(
                parameters['publish_default_positions'], parameters['publish_default_velocities'],
                parameters['publish_default_efforts']),
            zeros={name: _number(parameter)
                   for name, parameter in node.get_parameters_by_prefix('zeros').items()},
            dependent_joints=_dependent_joints(node), **{name: parameters[name] for name in (
                'use_mimic_tags', 'use_smallest_joint_limits', 'delta', 'sweep_period')})
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


MIN_PERIOD = 0.1
"""Shortest period of a sweep, in seconds."""


@dataclass(frozen=True)
class Options:
    """
    How a :class:`JointSource` fills in what is not measured; radians or metres.

    :param defaults: whether positions, velocities and efforts have a value from the start.
    :param use_mimic_tags: whether to follow ``<mimic>``.
    :param use_smallest_joint_limits: whether soft limits narrow the ranges.
    :param zeros: initial positions other than 0.
    :param dependent_joints: joints that mimic others, overriding the description.
    :param delta: step of each joint; it reverses at the limits.
    :param sweep_period: seconds in which each joint sweeps its range and back.
    :raises ValueError: the period is too short, or both kinds of motion are given.
    """

    defaults: tuple[bool, bool, bool] = (True, False, False)
    use_mimic_tags: bool = True
    use_smallest_joint_limits: bool = True
    zeros: Mapping[str, float] = field(default_factory=dict)
    dependent_joints: Mapping[str, Mimic] = field(default_factory=dict)
    delta: float = 0.0
    sweep_period: float = 0.0

    def __post_init__(self) -> None:
        if self.sweep_period != 0.0 and self.sweep_period < MIN_PERIOD:
            raise ValueError(
                f'sweep_period is {self.sweep_period}; it must be 0 or at least {MIN_PERIOD} s')
        if self.delta and self.sweep_period:
            raise ValueError('delta and sweep_period are both given; set one of them to 0')


QUANTITIES = ('position', 'velocity', 'effort')
"""Quantities of a ``JointState``: each is empty, or has one value per joint."""


class JointSource:
    """
    The state of every joint of a robot with one degree of freedom.

    A joint is at its zero (0, or the middle of a range without 0) until it is swept or its
    position is reported; a reported joint is no longer swept. Mimic joints follow the joint they
    mimic. Fixed, planar and floating joints are left out.

    :param start: positions that take precedence over zeros, such as those of an earlier
        description.
    :ivar unused: options that apply to no joint of the robot.
    :raises ValueError: joints mimic each other in a cycle.
    """

    def __init__(
            self, robot: Robot, options: Options = Options(),
            start: Mapping[str, float] | None = None):
        robot = _with_relations(robot, options)
        joints = {joint.name: joint for joint in robot.tree if joint.type.dof == 1}
        relations = resolve_mimic(robot)
        ranges = _ranges(joints, relations, options.use_smallest_joint_limits)
        first = {**options.zeros, **(start or {})}
        self._options = options
        self._relations = {name: relations.get(name, Mimic(name)) for name in joints}
        self._leaders = {
            name: _Leader(joint, ranges[name], options.defaults, first.get(name))
            for name, joint in joints.items() if name not in relations}
        self.unused = (
            *(f'zeros.{name}' for name in options.zeros if name not in self._leaders),
            *(f'dependent_joints.{name}' for name in options.dependent_joints
              if name not in relations))

    @property
    def positions(self) -> dict[str, float]:
        """Known positions, in radians or metres, of the joints that mimic no other."""
        return {name: leader.position for name, leader in self._leaders.items()
                if leader.position is not None}

    @property
    def reported(self) -> set[str]:
        """Names of the joints whose state was reported."""
        return {name for name, leader in self._leaders.items() if leader.reported}

    def step(self, seconds: float) -> None:
        """Move the joints that are not reported by one step of this duration."""
        for leader in self._leaders.values():
            if leader.reported or leader.position is None:
                continue
            if self._options.sweep_period:
                leader.sweep(seconds, self._options.sweep_period)
            elif self._options.delta:
                leader.advance(seconds, self._options.delta)

    def report(self, state: JointState) -> int:
        """
        Set the reported state of joints; that of mimic joints is ignored.

        :return: number of values skipped because they are not finite.
        :raises ValueError: a quantity has values, but not one per name.
        """
        for quantity in QUANTITIES:
            number = len(getattr(state, quantity))
            if number not in (0, len(state.name)):
                raise ValueError(f'{len(state.name)} names but {number} values of {quantity}')
        refused = 0
        for quantity in QUANTITIES:
            for name, value in zip(state.name, getattr(state, quantity)):
                if not math.isfinite(value):
                    refused += 1
                elif name in self._leaders:
                    setattr(self._leaders[name], quantity, value)
                    self._leaders[name].reported = True
        return refused

    def state(self) -> JointState:
        """
        Return the known state of the joints.

        If any position is known, joints without one are left out. An unknown velocity or effort
        is 0 if others are known.
        """
        states = [(name, *self._leaders[relation.joint].state_of(relation))
                  for name, relation in self._relations.items()]
        for quantity in (1, 2, 3):
            known = [state for state in states if state[quantity] is not None]
            if known:
                names, *columns = zip(*known)
                return JointState(
                    name=[*names], **dict(zip(QUANTITIES, map(_fill, columns))))
        return JointState()


class _Leader:
    """A joint that mimics no other: its range, its state, and its motion."""

    def __init__(
            self, joint: Joint, limits: tuple[float, float], defaults: tuple[bool, bool, bool],
            first: float | None):
        self._lower, self._upper = limits
        self._middle = self._lower / 2 + self._upper / 2
        self._reach = self._upper / 2 - self._lower / 2
        self._turns = joint.type is JointType.CONTINUOUS
        self._direction = 1.0
        self.position, self.velocity, self.effort = (0.0 if known else None for known in defaults)
        self.reported = False
        if self.position is not None:
            rest = 0.0 if self._lower <= 0.0 <= self._upper else self._middle
            self.position = self._in_range(rest if first is None else first)
        ratio = ((self.position or 0.0) - self._middle) / self._reach if self._reach else 0.0
        self._phase = math.asin(max(-1.0, min(1.0, ratio)))

    def _in_range(self, position: float) -> float:
        if self._turns:
            return math.remainder(position, 2 * math.pi)
        return max(self._lower, min(self._upper, position))

    def sweep(self, seconds: float, period: float) -> None:
        """Move along a sine that reaches both limits once per period."""
        rate = 2 * math.pi / period
        self._phase = math.remainder(self._phase + rate * seconds, 2 * math.pi)
        self.position = self._in_range(self._middle + self._reach * math.sin(self._phase))
        if self.velocity is not None:
            self.velocity = self._reach * rate * math.cos(self._phase)

    def advance(self, seconds: float, delta: float) -> None:
        """Move by a step and reverse at a limit; a continuous joint goes on."""
        moved = (self.position or 0.0) + self._direction * delta
        self.position = self._in_range(moved)
        if self.velocity is not None:
            self.velocity = self._direction * delta / seconds
        if not self._turns and self.position != moved:
            self._direction = -self._direction

    def state_of(self, relation: Mimic) -> tuple[float | None, float | None, float | None]:
        """Return position, velocity and effort of a joint with this mimic relation."""
        return (
            _scaled(self.position, relation.multiplier, relation.offset),
            _scaled(self.velocity, relation.multiplier),
            self.effort)


def joint_range(joint: Joint, soft: bool = True) -> tuple[float, float]:
    """
    Return lower and upper end of the range of a joint with one degree of freedom.

    Without usable limits it is one turn about zero for a joint that turns, and only zero for one
    that slides.

    :param soft: whether soft limits narrow the range, unless they would leave none.
    :return: in radians or metres.
    """
    limits = joint.limits
    if limits is None or limits.lower <= -FAR or limits.upper >= FAR:
        return (0.0, 0.0) if joint.type is JointType.PRISMATIC else (-math.pi, math.pi)
    hard = (limits.lower, limits.upper)
    if not soft or joint.safety is None:
        return hard
    lower, upper = joint.safety.soft_lower, joint.safety.soft_upper
    return _intersection(hard, (
        -math.inf if lower is None else lower, math.inf if upper is None else upper))


def _with_relations(robot: Robot, options: Options) -> Robot:
    """Return the robot with the mimic relations of the options."""
    joints = {}
    for name, joint in robot.joints.items():
        default = joint.mimic if options.use_mimic_tags else None
        relation = options.dependent_joints.get(name, default)
        leader = None if relation is None else robot.joints.get(relation.joint)
        if leader is None or leader.type.dof != 1:
            relation = None
        joints[name] = replace(joint, mimic=relation)
    leaders = {name: joint.mimic.joint for name, joint in joints.items() if joint.mimic}
    for cycle in find_cycles(leaders):
        raise ValueError(
            f'Joints mimic each other in a cycle: {name_list((*cycle, cycle[0]), " -> ")}')
    return replace(robot, joints=joints)


def _ranges(
        joints: Mapping[str, Joint], relations: Mapping[str, Mimic],
        soft: bool) -> dict[str, tuple[float, float]]:
    """Return the range of each joint, narrowed to keep joints that mimic it in theirs."""
    ranges = {name: joint_range(joint, soft) for name, joint in joints.items()}
    for name, relation in relations.items():
        if relation.multiplier and joints[name].type is not JointType.CONTINUOUS:
            lower, upper = sorted(
                (end - relation.offset) / relation.multiplier for end in ranges[name])
            ranges[relation.joint] = _intersection(ranges[relation.joint], (lower, upper))
    return ranges


def _intersection(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return the intersection of two ranges, or the first range if that is empty or a point."""
    lower, upper = max(first[0], second[0]), min(first[1], second[1])
    return (lower, upper) if lower < upper else first


def _scaled(value: float | None, multiplier: float, offset: float = 0.0) -> float | None:
    if value is None:
        return None
    scaled = multiplier * value + offset
    return scaled if math.isfinite(scaled) else None


def _fill(column: Sequence[float | None]) -> tuple[float, ...]:
    return () if all(value is None for value in column) else tuple(
        0.0 if value is None else value for value in column)


class PassiveJoints:
    """
    Closes the loops of a robot in the joint states of a :class:`JointSource`.

    :param robot: with loops.
    :ivar fault: a message about loops that stay open, or an empty text.
    """

    def __init__(self, robot: Robot):
        self._mechanism = Mechanism(robot)
        self._tracker = LoopTracker(self._mechanism)
        self.fault = ''
        self._in_loops = {name for group in self._mechanism.groups for name in group.variables}

    def closed(self, state: JointState, reported: Set[str]) -> JointState:
        """
        Return the state with positions that close the loops, or else the last ones that did.

        Joints that follow from others in a way that is not known are left out.

        :param reported: names of the joints that are measured; in loops without any, the
            independent ones count.
        """
        given = dict(zip(state.name, state.position))
        measured = {
            name for group in self._mechanism.groups
            for name in reported & {*group.variables} or (
                {*self._mechanism.independent} & {*group.variables})}
        if not measured <= given.keys():
            return state
        tree = self._mechanism.tree
        closure = self._tracker.update(tree.configuration({
            name: position for name, position in given.items()
            if name in tree.variable_index}), measured)
        known = {*self._tracker.determined(measured)}
        self.fault = self._tracker.unplaced(measured, 'give some of {} in "initial" of loops_file')
        for name in [*given]:
            mimic = tree.mimic.get(name, Mimic(name))
            leader = mimic.joint
            if leader in known:
                position = float(closure.positions[tree.variable_index[leader]])
                given[name] = mimic.multiplier * position + mimic.offset
            elif leader in measured:
                given[name] = mimic.multiplier * given[leader] + mimic.offset
            elif leader in self._in_loops:
                del given[name]
        kept = [index for index, name in enumerate(state.name) if name in given]
        velocity, effort = ([each[index] for index in kept] if each else []
                            for each in (state.velocity, state.effort))
        return JointState(
            name=[*given], position=[*given.values()], velocity=velocity, effort=effort)
