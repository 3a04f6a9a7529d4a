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

"""Numbers, vectors and rotations as libsdformat reads and writes them."""

from __future__ import annotations

from collections.abc import Iterable
import math

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Quaternion
from urdf_tools.model.pose import Vector3
from urdf_tools.programs.urdfdom.values import roll_of
from urdf_tools.programs.urdfdom.values import yaw_of

_VERTICAL = 1e-15
"""Distance of that sine from 1 up to which gz-math splits no roll from yaw."""


def gz_math_rpy(quaternion: Quaternion) -> Vector3:
    """Return roll, pitch and yaw as ``gz::math::Quaternion::Euler`` does."""
    length = math.sqrt(sum(value * value for value in quaternion))
    x, y, z, w = (value / length for value in quaternion)
    sine = -2 * (x * z - w * y) / (x * x + y * y + z * z + w * w)
    pitch = math.asin(max(-1.0, min(1.0, sine)))
    if abs(abs(sine) - 1) < _VERTICAL:
        both = math.atan2(2 * (x * y - z * w) * math.copysign(1, sine),
                          w * w - x * x + y * y - z * z)
        return both, pitch, 0.0
    return roll_of(x, y, z, w), pitch, yaw_of(x, y, z, w)


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return the pose of a frame that has the pose ``inner`` in a frame with pose ``outer``."""
    x1, y1, z1, w1 = outer.quaternion
    x2, y2, z2, w2 = inner.quaternion
    px, py, pz = inner.xyz
    # Twice the cross product of the axis with the point, then the formula of Rodrigues.
    tx, ty, tz = 2 * (y1 * pz - z1 * py), 2 * (z1 * px - x1 * pz), 2 * (x1 * py - y1 * px)
    ox, oy, oz = outer.xyz
    return Pose(
        (ox + px + w1 * tx + y1 * tz - z1 * ty,
         oy + py + w1 * ty + z1 * tx - x1 * tz,
         oz + pz + w1 * tz + x1 * ty - y1 * tx),
        (w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
         w1 * y2 + y1 * w2 + z1 * x2 - x1 * z2,
         w1 * z2 + z1 * w2 + x1 * y2 - y1 * x2,
         w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2))


def number_text(value: float) -> str:
    """Return a number with the 16 digits of libsdformat."""
    return '0' if value == 0 else f'{value:.16g}'


def numbers_text(values: Iterable[float]) -> str:
    """Return numbers with 16 digits and spaces between them."""
    return ' '.join(map(number_text, values))


def short_numbers_text(values: Iterable[float]) -> str:
    """Return numbers with the six digits of a C++ stream, which libsdformat writes in places."""
    return ' '.join(f'{value + 0.0:g}' for value in values)
