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
"""Where a camera looks at a robot from, and what it sees behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from urdf_tools.kinematics.transforms import Array

BACKGROUND = np.linspace((188, 200, 212), (232, 235, 238), 64, dtype=np.uint8)[:, None]
"""A column of pixels behind the scene: light robots cannot be seen before white."""

VIEWS = {
    'front': (0.0, 0.0), 'left': (90.0, 0.0), 'back': (180.0, 0.0), 'right': (-90.0, 0.0),
    'top': (0.0, 89.0)}
"""Name of a camera to its azimuth and elevation in degrees."""


@dataclass(frozen=True)
class Camera:
    """
    Where the camera is: angles in degrees, and the distance as a multiple of the robot's size.

    :param azimuth: 0 in front of the robot, 90 on its left side.
    :param elevation: 90 above the robot.
    """

    azimuth: float = -40.0
    elevation: float = 21.0
    distance: float = 1.05

    def direction(self) -> Array:
        """Return the unit vector from the robot to the camera, shape (3,)."""
        azimuth, elevation = np.radians([self.azimuth, self.elevation])
        return np.array([
            np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth),
            np.sin(elevation)])
