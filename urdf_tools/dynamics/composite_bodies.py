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

"""The composite rigid body algorithm (Featherstone, 2008, section 6.2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.body_motions import body_inertias
from urdf_tools.dynamics.body_motions import BodyMotions
from urdf_tools.dynamics.body_motions import CROSS
from urdf_tools.dynamics.body_motions import turn
from urdf_tools.dynamics.body_motions import wrench_returns
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.types import Array
from urdf_tools.types import Indices

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
    :param factors: of the products, shape (k, 1); of shared ones, what adds them up by variable,
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
        elif is_shared:
            products = factors @ products
            out[variables, variable] += products
            out[variable, variables] += products
        else:
            out[variables, variable] = out[variable, variables] = factors * products

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
    if not is_shared and len({*variables.tolist()}) == len(variables):
        is_run = (np.diff(variables) == 1).all()
        places = slice(variable, variable + len(variables)) if is_run else variables
        return _Target(variable, is_shared, places, factors[:, None])
    unique, rows = np.unique(variables, return_inverse=True)
    matrix = np.zeros((len(unique), len(variables)))
    matrix[rows, np.arange(len(variables))] = factors
    # Its product with itself is added twice.
    matrix[:, 0] /= 2
    return _Target(variable, True, unique, matrix)


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
