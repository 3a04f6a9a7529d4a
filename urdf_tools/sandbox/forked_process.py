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

"""A worker that is a fork of this process: it starts faster, with imports done."""

from __future__ import annotations

from collections.abc import Callable
import os
import signal
import subprocess
import sys
import time

_MOST_BYTES = 2**28
_PERIOD = 0.01
_is_allowed = False


def allow_forks() -> None:
    """Allow workers to be forks of this process; to be called by programs only."""
    global _is_allowed
    _is_allowed = True


def can_fork() -> bool:
    """
    Return whether a fork of this process would work.

    Locks that other threads hold would stay locked in it, and what this process has in memory
    counts towards its limit.
    """
    if not _is_allowed or sys.platform != 'linux' or len(os.listdir('/proc/self/task')) > 1:
        return False
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[0]) * os.sysconf('SC_PAGE_SIZE') < _MOST_BYTES


class ForkedProcess:
    """
    A fork with pipes as its standard input and output, to be used like ``subprocess.Popen``.

    :param run: what it does; no file that is open here is open there.
    :raises OSError: it cannot be started.
    """

    def __init__(self, run: Callable[[], None]):
        self._code: int | None = None
        its_input, our_output = os.pipe()
        our_input, its_output = os.pipe()
        self.stdin, self.stdout = os.fdopen(our_output, 'wb'), os.fdopen(our_input, 'rb')
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _run(run, its_input, its_output)
        except OSError:
            self._close()
            raise
        finally:
            os.close(its_input)
            os.close(its_output)

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code

    def wait(self, timeout: float) -> int:
        """
        Return the exit code.

        :param timeout: in seconds.
        :raises subprocess.TimeoutExpired: it still runs.
        """
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired('a fork', timeout)
            time.sleep(_PERIOD)
        return code

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def __enter__(self) -> ForkedProcess:
        """Return this process."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close its pipes, and wait for its end."""
        try:
            self._close()
        finally:
            if self._code is None:
                os.waitpid(self.pid, 0)

    def _close(self) -> None:
        try:
            self.stdin.close()
        finally:
            self.stdout.close()


def _run(run: Callable[[], None], its_input: int, its_output: int) -> None:
    """Run the function in the fork; never return into the code of the parent."""
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(its_input, 0)
        os.dup2(its_output, 1)
        null = os.open(os.devnull, os.O_RDWR)
        # Objects that own these descriptors would close files that reuse the numbers.
        for descriptor in map(int, os.listdir('/proc/self/fd')):
            if descriptor > 1:
                try:
                    os.dup2(null, descriptor)
                except OSError:  # It is above "ulimit -n", where no file can be opened again.
                    os.close(descriptor)
        run()
    finally:
        os._exit(1)
