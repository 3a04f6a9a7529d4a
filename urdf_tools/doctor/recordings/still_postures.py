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
"""The postures in which a recorded robot stood still, and the efforts that held it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.recordings.recorded_windows import STEP
from urdf_tools.doctor.recordings.recorded_windows import Window
from urdf_tools.doctor.rules.gravity_efforts import posture_at_rest
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.types import Array

SAME = 0.01
"""Radians or metres by which a posture may differ from the one before to be the same."""

MAX_POSTURES = 10_000


class StillPostures(NamedTuple):
    """
    Postures of a robot.

    :param names: joints that report efforts in all of them.
    :param positions: in rad and m, shape (B, n).
    :param efforts: of the joints, in N m and N, shape (B, k).
    """

    inverse: InverseDynamics
    names: tuple[str, ...]
    positions: Array
    efforts: Array


def still_postures(windows: Iterable[Window]) -> StillPostures | None:
    """Return the postures of the first robot that reports efforts at rest, or None."""
    found: list[tuple[Array, list[Mapping[str, float]]]] = []
    inverse = None
    for inverse, positions, held in islice(_postures(windows), MAX_POSTURES):
        if not found or np.abs(positions - found[-1][0]).max() > SAME:
            found.append((positions, []))
        found[-1][1].append(held)
    if inverse is None:
        return None
    # A joint without a sensor reports zero.
    every = [efforts for _, several in found for efforts in several]
    names = [name for name in inverse.tree.velocity_names if all(
        name in efforts for efforts in every) and any(efforts[name] for efforts in every)]
    efforts = np.array([[np.mean([each[name] for each in several]) for name in names]
                        for _, several in found])
    return StillPostures(inverse, tuple(names), np.array([each for each, _ in found]), efforts)


def _postures(windows: Iterable[Window]) -> Iterator[
        tuple[InverseDynamics, Array, Mapping[str, float]]]:
    """Yield the dynamics of the first robot, and its configuration and efforts at rest."""
    text = ''
    for window in windows:
        for begin in range(window.begin, window.end - STEP + 1, STEP // 2):
            seen = window.part(begin, begin + STEP)
            for robot in seen.robots:
                if text in ('', robot.text):
                    found = posture_at_rest(robot, seen.joints_of(robot))
                    if found is not None:
                        text = robot.text
                        yield found
