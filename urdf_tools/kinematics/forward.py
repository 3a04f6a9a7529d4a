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

"""Forward kinematics: the poses of links at many configurations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from urdf_tools.kinematics.configuration_space import ConfigurationSpace
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.model.robot import Robot


class ForwardKinematics(ConfigurationSpace):
    """
    The poses of a robot's links in the frame of its root link.

    :param robot: the robot.
    :param links: names of the links to place; all of them by default.
    :raises KeyError: the robot has no such link.
    :ivar link_names: names of the L links, in the order of the description or as given.
    """

    def __init__(self, robot: Robot, links: Iterable[str] | None = None):
        super().__init__(robot)
        self._frames = MovingFrames(robot)
        self.link_names = tuple(robot.links if links is None else links)
        placements = [self._frames.placements[link] for link in self.link_names]
        self._placements = [(frame, pose.T) for frame, pose in placements]

    def __call__(self, positions: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """
        Return homogeneous matrices that take coordinates in a link's frame to the root link's.

        The quaternion of a floating joint may have any length but zero. Numbers that are not
        finite spoil the poses of their own configuration only.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param out: array for the result, such as an earlier result of the same shape: fetching
            memory for a large batch takes as long as computing it.
        :return: shape (L, 4, 4) or (B, L, 4, 4). The latter is a view of memory in which the
            configurations come last: to go through one configuration after the other, make it
            contiguous first.
        :raises ValueError: another shape.
        """
        batch = self.batch(positions)
        if np.ndim(positions) == 1:
            return self._evaluate(batch, None if out is None else out[None])[0]
        return self._evaluate(batch, out)

    def _evaluate(self, batch, out):
        shape = (len(batch), len(self.link_names), 4, 4)
        if out is None:
            out = np.empty((*shape[1:], shape[0])).transpose(3, 0, 1, 2)
        elif out.shape != shape:
            raise ValueError(f'out has the shape {out.shape}; expected {shape}')
        out[:, :, 3] = (0, 0, 0, 1)
        memory = out.transpose(1, 2, 3, 0)
        for chunk, frames in self._frames.chunks(batch):
            for link, (frame, pose) in enumerate(self._placements):
                np.matmul(pose, frames[:, frame], out=memory[link, :3, :, chunk])
        return out
