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

"""When Python's cyclic garbage collector runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import gc


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """
    Pause the collector while a large tree is built and read.

    It goes through all objects again and again while their number grows, which is a fifth of the
    time for a large description, and finds nothing: elements are in use until the whole tree is
    released. What is not part of a cycle is released at once, as always.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def defer_garbage_collection() -> None:
    """Let the collector wait for :func:`begin_garbage_collection`: what is imported stays."""
    gc.disable()


def begin_garbage_collection() -> None:
    """
    Exempt all present objects from the collector, and let it run from now on, if it was deferred.

    While it goes through those of a start, about 40 ms, no thread runs, and ten joint states of a
    fast robot are lost. What is created later is little.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def collect_garbage_less() -> None:
    """
    Exempt all present objects, and let the collector run after more objects than by default.

    For a program in which tens of thousands of objects live until the next check makes them anew:
    looking through all of them again and again takes a seventh of the time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
