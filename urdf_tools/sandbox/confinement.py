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

"""What holds a worker in: the limits that it sets for itself before each job."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import suppress
import math
import sys

if sys.platform != 'win32':
    import resource
    import signal

_AGAIN = 1.0
"""Seconds after which an exception is raised again that was lost, as in a finalizer."""

GRACE = 2
"""Seconds after which a process is ended that no exception can stop, such as in ``9**9**9``."""


_LONGEST = 1e8


class OutOfTime(BaseException):
    """
    A job takes too long; no handler of exceptions in what it runs catches this.

    :ivar limit: the limit of time that it exceeds, ``time`` or ``wall``.
    """

    def __init__(self, limit: str):
        self.limit = limit
        super().__init__(limit)


_is_limited = False


def confine() -> None:
    """Hold this process in for good, once it has imported what it needs."""
    if sys.platform != 'win32':
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGPROF, lambda *_: _expire('time'))
        signal.signal(signal.SIGALRM, lambda *_: _expire('wall'))


@contextmanager
def limited(memory: float, time: float, wall: float) -> Iterator[None]:
    """
    Limit what is done meanwhile; the parameters are those of ``Limits``.

    :raises OutOfTime: it takes too long.
    """
    global _is_limited
    _limit_memory(memory * 2**20)
    _limit_cpu(time + GRACE)
    try:
        _is_limited = True
        _set_timers(time, wall)
        yield
    finally:
        _is_limited = False
        _set_timers(0.0, 0.0)


@contextmanager
def unlimited_memory() -> Iterator[None]:
    """Lift the limit on memory, for libraries that reserve more than they use."""
    before = _limit_memory(math.inf)
    try:
        yield
    finally:
        _limit_memory(before)


def _expire(limit: str) -> None:
    if _is_limited:
        raise OutOfTime(limit)


def _set_timers(time: float, wall: float) -> None:
    """Set the seconds after which an exception is raised; zero for never."""
    if sys.platform != 'win32':
        for timer, seconds in ((signal.ITIMER_PROF, time), (signal.ITIMER_REAL, wall)):
            signal.setitimer(timer, min(seconds, _LONGEST), _AGAIN)


def _limit_cpu(seconds: float) -> None:
    """Let the system end this process after so many more seconds of CPU time."""
    if sys.platform != 'win32':
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _set_limit(resource.RLIMIT_CPU, usage.ru_utime + usage.ru_stime + seconds + 1)


def _limit_memory(size: float) -> float:
    """Limit the address space of this process, and return the limit of before."""
    if sys.platform == 'win32':
        return math.inf
    with suppress(ValueError, OSError):  # macOS does not have this limit.
        return _set_limit(resource.RLIMIT_AS, size)
    return math.inf


def _set_limit(kind: int, value: float) -> float:
    """Set a limit of the system, and return that of before."""
    if sys.platform == 'win32':
        return math.inf
    before, hard = resource.getrlimit(kind)
    most = math.inf if hard == resource.RLIM_INFINITY else hard
    soft = hard if value >= most else int(value)
    resource.setrlimit(kind, (soft, hard))
    return math.inf if before == resource.RLIM_INFINITY else before
