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

"""A recording: a file, or a folder of rosbag2, whichever format its files have."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
import os
from pathlib import Path
import re
import tempfile
from typing import BinaryIO

from urdf_tools.doctor.recordings.mcap_file import McapFile
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.recordings.sqlite_file import MAGIC as SQLITE
from urdf_tools.doctor.recordings.sqlite_file import SqliteFile
from urdf_tools.installation import how_to_install

SUFFIXES = ('.mcap', '.db3', '.mcap.zstd', '.db3.zstd')

MAX_RATIO = 200
"""How many times larger a database may be than its compressed file."""

MAX_DAMAGES = 20
"""Most damages that are kept in words."""

METADATA = 'metadata.yaml'
"""The file that rosbag2 writes in the end."""

_ZSTD = b'\x28\xb5\x2f\xfd'


class Recording:
    """
    A recording.

    :param path: a file, or a folder with those of one recording.
    :ivar files: its files, in the order of recording.
    :ivar damages: what of them cannot be read, in words.
    :raises RecordingError: there is none.
    """

    def __init__(self, path: Path):
        if find_spec('mcap') is None:
            raise RecordingError(
                'Recordings are read with the Python package mcap, which is not installed; '
                f'install it with {how_to_install("mcap")}')
        self.files = recorded_files(path)
        if not self.files:
            raise RecordingError(f'{str(path)!r} is not a recording: no {" or ".join(SUFFIXES)}')
        self.damages: list[str] = []
        self._sizes = [file.stat().st_size for file in self.files]
        self._current: BinaryIO | SqliteFile | None = None
        self._past = 0
        self._topics: dict[Topic, Topic] = {}

    @property
    def done(self) -> float:
        """The fraction of it that has been read, from 0 to 1."""
        current = self._current
        share = 0.0
        if isinstance(current, SqliteFile):
            share = current.done * self._sizes[min(self._past, len(self._sizes) - 1)]
        elif current is not None and not current.closed:
            share = current.tell()
        return (sum(self._sizes[:self._past]) + share) / max(sum(self._sizes), 1)

    def records(self) -> Iterator[Record]:
        """
        Yield all records as they are stored, as far as they can be read.

        :raises RecordingError: nothing can be read.
        """
        read = 0
        for number, path in enumerate(self.files):
            self._past = number
            try:
                for record in self._file(path):
                    read += 1
                    yield record
            except (OSError, RecordingError) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                if len(self.files) == 1 and not read:
                    raise RecordingError(f'{str(path)!r} cannot be read. {reason}') from error
                self._add_damages(path, [f'it cannot be read. {reason}'])
        self._past, self._current = len(self.files), None

    def _file(self, path: Path) -> Iterator[Record]:
        with open(path, 'rb') as file:
            start = file.read(len(SQLITE))
            file.seek(0)
            self._current = file
            content: BinaryIO = file
            if start.startswith(_ZSTD):
                from zstandard import ZstdDecompressor
                content = ZstdDecompressor().stream_reader(file, read_across_frames=True)
                if '.db3' in path.suffixes:
                    yield from self._unpacked(path, content)
                    return
            yield from self._read(path, SqliteFile(path, self._topics) if start == SQLITE
                                  else McapFile(content, self._topics))

    def _unpacked(self, path: Path, content: BinaryIO) -> Iterator[Record]:
        """Read a compressed database, which must be unpacked to a file."""
        from zstandard import ZstdError
        most = max(MAX_RATIO * path.stat().st_size, 2**30)
        with tempfile.NamedTemporaryFile(prefix='urdf-tools-', suffix='.db3') as file:
            try:
                while piece := content.read(2**20):
                    file.write(piece)
                    if file.tell() > most:
                        raise RecordingError(f'Its content is more than {most} bytes')
            except ZstdError as error:
                self._add_damages(path, [f'it is damaged: {error}'])
            file.flush()
            yield from self._read(path, SqliteFile(Path(file.name), self._topics))

    def _read(self, path: Path, file: McapFile | SqliteFile) -> Iterator[Record]:
        if isinstance(file, SqliteFile):
            self._current = file
        with closing(file.records()) as records:  # type: ignore[type-var]
            yield from records
        self._add_damages(path, file.damages)

    def _add_damages(self, path: Path, damages: Iterable[str]) -> None:
        found = [f'{path.name}: {damage}' for damage in damages]
        room = MAX_DAMAGES - len(self.damages)
        self.damages += found[:max(room, 0)]


def recorded_files(path: Path) -> list[Path]:
    """
    Return the files of a recording in their order, none if the path leads to no recording.

    :raises RecordingError: the path does not exist.
    """
    if path.is_dir():
        # rosbag2 numbers its files; what lies deeper is another recording.
        return sorted((file for file in path.iterdir() if file.name.endswith(SUFFIXES)
                       and file.is_file()), key=_natural)
    if not path.exists():
        raise RecordingError(f'{str(path)!r} does not exist')
    return [path]


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part), '') if part.isdecimal() else (-1, part)
            for part in re.split(r'(\d+)', path.name)]


def is_recording(path: Path) -> bool:
    """
    Return whether a path leads to one recording, not to several or none.

    rosbag2 writes ``metadata.yaml`` in the end; what a killed recorder leaves are files that are
    called as their folder.
    """
    if not path.is_dir():
        return path.name.endswith(SUFFIXES)
    names = [file.name for file in recorded_files(path)]
    return bool(names) and ((path / METADATA).exists() or all(
        re.fullmatch(rf'{re.escape(path.resolve().name)}_\d+\..*', name) for name in names))


def recordings_below(path: Path) -> list[Path]:
    """Return the recordings in a folder: folders of rosbag2, and files of their own."""
    found = []
    for folder, folders, names in os.walk(path):
        folders.sort()
        if is_recording(Path(folder)):
            found.append(Path(folder))
            folders.clear()
        else:
            found += [Path(folder, name) for name in sorted(names) if name.endswith(SUFFIXES)]
    return found
