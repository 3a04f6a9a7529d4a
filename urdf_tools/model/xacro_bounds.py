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

"""Bounds on the time and memory of xacro, whose macros and expressions are programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import ExitStack
import os
import signal
import sys
import threading
import time
from types import FrameType

MAX_SECONDS = 60.0
"""Longest expansion of a file; the largest robots take a few seconds."""

MAX_MEMORY = 2**30
"""Most bytes that an expansion may add to the memory of the process."""

_AGAIN = 1.0
"""Seconds after which an exception is raised again that was lost, as in a callback of gc."""

_GRACE = 60
"""Seconds of CPU time after which the system ends a process that no exception can stop."""


class Overtime(BaseException):
    """An expansion takes too long; no handler of exceptions in xacro catches this."""


@contextmanager
def bounded() -> Iterator[None]:
    """
    Raise :class:`Overtime` or MemoryError for an expansion that takes too much.

    Only the main thread of a program that does not use SIGALRM itself is interrupted. A single
    operation on huge numbers, such as ``9**9**9``, cannot be interrupted: the system ends the
    process after two minutes of CPU time.
    """
    with ExitStack() as stack:
        if sys.platform == 'linux' and threading.current_thread() is threading.main_thread():
            stack.enter_context(_limited_memory_and_cpu())
            if (signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
                    and not any(signal.getitimer(signal.ITIMER_REAL))):
                stack.enter_context(_alarm())
        yield


@contextmanager
def _alarm() -> Iterator[None]:
    def expire(_signal: int, _frame: FrameType | None) -> None:
        raise Overtime(f'it takes longer than {MAX_SECONDS:g} s')
    signal.signal(signal.SIGALRM, expire)
    try:
        signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS, _AGAIN)
        yield
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def _limited_memory_and_cpu() -> Iterator[None]:
    import resource
    with open('/proc/self/statm', encoding='ascii') as file:
        size = int(file.read().split()[0]) * os.sysconf('SC_PAGE_SIZE')
    wanted = {
        resource.RLIMIT_AS: size + MAX_MEMORY,
        resource.RLIMIT_CPU: int(time.process_time() + MAX_SECONDS + _GRACE)}
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    try:
        for kind, most in wanted.items():
            soft, hard = before[kind]
            if soft == resource.RLIM_INFINITY or most < soft:
                resource.setrlimit(kind, (most, hard))
        yield
    finally:
        for kind, limits in before.items():
            resource.setrlimit(kind, limits)
