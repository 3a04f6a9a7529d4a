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

"""Rods between balls, which turn about themselves."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.jacobian import ReferenceFrame
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loop_assembly import free_motions
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.loops import Loop
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot

_STILL = 1e-6
"""Velocity in m/s and rad/s of what stays, at rates of about 1 rad/s or m/s; distance in m."""


def rod_spins(tree: KinematicTree, loops: Sequence[Loop], positions: Array,
              variables: Sequence[int], derivatives: Array) -> list[int]:
    """
    Return variables that only tell how far rods have turned about themselves, one for each rod.

    A rod is a link that can turn without any other motion of origins of links, joints and loops,
    about an axis that other motions tilt: no shaft in bearings, and no gear.

    :param loops: some that hang together.
    :param positions: a configuration in which they are closed, shape (n,).
    :param variables: indices of those that move them.
    :param derivatives: of their errors by these, shape (k, variables).
    """
    motions = free_motions(derivatives[derivatives.any(axis=1)])
    if not motions.shape[1]:
        return []
    names = [tree.variable_names[index] for index in variables]
    ends = [(link, origin.matrix[:3, 3]) for loop in loops for link, origin in (
        (loop.parent, loop.parent_origin), (loop.child, loop.child_origin))]
    held = _held(tree.robot, names)
    links = list(dict.fromkeys(
        [name for pair in held for name in pair] + [link for link, _ in ends]))
    found = [Jacobian(tree, link, ReferenceFrame.LOCAL_WORLD_ALIGNED).with_poses(positions[None])
             for link in links]
    poses, jacobians = (np.concatenate(each) for each in zip(*found))
    columns = [tree.velocity_index[name] for name in names]
    moves, rates = np.split((jacobians[:, :, columns] @ motions).swapaxes(1, 2), 2, axis=2)
    place = {link: row for row, link in enumerate(links)}
    rows = [place[link] for link, _ in ends]
    arms = np.stack([poses[place[link], :3, :3] @ point for link, point in ends])
    moves = np.concatenate((moves, moves[rows] + np.cross(rates[rows], arms[:, None])))
    values, basis = np.linalg.svd(
        moves.swapaxes(1, 2).reshape(-1, motions.shape[1]), full_matrices=False)[1:]
    # Links within a ball hold nothing away from their origin, and turn as they like.
    is_long = np.zeros(len(links), dtype=bool)
    for link, child in held:
        apart = poses[place[child], :3, 3] - poses[place[link], :3, 3]
        is_long[place[link]] |= np.linalg.norm(apart) > _STILL
    for row, arm in zip(rows, arms):
        is_long[row] |= np.linalg.norm(arm) > _STILL
    return [variables[row] for row, mix in _told_apart(motions, basis[values <= _STILL].T)
            if _is_rod(mix @ rates[is_long], rates[is_long])]


def _held(robot: Robot, names: Collection[str]) -> list[tuple[str, str]]:
    """Return the links that variables move, or that are fixed to these, with what each holds."""
    held = []
    pending = [joint.child for joint in robot.tree if (
        joint.name if joint.mimic is None else joint.mimic.joint) in names]
    for link in pending:
        joints = robot.child_joints[link]
        held += [(link, link), *((link, joint.child) for joint in joints)]
        pending += [joint.child for joint in joints if joint.type is JointType.FIXED]
    return held


def _is_rod(turns: Array, rates: Array) -> bool:
    """
    Return whether links that turn are one rod.

    :param turns: angular velocities, shape (L, 3).
    :param rates: those of all motions, shape (L, m, 3).
    """
    speeds = np.linalg.norm(turns, axis=1)
    links = speeds > _STILL
    if not links.any():
        return False
    axis = turns[links][0] / speeds[links][0]
    return bool((np.abs(turns[links] - turns[links][0]) < 1e-5).all() and (
        np.linalg.norm(np.cross(rates[links], axis), axis=2) > 1e-3).any())


def _told_apart(motions: Array, mixes: Array) -> list[tuple[int, Array]]:
    """
    Return motions that variables tell apart, each by the one that takes the largest part in it.

    :param mixes: the span of the motions, by others, shape (m, k).
    :return: the row of the variable, and the motion at its unit rate, shape (m,).
    """
    places: list[int] = []
    rest = motions @ mixes
    for _ in range(mixes.shape[1]):
        places.append(int(np.linalg.norm(rest, axis=1).argmax()))
        part = rest[places[-1]] / np.linalg.norm(rest[places[-1]])
        rest = rest - np.outer(rest @ part, part)
    single = mixes @ np.linalg.inv((motions @ mixes)[places])
    return list(zip(places, single.T))
