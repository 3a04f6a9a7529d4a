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

from collections.abc import Collection
from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from urdf_tools.dynamics.closed_chains import ClosedChain
from urdf_tools.dynamics.closed_chains import LoopForces
from urdf_tools.dynamics.recursions import body_inertias
from urdf_tools.dynamics.recursions import BodyMotions
from urdf_tools.dynamics.recursions import CompositeBodies
from urdf_tools.dynamics.recursions import NewtonEuler
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.kinematics.moving_frames import MotionAxes
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import numbers
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.kinematics.transforms import zeros
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array

GRAVITY = (0.0, 0.0, -9.81)
"""Acceleration of free fall in m/s^2 along the axes of the root link."""

_MOMENTS = Scratch()


class InverseDynamics(Suggesting):
    """
    The joint efforts for a motion, by the recursive Newton-Euler algorithm.

    With ``gravity = InverseDynamics(robot)``, ``gravity(q)`` are the efforts that hold the robot.

    Of a mechanism, the joints in loops that are driven have efforts, and the others none.
    Velocities and accelerations that follow from those of driven joints are ignored.

    :param robot: the robot, its kinematic tree, or the mechanism that it is with its loops.
    :param driven: of a mechanism, names of the variables in loops that are driven, the
        independent ones by default.
    :raises KeyError: a driven one does not exist.
    :raises ValueError: the driven ones do not determine the others, or follow from each other.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree | Mechanism,
                 driven: Collection[str] | None = None):
        self._chain: ClosedChain | None = None
        if isinstance(robot, (Robot, KinematicTree)):
            self.tree = KinematicTree.of(robot)
        else:
            self.tree, self._chain = robot.tree, ClosedChain(robot, driven)
        self._axes = MotionAxes(self.tree.frames)
        self._mass = _Mass(self.tree, self._axes)

    def __repr__(self) -> str:
        return f'<InverseDynamics of {self.tree!r}>'

    @cached_property
    def _newton_euler(self) -> NewtonEuler:
        return NewtonEuler(self.tree, self._axes)

    def __call__(self, positions: npt.ArrayLike, velocities: npt.ArrayLike | None = None,
                 accelerations: npt.ArrayLike | None = None, *, gravity: npt.ArrayLike = GRAVITY,
                 external: Mapping[str, npt.ArrayLike] | None = None) -> Array:
        """
        Return the efforts that joints exert, without those of damping and friction.

        Without velocities and accelerations they hold the robot against gravity. Loops of a
        mechanism are closed at the positions.

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
        :raises ValueError: an array has another shape; of a mechanism, loops are open, or a
            configuration is singular.
        """
        if self._chain is not None:
            return self.with_loop_forces(
                positions, velocities, accelerations, gravity=gravity, external=external).efforts
        efforts = self._open(
            self.tree.batch(positions), velocities, accelerations, gravity, external)
        return efforts[:, 0] if np.ndim(positions) < 2 else efforts.T

    def with_loop_forces(
            self, positions: npt.ArrayLike, velocities: npt.ArrayLike | None = None,
            accelerations: npt.ArrayLike | None = None, *, gravity: npt.ArrayLike = GRAVITY,
            external: Mapping[str, npt.ArrayLike] | None = None) -> LoopForces:
        """
        Return the efforts of a mechanism, and the forces in its loops.

        Parameters and errors are those of a call.

        :raises ValueError: it is not a mechanism.
        """
        if self._chain is None:
            raise ValueError('There are no loops: InverseDynamics was made from a robot, not from '
                             'a Mechanism')
        batch, nv = self.tree.batch(positions), len(self.tree.velocity_names)
        given: list[Array | None] = [None, None]
        if velocities is not None or accelerations is not None:
            given = [_rows('velocities', velocities, len(batch), nv).T,
                     _rows('accelerations', accelerations, len(batch), nv).T]
        motion = self._chain.motion(batch, *given)
        found = self._chain.forces(motion, self._open(
            batch, motion.velocities, motion.accelerations, gravity, external).T)
        return found if np.ndim(positions) == 2 else LoopForces(
            found.efforts[0], found.wrenches[0], found.undetermined[0])

    def _open(self, batch: Array, velocities: npt.ArrayLike | None,
              accelerations: npt.ArrayLike | None, gravity: npt.ArrayLike,
              external: Mapping[str, npt.ArrayLike] | None) -> Array:
        """Return the efforts of the tree without loops, shape (nv, B)."""
        count, nv = len(batch), len(self.tree.velocity_names)
        free_fall = _rows('gravity', gravity, 1, 3)
        efforts = np.zeros((nv, count))
        if velocities is None and accelerations is None:
            for chunk in chunks_of(count):
                self._mass.add_moments(batch[chunk], -free_fall.T, efforts[None, :, chunk])
        else:
            rates = _rows('velocities', velocities, count, nv)
            changes = _rows('accelerations', accelerations, count, nv)
            for chunk in chunks_of(count):
                self._axes.combine(self._newton_euler(
                    batch[chunk], rates[:, chunk], changes[:, chunk], free_fall),
                    efforts[:, chunk])
        for link, wrench in (external or {}).items():
            jacobians = Jacobian(self.tree, link, 'local_world_aligned')(batch)
            efforts -= np.einsum(
                'bij,ib->jb', jacobians, _rows(f'wrench on {link!r}', wrench, count, 6))
        return efforts


class MassMatrix(Suggesting):
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
        return self.tree.evaluated(positions, out, self._evaluate)

    def _evaluate(self, batch: Array, out: Array | None) -> Array:
        nv = len(self.tree.velocity_names)
        result = zeros((len(batch), nv, nv), out)
        matrices = result.transpose(1, 2, 0)
        for chunk in chunks_of(len(batch)):
            self._bodies(batch[chunk], matrices[..., chunk])
        return result


class CentreOfMassJacobian(Suggesting):
    """
    The Jacobian of the centre of mass of a robot relative to the root link.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._mass = _Mass(self.tree, MotionAxes(self.tree.frames))

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
        return self.tree.evaluated(positions, out, self._evaluate)

    def _evaluate(self, batch: Array, out: Array | None) -> Array:
        jacobians = zeros((len(batch), 3, len(self.tree.velocity_names)), out)
        axes = np.eye(3) / (self._mass.total or 1.0)
        for chunk in chunks_of(len(batch)):
            self._mass.add_moments(batch[chunk], axes, jacobians[chunk].transpose(1, 2, 0))
        return jacobians


