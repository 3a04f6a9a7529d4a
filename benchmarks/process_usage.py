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

"""What processes use: CPU time and memory."""

from collections.abc import Iterator
import os
from pathlib import Path
import resource
import time


def resident(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    status = Path(f'/proc/{pid}/status').read_text()
    return int(status.partition('VmRSS:')[2].split()[0]) * 1024 / 1e6


def cpu_time(pid: int) -> float:
    """Return the CPU time of all threads of a process so far in seconds, user and system."""
    # clock_getcpuclockid() of the process; /proc has the same in steps of 10 ms.
    return time.clock_gettime(~pid << 3 | 2)


def cpu_time_of_all() -> float:
    """Return the CPU time of this process and of all that it and they have started, in seconds."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + sum(map(cpu_time, _running(os.getpid())))


def _running(pid: int) -> Iterator[int]:
    yield pid
    for path in Path(f'/proc/{pid}/task').glob('*/children'):
        for child in path.read_text().split():
            yield from _running(int(child))
