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

"""Configurations in the variables of MuJoCo, and the one in which a simulation begins."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.programs.mjcf.actuators import Actuator
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.types import Array


def with_mimic(tree: KinematicTree, names: Sequence[str], values: Array, offset: float = 1.0
               ) -> dict[str, float]:
    """
    Return positions or velocities by the name of the variable, also of mimic joints.

    :param names: of the variables of the tree.
    :param offset: 0 for velocities.
    """
    found = dict(zip(names, values.tolist()))
    for name, mimic in tree.mimic.items():
        found[name] = mimic.multiplier * found.get(mimic.joint, 0.0) + offset * mimic.offset
    return found


def joint_pose(bodies: Bodies, joint: Joint, positions: Mapping[str, float]) -> Array:
    """Return the pose that a floating joint has in the variables of MuJoCo, shape (4, 4)."""
    motion = pose_of(np.array([positions[name] for name in variable_names(joint)]))
    is_free = len(bodies.joints_of(joint)) == 1
    return np.asarray(joint.origin.matrix @ motion if is_free else motion)


def joint_positions(bodies: Bodies, joint: Joint, positions: Mapping[str, float]) -> list[float]:
    """Return the variables of MuJoCo of a joint."""
    if joint.type is not JointType.FLOATING:
        return [positions[name] for name in variable_names(joint)]
    pose = joint_pose(bodies, joint, positions)
    x, y, z, w = matrix_to_quaternion(pose[:3, :3]).tolist()
    return [*pose[:3, 3].tolist(), w, x, y, z]


def write_home(keyframe: Node, bodies: Bodies, actuators: list[Actuator]) -> None:
    """
    Append the configuration ``home``: all at zero, within limits, mimics and loops closed.

    Position actuators hold it.
    """
    tree = KinematicTree(bodies.robot)
    start = Mechanism(tree).start if bodies.robot.loops else tree.neutral().clip(
        tree.position_lower, tree.position_upper)
    home = with_mimic(tree, tree.variable_names, start)
    values = [value for joint in bodies.robot.tree
              for value in joint_positions(bodies, joint, home)]
    controls = [home[each.joint.name] if each.kind == 'position' else 0.0 for each in actuators]
    if values:
        add(keyframe, 'key', {'name': 'home', 'qpos': values, 'ctrl': controls or None})
