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


"""An observation of a running graph over some seconds, as plain records."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import cache
from functools import cached_property
import json
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph import timed_nodes
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Times

SECOND = 1e9
"""Nanoseconds of a second."""


@dataclass(frozen=True)
class PublishedText:
    """
    A robot description that a node published.

    :param publisher: full name of the node.
    :param robot: the robot, or None if the text does not describe one.
    :param error: why there is no robot.
    """

    topic: str
    publisher: str
    text: str
    robot: Robot | None = None
    error: str = ''


@dataclass(frozen=True, eq=False)
class JointTrack:
    """
    The joint states with the same names from one publisher, in the order of their arrival.

    :param source: gid of the publisher, which differs even within a node; empty if unknown.
    :param publisher: full name of its node.
    :param received: when each message arrived by the system's clock, shape (k,).
    :param stamps: shape (k,).
    :param positions: shape (k, n), where n is at most the number of names.
    :param velocities: likewise; without columns if messages have none.
    :param efforts: likewise.
    """

    topic: str
    source: bytes
    publisher: str
    names: tuple[str, ...]
    received: Times
    stamps: Times
    positions: Array
    velocities: Array
    efforts: Array

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """Name of a joint to the index of its values; the first one counts."""
        return {name: column for column, name in reversed([*enumerate(self.names)])}

    def of_joint(self, name: str, values: Array) -> Array | None:
        """Return the positions, velocities or efforts of a joint, shape (k,), or None."""
        column = self.columns.get(name, values.shape[1])
        return values[:, column] if column < values.shape[1] else None

    def of_joints(self, values: Array) -> dict[str, Array]:
        """Return the values of each joint that has any."""
        return {name: values[:, column] for name, column in self.columns.items()
                if column < values.shape[1]}


@dataclass(frozen=True, eq=False)
class FrameTrack:
    """
    The messages with the same transforms from one publisher, in the order of their arrival.

    :param static: whether they came on the topic of static transforms.
    :param stamps: shape (k, n).
    :param transforms: ``x y z qx qy qz qw``, shape (k, n, 7).
    """

    topic: str
    source: bytes
    publisher: str
    static: bool
    parents: tuple[str, ...]
    children: tuple[str, ...]
    received: Times
    stamps: Times
    transforms: Array


@dataclass(frozen=True, eq=False)
class StampedTrack:
    """
    The headers of the messages with the same frame from one publisher, in order of arrival.

    Transforms are such messages, too, with the child frame as their frame.

    :param kind: full name of the type of the messages.
    :param source: gid of the publisher, which differs even within a node; empty if unknown.
    :param publisher: full name of its node.
    :param frame: the ``frame_id`` of the headers, which may be empty.
    :param received: when each message arrived by the system's clock, shape (k,), k > 0.
    :param stamps: shape (k,).
    :param sampled: whether there were messages in between that were left out on purpose.
    :param since: when the listening began that lasted to the end; 0 if it did all the time.
    :param child: the ``child_frame_id`` of odometry.
    :param values: of an IMU the angular velocity and linear acceleration, shape (k, 6), NaN where
        it says that it has none; of odometry the pose ``x y z qx qy qz qw``, shape (k, 7); of
        laser scans ranges every 2 degrees, shape (k, 180); of others none.
    """

    topic: str
    kind: str
    source: bytes
    publisher: str
    frame: str
    received: Times
    stamps: Times
    sampled: bool = False
    since: int = 0
    child: str = ''
    values: Array = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(frozen=True, eq=False)
class ClockTrack:
    """
    The messages on ``/clock``.

    :param received: when each arrived by the system's clock, shape (k,).
    :param times: the times in them, shape (k,).
    """

    received: Times
    times: Times


@dataclass(frozen=True)
class NodeParameters:
    """
    The parameters of a node that matter here; None where it has no such parameter.

    :param frames: name of each parameter that names a frame, and its value.
    :param numbers: name of each parameter about wheels, and its value.
    """

    use_sim_time: bool | None = None
    robot_description: str | None = None
    frame_prefixes: Mapping[str, str] = field(default_factory=dict)
    frames: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)


TABLES: Mapping[str, Any] = json.loads(Path(__file__).with_name('tables.json').read_bytes())
"""Names that rules know, by their tables; the constants made of them say what is in each."""

FRAME_PARAMETERS = tuple(TABLES['parameters that name frames'])
"""Parameters that name frames which a node needs."""


WHEEL_PARAMETERS = tuple(TABLES['parameters of wheels'])
"""Parameters of diff_drive_controller and of the node of TurtleBot 3."""


def parameter_matters(name: str) -> bool:
    """Return whether a parameter has a name that :func:`node_parameters` knows."""
    return name in (
        'use_sim_time', 'robot_description', *FRAME_PARAMETERS, *WHEEL_PARAMETERS) or (
        f'.{name}'.endswith('.frame_prefix'))


def node_parameters(values: Mapping[str, object]) -> NodeParameters:
    """Return the values of the parameters for which :func:`parameter_matters` is true."""
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    simulated = values.get('use_sim_time')
    return NodeParameters(
        simulated if isinstance(simulated, bool) else None, texts.get('robot_description'),
        {name: text for name, text in texts.items() if name.endswith('frame_prefix')},
        {name: text for name, text in texts.items() if name in FRAME_PARAMETERS},
        {name: value for name, value in values.items() if isinstance(value, float)})


@dataclass(frozen=True)
class Controller:
    """A controller of ros2_control, with the names of its command interfaces."""

    name: str
    state: str
    claimed: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    required_states: tuple[str, ...] = ()


@dataclass(frozen=True)
class ControllerManager:
    """
    The controllers of a robot, and the interfaces of its hardware.

    :param node: full name of its node.
    :param interfaces: names of the command interfaces that exist, such as ``joint1/position``.
    :param states: names of the state interfaces that exist.
    :param silent: name of the service that does not respond; nothing else is known then.
    """

    node: str
    controllers: tuple[Controller, ...] = ()
    interfaces: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    silent: str = ''


@dataclass(frozen=True)
class ObservedRobot:
    """
    A robot, and the topics and frames of its data.

    :param topic: of its description.
    :param robot: from the description that arrived last.
    :param joint_topics: topics of joint states that its state publisher uses.
    :param tree: namespace of ``tf`` and ``tf_static``.
    :param prefix: prefix of its frames.
    :param neighbours: joints of other robots whose states arrive on the same topics.
    """

    topic: str
    robot: Robot
    text: str
    joint_topics: tuple[str, ...]
    tree: str
    prefix: str
    neighbours: frozenset[str] = frozenset()

    def frame(self, link: str) -> str:
        """Return the name of the frame of a link."""
        return self.prefix + link


@dataclass(frozen=True, eq=False)
class Observation:
    """
    An observation over some seconds.

    :param now: the end of that time by the system's clock, in nanoseconds.
    :param parameters: full name of each node that responded to its parameters.
    :param unasked: full names of controller managers that cannot be asked from here, because
        the package of their services is not installed.
    :param unreadable: name of a topic to the number of messages that cannot be read.
    :param crowded: name of a topic whose joint states or transforms are left out to the number of
        names that is too many.
    :param stamped: the sources of data that refer to frames, besides joint states and transforms.
    :param silent: name of a topic of such data, on which nothing arrived, to the seconds for
        which it was listened to.
    :param states: full name of each lifecycle node that responded to its state.
    :param recorded: whether it is of a recording, which does not tell who listens.
    """

    graph: Graph
    seconds: float
    now: int
    robots: tuple[ObservedRobot, ...] = ()
    texts: tuple[PublishedText, ...] = ()
    joints: tuple[JointTrack, ...] = ()
    frames: tuple[FrameTrack, ...] = ()
    parameters: Mapping[str, NodeParameters] = field(default_factory=dict)
    clock: ClockTrack | None = None
    managers: tuple[ControllerManager, ...] = ()
    unasked: tuple[str, ...] = ()
    unreadable: Mapping[str, int] = field(default_factory=dict)
    crowded: Mapping[str, int] = field(default_factory=dict)
    stamped: tuple[StampedTrack, ...] = ()
    silent: Mapping[str, float] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = False

    @property
    def robot_names(self) -> list[str]:
        """The names of the robots, which may be the same."""
        return [robot.robot.name for robot in self.robots]

    @property
    def is_clock_stopped(self) -> bool:
        """Whether all messages on ``/clock`` have the same time."""
        return (self.clock is not None and len(self.clock.times) > 1
                and bool(np.ptp(self.clock.times) == 0))

    def joints_of(self, robot: ObservedRobot) -> list[JointTrack]:
        """Return the joint states that a robot's state publisher uses."""
        return [track for track in self.joints if track.topic in robot.joint_topics]

    def is_simulated(self, topic: str, publisher: str) -> bool | None:
        """
        Return whether the subscribers of a node on a topic use ``/clock``, or None if unknown.

        Most of them decide or, where the parameters of none are known, most nodes for which it
        matters.
        """
        return False if self.clock is None else self._remembered_vote(topic, publisher)

    @cached_property
    def _remembered_vote(self) -> Callable[[str, str], bool | None]:
        return cache(self._vote)

    @cached_property
    def _concerned(self) -> set[str]:
        return timed_nodes(self.graph)

    def _vote(self, topic: str, publisher: str) -> bool | None:
        sources = self.graph.publishing('/clock')
        users = listeners(self.graph, topic)
        used = {node: parameters.use_sim_time for node, parameters in self.parameters.items()
                if parameters.use_sim_time is not None and node not in (publisher, *sources)}
        votes = [vote for node, vote in used.items() if node in users]
        if not votes and users - {publisher}:
            votes = [vote for node, vote in used.items() if node in self._concerned]
        if 2 * sum(votes) == len(votes):
            return True if publisher in sources else None
        return 2 * sum(votes) > len(votes)

    def pace(self, topic: str, publisher: str) -> float:
        """Return the real-time factor of the clock in use: 1 without ``/clock``."""
        if self.is_simulated(topic, publisher) is False or self.clock is None or len(
                self.clock.times) < 2:
            return 1.0
        passed = int(self.clock.received[-1] - self.clock.received[0])
        return max(int(self.clock.times[-1] - self.clock.times[0]) / max(passed, 1), 0.0)

    def ages(self, track: JointTrack | StampedTrack) -> Array:
        """
        Return the ages of messages on arrival, in seconds of the clock of the listeners.

        Where that is unknown, it is the clock by which they are least old.
        """
        real, simulated = self.ages_by_clock(track.received, track.stamps)
        is_simulated = self.is_simulated(track.topic, track.publisher)
        if is_simulated is None:
            return np.where(np.abs(real) < np.abs(simulated), real, simulated)
        return simulated if is_simulated else real

    def ages_by_clock(self, received: Times, stamps: Times) -> tuple[Array, Array]:
        """Return the ages by the system's clock and by ``/clock``, in seconds."""
        real: Array = (received - stamps) / SECOND
        if self.clock is None:
            return real, real
        simulated: Array = (
            np.interp(received, self.clock.received, self.clock.times) - stamps) / SECOND
        return real, simulated
