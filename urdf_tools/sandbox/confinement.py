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

"""Confinement of a worker: the limits that it sets for itself before each job."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from contextlib import suppress
from functools import partial
import math
import os
import resource
import signal
import sys

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: F401,I300

Confinement = Mapping[str, 'Any']
"""What a confined process may do: the arguments of ``sandbox.linux.restrict``."""

GRACE = 2
"""Seconds until a process that no exception can stop is killed, such as ``9**9**9``."""

_AGAIN = 1.0
"""Seconds until an exception that was lost, as in a finalizer, is raised again."""

_LONGEST = 1e8
_is_limited = False


class OutOfTime(BaseException):
    """
    A job takes too long; no handler of exceptions in what it runs catches this.

    :ivar limit: the limit that it exceeds, ``time`` or ``wall``.
    """

    def __init__(self, limit: str):
        self.limit = limit
        super().__init__(limit)


def confine(confinement: Confinement | None) -> None:
    """
    Confine this process permanently, once it has imported what it needs.

    :param confinement: None for limits only.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, lambda *_: _expire('time'))
    signal.signal(signal.SIGALRM, lambda *_: _expire('wall'))
    if confinement is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        os.environ.clear()
    if sys.platform == 'linux' and confinement is not None:
        # It imports ctypes, which other workers can do without.
        from urdf_tools.sandbox.linux import restrict
        restrict(**confinement)


def attempt(_request: object, _data: bytes) -> tuple[list[str], bytes]:
    """Return what a confined worker can do nevertheless: a job for one that reads no files."""
    import socket  # Other workers do without.
    done = []
    for action, call in (('read other files', partial(os.listdir, '/')),
                         ('open connections', socket.socket)):
        with suppress(PermissionError):
            call()
            done.append(action)
    return done, b''


@contextmanager
def limited(memory: float, time: float, wall: float) -> Iterator[None]:
    """
    Limit the body of a with statement; the parameters are those of ``Limits``.

    :raises OutOfTime: it takes too long.
    """
    global _is_limited
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, usage.ru_utime + usage.ru_stime + time + GRACE)
    _limit(resource.RLIMIT_AS, memory * 2**20)
    timers = {signal.ITIMER_PROF: time, signal.ITIMER_REAL: wall}
    try:
        _is_limited = True
        for timer, seconds in timers.items():
            signal.setitimer(timer, min(seconds, _LONGEST), _AGAIN)
        yield
    finally:
        _is_limited = False
        for timer in timers:
            signal.setitimer(timer, 0)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer the exception for a time limit, which is raised again later."""
    global _is_limited
    before, _is_limited = _is_limited, False
    try:
        yield
    finally:
        _is_limited = before


@contextmanager
def unlimited_memory() -> Iterator[None]:
    """Lift the limit on memory, for libraries that reserve more than they use."""
    before, _ = resource.getrlimit(resource.RLIMIT_AS)
    _limit(resource.RLIMIT_AS, math.inf)
    try:
        yield
    finally:
        _limit(resource.RLIMIT_AS, before)


def _expire(limit: str) -> None:
    if _is_limited:
        raise OutOfTime(limit)


def _limit(kind: int, value: float) -> None:
    """Set a system limit, no higher than the hard limit."""
    _, hard = resource.getrlimit(kind)
    maximum = math.inf if hard == resource.RLIM_INFINITY else hard
    with suppress(ValueError, OSError):  # macOS has no limit on memory.
        resource.setrlimit(kind, (math.ceil(value) if 0 <= value < maximum else hard, hard))
