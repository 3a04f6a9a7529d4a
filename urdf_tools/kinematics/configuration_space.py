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

"""The variables that place a robot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from urdf_tools.kinematics.mimic import in_tree
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot


class ConfigurationSpace:
    """
    The independent variables of a robot, and configurations as arrays of them.

    A joint of one degree of freedom has its own name; ``<joint>/x``, ``y`` and ``theta`` stand
    for a planar joint, ``<joint>/trans_x`` to ``rot_w`` for a floating one (see
    :mod:`urdf_tools.kinematics.multi_dof`). Mimic joints have none.

    :ivar variable_names: names of the n variables, in the order of the description.
    :ivar variable_index: name of a variable to its place.
    """

    def __init__(self, robot: Robot):
        mimic = resolve_mimic(robot)
        joints = [joint for joint in robot.joints.values()
                  if in_tree(robot, joint) and joint.name not in mimic]
        self.variable_names = tuple(name for joint in joints for name in variable_names(joint))
        self.variable_index = {name: place for place, name in enumerate(self.variable_names)}
        self._neutral = np.zeros(len(self.variable_names))
        for joint in joints:
            if joint.type is JointType.FLOATING:
                self._neutral[self.variable_index[variable_names(joint)[-1]]] = 1

    def neutral(self) -> np.ndarray:
        """Return the robot at rest: no translation and no rotation of any joint, shape (n,)."""
        return self._neutral.copy()

    def configuration(self, positions: Mapping[str, float]) -> np.ndarray:
        """
        Return the robot with some variables given by name and the others at rest, shape (n,).

        :raises KeyError: a name is not one of the variables.
        """
        configuration = self.neutral()
        for name, position in positions.items():
            configuration[self.variable_index[name]] = position
        return configuration

    def batch(self, positions: np.ndarray) -> np.ndarray:
        """
        Return configurations as an array of shape (B, n); a single one becomes a batch of one.

        :raises ValueError: they have neither that shape nor (n,).
        """
        positions = np.asarray(positions, dtype=float)
        count = len(self.variable_names)
        if positions.ndim not in (1, 2) or positions.shape[-1] != count:
            raise ValueError(
                f'positions have the shape {positions.shape}; expected ({count},) or (B, {count})')
        return np.atleast_2d(positions)
