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

"""The threads in which the middleware waits for its timers."""

from __future__ import annotations

import os
from pathlib import Path

_FAST_DDS = 'dds.ev.'


def yield_timer_threads() -> None:
    """
    Let the timer threads of Fast DDS interrupt no other thread.

    Whenever a reliable message is published, Fast DDS sets a timer for the case that it is not
    acknowledged. That wakes the timer thread several times, each time before the thread that
    publishes, only to find nothing to do yet: a quarter of what a message costs. As batch work
    it waits for a processor to be free, at most some milliseconds, which its timers have to
    spare. A thread that was given another policy on purpose keeps it.

    It does nothing with another middleware, on another system than Linux, and where
    the process may not.
    """
    for thread in Path('/proc/self/task').glob('*'):
        try:
            if (thread / 'comm').read_text().startswith(_FAST_DDS):
                _yield(int(thread.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            # The thread has ended, or the process is confined, which only costs the gain.
            continue


def _yield(thread: int):
    if os.sched_getscheduler(thread) == os.SCHED_OTHER:
        os.sched_setscheduler(thread, os.SCHED_BATCH, os.sched_param(0))
