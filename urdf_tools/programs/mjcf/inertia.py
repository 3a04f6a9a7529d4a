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

"""Masses and inertias that MuJoCo accepts, as near to those of the description as can be."""

from __future__ import annotations

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Link
from urdf_tools.programs.accounts import Losses
from urdf_tools.programs.mjcf.xml import rounded
from urdf_tools.types import Array

LEAST = 2e-15
"""Mass in kg and moments in kg m^2 of moving links without; MuJoCo refuses less than 1e-15."""

_NEGLIGIBLE = 1e-10
"""A change of moments, as a share of the largest, that the proof does not see."""


def body_inertia(link: Link, moves: bool, carries: bool, losses: Losses
                 ) -> tuple[Inertial, bool] | None:
    """
    Return the inertia that a link gets, along its principal axes, or None if it gets none.

    The moments obey the triangle inequality as MuJoCo checks it.

    :param moves: whether a joint moves the link.
    :param carries: whether there is mass in the link or below it.
    :param losses: gets what is changed.
    :return: with it, whether it is another one than that of the description, beyond rounding.
    """
    given, least = link.inertial or Inertial(0.0), LEAST if moves else 0.0
    moments, origin = np.diag(given.matrix), given.origin
    if given.ixy or given.ixz or given.iyz:
        found = SpatialInertia(0.0, np.zeros(3), given.matrix).principal()
        moments = found.moments
        origin = Pose(origin.xyz, tuple(
            matrix_to_quaternion(origin.rotation @ found.axes).tolist()))
    mass, allowed = max(given.mass, least), _allowed(moments, least)
    noise = _NEGLIGIBLE * float(np.abs(moments).max())
    change = float(np.abs(allowed - moments).max())
    where = link.element if given.element is None else given.element
    if mass != given.mass:
        is_needed = carries and given.mass >= 0
        why = 'MuJoCo takes no moving body without mass' if carries else (
            'nothing that its joint moves has mass')
        losses.note('mass', Impact.CHANGES, where, '{link} gets {least:g} kg, as ' + why
                    if given.mass >= 0 else 'The mass of {link} is {given:g} kg, and becomes '
                    '{least:g} kg', hint='' if is_needed else 'Give it its mass and inertia',
                    least=mass, given=given.mass, is_harmless=is_needed)
    if change > noise and (given.mass > 0 or noise):
        is_little = change <= LEAST
        why = 'get {least:g} kg m^2, as MuJoCo takes no moving body with less' if is_little else (
            'are not those of a body, and become {after}')
        losses.note('inertia', Impact.CHANGES, where, 'The principal moments of {link}, {before}, '
                    + why, hint='' if is_little else 'Correct the inertia', is_harmless=is_little,
                    least=LEAST, before=_shown(moments), after=_shown(allowed))
    if not mass and not allowed.any():
        return None
    a, b, c = allowed.tolist()
    return (Inertial(mass, a, 0.0, 0.0, b, 0.0, c, origin),
            given.mass < 0 or change > max(noise, LEAST))


def _allowed(moments: Array, least: float) -> Array:
    """Return the nearest moments of at least so much that obey the triangle inequality."""
    order = np.argsort(moments)
    a, b, c = (rounded(max(each, least)) for each in moments[order].tolist())
    if c - a - b > _NEGLIGIBLE * c:
        excess = (c - a - b) / 3
        a, b = rounded(a + excess), rounded(b + excess)
    if c > a + b:
        c = rounded((a + b) * (1 - 1e-11))  # Rounding must not raise it above the sum.
    allowed = np.empty(3)
    allowed[order] = a, b, max(c, b)
    return allowed


def _shown(moments: Array) -> str:
    return ' '.join(f'{each:.4g}' for each in moments.tolist())
