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

"""What processes use, CPU time and memory, and on which machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
import os
from pathlib import Path
import platform
import sys
from threading import Event
from threading import Thread
import time


def machine() -> str:
    """
    Return the hardware and software that the numbers depend on, in one line.

    The folder of Python is part of it: a distribution's is built with optimization and pyenv's
    without, but Debian's does not say so.
    """
    models = {line.partition(':')[2].strip()
              for line in Path('/proc/cpuinfo').read_text().splitlines()
              if line.startswith('model name')}
    return ', '.join((
        f'{os.cpu_count()} cores{"".join(f" ({model})" for model in sorted(models))}',
        f'{platform.system()} {platform.release()}',
        f'Python {platform.python_version()} of {sys.base_prefix}',
        f'ROS 2 {os.environ.get("ROS_DISTRO", "of unknown distribution")}',
        os.environ.get('RMW_IMPLEMENTATION', 'default middleware'), date.today().isoformat()))


def resident(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    status = Path(f'/proc/{pid}/status').read_text()
    return int(status.partition('VmRSS:')[2].split()[0]) * 1024 / 1e6


def cpu_time(pid: int) -> float:
    """Return the CPU time of all threads of a process so far in seconds, user and system."""
    # clock_getcpuclockid() of the process; /proc has the same in steps of 10 ms.
    return time.clock_gettime(~pid << 3 | 2)


class CpuTimeOfAll:
    """
    The CPU time of this process and of all that it and they start, while the context lasts.

    Processes are looked at every 10 ms, since the time of one that another one ends is lost.

    :ivar seconds: the CPU time, once the context has ended.
    """

    def __enter__(self) -> CpuTimeOfAll:
        self._first = dict(self._times())
        self._last: dict[int, float] = {}
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._last.update(self._times())
        self.seconds = sum(
            time - self._first.get(pid, 0.0) for pid, time in self._last.items())

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            self._last.update(self._times())

    def _times(self, pid: int = os.getpid()) -> Iterator[tuple[int, float]]:
        try:
            yield pid, cpu_time(pid)
            for path in Path(f'/proc/{pid}/task').glob('*/children'):
                for child in path.read_text().split():
                    yield from self._times(int(child))
        except OSError:  # It has ended.
            return
