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

"""
Planar and floating joints.

A planar joint moves by ``x`` and ``y`` in the plane normal to its axis, then turns by ``theta``
about the axis. The in-plane directions are the images of x and y under the rotation closest to
identity that takes z to the axis (Drake's choice): for the axis z they are the joint frame's own
x and y; for -z they are x and -y.

The variables of a floating joint are the pose of the child link in the joint's frame; its axis
is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from urdf_tools.kinematics.transforms import numbers
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.kinematics.transforms import rotations
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array

_VARIABLES = {
    JointType.PLANAR: ('x', 'y', 'theta'),
    JointType.FLOATING: ('trans_x', 'trans_y', 'trans_z', 'rot_x', 'rot_y', 'rot_z', 'rot_w')}
_VELOCITIES = _VARIABLES | {JointType.FLOATING: (
    'linear_x', 'linear_y', 'linear_z', 'angular_x', 'angular_y', 'angular_z')}


def variable_names(joint: Joint) -> tuple[str, ...]:
    """
    Return the names of the position variables of a joint, mimic or not; they are MoveIt's.

    These are the joint's own name for one degree of freedom, ``<joint>/x``, ``y`` and ``theta``
    for a planar joint, ``<joint>/trans_x`` to ``rot_w`` for a floating one, none for a fixed one.
    """
    return _names(joint, _VARIABLES)


def velocity_names(joint: Joint) -> tuple[str, ...]:
    """
    Return the names of the velocity variables of a joint, mimic or not.

    They are the rates of :func:`variable_names`, except for a floating joint: the twist of the
    child link in its own frame, ``<joint>/linear_x`` to ``angular_z``.
    """
    return _names(joint, _VELOCITIES)


def _names(joint: Joint, suffixes: Mapping[JointType, tuple[str, ...]]) -> tuple[str, ...]:
    if joint.type.dof == 1:
        return (joint.name,)
    return tuple(f'{joint.name}/{suffix}' for suffix in suffixes.get(joint.type, ()))


def joint_transform(joint: Joint, values: ArrayLike) -> Array:
    """
    Return the transform from the parent to the child link of a planar or floating joint.

    :param values: one finite number for each of :func:`variable_names`; the quaternion of a
        floating joint may have any length but zero.
    :return: ``x y z`` and the unit quaternion ``x y z w``, shape (7,).
    """
    values = numbers(values, f'values of {joint.name!r}')
    if joint.type is JointType.PLANAR:
        x, y, theta = values
        translation = (_plane(joint) * [x, y]).sum(axis=1)
        half = theta / 2 if any(joint.axis) else 0.0
        quaternion = np.append(np.sin(half) * np.array(joint.axis), np.cos(half))
    else:
        translation = values[:3]
        quaternion = rotations(values[3:], f'the quaternion of {joint.name!r}')
    quaternion = quaternion / np.linalg.norm(quaternion)
    return np.concatenate([
        joint.origin.xyz + joint.origin.rotation @ translation,
        quaternion_product(joint.origin.quaternion, quaternion)])


def joint_values(joint: Joint, motion: ArrayLike) -> Array:
    """
    Return the variables of a planar or floating joint for a motion, or the closest one.

    :param motion: pose of the child link in the joint's frame: ``x y z`` and the quaternion
        ``x y z w``, shape (7,). A planar joint ignores translation along its axis and tilt.
    :return: one number for each of :func:`variable_names`; NaN for a quaternion of zero, as nodes
        get it from others.
    """
    motion = np.asarray(motion, dtype=float)
    if joint.type is JointType.FLOATING:
        turn = motion[3:] / np.abs(motion[3:]).max()  # The square of a large number is infinite.
        return np.append(motion[:3], turn / np.linalg.norm(turn))
    half = np.arctan2(motion[3:6] @ joint.axis, motion[6])
    theta = np.remainder(2 * half + np.pi, 2 * np.pi) - np.pi
    return np.append(motion[:3] @ _plane(joint), theta)


def _plane(joint: Joint) -> Array:
    """Return the in-plane directions as columns, shape (3, 2); zero without an axis."""
    return rotation_from_z(joint.axis)[:, :2] if any(joint.axis) else np.zeros((3, 2))
