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

"""Pauses of Python's cyclic garbage collector while a large tree is built and read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import gc


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """
    Pause the cyclic garbage collector.

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
