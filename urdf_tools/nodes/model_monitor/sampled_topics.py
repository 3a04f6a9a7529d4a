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
Topics of data that refer to frames, sampled in turns.

A turn lasts until a few messages have arrived, of which only the headers are kept. So a camera or
a lidar costs what its messages cost the middleware for half a second, now and then; and one that
publishes seldom is listened to all the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cache
from functools import partial
from importlib import import_module
import time
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy

from urdf_tools.doctor.collected_messages import MEASURED
from urdf_tools.doctor.collected_messages import StampedMessages
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import SCAN
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.messages.batches import Message
from urdf_tools.messages.headers import header_position
from urdf_tools.messages.headers import HeaderPosition
from urdf_tools.messages.headers import ON_DEMAND
from urdf_tools.ros.process import release_memory_soon
from urdf_tools.ros.topics import NoExecutor

MAX_TOPICS = 200
"""Maximum number of sampled topics; further ones are ignored."""

FEW, MANY = 3, 200
"""Number of messages that ends a turn, and where their numbers matter, too."""

# Best effort hears every publisher, and never makes one wait.
_SAMPLE, _SAMPLES = (
    QoSProfile(depth=depth, reliability=ReliabilityPolicy.BEST_EFFORT) for depth in (FEW, MANY))
_KEPT = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class SampledTopics:
    """
    Listens to the topics of a graph whose messages begin with a header.

    :param interval: seconds from the beginning of a turn to that of the next one.
    """

    def __init__(self, node: Node, interval: float):
        self._node = node
        self._interval = interval
        self._topics: dict[str, _Sampled] = {}

    def follow(self, graph: Graph) -> None:
        """Listen to the topics of a graph, and to no others."""
        wanted: dict[str, HeaderPosition] = {}
        for topic, kind in graph.kinds.items():
            position = _position(kind)
            if position is not None and graph.publishers.get(topic) and (
                    kind not in ON_DEMAND or graph.subscribers.get(topic)):
                wanted[topic] = position
        for topic in [*self._topics]:
            if topic not in wanted or self._topics[topic].messages.kind != graph.kinds[topic]:
                self._topics.pop(topic).end_turn()
        for topic, position in wanted.items():
            if topic not in self._topics and len(self._topics) < MAX_TOPICS:
                self._topics[topic] = _Sampled(topic, graph.kinds[topic], position)

    def take(self, graph: Graph) -> None:
        """Take the messages that have arrived, and end and begin turns."""
        now = time.monotonic()
        for topic, sampled in self._topics.items():
            sampled.take()
            if sampled.polled is None and now >= sampled.due:
                kept = all(end.qos.transient_local for end in graph.publishers.get(topic, ()))
                sampled.begin_turn(
                    self._node, _KEPT if kept else _SAMPLES if sampled.enough == MANY else _SAMPLE,
                    now + self._interval)

    def tracks(self, graph: Graph) -> list[StampedTrack]:
        """Return the headers of the latest turn of each topic in which something arrived."""
        now = time.time_ns()
        return [track for topic, sampled in self._topics.items()
                for track in sampled.messages.tracks(
                    partial(graph.sender, topic), sampled.since if sampled.polled else now)]

    def silent(self, now: int) -> Mapping[str, float]:
        """
        Return the topics on which nothing has ever arrived, and for how many seconds.

        :param now: by the system's clock, in nanoseconds.
        """
        return {topic: (now - sampled.since) / SECOND for topic, sampled in self._topics.items()
                if sampled.polled and not sampled.heard}

    def unreadable(self) -> dict[str, int]:
        """Return the number of messages that cannot be read in the latest turns."""
        return {topic: sampled.messages.unreadable for topic, sampled in self._topics.items()}

    def end(self) -> None:
        """Stop listening."""
        for sampled in self._topics.values():
            sampled.end_turn()
        self._topics.clear()


class _Sampled:
    """
    A topic, and the headers of this turn or, until something arrives, of the one before.

    :ivar messages: these headers.
    :ivar polled: the subscription while this turn is under way.
    :ivar due: when the next turn begins.
    :ivar since: when this turn began by the system's clock, in nanoseconds.
    :ivar heard: whether something has ever arrived.
    :ivar enough: number of messages that ends a turn.
    """

    def __init__(self, topic: str, kind: str, position: HeaderPosition):
        self.due = 0.0
        self.since = 0
        self.heard = False
        self.enough = MANY if kind in (*MEASURED, SCAN) else FEW
        self.messages = StampedMessages(topic, kind, position, True)
        self.polled: PolledTopic | None = None
        self._taken = 0

    def begin_turn(self, node: Node, qos: QoSProfile, due: float) -> None:
        """Subscribe."""
        self.polled = PolledTopic(node, _kind(self.messages.kind), self.messages.topic, qos)
        self.since, self.due, self._taken = time.time_ns(), due, 0

    def take(self) -> None:
        """Take the messages that have arrived, and unsubscribe if there are enough."""
        if self.polled is None:
            return
        messages = self.polled.take()
        if messages and not self._taken:
            self.messages.clear()
        for message in messages:
            self.messages.add(message)
            self._taken += 1
            self.heard = True
        if self._taken >= self.enough:
            self.end_turn()

    def end_turn(self) -> None:
        """Unsubscribe."""
        if self.polled is not None:
            self.polled.end()
            self.polled = None


@cache
def _kind(name: str) -> Any:
    """Return a type of messages, or None if its package is not installed here."""
    package, _, rest = name.partition('/')
    try:
        return getattr(import_module(f'{package}.msg'), rest.rpartition('/')[2], None)
    except ImportError:
        return None


def _first_field(name: str) -> str | None:
    kind = _kind(name)
    return None if kind is None else next(iter(kind.get_fields_and_field_types().values()), '')


@cache
def _position(kind: str) -> HeaderPosition | None:
    """Return where the headers of a type are, or None if it is not to be sampled."""
    if kind in (JOINT_STATE, TF_MESSAGE, CLOCK) or '/msg/' not in kind or _kind(kind) is None:
        return None
    return header_position(kind, _first_field)


class PolledTopic:
    """
    Polls the serialized messages of a topic.

    To be woken for each message costs more than to take it, and the middleware notes when each
    one arrived.

    :param kind: type of the messages.
    :param qos: its depth bounds the messages between two polls.
    """

    def __init__(self, node: Node, kind: type, topic: str, qos: QoSProfile):
        self._node = node
        self._kind = kind
        self._subscription = node.create_subscription(
            kind, topic, lambda message: None, copy(qos), raw=True, callback_group=NoExecutor())

    def take(self) -> list[Message]:
        """Return the messages that have arrived since the last call, in order."""
        messages = []
        handle: Any = self._subscription.handle
        with handle:
            while (taken := handle.take_message(self._kind, True)) is not None:
                data, info = taken
                # rclpy of Jazzy tells no gid.
                gid = info.get('publisher_gid') or {}
                messages.append(Message(
                    data, gid.get('data', b''), info['received_timestamp'] or time.time_ns()))
                release_memory_soon(data)
        return messages

    def end(self) -> None:
        """Unsubscribe."""
        self._node.destroy_subscription(self._subscription)
