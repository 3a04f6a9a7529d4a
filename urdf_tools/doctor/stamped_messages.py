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
"""The headers of the messages on a topic, collected by publisher and frame."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import Sender
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.messages.batches import Cursor
from urdf_tools.messages.batches import Message
from urdf_tools.messages.headers import Header
from urdf_tools.messages.headers import HeaderPosition
from urdf_tools.messages.headers import MAX_NAME
from urdf_tools.messages.headers import read_header
from urdf_tools.types import Array

MEASURED = {IMU: 37, ODOMETRY: 85}
"""Types of which numbers are kept besides the header, and how many they have."""

ALWAYS = 2**63 - 1
"""A time in nanoseconds after all others."""

MAX_FRAMES = 200
"""Most frames of a topic whose messages are kept; those of further ones are left out."""


class _Added(NamedTuple):
    """What is kept of a message."""

    received: int
    stamp: int
    values: Array | None


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
        self._added: dict[tuple[bytes, str, str], list[_Added]] = {}

    def add(self, message: Message) -> None:
        """Add a serialized message, of which the header and some numbers are kept."""
        self.add_header(self.header(message.data), message)

    def header(self, data: bytes) -> Header | None:
        """Return the header of a message, or None if it has none or cannot be read."""
        try:
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
            self._added.setdefault(key, []).append(
                _Added(message.received, header.stamp, header.values))

    def tracks(self, sender: Sender, since: int = 0, begin: int = 0,
               end: int = ALWAYS) -> list[StampedTrack]:
        """
        Return the headers received between two times.

        :param sender: returns the publisher's gid and its node for what was added as its source.
        :param since: when the listening began that lasts until now; 0 if it did all the time.
        """
        of_sources: dict[tuple[bytes, str, str, str], list[_Added]] = {}
        for (source, frame, child), added in self._added.items():
            of_sources.setdefault((*sender(source), frame, child), []).extend(
                each for each in added if begin <= each.received <= end)
        tracks = []
        for (gid, publisher, frame, child), found in of_sources.items():
            if found:
                found.sort(key=attrgetter('received'))
                received, stamps = np.array([each[:2] for each in found], dtype=np.int64).T
                values = np.array([each.values for each in found]) if (
                    self.kind in MEASURED) else None
                tracks.append(StampedTrack(
                    self.topic, self.kind, gid, publisher, frame, received, stamps, self._sampled,
                    since, child, values))
        return tracks

    def clear(self, before: int = ALWAYS) -> None:
        """Drop the headers received before a time."""
        rest = {key: [each for each in added if each.received >= before]
                for key, added in self._added.items()}
        self._added = {key: added for key, added in rest.items() if added}
        self.unreadable = 0


def _measured(kind: str, data: bytes) -> Header:
    """
    Return the header and the numbers of a message of an IMU or of odometry.

    :raises ValueError: it cannot be read.
    """
    cursor = Cursor(data)
    stamp, frame = cursor.stamp(), cursor.string().removeprefix('/')
    child = cursor.string().removeprefix('/') if kind == ODOMETRY else ''
    if max(len(frame), len(child)) > MAX_NAME:
        raise ValueError('The name of a frame is too long')
    numbers = cursor.numbers(MEASURED[kind])
    if kind == ODOMETRY:
        return Header(stamp, frame, child, numbers[:7].copy())
    # An element of -1 at the beginning of a covariance says that there is no such measurement.
    return Header(stamp, frame, values=np.concatenate([
        np.full(3, np.nan) if numbers[start + 3] == -1 else numbers[start:start + 3]
        for start in (13, 25)]))
