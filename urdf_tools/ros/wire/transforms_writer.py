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

"""Transforms as serialized messages, in a prepared layout."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from functools import partial
import struct

import numpy as np

from urdf_tools.kinematics.joint_transforms import FEW
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.ros.wire.cdr import COUNT
from urdf_tools.ros.wire.cdr import HEADER
from urdf_tools.ros.wire.cdr import SECOND
from urdf_tools.ros.wire.cdr import STAMP
from urdf_tools.ros.wire.doubles import DOUBLE
from urdf_tools.ros.wire.transforms_layout import lay_out_transforms

# Shared by all transforms, so that the processor has to load them once.
_PACK_INTO = {count: struct.Struct(f'<{count}d').pack_into for count in (3, 4)}


class TransformsWriter:
    """
    Writes ``tf2_msgs/TFMessage`` of transforms between the same frames.

    Few transforms are written fastest with :meth:`setter`, many with :meth:`put`.

    :param parents: parent frame of each transform.
    :param children: child frame of each transform.
    :param transforms: ``x y z qx qy qz qw``, shape (n, 7).
    :ivar indices: index of each of these numbers for :meth:`put`, shape (n, 7).
    :ivar few: whether there are at most :data:`FEW` transforms.
    """

    _FIRST_STAMP = HEADER + COUNT.size

    def __init__(
            self, parents: Sequence[str], children: Sequence[str],
            transforms: Array):
        data, stamps, numbers = lay_out_transforms(parents, children)
        self.few = len(stamps) <= FEW
        self._data = data
        # Counted from the end of the header, all numbers are aligned, and so is every stamp but
        # the first, because it follows the numbers of the transform before.
        body = memoryview(data)[HEADER:len(data) - (len(data) - HEADER) % 8]
        self._numbers = np.frombuffer(body, DOUBLE)
        self._stamps = np.frombuffer(body, '<u8')
        self._other_stamps = (np.array(stamps[1:], dtype=np.intp) - HEADER) // 8
        self._between_stamps = [
            memoryview(data)[start:end]
            for start, end in zip((0, *(s + STAMP.size for s in stamps)), (*stamps, len(data)))]
        self.indices = (
            (np.array(numbers, dtype=np.intp)[:, None] - HEADER) // 8 + np.arange(7))
        self.put(self.indices, transforms)

    def put(self, indices: Indices, numbers: Array) -> None:
        """Change numbers, of any shape, at some of :attr:`indices`, of the same shape."""
        self._numbers.put(indices, numbers)

    def setter(self, row: int, columns: range) -> Callable[..., None]:
        """Return a function that changes adjacent numbers of a transform to its arguments."""
        offset = HEADER + 8 * int(self.indices[row, columns[0]])
        return partial(_PACK_INTO[len(columns)], self._data, offset)

    def message(self, stamp: int) -> bytes:
        """
        Return the serialized message.

        :param stamp: stamp of every transform in nanoseconds.
        """
        seconds, nanoseconds = divmod(stamp, SECOND)
        if self.few:
            return STAMP.pack(seconds, nanoseconds).join(self._between_stamps)
        STAMP.pack_into(self._data, self._FIRST_STAMP, seconds, nanoseconds)
        self._stamps.put(self._other_stamps, nanoseconds << 32 | seconds & 0xffffffff)
        return bytes(self._data)
