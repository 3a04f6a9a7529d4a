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

"""The nodes and publishers of a recorded graph."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
import re

from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import is_kept
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import node_parameters
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import parameter_matters
from urdf_tools.doctor.observation import TABLES
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.robots import description_topics
from urdf_tools.messages.batches import Cursor
from urdf_tools.model.grouping import grouped


EVENT, TRANSITION = 'rcl_interfaces/msg/ParameterEvent', 'lifecycle_msgs/msg/TransitionEvent'

MAX_NODES = 1000
"""Maximum number of nodes."""

_LOOKED_UP = set(TABLES['parameters with frames that are looked up'])
"""Parameters of nodes that look up frames; others may only put theirs into messages."""

_BOOLEAN, _DOUBLE, _STRING = 1, 3, 4
_ARRAYS = (1, 1, 8, 8)
"""Bytes of an element of the arrays of a value: of bytes, booleans, integers and floats."""


class RecordedNodes:
    """
    The recorded parameters and states of nodes.

    :ivar states: full name of each node with a life cycle to its state.
    """

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self._values: dict[str, dict[str, object]] = {}

    def add(self, topic: str, kind: str, data: bytes) -> None:
        """Add a message of one of the two types; one that cannot be read tells nothing."""
        if len(self._values) + len(self.states) >= MAX_NODES:
            return
        with suppress(ValueError):
            cursor = Cursor(data)
            if kind == EVENT:
                self._add_event(cursor)
                return
            cursor.elements(8, 1)
            for _ in ('transition', 'start', 'goal'):
                cursor.elements(1, 1)
                label = cursor.string()
            self.states[parent_of(topic)] = label

    def _add_event(self, cursor: Cursor) -> None:
        cursor.stamp()
        node = cursor.string()
        for _ in ('new', 'changed'):
            for _ in range(cursor.count(1)):
                name, value = _parameter(cursor)
                if parameter_matters(name):
                    self._values.setdefault(node, {})[name] = value

    def parameters(self, has_clock: bool) -> dict[str, NodeParameters]:
        """
        Return the parameters of each node.

        :param has_clock: whether ``/clock`` was recorded, without which nobody can tell its use.
        """
        found = {node: node_parameters(values) for node, values in self._values.items()}
        return found if has_clock else {
            node: replace(each, use_sim_time=None) for node, each in found.items()}

    def graph(self, graph: Graph) -> Graph:
        """Return a graph with these nodes: those that look up frames or publish a description."""
        names = dict.fromkeys((*graph.nodes, *self._values, *self.states))
        subscribers = grouped(
            (topic, Endpoint(node)) for node, values in self._values.items()
            if not _LOOKED_UP.isdisjoint(values) for topic in {
                in_namespace(parent_of(node), 'tf'), '/tf'} & {*graph.topics(TF_MESSAGE)})
        return replace(graph, nodes=tuple(names),
                       publishers={**graph.publishers, **self._describers(graph)},
                       subscribers={topic: tuple(ends) for topic, ends in subscribers.items()})

    def _describers(self, graph: Graph) -> Mapping[str, tuple[Endpoint, ...]]:
        """Return the only publisher of descriptions, named as the only node that has one."""
        named = {}
        for topic in description_topics(graph):
            ends: Sequence[Endpoint] = graph.publishers[topic]
            nodes = [node for node, values in self._values.items()
                     if 'robot_description' in values and parent_of(node) == parent_of(topic)]
            if len(ends) == len(nodes) == 1:
                named[topic] = (replace(ends[0], node=nodes[0]),)
        return named


def _parameter(cursor: Cursor) -> tuple[str, object]:
    """Return name and value of a ``Parameter``."""
    name = cursor.string()
    kind, boolean = cursor.elements(1, 2)
    _, number = cursor.numbers(2)
    text = cursor.string()
    for size in _ARRAYS:
        cursor.elements(size, cursor.count(size))
    cursor.strings()
    return name, {_BOOLEAN: bool(boolean), _DOUBLE: float(number), _STRING: text}.get(kind)


MAX_PUBLISHERS = 50
"""Most publishers of a topic that are read from what they offer."""

MAX_CHAINS = 200
"""Most chains of messages of a topic; where there are more, publishers are not distinguished."""

MAX_LOST = 10_000
"""Most messages of a publisher in a row that a recorder may have missed."""

STALE = 10**10
"""Nanoseconds without a message after which a publisher that goes on is rather another one."""

_UNKNOWN = Qos(transient_local=None)

_TRANSIENT_LOCAL = {'1': True, 'transient_local': True, '2': False, 'volatile': False}
"""Durabilities of rosbag2; others are unknown, such as that of the system."""


@dataclass
class _Chain:
    """
    Messages with the same names and increasing sequence numbers.

    :param names: what they name: frames, or joints.
    :param sequence: number of the last one.
    :param first: when the first one was received, in nanoseconds, and the last one.
    :param others: the chains that are not of the same publisher, because numbers of both would
        not go up.
    """

    names: Hashable
    sequence: int
    first: int
    last: int
    others: set[int] = field(default_factory=set)


class RecordedPublishers:
    """
    The publishers of a topic.

    A recording has no names of nodes. Where the recorder noted the number of each message among
    those of its publisher, which goes up by one, publishers are distinguished by them: messages
    are of different publishers where a number comes twice, or after a higher one. Those that name
    different frames or joints are not mixed up, even if their publishers started together.
    What may be of one publisher counts as such.

    :ivar received: number of messages.
    :ivar changes: how often it turned out that there are more chains, or more publishers.
    """

    def __init__(self, topic: Topic):
        self.topic = topic
        # Writers that do not know the profiles leave them out, empty or "[]".
        self.offered = qos_profiles(
            dict(topic.metadata).get('offered_qos_profiles', '')) or None
        self._chains: list[_Chain] = []
        self.received = self.changes = 0
        self._are_too_many = False

    def source(self, record: Recorded, names: Hashable = None) -> bytes:
        """
        Return the identifier of a chain of messages; empty if the publisher is unknown.

        :param names: what the message names.
        """
        self.received += 1
        sequence = record.sequence
        if not sequence or self._are_too_many:
            return b''
        candidates = [(record.received - chain.last > STALE, sequence - chain.sequence,
                       -chain.last, -number)
                      for number, chain in enumerate(self._chains)
                      if chain.names == names and 0 < sequence - chain.sequence <= MAX_LOST]
        if candidates:
            number = -min(candidates)[-1]
            chain = self._chains[number]
        else:
            self.changes += 1
            number = len(self._chains)
            if number == MAX_CHAINS:
                self._are_too_many = True
                return b''
            chain = _Chain(names, sequence, record.received, record.received)
            self._chains.append(chain)
        chain.sequence, chain.last = sequence, record.received
        for row, other in enumerate(self._chains):
            if other.sequence >= sequence and row != number and row not in chain.others:
                chain.others.add(row)
                other.others.add(number)
                self.changes += 1
        return _gid(number)

    def sources(self) -> dict[bytes, bytes]:
        """Return the identifier of each chain, to that of its publisher."""
        return {_gid(number): _gid(of_publisher[0]) for of_publisher in self._publishers()
                for number in of_publisher}

    def _publishers(self) -> list[list[int]]:
        """Return the chains of each publisher, with as few publishers as possible."""
        if self._are_too_many:
            return []
        # Late publishers of what is kept may have taken the place of earlier ones.
        restarted = is_static(self.topic.name) and len(self._chains) > len(self.offered or ())
        found: list[list[int]] = []
        for number, chain in enumerate(self._chains):
            for of_publisher in found:
                if chain.others.isdisjoint(of_publisher) or restarted and (
                        chain.names == self._chains[of_publisher[0]].names):
                    of_publisher.append(number)
                    break
            else:
                found.append([number])
        return found

    def _alive(self) -> list[bytes]:
        """Return the identifiers of the publishers that did not end before another one began."""
        found = self._publishers()
        gids = [_gid(of_publisher[0]) for of_publisher in found]
        if is_static(self.topic.name):
            return gids
        if is_kept(self.topic.name):
            return gids[-max(len(self.offered or ()), 1):]
        last = [max(self._chains[row].last for row in rows) for rows in found]
        first = [min(self._chains[row].first for row in rows) for rows in found]
        return [gid for number, gid in enumerate(gids)
                if all(last[number] >= later for later in first[number + 1:])]

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return the publishers; those that cannot be distinguished have the same name."""
        offered = self.offered or ([_UNKNOWN] if self.received else [])
        alive = self._alive()
        number = max(len(offered), len(alive))
        qos = [*offered, *[offered[-1] if offered else _UNKNOWN] * (number - len(offered))]
        # Those that are known only from what they offer have not published anything.
        gids = alive + [b'-'] * (number - len(alive)) if alive else [b''] * number
        name = self.topic.name
        nodes = [f'the publisher{"s" if number > 1 else ""} of {name}'] * number
        if alive and number > 1:
            nodes = [f'publisher {row} of {name}' for row in range(1, number + 1)]
        return tuple(Endpoint(node, each, gid) for node, each, gid in zip(nodes, qos, gids))


def _gid(number: int) -> bytes:
    return str(number + 1).encode()


def recorded_graph(publishers: dict[str, RecordedPublishers]) -> Graph:
    """Return the graph of a recording: topics and publishers, no subscribers."""
    ends = {name: found.endpoints() for name, found in publishers.items()}
    return Graph(tuple(dict.fromkeys(end.node for of_topic in ends.values() for end in of_topic)),
                 {name: found.topic.kind for name, found in publishers.items() if ends[name]},
                 ends, aliases={name: found.sources() for name, found in publishers.items()})


def qos_profiles(words: str) -> list[Qos]:
    """
    Return the profiles in the YAML of rosbag2, which has names or numbers for the policies.

    Deadlines and liveliness matter only to subscribers, of which a recording tells nothing. Read
    line by line: they are many, and a recording may be anything.
    """
    found = []
    for part in re.split(r'(?m)^ *- ', words[:100_000])[1:MAX_PUBLISHERS + 1]:
        values = dict(re.findall(r'(?m)^ *(reliability|durability): *(\w+)', part))
        found.append(Qos(values.get('reliability') not in ('2', 'best_effort'),
                         _TRANSIENT_LOCAL.get(values.get('durability', ''))))
    return found
