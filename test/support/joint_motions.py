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

"""The transforms of joints of one degree of freedom, all at once, as a reference."""

import numpy as np
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.robot import JointType


def joint_motions(joints, positions):
    """Return ``x y z qx qy qz qw`` of each joint, shape (n, 7), at positions of shape (n,)."""
    rows = np.array([
        (*joint.origin.xyz, *joint.origin.quaternion) for joint in joints]).reshape(-1, 7)
    for row, joint, position in zip(rows, joints, positions):
        if joint.type is JointType.PRISMATIC:
            row[:3] += joint.origin.rotation @ joint.axis * position
        else:
            about = quaternion_product(row[3:], np.array([*joint.axis, 0.0]))
            moves = any(joint.axis)
            row[3:] = row[3:] * np.cos(position / 2 * moves) + about * np.sin(position / 2)
    return rows
