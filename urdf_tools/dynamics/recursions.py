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
Recursions over the bodies of a robot: relative motions, efforts, the mass matrix.

What is the same at all configurations is a matrix for each body, so that a step of a recursion is
a few products with arrays that stay in the cache. Efforts follow by the recursive Newton-Euler
algorithm, the mass matrix by that of composite rigid bodies (Featherstone, Rigid Body Dynamics
Algorithms, 2008, sections 5.3 and 6.2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.composite import link_pseudo_inertias
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import MotionAxes
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.kinematics.moving_frames import PLANES
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.types import Array
from urdf_tools.types import Indices

CROSS = np.cross(np.eye(3)[:, None], np.eye(3))
"""The cross product of vectors u and v is the sum of this times u[j] v[k], shape (3, 3, 3)."""

_MOTIONS, _CROSSED = Scratch(), Scratch()


def body_inertias(tree: KinematicTree) -> Array:
    """Return the pseudo-inertia of the links fixed to each moving frame, shape (F, 4, 4)."""
    total = np.zeros((tree.frames.count, 4, 4))
    np.add.at(total, tree.link_frames, link_pseudo_inertias(tree))
    return total


class BodyMotions:
    """
    Motions of frames relative to their parents at some configurations.

    The next one in the same thread overwrites it.

    :param positions: shape (b, n).
    :ivar angles: index of a frame that turns about one axis to the cosine, shape (b,), and plus
        and minus the sine, shape (2, b), of the angle.
    :ivar planes: index of such a frame to the other two axes.
    :ivar shifts: index of a frame that is displaced to the displacement in the axes that it has
        before it turns, shape (3, b).
    """

    def __init__(self, frames: MovingFrames, positions: Array):
        _, turning, sliding, floating = (rows.tolist() for rows in frames.of_kinds)
        self.planes = {frame: PLANES[frames.axes[frame]] for frame in turning}
        distances, cosines, sines = frames.amounts(positions, _MOTIONS)
        self.angles = dict(zip(turning, zip(cosines, sines)))
        self._rotations: dict[int, Array] = {}
        self.shifts: dict[int, Array] = {}
        for frame, distance in zip(sliding, distances):
            self.shifts[frame] = np.zeros((3, len(positions)))
            self.shifts[frame][frames.axes[frame]] = distance
        for frame in floating:
            pose = positions[:, frames.variables[frame]:][:, :7]
            self.shifts[frame] = np.ascontiguousarray(pose[:, :3].T)
            self._rotations[frame] = quaternion_to_matrix(pose[:, 3:]).transpose(1, 2, 0)

    def is_floating(self, frame: int) -> bool:
        """Return whether a frame rotates about more than one axis."""
        return frame in self._rotations

    def turn(self, frame: int, vectors: Array, is_back: bool = False) -> None:
        """
        Express vectors in the axes of a frame after its rotation instead of before it.

        :param vectors: shape (..., 3, b).
        :param is_back: take them the other way.
        """
        if frame in self.angles:
            cosines, sines = self.angles[frame]
            turn(vectors[..., self.planes[frame], :], cosines, sines[::-1] if is_back else sines)
        elif frame in self._rotations:
            vectors[:] = np.einsum('ijb,...jb->...ib' if is_back else 'jib,...jb->...ib',
                                   self._rotations[frame], vectors)

    def turn_wrenches(self, frame: int, wrenches: Array) -> None:
        """
        Move wrenches from the origin of a frame to its position without the joint.

        :param wrenches: forces or linear momenta, and torques or angular ones, shape
            (2, 3, m, b).
        """
        self.turn(frame, wrenches.swapaxes(1, 2), is_back=True)
        if frame in self.shifts:
            wrenches[1] += cross(self.shifts[frame][:, None], wrenches[0])


def turn(pairs: Array, cosines: Array, sines: Array) -> None:
    """
    Turn vectors in a plane.

    :param pairs: shape (..., 2, b).
    :param cosines: shape (b,).
    :param sines: plus and minus the sine for a turn of the axes, shape (2, b).
    """
    crossed = _CROSSED.array(*pairs.shape)
    np.multiply(pairs[..., ::-1, :], sines, out=crossed)
    pairs *= cosines
    pairs += crossed


def axes_of_frames(axes: MotionAxes) -> tuple[list[Indices | None], list[Indices | None]]:
    """Return the axes of rotation of each frame, and those that it slides along."""
    count = int(axes.rows.max(initial=0)) + 1
    found: list[list[Indices | None]] = []
    for first, rows in (
            (0, axes.rows[:axes.rotations]), (axes.rotations, axes.rows[axes.rotations:])):
        of_frames = [first + np.flatnonzero(rows == frame) for frame in range(count)]
        found.append([these if len(these) else None for these in of_frames])
    return found[0], found[1]


def wrench_returns(frames: MovingFrames) -> Array:
    """Return the transforms of wrenches from frames at zero to their parents, (F, 6, 6)."""
    rotations, origins = frames.offsets[:, :3, :3], frames.offsets[:, :3, 3]
    matrices = np.zeros((frames.count, 6, 6))
    matrices[:, :3, :3] = matrices[:, 3:, 3:] = rotations
    matrices[:, 3:, :3] = np.einsum('ijk,fj,fkl->fil', CROSS, origins, rotations)
    return matrices


_PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
_IS_PRODUCT = np.array([[[pair in ((i, j), (j, i)) for pair in _PRODUCTS] for j in range(3)]
                        for i in range(3)], dtype=float)
"""Selection of the product of components i and j, shape (3, 3, 6)."""

_RATES, _STATES, _WRENCHES, _LOADS = Scratch(), Scratch(), Scratch(), Scratch()


class NewtonEuler:
    """
    Efforts for motions.

    :param axes: of the frames of the tree.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        self._frames = frames = tree.frames
        self._axes = axes
        self._parents: list[int] = frames.parents.tolist()
        self._rotations, self._slides = axes_of_frames(axes)
        rotations = frames.offsets[:, :3, :3].swapaxes(1, 2)
        self._steps = np.zeros((frames.count, 9, 15))
        self._steps[:, :3, :3] = self._steps[:, 3:6, 3:6] = rotations
        self._steps[:, 6:, 3:] = rotations @ _accelerations(
            np.ones(frames.count), frames.offsets[:, :3, 3])
        self._wrenches = _wrenches(body_inertias(tree))
        self._returns = wrench_returns(frames)
        self._components = (
            6 * axes.rows + axes.columns + 3 * (np.arange(len(axes.rows)) < axes.rotations))

    def __call__(self, positions: Array, velocities: Array, accelerations: Array,
                 gravity: Array) -> Array:
        """
        Return the efforts about and along the axes.

        :param positions: shape (b, n).
        :param velocities: shape (nv, b), as the accelerations.
        :param gravity: shape (3, 1).
        :return: shape (A, b).
        """
        motions = BodyMotions(self._frames, positions)
        shape = len(self._axes.rows), 2, len(positions)
        both, signed = _RATES.arrays(shape, shape)
        rates, changes = both[:, 0], both[:, 1]
        self._axes.rates(velocities, rates)
        self._axes.rates(accelerations, changes)
        signed[:, 0] = rates
        np.negative(rates, out=signed[:, 1])
        # Angular velocity, angular acceleration, acceleration of the origin; products of the
        # components of the first. The wrench that a body needs is linear in all but the first.
        count = self._frames.count
        states = _STATES.array(count, 15, len(positions))
        states[0] = 0
        states[0, 6:9] = -gravity
        for frame in range(1, count):
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
        wrenches = _WRENCHES.array(count, 6, len(positions))
        return self._loads(motions, np.matmul(self._wrenches, states[:, 3:], out=wrenches))

    def _slide(self, vectors: Array, slides: Indices, turns: Indices | None, rates: Array,
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

    def _loads(self, motions: BodyMotions, wrenches: Array) -> Array:
        """Propagate wrenches of the bodies, shape (F, 6, b), to their parents."""
        for frame in range(self._frames.count - 1, 0, -1):
            parent, wrench = self._parents[frame], wrenches[frame]
            if parent:
                if motions.is_floating(frame):
                    wrench = wrench.copy()
                motions.turn_wrenches(frame, wrench.reshape(2, 3, 1, -1))
                wrenches[parent] += self._returns[frame] @ wrench
        return np.take(wrenches.reshape(-1, wrenches.shape[-1]), self._components, axis=0,
                       mode='clip', out=_LOADS.array(len(self._components), wrenches.shape[-1]))


def _accelerations(masses: Array, moments: Array) -> Array:
    """
    Return the matrices for mass times acceleration of rotating bodies.

    :param moments: mass times centre of mass of each, shape (F, 3).
    :return: to multiply with the angular acceleration, the acceleration of the origin and the
        products of the angular velocity, shape (F, 3, 12).
    """
    matrices = np.empty((len(masses), 3, 12))
    matrices[..., :3] = np.einsum('ijk,fk->fij', CROSS, moments)
    matrices[..., 3:6] = masses[:, None, None] * np.eye(3)
    matrices[..., 6:] = np.einsum('ikq,fk->fiq', _IS_PRODUCT, moments)
    matrices[..., 6:9] -= moments[..., None]
    return matrices


def _wrenches(inertias: Array) -> Array:
    """Return the matrices for forces and torques of bodies, likewise, shape (F, 6, 12)."""
    masses, moments, second = inertias[:, 3, 3], inertias[:, :3, 3], inertias[:, :3, :3]
    matrices = np.empty((len(inertias), 6, 12))
    matrices[:, :3] = _accelerations(masses, moments)
    matrices[:, 3:, :3] = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    matrices[:, 3:, 3:6] = np.einsum('ijk,fj->fik', CROSS, moments)
    matrices[:, 3:, 6:] = np.einsum('ijk,fjl,klq->fiq', CROSS, second, _IS_PRODUCT)
    return matrices


def _move(vectors: Array, shift: Array) -> None:
    """Shift an acceleration to a point displaced in the body, shape (3, 3, b)."""
    spin, turn, rise = vectors
    rise += cross(turn, shift) + cross(spin, cross(spin, shift))


def _multiply(vector: Array, out: Array) -> None:
    """Compute the products of components, shape (6, b)."""
    np.multiply(vector, vector, out=out[:3])
    np.multiply(vector[:2], vector[1:], out=out[3:5])
    np.multiply(vector[2], vector[0], out=out[5])


_ENTRIES = ((0, 3), (1, 3), (2, 3), (0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0), (3, 3))
"""Independent entries of a pseudo-inertia: first moments, second moments, mass."""

_PLACES = [4 * i + j for i, j in _ENTRIES]

_FROM_ENTRIES = np.array([[float(sorted(entry) == sorted((i, j))) for entry in _ENTRIES]
                          for i in range(4) for j in range(4)])
"""These entries to a pseudo-inertia as a vector, shape (16, 10)."""

_MOMENTA = Scratch()


class _Target(NamedTuple):
    """
    Destination of the products of an axis with some that follow it.

    :param variable: of the axis.
    :param is_shared: whether other axes have the same variable, because of mimic joints.
    :param variables: of the products, each once.
    :param factors: of the products, shape (k, 1), or what adds them up by variable,
        shape (variables, k).
    """

    variable: int
    is_shared: bool
    variables: Indices | slice
    factors: Array


class CompositeBodies:
    """
    The mass matrix.

    Of a body that turns about or slides along its axis c, with the axes a and b after it, ten
    numbers are kept: first moments a and b; second moments ca and cb; half the difference of aa
    and bb, and ab; the sum of aa and bb; first moment c; cc; the mass. The first three pairs turn
    like vectors, the third one by twice the angle. Of momenta, linear b and minus a, and angular
    minus a and minus b do; linear c and angular c follow.

    :param axes: of the frames of the tree.
    """

    def __init__(self, tree: KinematicTree, axes: MotionAxes):
        self._frames = frames = tree.frames
        self._parents: list[int] = frames.parents.tolist()
        self._levels: list[int] = frames.levels.tolist()
        bodies = np.array([_body_basis(axis) for axis in range(3)])
        momenta = np.array([_momentum_basis(axis) for axis in range(3)])
        above = frames.axes[frames.parents]
        moved = np.einsum('fij,fkl->fikjl', *[frames.offsets] * 2).reshape(-1, 16, 16)
        self._bodies, self._momenta = bodies[frames.axes], momenta[frames.axes]
        self._entries = _FROM_ENTRIES @ np.linalg.inv(bodies)[frames.axes]
        self._steps = bodies[above] @ moved[:, _PLACES] @ self._entries
        self._returns = momenta[above] @ wrench_returns(frames) @ self._momenta.swapaxes(1, 2)
        self._inertias = self._bodies @ body_inertias(tree).reshape(-1, 16)[:, _PLACES, None]
        self._set_order(axes)

    def _set_order(self, axes: MotionAxes) -> None:
        """Bring the axes into an order in which those of a branch are consecutive."""
        children: list[list[int]] = [[] for _ in self._parents]
        for frame, parent in enumerate(self._parents[1:], 1):
            children[parent].append(frame)
        order: list[int] = []
        self._own: dict[int, list[tuple[int, float, Array]]] = {}
        self._branches: dict[int, slice] = {}
        pending = [(0, -1)]
        while pending:
            frame, start = pending.pop()
            if start >= 0:
                self._branches[frame] = slice(start, len(order))
                continue
            pending.append((frame, len(order)))
            pending += [(child, -1) for child in reversed(children[frame])]
            own = np.flatnonzero(axes.rows == frame).tolist()
            self._own[frame] = [
                self._unit(frame, int(axes.columns[axis]), axis < axes.rotations) for axis in own]
            order += own
        self._count = len(order)
        variables, multipliers = axes.velocities[order], axes.multipliers[order]
        is_shared = np.bincount(variables, minlength=1)[variables] > 1
        self._targets = []
        for frame in sorted(self._own, key=lambda frame: self._branches[frame].start):
            for axis, (_, sign, _) in enumerate(self._own[frame], self._branches[frame].start):
                places = slice(axis, self._branches[frame].stop)
                self._targets.append(_target(
                    variables[places], sign * multipliers[axis] * multipliers[places],
                    bool(is_shared[axis])))

    def _unit(self, frame: int, axis: int, is_rotation: bool) -> tuple[int, float, Array]:
        """
        Return the momentum data of an axis of a frame.

        :return: which number of a momentum it is, its sign, and what takes a body to its momentum
            for a unit rate, shape (6, 10).
        """
        basis = self._momenta[frame]
        row = int(np.flatnonzero(basis[:, axis + 3 * is_rotation])[0])
        return row, float(basis[row, axis + 3 * is_rotation]), (
            basis @ _momentum(axis, is_rotation) @ self._entries[frame][_PLACES])

    def __call__(self, positions: Array, out: Array) -> None:
        """
        Compute the mass matrix.

        :param positions: shape (b, n).
        :param out: of zeros, for the result, shape (nv, nv, b).
        """
        motions, count = BodyMotions(self._frames, positions), len(positions)
        # A product is not written where it is read: levels of the tree take turns.
        memory = _MOMENTA.array(2, 6, self._count * count)
        sums: dict[int, Array] = {}
        for frame in range(self._frames.count - 1, 0, -1):
            branch = sums.pop(frame, None)
            if branch is None:
                branch = np.empty((10, count))
                branch[:] = self._inertias[frame]
            axes, level, parent = (
                self._branches[frame], self._levels[frame] % 2, self._parents[frame])
            columns = slice(axes.start * count, axes.stop * count)
            momenta = memory[level, :, columns].reshape(6, -1, count)
            for place, (_, _, unit) in enumerate(self._own[frame]):
                np.matmul(unit, branch, out=momenta[:, place])
            for place, (row, _, _) in enumerate(self._own[frame]):
                self._write(axes.start + place, momenta[row, place:], out)
            if parent:
                self._turn_back(frame, motions, branch, momenta)
                np.matmul(self._returns[frame], memory[level, :, columns],
                          out=memory[1 - level, :, columns])
                moved = self._steps[frame] @ branch
                moved += sums.get(parent, self._inertias[parent])
                sums[parent] = moved

    def _write(self, axis: int, products: Array, out: Array) -> None:
        """Write the products of an axis with those that follow it, itself first."""
        variable, is_shared, variables, factors = self._targets[axis]
        if isinstance(variables, slice):
            out[variables, variable] = np.multiply(products, factors, out=out[variable, variables])
        elif not is_shared:
            out[variables, variable] = out[variable, variables] = factors @ products
        else:
            products = factors @ products
            out[variables, variable] += products
            out[variable, variables] += products

    def _turn_back(self, frame: int, motions: BodyMotions, branch: Array, momenta: Array) -> None:
        """Transform a branch and its momenta, shape (6, m, b), to the pose without the joint."""
        if frame in motions.angles:
            cosines, sines = motions.angles[frame]
            turn(momenta[:4].reshape(2, 2, *momenta.shape[1:]).swapaxes(1, 2), cosines,
                 sines[::-1])
            # Those of the momentum about its own axis are the same.
            branch[:4] = momenta[:4, 0]
            for _ in range(2):
                turn(branch[4:6], cosines, sines[::-1])
        elif motions.is_floating(frame):
            body = (self._entries[frame] @ branch).reshape(4, 4, -1)
            for part in (body, body.swapaxes(0, 1)):
                motions.turn(frame, part[:, :3], is_back=True)
                part[:, :3] += part[:, 3:] * motions.shifts[frame]
            branch[:] = self._bodies[frame] @ body.reshape(16, -1)[_PLACES]
            wrenches = np.tensordot(self._momenta[frame].T, momenta, 1)
            motions.turn_wrenches(frame, wrenches.reshape(2, 3, *momenta.shape[1:]))
            momenta[:] = np.tensordot(self._momenta[frame], wrenches, 1)
        else:
            distance = motions.shifts[frame][self._frames.axes[frame]]
            branch[2:4] += distance * branch[:2]
            branch[8] += distance * (2 * branch[7] + distance * branch[9])
            branch[7] += distance * branch[9]
            momenta[2:4] += distance * momenta[:2]


def _target(variables: Indices, factors: Array, is_shared: bool) -> _Target:
    """
    Return the destination of products of an axis with some that follow it.

    :param variables: of these axes, first its own.
    :param factors: of the products, shape (k,).
    """
    variable = int(variables[0])
    if not is_shared and (np.diff(variables) == 1).all():
        places = slice(variable, variable + len(variables))
        return _Target(variable, is_shared, places, factors[:, None])
    unique, rows = np.unique(variables, return_inverse=True)
    matrix = np.zeros((len(unique), len(variables)))
    matrix[rows, np.arange(len(variables))] = factors
    if is_shared:
        # Its product with itself is added twice.
        matrix[:, 0] /= 2
    return _Target(variable, is_shared, unique, matrix)


def _body_basis(axis: int) -> Array:
    """Return the matrix from entries of a pseudo-inertia to the numbers of a body, (10, 10)."""
    a, b, c = (axis + 1) % 3, (axis + 2) % 3, axis

    def second(i: int, j: int) -> int:
        return next(place for place, entry in enumerate(_ENTRIES) if set(entry) == {i, j})

    basis = np.zeros((10, 10))
    for row, place in enumerate((
            a, b, second(c, a), second(c, b), second(a, a), second(a, b), second(a, a), c,
            second(c, c), 9)):
        basis[row, place] = 0.5 if row == 4 else 1
    basis[4, second(b, b)], basis[6, second(b, b)] = -0.5, 1
    return basis


def _momentum_basis(axis: int) -> Array:
    """Return the matrix from linear and angular momentum to the numbers that are kept, (6, 6)."""
    a, b, c = (axis + 1) % 3, (axis + 2) % 3, axis
    basis = np.zeros((6, 6))
    basis[range(6), (b, a, 3 + a, 3 + b, c, 3 + c)] = 1, -1, -1, -1, 1, 1
    return basis


def _momentum(axis: int, is_rotation: bool) -> Array:
    """Return the map from entries to linear and angular momentum at unit rate, (6, 10)."""
    unit, momentum = np.eye(3)[axis], np.zeros((6, 10))
    if not is_rotation:
        momentum[:3, 9] = unit
        momentum[3:, :3] = CROSS[:, :, axis]
        return momentum
    momentum[:3, :3] = CROSS[:, axis]
    momentum[3:, 3:6] = unit[:, None]
    momentum[3:] -= _FROM_ENTRIES.reshape(4, 4, 10)[:3, axis] * (np.arange(10) > 2)
    return momentum
