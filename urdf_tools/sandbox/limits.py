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

from typing import NamedTuple


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


class WorkerNotStarted(SandboxError):
    """A job for which no process can be started; the text is the reason."""
