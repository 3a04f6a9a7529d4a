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


"""Serialized messages of a graph or a recording, read many at once."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Hashable
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.messages.cdr import align
from urdf_tools.messages.cdr import HEADER
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import read_count
from urdf_tools.messages.cdr import read_string
from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.cdr import STAMP
from urdf_tools.messages.cdr import Transform
from urdf_tools.types import Array
from urdf_tools.types import Indices
from urdf_tools.types import Times

MAX_LAYOUTS = 500
"""Maximum number of layouts that are read of messages of a length from one publisher."""

MAX_NAME = 1000
"""Maximum length of the name of a frame in a header; a longer one is not a name."""

MAX_ROWS = 2_000_000
"""Maximum number of messages that are compared with layouts, where names are limited."""

_LONG = 200
"""Bytes of a message for each name that messages may have, where names are limited."""

_SHORTEST_TRANSFORM = 8 + 2 * 5 + 7 * 8


class Message(NamedTuple):
    """
    A serialized message.

    :param source: the publisher's gid; empty where the middleware or rclpy does not give it.
    :param received: when it arrived by the system's clock, in nanoseconds since the epoch.
    """

    data: bytes
    source: bytes
    received: int


@dataclass(frozen=True)
class Layout:
    """
    Where the stamps and the numbers of a message are.

    :param names: the texts that the messages of the layout have in common.
    :param counts: how many numbers each sequence has, likewise.
    :param texts: offset of each byte of the texts and counts, shape (t,). Padding may be anything.
    :param stamps: offset of each stamp, shape (s,).
    :param numbers: offset of each number, shape (n,).
    """

    names: tuple[Sequence[str], ...]
    counts: tuple[int, ...]
    texts: Indices
    stamps: Indices
    numbers: Indices


class Cursor:
    """
    Reads a message, and records the offsets of its fields.

    :raises ValueError: it is not little-endian plain CDR; all methods: it ends too early.
    """

    def __init__(self, data: bytes):
        if not data.startswith(PLAIN_CDR):
            raise ValueError('The message is not little-endian plain CDR')
        self._data = data
        self._offset = HEADER
        self._texts: list[range] = []
        self._stamps: list[int] = []
        self._numbers: list[range] = []

    def stamp(self) -> int:
        """Return a stamp in nanoseconds."""
        start = align(self._offset, 4)
        self._stamps.append(start)
        self._offset = start + STAMP.size
        if self._offset > len(self._data):
            raise ValueError('The message is cut short')
        seconds, nanoseconds = STAMP.unpack_from(self._data, start)
        return int(seconds * SECOND + nanoseconds)

    def count(self, size: int) -> int:
        """
        Return the number of elements of a sequence.

        :param size: minimum size of an element in bytes.
        """
        count, self._offset = read_count(self._data, self._offset)
        self._texts.append(range(self._offset - 4, self._offset))
        if size * count > len(self._data):
            raise ValueError('A sequence has more elements than bytes')
        return count

    def string(self) -> str:
        """Return a string."""
        start = align(self._offset, 4)
        text, self._offset = read_string(self._data, start)
        self._texts.append(range(start, self._offset))
        return text

    def frame(self) -> str:
        """Read the name of a frame."""
        frame = self.string()
        if len(frame) > MAX_NAME:
            raise ValueError('The name of a frame is too long')
        return frame

    def strings(self) -> list[str]:
        """Return a sequence of strings."""
        return [self.string() for _ in range(self.count(4))]

    def numbers(self, count: int) -> Array:
        """Return some numbers."""
        if not count:
            return np.zeros(0)
        start = align(self._offset, 8)
        self._offset = start + 8 * count
        self._numbers.append(range(start, self._offset, 8))
        return np.frombuffer(self._data, '<f8', count, start)

    def elements(self, size: int, count: int) -> bytes:
        """Return the bytes of some elements of a size, of which no offsets are recorded."""
        start = align(self._offset, size) if count else self._offset
        self._offset = start + size * count
        return self._data[start:self._offset]

    def layout(self, *names: Sequence[str], counts: Sequence[int] = ()) -> Layout:
        """Return the offsets of the fields read so far."""
        texts, numbers = (
            np.concatenate([np.arange(0), *map(np.array, ranges)]).astype(np.intp)
            for ranges in (self._texts, self._numbers))
        return Layout(names, tuple(counts), texts, np.array(self._stamps, dtype=np.intp), numbers)


Batch = tuple[Layout, list[Message], Times, Array]
"""A layout, the messages that have it, their stamps in ns, shape (k, s), and numbers, (k, n)."""


def read_text(message: Message) -> str | None:
    """Return the text of a ``std_msgs/String``, or None if it cannot be read."""
    try:
        return read_string(message.data, HEADER)[0]
    except ValueError:
        return None


class TooManyNames(Exception):
    """Messages have more names than are read."""


def read_batches(
        messages: Sequence[Message], lay_out: Callable[[bytes], Layout],
        max_names: int | None = None) -> tuple[list[Batch], int]:
    """
    Return batches of messages of one publisher that differ only in stamps and numbers.

    :param max_names: of all batches together; None if there is no limit.
    :return: these, and the number of messages that cannot be read.
    :raises TooManyNames: they have more, or are too many with different names.
    """
    batches: list[Batch] = []
    unreadable = names = compared = 0
    groups: dict[tuple[bytes, int], list[Message]] = {}
    for message in messages:
        groups.setdefault((message.source, len(message.data)), []).append(message)
    for group in groups.values():
        for _ in range(MAX_LAYOUTS):
            if not group:
                break
            if max_names is not None and len(group[0].data) > _LONG * max_names:
                raise TooManyNames
            compared += len(group)
            try:
                layout = lay_out(group[0].data)
            except ValueError:
                unreadable += 1
                group = group[1:]
                continue
            names += len(layout.names[0])
            if max_names is not None and (names > max_names or compared > MAX_ROWS):
                raise TooManyNames
            # Counted from the end of the header, stamps are aligned to 4 bytes, numbers to 8.
            padding = bytes((HEADER - len(group[0].data)) % 8)
            table = np.frombuffer(b''.join(
                message.data[HEADER:] + padding for message in group), np.uint8).reshape(
                    len(group), -1)
            texts = table[:, layout.texts - HEADER]
            same = (texts == texts[0]).all(axis=1)
            rows = table if same.all() else table[same]
            seconds = rows.view('<i4')[:, (layout.stamps - HEADER) // 4].astype(np.int64)
            nanoseconds = rows.view('<u4')[:, (layout.stamps - HEADER) // 4 + 1]
            batches.append((layout, [group[row] for row in np.flatnonzero(same)],
                            seconds * SECOND + nanoseconds,
                            rows.view('<f8')[:, (layout.numbers - HEADER) // 8].astype(float)))
            group = [group[row] for row in np.flatnonzero(~same)]
    return batches, unreadable


def joint_state_layout(data: bytes) -> Layout:
    """Return the layout of a ``sensor_msgs/JointState``."""
    cursor = Cursor(data)
    cursor.stamp()
    cursor.string()
    names = cursor.strings()
    counts = []
    for _ in range(3):
        counts.append(cursor.count(8))
        cursor.numbers(counts[-1])
    return cursor.layout(names, counts=counts)


def transforms_layout(data: bytes) -> Layout:
    """Return the layout of a ``tf2_msgs/TFMessage``."""
    cursor = Cursor(data)
    transforms = read_transforms(cursor)
    # tf2 strips a slash at the beginning, which the names of tf 1 have.
    return cursor.layout(*([getattr(each, name).removeprefix('/') for each in transforms]
                           for name in ('parent', 'child')))


def read_transforms(cursor: Cursor) -> list[Transform]:
    """
    Return the transforms of a ``tf2_msgs/TFMessage``.

    :raises ValueError: it cannot be read.
    """
    return [Transform(cursor.stamp(), cursor.string(), cursor.string(), cursor.numbers(7))
            for _ in range(cursor.count(_SHORTEST_TRANSFORM))]


LAYOUTS = {'sensor_msgs/msg/JointState': joint_state_layout,
           'tf2_msgs/msg/TFMessage': transforms_layout}
"""Types of messages with several names, to the functions that find these."""

MAX_REMEMBERED = 200
"""Maximum number of layouts of messages of a type that are remembered."""


class MessageNames:
    """Reads the names in messages of a type, by the layouts of earlier ones of the same size."""

    def __init__(self, kind: str):
        self._lay_out = LAYOUTS[kind]
        self._known: dict[int, dict[itemgetter[Any], Hashable]] = {}

    def of(self, data: bytes) -> Hashable:
        """Return the names in a message; None if it cannot be read."""
        known = self._known.setdefault(len(data), {})
        for getter, names in known.items():
            if getter(data) == names:
                return names
        try:
            layout = self._lay_out(data)
        except ValueError:
            return None
        if sum(map(len, self._known.values())) >= MAX_REMEMBERED:
            self._known = {}
            known = self._known.setdefault(len(data), {})
        breaks = np.flatnonzero(np.diff(layout.texts) != 1) + 1
        found: itemgetter[Any] = itemgetter(*(
            slice(int(part[0]), int(part[-1]) + 1) for part in np.split(layout.texts, breaks)))
        known[found] = found(data)
        return known[found]
