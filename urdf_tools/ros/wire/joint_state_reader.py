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

"""Stamp, names and positions of serialized joint states."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
import struct
from typing import Any
from typing import Generic
from typing import TypeVar

import numpy as np
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from urdf_tools.kinematics.joint_transforms import FEW
from urdf_tools.kinematics.transforms import Array
from urdf_tools.ros.wire.cdr import align
from urdf_tools.ros.wire.cdr import PLAIN_CDR
from urdf_tools.ros.wire.cdr import read_count
from urdf_tools.ros.wire.cdr import read_string
from urdf_tools.ros.wire.cdr import SECOND
from urdf_tools.ros.wire.doubles import DOUBLE

Layout = TypeVar('Layout')

Positions = list[float] | Array
"""Positions of a message: a list if there are few, an array of shape (n,) otherwise."""

_START = struct.Struct('<2s2xiI')
_PREFIX = _START.size

_MAX_KNOWN = 16
_MAX_PREFIX = 2**18


@dataclass(frozen=True)
class _Known(Generic[Layout]):
    """
    What is known of messages that agree from the frame ID to the number of positions.

    :ivar prefix: those bytes.
    :ivar fields: encapsulation, stamp and prefix, and the positions if there are few.
    :ivar many: number and offset of the positions if there are many.
    """

    prefix: bytes
    layout: Layout
    fields: struct.Struct
    many: tuple[int, int] | None = None


_NOTHING: _Known[Any] = _Known(b'\0', None, struct.Struct(_START.format + '0s'))
"""What is known before the first message."""


class JointStateReader(Generic[Layout]):
    """
    Reads stamp, names and positions of serialized ``sensor_msgs/JointState``.

    Deserializing message objects costs tens of times what reading their numbers in place does.
    Names seldom change from one message to the next, so the offsets are computed once.

    :param lay_out: called with the names and the number of positions of a message that differs
        from the recent ones in these; its result is returned with each message of that kind.
    """

    def __init__(self, lay_out: Callable[[Sequence[str], int], Layout]):
        self._lay_out = lay_out
        self._known: list[_Known[Layout]] = []
        self._last: _Known[Layout] = _NOTHING

    def read(self, data: bytes) -> tuple[int, Layout, Positions]:
        """
        Return the stamp in nanoseconds, the layout and the positions.

        :raises ValueError: the bytes are not a joint state.
        """
        known = self._last
        try:
            encapsulation, seconds, nanoseconds, prefix, *few = known.fields.unpack_from(data)
        except struct.error:
            return self._read_another(data)
        if prefix != known.prefix or encapsulation != PLAIN_CDR:
            return self._read_another(data)
        positions: Any = few
        if known.many is not None:
            positions = np.frombuffer(data, DOUBLE, *known.many)
        return seconds * SECOND + nanoseconds, known.layout, positions

    def _read_another(self, data: bytes) -> tuple[int, Layout, Positions]:
        """Read a message that differs from the last one in more than its numbers."""
        if not data.startswith(PLAIN_CDR):
            return self._read_message(data)
        try:
            known = self._find(data)
            known.fields.unpack_from(data)
        except struct.error as error:
            raise ValueError('The joint state is cut short') from error
        self._last = known
        return self.read(data)

    def _find(self, data: bytes) -> _Known[Layout]:
        for known in self._known:
            if data.startswith(known.prefix, _PREFIX):
                return known
        names, count, end = _read_names(data, _PREFIX)
        layout, offset = self._lay_out(names, count), align(end, 8)
        prefix, beginning = data[_PREFIX:end], f'{_START.format}{end - _PREFIX}s'
        if count > FEW:
            known = _Known(prefix, layout, struct.Struct(beginning), (count, offset))
        else:
            fields = struct.Struct(f'{beginning}{offset - end}x{count}d')
            known = _Known(prefix, layout, fields)
        if len(prefix) <= _MAX_PREFIX:
            self._known = [known, *self._known[:_MAX_KNOWN - 1]]
        return known

    def _read_message(self, data: bytes) -> tuple[int, Layout, Positions]:
        # Only for other encapsulations: on damaged bytes the middleware's own code may crash, as
        # it does where a header announces padding and nothing follows.
        if len(data) < _PREFIX:
            raise ValueError('The joint state is cut short')
        try:
            message = deserialize_message(data, JointState)
        except RuntimeError as error:
            raise ValueError('Not a joint state') from error
        stamp = message.header.stamp
        positions = np.array(message.position)
        return (
            stamp.sec * SECOND + stamp.nanosec,
            self._lay_out(message.name, len(positions)), positions)


def _read_names(data: bytes, start: int) -> tuple[list[str], int, int]:
    _, offset = read_string(data, start)
    count, offset = read_count(data, offset)
    # Every name takes at least the 4 bytes of its length.
    if 4 * count > len(data):
        raise ValueError('The joint state has more names than bytes')
    names = []
    for _ in range(count):
        name, offset = read_string(data, offset)
        names.append(name)
    positions, offset = read_count(data, offset)
    return names, positions, offset
