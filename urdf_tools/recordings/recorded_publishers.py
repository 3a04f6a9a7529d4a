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

"""The publishers of recorded topics, as far as a recording tells."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
import re

from urdf_tools.monitoring.collected_messages import is_kept
from urdf_tools.monitoring.graph import Endpoint
from urdf_tools.monitoring.graph import Graph
from urdf_tools.monitoring.graph import Qos
from urdf_tools.recordings.recorded import Recorded
from urdf_tools.recordings.recorded import Topic

MAX_PUBLISHERS = 50
"""Most publishers of a topic that are told apart."""

MAX_LOST = 10_000
"""
Most messages of a publisher in a row that a recorder may have missed.

It misses none of those that are kept for late subscribers.
"""

MAX_LOST_OF_OTHER_SIZE = 10
"""The same where the size of the messages changes, which is rather another publisher."""

_INFINITE = 9_000_000_000
"""Seconds from which a duration is no limit; 0 is none, either."""


@dataclass
class _Chain:
    """
    Messages whose numbers follow one another.

    :param sequence: number of the last one, and its size in bytes.
    :param first: when the first one was received, in nanoseconds, and the last one.
    """

    sequence: int
    size: int
    first: int
    last: int


class RecordedPublishers:
    """
    The publishers of a topic.

    A recording has no names of nodes. Where the recorder noted the number of each message among
    those of its publisher, which goes up by one, publishers are told apart by them.
    """

    def __init__(self, topic: Topic):
        self.topic = topic
        words = dict(topic.metadata).get('offered_qos_profiles')
        self.offered = None if words is None else qos_profiles(words)
        self._chains: list[_Chain] = []
        self.received = 0

    @property
    def known(self) -> int:
        """Number of publishers that are told apart."""
        return len(self._chains)

    def source(self, record: Recorded) -> bytes:
        """Return what stands for the publisher of a message; empty where that is unknown."""
        self.received += 1
        sequence, size = record.sequence, len(record.data)
        if not sequence:
            return b''
        # Two publishers that have just started differ by the sizes of their messages.
        most = 1 if is_kept(self.topic.name) else MAX_LOST
        candidates = [(chain.size != size, sequence - chain.sequence, -chain.last, -number)
                      for number, chain in enumerate(self._chains)
                      if 0 < sequence - chain.sequence <= (
                          most if chain.size == size else min(most, MAX_LOST_OF_OTHER_SIZE))]
        if candidates:
            number = -min(candidates)[-1]
            chain = self._chains[number]
            chain.sequence, chain.size, chain.last = sequence, size, record.received
        elif len(self._chains) < MAX_PUBLISHERS:
            number = len(self._chains)
            self._chains.append(_Chain(sequence, size, record.received, record.received))
        else:
            return b''
        return _gid(number)

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return the publishers; those that cannot be told apart have the same name."""
        offered = self.offered if self.offered is not None else [Qos()] * bool(self.received)
        # A publisher that ended before another one began was restarted.
        alive = [_gid(number) for number, chain in enumerate(self._chains)
                 if all(chain.last >= other.first for other in self._chains[number + 1:])]
        number = max(len(offered), len(alive))
        if not number:
            return ()
        qos = [*offered, *[offered[-1] if offered else Qos()] * (number - len(offered))]
        # Those that are known only from what they offer have not published anything.
        gids = alive + [b'-'] * (number - len(alive)) if alive else [b''] * number
        name = self.topic.name
        if alive and number > 1:
            return tuple(Endpoint(f'publisher {row} of {name}', name, each, gid)
                         for row, (each, gid) in enumerate(zip(qos, gids), 1))
        node = f'the publisher{"s" if number > 1 else ""} of {name}'
        return tuple(Endpoint(node, name, each, gid) for each, gid in zip(qos, gids))


def _gid(number: int) -> bytes:
    return str(number + 1).encode()


def recorded_graph(publishers: dict[str, RecordedPublishers]) -> Graph:
    """Return the graph that a recording tells of: topics and publishers, no subscribers."""
    ends = {name: found.endpoints() for name, found in publishers.items()}
    return Graph(
        tuple(dict.fromkeys(end.node for of_topic in ends.values() for end in of_topic)),
        {name: found.topic.kind for name, found in publishers.items() if ends[name]}, ends)


def qos_profiles(words: str) -> list[Qos]:
    """
    Return the profiles in the YAML of rosbag2, which has names or numbers for the policies.

    Read line by line: they are many, and a recording may be anything.
    """
    found = []
    for part in re.split(r'(?m)^ *- ', words[:100_000])[1:MAX_PUBLISHERS + 1]:
        values = dict(re.findall(r'(?m)^ *(reliability|durability|liveliness): *(\w+)', part))
        found.append(Qos(
            values.get('reliability') not in ('2', 'best_effort'),
            values.get('durability') in ('1', 'transient_local'),
            _seconds(part, 'deadline'), values.get('liveliness') in ('3', 'manual_by_topic'),
            _seconds(part, 'liveliness_lease_duration')))
    return found


def _seconds(part: str, name: str) -> float:
    found = re.search(rf'(?m)^ *{name}:\s+sec: *(\d{{1,12}})\s+nsec: *(\d{{1,12}})', part)
    if found is None:
        return inf
    seconds = int(found[1]) + int(found[2]) / 1e9
    return seconds if 0 < seconds < _INFINITE else inf
