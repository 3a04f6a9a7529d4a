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
The recursions of dynamics in the frames of the bodies, for many configurations at once.

They go from body to body (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 5.3 and
6.2). What is the same at all configurations is a matrix for each body, so that a step is a few
products with arrays that stay in the cache.
"""

from __future__ import annotations

import numpy as np

from urdf_tools.inertia.composite import link_pseudo_inertias
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.moving_frames import cosines_and_sines
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.kinematics.moving_frames import PLANES
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.moving_frames import TURNING
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.kinematics.transforms import quaternion_to_matrix

_CROSS = np.array([[[(j - i) * (k - j) * (k - i) / 2 for k in range(3)] for j in range(3)]
                   for i in range(3)])
"""The cross product of vectors u and v is the sum of this times u[j] v[k], shape (3, 3, 3)."""

_PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
_IS_PRODUCT = np.array([[[pair in ((i, j), (j, i)) for pair in _PRODUCTS] for j in range(3)]
                        for i in range(3)], dtype=float)
"""Which of these products of components those of i and j are, shape (3, 3, 6)."""


def body_inertias(tree: KinematicTree) -> Array:
    """Return the pseudo-inertias of what is fixed to each moving frame, shape (F, 4, 4)."""
    total = np.zeros((tree.frames.count, 4, 4))
    np.add.at(total, tree.link_frames, link_pseudo_inertias(tree))
    return total


class NewtonEuler:
    """
    Efforts for motions.

    :param axes: of the frames of the tree.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        self._frames = frames = tree.frames
        self._axes = axes
        self._parents: list[int] = frames.parents.tolist()
        self._rotations, self._slides = _of_frames(axes)
        rotations = frames.offsets[:, :3, :3].swapaxes(1, 2)
        self._steps = np.zeros((frames.count, 9, 15))
        self._steps[:, :3, :3] = self._steps[:, 3:6, 3:6] = rotations
        self._steps[:, 6:, 3:] = rotations @ _accelerations(
            np.ones(frames.count), frames.offsets[:, :3, 3])
        self._wrenches = _wrenches(body_inertias(tree))
        self._returns = _returns(frames)
        self._components = axes.columns + 3 * (np.arange(len(axes.rows)) < axes.rotations)

    def __call__(
            self, positions: Array, velocities: Array, accelerations: Array,
            gravity: Array) -> Array:
        """
        Return the efforts about and along the axes.

        :param positions: shape (b, n).
        :param velocities: shape (nv, b), as the accelerations.
        :param gravity: shape (3, 1).
        :return: shape (A, b).
        """
        motions = _Motions(self._frames, positions)
        rates, changes = self._axes.rates(velocities), self._axes.rates(accelerations)
        both, signed = np.stack((rates, changes), axis=1), np.stack((rates, -rates), axis=1)
        # Angular velocity, angular acceleration, acceleration of the origin; products of the
        # components of the first. The wrench that a body needs is linear in all but the first.
        states = np.empty((self._frames.count, 15, len(positions)))
        states[0] = 0
        states[0, 6:9] = -gravity
        for frame in range(1, self._frames.count):
            state = states[frame]
            np.matmul(self._steps[frame], states[self._parents[frame]], out=state[:9])
            vectors = state[:9].reshape(3, 3, -1)
            slides, turns = self._slides[frame], self._rotations[frame]
            if slides is not None:
                _move(vectors, motions.shifts[frame])
            motions.turn(frame, vectors)
            if slides is not None:
                self._slide(vectors, slides, turns, rates, changes)
            elif turns is not None:
                axis, plane = turns[0], motions.planes[frame]
                vectors[1, plane] += vectors[0, plane][::-1] * signed[axis]
                vectors[:2, self._axes.columns[axis]] += both[axis]
            _multiply(vectors[0], state[9:])
        return self._loads(motions, np.matmul(self._wrenches, states[:, 3:]))

    def _slide(
            self, vectors: Array, slides: Indices, turns: Indices | None, rates: Array,
            changes: Array) -> None:
        """Add the motion of a sliding or floating frame in its own axes."""
        spin, turn, rise = vectors
        (linear, speeding), columns = np.zeros((2, *spin.shape)), self._axes.columns
        linear[columns[slides]], speeding[columns[slides]] = rates[slides], changes[slides]
        rise += speeding + 2 * cross(spin, linear)
        if turns is not None:
            angular = rates[turns]
            rise += cross(angular, linear)
            turn += changes[turns] + cross(spin, angular)
            spin += angular

    def _loads(self, motions: _Motions, wrenches: Array) -> Array:
        """Hand wrenches of the bodies, shape (F, 6, b), on to their parents."""
        for frame in range(self._frames.count - 1, 0, -1):
            parent, wrench = self._parents[frame], wrenches[frame]
            if parent:
                if motions.is_floating(frame):
                    wrench = wrench.copy()
                motions.turn_wrenches(frame, wrench.reshape(2, 3, 1, -1))
                wrenches[parent] += self._returns[frame] @ wrench
        return wrenches[self._axes.rows, self._components]


