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

from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loop_assembly import free_motions
from urdf_tools.kinematics.loop_solver import Truth
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.loops import Loop
from urdf_tools.model.robot import JointType

_STEP = 1e-4
_STILL = 1e-6
"""Velocity in m/s and rad/s of what stays, at rates of about 1 rad/s or m/s."""


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
    scene = _Scene(tree, loops, {tree.variable_names[index] for index in variables})
    steps = np.zeros((motions.shape[1], len(positions)))
    steps[:, variables] = _STEP * motions.T
    (points, turned), (others, back) = (
        scene.evaluate(positions + each) for each in (steps, -steps))
    moves = ((points - others) / (2 * _STEP)).reshape(len(steps), -1).T
    values, rows = np.linalg.svd(moves, full_matrices=False)[1:]
    turns = rows[values <= _STILL].T
    if not turns.shape[1]:
        return []
    products = (turned - back) @ (turned + back).swapaxes(-1, -2) / (8 * _STEP)
    rates = np.stack([products[..., 2, 1] - products[..., 1, 2],
                      products[..., 0, 2] - products[..., 2, 0],
                      products[..., 1, 0] - products[..., 0, 1]], axis=-1)
    rates = rates[:, scene.are_long(positions)]
    return [variables[place] for place, mix in _told_apart(motions, turns)
            if _is_rod(np.einsum('mli,m->li', rates, mix), rates)]


class _Scene:
    """The links that some variables move, what is fixed to them, and the ends of loops."""

    def __init__(self, tree: KinematicTree, loops: Sequence[Loop], names: Collection[str]):
        robot, links = tree.robot, dict[str, None]()
        pending = [joint.child for joint in robot.tree if (
            joint.name if joint.mimic is None else joint.mimic.joint) in names]
        held: list[tuple[str, str]] = []
        while pending:
            link = pending.pop()
            if link not in links:
                links[link] = None
                joints = robot.child_joints[link]
                held += [(link, joint.child) for joint in joints]
                pending += [joint.child for joint in joints if joint.type is JointType.FIXED]
        ends = [(link, origin.matrix) for loop in loops for link, origin in (
            (loop.parent, loop.parent_origin), (loop.child, loop.child_origin))]
        links |= dict.fromkeys([*(child for _, child in held), *(link for link, _ in ends)])
        place = {name: row for row, name in enumerate(links)}
        self._kinematics = ForwardKinematics(tree, links)
        self._ends = [(place[link], matrix) for link, matrix in ends]
        self._held = [(place[link], place[child]) for link, child in held]
        self._held += [(link, len(place) + row) for row, (link, _) in enumerate(self._ends)]

    def evaluate(self, positions: Array) -> tuple[Array, Array]:
        """Return the origins of links and ends of loops, (B, P, 3), and rotations of links."""
        poses = self._kinematics(positions)
        ends = [poses[:, link] @ matrix for link, matrix in self._ends]
        points = np.concatenate((poses, np.stack(ends, axis=1)), axis=1)[..., :3, 3]
        return points, poses[..., :3, :3]

    def are_long(self, positions: Array) -> Truth:
        """Return whether links hold something away from their origin: none within a ball does."""
        points = self.evaluate(positions[None])[0][0]
        long = np.zeros(len(self._kinematics.link_names), dtype=bool)
        for link, row in self._held:
            long[link] |= np.linalg.norm(points[row] - points[link]) > _STILL
        return long


def _is_rod(turns: Array, rates: Array) -> bool:
    """Return whether links that turn are one rod, given the rates of all motions."""
    speeds = np.linalg.norm(turns, axis=1)
    links = speeds > _STILL
    if not links.any():
        return False
    axis = turns[links][0] / speeds[links][0]
    return bool((np.abs(turns[links] - turns[links][0]) < 1e-5).all() and (
        np.linalg.norm(np.cross(rates[:, links], axis), axis=-1) > 1e-3).any())


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
