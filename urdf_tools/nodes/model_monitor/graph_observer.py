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


"""Observe a running graph: its topics, what is on them, and the parameters of its nodes."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from dataclasses import replace
from math import inf
import time

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import LivelinessPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from rclpy.topic_endpoint_info import TopicEndpointInfo
from rosgraph_msgs.msg import Clock as ClockMessage
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.doctor.collected_messages import CollectedMessages
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.robots import joint_topics
from urdf_tools.nodes.model_monitor.node_requests import NodeRequests
from urdf_tools.nodes.model_monitor.sampled_topics import PolledTopic
from urdf_tools.nodes.model_monitor.sampled_topics import SampledTopics

POLL = 0.5
"""Seconds between two polls of the topics."""

HURRY = 0.1
"""Seconds between two polls of the responses of nodes, while some are awaited."""

INTERVAL = 10.0
"""Seconds after which a topic of data that refer to frames is sampled again."""

QUICK, SLOW = 0.5, 5.0
"""Seconds between two polls of the graph, in the first :data:`START` seconds and later."""

START = 10.0

MAX_NAMES = 10_000
"""Maximum number of joints or frames of a topic, each counted in every combination."""

CALM = 1.0
"""Seconds without a change after which the graph counts as known."""

_OF_EVERY_NODE = ('/parameter_events', '/rosout')

_INFINITE = 9e18
"""Nanoseconds from which a duration is unlimited; 0 is, too."""

# Best effort hears every publisher, and never makes one wait. The depth is for one poll.
_STREAM = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
_KEPT = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_DESCRIBED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_VOLATILE = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


class GraphObserver:
    """
    Collects the messages in a graph, for one observation after another.

    :param node: the node that subscribes; nothing about it is observed.
    :param interval: seconds after which each topic of a sensor is sampled again.
    """

    def __init__(self, node: Node, interval: float = INTERVAL):
        self.graph = Graph()
        self._node = node
        self._own = {node.get_fully_qualified_name()}
        self._requests = NodeRequests(node)
        self._sampled = SampledTopics(node, interval)
        self._topics: dict[str, list[PolledTopic]] = {}
        self._collected = CollectedMessages(MAX_NAMES)
        self._started = self._since = time.monotonic()
        self._due = self._looked = self._changed = 0.0
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(POLL, self._poll, clock=steady)
        self._hurry = node.create_timer(HURRY, self._step, clock=steady)

    @property
    def busy(self) -> bool:
        """Whether some nodes have not yet answered."""
        return self._requests.pending

    @property
    def settled(self) -> bool:
        """Whether nothing new was found for a while, and the descriptions have arrived."""
        return bool(self.graph.nodes) and self._looked - self._changed >= CALM and all(
            self._collected.has_kept(topic) for topic in description_topics(self.graph)
            if any(end.qos.transient_local for end in self.graph.publishers.get(topic, ())))

    def end(self) -> None:
        """Stop observing."""
        self._timer.cancel()
        self._hurry.cancel()
        self._requests.end()
        self._sampled.end()

    def clear(self) -> None:
        """Begin a new observation; descriptions and static transforms stay."""
        self._take()
        self._restart()

    def observation(self) -> Observation:
        """Return the observation since the last one, and begin a new one."""
        if time.monotonic() - self._looked > QUICK:
            self._look()
        self._take()
        now, seconds = time.time_ns(), time.monotonic() - self._since
        graph = self.graph
        observation = self._collected.observation(
            graph, seconds, now, dict(self._requests.parameters),
            unreadable=self._sampled.unreadable(),
            managers=tuple(self._requests.managers.values()), unasked=self._requests.unasked,
            stamped=tuple(self._sampled.tracks(graph)), silent=self._sampled.silent(now),
            states=dict(self._requests.states))
        self._restart()
        return observation

    def _restart(self) -> None:
        self._collected.clear()
        self._since = time.monotonic()

    def _step(self) -> None:
        """Continue with the requests, whose responses lead to others."""
        self._requests.step()
        if not self.busy:
            self._hurry.cancel()

    def _poll(self) -> None:
        self._take()
        now = time.monotonic()
        if now >= self._due:
            self._look()
            self._requests.ask(self.graph.nodes)
            if self.busy and self._hurry.is_canceled():
                self._hurry.reset()
            self._due = now + (QUICK if now - self._started < START else SLOW)

    def _look(self) -> None:
        """Poll the graph, and subscribe to its relevant topics."""
        graph = _read_graph(self._node, self._own)
        self._looked = time.monotonic()
        if graph != self.graph:
            self._changed = self._looked
        self.graph = graph
        wanted: dict[str, tuple[type, list[QoSProfile]]] = {
            **{topic: (JointState, [_STREAM]) for topic in joint_topics(graph)},
            **{topic: (TFMessage, [_KEPT if is_static(topic) else _STREAM])
               for topic in frame_topics(graph)},
            **{topic: (ClockMessage, [_STREAM]) for topic in graph.topics(CLOCK)}}
        for topic in description_topics(graph):
            volatile = any(not end.qos.transient_local for end in graph.publishers.get(topic, ()))
            wanted[topic] = String, [_DESCRIBED, _VOLATILE] if volatile else [_DESCRIBED]
        for topic, (kind, profiles) in wanted.items():
            polled = self._topics.setdefault(topic, [])
            polled += [PolledTopic(self._node, kind, topic, qos) for qos in profiles[len(polled):]]
        for topic in self._topics.keys() - wanted.keys():
            for ended in self._topics.pop(topic):
                ended.end()
        self._sampled.follow(replace(graph, kinds={
            topic: kind for topic, kind in graph.kinds.items() if topic not in wanted}))
        for topic in self._topics:
            self._collected.keep_only(topic, {end.gid for end in graph.publishers.get(topic, ())})

    def _take(self) -> None:
        self._sampled.take(self.graph)
        for topic, polled in self._topics.items():
            self._collected.add(topic, (
                message for subscription in polled for message in subscription.take()))


def _read_graph(node: Node, own: Collection[str]) -> Graph:
    """
    Return the graph that a node sees.

    Topics that every node has, hidden nodes, such as the daemon of ``ros2``, and those that look
    at the graph for us are left out. What hidden nodes publish is not: ``ros2 topic pub`` may be
    at fault, but ``ros2 topic echo`` is not part of the robot.

    :param own: full names of the nodes that look at the graph for us.
    """
    nodes = tuple(
        in_namespace(namespace, name)
        for name, namespace in node.get_node_names_and_namespaces()
        if not name.startswith('_') and in_namespace(namespace, name) not in own)
    kinds = {topic: types[0] for topic, types in node.get_topic_names_and_types()
             if topic not in _OF_EVERY_NODE}
    publishers = {topic: _endpoints(node.get_publishers_info_by_topic(topic), own)
                  for topic in kinds}
    subscribers = {topic: _endpoints(
        (info for info in node.get_subscriptions_info_by_topic(topic)
         if not info.node_name.startswith('_')), own) for topic in kinds}
    # A topic that only we subscribe to would not exist without us.
    kinds = {topic: kind for topic, kind in kinds.items()
             if publishers[topic] or subscribers[topic]}
    return Graph(nodes, kinds, publishers, subscribers)


def _endpoints(infos: Iterable[TopicEndpointInfo], own: Collection[str]) -> tuple[Endpoint, ...]:
    endpoints = (
        Endpoint(in_namespace(info.node_namespace, info.node_name), _qos(info.qos_profile),
                 bytes(info.endpoint_gid), info.topic_type) for info in infos)
    return tuple(endpoint for endpoint in endpoints if endpoint.node not in own)


def _qos(profile: QoSProfile) -> Qos:
    return Qos(profile.reliability == ReliabilityPolicy.RELIABLE,
               profile.durability == DurabilityPolicy.TRANSIENT_LOCAL,
               _seconds(profile.deadline.nanoseconds),
               profile.liveliness == LivelinessPolicy.MANUAL_BY_TOPIC,
               _seconds(profile.liveliness_lease_duration.nanoseconds))


def _seconds(nanoseconds: int) -> float:
    return nanoseconds / 1e9 if 0 < nanoseconds < _INFINITE else inf
