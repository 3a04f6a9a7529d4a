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

"""The frames of a robot that move against each other, for many configurations at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from urdf_tools.kinematics.configuration_space import ConfigurationSpace
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot

CHUNK = 2048
"""Configurations that are worked on together, so that their frames stay in the cache."""


@dataclass(frozen=True)
class _Step:
    """
    How a frame stands in its parent's: at ``offset``, then moved along or about its own axes.

    :ivar offset: transposed homogeneous matrix, shape (4, 4).
    :ivar slides: columns of the frame to move along, each with the row of its amount.
    :ivar turn: row of half the angle about z, or None.
    :ivar pose: column of the first variable of a floating joint, or None.
    """

    parent: int
    offset: np.ndarray
    slides: tuple[tuple[int, int], ...] = ()
    turn: int | None = None
    pose: int | None = None


class _Amounts:
    """Rows of numbers, each a multiple of a variable and an offset."""

    def __init__(self):
        self._columns = []
        self._scales = []
        self._offsets = []

    def add(self, column: int, scale: float = 1.0, offset: float = 0.0) -> int:
        """Add a row and return its number."""
        self._columns.append(column)
        self._scales.append([scale])
        self._offsets.append([offset])
        return len(self._columns) - 1

    def evaluate(self, positions: np.ndarray) -> np.ndarray:
        """Return the rows, shape (R, B), for positions of shape (B, n)."""
        amounts = positions.T[self._columns]
        if self._columns:
            amounts *= self._scales
            amounts += self._offsets
        return amounts


class MovingFrames:
    """
    One frame for the root link and one for each joint that moves, in the root link's frame.

    The frame of a joint has the origin of the child link and, but for floating joints, the axis
    of the joint for its z, so that every joint turns about z. Every link is fixed in one of the
    frames.

    An array of frames has the shape (3, F, 4, B): rows of the homogeneous matrices first, the B
    configurations last, so that the same number of all of them lies side by side and a constant
    transform of a frame is one matrix product for all.

    :ivar count: number of frames, F.
    :ivar placements: name of a link to the number of its frame and its pose in it, (4, 4).
    """

    def __init__(self, robot: Robot):
        mimic = resolve_mimic(robot)
        columns = ConfigurationSpace(robot).variable_index
        self._slides = _Amounts()
        self._half_turns = _Amounts()
        self._steps = []
        self.placements = {robot.root: (0, np.eye(4))}
        for joint in robot.tree:
            parent, pose = self.placements[joint.parent]
            pose = pose @ joint.origin.matrix
            if joint.type is JointType.FLOATING:
                column = columns[variable_names(joint)[0]]
                self._steps.append(_Step(parent, pose.T, pose=column))
                self.placements[joint.child] = (len(self._steps), np.eye(4))
            elif joint.type is JointType.FIXED or not any(joint.axis):
                self.placements[joint.child] = (parent, pose)
            else:
                align = np.eye(4)
                align[:3, :3] = rotation_from_z(joint.axis)
                follows = mimic.get(joint.name, Mimic(joint.name))
                slides, turn = self._motion(joint, follows, columns)
                self._steps.append(_Step(parent, (pose @ align).T, slides, turn))
                self.placements[joint.child] = (len(self._steps), align.T)
        self.count = len(self._steps) + 1

    def _motion(self, joint, follows, columns):
        if joint.type is JointType.PLANAR:
            x, y, theta = (columns[name] for name in variable_names(joint))
            slides = ((0, self._slides.add(x)), (1, self._slides.add(y)))
            return slides, self._half_turns.add(theta, 0.5)
        column = columns[follows.joint]
        if joint.type is JointType.PRISMATIC:
            return ((2, self._slides.add(column, follows.multiplier, follows.offset)),), None
        return (), self._half_turns.add(column, follows.multiplier / 2, follows.offset / 2)

    def chunks(self, positions: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """
        Yield the frames, a number of configurations at a time.

        :param positions: variables of :class:`ConfigurationSpace` in radians and metres, (B, n).
        :return: which configurations, and their frames, shape (3, F, 4, b), which are
            overwritten in the next turn.
        """
        count = len(positions)
        memory = np.empty((3, self.count, 4, min(count, CHUNK)))
        for start in range(0, count, CHUNK):
            chunk = slice(start, min(start + CHUNK, count))
            frames = memory[..., :chunk.stop - start]
            self._evaluate(positions[chunk], frames)
            yield chunk, frames

    def _evaluate(self, positions, frames):
        slides = self._slides.evaluate(positions)
        cosines, sines = _cosines_and_sines(self._half_turns.evaluate(positions))
        scratch = np.empty((3, 2, len(positions)))
        frames[:, 0] = np.eye(4)[:3, :, None]
        for number, step in enumerate(self._steps, 1):
            frame = frames[:, number]
            np.matmul(step.offset, frames[:, step.parent], out=frame)
            for column, row in step.slides:
                frame[:, 3] += slides[row] * frame[:, column]
            if step.turn is not None:
                plane = frame[:, :2]
                np.multiply(plane[:, ::-1], sines[step.turn], out=scratch)
                plane *= cosines[step.turn]
                plane += scratch
            if step.pose is not None:
                _float(frame, positions[:, step.pose:step.pose + 7])


def _cosines_and_sines(half_angles):
    """
    Return the cosines, shape (R, B), and plus and minus the sines, shape (R, 2, B).

    Both are rational in the tangent of half the angle, which is the only one of the three
    functions that numpy computes with vector instructions in double precision.
    """
    tangents = np.tan(half_angles)
    double = np.square(tangents)
    double += 1
    np.divide(2, double, out=double)
    sines = np.empty((len(tangents), 2, *tangents.shape[1:]))
    np.multiply(double, tangents, out=sines[:, 0])
    np.negative(sines[:, 0], out=sines[:, 1])
    double -= 1
    return double, sines


def _float(frame, pose):
    """Move a frame, shape (3, 4, b), by the variables of a floating joint, shape (b, 7)."""
    rotation = np.moveaxis(quaternion_to_matrix(pose[:, 3:]), 0, -1)
    axes = frame[:, :3].copy()
    frame[:, 3] += np.einsum('ikb,bk->ib', axes, pose[:, :3])
    np.einsum('ikb,kjb->ijb', axes, rotation, out=frame[:, :3])
