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

"""Rigid transforms, and their conversion from and to roll, pitch and yaw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
import math
from typing import cast
from typing import TYPE_CHECKING
from typing import TypeVar

from urdf_tools.model.spelling import Suggesting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Vector = TypeVar('Vector', Vector3, Quaternion)

_POLE = 1e-13
"""Cosine of a pitch at which roll and yaw turn about the same axis, up to rounding."""


def _read_only(rows: list[list[float]]) -> NDArray[np.float64]:
    import numpy as np  # It takes long, and only matrices need it.
    matrix = np.array(rows, dtype=float)
    matrix.setflags(write=False)
    return matrix


@dataclass(frozen=True)
class Pose(Suggesting):
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

    @property
    def rpy(self) -> Vector3:
        """Roll, pitch and yaw about fixed axes, in rad."""
        return rpy_of(self.rotation)

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """Homogeneous matrix, shape (4, 4), read-only."""
        return _read_only([
            *([*row, translation] for row, translation in zip(self.rotation.tolist(), self.xyz)),
            [0, 0, 0, 1]])


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """
    Return the quaternion of ``Rz(yaw) Ry(pitch) Rx(roll)``, rotations about fixed axes.

    It is NaN if an angle is not finite, which the loader refuses, but some programs accept.
    """
    if not math.isfinite(roll + pitch + yaw):
        return (math.nan,) * 4
    sr, cr = math.sin(roll / 2), math.cos(roll / 2)
    sp, cp = math.sin(pitch / 2), math.cos(pitch / 2)
    sy, cy = math.sin(yaw / 2), math.cos(yaw / 2)
    return (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy)


def rpy_of(rotation: NDArray[np.float64]) -> Vector3:
    """
    Return roll, pitch and yaw of a rotation matrix, in rad, the inverse of quaternion_from_rpy.

    Where the pitch is a right angle, roll and yaw turn about the same axis, and yaw is zero.
    """
    (r00, r01, r02), (r10, r11, r12), (r20, _, _) = rotation.tolist()
    level = math.hypot(r00, r10)
    yaw = math.atan2(r10, r00) if level > _POLE else 0.0
    # Near there, yaw is rounding noise; this roll compensates for it.
    sine, cosine = math.sin(yaw), math.cos(yaw)
    roll = math.atan2(sine * r02 - cosine * r12, cosine * r11 - sine * r01)
    return roll, math.atan2(-r20, level), yaw


def normalized(vector: Vector) -> Vector:
    """Return a vector of unit length; scaled first, because squares of tiny numbers are zero."""
    largest = max(abs(component) for component in vector)
    scaled = [component / largest for component in vector]
    length = math.hypot(*scaled)
    return cast(Vector, tuple(component / length for component in scaled))
