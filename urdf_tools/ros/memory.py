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

"""Return the memory of large messages to the system."""

from __future__ import annotations

from collections.abc import Sized
import gc
import os
from threading import Lock
from threading import Timer

LARGE = 200_000
"""Length of a message or description that leaves much behind; most are shorter."""

DELAYS = 5.0, 20.0
"""
Seconds until the memory is returned, once for all nodes and what comes meanwhile, and until again.

The second is longer than the model monitor keeps what it observes.
"""

_lock = Lock()
_timer: Timer | None = None
_is_due = False


def release_memory_soon(*data: Sized) -> None:
    """
    Return the memory of a processed description and its predecessor, if one is large.

    Elements refer to each other, so only the collector finds those that nobody needs any more; and
    the C library keeps what they took for this thread, where no other thread gets it.
    """
    global _is_due
    if max(map(len, data)) < LARGE or os.environ.get('URDF_TOOLS_RETURN_MEMORY') == '0':
        return
    with _lock:
        _is_due = True
        if _timer is None:
            _start(DELAYS[0])


def _start(delay: float) -> None:
    global _timer
    _timer = Timer(delay, _release)
    _timer.daemon = True
    _timer.start()


def _release() -> None:
    global _is_due, _timer
    # Needed only here, and by few nodes.
    import ctypes
    gc.collect()
    trim = getattr(ctypes.CDLL(None), 'malloc_trim', None)
    if trim is not None:  # It is of the GNU C library.
        trim(0)
    with _lock:
        _timer = None
        if _is_due:
            _start(DELAYS[1])
        _is_due = False
