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

"""Serialized transforms without the bytes that mean nothing."""

import struct


def without_padding(data: bytes) -> bytes:
    """
    Return a serialized ``tf2_msgs/TFMessage`` with zeros between its fields.

    Fast CDR leaves there whatever was in memory before.
    """
    result = bytearray(len(data))
    place = 0

    def keep(count, alignment):
        nonlocal place
        place += (4 - place) % alignment
        result[place:place + count] = data[place:place + count]
        place += count
        return data[place - count:place]

    keep(4, 1)
    [transforms] = struct.unpack('<I', keep(4, 4))
    for _ in range(transforms):
        keep(8, 4)
        for _ in ('parent', 'child'):
            [length] = struct.unpack('<I', keep(4, 4))
            keep(length, 1)
        keep(7 * 8, 8)
    assert place == len(data)
    return bytes(result)
