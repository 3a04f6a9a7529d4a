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

"""The axes about and along which frames move."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.moving_frames import TURNING
from urdf_tools.kinematics.transforms import Array

_MAX_MATRIX = 256
"""Most axes that are combined by a matrix, whose size is the square of their number."""


class MotionAxes:
    """
    The A axes about and along which frames move, first those of rotations.

    :param frames: the frames, all or a branch of those of a robot.
    :ivar rows: index of the frame of each axis, shape (A,).
    :ivar columns: which axis of that frame it is, 0 for x, shape (A,).
    :ivar rotations: number of axes of rotation.
    :ivar velocities: index of the velocity variable of each axis, shape (A,).
    :ivar multipliers: rate about or along the axis per velocity variable, shape (A,).
    :ivar variables: indices of the velocity variables that move any of the frames, ascending.
    """

    def __init__(self, frames: MovingFrames):
        turning, sliding, floating = (
            np.flatnonzero(frames.kinds == kind) for kind in (TURNING, SLIDING, FLOATING))
        # A floating joint moves along and about each axis of its frame.
        axes = np.tile([0, 1, 2], len(floating))
        floating = floating.repeat(3)
        self.rotations = len(turning) + len(floating)
        self.rows = np.concatenate([turning, floating, sliding, floating])
        self.columns = np.concatenate([frames.axes[turning], axes, frames.axes[sliding], axes])
        self.velocities = frames.velocities[self.rows]
        self.velocities[len(turning):self.rotations] += 3 + axes
        self.velocities[self.rotations + len(sliding):] += axes
        self.multipliers = frames.multipliers[self.rows]
        self.variables, self._places = np.unique(self.velocities, return_inverse=True)

    @cached_property
    def _combination(self) -> Array | None:
        count = len(self._places)
        if count > _MAX_MATRIX:
            return None
        matrix = np.zeros((len(self.variables), count))
        matrix[self._places, np.arange(count)] = self.multipliers
        return matrix

    def rates(self, velocities: Array, out: Array) -> None:
        """
        Compute the rates about and along the axes.

        :param velocities: of the variables of the robot, shape (nv, b).
        :param out: for the result, shape (A, b).
        """
        for row, variable, multiplier in zip(out, self.velocities, self.multipliers):
            np.multiply(velocities[variable], multiplier, out=row)

    def combine(self, values: Array, out: Array) -> None:
        """
        Add up what belongs to the axes by variable: mimic joints share the one they follow.

        :param values: of the first axes, shape (..., at most A, b).
        :param out: zero, for the variables of the robot, shape (..., nv, b).
        """
        count = values.shape[-2]
        if self._combination is not None:
            combination = self._combination[:, :count]
            if len(self.variables) == out.shape[-2]:
                np.matmul(combination, values, out=out)
            else:
                out[..., self.variables, :] = combination @ values
            return
        values = np.moveaxis(values * self.multipliers[:count, None], -2, 0)
        np.add.at(np.moveaxis(out, -2, 0), self.velocities[:count], values)
