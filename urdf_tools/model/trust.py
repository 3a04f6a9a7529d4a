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

"""Files that a description may read besides packages, and limits on its expansion."""

from __future__ import annotations

import os
import threading
from typing import NamedTuple

from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits


class Trust(NamedTuple):
    """
    Whether the author of a description may read what its user may read.

    :ivar is_full: whether xacro may include files elsewhere, and see all environment variables.
    :ivar variables: names of the environment variables that xacro sees if it may not.
    """

    is_full: bool = True
    variables: frozenset[str] = frozenset()

    def environment(self) -> dict[str, str]:
        """Return the environment variables that xacro sees."""
        return {name: value for name, value in os.environ.items()
                if self.is_full or name in self.variables}


TRUSTED = Trust()
"""For descriptions whose author may read all of this anyway."""


class XacroLimits(NamedTuple):
    """
    Limits on the expansion of xacro files; the largest robots take a few seconds.

    :ivar memory: address space of the process that expands, in MB of 2^20 bytes.
    :ivar time: for one expansion, in seconds.
    :ivar total_time: for all expansions of one file, with different arguments, in seconds.
    """

    memory: float = 600
    time: float = 20
    total_time: float = 20


class XacroBudget:
    """
    The remaining budget for the expansions of one file.

    :ivar limits: what they may take from the first one on.
    :ivar spent: seconds that they took.
    """

    def __init__(self, limits: XacroLimits = XacroLimits(), spent: float = 0.0):
        self.limits = limits
        self.spent = spent
        self._lock = threading.Lock()

    def spend(self, seconds: float) -> None:
        """Add the time of an expansion."""
        with self._lock:
            self.spent += seconds

    def next_job(self) -> Limits:
        """Return the limits of the next expansion; its time is negative if none is left."""
        seconds = min(self.limits.time, self.limits.total_time - self.spent)
        return Limits(self.limits.memory, seconds, seconds)

    def reason(self, limit: str, job: Limits) -> str:
        """Return why an expansion that exceeded a limit failed."""
        if job.wall < self.limits.time and limit in ('time', 'wall'):
            return ('the expansions with all combinations of arguments take longer than '
                    f'{self.limits.total_time:g} s')
        return str(LimitExceeded(limit, job))
