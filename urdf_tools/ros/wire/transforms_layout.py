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
The layout of a serialized ``tf2_msgs/TFMessage``, and messages that are written once.

Without numpy, so that static transforms are published before it is imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
import struct
from typing import NamedTuple

from urdf_tools.model.pose import Pose
from urdf_tools.ros.wire.cdr import COUNT
from urdf_tools.ros.wire.cdr import pad
from urdf_tools.ros.wire.cdr import PLAIN_CDR
from urdf_tools.ros.wire.cdr import SECOND
from urdf_tools.ros.wire.cdr import STAMP
from urdf_tools.ros.wire.cdr import write_string

_NUMBERS = struct.Struct('<7d')


class TransformsLayout(NamedTuple):
    """
    A message between certain frames, and where in it a value of each transform begins.

    :ivar data: the message; all stamps and numbers are zero.
    :ivar stamps: offsets of the stamps.
    :ivar numbers: offsets of the numbers, ``x y z qx qy qz qw``.
    """

    data: bytearray
    stamps: list[int]
    numbers: list[int]


def lay_out_transforms(parents: Sequence[str], children: Sequence[str]) -> TransformsLayout:
    """Return the layout of the transforms from child frames to their parent frames."""
    data = bytearray(PLAIN_CDR + b'\0\0' + COUNT.pack(len(children)))
    stamps, numbers = [], []
    for parent, child in zip(parents, children):
        stamps.append(len(data))
        data += bytes(STAMP.size)
        write_string(data, parent)
        write_string(data, child)
        pad(data, 8)
        numbers.append(len(data))
        data += bytes(_NUMBERS.size)
    return TransformsLayout(data, stamps, numbers)


def write_transforms(
        parents: Sequence[str], children: Sequence[str], poses: Iterable[Pose],
        stamp: int) -> bytes:
    """
    Return a serialized message.

    :param parents: parent frame of each transform.
    :param children: child frame of each transform.
    :param poses: the transforms.
    :param stamp: of every transform, in nanoseconds.
    """
    data, stamps, numbers = lay_out_transforms(parents, children)
    time = STAMP.pack(*divmod(stamp, SECOND))
    for start, offset, pose in zip(stamps, numbers, poses):
        data[start:start + STAMP.size] = time
        _NUMBERS.pack_into(data, offset, *pose.xyz, *pose.quaternion)
    return bytes(data)
