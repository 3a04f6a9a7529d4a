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

"""What reading a recording may take, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace
from pathlib import Path

from urdf_tools.model.errors import InputError
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import NamedLimits

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

    def decompress(self, size: int) -> None:
        """
        Count bytes that are decompressed.

        :raises OverBudget: there are too many.
        """
        self._size += size
        if self._size > self._limits.size * 2**20:
            raise self.exceeded('size')

    def name(self, number: int) -> None:
        """
        Count names.

        :raises OverBudget: there are too many.
        """
        if number > self._limits.names:
            raise self.exceeded('names')

    def exceeded(self, limit: str) -> OverBudget:
        """Return the error for a limit of the process, or of this budget."""
        name = {'wall': 'time', 'answer': 'memory'}.get(limit, limit)
        return OverBudget(
            f'Reading {str(self._path)!r} takes more than {self._limits.describe(name)}; if you '
            f'trust it, give --recording-limits {name}={10 * getattr(self._given, name):.10g}')
