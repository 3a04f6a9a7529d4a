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
Joint states and transforms as the bytes that travel: little-endian plain CDR.

Message objects cost rclpy tens of times what reading and writing their numbers in place does.
Names seldom change from one message to the next, so where the numbers stand is worked out once.
CDR aligns from the byte after the encapsulation header, which has 4 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
import struct
from typing import Generic
from typing import TypeVar

import numpy as np
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from urdf_tools.kinematics.joint_transforms import FEW

Layout = TypeVar('Layout')

Positions = list[float] | np.ndarray
"""Positions of a message: a list if they are few, an array of shape (n,) otherwise."""

SECOND = 1_000_000_000
"""Nanoseconds of a second."""

_HEADER = 4
_PLAIN_CDR = b'\x00\x01'
_COUNT = struct.Struct('<I')
_STAMP = struct.Struct('<iI')
_START = struct.Struct('<2s2xiI')
_PREFIX = _START.size
_DOUBLE = np.dtype('<f8')

_REMEMBERED = 16
_LONGEST_REMEMBERED = 2**18


@dataclass(frozen=True)
class _Known(Generic[Layout]):
    """
    What is known of messages that agree from the frame's name to the number of positions.

    :ivar prefix: those bytes.
    :ivar numbers: encapsulation and stamp, and the positions if they are few.
    :ivar many: number of positions and where they begin, if they are not few.
    """

    prefix: bytes
    layout: Layout
    numbers: struct.Struct
    many: tuple[int, int] = ()


class JointStateReader(Generic[Layout]):
    """
    Reads stamp, names and positions of serialized ``sensor_msgs/JointState``.

    :param lay_out: called with the names and the number of positions, once for all messages
        with the same ones as long as they are remembered; its value comes with each of them.
    """

    def __init__(self, lay_out: Callable[[Sequence[str], int], Layout]):
        self._lay_out = lay_out
        self._known: list[_Known] = []
        self._last: _Known | None = None

    def read(self, data: bytes) -> tuple[int, Layout, Positions]:
        """
        Return the stamp in nanoseconds, the layout and the positions.

        :raises ValueError: the bytes are no joint state.
        """
        known = self._last
        try:
            if known is None or not data.startswith(known.prefix, _PREFIX):
                if not data.startswith(_PLAIN_CDR):
                    return self._read_message(data)
                known = self._last = self._find(data)
            encapsulation, seconds, nanoseconds, *positions = known.numbers.unpack_from(data)
        except struct.error as error:
            raise ValueError('Not a whole joint state') from error
        if encapsulation != _PLAIN_CDR:
            return self._read_message(data)
        if known.many:
            positions = np.frombuffer(data, _DOUBLE, *known.many)
        return seconds * SECOND + nanoseconds, known.layout, positions

    def _find(self, data):
        for known in self._known:
            if data.startswith(known.prefix, _PREFIX):
                return known
        names, count, end = _read_names(data, _PREFIX)
        layout, offset = self._lay_out(names, count), _align(end, 8)
        if count > FEW:
            known = _Known(data[_PREFIX:end], layout, _START, (count, offset))
        else:
            numbers = struct.Struct(f'{_START.format}{offset - _START.size}x{count}d')
            known = _Known(data[_PREFIX:end], layout, numbers)
        if len(known.prefix) <= _LONGEST_REMEMBERED:
            self._known = [known, *self._known[:_REMEMBERED - 1]]
        return known

    def _read_message(self, data):
        # Only for what cannot be read here: on damaged bytes the middleware's own code may crash,
        # as it does where a header announces padding and nothing follows.
        if len(data) < _PREFIX:
            raise ValueError('Not a whole joint state')
        try:
            message = deserialize_message(data, JointState)
        except RuntimeError as error:
            raise ValueError('Not a joint state') from error
        stamp = message.header.stamp
        positions = np.array(message.position)
        return (
            stamp.sec * SECOND + stamp.nanosec,
            self._lay_out(message.name, len(positions)), positions)