class _Mass:
    """
    The effect of joint axes on the centre of mass.

    :param axes: of the frames of the tree.
    :ivar total: the mass of the robot in kg.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        self._frames = frames = tree.frames
        self._parents: list[int] = frames.parents.tolist()
        self._rotations = frames.offsets[:, :3, :3]
        self._motions, self._bodies = axes, body_inertias(tree)[:, 3]
        masses, moments = self._bodies[:, 3].copy(), self._bodies[:, :3].copy()
        for frame in range(frames.count - 1, 0, -1):
            masses[self._parents[frame]] += masses[frame]
            moments[self._parents[frame]] += masses[frame] * frames.offsets[frame, :3, 3]
        self._masses, self._moments = masses, moments[..., None]
        self.total = float(masses[0])
        self._levels: list[int] = frames.levels.tolist()
        self._axes: list[list[tuple[int, bool, int, float]]] = [[] for _ in masses]
        for axis, frame in enumerate(axes.rows):
            self._axes[frame].append((int(axes.columns[axis]), axis < axes.rotations,
                                      int(axes.velocities[axis]), float(axes.multipliers[axis])))

    def add_moments(self, positions: Array, directions: Array, out: Array) -> None:
        """
        Add mass times the velocity of the centre of mass for unit velocities.

        :param positions: shape (b, n).
        :param directions: along which to take it, in the axes of the root link, shape (k, 3).
        :param out: to add it to, shape (k, nv, b).
        """
        if len(positions) == 1:
            self._motions.combine((directions @ self._shifts(positions))[..., None], out)
            return
        motions, (count, _, size) = BodyMotions(self._frames, positions), out.shape
        below, levels, moved, crossed = _MOMENTS.arrays(
            (self._frames.count, 3, size), (max(self._levels) + 1, count, 3, size),
            (count, size), (count, size))
        below[:] = self._moments
        for frame in range(self._frames.count - 1, 0, -1):
            if self._parents[frame]:
                moment = below[frame].copy()
                motions.turn(frame, moment, is_back=True)
                if frame in motions.shifts:
                    moment += self._masses[frame] * motions.shifts[frame]
                below[self._parents[frame]] += self._rotations[frame] @ moment
        # Frames come depth first: those of one branch take the place of those of the one before.
        seen = [levels[level] for level in self._levels]
        seen[0][:] = directions[..., None]
        for frame in range(1, self._frames.count):
            views, moment = seen[frame], below[frame]
            np.matmul(self._rotations[frame].T, seen[self._parents[frame]], out=views)
            motions.turn(frame, views)
            for c, is_rotation, variable, multiplier in self._axes[frame]:
                if is_rotation:
                    a, b = (c + 1) % 3, (c + 2) % 3
                    np.multiply(views[:, b], moment[a], out=moved)
                    moved -= np.multiply(views[:, a], moment[b], out=crossed)
                    moved *= multiplier
                else:
                    np.multiply(views[:, c], multiplier * self._masses[frame], out=moved)
                out[:, variable] += moved

    def _shifts(self, positions: Array) -> Array:
        """
        Return mass times the velocity of the centre of mass for unit rates of the axes.

        It is faster for one configuration, and needs more memory for many.

        :param positions: shape (1, n).
        :return: shape (3, A).
        """
        (_, frames), = self._frames.chunks(positions)
        rows, rotations = self._motions.rows, self._motions.rotations
        masses, shifts = self._masses[rows], frames[:, rows, self._motions.columns, 0]
        below = np.einsum('ifk,fk->fi', frames[..., 0], self._bodies)
        for frame in range(self._frames.count - 1, 0, -1):
            below[self._parents[frame]] += below[frame]
        arms = below[rows].T - masses * frames[:, rows, 3, 0]
        shifts[:, :rotations] = cross(shifts[:, :rotations], arms[:, :rotations])
        shifts[:, rotations:] *= masses[rotations:]
        return shifts


def _rows(name: str, values: npt.ArrayLike | None, count: int, width: int) -> Array:
    """Return values, by default 0, for one or all configurations, with these last."""
    array = np.zeros(width) if values is None else numbers(values, name)
    if array.shape not in ((width,), (count, width)):
        several = f' or ({count}, {width})' if count > 1 else ''
        raise ValueError(
            f'{name}: an array of the shape ({width},){several} is expected, not of '
            f'{array.shape}')
    return np.broadcast_to(np.atleast_2d(array), (count, width)).T
