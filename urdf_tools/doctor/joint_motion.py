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


"""The motion of a joint: its units, and the deviation of a transform from it."""

from __future__ import annotations

from math import atan2
from math import degrees
from math import inf
from math import pi
from typing import TypeVar

import numpy as np

from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array

_TOLERANCE = 1e-3
_CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


def effort_unit_of(joint: Joint) -> str:
    """Return the unit of a joint's efforts."""
    return 'N' if joint.type is JointType.PRISMATIC else 'N m'


def deviation(joint: Joint, transform: Array) -> tuple[float, float, float]:
    """
    Compare the transform from parent to child link with the joint between them.

    :param transform: ``x y z qx qy qz qw``, shape (7,).
    :return: the distance in metres and the angle in radians to the closest transform that the
        joint can make, and the position of the joint there; infinity if the transform is invalid.
        A planar or floating joint can make any.
    """
    length = float(np.linalg.norm(transform[3:]))
    if not np.isfinite(transform).all() or length < 1e-6:
        return inf, inf, 0.0
    if joint.type.dof > 1:
        return 0.0, 0.0, 0.0
    start = np.array(joint.origin.quaternion)
    offset = quaternion_to_matrix(start).T @ (transform[:3] - np.array(joint.origin.xyz))
    turn = quaternion_product(start * _CONJUGATE, transform[3:] / length)
    axis = np.array(joint.axis)
    position = 0.0
    if joint.type is JointType.PRISMATIC:
        position = float(axis @ offset)
        offset = offset - position * axis
    elif joint.type is not JointType.FIXED and axis.any():
        along = float(axis @ turn[:3])
        position = wrapped(2 * atan2(along, float(turn[3])))
        turn = np.append(turn[:3] - along * axis, np.hypot(along, turn[3]))
    angle = 2 * atan2(float(np.linalg.norm(turn[:3])), abs(float(turn[3])))
    return float(np.linalg.norm(offset)), angle, position


def usual_error(joint: Joint, transform: Array) -> str:
    """Return the hint on how a transform came about, or an empty text if that is unknown."""
    if joint.type is not JointType.FIXED:
        return ''
    origin, found = joint.origin.matrix, pose_of(transform)
    turned = Pose(joint.origin.xyz, quaternion_from_rpy(
        *map(degrees, rpy_of(joint.origin.rotation))))
    scaled = origin.copy()
    scaled[:3, 3] *= 1000
    for wrong, hint in (
            (invert(origin), 'It is the inverse of what the model has: tf expects the pose of the '
             'child in its parent'),
            (scaled, 'The translation looks like millimetres; it must be in metres'),
            (turned.matrix, 'The rotation looks like degrees; it must be in radians')):
        if np.allclose(found, wrong, atol=_TOLERANCE):
            return hint
    return ''


Angle = TypeVar('Angle', float, Array)


def wrapped(angle: Angle) -> Angle:
    """Return the same angle between minus pi and pi, or the same angles of any shape."""
    return (angle + pi) % (2 * pi) - pi
