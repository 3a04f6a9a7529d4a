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

"""
Dynamics of a robot: efforts for a motion, the mass matrix, the motion of the centre of mass.

All vectors are along the axes of the root link, so that what the recursive algorithms of
Featherstone (Rigid Body Dynamics Algorithms, 2008, sections 5.3 and 6.2) carry from link to link
become sums over branches: products with the matrix of ancestors, for many configurations at once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from urdf_tools.inertia.composite import link_pseudo_inertias
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import BranchSums
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.model.robot import Robot

GRAVITY = (0.0, 0.0, -9.81)
"""Acceleration of free fall in m/s^2 along the axes of the root link."""


_ENTRIES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
_ROWS = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
"""Where the entries of the rows of a symmetric matrix are among these six."""


class InverseDynamics:
    """
    The efforts of joints that a motion takes, by the recursive Newton-Euler algorithm.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._bodies = _Bodies(self.tree)

    def __call__(
            self, positions: npt.ArrayLike, velocities: npt.ArrayLike | None = None,
            accelerations: npt.ArrayLike | None = None, *,
            gravity: npt.ArrayLike = GRAVITY,
            external: Mapping[str, npt.ArrayLike] | None = None) -> Array:
        """
        Return the efforts that joints exert, without those of damping and friction.

        Without velocities and accelerations they balance gravity.

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
        rates = [None if values is None else _rows(name, values, count, nv) for name, values in (
            ('velocities', velocities), ('accelerations', accelerations))]
        wrenches = [
            (self.tree.link_index[link], _rows(f'the wrench on {link!r}', wrench, count, 6))
            for link, wrench in (external or {}).items()]
        efforts = np.zeros((nv, count))
        for chunk, frames in self.tree.frames.chunks(batch):
            velocity, acceleration = (
                None if values is None else values[:, chunk] for values in rates)
            forces, torques = self._bodies.required(frames, velocity, acceleration, free_fall)
            for link, wrench in wrenches:
                self._bodies.relieve(link, frames, wrench[:, chunk], forces, torques)
            self._bodies.project(frames, forces, torques, efforts[:, chunk])
        return efforts[:, 0] if np.ndim(positions) == 1 else efforts.T


class MassMatrix:
    """
    The mass matrix of a robot, by the composite rigid body algorithm.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._bodies = _Bodies(self.tree)
        self._paths = self._bodies.paths()
        velocities = self._bodies.axes.velocities
        self._is_alone = len(np.unique(velocities)) == len(velocities)

    def __call__(self, positions: npt.ArrayLike) -> Array:
        """
        Return the mass matrix.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: symmetric, of the velocity variables, in kg, kg m and kg m^2, shape (nv, nv) or
            (B, nv, nv). The latter is a view of memory in which the configurations come last.
        :raises ValueError: the positions have another shape.
        """
        batch = self.tree.batch(positions)
        nv = len(self.tree.velocity_names)
        matrix = np.zeros((nv, nv, len(batch)))
        for chunk, frames in self.tree.frames.chunks(batch):
            self._combine(*self._bodies.momenta(frames), matrix[..., chunk])
        matrix = matrix.transpose(2, 0, 1)
        return matrix[0] if np.ndim(positions) == 1 else matrix

    def _combine(self, motions: Array, momenta: Array, out: Array) -> None:
        """Add up the products of pairs of axes by variables, shape (nv, nv, b)."""
        axes = self._bodies.axes
        for axis, path in enumerate(self._paths):
            products = np.einsum('cpb,cb->pb', motions[:, path], momenta[:, axis])
            products *= axes.multipliers[axis] * axes.multipliers[path, None]
            variable, variables = axes.velocities[axis], axes.velocities[path]
            if self._is_alone:
                out[variables, variable] = out[variable, variables] = products
            else:
                np.add.at(out, (variables, variable), products)
                np.add.at(out, (variable, variables[:-1]), products[:-1])


