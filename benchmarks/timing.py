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

"""The time that a function takes."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter


def duration(
        work: Callable[[], object], runs: int,
        clock: Callable[[], float] = perf_counter) -> float:
    """
    Return the median time of some runs in seconds.

    :param clock: returns the time; ``time.process_time`` for CPU time.
    """
    times = []
    for _ in range(runs):
        start = clock()
        work()
        times.append(clock() - start)
    return median(times)
