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

"""
A graph of records, started as real nodes in this process that publish over DDS.

``python -m support.graph_player THREAD`` in the folder ``test`` plays one of the public graphs
until its standard input ends, and prints a line when all of its nodes are there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import inf
import sys
from threading import Thread
import time

import numpy as np
import rclpy
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.lifecycle import LifecycleNode
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from support.graph_records import START
from support.recordings import clock
from support.recordings import joint_state
from support.recordings import stamped_message
from support.recordings import string
from support.recordings import tf_message
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import Observation
from urdf_tools.ros.topics import NoExecutor

SECOND = 10**9

LEAD = 2.0
"""Seconds for which sources publish before the records begin."""

WATCHERS, DEADLINE = 2, 60.0
"""
Subscribers of sources that stop later, beside those of the graph: the doctor and the recorder.
And the seconds for which they are waited for.
"""

SIMULATED = 1000 * SECOND
"""Time of a simulation at which the records begin."""


def qos_profile(qos: Qos) -> QoSProfile:
    """Return the profile of a publisher or subscriber."""
    profile = QoSProfile(
        depth=100, reliability=ReliabilityPolicy.RELIABLE if qos.reliable else (
            ReliabilityPolicy.BEST_EFFORT),
        durability=DurabilityPolicy.TRANSIENT_LOCAL if qos.transient_local else (
            DurabilityPolicy.VOLATILE))
    if qos.deadline < inf:
        profile.deadline = Duration(seconds=qos.deadline)
    return profile


def message_type(kind: str) -> type:
    """Return the class of a type such as ``sensor_msgs/msg/Image``."""
    package, _, name = kind.partition('/msg/')
    return getattr(import_module(f'{package}.msg'), name)


@dataclass
class Source:
    """
    What a publisher sends.

    :param times: in seconds since the records begin.
    :param stamps: those of the messages in nanoseconds.
    :param message: returns one from its number and what to add to its stamps.
    """

    topic: str
    gid: bytes
    times: np.ndarray
    stamps: np.ndarray
    message: Callable[[int, int], bytes]

    def sent(self, number: int) -> tuple[float, bytes]:
        """Return when a message is sent, which may be before the records begin, and itself."""
        rounds, row = divmod(number, len(self.times))
        steps = np.diff(self.stamps)
        ahead = round(rounds * len(self.times) * np.median(steps)) if len(steps) else 0
        return (float(self.times[row]) + rounds * len(self.times) * self.period,
                self.message(row, ahead))

    @property
    def period(self) -> float:
        """Seconds between two messages; 0 for one that is sent once."""
        return float(np.median(np.diff(self.times))) if len(self.times) > 2 else 0.0

    @property
    def stops(self) -> bool:
        """Whether nothing is sent after the records."""
        return self.times[-1] + 2 * self.period < 5


def sources(seen: Observation, begin: int) -> list[Source]:
    """Return what is published, where the records begin at a time in nanoseconds."""
    origin = seen.now - round(seen.seconds * SECOND)

    def moved(stamps: np.ndarray, ahead: int = 0) -> np.ndarray:
        shift = np.where(np.abs(stamps - START) < 10**14, begin - START,
                         np.where((stamps < 10**15) & (stamps != 0), SIMULATED, 0))
        return np.where(stamps == 0, 0, stamps + shift + ahead)

    def seconds(received: np.ndarray) -> np.ndarray:
        return (received - origin) / SECOND

    found = []
    for text in seen.texts:
        gid = next(end.gid for end in seen.graph.publishers[text.topic]
                   if end.node == text.publisher)
        found.append(Source(text.topic, gid, np.zeros(1), np.zeros(1), (
            lambda row, ahead, text=text: string(text.text))))
    for each in seen.joints:
        found.append(Source(each.topic, each.source, seconds(each.received), each.stamps, (
            lambda row, ahead, each=each: joint_state(
                moved(each.stamps[row], ahead), each.names, each.positions[row],
                each.velocities[row], each.efforts[row]))))
    for each in seen.frames:
        found.append(Source(each.topic, each.source, seconds(each.received), each.stamps[:, 0], (
            lambda row, ahead, each=each: tf_message(
                moved(each.stamps[row], ahead), each.parents, each.children,
                each.transforms[row]))))
    for each in seen.stamped:
        found.append(Source(each.topic, each.source, seconds(each.received), each.stamps, (
            lambda row, ahead, each=each: stamped_message(
                each, row, moved(each.stamps[row], ahead)))))
    if seen.clock is not None:
        times = seen.clock.times
        found.append(Source('/clock', b'', seconds(seen.clock.received), times, (
            lambda row, ahead: clock(moved(times[row], ahead)))))
    return found


class GraphPlayer:
    """The nodes of a graph."""

    def __init__(self, seen: Observation, domain: int):
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._nodes: dict[str, Node] = {}
        self._publishers = {}
        self._ended = False
        for name in seen.graph.nodes:
            self._node(name, seen)
        for topic, ends in seen.graph.subscribers.items():
            for end in ends:
                self._nodes[end.node].create_subscription(
                    message_type(seen.graph.kinds[topic]), topic, print,
                    qos_profile(end.qos), raw=True, callback_group=NoExecutor())
        for topic, ends in seen.graph.publishers.items():
            for end in ends:
                qos = Qos(transient_local=True) if is_static(topic) else end.qos
                # That of a node with a life cycle would publish only while it is active.
                self._publishers[topic, b'' if seen.graph.kinds[topic] == CLOCK else end.gid] = (
                    Node.create_publisher(
                        self._nodes[end.node], message_type(seen.graph.kinds[topic]), topic,
                        qos_profile(qos)))
        self._seen = seen

    def _node(self, name: str, seen: Observation) -> None:
        space, _, base = name.rpartition('/')
        parameters = seen.parameters.get(name)
        state = seen.states.get(name, '')
        node = (LifecycleNode if state else Node)(
            base, namespace=space or '/', context=self.context,
            start_parameter_services=parameters is not None,
            automatically_declare_parameters_from_overrides=True,
            parameter_overrides=_overrides(parameters, seen))
        if state in ('inactive', 'active'):
            node.trigger_configure()
        if state == 'active':
            node.trigger_activate()
        self._executor.add_node(node)
        self._nodes[name] = node

    def play(self) -> None:
        """Publish until the end."""
        answering = Thread(target=self._answer, daemon=True)
        answering.start()
        self._wait_for_watchers()
        begin = time.monotonic() + LEAD
        agenda = []
        for source in sources(self._seen, time.time_ns() + round(LEAD * SECOND)):
            publisher = self._publishers[source.topic, source.gid]
            if not source.period:
                publisher.publish(source.sent(0)[1])
                continue
            number = -int(LEAD / source.period)
            agenda.append([source.sent(number)[0], number, len(agenda), source, publisher])
        while agenda and not self._ended:
            at, number, _, source, publisher = entry = min(agenda, key=lambda each: each[0])
            time.sleep(max(begin + at - time.monotonic(), 0))
            publisher.publish(source.sent(number)[1])
            entry[1] += 1
            entry[0] = source.sent(entry[1])[0]
            if source.stops and entry[1] >= len(source.times):
                agenda.remove(entry)
        answering.join()

    def _wait_for_watchers(self) -> None:
        """Return when those are there who are to see that something stops."""
        awaited = [(self._publishers[source.topic, source.gid],
                    WATCHERS + len(self._seen.graph.subscribers.get(source.topic, ())))
                   for source in sources(self._seen, 0) if source.period and source.stops]
        deadline = time.monotonic() + DEADLINE
        while not self._ended and time.monotonic() < deadline and any(
                publisher.get_subscription_count() < number for publisher, number in awaited):
            time.sleep(0.02)

    def _answer(self) -> None:
        while not self._ended:
            self._executor.spin_once(timeout_sec=0.1)

    def end(self) -> None:
        """Let :meth:`play` return."""
        self._ended = True


def _overrides(parameters: NodeParameters | None, seen: Observation) -> list[Parameter]:
    if parameters is None:
        return []
    use_sim_time = parameters.use_sim_time
    if use_sim_time is None:
        use_sim_time = seen.clock is not None
    values = {'use_sim_time': use_sim_time, **parameters.frames, **parameters.frame_prefixes}
    if parameters.robot_description is not None:
        values['robot_description'] = parameters.robot_description
    return [Parameter(name, value=value) for name, value in values.items()]


def main() -> None:
    """Play the graph of a thread in a domain until standard input ends."""
    from support.held_out_graphs import HELD_OUT
    from support.public_graphs import BROKEN
    from support.public_graphs import HEALTHY
    name, domain = sys.argv[1:]
    (thread,) = (each for each in (*BROKEN, *HEALTHY, *HELD_OUT) if each.thread == name)
    player = GraphPlayer(thread.build().observation(), int(domain))
    print('ready', flush=True)
    Thread(target=lambda: (sys.stdin.read(), player.end()), daemon=True).start()
    player.play()


if __name__ == '__main__':
    main()
