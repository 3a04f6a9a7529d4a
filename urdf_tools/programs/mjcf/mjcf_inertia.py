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

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Link
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.mjcf.mjcf_xml import rounded

LEAST = 2e-15
"""Mass in kg and moments in kg m^2 of moving links without; MuJoCo refuses less than 1e-15."""

_NEGLIGIBLE = 1e-10
"""A change of moments, as a share of the largest, that the proof does not see."""


class BodyInertia(NamedTuple):
    """
    What is written for a link.

    :ivar mass: in kg.
    :ivar frame: of the principal axes, in that of the link.
    :ivar moments: the principal moments, which obey the triangle inequality as MuJoCo checks it.
    :ivar is_changed: whether it is not that of the description, within rounding.
    """

    mass: float
    frame: Pose
    moments: tuple[float, ...]
    is_changed: bool

    @property
    def record(self) -> Inertial:
        """The record of it, to compare with MuJoCo."""
        return Inertial(self.mass, self.moments[0], 0.0, 0.0, self.moments[1], 0.0,
                        self.moments[2], self.frame)


def body_inertia(link: Link, moves: bool, carries: bool, losses: list[Loss]) -> BodyInertia | None:
    """
    Return the inertia that a link gets, or None if it gets none.

    :param moves: whether a joint moves the link.
    :param carries: whether there is mass in the link or below it.
    :param losses: gets what is changed.
    """
    given = link.inertial or Inertial(0.0)
    matrix, axes = given.matrix, np.eye(3)
    if given.ixy or given.ixz or given.iyz:
        found = SpatialInertia(0.0, np.zeros(3), matrix).principal()
        moments, axes = found.moments, found.axes
    else:
        moments = np.diag(matrix)
    mass = max(given.mass, LEAST if moves else 0.0)
    allowed = _allowed(moments, LEAST if moves else 0.0)
    change = float(np.abs(allowed - moments).max(initial=0.0))
    is_changed = given.mass < 0 or change > max(_NEGLIGIBLE * np.abs(moments).max(), LEAST)
    losses += _losses(link, given, mass, moments, allowed, carries)
    if not mass and not allowed.any():
        return None
    w = Pose(given.origin.xyz, tuple(matrix_to_quaternion(given.origin.rotation @ axes).tolist()))
    return BodyInertia(mass, given.origin if np.array_equal(axes, np.eye(3)) else w,
                       tuple(allowed.tolist()), is_changed)


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


def _losses(link: Link, given: Inertial, mass: float, moments: Array, allowed: Array,
            carries: bool) -> Iterator[Loss]:
    where = link.element if given.element is None else given.element
    if mass != given.mass:
        yield loss('mass', Impact.CHANGES, where, (
            '{link} gets {least:g} kg, as MuJoCo takes no moving body without mass' if carries else
            '{link} gets {least:g} kg, as nothing that its joint moves has mass')
            if given.mass >= 0 else 'The mass of {link} is {given:g} kg, and becomes {least:g} kg',
            hint='' if carries and given.mass >= 0 else 'Give it its mass and inertia',
            least=mass, given=given.mass, is_harmless=carries and given.mass >= 0)
    change = float(np.abs(allowed - moments).max())
    largest = float(np.abs(moments).max())
    if change > _NEGLIGIBLE * largest and (given.mass > 0 or largest > 0):
        yield loss('inertia', Impact.CHANGES, where, (
            'The principal moments of {link}, {before}, get {least:g} kg m^2, as MuJoCo takes no '
            'moving body with less' if change <= LEAST else
            'The principal moments of {link}, {before}, are not those of a body, and become '
            '{after}'), hint='' if change <= LEAST else 'Correct the inertia',
            is_harmless=change <= LEAST, least=LEAST, before=_shown(moments),
            after=_shown(allowed))


def _shown(moments: Array) -> str:
    return ' '.join(f'{each:.4g}' for each in moments.tolist())
