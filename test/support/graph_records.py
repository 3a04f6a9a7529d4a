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

"""Running graphs as records, made without ROS: a sound robot, and what cases change in it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from support.joint_motions import joint_motions

from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import ClockTrack
from urdf_tools.doctor.observation import Controller
from urdf_tools.doctor.observation import ControllerManager
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import observed_robots
from urdf_tools.doctor.robots import robot_of
from urdf_tools.findings.finding import Severity
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.robot import JointType

MODEL = """<robot name="{name}">
  <link name="base"/><link name="mount"/><link name="arm"/><link name="tool"/>
  <joint name="screws" type="fixed">
    <parent link="base"/><child link="mount"/><origin xyz="0 0 0.5"/>
  </joint>
  <joint name="turn" type="revolute">
    <parent link="mount"/><child link="arm"/><origin xyz="0.1 0 0" rpy="0 0.3 0"/>
    <axis xyz="0 0 1"/><limit lower="-1.2" upper="1.2" effort="5" velocity="2"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="arm"/><child link="tool"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="5" velocity="2"/>
  </joint>
</robot>
"""

SECONDS = 5.0
"""How long the graph was observed."""

TIMES = np.arange(1, 51) / 10
"""Seconds from the beginning of the observation at which messages arrive."""

START = 10**18
"""The beginning of the observation in nanoseconds."""

LATCHED = Qos(transient_local=True)
BEST_EFFORT = Qos(reliable=False)
STRAIGHT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)

Array = np.ndarray
Numbers = Callable[[Array], Mapping[str, Array | float]]


def swinging(seconds: Array) -> dict[str, Array]:
    """Return the positions of a robot that moves within all limits."""
    return {'turn': 0.5 * np.sin(2 * seconds), 'slide': 0.3 * np.cos(seconds)}


def speeds(seconds: Array) -> dict[str, Array]:
    """Return the velocities of :func:`swinging`."""
    return {'turn': np.cos(2 * seconds), 'slide': -0.3 * np.sin(seconds)}


def no_efforts(seconds: Array) -> dict[str, Array]:
    """Return the efforts of a driver that does not report any."""
    return {}


def nanoseconds(seconds: Array) -> Array:
    """Return times of the observation in nanoseconds since the epoch."""
    return START + np.round(np.asarray(seconds) * 1e9).astype(np.int64)


def controlled(name: str = 'arm', **components: str) -> str:
    """
    Return the model with ``<ros2_control>``, where each component has a position.

    :param components: tags of more components than the two joints; empty to leave one out.
    """
    tags = {'turn': 'joint', 'slide': 'joint', **components}
    text = ''.join(
        f'<{tag} name="{component}"><command_interface name="position"/>'
        f'<state_interface name="position"/></{tag}>'
        for component, tag in tags.items() if tag)
    return MODEL.format(name=name).replace(
        '</robot>', '<ros2_control name="hardware" type="system"><hardware>'
        f'<plugin>mock_components/GenericSystem</plugin></hardware>{text}</ros2_control></robot>')


def active(name: str, *interfaces: str) -> Controller:
    """Return a controller that commands some interfaces."""
    return Controller(name, 'active', interfaces, interfaces, interfaces)


class Case(NamedTuple):
    """
    A rule about running graphs with one that violates it, and one that is just right.

    :param message: expected message of the finding about ``bad``.
    :param arguments: expected arguments of that message as data for JSON, besides topic and nodes.
    :param nodes: expected nodes at fault.
    :param hint: expected hint; by default that of the rule.
    :param also: other rules that ``bad`` and ``good`` may violate.
    """

    code: str
    bad: Callable[[], GraphRecords]
    good: Callable[[], GraphRecords]
    message: str
    arguments: Mapping[str, object] = {}
    nodes: tuple[str, ...] = ('/driver',)
    topic: str = '/joint_states'
    subject: str = ''
    hint: str = ''
    severity: Severity | None = None
    also: tuple[str, ...] = ()


class GraphRecords:
    """The nodes of a graph, and what was observed of them; methods return the graph itself."""

    def __init__(self) -> None:
        self._nodes: dict[str, None] = {}
        self._kinds: dict[str, str] = {}
        self._publishers: dict[str, list[Endpoint]] = {}
        self._subscribers: dict[str, list[Endpoint]] = {}
        self._texts: list[PublishedText] = []
        self._joints: list[JointTrack] = []
        self._frames: list[FrameTrack] = []
        self._parameters: dict[str, NodeParameters] = {}
        self._stamped: list[StampedTrack] = []
        self._managers: list[ControllerManager] = []
        self._others: dict[str, object] = {}

    def node(self, name: str, **parameters) -> GraphRecords:
        """Add a node; only one with parameters responds to requests for them."""
        self._nodes[name] = None
        if parameters:
            self._parameters[name] = NodeParameters(**parameters)
        return self

    def publisher(self, node: str, topic: str, kind: str, qos: Qos = Qos()) -> GraphRecords:
        """Add a publisher that has not published anything."""
        self._source(node, topic, kind, qos)
        return self

    def subscriber(self, node: str, topic: str, kind: str, qos: Qos = Qos()) -> GraphRecords:
        """Add a subscriber."""
        self.node(node)._kinds[topic] = kind
        self._subscribers.setdefault(topic, []).append(Endpoint(node, qos, kind=kind))
        return self

    def description(
            self, node: str, text: str, topic: str = '/robot_description',
            qos: Qos = LATCHED) -> GraphRecords:
        """Let a node publish a description."""
        self._source(node, topic, STRING, qos)
        self._texts.append(PublishedText(topic, node, text, *robot_of(text)))
        return self

    def joint_states(
            self, node: str, positions: Numbers, *, velocities: Numbers = no_efforts,
            efforts: Numbers = no_efforts, names: tuple[str, ...] = ('turn', 'slide'),
            topic: str = '/joint_states', times: Array = TIMES,
            stamps: Callable[[Array], Array] = nanoseconds, qos: Qos = Qos()) -> GraphRecords:
        """
        Let a node publish joint states.

        :param times: when they arrive, in seconds from the beginning of the observation.
        :param stamps: returns their stamps in nanoseconds.
        """
        def table(numbers: Numbers) -> Array:
            values = numbers(times)
            rows = [np.broadcast_to(values.get(name, 0.0), times.shape) for name in names]
            return np.array(rows).T if values else np.zeros((len(times), 0))

        self._joints.append(JointTrack(
            topic, self._source(node, topic, JOINT_STATE, qos), node, names, nanoseconds(times),
            stamps(times), table(positions), table(velocities), table(efforts)))
        return self

    def frames(
            self, node: str, parents: Mapping[str, str], transforms: object = STRAIGHT, *,
            topic: str = '/tf', times: Array = TIMES, delay: float | Array = 0.0,
            stamps: Callable[[Array], Array] | None = None, qos: Qos | None = None
            ) -> GraphRecords:
        """
        Let a node publish transforms.

        :param parents: name of each child frame to its parent.
        :param transforms: of a shape that broadcasts to (k, n, 7).
        :param delay: seconds by which they arrive after their stamps.
        :param stamps: returns the stamps in nanoseconds instead.
        """
        is_static = topic.endswith('tf_static')
        qos = qos or (LATCHED if is_static else Qos())
        received = nanoseconds(times)
        shape = len(times), len(parents)
        self._frames.append(FrameTrack(
            topic, self._source(node, topic, TF_MESSAGE, qos), node,
            is_static, tuple(parents.values()), tuple(parents), received,
            np.broadcast_to((nanoseconds(times - delay) if stamps is None else stamps(times))[
                :, None], shape),
            np.broadcast_to(np.array(transforms), (*shape, 7))))
        return self

    def stamped(
            self, node: str, topic: str, kind: str, frame: str, *, users: tuple[str, ...] = (),
            times: Array = TIMES, stamps: Callable[[Array], Array] = nanoseconds,
            qos: Qos = Qos(), child: str = '',
            values: Callable[[Array], Array] | None = None) -> GraphRecords:
        """
        Let a node publish data that refer to a frame.

        :param users: nodes that listen to them and to ``/tf``.
        :param values: returns the numbers of an IMU or of odometry.
        """
        for user in users:
            self.subscriber(user, topic, kind, BEST_EFFORT).subscriber(user, '/tf', TF_MESSAGE)
        numbers = np.zeros((0, 0)) if values is None else values(times)
        self._stamped.append(StampedTrack(
            topic, kind, self._source(node, topic, kind, qos), node, frame, nanoseconds(times),
            stamps(times), child=child, values=numbers))
        return self

    def clock(self, node: str, time_of: Callable[[Array], Array]) -> GraphRecords:
        """Let a node publish /clock, with a time in seconds for each one of its messages."""
        self.publisher(node, '/clock', 'rosgraph_msgs/msg/Clock')
        self._others['clock'] = ClockTrack(
            nanoseconds(TIMES), (time_of(TIMES) * 1e9).astype(np.int64))
        return self

    def manager(
            self, *controllers: Controller, node: str = '/controller_manager',
            description: str = '/robot_description',
            interfaces: tuple[str, ...] = ('turn/position', 'slide/position'),
            silent: str = '') -> GraphRecords:
        """
        Add a controller manager.

        :param description: the topic of its description; empty if it does not subscribe to one.
        """
        self.node(node)
        if description:
            self.subscriber(node, description, STRING, LATCHED)
        self._managers.append(ControllerManager(node, silent=silent) if silent else (
            ControllerManager(node, controllers, interfaces, interfaces)))
        return self

    def observed(self, **others: object) -> GraphRecords:
        """Set other fields of the observation."""
        self._others.update(others)
        return self

    def observation(self) -> Observation:
        """Return what was observed."""
        graph = Graph(tuple(self._nodes), self._kinds, *(
            {topic: tuple(ends.get(topic, ())) for topic in self._kinds}
            for ends in (self._publishers, self._subscribers)))
        robots = observed_robots(graph, self._texts, self._frames, self._parameters)
        return replace(Observation(
            graph, SECONDS, int(nanoseconds(np.array(SECONDS))), robots, tuple(self._texts),
            tuple(self._joints), tuple(self._frames), self._parameters,
            managers=tuple(self._managers), stamped=tuple(self._stamped)), **self._others)

    def _source(self, node: str, topic: str, kind: str, qos: Qos) -> bytes:
        """Add a publisher, and return its gid."""
        self.node(node)._kinds[topic] = kind
        ends = self._publishers.setdefault(topic, [])
        gid = f'{topic} {node} {len(ends)}'.encode()
        ends.append(Endpoint(node, qos, gid, kind))
        return gid


def robot(
        text: str = '', *, positions: Numbers = swinging, velocities: Numbers = speeds,
        efforts: Numbers = no_efforts, tf_positions: Numbers = swinging,
        names: tuple[str, ...] = ('turn', 'slide'), left_out: tuple[str, ...] = (),
        prefix: str = '', namespace: str = '', description_qos: Qos = LATCHED, drives: bool = True,
        tf_delay: float = 0.0, **joint_states) -> GraphRecords:
    """
    Return a robot: its state publisher and, unless it has none, its driver.

    :param text: its description; by default that of the model, of which the frames are anyway.
    :param tf_positions: of the frames; by default those that the driver publishes by default.
    :param left_out: joints whose frames are not published.
    :param joint_states: further arguments of :meth:`GraphRecords.joint_states`.
    """
    publisher = f'{namespace}/state_publisher'
    model = loads(MODEL.format(name='arm'))
    records = GraphRecords().description(
        publisher, text or MODEL.format(name='arm'), f'{namespace}/robot_description',
        description_qos)
    records.subscriber(publisher, f'{namespace}/joint_states', JOINT_STATE, BEST_EFFORT)
    fixed = [joint for joint in model.tree if joint.type is JointType.FIXED]
    records.frames(
        publisher, {prefix + joint.child: prefix + joint.parent for joint in fixed},
        [(*joint.origin.xyz, *joint.origin.quaternion) for joint in fixed],
        topic=f'{namespace}/tf_static', times=TIMES[:1])
    moving = [joint for joint in moving_joints(model) if joint.name not in left_out]
    angles = tf_positions(TIMES)
    records.frames(
        publisher, {prefix + joint.child: prefix + joint.parent for joint in moving},
        np.array([joint_motions(moving, row) for row in zip(*(
            np.broadcast_to(angles[joint.name], TIMES.shape) for joint in moving))]),
        topic=f'{namespace}/tf', delay=tf_delay)
    if drives:
        records.joint_states(
            f'{namespace}/driver', positions, velocities=velocities, efforts=efforts, names=names,
            topic=f'{namespace}/joint_states', **joint_states)
    return records
