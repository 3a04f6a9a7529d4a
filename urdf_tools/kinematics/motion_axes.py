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

from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.types import Array


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
        _, turning, sliding, floating = frames.of_kinds
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
        self.variables = np.unique(self.velocities)

    @cached_property
    def _runs(self) -> list[tuple[slice, slice, Array, bool]]:
        """
        Runs of consecutive axes with consecutive variables, all of rotations or none.

        :return: the axes, their variables, their multipliers, shape (k, 1), and whether axes
            before them have the variables, too.
        """
        is_shared = np.ones(len(self.velocities), dtype=bool)
        is_shared[np.unique(self.velocities, return_index=True)[1]] = False
        steps = list(zip(self.velocities.tolist(), is_shared.tolist()))
        runs: list[tuple[slice, slice, Array, bool]] = []
        start = 0
        for end in range(1, len(steps) + 1):
            variable, shared = steps[end - 1]
            if end in (len(steps), self.rotations) or steps[end] != (variable + 1, shared):
                runs.append((slice(start, end), slice(steps[start][0], variable + 1),
                             self.multipliers[start:end, None], shared))
                start = end
        return runs

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
        Sum values of the axes by variable: a mimic joint shares that of its leader.

        :param values: of all axes or those of rotations, shape (..., A, b).
        :param out: zero, for the variables of the robot, shape (..., nv, b).
        """
        for axes, variables, multipliers, is_shared in self._runs:
            if axes.stop > values.shape[-2]:
                break
            if is_shared:
                out[..., variables, :] += values[..., axes, :] * multipliers
            else:
                np.multiply(values[..., axes, :], multipliers, out=out[..., variables, :])
