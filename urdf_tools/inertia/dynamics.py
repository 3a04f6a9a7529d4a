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

"""Dynamics: efforts for a motion, the mass matrix, the motion of the centre of mass."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from urdf_tools.inertia.body_motions import body_inertias
from urdf_tools.inertia.composite_bodies import CompositeBodies
from urdf_tools.inertia.newton_euler import NewtonEuler
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.kinematics.scratch import Scratch
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import zeros
from urdf_tools.model.robot import Robot

GRAVITY = (0.0, 0.0, -9.81)
"""Acceleration of free fall in m/s^2 along the axes of the root link."""

CHUNK = 2048
"""Configurations that are computed together; a step of theirs stays in the cache."""

_MOMENTS = Scratch()


class InverseDynamics:
    """
    The efforts of joints that a motion takes, by the recursive Newton-Euler algorithm.

    With ``gravity = InverseDynamics(robot)``, ``gravity(q)`` are the efforts that hold the robot.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._axes = MotionAxes(self.tree.frames)
        self._mass = _Mass(self.tree, self._axes)

    def __repr__(self) -> str:
        return f'<InverseDynamics of {self.tree!r}>'

    @cached_property
    def _newton_euler(self) -> NewtonEuler:
        return NewtonEuler(self.tree, self._axes)

    def __call__(
            self, positions: npt.ArrayLike, velocities: npt.ArrayLike | None = None,
            accelerations: npt.ArrayLike | None = None, *,
            gravity: npt.ArrayLike = GRAVITY,
            external: Mapping[str, npt.ArrayLike] | None = None) -> Array:
        """
        Return the efforts that joints exert, without those of damping and friction.

        Without velocities and accelerations they hold the robot against gravity.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param velocities: of the velocity variables in rad/s and m/s, shape (nv,) or (B, nv);
            zero by default.
        :param accelerations: their rates in rad/s^2 and m/s^2, likewise.
        :param gravity: acceleration of free fall in m/s^2 along the axes of the root link,
            shape (3,).
        :param external: name of a link to the wrench that acts on it from outside: force in N at
            the origin of the link, then torque in N m, along the axes of the root link, shape
            (6,) or (B, 6).
        :return: of the velocity variables in N m and N, shape (nv,) or (B, nv); of a floating
            joint, the wrench on the child link in its own frame, force first.
        :raises KeyError: a link does not exist.
        :raises ValueError: an array has another shape.
        """
        batch = self.tree.batch(positions)
        count, nv = len(batch), len(self.tree.velocity_names)
        free_fall = _rows('gravity', gravity, 1, 3)
        efforts = np.zeros((nv, count))
        if velocities is None and accelerations is None:
            for chunk, frames in self.tree.frames.chunks(batch, CHUNK):
                pulls = np.einsum('ik,iab->ab', -free_fall, self._mass.moments(frames))
                self._axes.combine(pulls, efforts[:, chunk])
        else:
            rates, changes = (
                _rows(name, np.zeros(nv) if values is None else values, count, nv)
                for name, values in (('velocities', velocities), ('accelerations', accelerations)))
            for chunk in chunks_of(count, CHUNK):
                self._axes.combine(self._newton_euler(
                    batch[chunk], rates[:, chunk], changes[:, chunk], free_fall),
                    efforts[:, chunk])
        for link, wrench in (external or {}).items():
            jacobians = Jacobian(self.tree, link, 'local_world_aligned')(batch)
            efforts -= np.einsum(
                'bij,ib->jb', jacobians, _rows(f'wrench on {link!r}', wrench, count, 6))
        return efforts[:, 0] if np.ndim(positions) == 1 else efforts.T


