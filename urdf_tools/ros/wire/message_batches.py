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


"""Stamps and numbers of many serialized messages at once."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
import struct

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.monitoring.observation import FrameTrack
from urdf_tools.monitoring.observation import JointTrack
from urdf_tools.monitoring.observation import Times
from urdf_tools.ros.wire.cdr import align
from urdf_tools.ros.wire.cdr import DOUBLE
from urdf_tools.ros.wire.cdr import HEADER
from urdf_tools.ros.wire.cdr import PLAIN_CDR
from urdf_tools.ros.wire.cdr import read_count
from urdf_tools.ros.wire.cdr import read_string
from urdf_tools.ros.wire.cdr import SECOND
from urdf_tools.ros.wire.cdr import STAMP
from urdf_tools.ros.wire.polled_topic import Message

MAX_LAYOUTS = 50
"""Most layouts of messages from one publisher that are read; a damaged source may have more."""

_FIRST_STAMP = HEADER
_SHORTEST_TRANSFORM = 8 + 2 * 5 + 7 * 8


@dataclass(frozen=True)
class _Layout:
    """
    Where the stamps and the numbers of a message are.

    :param names: the texts that the messages of the layout have in common.
    :param stamps: offset of each stamp, shape (s,).
    :param numbers: offset of each number, shape (n,).
    """

    names: tuple[Sequence[str], ...]
    stamps: Indices
    numbers: Indices


_Batch = tuple[_Layout, list[Message], Times, Array]


def joint_tracks(
        topic: str, messages: Sequence[Message],
        publisher: Callable[[bytes], str]) -> tuple[list[JointTrack], int]:
    """
    Return ``sensor_msgs/JointState`` messages by publisher and names.

    :param publisher: returns the node that a gid belongs to.
    :return: the tracks, and the number of messages that cannot be read.
    """
    tracks, read = [], 0
    for layout, batch, stamps, numbers in _batches(messages, _joint_state):
        names, counts = layout.names[0], tuple(map(int, layout.names[1]))
        positions, velocities, efforts = (
            part[:, :len(names)] for part in np.split(numbers, np.cumsum(counts)[:2], axis=1))
        tracks.append(JointTrack(
            topic, batch[0].source, publisher(batch[0].source), tuple(names), _received(batch),
            stamps[:, 0], positions, velocities, efforts))
        read += len(batch)
    return tracks, len(messages) - read


def frame_tracks(
        topic: str, messages: Sequence[Message], publisher: Callable[[bytes], str],
        static: bool) -> tuple[list[FrameTrack], int]:
    """
    Return ``tf2_msgs/TFMessage`` messages by publisher and frames.

    :param publisher: returns the node that a gid belongs to.
    :return: the tracks, and the number of messages that cannot be read.
    """
    tracks, read = [], 0
    for layout, batch, stamps, numbers in _batches(messages, _transforms):
        parents, children = layout.names
        read += len(batch)
        if children:
            tracks.append(FrameTrack(
                topic, batch[0].source, publisher(batch[0].source), static, tuple(parents),
                tuple(children), _received(batch), stamps,
                numbers.reshape(len(batch), len(children), 7)))
    return tracks, len(messages) - read


def clock_times(messages: Sequence[Message]) -> Times:
    """Return the times of ``rosgraph_msgs/Clock`` messages in nanoseconds, shape (k,)."""
    return np.array([
        seconds * SECOND + nanoseconds for seconds, nanoseconds in (
            STAMP.unpack_from(message.data, _FIRST_STAMP) for message in messages
            if message.data.startswith(PLAIN_CDR)
            and len(message.data) >= _FIRST_STAMP + STAMP.size)], dtype=np.int64)


def read_text(message: Message) -> str | None:
    """Return the text of a ``std_msgs/String``, or None if it cannot be read."""
    try:
        return read_string(message.data, HEADER)[0]
    except (struct.error, ValueError):
        return None


def _received(messages: Sequence[Message]) -> Times:
    return np.array([message.received for message in messages], dtype=np.int64)


def _batches(
        messages: Sequence[Message], lay_out: Callable[[bytes], _Layout]) -> Iterator[_Batch]:
    """
    Yield messages of one publisher that differ in nothing but stamps and numbers.

    :return: the layout, the messages, their stamps in nanoseconds, shape (k, s), and numbers,
        shape (k, n).
    """
    groups: dict[tuple[bytes, int], list[Message]] = {}
    for message in messages:
        groups.setdefault((message.source, len(message.data)), []).append(message)
    for group in groups.values():
        for _ in range(MAX_LAYOUTS):
            if not group:
                break
            try:
                if not group[0].data.startswith(PLAIN_CDR):
                    raise ValueError('No middleware of ROS 2 hands out another encapsulation')
                layout = lay_out(group[0].data)
            except (struct.error, ValueError):
                # The caller counts what is not yielded.
                group = group[1:]
                continue
            table = np.frombuffer(
                b''.join(message.data for message in group), np.uint8).reshape(len(group), -1)
            alike = (table == table[0])
            alike[:, (layout.stamps[:, None] + np.arange(8)).ravel()] = True
            alike[:, (layout.numbers[:, None] + np.arange(8)).ravel()] = True
            same = alike.all(axis=1)
            table = table[same]
            yield (layout, [group[row] for row in np.flatnonzero(same)],
                   _stamps(table, layout.stamps), _numbers(table, layout.numbers))
            group = [group[row] for row in np.flatnonzero(~same)]


def _stamps(table: np.typing.NDArray[np.uint8], offsets: Indices) -> Times:
    bytes_of_stamps = np.ascontiguousarray(table[:, offsets[:, None] + np.arange(8)])
    parts = bytes_of_stamps.view('<i4').reshape(len(table), len(offsets), 2).astype(np.int64)
    return parts[..., 0] * SECOND + parts[..., 1]


def _numbers(table: np.typing.NDArray[np.uint8], offsets: Indices) -> Array:
    bytes_of_numbers = np.ascontiguousarray(table[:, offsets[:, None] + np.arange(8)])
    return bytes_of_numbers.view(DOUBLE).reshape(len(table), len(offsets)).astype(float)


def _joint_state(data: bytes) -> _Layout:
    _, offset = read_string(data, _FIRST_STAMP + STAMP.size)
    count, offset = read_count(data, offset)
    if 4 * count > len(data):
        raise ValueError('The joint state has more names than bytes')
    names = []
    for _ in range(count):
        name, offset = read_string(data, offset)
        names.append(name)
    numbers: list[int] = []
    counts = []
    for _ in range(3):
        count, offset = read_count(data, offset)
        start = align(offset, 8) if count else offset
        if start + 8 * count > len(data):
            raise ValueError('The joint state is cut short')
        numbers += range(start, start + 8 * count, 8)
        counts.append(str(count))
        offset = start + 8 * count
    return _Layout((names, counts), np.array([_FIRST_STAMP], dtype=np.intp),
                   np.array(numbers, dtype=np.intp))


def _transforms(data: bytes) -> _Layout:
    count, offset = read_count(data, HEADER)
    if _SHORTEST_TRANSFORM * count > len(data):
        raise ValueError('The message has more transforms than bytes')
    parents, children = [], []
    stamps: list[int] = []
    numbers: list[int] = []
    for _ in range(count):
        offset = align(offset, 4)
        stamps.append(offset)
        parent, offset = read_string(data, offset + STAMP.size)
        child, offset = read_string(data, offset)
        offset = align(offset, 8)
        if offset + 7 * 8 > len(data):
            raise ValueError('The message is cut short')
        numbers += range(offset, offset + 7 * 8, 8)
        offset += 7 * 8
        parents.append(parent)
        children.append(child)
    return _Layout((parents, children), np.array(stamps, dtype=np.intp),
                   np.array(numbers, dtype=np.intp))