class CompositeBodies:
    """
    The mass matrix.

    :param axes: of the frames of the tree.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        self._frames = frames = tree.frames
        self._parents: list[int] = frames.parents.tolist()
        self._inertias = body_inertias(tree)[..., None]
        self._returns = _returns(frames)
        # Taken as vectors, pseudo-inertias are products of two of these matrices.
        self._products = np.einsum('fij,fkl->fikjl', *[frames.offsets] * 2).reshape(-1, 16, 16)
        # In this order, the axes of a branch are consecutive.
        children: list[list[int]] = [[] for _ in self._parents]
        for frame in range(1, frames.count):
            children[self._parents[frame]].append(frame)
        rotations, slides = _of_frames(axes)
        order: list[int] = []
        self._own: dict[int, tuple[int, list[tuple[bool, int]]]] = {}
        self._ends: dict[int, int] = {}
        pending = [(0, False)]
        while pending:
            frame, is_left = pending.pop()
            if is_left:
                self._ends[frame] = len(order)
                continue
            own = [(is_rotation, axis) for is_rotation, these in (
                (True, rotations[frame]), (False, slides[frame])) if these is not None
                for axis in these.tolist()]
            self._own[frame] = len(order), [
                (is_rotation, int(axes.columns[axis])) for is_rotation, axis in own]
            order += [axis for _, axis in own]
            pending.append((frame, True))
            pending += [(child, False) for child in children[frame]]
        self._velocities = axes.velocities[order]
        self._multipliers = axes.multipliers[order][:, None]
        names, counts = np.unique(self._velocities, return_counts=True)
        self._is_shared = np.isin(self._velocities, names[counts > 1])
        self._levels = frames.levels.tolist()

    def __call__(self, positions: Array, out: Array) -> None:
        """
        Compute the mass matrix.

        :param positions: shape (b, n).
        :param out: zero, shape (nv, nv, b).
        """
        motions, count = _Motions(self._frames, positions), len(positions)
        # A product is not written where it is read: levels of the tree take turns.
        memory = np.empty((2, 2, 3, len(self._velocities), count))
        branches: dict[int, Array] = {}
        for frame in range(self._frames.count - 1, 0, -1):
            branch = branches.pop(frame, None)
            if branch is None:
                branch = np.empty((4, 4, count))
                branch[:] = self._inertias[frame]
            (start, own), end = self._own[frame], self._ends[frame]
            momenta = memory[self._levels[frame] % 2]
            for axis, (is_rotation, component) in enumerate(own, start):
                _momentum(branch, is_rotation, component, momenta[:, :, axis])
            for axis, (is_rotation, component) in enumerate(own, start):
                self._write(axis, momenta[int(is_rotation), component, axis:end], out)
            parent = self._parents[frame]
            if parent:
                motions.turn_wrenches(frame, momenta[:, :, start:end])
                moved = slice(start * count, end * count)
                np.matmul(
                    self._returns[frame], momenta.reshape(6, -1)[:, moved],
                    out=memory[self._levels[parent] % 2].reshape(6, -1)[:, moved])
                branch = self._handed_over(frame, motions, branch)
                if parent in branches:
                    branches[parent] += branch
                else:
                    branches[parent] = branch
                    branches[parent] += self._inertias[parent]

    def _write(self, axis: int, products: Array, out: Array) -> None:
        """Write the products of an axis with those that follow it, itself first."""
        places = slice(axis, axis + len(products))
        products = products * (self._multipliers[places] * self._multipliers[axis])
        variable, variables = self._velocities[axis], self._velocities[places]
        is_shared = self._is_shared[places] | self._is_shared[axis]
        if is_shared.any():
            for row in np.flatnonzero(is_shared).tolist():
                out[variables[row], variable] += products[row]
                if row:
                    out[variable, variables[row]] += products[row]
            products, variables = products[~is_shared], variables[~is_shared]
        out[variables, variable] = out[variable, variables] = products

    def _handed_over(self, frame: int, motions: _Motions, branch: Array) -> Array:
        """Return the pseudo-inertia of a branch in the frame of its parent, shape (4, 4, b)."""
        for part in (branch, branch.swapaxes(0, 1)):
            motions.turn(frame, part[:, :3], is_back=True)
            if frame in motions.shifts:
                part[:, :3] += part[:, 3:] * motions.shifts[frame]
        turned: Array = self._products[frame] @ branch.reshape(16, -1)
        return turned.reshape(branch.shape)


class _Motions:
    """
    How frames move relative to their parents at some configurations.

    :param positions: shape (b, n).
    :ivar planes: index of a frame that turns about one axis to the others that it turns.
    :ivar shifts: index of a frame that is displaced to the displacement in the axes that it has
        before it turns, shape (3, b).
    """

    def __init__(self, frames: MovingFrames, positions: Array):
        turning, sliding, floating = (
            np.flatnonzero(frames.kinds == kind).tolist()
            for kind in (TURNING, SLIDING, FLOATING))
        # The root has no variable.
        amounts = frames.amounts(positions) if frames.count > 1 else np.zeros((1, len(positions)))
        self.planes = {frame: PLANES[frames.axes[frame]] for frame in turning}
        self._angles = dict(zip(turning, zip(*cosines_and_sines(amounts[turning] / 2))))
        self._rotations: dict[int, Array] = {}
        self.shifts: dict[int, Array] = {}
        for frame in sliding:
            self.shifts[frame] = np.zeros((3, len(positions)))
            self.shifts[frame][frames.axes[frame]] = amounts[frame]
        for frame in floating:
            pose = positions[:, frames.variables[frame]:][:, :7]
            self.shifts[frame] = np.ascontiguousarray(pose[:, :3].T)
            self._rotations[frame] = quaternion_to_matrix(pose[:, 3:]).transpose(1, 2, 0)

    def is_floating(self, frame: int) -> bool:
        """Return whether a frame turns in any way."""
        return frame in self._rotations

    def turn(self, frame: int, vectors: Array, is_back: bool = False) -> None:
        """
        Take vectors from the axes that a frame has before it turns to those afterwards.

        :param vectors: shape (..., 3, b).
        :param is_back: take them the other way.
        """
        if frame in self._angles:
            cosines, sines = self._angles[frame]
            plane = vectors[..., self.planes[frame], :]
            crossed = plane[..., ::-1, :] * (sines[::-1] if is_back else sines)
            plane *= cosines
            plane += crossed
        elif frame in self._rotations:
            vectors[:] = np.einsum(
                'ijb,...jb->...ib' if is_back else 'jib,...jb->...ib', self._rotations[frame],
                vectors)

    def turn_wrenches(self, frame: int, wrenches: Array) -> None:
        """
        Take wrenches at the origin of a frame to where it would be without its joint.

        :param wrenches: forces or linear momenta, and torques or angular ones, shape
            (2, 3, m, b).
        """
        self.turn(frame, wrenches.swapaxes(1, 2), is_back=True)
        if frame in self.shifts:
            wrenches[1] += cross(self.shifts[frame][:, None], wrenches[0])


def _of_frames(axes: MotionAxes) -> tuple[list[Indices | None], list[Indices | None]]:
    """Return the axes of rotation of each frame, and those that it slides along."""
    count = int(axes.rows.max(initial=0)) + 1
    found: list[list[Indices | None]] = []
    for first, rows in (
            (0, axes.rows[:axes.rotations]), (axes.rotations, axes.rows[axes.rotations:])):
        of_frames = [first + np.flatnonzero(rows == frame) for frame in range(count)]
        found.append([these if len(these) else None for these in of_frames])
    return found[0], found[1]


def _accelerations(masses: Array, moments: Array) -> Array:
    """
    Return what masses times accelerations are of turning bodies.

    :param moments: mass times centre of mass of each, shape (F, 3).
    :return: to multiply with the angular acceleration, the acceleration of the origin and the
        products of the angular velocity, shape (F, 3, 12).
    """
    matrices = np.empty((len(masses), 3, 12))
    matrices[..., :3] = np.einsum('ijk,fk->fij', _CROSS, moments)
    matrices[..., 3:6] = masses[:, None, None] * np.eye(3)
    matrices[..., 6:] = np.einsum('ikq,fk->fiq', _IS_PRODUCT, moments)
    matrices[..., 6:9] -= moments[..., None]
    return matrices


def _wrenches(inertias: Array) -> Array:
    """Return what forces and torques bodies need, likewise, shape (F, 6, 12)."""
    masses, moments, second = inertias[:, 3, 3], inertias[:, :3, 3], inertias[:, :3, :3]
    matrices = np.empty((len(inertias), 6, 12))
    matrices[:, :3] = _accelerations(masses, moments)
    matrices[:, 3:, :3] = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    matrices[:, 3:, 3:6] = np.einsum('ijk,fj->fik', _CROSS, moments)
    matrices[:, 3:, 6:] = np.einsum('ijk,fjl,klq->fiq', _CROSS, second, _IS_PRODUCT)
    return matrices


def _returns(frames: MovingFrames) -> Array:
    """Return what takes wrenches of frames at position zero to their parents, (F, 6, 6)."""
    rotations, origins = frames.offsets[:, :3, :3], frames.offsets[:, :3, 3]
    matrices = np.zeros((frames.count, 6, 6))
    matrices[:, :3, :3] = matrices[:, 3:, 3:] = rotations
    matrices[:, 3:, :3] = np.einsum('ijk,fj,fkl->fil', _CROSS, origins, rotations)
    return matrices


def _move(vectors: Array, shift: Array) -> None:
    """Let an acceleration be that of a point displaced in the body, shape (3, 3, b)."""
    spin, turn, rise = vectors
    rise += cross(turn, shift) + cross(spin, cross(spin, shift))


def _multiply(vector: Array, out: Array) -> None:
    """Compute the products of components, shape (6, b)."""
    np.multiply(vector, vector, out=out[:3])
    np.multiply(vector[:2], vector[1:], out=out[3:5])
    np.multiply(vector[2], vector[0], out=out[5])


def _momentum(body: Array, is_rotation: bool, component: int, out: Array) -> None:
    """
    Compute the momentum of a body for a unit rate about or along an axis.

    :param body: its pseudo-inertia, shape (4, 4, b).
    :param out: linear and angular part, shape (2, 3, b).
    """
    after, last = (component + 1) % 3, (component + 2) % 3
    if is_rotation:
        out[0, component] = 0
        np.negative(body[last, 3], out=out[0, after])
        out[0, last] = body[after, 3]
        np.add(body[after, after], body[last, last], out=out[1, component])
        np.negative(body[after, component], out=out[1, after])
        np.negative(body[last, component], out=out[1, last])
    else:
        out[:] = 0
        out[0, component] = body[3, 3]
        out[1, after] = body[last, 3]
        np.negative(body[after, 3], out=out[1, last])
