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

"""The records of recordings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from urdf_tools.model.errors import InputError

MAX_BYTES = 2**28
"""Most bytes of a message; a larger one counts as damage."""


class RecordingError(InputError):
    """A file or folder that is not readable as a recording; the text is for the user."""


class Damage(ValueError):
    """Why the rest of a file cannot be read."""


@dataclass(frozen=True)
class Topic:
    """
    A topic as it was recorded.

    :param kind: full name of its type, such as ``sensor_msgs/msg/JointState``.
    :param encoding: of its messages; ``cdr`` for ROS 2.
    :param definition: text of the type, and the language that it is in.
    :param metadata: what the recorder noted, such as ``offered_qos_profiles``.
    """

    name: str
    kind: str
    encoding: str = 'cdr'
    definition: tuple[bytes, str] = (b'', '')
    metadata: tuple[tuple[str, str], ...] = ()


class Recorded(NamedTuple):
    """
    A message as it was recorded.

    :param received: when the recorder received it, in nanoseconds.
    :param sent: when it was published, or the same.
    :param sequence: its number among those of its publisher; 0 where that is unknown.
    """

    topic: Topic
    received: int
    sent: int
    sequence: int
    data: bytes

    @property
    def foreign(self) -> str:
        """What it is instead of little-endian CDR of ROS 2, and what to do; empty if nothing."""
        encoding = self.topic.encoding
        if encoding != 'cdr':
            return _FOREIGN.get(encoding, f'not of ROS 2, but in {encoding[:50]!r}')
        if self.data[:1] in (b'\0', b''):
            return _FOREIGN['big-endian'] if self.data.startswith(b'\0\0') else ''
        format_ = next((name for start, name in _COMPRESSED.items()
                        if self.data.startswith(start)), 'an unknown format')
        return (f'neither CDR nor compressed with zstd or lz4, but in {format_}; write them again '
                'with "ros2 bag convert", without compression_mode: MESSAGE, where the plugin '
                'that compressed them is installed')


_COMPRESSED = {b'\x1f\x8b': 'gzip', b'BZh': 'bzip2', b'\xfd7zXZ': 'xz',
               b'\xff\x06\0\0sNaPpY': 'snappy', b'\x02!L\x18': 'an old format of lz4'}
"""The first bytes of compressed messages that are not read."""

_FOREIGN = {
    'ros1': 'of ROS 1; convert the .bag file that they are from with "rosbags-convert"',
    'big-endian': 'in big-endian CDR; write them in little-endian CDR, for example with '
                  'deserialize_cdr and serialize_cdr of the Python package rosbags'}


class Attachment(NamedTuple):
    """A file in a recording."""

    received: int
    created: int
    name: str
    media_type: str
    data: bytes


class Metadata(NamedTuple):
    """Words that were recorded besides the messages."""

    name: str
    words: dict[str, str]


Record = Recorded | Topic | Attachment | Metadata
"""What a file yields, in the order in which it is stored; a topic comes before its messages."""