def _read_names(data, start):
    _, offset = _read_text(data, start)
    count, offset = _read_count(data, offset)
    # Every name has at least its length of 4 bytes.
    if 4 * count > len(data):
        raise ValueError('More names than bytes')
    names = []
    for _ in range(count):
        name, offset = _read_text(data, offset)
        names.append(name)
    positions, offset = _read_count(data, offset)
    return names, positions, offset


def _read_count(data, offset):
    offset = _align(offset, 4)
    return _COUNT.unpack_from(data, offset)[0], offset + 4


def _read_text(data, offset):
    length, offset = _read_count(data, offset)
    end = offset + length
    if end > len(data):
        raise ValueError('A text is longer than all bytes')
    return data[offset:end].partition(b'\0')[0].decode(errors='replace'), end


def _align(offset, size):
    return offset + (_HEADER - offset) % size


class TransformsWriter:
    """
    Writes ``tf2_msgs/TFMessage`` of transforms between the same frames.

    A writer of few transforms is quick with setters, one of many with numbers put all at once.

    :param parents: name of the frame that each transform leads from.
    :param children: name of the frame that each transform leads to.
    :param transforms: ``x y z qx qy qz qw``, shape (n, 7).
    :ivar places: where each of these numbers stands, for :meth:`put`, shape (n, 7).
    :ivar few: whether the transforms are so few.
    """

    _FIRST_STAMP = _HEADER + _COUNT.size

    def __init__(self, parents: Sequence[str], children: Sequence[str], transforms: np.ndarray):
        data = bytearray(_PLAIN_CDR + b'\0\0' + _COUNT.pack(len(children)))
        stamps, numbers = [], []
        for parent, child in zip(parents, children):
            stamps.append(len(data))
            data += bytes(_STAMP.size)
            _write_text(data, parent)
            _write_text(data, child)
            _pad(data, 8)
            numbers.append(len(data))
            data += bytes(7 * 8)
        self.few = len(stamps) <= FEW
        self._data = data
        # Seen from behind the header, all numbers are aligned, and so is every stamp but the
        # first, because it follows the numbers of the transform before.
        body = memoryview(data)[_HEADER:len(data) - (len(data) - _HEADER) % 8]
        self._numbers = np.frombuffer(body, _DOUBLE)
        self._stamps = np.frombuffer(body, '<u8')
        self._other_stamps = (np.array(stamps[1:], dtype=np.intp) - _HEADER) // 8
        self._between_stamps = [
            memoryview(data)[start:end]
            for start, end in zip((0, *(s + _STAMP.size for s in stamps)), (*stamps, len(data)))]
        self.places = (
            (np.array(numbers, dtype=np.intp)[:, None] - _HEADER) // 8 + np.arange(7))
        self.put(self.places, transforms)

    def put(self, places: np.ndarray, numbers: np.ndarray) -> None:
        """Change numbers, of any shape, at :attr:`places` of the same shape."""
        self._numbers.put(places, numbers)

    def setter(self, row: int, columns: range) -> Callable[..., None]:
        """Return what changes numbers of a transform that stand side by side when called."""
        numbers = struct.Struct(f'<{len(columns)}d')
        offset = _HEADER + 8 * int(self.places[row, columns[0]])
        return partial(numbers.pack_into, self._data, offset)

    def message(self, stamp: int) -> bytes:
        """
        Return the message.

        :param stamp: the stamp of every transform in nanoseconds.
        """
        seconds, nanoseconds = divmod(stamp, SECOND)
        if self.few:
            return _STAMP.pack(seconds, nanoseconds).join(self._between_stamps)
        _STAMP.pack_into(self._data, self._FIRST_STAMP, seconds, nanoseconds)
        self._stamps.put(self._other_stamps, nanoseconds << 32 | seconds & 0xffffffff)
        return bytes(self._data)


def _pad(data, size):
    data += bytes((_HEADER - len(data)) % size)


def _write_text(data, text):
    encoded = text.encode()
    _pad(data, 4)
    data += _COUNT.pack(len(encoded) + 1) + encoded + b'\0'
