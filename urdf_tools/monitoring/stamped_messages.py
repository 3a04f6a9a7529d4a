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
"""The headers of what arrives on a topic, collected by publisher and frame."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np

from urdf_tools.monitoring.message_headers import Header
from urdf_tools.monitoring.message_headers import Place
from urdf_tools.monitoring.message_headers import read_header
from urdf_tools.monitoring.observation import StampedTrack

MAX_FRAMES = 200
"""Most frames of a topic whose messages are kept; those of further ones are left out."""


class StampedMessages:
    """
    Collects the headers of the messages on a topic.

    :param kind: full name of their type.
    :param place: where the headers are in it.
    :param sampled: whether some messages are left out on purpose.
    :ivar unreadable: number of messages that cannot be read.
    """

    def __init__(self, topic: str, kind: str, place: Place, sampled: bool = False):
        self.unreadable = 0
        self._topic = topic
        self._kind = kind
        self._place = place
        self._sampled = sampled
        self._times: dict[tuple[bytes, str], tuple[array[int], array[int]]] = {}

    def add(self, data: bytes, source: bytes, received: int) -> None:
        """
        Add a serialized message, of which only the header is kept.

        :param source: gid of its publisher; empty if it is unknown.
        :param received: when it arrived by the system's clock, in nanoseconds.
        """
        self.add_header(self.header(data), source, received)

    def header(self, data: bytes) -> Header | None:
        """Return the header of a message, or None if it has none or cannot be read."""
        try:
            return read_header(data, self._place)
        except ValueError:
            self.unreadable += 1
            return None

    def add_header(self, header: Header | None, source: bytes, received: int) -> None:
        """Add the header of a message, as :meth:`add` does."""
        if header is None:
            return
        key = source, header.frame
        if key not in self._times:
            if len(self._times) >= MAX_FRAMES:
                return
            self._times[key] = array('q'), array('q')
        times, stamps = self._times[key]
        times.append(received)
        stamps.append(header.stamp)

    def tracks(
            self, publisher: Callable[[bytes], str], since: int = 0) -> list[StampedTrack]:
        """
        Return what was added since :meth:`clear`.

        :param publisher: returns the node that a gid belongs to.
        :param since: when the listening began that lasts until now; 0 if it did all the time.
        """
        return [
            StampedTrack(
                self._topic, self._kind, source, publisher(source), frame,
                np.array(times, dtype=np.int64), np.array(stamps, dtype=np.int64),
                self._sampled, since)
            for (source, frame), (times, stamps) in self._times.items()]

    def clear(self) -> None:
        """Forget what was added."""
        self._times.clear()
        self.unreadable = 0
