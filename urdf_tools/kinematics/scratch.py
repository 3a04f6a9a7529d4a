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

"""Memory for intermediate results that is used again."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from threading import local

import numpy as np

from urdf_tools.kinematics.transforms import Array

_MOST = 2**22
"""Most numbers that are kept, 32 MiB."""


class Scratch(local):
    """
    Memory that each thread uses again.

    The operating system takes longer to give out new memory than a step takes to fill it.
    """

    def __init__(self) -> None:
        self._memory = np.empty(0)

    def array(self, *shape: int) -> Array:
        """Return an array whose contents are undefined, and overwritten by the next user."""
        return self.arrays(shape)[0]

    def arrays(self, *shapes: tuple[int, ...]) -> list[Array]:
        """Return several such arrays, beside each other."""
        ends = [0, *accumulate(map(prod, shapes))]
        memory = self._memory
        if ends[-1] > memory.size:
            memory = np.empty(ends[-1])
            if memory.size <= _MOST:
                self._memory = memory
        return [memory[start:end].reshape(shape)
                for start, end, shape in zip(ends, ends[1:], shapes)]
