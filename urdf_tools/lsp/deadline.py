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

"""A limit on the time of work that may never end, such as expanding a half-typed macro."""

from __future__ import annotations

from collections.abc import Callable
import ctypes
import sys
import threading
import time
from typing import TypeVar

Result = TypeVar('Result')


class _Expired(BaseException):
    """Ends the work; not an Exception, which the work might catch."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """
    Return the result of a function that runs Python code, or stop it.

    :raises TimeoutError: it takes longer.
    """
    alarm = _Alarm(seconds)
    try:
        try:
            return work()
        finally:
            alarm.cancel()
    except _Expired:
        raise TimeoutError(f'The work takes longer than {seconds:g} s') from None


class _Alarm:
    """Raises an exception in the thread that creates it, unless it is cancelled before."""

    def __init__(self, seconds: float):
        self._thread = ctypes.c_ulong(threading.get_ident())
        self._lock = threading.Lock()
        self._is_over = False
        self._has_rung = False
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            if not self._is_over:
                self._has_rung = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    self._thread, ctypes.py_object(_Expired))

    def cancel(self) -> None:
        """Make sure that nothing is raised from now on; what has been set is raised here."""
        with self._lock:
            self._is_over = True
        self._timer.cancel()
        # Withdrawing it would leave the interpreter looking for it for ever: CPython 3.11 signals
        # an exception of None, too, and then hangs as soon as it is profiled.
        while self._has_rung and sys.exc_info()[0] is not _Expired:
            time.sleep(0.001)
