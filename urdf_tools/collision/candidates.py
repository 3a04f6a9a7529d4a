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

"""Pairs of links that can collide at all, found without their shapes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.types import Array
from urdf_tools.types import BoolArray


def colliding_pairs(robot: Robot, links: Sequence[str], is_fixed: bool = True) -> BoolArray:
    """
    Return which pairs of links MuJoCo lets collide, each once, shape (L, L).

    It leaves out links that do not move against each other, and bodies of which one is the parent
    of the other, unless the parent is fixed to the world.

    :param is_fixed: whether the root link is fixed to the world.
    """
    body = welded(robot)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(
        (robot.root, *body.values())))}
    own = np.array([numbers[body[link]] for link in links])
    above = np.array([-1 if body[link] == robot.root else numbers[
        body[robot.parent_joint[body[link]].parent]] for link in links])
    is_parent = own[:, None] == above
    if is_fixed:
        is_parent[own == 0] = False
    return np.triu(~(own[:, None] == own) & ~is_parent & ~is_parent.T, 1)


def amid_ranges(tree: KinematicTree, configuration: Array) -> Array:
    """Return a configuration with the joints of one variable amid their ranges, shape (n,)."""
    moved = configuration.copy()
    moved[tree.plain_variables] = np.mean(tree.ranges(), axis=0)[tree.plain_variables]
    return moved


def boxes_that_meet(boxes: Array, poses: Array, margin: float = 0.0) -> BoolArray:
    """
    Return whether boxes around two links meet, shape (L, L).

    :param boxes: the lowest and the highest corner of each in the frame of its link, (L, 2, 3).
    :param poses: of the links, shape (L, 4, 4).
    :param margin: distance in m up to which they meet.
    """
    centres = (poses[:, :3, :3] @ boxes.mean(axis=1)[..., None])[..., 0] + poses[:, :3, 3]
    halves = (np.abs(poses[:, :3, :3]) @ (np.ptp(boxes, axis=1) / 2)[..., None])[..., 0]
    meet = np.ones((len(boxes), len(boxes)), bool)
    for centre, half in zip(centres.T, halves.T):  # One axis at a time, which saves memory.
        meet &= np.abs(centre[:, None] - centre) <= half[:, None] + half + margin
    return meet
