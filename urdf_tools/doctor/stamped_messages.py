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

from operator import itemgetter

import numpy as np

from urdf_tools.doctor.graph import Sender
from urdf_tools.doctor.message_batches import Message
from urdf_tools.doctor.message_headers import Header
from urdf_tools.doctor.message_headers import Place
from urdf_tools.doctor.message_headers import read_header
from urdf_tools.doctor.observation import StampedTrack

ALWAYS = 2**63 - 1
"""A time in nanoseconds after all others."""

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
        self.topic = topic
        self.kind = kind
        self._place = place
        self._sampled = sampled
        self._times: dict[tuple[bytes, str], list[tuple[int, int]]] = {}

    def add(self, message: Message) -> None:
        """Add a serialized message, of which only the header is kept."""
        self.add_header(self.header(message.data), message)

    def header(self, data: bytes) -> Header | None:
        """Return the header of a message, or None if it has none or cannot be read."""
        try:
            return read_header(data, self._place)
        except ValueError:
            self.unreadable += 1
            return None

    def add_header(self, header: Header | None, message: Message) -> None:
        """Add the header of a message, as :meth:`add` does."""
        if header is None:
            return
        key = message.source, header.frame
        if key in self._times or len(self._times) < MAX_FRAMES:
            self._times.setdefault(key, []).append((message.received, header.stamp))

    def tracks(self, sender: Sender, since: int = 0, begin: int = 0,
               end: int = ALWAYS) -> list[StampedTrack]:
        """
        Return the headers received between two times.

        :param sender: returns the publisher's gid and its node for what was added as its source.
        :param since: when the listening began that lasts until now; 0 if it did all the time.
        """
        times: dict[tuple[bytes, str, str], list[tuple[int, int]]] = {}
        for (source, frame), added in self._times.items():
            times.setdefault((*sender(source), frame), []).extend(
                each for each in added if begin <= each[0] <= end)
        tracks = []
        for of_source, found in times.items():
            if found:
                received, stamps = np.array(sorted(found, key=itemgetter(0)), dtype=np.int64).T
                tracks.append(StampedTrack(
                    self.topic, self.kind, *of_source, received, stamps, self._sampled, since))
        return tracks

    def clear(self, before: int = ALWAYS) -> None:
        """Drop the headers received before a time."""
        rest = {key: [each for each in added if each[0] >= before]
                for key, added in self._times.items()}
        self._times = {key: added for key, added in rest.items() if added}
        self.unreadable = 0
