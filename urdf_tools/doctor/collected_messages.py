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

"""The relevant messages of a graph or a recording, and the observation that they make."""

from __future__ import annotations

from collections import Counter
from collections import defaultdict
from collections import deque
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any
from typing import TypeVar

import numpy as np

from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import is_kept
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import SCAN
from urdf_tools.doctor.graph import Sender
from urdf_tools.doctor.observation import ClockTrack
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.robots import joint_topics
from urdf_tools.doctor.robots import observed_robots
from urdf_tools.doctor.robots import robot_of
from urdf_tools.messages.batches import Cursor
from urdf_tools.messages.batches import joint_state_layout
from urdf_tools.messages.batches import Message
from urdf_tools.messages.batches import read_batches
from urdf_tools.messages.batches import read_text
from urdf_tools.messages.batches import TooManyNames
from urdf_tools.messages.batches import transforms_layout
from urdf_tools.messages.headers import Header
from urdf_tools.messages.headers import HeaderPosition
from urdf_tools.messages.headers import read_header
from urdf_tools.model.grouping import grouped
from urdf_tools.types import Times


MEASURED = {IMU: 37, ODOMETRY: 85}
"""Types of which numbers are kept besides the header, and how many they have."""

ALWAYS = 2**63 - 1
"""A time in nanoseconds after all others."""

MAX_FRAMES = 200
"""Most frames of a topic whose messages are kept; those of further ones are left out."""


class StampedMessages:
    """
    Collects the headers of the messages on a topic.

    :param kind: full name of their type.
    :param position: where the headers are in it.
    :param sampled: whether some messages are left out on purpose.
    :ivar unreadable: number of messages that cannot be read.
    """

    def __init__(self, topic: str, kind: str, position: HeaderPosition, sampled: bool = False):
        self.unreadable = 0
        self.topic = topic
        self.kind = kind
        self._position = position
        self._sampled = sampled
        self._added: dict[tuple[bytes, str, str], list[tuple[int, Header]]] = {}

    def add(self, message: Message) -> None:
        """Add a serialized message, of which the header and some numbers are kept."""
        self.add_header(self.header(message.data), message)

    def header(self, data: bytes) -> Header | None:
        """Return the header of a message, or None if it has none or cannot be read."""
        try:
            if self.kind == SCAN:
                return _scan(data)
            return _measured(self.kind, data) if self.kind in MEASURED else read_header(
                data, self._position)
        except ValueError:
            self.unreadable += 1
            return None

    def add_header(self, header: Header | None, message: Message) -> None:
        """Add the header of a message, as :meth:`add` does."""
        if header is None:
            return
        key = message.source, header.frame, header.child
        if key in self._added or len(self._added) < MAX_FRAMES:
            self._added.setdefault(key, []).append((message.received, header))

    def tracks(self, sender: Sender, since: int = 0, begin: int = 0,
               end: int = ALWAYS) -> list[StampedTrack]:
        """
        Return the headers received between two times.

        :param sender: returns the publisher's gid and its node for what was added as its source.
        :param since: when the listening began that lasts until now; 0 if it did all the time.
        """
        of_sources = grouped(
            (named, each) for (source, frame, child), added in self._added.items()
            for named in [(*sender(source), frame, child)]
            for each in added if begin <= each[0] <= end)
        tracks = []
        for (gid, publisher, frame, child), found in of_sources.items():
            found.sort(key=itemgetter(0))
            received, stamps = np.array(
                [(time, header.stamp) for time, header in found], dtype=np.int64).T
            values = np.array([header.values for _, header in found if header.values is not None])
            tracks.append(StampedTrack(
                self.topic, self.kind, gid, publisher, frame, received, stamps, self._sampled,
                since, child, values))
        return tracks

    def clear(self, before: int = ALWAYS) -> None:
        """Drop the headers received before a time."""
        self._added = grouped(
            (key, each) for key, added in self._added.items()
            for each in added if each[0] >= before)
        self.unreadable = 0


def _measured(kind: str, data: bytes) -> Header:
    """
    Return the header and the numbers of a message of an IMU or of odometry.

    :raises ValueError: it cannot be read.
    """
    cursor = Cursor(data)
    stamp, frame = cursor.stamp(), cursor.frame()
    child = cursor.frame().removeprefix('/') if kind == ODOMETRY else ''
    numbers = cursor.numbers(MEASURED[kind])
    if kind == ODOMETRY:
        return Header(stamp, frame, child, numbers[:7].copy())
    # An element of -1 at the beginning of a covariance says that there is no such measurement.
    return Header(stamp, frame, values=np.concatenate([
        np.full(3, np.nan) if numbers[start + 3] == -1 else numbers[start:start + 3]
        for start in (13, 25)]))


