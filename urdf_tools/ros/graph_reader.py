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


"""The running graph as records."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from math import inf

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import LivelinessPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from rclpy.topic_endpoint_info import TopicEndpointInfo

from urdf_tools.monitoring.graph import Endpoint
from urdf_tools.monitoring.graph import Graph
from urdf_tools.monitoring.graph import in_namespace
from urdf_tools.monitoring.graph import Qos

_OF_EVERY_NODE = ('/parameter_events', '/rosout')

_INFINITE = 9e18
"""Nanoseconds from which a duration is no limit; 0 is none, either."""


def read_graph(node: Node, own: Collection[str]) -> Graph:
    """
    Return the graph that a node sees.

    Topics that every node has, hidden nodes, such as the daemon of ``ros2``, and those that look
    at the graph for us are left out. What hidden nodes publish is not: ``ros2 topic pub`` may be
    at fault, and ``ros2 topic echo`` is nobody's trouble but its user's.

    :param own: full names of the nodes that look at the graph for us.
    """
    nodes = tuple(
        in_namespace(namespace, name)
        for name, namespace in node.get_node_names_and_namespaces()
        if not _is_hidden(name) and in_namespace(namespace, name) not in own)
    kinds = {topic: types[0] for topic, types in node.get_topic_names_and_types()
             if topic not in _OF_EVERY_NODE}
    publishers = {topic: _endpoints(
        topic, node.get_publishers_info_by_topic(topic), own) for topic in kinds}
    subscribers = {topic: _endpoints(
        topic, (info for info in node.get_subscriptions_info_by_topic(topic)
                if not _is_hidden(info.node_name)), own) for topic in kinds}
    # What only we subscribe to is not there without us.
    kinds = {topic: kind for topic, kind in kinds.items()
             if publishers[topic] or subscribers[topic]}
    return Graph(nodes, kinds, publishers, subscribers)


def _is_hidden(name: str) -> bool:
    return name.startswith('_')


def _endpoints(
        topic: str, infos: Iterable[TopicEndpointInfo],
        own: Collection[str]) -> tuple[Endpoint, ...]:
    endpoints = (
        Endpoint(in_namespace(info.node_namespace, info.node_name), topic,
                 _qos(info.qos_profile), bytes(info.endpoint_gid)) for info in infos)
    return tuple(endpoint for endpoint in endpoints if endpoint.node not in own)


def _qos(profile: QoSProfile) -> Qos:
    return Qos(
        profile.reliability == ReliabilityPolicy.RELIABLE,
        profile.durability == DurabilityPolicy.TRANSIENT_LOCAL,
        _seconds(profile.deadline.nanoseconds),
        profile.liveliness == LivelinessPolicy.MANUAL_BY_TOPIC,
        _seconds(profile.liveliness_lease_duration.nanoseconds))


def _seconds(nanoseconds: int) -> float:
    return nanoseconds / 1e9 if 0 < nanoseconds < _INFINITE else inf
