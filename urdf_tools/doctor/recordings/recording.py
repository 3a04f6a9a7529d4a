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
from collections.abc import Mapping
import os
from pathlib import Path
import re
from typing import NoReturn

from urdf_tools.doctor.recordings.file_formats import McapFile
from urdf_tools.doctor.recordings.file_formats import SQLITE_MAGIC
from urdf_tools.doctor.recordings.file_formats import SqliteFile
from urdf_tools.doctor.recordings.recorded import decompressed
from urdf_tools.doctor.recordings.recorded import ReadingBudget
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.recordings.recorded import ZSTD
from urdf_tools.model.messages import count

SUFFIXES = ('.mcap', '.db3', '.mcap.zstd', '.db3.zstd')

MAX_DAMAGES = 20
"""Most damages that are kept in words."""

METADATA = 'metadata.yaml'
"""The file that rosbag2 writes in the end."""


class Recording:
    """
    A recording.

    :param path: a file, or a folder with those of one recording.
    :param limits: what reading it may take.
    :ivar files: its files, in the order of recording.
    :ivar damages: what of them cannot be read, in words.
    :raises RecordingError: there is none.
    """

    def __init__(self, path: Path, limits: RecordingLimits = RecordingLimits()):
        self.files = recorded_files(path)
        if not self.files:
            raise RecordingError(f'{str(path)!r} is not a recording: no {" or ".join(SUFFIXES)}')
        self.damages: list[str] = []
        self.path = path
        self.budget = ReadingBudget(
            limits, path, sum(file.stat().st_size for file in self.files))
        self._topics: set[Topic] = set()

    def records(self) -> Iterator[Record]:
        """
        Yield all records as they are stored, as far as they can be read.

        :raises RecordingError: it is not a recording.
        :raises OverBudget: reading it takes more than it may.
        """
        read = 0
        for path in self.files:
            try:
                for record in self._file(path):
                    if isinstance(record, Topic):
                        self._topics.add(record)
                        self.budget.use(names=len(self._topics))
                    read += 1
                    yield record
            except (OSError, RecordingError) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                if len(self.files) == 1 and not read:
                    raise RecordingError(f'{str(path)!r} cannot be read. {reason}') from error
                self._add_damages(path, [f'it cannot be read. {reason}'])

    def refuse_unread(self, foreign: Mapping[str, int] = {}) -> NoReturn:
        """
        Raise the error for a recording in which nothing could be read.

        :param foreign: what messages are that are not read, and their number.
        """
        reason = '; '.join((*foreign_messages(foreign), *self.damages)) or 'it has no messages'
        raise RecordingError(f'Nothing can be read in {str(self.path)!r}: {reason}')

    def _file(self, path: Path) -> Iterator[Record]:
        with open(path, 'rb') as file:
            start = file.read(len(SQLITE_MAGIC))
            file.seek(0)
            content = decompressed(
                file, b'zstd' if start.startswith(ZSTD) else b'', self.budget)
            stored: McapFile | SqliteFile = McapFile(content, self.budget)
            if start == SQLITE_MAGIC:
                stored = SqliteFile(path, self.budget)
            yield from stored.records()
            self._add_damages(path, stored.damages)

    def _add_damages(self, path: Path, damages: Iterable[str]) -> None:
        self.damages += [f'{path.name}: {damage}' for damage in damages]
        del self.damages[MAX_DAMAGES:]


def foreign_messages(foreign: Mapping[str, int]) -> list[str]:
    """Say what messages are that are not read, and how many."""
    return [f'{count(number, "message")} not read: {what}' for what, number in foreign.items()]


def recorded_files(path: Path) -> list[Path]:
    """
    Return the files of a recording in their order, none if the path leads to no recording.

    :raises RecordingError: the path leads to nothing that can be read.
    """
    if os.path.isdir(path):
        try:
            files = list(path.iterdir())
        except OSError as error:
            raise RecordingError(f'{str(path)!r} cannot be read. {error.strerror}') from error
        # rosbag2 numbers its files; what lies deeper is another recording.
        return sorted((file for file in files if file.name.endswith(SUFFIXES)
                       and os.path.isfile(file)), key=_natural)
    if not os.path.isfile(path):
        raise RecordingError(f'{str(path)!r} ' + (
            'is neither a file nor a folder' if os.path.exists(path) else 'does not exist'))
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
    if not os.path.isdir(path):
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
