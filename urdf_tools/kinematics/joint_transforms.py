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

"""The transforms of all moving joints at once: what a state publisher sends."""

from __future__ import annotations

import numpy as np

from urdf_tools.kinematics.mimic import in_tree
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot


class JointTransforms:
    """
    The transforms from parent to child link of all joints of one degree of freedom.

    Row i of every array belongs to joint ``names[i]``: the moving joints of the tree in the
    order of the description, mimic joints included.

    A joint that turns has the translation of its origin and the quaternion
    ``A cos(q/2) + B sin(q/2)``, where A is the quaternion of the origin and B = A * (axis, 0).
    One that slides has the quaternion of its origin and the translation ``p + d q``, where d is
    the axis in the parent's frame. A joint whose axis is zero does neither.

    An instance keeps scratch memory: use it from one thread at a time.

    :ivar names: names of the joints.
    :ivar parents: names of their parent links.
    :ivar children: names of their child links.
    :ivar index: name of a joint to its row.
    :ivar mimic: what :func:`resolve_mimic` says of the robot.
    """

    def __init__(self, robot: Robot):
        joints = [joint for joint in robot.joints.values()
                  if joint.type.dof == 1 and in_tree(robot, joint)]
        count = len(joints)
        self.names = tuple(joint.name for joint in joints)
        self.parents = tuple(joint.parent for joint in joints)
        self.children = tuple(joint.child for joint in joints)
        self.index = {name: row for row, name in enumerate(self.names)}
        self.mimic = {name: mimic for name, mimic in resolve_mimic(robot).items()
                      if name in self.index}
        self._followers = np.array([self.index[name] for name in self.mimic], dtype=np.intp)
        self._leaders = np.array(
            [self.index[mimic.joint] for mimic in self.mimic.values()], dtype=np.intp)
        self._multipliers = np.array([mimic.multiplier for mimic in self.mimic.values()])
        self._offsets = np.array([mimic.offset for mimic in self.mimic.values()])

        slides = np.array([joint.type is JointType.PRISMATIC for joint in joints], dtype=bool)
        axes = np.array([joint.axis for joint in joints]).reshape(count, 3)
        rotations = np.array([joint.origin.rotation for joint in joints]).reshape(count, 3, 3)
        self._half = np.where(slides | ~axes.any(axis=1), 0.0, 0.5)
        self._origin = np.array([joint.origin.xyz for joint in joints]).reshape(count, 3)
        self._direction = np.where(
            slides[:, None], np.einsum('nij,nj->ni', rotations, axes), 0.0)
        self._slides = bool(slides.any())
        self._basis = np.empty((2, count, 4))
        self._basis[0] = np.array([joint.origin.quaternion for joint in joints]).reshape(count, 4)
        self._basis[1] = quaternion_product(self._basis[0], np.pad(axes, ((0, 0), (0, 1))))

        self._angles = np.empty(count)
        self._weights = np.empty((2, count, 1))
        self._cosines = self._weights[0, :, 0]
        self._sines = self._weights[1, :, 0]
        self._terms = np.empty((2, count, 4))
        self._cosine_terms, self._sine_terms = self._terms
        self._shifts = np.empty((count, 3))

    def __len__(self) -> int:
        """Return the number of joints, N."""
        return len(self.names)

    def follow(self, positions: np.ndarray) -> None:
        """
        Set the positions of the mimic joints to what their leaders ask for.

        :param positions: in radians and metres, shape (N,); changed in place.
        """
        if len(self._followers):
            positions[self._followers] = (
                positions[self._leaders] * self._multipliers + self._offsets)

    def evaluate(self, positions: np.ndarray, out: np.ndarray) -> np.ndarray:
        """
        Write the transforms at given positions into an array.

        :param positions: in radians and metres, mimic joints included, finite, shape (N,).
        :param out: receives ``x y z`` and the unit quaternion ``x y z w``, shape (N, 7).
        :return: ``out``.
        """
        np.multiply(positions, self._half, out=self._angles)
        np.cos(self._angles, out=self._cosines)
        np.sin(self._angles, out=self._sines)
        np.multiply(self._basis, self._weights, out=self._terms)
        np.add(self._cosine_terms, self._sine_terms, out=out[:, 3:])
        if self._slides:
            np.multiply(self._direction, positions[:, None], out=self._shifts)
            np.add(self._origin, self._shifts, out=out[:, :3])
        else:
            out[:, :3] = self._origin
        return out
