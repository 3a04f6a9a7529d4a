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
"""Joint axes and limits in the scene: arcs of angles, segments of distances."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from typing import Any

import numpy as np

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array
from urdf_tools.view.shape_nodes import placed
from urdf_tools.view.shape_nodes import Rgb
import viser

COLOURS: Mapping[JointType, Rgb] = {
    JointType.REVOLUTE: (40, 120, 220),
    JointType.CONTINUOUS: (20, 170, 170),
    JointType.PRISMATIC: (170, 80, 200),
    JointType.PLANAR: (190, 140, 30),
    JointType.FLOATING: (190, 140, 30)}
"""Colours of the joint types."""

_STEP = np.radians(6)


def joint_nodes(scene: viser.SceneApi, tree: KinematicTree, node_name: Callable[[str], str],
                size: float) -> list[Any]:
    """
    Add the axes of the moving joints, their limits, and pointers to their positions.

    The limits belong to the parent link, and the pointer to the child link.

    :param node_name: returns the name of the node of a link.
    :param size: of the robot in metres.
    :return: all nodes.
    """
    nodes: list[Any] = []
    for number, name in enumerate(tree.joint_names):
        joint = tree.robot.joints[name]
        if not joint.type.dof:
            continue
        limits, pointer = _segments(joint, 0.05 * size)
        thickness = 0.0025 * size
        rgb = COLOURS[joint.type]
        nodes.append(scene.add_line_segments(
            f'{node_name(joint.parent)}/limits{number}', limits, rgb, thickness=thickness,
            **placed(joint.origin)))
        if len(pointer):
            nodes.append(scene.add_line_segments(
                f'{node_name(joint.child)}/pointer', pointer, rgb, thickness=2 * thickness))
    return nodes


def _segments(joint: Joint, length: float) -> tuple[Array, Array]:
    """
    Return line segments of the axis with its limits, and of a pointer to the position.

    :return: in the joint's frame and in that of the child link, each of shape (N, 2, 3).
    """
    if joint.type is JointType.FLOATING or not any(joint.axis):
        cross = [(-axis * length, axis * length) for axis in np.eye(3)]
        return np.array(cross), np.empty((0, 2, 3))
    frame = rotation_from_z(joint.axis)
    lines = [(np.zeros(3), np.array([0, 0, 1.6 * length]))]
    pointer: list[tuple[Array, Array]] = []
    limits = joint.limits
    if limits is not None and not np.isfinite([limits.lower, limits.upper]).all():
        limits = None
    if joint.type is JointType.PRISMATIC:
        if limits is not None:
            low, high = np.array([0, 0, limits.lower]), np.array([0, 0, limits.upper])
            across = np.array([length / 3, 0, 0])
            lines += [(low, high), (low - across, low + across), (high - across, high + across)]
            pointer = [(np.zeros(3), np.array([length / 2, 0, 0]))]
    elif joint.type is JointType.PLANAR:
        x, y = length * np.eye(3)[:2]
        lines += [(-x, x), (-y, y)]
    else:
        low_angle, high_angle = -np.pi, np.pi
        if limits is not None:
            # More than one turn looks like one turn.
            low_angle = max(limits.lower, -2 * np.pi)
            high_angle = min(limits.upper, low_angle + 2 * np.pi)
        count = max(2, int((high_angle - low_angle) / _STEP) + 1)
        angles = np.linspace(low_angle, high_angle, count)
        arc = length * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        lines += zip(arc[:-1], arc[1:])
        if limits is not None:
            lines += [(np.zeros(3), arc[0]), (np.zeros(3), arc[-1])]
        pointer = [(np.zeros(3), np.array([1.1 * length, 0, 0]))]
    return (np.array(lines) @ frame.T, np.array(pointer).reshape(-1, 2, 3) @ frame.T)