class CentreOfMassJacobian:
    """
    The Jacobian of the centre of mass of a robot relative to the root link.

    :param robot: the robot or its kinematic tree.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree):
        self.tree = KinematicTree.of(robot)
        self._bodies = _Bodies(self.tree)

    def __call__(self, positions: npt.ArrayLike) -> Array:
        """
        Return the Jacobian.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: velocity of the centre of mass along the axes of the root link for unit
            velocities, shape (3, nv) or (B, 3, nv); undefined without mass. The latter is a view
            of memory in which the configurations come last.
        :raises ValueError: the positions have another shape.
        """
        batch = self.tree.batch(positions)
        jacobian = np.zeros((3, len(self.tree.velocity_names), len(batch)))
        for chunk, frames in self.tree.frames.chunks(batch):
            self._bodies.axes.combine(
                self._bodies.shifts_of_mass(frames), jacobian[..., chunk])
        jacobian = jacobian.transpose(2, 0, 1)
        return jacobian[0] if np.ndim(positions) == 1 else jacobian


class _Bodies:
    """
    The links that are fixed to each moving frame as one body, and what moves them.

    :ivar axes: of the joints.
    """

    def __init__(self, tree: KinematicTree):
        self._tree = tree
        frames = tree.frames
        self.axes = MotionAxes(frames)
        self._sums = BranchSums(frames)
        self._frames = frames
        self._pseudo_inertias = np.zeros((frames.count, 4, 4))
        np.add.at(self._pseudo_inertias, tree.link_frames, link_pseudo_inertias(tree))
        self._masses = self._pseudo_inertias[:, 3, 3, None]
        self._branch_masses = self._sums.of_branches(self._masses)
        self._traces = np.trace(self._pseudo_inertias[:, :3, :3], axis1=1, axis2=2)[:, None]
        self._floating = np.flatnonzero(frames.kinds == FLOATING)

    def required(
            self, frames: Array, velocities: Array | None, accelerations: Array | None,
            gravity: Array) -> tuple[Array, Array]:
        """
        Return the force and the torque about its origin that each body needs for a motion.

        :param frames: shape (3, F, 4, b).
        :param velocities: shape (nv, b), as the accelerations.
        :param gravity: shape (3, 1).
        :return: each of shape (3, F, b).
        """
        moments = self._moments(frames)
        fall = np.broadcast_to(-gravity[:, None], moments.shape)
        if velocities is None and accelerations is None:
            return self._masses * fall, _cross(moments, fall)
        velocity, linear, angular = self._motion(frames, velocities, accelerations)
        linear += fall
        forces = self._masses * linear
        forces += _cross(angular, moments)
        forces += _cross(velocity, _cross(velocity, moments))
        # With the trace t of the second moments S, the inertia about the origin is t - S.
        turned = self._second_moments(frames, np.stack((angular, velocity)))
        torques = (self._traces * angular - turned[0] - _cross(velocity, turned[1])
                   + _cross(moments, linear))
        return forces, torques

    def relieve(
            self, link: int, frames: Array, wrench: Array, forces: Array, torques: Array) -> None:
        """Subtract a wrench that acts at the origin of a link, shape (6, b)."""
        row = int(self._tree.link_frames[link])
        arm = np.einsum('ikb,k->ib', frames[:, row, :3], self._tree.link_placements[link, :3, 3])
        forces[:, row] -= wrench[:3]
        torques[:, row] -= wrench[3:] + _cross(arm, wrench[:3])

    def project(self, frames: Array, forces: Array, torques: Array, out: Array) -> None:
        """
        Compute the efforts that let bodies get the forces and torques that they need.

        :param out: zero, for the variables, shape (nv, b).
        """
        forces = self._sums.of_branches(forces)
        carried = _cross(self._arms(frames), forces)
        torques = self._sums.of_branches(torques + carried) - carried
        rows, columns, rotations = self.axes.rows, self.axes.columns, self.axes.rotations
        loads = np.concatenate((torques[:, rows[:rotations]], forces[:, rows[rotations:]]), axis=1)
        self.axes.combine(np.einsum('iab,iab->ab', frames[:, rows, columns], loads), out)

    def momenta(self, frames: Array) -> tuple[Array, Array]:
        """
        Return the twists for unit rates of the axes, and the momenta that branches have then.

        :param frames: shape (3, F, 4, b); they are changed.
        :return: linear parts first, of the motion at a point amid the robot and about it, each
            of shape (6, A, b).
        """
        # Far from the origin of the root link, large numbers would cancel.
        frames[:, :, 3] -= frames[:, :, 3].mean(axis=1, keepdims=True)
        weighted = np.matmul(self._pseudo_inertias, frames)
        second = np.empty((6, frames.shape[1], frames.shape[-1]))
        for place, (i, j) in enumerate(_ENTRIES):
            np.einsum('fkb,fkb->fb', frames[i], weighted[j], out=second[place])
        second, moments = self._sums.of_branches(second), self._sums.of_branches(weighted[:, :, 3])
        rows, columns, rotations = self.axes.rows, self.axes.columns, self.axes.rotations
        motions = np.zeros((6, len(rows), frames.shape[-1]))
        linear, angular = motions[:3], motions[3:, :rotations]
        linear[:] = frames[:, rows, columns]
        angular[:] = linear[:, :rotations]
        linear[:, :rotations] = _cross(frames[:, rows[:rotations], 3], angular)
        momenta = np.empty_like(motions)
        momenta[:3] = self._branch_masses[rows] * linear
        momenta[3:] = _cross(moments[:, rows], linear)
        turning = rows[:rotations]
        momenta[:3, :rotations] += _cross(angular, moments[:, turning])
        second = second[:, turning]
        trace = second[0] + second[3] + second[5]
        for i, entries in enumerate(_ROWS):
            momenta[3 + i, :rotations] += trace * angular[i] - sum(
                second[entry] * angular[j] for j, entry in enumerate(entries))
        return motions, momenta

    def shifts_of_mass(self, frames: Array) -> Array:
        """Return the velocities of the centre of mass for unit rates of the axes, (3, A, b)."""
        rows, columns, rotations = self.axes.rows, self.axes.columns, self.axes.rotations
        shifts = frames[:, rows, columns]
        frames[:, :, 3] -= frames[:, :, 3].mean(axis=1, keepdims=True)
        moments = self._sums.of_branches(np.matmul(self._pseudo_inertias, frames)[:, :, 3])
        turning = rows[:rotations]
        shifts[:, :rotations] = _cross(
            shifts[:, :rotations],
            moments[:, turning] - self._branch_masses[turning] * frames[:, turning, 3])
        shifts[:, rotations:] *= self._branch_masses[rows[rotations:]]
        shifts /= self._branch_masses[0]
        return shifts

    def paths(self) -> list[Indices]:
        """Return the axes that move each axis, itself the last, without repeating a pair."""
        of_frames: list[list[int]] = [[] for _ in self._frames.parents]
        for axis, row in enumerate(self.axes.rows.tolist()):
            of_frames[row].append(axis)
        before: list[list[int]] = []
        paths: dict[int, Indices] = {}
        for parent, axes in zip(self._frames.parents.tolist(), of_frames):
            path = [*before[parent]] if before else []
            for axis in axes:
                path.append(axis)
                paths[axis] = np.array(path)
            before.append(path)
        return [paths[axis] for axis in range(len(paths))]

    def _motion(
            self, frames: Array, velocities: Array | None,
            accelerations: Array | None) -> tuple[Array, Array, Array]:
        """
        Return angular velocity, linear acceleration of the origin and angular acceleration.

        :return: of the frames, each of shape (3, F, b).
        """
        arms = self._arms(frames)
        parents = self._frames.parents
        turns, slides = self._spread(frames, velocities)
        turns_more, slides_more = self._spread(frames, accelerations)
        velocity = self._sums.from_root(turns)
        before = velocity[:, parents]
        turns_more += _cross(before, turns)
        rotation = self._sums.from_root(turns_more)
        moved = _cross(rotation[:, parents], arms)
        moved += _cross(before, _cross(before, arms))
        if slides is not None:
            # A floating joint's own velocity turns with its child link, others with their parent.
            before[:, self._floating] += turns[:, self._floating] / 2
            moved += 2 * _cross(before, slides)
        if slides_more is not None:
            moved += slides_more
        return velocity, self._sums.from_root(moved), rotation

    def _spread(self, frames: Array, values: Array | None) -> tuple[Array, Array | None]:
        """
        Return how variables turn frames relative to their parents, and how they shift them.

        :param values: rates or accelerations of the variables, shape (nv, b), or zero.
        :return: each of shape (3, F, b); None where nothing slides.
        """
        rows, rotations = self.axes.rows, self.axes.rotations
        turns = np.zeros((3, self._frames.count, frames.shape[-1]))
        if values is None:
            return turns, None
        vectors = frames[:, rows, self.axes.columns] * self.axes.rates(values)
        self._add(vectors[:, :rotations], rows[:rotations], turns)
        if rotations == len(rows):
            return turns, None
        slides = np.zeros_like(turns)
        self._add(vectors[:, rotations:], rows[rotations:], slides)
        return turns, slides

    def _add(self, vectors: Array, rows: Indices, out: Array) -> None:
        """Add vectors to those of frames; floating joints have several axes a frame."""
        if len(self._floating):
            np.add.at(out.swapaxes(0, 1), rows, vectors.swapaxes(0, 1))
        else:
            out[:, rows] = vectors

    def _arms(self, frames: Array) -> Array:
        """Return the vectors from the origins of the parents to those of the frames."""
        arms: Array = frames[:, :, 3] - frames[:, self._frames.parents, 3]
        return arms

    def _moments(self, frames: Array) -> Array:
        """Return mass times the vector from each frame's origin to the centre of mass."""
        moments: Array = np.einsum(
            'ifkb,fk->ifb', frames[:, :, :3], self._pseudo_inertias[:, :3, 3])
        return moments

    def _second_moments(self, frames: Array, vectors: Array) -> Array:
        """Return the second moments of each body about its origin times vectors, (v, 3, F, b)."""
        rotations = frames[:, :, :3]
        local = np.einsum('ifkb,vifb->vfkb', rotations, vectors)
        local = np.matmul(self._pseudo_inertias[:, :3, :3], local)
        turned: Array = np.einsum('ifkb,vfkb->vifb', rotations, local)
        return turned


def _rows(name: str, values: npt.ArrayLike, count: int, width: int) -> Array:
    """Return values of one or all configurations with the configurations last."""
    array = np.asarray(values, dtype=float)
    if array.shape not in ((width,), (count, width)):
        raise ValueError(
            f'{name} has the shape {array.shape}; expected ({width},) or ({count}, {width})')
    return np.broadcast_to(np.atleast_2d(array), (count, width)).T


def _cross(left: Array, right: Array) -> Array:
    """Return the cross product of vectors whose components come first."""
    product = np.empty(np.broadcast_shapes(left.shape, right.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(left[j], right[k], out=product[i])
        product[i] -= left[k] * right[j]
    return product
