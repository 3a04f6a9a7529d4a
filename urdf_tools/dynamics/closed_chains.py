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
Inverse dynamics of closed chains: efforts of the joints that are driven, and forces in loops.

The efforts for a motion of the open tree are those of actuators and of the loops, ``J^T f`` with
the derivatives J of the loops' equations. Motions that loops allow, ``v = D u``, feel no loop
forces, so that the actuators' efforts are ``D^T`` times those of the tree; forces are what is left
(Featherstone, Rigid Body Dynamics Algorithms, chapter 8).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.types import Array

_CLOSED = 1e-6
"""Largest closure error in m and rad."""

_DEPENDENT = 1e-7
"""Ratio of singular values below which constraints follow from others."""

_STEP = 2e-3
"""Largest motion of a variable between points of a difference, in rad and m."""

_CHUNK = 256


@dataclass(frozen=True)
class LoopForces:
    """
    What moves a mechanism: efforts of joints that are driven, and forces in its loops.

    :param efforts: of the velocity variables in N m and N, zero where nothing drives them; turns
        of rods about themselves count as driven. Shape (nv,) or (B, nv).
    :param wrenches: what the parent link of each loop exerts on its child link: force in N at the
        origin of the loop on the child link, then torque in N m, along the axes of the loop on
        the parent link, on which the opposite acts at the same point. Of a gear, the last number
        is the effort on the joint of the child link, and minus ratio times it that on the other
        one. Shape (L, 6) or (B, L, 6).
    :param undetermined: which of these numbers depend on how the links deform, because loops
        constrain a motion more than once, such as forces across the plane of a four-bar of
        hinges. The smallest constraint forces are given. The same shape.
    """

    efforts: Array
    wrenches: Array
    undetermined: npt.NDArray[np.bool_]


class Motion(NamedTuple):
    """
    Configurations, velocities and accelerations of all variables, which close loops.

    :param positions: shape (B, n).
    :param velocities: shape (B, nv), as the accelerations; None if all is at rest.
    :param derivatives: velocities of all by the free ones, shape (B, nv, k).
    """

    positions: Array
    velocities: Array | None
    accelerations: Array | None
    derivatives: Array


class ClosedChain:
    """
    The loops of a mechanism, for its inverse dynamics.

    :param driven: names of the variables in loops that are driven, the independent ones by
        default; as many as determine the others.
    :raises KeyError: one does not exist.
    :raises ValueError: they are more or less than that.
    """

    def __init__(self, mechanism: Mechanism, driven: Collection[str] | None = None):
        self._mechanism, self._driven = mechanism, driven
        for name in driven or ():
            mechanism.tree.variable_index[name]
        known = mechanism.measured(driven)
        wrong = known.overdetermined | ~known.enough
        if wrong.any():
            group = mechanism.groups[int(wrong.argmax())]
            given = name_list([name for name in group.variables if name in {*(driven or ())}])
            raise ValueError(
                f'Loop {quote(group.loops[0].name)} leaves {group.mobility} of '
                f'{name_list(group.variables)} free: drive as many that determine the others, '
                f'not {given or "none"}')
        self._free = [mechanism.tree.velocity_index[name] for name in mechanism.free(driven)]
        self._following = mechanism.solver.velocity_of[known.following]
        rows = mechanism.constraints.loop_of_row
        self._rows = (rows == np.arange(len(mechanism.loops))[:, None]).astype(float)

    def motion(self, positions: Array, velocities: Array | None,
               accelerations: Array | None) -> Motion:
        """
        Return a motion of which loops determine a part.

        :param positions: shape (B, n).
        :param velocities: shape (B, nv), as the accelerations, those that follow ignored; None if
            all is at rest.
        :raises ValueError: loops are open, or a configuration is singular.
        """
        mechanism = self._mechanism
        errors = np.nan_to_num(np.maximum(*mechanism.constraints.errors(positions)), nan=np.inf)
        if errors.max(initial=0.0) > _CLOSED:
            row, loop = np.unravel_index(np.argmax(errors), errors.shape)
            raise ValueError(
                f'positions leave loop {quote(mechanism.loops[loop].name)} open by '
                f'{errors[row, loop]:.3g} m or rad; take those of close()')
        derivatives = mechanism.derivatives(positions, self._driven)
        if velocities is None or accelerations is None:
            return Motion(positions, None, None, derivatives)
        rates, changes = (
            (derivatives @ values[:, self._free, None])[..., 0]
            for values in (velocities, accelerations))
        _, matrices = mechanism.constraints.evaluate(positions)
        changes[:, self._following] -= (np.linalg.pinv(
            matrices[..., self._following]) @ self._curving(positions, rates)[..., None])[..., 0]
        return Motion(positions, rates, changes, derivatives)

    def _curving(self, positions: Array, velocities: Array) -> Array:
        """
        Return the second derivatives of the equations at constant velocities, shape (B, m).

        They are differences of sixth order, exact but for rounding.
        """
        fastest = np.abs(velocities).max(axis=1, keepdims=True, initial=0.0)
        span = _STEP / np.where(fastest > 0, fastest, np.inf)
        total = np.zeros((len(positions), self._mechanism.constraints.count))
        for step, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
            for way in (step, -step):
                moved = self._mechanism.tree.integrate(positions, way * span * velocities)
                _, matrices = self._mechanism.constraints.evaluate(moved)
                total += np.sign(way) * weight * (matrices @ velocities[..., None])[..., 0]
        total *= fastest / _STEP
        return total

    def forces(self, motion: Motion, efforts: Array) -> LoopForces:
        """
        Return the loop forces in a motion.

        :param efforts: that the open tree would need for it, shape (B, nv).
        """
        driven = np.zeros(efforts.shape)
        driven[:, self._free] = (motion.derivatives.swapaxes(1, 2) @ efforts[..., None])[..., 0]
        shape = (len(efforts), len(self._rows), 6)
        wrenches, undetermined = np.empty(shape), np.empty(shape, dtype=bool)
        for chunk in chunks_of(len(efforts), _CHUNK):
            positions, rest = motion.positions[chunk], (efforts - driven)[chunk, :, None]
            _, matrices = self._mechanism.constraints.evaluate(positions)
            left, values, right = np.linalg.svd(matrices, full_matrices=False)
            is_own = values > _DEPENDENT * values[:, :1]
            left *= is_own[:, None]
            shares = (right @ rest)[..., 0] / np.where(is_own, values, np.inf)
            twists = self._mechanism.constraints.twists(positions).swapaxes(1, 2)[:, None]
            # Of each loop, how its wrench follows from the forces of the constraints.
            twists = twists * self._rows[:, None]
            wrenches[chunk] = (twists @ (left @ shares[..., None])[:, None])[..., 0]
            unknown = twists - (twists @ left[:, None]) @ left.swapaxes(1, 2)[:, None]
            undetermined[chunk] = np.abs(unknown).max(axis=3) > _DEPENDENT**0.5
        return LoopForces(driven, wrenches, undetermined)
