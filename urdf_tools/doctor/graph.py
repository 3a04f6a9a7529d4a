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


"""The nodes of a running graph, and what they publish and subscribe to."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from math import inf
import re
from typing import NamedTuple

from urdf_tools.messages.headers import header_position

STRING = 'std_msgs/msg/String'
JOINT_STATE = 'sensor_msgs/msg/JointState'
TF_MESSAGE = 'tf2_msgs/msg/TFMessage'
CLOCK = 'rosgraph_msgs/msg/Clock'
IMU = 'sensor_msgs/msg/Imu'
ODOMETRY = 'nav_msgs/msg/Odometry'
SCAN = 'sensor_msgs/msg/LaserScan'

_RELAYS = re.compile(
    r'/(foxglove_bridge|rosbridge|rosapi|rosbag2_recorder|ros_?2?bag_record|web_video)')
"""Nodes that relay messages unchanged, whichever clock or frames these refer to."""

_TF_LISTENER = re.compile(r'/transform_listener_impl_[0-9a-f]+$')
"""Nodes of listeners of tf2_ros, which do not reveal the node that owns them."""


Sender = Callable[[bytes], tuple[bytes, str]]
"""Returns the gid of the publisher of messages from a source, and its node."""


class QosMismatch(NamedTuple):
    """The value of a policy that a publisher offers, and the stricter one requested, in words."""

    policy: str
    offered: str
    requested: str


@dataclass(frozen=True)
class Qos:
    """
    The QoS policies of a publisher or subscriber that determine its compatibility.

    :param transient_local: None if that is unknown, as in some recordings.
    :param deadline: longest time in seconds between two messages.
    :param manual: whether liveliness is asserted for each topic.
    :param lease: seconds after which it is lost.
    """

    reliable: bool = True
    transient_local: bool | None = False
    deadline: float = inf
    manual: bool = False
    lease: float = inf

    def mismatches(self, requested: Qos) -> list[QosMismatch]:
        """Return the policies because of which a subscriber receives nothing from a publisher."""
        rows = (
            (requested.reliable and not self.reliable, 'reliability', 'best effort', 'reliable'),
            (requested.transient_local and not self.transient_local, 'durability', 'volatile',
             'transient local'),
            (requested.manual and not self.manual, 'liveliness', 'automatic', 'manual by topic'),
            (requested.deadline < self.deadline, 'deadline', _period(self.deadline),
             _period(requested.deadline)),
            (requested.lease < self.lease, 'liveliness lease', _period(self.lease),
             _period(requested.lease)))
        return [QosMismatch(*words) for is_mismatch, *words in rows if is_mismatch]


def _period(seconds: float) -> str:
    return 'infinite' if seconds == inf else f'{seconds:g} s'


@dataclass(frozen=True)
class Endpoint:
    """
    A publisher or subscriber.

    :param node: full name of its node.
    :param gid: identifies the publisher of a message.
    :param kind: the type of its messages; empty if it is that of the topic.
    """

    node: str
    qos: Qos = Qos()
    gid: bytes = b''
    kind: str = ''


@dataclass(frozen=True)
class Graph:
    """
    A running graph at one moment, without the node that observes it.

    :param nodes: full names of the nodes; a name may occur twice.
    :param kinds: name of each topic to its type.
    :param publishers: name of a topic to its publishers.
    :param subscribers: name of a topic to its subscribers.
    :param aliases: name of a topic to what else messages have as their source, to the gid of
        their publisher; where a topic has none, they have the gid.
    """

    nodes: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    publishers: Mapping[str, tuple[Endpoint, ...]] = field(default_factory=dict)
    subscribers: Mapping[str, tuple[Endpoint, ...]] = field(default_factory=dict)
    aliases: Mapping[str, Mapping[bytes, bytes]] = field(default_factory=dict)

    def topics(self, kind: str) -> list[str]:
        """Return the topics of a type, in alphabetical order."""
        return sorted(topic for topic, other in self.kinds.items() if other == kind)

    def elsewhere(self, topic: str) -> list[str]:
        """Return topics of the same type and last name that have publishers, without itself."""
        return [other for other in self.topics(self.kinds.get(topic, '')) if (
            self.publishers.get(other) and other != topic
            and other.rpartition('/')[2] == topic.rpartition('/')[2])]

    def publishing(self, topic: str) -> list[str]:
        """Return the node of each publisher of a topic."""
        return [end.node for end in self.publishers.get(topic, ())]

    def subscribing(self, topic: str) -> list[str]:
        """Return the node of each subscriber of a topic."""
        return [end.node for end in self.subscribers.get(topic, ())]

    def publisher(self, topic: str, gid: bytes) -> str:
        """Return the node that published a message, or all that may have."""
        if not gid:
            return ' or '.join(dict.fromkeys(self.publishing(topic)))
        return next((end.node for end in self.publishers.get(topic, ()) if end.gid == gid),
                    'a node that has ended')

    def sender(self, topic: str, source: bytes) -> tuple[bytes, str]:
        """Return the gid of the publisher of messages from a source, and its node."""
        gid = self.aliases[topic].get(source, b'') if topic in self.aliases else source
        return gid, self.publisher(topic, gid)


def listeners(graph: Graph, topic: str) -> set[str]:
    """Return the nodes that use the messages of a topic, without those that relay them."""
    return {node for node in graph.subscribing(topic) if not _RELAYS.match(node)}


def timed_nodes(graph: Graph) -> set[str]:
    """Return the nodes that depend on the clock, because they stamp or transform data."""
    timed = [topic for topic, kind in graph.kinds.items() if not kind.endswith('/Joy') and (
        header_position(kind, lambda name: None) is not None or kind.startswith('control_msgs/'))]
    return {node for topic in timed for node in (
        *listeners(graph, topic), *graph.publishing(topic))}


def frame_topics(graph: Graph) -> list[str]:
    """
    Return the topics of transforms: ``tf`` and ``tf_static`` in any namespace.

    Steering controllers of ros2_control publish on ``~/tf_odometry`` unless it is remapped.
    """
    return [topic for topic in graph.topics(TF_MESSAGE)
            if topic.rpartition('/')[2] in ('tf', 'tf_static', 'tf_odometry')]


def frame_spaces(graph: Graph, node: str, hidden: bool = True) -> set[str]:
    """
    Return the namespaces in which a node listens to frames.

    :param hidden: whether it may do so through one of the listeners that have a node of their own,
        which then count for it.
    """
    return {parent_of(topic) for topic in frame_topics(graph) if any(
        name == node or hidden and _TF_LISTENER.search(name) for name in graph.subscribing(topic))}


def is_static(topic: str) -> bool:
    """Return whether a topic is one of static transforms."""
    return topic.endswith('tf_static')


def is_kept(topic: str) -> bool:
    """Return whether late subscribers receive what was published before."""
    return is_static(topic) or topic.endswith('description')


def parent_of(name: str) -> str:
    """Return the namespace of a topic or node, such as ``/left`` of ``/left/tf``."""
    return name.rpartition('/')[0] or '/'


def in_namespace(namespace: str, name: str) -> str:
    """Return the full name of a topic or node in a namespace."""
    return f'{namespace.rstrip("/")}/{name}'
