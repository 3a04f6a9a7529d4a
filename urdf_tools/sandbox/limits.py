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

"""Limits of a job, and the errors of one without an answer."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields
from dataclasses import replace
import math
from typing import NamedTuple
from typing import TypeVar

_Named = TypeVar('_Named', bound='NamedLimits')


class Limits(NamedTuple):
    """
    Resource limits of one job; any of these may be infinite.

    :ivar memory: address space of its process, in MB of 2^20 bytes.
    :ivar time: CPU time in seconds.
    :ivar wall: time in seconds, including that of waiting.
    :ivar answer: size of its answer in MB of 2^20 bytes.
    """

    memory: float
    time: float
    wall: float
    answer: float = 128


@dataclass(frozen=True)
class NamedLimits:
    """
    Limits that a user sets by their names.

    :cvar units: name of each limit to its unit.
    """

    units = {'memory': 'MB', 'time': 's'}

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 < value < math.inf:
                raise ValueError(f'the limit {field.name} is {value:g}; it has to be positive')

    @classmethod
    def parse(cls: type[_Named], text: str) -> _Named:
        """
        Return the limits in a text such as ``memory=2048,time=30``; the others keep their value.

        :raises ValueError: a name is unknown, or a value is not a positive number.
        """
        values = {}
        for part in filter(None, text.split(',')):
            name, separator, value = part.partition('=')
            if name not in cls.units or not separator:
                raise ValueError(
                    f'{part!r} is not of the form NAME=VALUE with one of the names '
                    f'{", ".join(cls.units)}')
            try:
                values[name] = float(value)
            except ValueError:
                raise ValueError(f'{value!r} is not a number') from None
        return replace(cls(), **values)

    def __str__(self) -> str:
        """Return all limits in words."""
        return ', '.join(map(self.describe, self.units))

    def describe(self, name: str) -> str:
        """Return a limit in words, such as ``10 s (limit time)``."""
        return f'{getattr(self, name):,.10g} {self.units[name]} (limit {name})'


class SandboxError(Exception):
    """A job that has no answer; the text says why."""


class LimitExceeded(SandboxError):
    """
    A job that exceeds a limit.

    :ivar limit: name of the limit in :class:`Limits`.
    """

    def __init__(self, limit: str, limits: Limits):
        self.limit = limit
        super().__init__({
            'memory': 'there is not enough memory',
            'answer': f'its result is larger than {limits.answer:g} MB',
        }.get(limit) or f'it takes longer than {getattr(limits, limit):g} s')


class WorkerKilled(SandboxError):
    """A job whose process was killed by somebody else, such as a system without memory."""


class WorkerNotStarted(SandboxError):
    """A job for which no process can be started; the text is the reason."""
