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
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.recordings.recorded_windows import STEP
from urdf_tools.doctor.recordings.recorded_windows import Window
from urdf_tools.doctor.rules.gravity_efforts import dynamics_of
from urdf_tools.doctor.rules.gravity_efforts import efforts_of
from urdf_tools.doctor.rules.gravity_efforts import is_at_rest
from urdf_tools.doctor.rules.gravity_efforts import positions_of
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.kinematics.transforms import Array

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
    for window in windows:
        for begin in range(window.begin, window.end - STEP + 1, STEP // 2):
            inverse, posture = _posture(window.part(begin, begin + STEP), inverse)
            if posture is None or len(found) >= MAX_POSTURES:
                continue
            if not found or np.abs(posture[0] - found[-1][0]).max() > SAME:
                found.append((posture[0], []))
            found[-1][1].append(posture[1])
    if inverse is None or not found:
        return None
    # A joint without a sensor reports zero.
    names = [name for name in inverse.tree.velocity_names if all(
        name in efforts for _, several in found for efforts in several) and any(
            efforts[name] for _, several in found for efforts in several)]
    efforts = np.array([[np.mean([each[name] for each in several]) for name in names]
                        for _, several in found])
    return StillPostures(inverse, tuple(names), np.array([each for each, _ in found]), efforts)


def _posture(seen: Observation, inverse: InverseDynamics | None) -> tuple[
        InverseDynamics | None, tuple[Array, Mapping[str, float]] | None]:
    """Return the dynamics of a robot, and its configuration and efforts if it stood still."""
    for robot in seen.robots:
        tracks = seen.joints_of(robot)
        efforts = efforts_of(tracks)
        if not efforts or not all(map(is_at_rest, tracks)):
            continue
        found = dynamics_of(robot.text)
        positions = positions_of(tracks)
        if inverse in (None, found) and all(
                name in positions for name in found.tree.variable_names):
            return found, (found.tree.configuration({
                name: positions[name] for name in found.tree.variable_names}), efforts)
    return inverse, None
