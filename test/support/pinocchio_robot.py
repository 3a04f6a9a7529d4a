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

"""A robot in Pinocchio, and the conversion of our configurations and velocities to its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import variable_names
from urdf_tools.kinematics import velocity_names
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic


class PinocchioRobot:
    """
    A robot in Pinocchio, called with our configurations.

    Pinocchio's model has independent variables for mimic joints, the cosine and sine of
    continuous joints for position variables, and expresses the velocity of a planar joint in the
    frame of its child link.

    :param path: a URDF file. Pinocchio assumes that the axis of every planar joint is z.
    """

    def __init__(self, path: Path, tree: KinematicTree):
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.frames = {link: self.model.getFrameId(link, pinocchio.FrameType.BODY)
                       for link in tree.link_names}
        self._tree = tree
        self._joints = []
        for index, name in enumerate(self.model.names):
            if index:
                follows = tree.mimic.get(name, Mimic(name))
                leader = tree.robot.joints[follows.joint]
                self._joints.append((
                    self.model.joints[index], tree.robot.joints[name].type, follows,
                    tree.variable_index[variable_names(leader)[0]],
                    tree.velocity_index[velocity_names(leader)[0]]))

    def configurations(self, positions: np.ndarray) -> list[np.ndarray]:
        """Return Pinocchio's configurations for ours, shape (B, n)."""
        configurations = np.zeros((len(positions), self.model.nq))
        for theirs, kind, follows, variable, _ in self._joints:
            columns = positions[:, variable:variable + 7].T
            if kind is JointType.FLOATING:
                values = columns
            elif kind is JointType.PLANAR:
                x, y, theta = columns[:3]
                values = [x, y, np.cos(theta), np.sin(theta)]
            else:
                position = follows.multiplier * columns[0] + follows.offset
                values = [position] if theirs.nq == 1 else [np.cos(position), np.sin(position)]
            configurations[:, theirs.idx_q:theirs.idx_q + theirs.nq] = np.transpose(values)
        return list(configurations)

    def velocity_matrix(self, positions: np.ndarray) -> np.ndarray:
        """Return the matrix that takes our velocities at a configuration to Pinocchio's."""
        matrix = np.zeros((self.model.nv, len(self._tree.velocity_names)))
        for theirs, kind, follows, variable, velocity in self._joints:
            block = follows.multiplier * np.eye(theirs.nv)
            if kind is JointType.PLANAR:
                theta = positions[variable + 2]
                cosine, sine = np.cos(theta), np.sin(theta)
                block[:2, :2] = [[cosine, sine], [-sine, cosine]]
            matrix[theirs.idx_v:theirs.idx_v + theirs.nv, velocity:velocity + theirs.nv] = block
        return matrix

    def jacobian(self, link: str, reference_frame: str, configuration: np.ndarray) -> np.ndarray:
        """
        Return the Jacobian of a link at a configuration of Pinocchio's, shape (6, nv).

        :param reference_frame: a value of :class:`~urdf_tools.kinematics.ReferenceFrame`.
        """
        # A single column comes as an array of one dimension.
        return pinocchio.computeFrameJacobian(
            self.model, self.data, configuration, self.frames[link],
            getattr(pinocchio.ReferenceFrame, reference_frame.upper())).reshape(6, -1)
