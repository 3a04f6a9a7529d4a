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

"""Rigid transforms of a description."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # Numpy is needed only by those who ask for a matrix.
    from numpy.typing import NDArray

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def _read_only(rows: list[list[float]]) -> NDArray[np.float64]:
    matrix = np.array(rows, dtype=float)
    matrix.setflags(write=False)
    return matrix


@dataclass(frozen=True)
class Pose:
    """
    A rigid transform.

    :param xyz: translation in metres.
    :param quaternion: unit quaternion ``x y z w``.
    """

    xyz: Vector3 = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)

    @cached_property
    def rotation(self) -> NDArray[np.float64]:
        """Rotation matrix for column vectors, shape (3, 3), read-only."""
        x, y, z, w = self.quaternion
        return _read_only([
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """Homogeneous matrix, shape (4, 4), read-only."""
        return _read_only([
            *([*row, translation] for row, translation in zip(self.rotation, self.xyz)),
            [0, 0, 0, 1]])
