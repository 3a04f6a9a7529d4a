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


"""The work of a function, as a number of calls."""

from __future__ import annotations

from collections.abc import Callable
import sys
from types import FrameType
from typing import TypeVar

Result = TypeVar('Result')


def count_calls(function: Callable[[], Result]) -> tuple[Result, int]:
    """Return the result of a function and the number of function calls it takes."""
    calls = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event.endswith('call')
    sys.setprofile(profile)
    try:
        return function(), calls
    finally:
        sys.setprofile(None)