BEARINGS = (np.arange(180) + 0.5) * np.radians(2.0) - np.pi
"""The bearings in rad of which ranges of a scan are kept."""


@np.errstate(all='ignore')  # Numbers may be anything, also signalling NaN.
def _scan(data: bytes) -> Header:
    """
    Return the header of a ``sensor_msgs/LaserScan``, and its ranges at the bearings kept.

    They are in m, NaN where there is no beam or nothing in its range, and -1 without a range_max.

    :raises ValueError: it cannot be read.
    """
    cursor = Cursor(data)
    stamp, frame = cursor.stamp(), cursor.frame()
    first, _, step, *_, low, high = np.frombuffer(cursor.elements(4, 7), '<f4').astype(float)
    ranges = np.frombuffer(cursor.elements(4, cursor.count(4)), '<f4').astype(float)
    ranges = np.where((ranges >= low) & (ranges <= high), ranges, -1 if high <= 0 else np.nan)
    kept = np.full(len(BEARINGS), np.nan)
    if np.isfinite(first) and 0 < abs(step) < np.inf and len(ranges):
        beams = np.round(np.mod(np.sign(step) * (BEARINGS - first), 2 * np.pi) / abs(step))
        is_seen = beams < len(ranges)
        kept = np.where(is_seen, ranges[np.where(is_seen, beams, 0).astype(int)], np.nan)
    seen = np.flatnonzero(np.isfinite(ranges))
    if len(seen) and np.isnan(kept).all():
        # All that is seen is between the bearings: it counts at the next one.
        bearing = first + seen[0] * step
        kept[int(np.argmin(np.abs(BEARINGS - bearing))) if np.isfinite(bearing) else 0] = (
            ranges[seen[0]])
    return Header(stamp, frame, values=kept)


MAX_BYTES = 50_000_000
"""Most bytes of the messages of a topic that are kept for one observation, the latest ones."""

MAX_KEPT = 200
"""Most different messages of a publisher of static transforms that are kept."""


class CollectedMessages:
    """
    The messages of joint states, transforms, descriptions and the clock.

    What publishers keep for late subscribers, static transforms and descriptions, stays.

    :param max_names: frames or joints of a topic, each counted once in every combination; a topic
        with more is left out of an observation. None if there is no limit.
    """

    def __init__(self, max_names: int | None = None) -> None:
        self._max_names = max_names
        self._recent = defaultdict[str, deque[Message]](deque)
        self._sizes: Counter[str] = Counter()
        self._kept: dict[str, dict[bytes, dict[bytes, Message]]] = {}

    def add(self, topic: str, messages: Iterable[Message]) -> None:
        """Add messages in the order of their arrival."""
        for message in messages:
            if not is_kept(topic):
                self._recent[topic].append(message)
                self._sizes[topic] += len(message.data)
                while self._sizes[topic] > MAX_BYTES:
                    self._drop(topic)
                continue
            of_source = self._kept.setdefault(topic, {}).setdefault(message.source, {})
            if message.source and not is_static(topic):
                of_source.clear()
            of_source.pop(message.data, None)
            of_source[message.data] = message
            if len(of_source) > MAX_KEPT:
                del of_source[next(iter(of_source))]

    def has_kept(self, topic: str) -> bool:
        """Return whether any message has arrived that late subscribers receive, too."""
        return bool(self._kept.get(topic))

    def clear(self, before: int = ALWAYS) -> None:
        """Drop the messages before a time in nanoseconds, except what publishers keep."""
        for topic, recent in self._recent.items():
            while recent and recent[0].received < before:
                self._drop(topic)

    def _drop(self, topic: str) -> None:
        self._sizes[topic] -= len(self._recent[topic].popleft().data)

    def keep_only(self, topic: str, sources: Collection[bytes]) -> None:
        """Drop what ended publishers had kept, and what unknown ones have probably replaced."""
        of_topic = self._kept.get(topic, {})
        unknown = of_topic.get(b'', {})
        for data in [*unknown][:-len(sources) or None]:
            del unknown[data]
        for source in [source for source in of_topic if source and source not in sources]:
            del of_topic[source]

    def observation(self, graph: Graph, seconds: float, now: int,
                    parameters: dict[str, NodeParameters], begin: int = 0,
                    texts: tuple[PublishedText, ...] | None = None,
                    unreadable: Mapping[str, int] | None = None, **others: Any) -> Observation:
        """
        Return the observation of the collected messages.

        :param now: the end of the observation in nanoseconds; later messages do not count.
        :param begin: its beginning.
        :param texts: the descriptions, if they are not to be those that were published.
        :param unreadable: name of each other topic to the number of messages that cannot be read.
        :param others: further fields of the observation.
        """
        arrived = {topic: [message for message in recent if begin <= message.received <= now]
                   for topic, recent in self._recent.items()}
        for topic, kept in self._kept.items():
            arrived[topic] = sorted(
                (message for of_source in kept.values() for message in of_source.values()
                 if message.received <= now), key=lambda message: message.received)
        unreadable = dict(unreadable or {})
        graph = _without_other_texts(graph, arrived)
        if texts is None:
            texts = tuple(_texts(graph, arrived, unreadable))
        crowded: dict[str, int] = {}
        unread = arrived, unreadable, self._max_names, crowded
        joints = _tracks(joint_topics(graph), joint_tracks, graph, *unread)
        frames = _tracks(frame_topics(graph), frame_tracks, graph, *unread)
        return Observation(
            graph, seconds, now, observed_robots(graph, texts, frames, parameters), texts, joints,
            frames, parameters, clock_track(arrived.get('/clock', ())),
            unreadable={topic: number for topic, number in unreadable.items() if number},
            crowded=crowded, **others)