class MassMatrix:
    """
    The mass matrix of a robot, by the composite rigid body algorithm.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._bodies = CompositeBodies(self.tree, MotionAxes(self.tree.frames))

    def __repr__(self) -> str:
        return f'<MassMatrix of {self.tree!r}>'

    def __call__(self, positions: npt.ArrayLike, out: Array | None = None) -> Array:
        """
        Return the mass matrix.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param out: array for the result, such as an earlier result of the same shape.
        :return: symmetric, of the velocity variables, in kg, kg m and kg m^2, shape (nv, nv) or
            (B, nv, nv). The latter is a view of memory in which the configurations come last.
        :raises ValueError: the positions have another shape.
        """
        batch = self.tree.batch(positions)
        nv = len(self.tree.velocity_names)
        is_one = np.ndim(positions) == 1
        result = zeros((nv, nv) if is_one else (len(batch), nv, nv), out)
        matrices = result[None] if is_one else result
        for chunk in chunks_of(len(batch), CHUNK):
            self._bodies(batch[chunk], matrices[chunk].transpose(1, 2, 0))
        return result


class CentreOfMassJacobian:
    """
    The Jacobian of the centre of mass of a robot relative to the root link.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._axes = MotionAxes(self.tree.frames)
        self._mass = _Mass(self.tree, self._axes)

    def __repr__(self) -> str:
        return f'<CentreOfMassJacobian of {self.tree!r}>'

    def __call__(self, positions: npt.ArrayLike, out: Array | None = None) -> Array:
        """
        Return the Jacobian.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param out: array for the result, such as an earlier result of the same shape.
        :return: velocity of the centre of mass along the axes of the root link for unit
            velocities, shape (3, nv) or (B, 3, nv); undefined without mass. The latter is a view
            of memory in which the configurations come last.
        :raises ValueError: the positions have another shape.
        """
        batch = self.tree.batch(positions)
        is_one = np.ndim(positions) == 1
        shape = 3, len(self.tree.velocity_names)
        result = zeros(shape if is_one else (len(batch), *shape), out)
        jacobians = result[None] if is_one else result
        for chunk, frames in self.tree.frames.chunks(batch, CHUNK):
            moments = self._mass.moments(frames)
            moments /= self._mass.total or 1.0
            self._axes.combine(moments, jacobians[chunk].transpose(1, 2, 0))
        return result


class _Mass:
    """
    How the axes of joints move the mass.

    :param axes: of the frames of the tree.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        inertias = body_inertias(tree)
        self._axes = axes
        self._moments = inertias[:, 3:]
        self._parents: list[int] = tree.frames.parents.tolist()
        masses = inertias[:, 3, 3].copy()
        for frame in range(len(masses) - 1, 0, -1):
            masses[self._parents[frame]] += masses[frame]
        self._masses = masses[axes.rows, None]
        self._columns, self._origins = 4 * axes.rows + axes.columns, 4 * axes.rows + 3
        self.total = float(masses[0])

    def moments(self, frames: Array) -> Array:
        """
        Return mass times the velocity of the centre of mass for unit rates of the axes.

        :param frames: shape (3, F, 4, b).
        :return: shape (3, A, b); overwritten by the next call in the same thread.
        """
        rotations, (_, count, _, size) = self._axes.rotations, frames.shape
        below, axes, arms, shifts = _MOMENTS.arrays(
            (3, count, size), *[(3, len(self._masses), size)] * 3)
        columns = frames.reshape(3, 4 * count, size)
        np.take(columns, self._columns, axis=1, out=axes, mode='clip')
        np.take(columns, self._origins, axis=1, out=shifts, mode='clip')
        shifts *= self._masses
        np.matmul(self._moments, frames, out=below[:, :, None])
        for frame in range(count - 1, 0, -1):
            below[:, self._parents[frame]] += below[:, frame]
        np.take(below, self._axes.rows, axis=1, out=arms, mode='clip')
        arms -= shifts
        cross(axes[:, :rotations], arms[:, :rotations], out=shifts[:, :rotations])
        np.multiply(axes[:, rotations:], self._masses[rotations:], out=shifts[:, rotations:])
        return shifts


def _rows(name: str, values: npt.ArrayLike, count: int, width: int) -> Array:
    """Return values of one or all configurations with the configurations last."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f'{name}: {width} numbers are expected, not {values!r:.80}') from None
    if array.shape not in ((width,), (count, width)):
        several = f' or ({count}, {width})' if count > 1 else ''
        raise ValueError(
            f'{name}: an array of the shape ({width},){several} is expected, not of '
            f'{array.shape}')
    return np.broadcast_to(np.atleast_2d(array), (count, width)).T
