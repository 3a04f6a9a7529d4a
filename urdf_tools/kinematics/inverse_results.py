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

"""The results of inverse kinematics, and the best ones so far during a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from urdf_tools.types import Array
from urdf_tools.types import Indices


@dataclass(frozen=True)
class InverseKinematicsResult:
    """
    A configuration, and how well it fits.

    :param positions: the configuration, the best one found if there is no solution, shape (n,).
    :param position_error: largest position error of a link, in m.
    :param rotation_error: largest orientation error of a link, in rad.
    :param iterations: evaluations of batches of configurations.
    :param reason: why there is no solution; empty if there is one.
    """

    positions: Array
    position_error: float
    rotation_error: float
    iterations: int
    reason: str = ''

    @property
    def success(self) -> bool:
        """Return whether it is a solution."""
        return not self.reason


@dataclass(frozen=True)
class InverseKinematicsBatch:
    """
    Configurations for B targets; one of them is an :class:`InverseKinematicsResult`.

    :param positions: the configurations, shape (B, n).
    :param position_errors: largest position error of a link, in m, shape (B,).
    :param rotation_errors: largest orientation error of a link, in rad, shape (B,).
    :param iterations: evaluations for each target, shape (B,).
    :param reasons: why there is no solution; empty where there is one.
    """

    positions: Array
    position_errors: Array
    rotation_errors: Array
    iterations: Indices
    reasons: tuple[str, ...]

    @property
    def success(self) -> npt.NDArray[np.bool_]:
        """Return which are solutions, shape (B,)."""
        return np.array([not reason for reason in self.reasons], dtype=bool)

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, row: int) -> InverseKinematicsResult:
        return InverseKinematicsResult(
            self.positions[row], float(self.position_errors[row]),
            float(self.rotation_errors[row]), int(self.iterations[row]), self.reasons[row])


class Search:
    """
    The best configurations so far for B targets.

    :param targets: name of a link to its poses, shape (4, 4, B).
    :param far: why they are out of reach, or empty texts.
    :param given: the starts, shape (B, n).
    :param positions: the same within the limits.
    :ivar distances: largest errors in m and rad, shape (B, 2).
    :ivar iterations: evaluations for each target, shape (B,).
    """

    def __init__(self, targets: dict[str, Array], far: list[str], given: Array, positions: Array,
                 tolerance: float):
        self.targets, self.far, self.positions = targets, far, positions
        self._given, self._tolerance = given, tolerance
        self.distances = np.full((len(given), 2), np.inf)
        self.iterations = np.zeros(len(given), dtype=np.intp)

    def is_solved(self) -> npt.NDArray[np.bool_]:
        """Return which targets are reached, shape (B,)."""
        return np.asarray(self.distances.max(axis=1) <= self._tolerance)

    def keep(self, rows: Indices, positions: Array, distances: Array) -> npt.NDArray[np.bool_]:
        """
        Keep what is better; of those within the tolerance, the nearest to the start.

        :param rows: of targets, shape (T,).
        :param positions: as many for each of them, shape (T * S, n).
        :return: whether they are reached, shape (T,).
        """
        worst = np.fmin(distances.max(axis=1), np.inf).reshape(len(rows), -1)
        count = worst.shape[1]
        if count > 1:
            apart = np.linalg.norm(positions - self._given[rows].repeat(count, axis=0), axis=1)
            fits = worst <= self._tolerance
            worst = np.where(fits, -1 / (1 + apart.reshape(worst.shape)), worst)
        best = worst.argmin(axis=1) + count * np.arange(len(rows))
        found = distances[best]
        better = np.flatnonzero(found.max(axis=1) < self.distances[rows].max(axis=1))
        self.distances[rows[better]] = found[better]
        self.positions[rows[better]] = positions[best[better]]
        self.iterations[rows] += 1
        return np.asarray(found.max(axis=1) <= self._tolerance)
