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

"""How far the motion of a joint can move one link towards another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.collision_pairs.sphere_cover import Cover
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType


@dataclass(frozen=True)
class _Motion:
    """
    What a joint between two links does.

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

    def __init__(self, tree: KinematicTree, first: str, second: str,
                 covers: tuple[Cover, Cover]):
        joints = tree.robot.path(first, second)
        self.is_bounded = all(joint.type.dof <= 1 for joint in joints)
        lower, upper = tree.ranges()
        names = [tree.mimic[joint.name].joint if joint.name in tree.mimic else joint.name
                 for joint in joints]
        multi = [name for joint in joints if joint.type.dof > 1
                 for name in tree.variable_names if name.startswith(f'{joint.name}/')]
        self.variables = np.unique(np.array(
            [tree.variable_index[name] for name in (*names, *multi)
             if name in tree.variable_index], np.intp))
        self._motions: list[_Motion] = []
        if not self.is_bounded:
            return
        reaches = _reaches(tree, joints, lower, upper, covers, second)
        for joint, name, reach in zip(joints, names, reaches):
            if joint.type.dof and any(joint.axis):
                rate = abs(tree.mimic[joint.name].multiplier) if joint.name in tree.mimic else 1.0
                self._motions.append(_Motion(
                    int(np.searchsorted(self.variables, tree.variable_index[name])), rate,
                    0.0 if joint.type is JointType.PRISMATIC else reach))

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


def _reaches(
        tree: KinematicTree, joints: Sequence[Joint], lower: Array, upper: Array,
        covers: tuple[Cover, Cover], second: str) -> list[float]:
    """Return for each joint how far the link at the nearer end is from its frame at most."""
    below = {joint.name for joint in tree.robot.path(tree.robot.root, second)}
    leads_down = [joint.name in below for joint in joints]
    offsets = [float(np.linalg.norm(joint.origin.xyz)) for joint in joints]
    slides = [_slide(tree, joint, lower, upper) for joint in joints]
    ends = []
    for cover, order, side in ((covers[1], -1, True), (covers[0], 1, False)):
        reach = float((np.linalg.norm(cover.centres, axis=1) + cover.radii).max())
        found = []
        for is_down, offset, slide in [*zip(leads_down, offsets, slides)][::order]:
            # The frame of the joint is at that of the parent, or, but for its motion, the child.
            found.append(reach if is_down is side else reach + offset)
            reach += offset + slide
        ends.append(found[::order])
    return [min(pair) for pair in zip(*ends)]


def _slide(tree: KinematicTree, joint: Joint, lower: Array, upper: Array) -> float:
    """Return how far a joint slides from zero at most, in metres."""
    if joint.type is not JointType.PRISMATIC:
        return 0.0
    multiplier, offset, name = 1.0, 0.0, joint.name
    if name in tree.mimic:
        mimic = tree.mimic[name]
        multiplier, offset, name = mimic.multiplier, mimic.offset, mimic.joint
    index = tree.variable_index[name]
    return float(max(abs(end[index] * multiplier + offset) for end in (lower, upper)))
