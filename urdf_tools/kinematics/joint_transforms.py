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

"""Joints that move, the joints that they follow, and the transforms that publishers send."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from math import cos
from math import sin

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot


def in_tree(robot: Robot, joint: Joint) -> bool:
    """Return whether a joint is part of the tree, not one that gives its child a second parent."""
    return robot.parent_joint[joint.child] is joint


def resolve_mimic(robot: Robot) -> dict[str, Mimic]:
    """
    Return the joint that each mimic joint follows in the end, with chains collapsed.

    The ``<mimic>`` of a joint is ignored unless the joint has one degree of freedom and the
    joint that it names is in the tree.

    :return: name of the mimic joint to the joint that leads it, which is no mimic joint, and the
        multiplier and offset of the whole chain.
    """
    resolved: dict[str, Mimic] = {}
    for joint in robot.joints.values():
        chain = []
        while joint.name not in resolved and (mimic := _followed(robot, joint)):
            chain.append((joint.name, mimic))
            joint = robot.joints[mimic.joint]
        for name, mimic in reversed(chain):
            leader = resolved.get(mimic.joint, Mimic(mimic.joint))
            resolved[name] = Mimic(
                leader.joint, mimic.multiplier * leader.multiplier,
                mimic.multiplier * leader.offset + mimic.offset)
    return resolved


def _followed(robot: Robot, joint: Joint) -> Mimic | None:
    """Return the mimic of a joint unless it is to be ignored."""
    if (joint.mimic is None or joint.type.dof != 1
            or not in_tree(robot, robot.joints[joint.mimic.joint])):
        return None
    return joint.mimic


FEW = 32
"""
Length up to which a loop in Python is faster than numpy.

After a process has waited for a message, little of numpy's code is left in the processor's
caches, and loading it again takes longer than the computation.
"""

Setter = Callable[..., object]

_HALF = np.array(0.5)


def moving_joints(robot: Robot) -> tuple[Joint, ...]:
    """Return the joints of one degree of freedom in the tree, in the order of the description."""
    return tuple(joint for joint in robot.joints.values()
                 if joint.type.dof == 1 and in_tree(robot, joint))


class JointTransforms:
    """
    The transforms from parent to child link of joints of one degree of freedom.

    A revolute or continuous joint has the translation of its origin and the quaternion
    ``A cos(q/2) + B sin(q/2)``, where A is the quaternion of the origin and B = A * (axis, 0).
    A prismatic joint has the quaternion of its origin and the translation ``p + d q``, where d is
    the axis in the parent's frame. A joint whose axis is zero does not move.

    An instance keeps scratch memory: use it from one thread at a time, and use what it returns
    before the next call. What is computed for each joint and for all at once may differ by
    rounding.

    :param joints: the joints, one a row.
    :ivar rest: ``x y z`` and the unit quaternion ``x y z w`` at position zero, shape (n, 7).
    :ivar turning: rows of the joints that rotate, shape (t,).
    :ivar sliding: rows of the joints that translate, shape (s,).
    """

    def __init__(self, joints: Sequence[Joint]):
        count = len(joints)
        self.rest = np.array([
            (*joint.origin.xyz, *joint.origin.quaternion) for joint in joints]).reshape(count, 7)
        axes = np.array([joint.axis for joint in joints]).reshape(count, 3)
        slides = np.array([joint.type is JointType.PRISMATIC for joint in joints], dtype=bool)
        moves = axes.any(axis=1)
        self.turning = np.flatnonzero(~slides & moves)
        self.sliding = np.flatnonzero(slides & moves)

        origins = self.rest[self.turning, 3:]
        axes_of_turns = np.pad(axes[self.turning], ((0, 0), (0, 1)))
        # Numpy is fastest, which matters for small arrays, where the joints are the last axis and
        # each factor is contiguous.
        self._cosine_factors = np.ascontiguousarray(origins.T)
        self._sine_factors = np.ascontiguousarray(quaternion_product(origins, axes_of_turns).T)
        self._turns = np.vstack((self._cosine_factors, self._sine_factors)).T.tolist()
        self._half_angles, self._cosines, self._sines = np.empty((3, len(self.turning)))
        self._cosine_terms, self._sine_terms = np.empty((2, 4, len(self.turning)))

        rotations = np.array([joints[row].origin.rotation for row in self.sliding.tolist()])
        directions = np.einsum('nij,nj->ni', rotations.reshape(-1, 3, 3), axes[self.sliding])
        self._slides = np.hstack((self.rest[self.sliding, :3], directions)).tolist()

    def negate(self, turns: Indices) -> None:
        """
        Give the opposite quaternions, which are the same rotations, from now on.

        :param turns: indices into :attr:`turning`.
        """
        for factors in (self._cosine_factors, self._sine_factors):
            factors[:, turns] *= -1
        for turn in turns.tolist():
            self._turns[turn] = [-factor for factor in self._turns[turn]]

    def turn(self, angles: Array) -> Array:
        """
        Return the quaternions of the joints that rotate, shape (4, t).

        :param angles: their positions in radians, finite, shape (t,).
        """
        np.multiply(angles, _HALF, self._half_angles)
        np.cos(self._half_angles, self._cosines)
        np.sin(self._half_angles, self._sines)
        np.multiply(self._cosine_factors, self._cosines, self._cosine_terms)
        np.multiply(self._sine_factors, self._sines, self._sine_terms)
        return np.add(self._cosine_terms, self._sine_terms, self._cosine_terms)

    def turn_each(self, angles: Iterable[float], setters: Iterable[Setter]) -> None:
        """
        Pass the quaternion of each joint that rotates to a setter.

        :param angles: their positions in radians, finite, shape (t,).
        :param setters: one a joint, called with the four numbers of its quaternion.
        """
        for angle, setter, (ax, ay, az, aw, bx, by, bz, bw) in zip(angles, setters, self._turns):
            cosine, sine = cos(angle * 0.5), sin(angle * 0.5)
            setter(ax * cosine + bx * sine, ay * cosine + by * sine,
                   az * cosine + bz * sine, aw * cosine + bw * sine)

    def slide_each(self, distances: Iterable[float], setters: Iterable[Setter]) -> None:
        """
        Pass the translation of each joint that translates to a setter.

        :param distances: their positions in metres, shape (s,).
        :param setters: one a joint, called with the three numbers of its translation.
        """
        for distance, setter, (px, py, pz, dx, dy, dz) in zip(distances, setters, self._slides):
            setter(px + dx * distance, py + dy * distance, pz + dz * distance)

    def evaluate(self, positions: Array) -> Array:
        """
        Return the transforms of all joints, ``x y z`` and the unit quaternion, shape (n, 7).

        :param positions: in radians and metres, finite, shape (n,).
        """
        transforms = self.rest.copy()
        transforms[self.turning, 3:] = self.turn(positions[self.turning]).T
        slides = np.array(self._slides).reshape(-1, 6)
        transforms[self.sliding, :3] = (
            slides[:, :3] + slides[:, 3:] * positions[self.sliding, None])
        return transforms
