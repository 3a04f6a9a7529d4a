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
about the axis. The in-plane directions are where the rotation closest to identity that takes
z to the axis puts x and y, which is Drake's choice: for an axis of z they are the joint frame's
own x and y; for one of -z they are x and -y.

A floating joint has the pose of the child link in the joint's frame; its axis plays no part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType

_SUFFIXES = {
    JointType.PLANAR: ('x', 'y', 'theta'),
    JointType.FLOATING: (
        'trans_x', 'trans_y', 'trans_z', 'rot_x', 'rot_y', 'rot_z', 'rot_w'),
}


def variable_names(joint: Joint) -> tuple[str, ...]:
    """
    Return the names of the numbers that place a joint, mimic or not; MoveIt's names.

    They are the joint's own name for one degree of freedom, ``<joint>/x`` and so on for a planar
    joint, ``<joint>/trans_x`` to ``<joint>/rot_w`` for a floating one, none for a fixed one.
    """
    if joint.type.dof == 1:
        return (joint.name,)
    return tuple(f'{joint.name}/{suffix}' for suffix in _SUFFIXES.get(joint.type, ()))


def joint_transform(joint: Joint, values: Sequence[float]) -> np.ndarray:
    """
    Return the transform from the parent to the child link of a planar or floating joint.

    :param values: one finite number for each of :func:`variable_names`; the quaternion of a
        floating joint may have any length but zero.
    :return: ``x y z`` and the unit quaternion ``x y z w``, shape (7,).
    """
    if joint.type is JointType.PLANAR:
        x, y, theta = values
        translation = (_plane(joint) * [x, y]).sum(axis=1)
        half = theta / 2 if any(joint.axis) else 0.0
        quaternion = np.append(np.sin(half) * np.array(joint.axis), np.cos(half))
    else:
        translation = np.asarray(values[:3], dtype=float)
        quaternion = np.asarray(values[3:], dtype=float)
    quaternion = quaternion / np.linalg.norm(quaternion)
    return np.concatenate([
        joint.origin.xyz + joint.origin.rotation @ translation,
        quaternion_product(joint.origin.quaternion, quaternion)])


def joint_values(joint: Joint, motion: Sequence[float]) -> np.ndarray:
    """
    Return the variables of a planar or floating joint that give a motion, or come closest.

    :param motion: pose of the child link in the joint's frame, which is where the child stands
        at rest: ``x y z`` and the quaternion ``x y z w`` of any length but zero, shape (7,).
        What a planar joint cannot do of it, movement along its axis and tilt, is left out.
    :return: one number for each of :func:`variable_names`.
    """
    motion = np.asarray(motion, dtype=float)
    if joint.type is JointType.FLOATING:
        return np.append(motion[:3], motion[3:] / np.linalg.norm(motion[3:]))
    half = np.arctan2(motion[3:6] @ joint.axis, motion[6])
    theta = np.remainder(2 * half + np.pi, 2 * np.pi) - np.pi
    return np.append(motion[:3] @ _plane(joint), theta)


def _plane(joint):
    if not any(joint.axis):
        return np.zeros((3, 2))
    return rotation_from_z(joint.axis)[:, :2]
