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

"""Compressed chunks and files, decompressed within a budget."""

from __future__ import annotations

from importlib.util import find_spec
import io
from typing import Any
from typing import BinaryIO

from urdf_tools.doctor.recordings.reading_budget import ReadingBudget
from urdf_tools.doctor.recordings.recorded import Damage
from urdf_tools.doctor.recordings.recorded import MAX_BYTES
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.installation import needs

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
        least = _noted_size(data) if compression == b'zstd' else 0
    except Damage:
        return None
    return found if least <= len(found) <= MAX_BYTES else None


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
        self._budget.decompress(size)
        return size
