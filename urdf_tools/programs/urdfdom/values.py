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

"""Rotations and vectors as urdfdom reads them."""

from __future__ import annotations

from functools import lru_cache
import math

from urdf_tools.model.pose import Quaternion
from urdf_tools.model.pose import Vector3
from urdf_tools.model.values import parse_vector
from urdf_tools.programs.importers import pose_from
from urdf_tools.types import Array

_NEARLY_VERTICAL = 0.99999
"""Sine of the pitch above which urdfdom treats it as a right angle."""


def urdfdom_rpy(quaternion: Quaternion) -> Vector3:
    """
    Return roll, pitch and yaw as ``urdf::Rotation::getRPY`` does.

    A pitch within 0.26 degrees of a right angle becomes a right angle.
    """
    x, y, z, w = quaternion
    sine = -2 * (x * z - w * y) / (x * x + y * y + z * z + w * w)
    if sine <= -_NEARLY_VERTICAL:
        return 0.0, -math.pi / 2, 2 * math.atan2(x, -y)
    if sine >= _NEARLY_VERTICAL:
        return 0.0, math.pi / 2, 2 * math.atan2(-x, y)
    return roll_of(x, y, z, w), math.asin(sine), yaw_of(x, y, z, w)


def roll_of(x: float, y: float, z: float, w: float) -> float:
    """Return the roll of a unit quaternion."""
    return math.atan2(2 * (y * z + w * x), w * w - x * x - y * y + z * z)


def yaw_of(x: float, y: float, z: float, w: float) -> float:
    """Return the yaw of a unit quaternion."""
    return math.atan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z)


@lru_cache(maxsize=1000)
def urdfdom_rotation(quaternion: Quaternion) -> Array:
    """Return the rotation matrix of the angles that urdfdom computes from a quaternion."""
    return pose_from((0.0, 0.0, 0.0), urdfdom_rpy(quaternion)).rotation


def lenient_vector(text: str | None) -> Vector3:
    """Return the three numbers of a text; zeros if it is None or not three numbers."""
    try:
        x, y, z = parse_vector(text or '', 3)
    except ValueError:
        return 0.0, 0.0, 0.0
    return x, y, z
