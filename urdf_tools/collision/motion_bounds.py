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

"""Bounds on how much joint motion can bring one link closer to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.collision.sphere_cover import Cover
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.types import Array


@dataclass(frozen=True)
class _Motion:
    """
    The motion of a joint between two links.

    :param variable: index of the variable that moves it.
    :param rate: position per position of the variable.
    :param reach: largest distance from its axis of a point that it moves; 0 if it slides.
    """

    variable: int
    rate: float
    reach: float


class MotionBounds:
    """
    Bounds on the motion of two links relative to each other.

    A joint that turns by an angle moves a point at a distance r from its axis by at most
    2 r sin(angle / 2), and brings the links at most that much nearer to each other, whatever the
    other joints do.

    :ivar variables: indices of the variables that move them, shape (v,).
    :ivar is_bounded: whether there is a bound; there is none for planar and floating joints.
    """

    def __init__(self, tree: KinematicTree, first: str, second: str, covers: tuple[Cover, Cover]):
        joints = tree.robot.path(first, second)
        self.is_bounded = all(joint.type.dof <= 1 for joint in joints)
        leaders = [tree.mimic.get(joint.name, Mimic(joint.name)) for joint in joints]
        names = [leader.joint for leader in leaders]
        multi = [name for joint in joints if joint.type.dof > 1
                 for name in tree.variable_names if name.startswith(f'{joint.name}/')]
        self.variables = np.unique(np.array(
            [tree.variable_index[name] for name in (*names, *multi)
             if name in tree.variable_index], np.intp))
        self._known = tree, joints, leaders, covers, second

    @cached_property
    def _motions(self) -> list[_Motion]:
        tree, joints, leaders, covers, second = self._known
        return [_Motion(
            int(np.searchsorted(self.variables, tree.variable_index[leader.joint])),
            abs(leader.multiplier), 0.0 if joint.type is JointType.PRISMATIC else reach)
            for joint, leader, reach in zip(
                joints, leaders, _reaches(tree, joints, covers, second))
            if joint.type.dof and any(joint.axis)]

    def approach(self, half_widths: Array) -> Array:
        """
        Return how much nearer the links can be than at the middle of a cell.

        :param half_widths: of the variables in radians or metres, shape (..., v).
        :return: in metres by variable, shape (..., v).
        """
        found = np.zeros(half_widths.shape)
        for motion in self._motions:
            change = motion.rate * half_widths[..., motion.variable]
            found[..., motion.variable] += (
                2 * motion.reach * np.sin(np.minimum(change, np.pi) / 2) if motion.reach
                else change)
        return found


def _reaches(tree: KinematicTree, joints: Sequence[Joint], covers: tuple[Cover, Cover],
             second: str) -> list[float]:
    """
    Return the maximum distance from the axis of each joint to the link at its nearer end.

    The spheres around the links are swept through the whole motion of each joint that they pass.
    """
    below = {joint.name for joint in tree.robot.path(tree.robot.root, second)}
    ends = []
    for cover, order, is_second in ((covers[1], -1, True), (covers[0], 1, False)):
        found = []
        for joint in joints[::order]:
            is_child_side = (joint.name in below) is is_second
            origin = joint.origin.matrix
            if not is_child_side:
                cover = _transformed(cover, invert(origin))
            cover, reach = _swept(tree, joint, cover, 1.0 if is_child_side else -1.0)
            found.append(reach)
            if is_child_side:
                cover = _transformed(cover, origin)
        ends.append(found[::order])
    return [min(pair) for pair in zip(*ends)]


def _swept(tree: KinematicTree, joint: Joint, cover: Cover, sign: float) -> tuple[Cover, float]:
    """Return spheres around all positions of spheres, and their distances from the axis."""
    axis = np.array(joint.axis)
    if not joint.type.dof or not axis.any():
        return cover, 0.0
    if joint.type is JointType.PRISMATIC:
        leader = tree.mimic.get(joint.name, Mimic(joint.name))
        low, high = (float(end[tree.variable_index[leader.joint]]) * leader.multiplier
                     + leader.offset for end in tree.ranges())
        return Cover(cover.centres + sign * (low + high) / 2 * axis,
                     cover.radii + abs(high - low) / 2), 0.0
    centres = np.outer(cover.centres @ axis, axis)
    radii = cover.radii + np.linalg.norm(cover.centres - centres, axis=1)
    return Cover(centres, radii), float(radii.max())


def _transformed(cover: Cover, pose: Array) -> Cover:
    return Cover(cover.centres @ pose[:3, :3].T + pose[:3, 3], cover.radii)