_Arrived = dict[str, list[Message]]

Track = TypeVar('Track', JointTrack, FrameTrack)


def _without_other_texts(graph: Graph, arrived: _Arrived) -> Graph:
    """Return the graph without description topics that hold no robot description."""
    others = [topic for topic in description_topics(graph)
              if not topic.endswith('robot_description')
              and not any(b'<robot' in message.data for message in arrived.get(topic, ()))]
    return replace(graph, kinds={
        topic: kind for topic, kind in graph.kinds.items() if topic not in others})


def _texts(graph: Graph, arrived: _Arrived, unreadable: dict[str, int]) -> Iterator[PublishedText]:
    for topic in description_topics(graph):
        for message in arrived.get(topic, ()):
            text = read_text(message)
            if text is None:
                unreadable[topic] = unreadable.get(topic, 0) + 1
            else:
                yield PublishedText(
                    topic, graph.publisher(topic, message.source), text, *robot_of(text))


def _tracks(topics: Iterable[str], read: Callable[..., tuple[list[Track], int]], graph: Graph,
            arrived: _Arrived, unreadable: dict[str, int], max_names: int | None,
            crowded: dict[str, int]) -> tuple[Track, ...]:
    tracks: list[Track] = []
    for topic in topics:
        try:
            found, unreadable[topic] = read(
                topic, arrived.get(topic, ()), partial(graph.sender, topic), max_names)
            tracks += found
        except TooManyNames:
            crowded[topic] = max_names or 0
    return tuple(tracks)


def joint_tracks(topic: str, messages: Sequence[Message], sender: Sender,
                 max_names: int | None = None) -> tuple[list[JointTrack], int]:
    """
    Return ``sensor_msgs/JointState`` messages by publisher and names.

    :param sender: returns the publisher's gid and its node for the source of a message.
    :param max_names: see :func:`~urdf_tools.messages.batches.read_batches`, which raises.
    :return: the tracks, and the number of messages that cannot be read.
    """
    tracks = []
    batches, unreadable = read_batches(messages, joint_state_layout, max_names)
    for layout, batch, stamps, numbers in batches:
        (names,) = layout.names
        positions, velocities, efforts = (
            part[:, :len(names)] for part in np.split(
                numbers, np.cumsum(layout.counts)[:2], axis=1))
        tracks.append(JointTrack(topic, *sender(batch[0].source), tuple(names), _received(batch),
                                 stamps[:, 0], positions, velocities, efforts))
    return tracks, unreadable


def frame_tracks(topic: str, messages: Sequence[Message], sender: Sender,
                 max_names: int | None = None) -> tuple[list[FrameTrack], int]:
    """
    Return ``tf2_msgs/TFMessage`` messages by publisher and frames.

    Parameters and result are as for :func:`joint_tracks`.
    """
    tracks = []
    batches, unreadable = read_batches(messages, transforms_layout, max_names)
    for layout, batch, stamps, numbers in batches:
        parents, children = layout.names
        if children:
            tracks.append(FrameTrack(topic, *sender(batch[0].source), is_static(topic),
                                     tuple(parents), tuple(children), _received(batch), stamps,
                                     numbers.reshape(len(batch), len(children), 7)))
    return tracks, unreadable


def clock_track(messages: Sequence[Message]) -> ClockTrack | None:
    """Return ``rosgraph_msgs/Clock`` messages, or None if there are none that can be read."""
    try:
        times = [Cursor(message.data).stamp() for message in messages]
    except ValueError:
        return None
    return ClockTrack(_received(messages), np.array(times, dtype=np.int64)) if times else None


def _received(messages: Sequence[Message]) -> Times:
    return np.array([message.received for message in messages], dtype=np.int64)
