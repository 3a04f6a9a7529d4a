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

"""The records of recordings, and the limits on reading them: size, time, decompression."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace
from importlib.util import find_spec
import io
from pathlib import Path
from typing import Any
from typing import BinaryIO
from typing import NamedTuple

from urdf_tools.doctor.observation import TABLES
from urdf_tools.installation import needs
from urdf_tools.model.errors import InputError
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import NamedLimits


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
        return ('neither CDR nor compressed with zstd or lz4; write them again with "ros2 bag '
                'convert", without compression_mode: MESSAGE, where the plugin that compressed '
                'them is installed')


_FOREIGN: dict[str, str] = TABLES['foreign encodings']


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


PART = 2**20
"""Bytes of a recording for which the limits on time and size hold; larger ones get more."""

_WALL_PER_TIME = 30
"""Seconds that a recording may take for each second of CPU time, as others need processors."""


@dataclass(frozen=True)
class RecordingLimits(NamedLimits):
    """
    Resource limits for reading a recording, which may be untrusted.

    :ivar memory: address space of the process that reads it, in MB of 2^20 bytes.
    :ivar time: CPU time in seconds, for each MB of its files.
    :ivar size: of what is decompressed in MB of 2^20 bytes, likewise.
    :ivar names: number of topics, and of frames in one observation.
    """

    memory: float = 2048
    time: float = 30
    size: float = 512
    names: float = 20_000

    units = {'memory': 'MB', 'time': 's', 'size': 'MB', 'names': 'names'}


class OverBudget(InputError):
    """Reading a recording takes more than it may; the text says what, and how to allow it."""


class ReadingBudget:
    """
    The limits for a recording, and what is used of them.

    :param path: where it is.
    :param size: of its files, in bytes.
    """

    def __init__(self, limits: RecordingLimits, path: Path, size: int):
        scale = max(1.0, size / PART)
        self._path = path
        self._given = limits
        self._limits = replace(limits, time=scale * limits.time, size=scale * limits.size)
        self._size = 0

    def limits(self) -> Limits:
        """Return the limits of the process that reads it."""
        return Limits(self._limits.memory, self._limits.time, _WALL_PER_TIME * self._limits.time)

    def use(self, names: int = 0, decompressed: int = 0) -> None:
        """
        Count names, all in one observation, and more bytes that are decompressed.

        :raises OverBudget: there are too many.
        """
        self._size += decompressed
        if self._size > self._limits.size * 2**20:
            raise self.exceeded('size')
        if names > self._limits.names:
            raise self.exceeded('names')

    def exceeded(self, limit: str) -> OverBudget:
        """Return the error for a limit of the process, or of this budget."""
        name = {'wall': 'time', 'answer': 'memory'}.get(limit, limit)
        return OverBudget(
            f'Reading {str(self._path)!r} takes more than {self._limits.describe(name)}; if you '
            f'trust it, give --recording-limits {name}={10 * getattr(self._given, name):.10g}')


ZSTD, LZ4 = b'\x28\xb5\x2f\xfd', b'\x04\x22\x4d\x18'
"""The first bytes of what zstd and lz4 have compressed."""

_MAX_WINDOW = 2**27
"""Most bytes that the decompression may remember."""

_BUFFER = 2**18


def decompressed(file: BinaryIO, compression: bytes, budget: ReadingBudget) -> BinaryIO:
    """
    Return the content of a compressed file as a file, whose ``read()`` raises :class:`Damage`.

    :raises Damage: the compression is unknown.
    :raises RecordingError: the package that reads it is not installed.
    """
    needed = {b'zstd': 'zstandard', b'lz4': 'lz4'}.get(compression, '')
    if needed and find_spec(needed) is None:
        raise RecordingError(
            needs(f'Its compression, {compression.decode()},', needed, 'recordings'))
    errors: tuple[type[Exception], ...] = (RuntimeError, EOFError, OSError, ValueError)
    if compression == b'zstd':
        from zstandard import ZstdDecompressor
        from zstandard import ZstdError
        errors += (ZstdError,)
        content: Any = ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(
            file, read_across_frames=True)
    elif compression == b'lz4':
        from lz4.frame import LZ4FrameFile
        content = LZ4FrameFile(file)
    elif compression:
        raise Damage(f'it is compressed in an unknown way, {compression[:20]!r}')
    else:
        return file
    return io.BufferedReader(_Decompressed(content, budget, errors), _BUFFER)


def whole_message(data: bytes, budget: ReadingBudget) -> bytes | None:
    """Return a message that may be compressed; None if it cannot be decompressed."""
    # A serialized message begins with the encapsulation.
    compression = {ZSTD: b'zstd', LZ4: b'lz4'}.get(data[:4])
    if compression is None:
        return data
    try:
        found = decompressed(io.BytesIO(data), compression, budget).read(MAX_BYTES + 1)
        minimum = _noted_size(data) if compression == b'zstd' else 0
    except Damage:
        return None
    return found if minimum <= len(found) <= MAX_BYTES else None


def _noted_size(data: bytes) -> int:
    """
    Return the size that zstd has noted, which does not complain about what is cut short.

    :return: 0 if it is not noted, as in streams.
    :raises Damage: the beginning is damaged.
    """
    from zstandard import frame_content_size
    from zstandard import ZstdError
    try:
        return max(int(frame_content_size(data)), 0)
    except ZstdError as error:
        raise Damage(str(error)) from error


class _Decompressed(io.RawIOBase):
    """Counts what is decompressed."""

    def __init__(self, content: Any, budget: ReadingBudget, errors: tuple[type[Exception], ...]):
        super().__init__()
        self._errors = errors
        self._content = content
        self._budget = budget

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, and return the number of bytes."""
        try:
            size: int = self._content.readinto(buffer)
        except self._errors as error:
            raise Damage(f'it cannot be decompressed: {error}') from error
        self._budget.use(decompressed=size)
        return size
