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

"""The recursive Newton-Euler algorithm (Featherstone, 2008, section 5.3)."""

from __future__ import annotations

import numpy as np

from urdf_tools.dynamics.body_motions import axes_of_frames
from urdf_tools.dynamics.body_motions import body_inertias
from urdf_tools.dynamics.body_motions import BodyMotions
from urdf_tools.dynamics.body_motions import CROSS
from urdf_tools.dynamics.body_motions import wrench_returns
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.types import Array
from urdf_tools.types import Indices

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
