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
"""The camera of pictures, and its distance at which the robot fills them."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np

from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.types import Array

VIEWS = {'front': (0.0, 0.0), 'left': (90.0, 0.0), 'back': (180.0, 0.0), 'right': (-90.0, 0.0),
         'top': (0.0, 89.0)}
"""Name of a camera to its azimuth and elevation in degrees."""

FIELD = math.radians(40)
"""Vertical angle of view; a wider one distorts."""

FILL = 0.78
"""Share of the width or of the height of a picture that what is shown takes."""

_WIDE = math.radians(75)
"""Angle of view at which distances are multiples of the size of the robot."""


@dataclass(frozen=True)
class Camera:
    """
    The direction of the camera in degrees, and its distance in multiples of the robot's size.

    :param azimuth: 0 in front of the robot, 90 on its left side.
    :param elevation: 90 above the robot.
    :param distance: as the picture of a wide angle; None to fill the picture.
    """

    azimuth: float = -40.0
    elevation: float = 21.0
    distance: float | None = None

    def direction(self) -> Array:
        """Return the unit vector from the robot to the camera, shape (3,)."""
        azimuth, elevation = np.radians([self.azimuth, self.elevation])
        return np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth),
                         np.sin(elevation)])

    def shot(self, points: Array, aspect: float, size: float) -> Shot:
        """
        Return the shot in which points fill a picture, or as far as the camera is.

        :param points: in metres, shape (N, 3), not all at one position.
        :param aspect: width of the picture by its height.
        :param size: of the robot in metres.
        """
        if self.distance is None:
            return filling(points, self.direction(), aspect)
        center = (points.min(axis=0) + points.max(axis=0)) / 2
        # As large as a wide angle shows it there.
        scaled = self.distance * size * math.tan(_WIDE / 2) / math.tan(FIELD / 2)
        return Shot(center + scaled * self.direction(), center)


@dataclass(frozen=True)
class Shot:
    """A camera in the scene: where it is, what it looks at, both in metres, and its angle."""

    position: Array
    look_at: Array
    field: float = FIELD

    @property
    def distance(self) -> float:
        """From the camera to what it looks at in metres."""
        return float(np.linalg.norm(self.position - self.look_at))

    @property
    def near(self) -> float:
        """Distance of the near clipping plane in metres."""
        return 0.02 * self.distance

    @property
    def far(self) -> float:
        """Distance of the far clipping plane in metres; a shorter one makes shadows finer."""
        return 6 * self.distance

    @property
    def wxyz(self) -> Array:
        """The quaternion of the camera, of which x is to the right and z forward."""
        right, up, back = self._axes
        return wxyz_of(np.stack([right, -up, -back], axis=1))

    @property
    def _axes(self) -> tuple[Array, Array, Array]:
        return axes((self.position - self.look_at) / self.distance)

    def pixels(self, points: Array, size: tuple[int, int]) -> tuple[Array, Array]:
        """
        Return where points are in a picture of a size, shape (N, 2), and how far, shape (N,).

        :param points: in metres, shape (N, 3).
        """
        right, up, back = self._axes
        offset = points - self.position
        depth: Array = -offset @ back
        scale = size[1] / 2 / math.tan(self.field / 2) / np.where(depth > 0, depth, np.nan)
        return np.stack([size[0] / 2 + offset @ right * scale,
                         size[1] / 2 - offset @ up * scale], axis=1), depth


def wxyz_of(rotation: Array) -> Array:
    """Return rotations as quaternions in the order of viser, shape (..., 4)."""
    return matrix_to_quaternion(rotation)[..., [3, 0, 1, 2]]


def axes(direction: Array) -> tuple[Array, Array, Array]:
    """Return the unit vectors of a picture to the right, upwards, and towards the camera."""
    right = np.cross([0.0, 0.0, 1.0], direction)
    length = float(np.linalg.norm(right))
    right = right / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    return right, np.cross(direction, right), direction


def filling(points: Array, direction: Array, aspect: float) -> Shot:
    """
    Return the shot in which points fill a picture and are centred.

    Each side of the picture is a plane through the camera that all points are inside of, so
    the distance is the largest of linear functions of the points.

    :param points: in metres, shape (N, 3), not all at one position.
    :param direction: unit vector from the points to the camera, shape (3,).
    :param aspect: width of the picture by its height.
    """
    right, up, back = axes(direction)
    slopes = math.tan(FIELD / 2) * FILL * np.array([aspect, 1.0])
    across, near = points @ np.stack([right, up], axis=1) / slopes, (points @ back)[:, None]
    positive, negative = (across + near).max(axis=0), (near - across).max(axis=0)
    center = (positive - negative) / 2 * slopes @ np.stack([right, up])
    return Shot(center + (positive + negative).max() / 2 * back, center + near.mean() * back)
