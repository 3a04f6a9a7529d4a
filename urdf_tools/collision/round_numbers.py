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

"""Round the numbers of shapes to millimetres and right angles."""

from __future__ import annotations

from dataclasses import replace
from math import asin
from math import atan2
from math import pi

import numpy as np

from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Box
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array

_STEPS = ((1e-3, 1e-2), (1e-3, 0.0), (1e-4, 0.0), (1e-5, 0.0))
"""Steps of lengths in m, and angles in rad within which a right angle is taken."""

_COSTS_NOTHING = 1.03
"""Growth of the volume that rounding may cause."""

_THINNEST = 1e-3
"""Least size of a shape in m, as programs refuse flat ones."""

_DIGITS = 4
"""Decimals of angles."""


def rounded(solid: Solid, points: Array) -> Solid:
    """
    Return nearly the same shape with the roundest numbers that cost nothing.

    :param points: what it is around; they are then outside by less than the step of lengths.
    """
    if isinstance(solid.shape, (Hull, Shell)):
        return solid
    thick = _rounded(solid, 1e-6, 0.0)
    for step, angle in _STEPS:
        result = _rounded(solid, step, angle)
        if result.volume <= _COSTS_NOTHING * thick.volume and (
                result.distances(points).max() <= step):
            return result
    return thick


def _rounded(solid: Solid, step: float, angle: float) -> Solid:
    shape = solid.shape
    rotation = Pose(quaternion=quaternion_from_rpy(*angles_of(solid, angle))).rotation
    centre = np.round(np.round(solid.centre / step) * step, 7) + 0.0
    if isinstance(shape, Box):
        x, y, z = (_up(step, size) for size in shape.size)
        return Solid(Box((x, y, z)), rotation, centre)
    assert not isinstance(shape, (Hull, Shell))
    radius = _up(step, shape.radius, _THINNEST / 2)
    if isinstance(shape, Sphere):
        return Solid(Sphere(radius), np.eye(3), centre)
    return Solid(replace(shape, radius=radius, length=_up(step, shape.length)), rotation, centre)


def _up(step: float, size: float, least: float = _THINNEST) -> float:
    """Return a size rounded up, unless it is nearly round, and not less than is allowed."""
    return round(max(float(np.ceil(size / step - 0.1)) * step, least), 7)


def angles_of(solid: Solid, snap: float = 0.0) -> tuple[float, float, float]:
    """
    Return roll, pitch and yaw of a shape, in rad with few decimals.

    :param snap: angle in rad within which a right angle is taken.
    """
    if isinstance(solid.shape, (Sphere, Hull, Shell)):
        return 0.0, 0.0, 0.0
    if isinstance(solid.shape, Box):
        angles = rpy_of(solid.rotation)
    else:
        # Round shapes look the same turned about their axis, or the other way round.
        ax, ay, az = np.round(solid.rotation[:, 2], 9).tolist()
        if az < 0 or az == 0 and (ax < 0 or ax == 0 and ay > 0):
            ax, ay, az = -ax, -ay, -az
        angles = (-asin(max(-1.0, min(1.0, ay))), atan2(ax, az) if ax or az else 0.0, 0.0)
    roll, pitch, yaw = (round(_snapped(value, snap), _DIGITS) + 0.0 for value in angles)
    return roll, pitch, yaw


def _snapped(angle: float, within: float) -> float:
    right = round(angle / (pi / 2)) * pi / 2
    return right if abs(angle - right) <= max(within, 1e-4) else angle
