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
The encoding of serialized messages: little-endian plain CDR.

It aligns each value to its size, counted from the end of the 4-byte encapsulation header.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
import struct
from typing import NamedTuple

SECOND = 1_000_000_000
"""Nanoseconds of a second."""

HEADER = 4
"""Bytes of the encapsulation header."""

PLAIN_CDR = b'\x00\x01'
"""First two bytes of a little-endian message."""

COUNT = struct.Struct('<I')
STAMP = struct.Struct('<iI')
TRANSFORM = struct.Struct('<7d')


def align(offset: int, size: int) -> int:
    """Return the next offset at which a value of a size may begin."""
    return offset + (HEADER - offset) % size


def read_count(data: bytes, offset: int) -> tuple[int, int]:
    """
    Return the number of elements of a sequence, and the offset after it.

    :raises ValueError: the data end before it.
    """
    offset = align(offset, 4)
    if offset + 4 > len(data):
        raise ValueError('The message is cut short')
    return COUNT.unpack_from(data, offset)[0], offset + 4


def read_string(data: bytes, offset: int) -> tuple[str, int]:
    """
    Return a string and the offset after it.

    :raises ValueError: it is longer than the data.
    """
    length, offset = read_count(data, offset)
    end = offset + length
    if end > len(data):
        raise ValueError('A string is longer than the message')
    return data[offset:end].partition(b'\0')[0].decode(errors='replace'), end


def pad(data: bytearray, size: int) -> None:
    """Append padding up to the next offset at which a value of a size may begin."""
    data += bytes((HEADER - len(data)) % size)


def write_string(data: bytearray, text: str) -> None:
    """Append a string."""
    encoded = text.encode()
    pad(data, 4)
    data += COUNT.pack(len(encoded) + 1) + encoded + b'\0'


def lay_out_transforms(
        parents: Sequence[str], children: Sequence[str]) -> tuple[bytearray, list[int], list[int]]:
    """
    Return a ``tf2_msgs/TFMessage`` with the transforms from child frames to their parent frames.

    :return: the message, in which all stamps and numbers are zero, the offsets of the stamps, and
        those of the numbers ``x y z qx qy qz qw``.
    """
    data = bytearray(PLAIN_CDR + b'\0\0' + COUNT.pack(len(children)))
    stamps, numbers = [], []
    for parent, child in zip(parents, children):
        stamps.append(len(data))
        data += bytes(STAMP.size)
        write_string(data, parent)
        write_string(data, child)
        pad(data, 8)
        numbers.append(len(data))
        data += bytes(TRANSFORM.size)
    return data, stamps, numbers


class Transform(NamedTuple):
    """
    A ``geometry_msgs/TransformStamped``.

    :param stamp: in nanoseconds.
    :param numbers: ``x y z qx qy qz qw``.
    """

    stamp: int
    parent: str
    child: str
    numbers: Iterable[float]


def write_transforms(transforms: Sequence[Transform]) -> bytes:
    """Return a serialized ``tf2_msgs/TFMessage``."""
    data, stamps, numbers = lay_out_transforms(
        [each.parent for each in transforms], [each.child for each in transforms])
    for each, at_stamp, at_numbers in zip(transforms, stamps, numbers):
        STAMP.pack_into(data, at_stamp, *divmod(each.stamp, SECOND))
        TRANSFORM.pack_into(data, at_numbers, *each.numbers)
    return bytes(data)
