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

"""Progress on a terminal, shown if something takes longer than a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import shutil
import sys
from threading import Event
from threading import Lock
from threading import Thread
import time
from typing import TextIO

from urdf_tools.model.messages import printable

DELAY = 1.0
"""Seconds before anything is shown."""

_INTERVAL = 0.5

_QUIET = 30.0
"""Seconds before anything is said where there is no terminal; then twice as long each time."""


class progress:  # noqa: N801
    """
    Shows what is being done, and for how many seconds, while the context lasts.

    The line is removed in the end. Where there is no terminal, it is printed now and then.

    :ivar text: one line, which is made printable; it may change.
    """

    def __init__(self, text: str, stream: TextIO | None = None):
        """
        Prepare the line.

        :param stream: standard error by default.
        """
        self.text = self._name = text
        self._stream = stream or sys.stderr
        self._done = Event()
        self._lock = Lock()
        self._is_shown = False
        self._thread = Thread(target=self._show, daemon=True)

    def __enter__(self) -> progress:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()
        self._remove()

    def step(self, text: str) -> None:
        """Show a step behind the text that the line began with."""
        self.text = f'{self._name}: {text}'

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Remove the line while something else is printed."""
        with self._lock:
            self._remove()
            yield

    def _show(self) -> None:
        start = time.monotonic()
        is_terminal = self._stream.isatty()
        wait = DELAY if is_terminal else _QUIET
        while not self._done.wait(wait):
            wait = _INTERVAL if is_terminal else 2 * wait
            seconds = f' ({time.monotonic() - start:.0f} s)'
            width = shutil.get_terminal_size().columns - len(seconds) - 1
            text = printable(self.text)
            with self._lock:
                self._stream.write(f'\r\033[K{text[:max(width, 0)]}{seconds}' if is_terminal
                                   else f'urdf-tools: {text}{seconds}\n')
                self._stream.flush()
                self._is_shown = is_terminal

    def _remove(self) -> None:
        if self._is_shown:
            self._stream.write('\r\033[K')
            self._stream.flush()
            self._is_shown = False
