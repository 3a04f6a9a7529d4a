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

"""What is being done, on a terminal, if it takes longer than a second."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import shutil
import sys
from threading import Event
from threading import Thread
import time
from typing import TextIO

DELAY = 1.0
"""Seconds before anything is shown."""

_INTERVAL = 0.5


@contextmanager
def progress(text: str, stream: TextIO | None = None) -> Iterator[None]:
    """
    Show what is being done, and for how many seconds, while it is.

    The line is removed in the end, and shown only on a terminal.

    :param text: one printable line.
    :param stream: standard error by default.
    """
    stream = stream or sys.stderr
    if not stream.isatty():
        yield
        return
    done = Event()
    thread = Thread(target=_show, args=(text, stream, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(text: str, stream: TextIO, done: Event) -> None:
    start = time.monotonic()
    wait = DELAY
    shown = False
    while not done.wait(wait):
        wait = _INTERVAL
        seconds = f' ({time.monotonic() - start:.0f} s)'
        width = shutil.get_terminal_size().columns - len(seconds) - 1
        stream.write(f'\r\033[K{text[:max(width, 0)]}{seconds}')
        stream.flush()
        shown = True
    if shown:
        stream.write('\r\033[K')
        stream.flush()
