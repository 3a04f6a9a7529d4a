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

"""The payload that explains the efforts of a robot at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.dynamics import GRAVITY
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.least_squares import Fit
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.transforms import Array

_PRIOR = 3.0
"""
Postures in which a joint is taken to have the friction of all, besides those that were observed.

From a few postures alone, a joint that fits by chance would count most.
"""

_PARTS = 20


class Payload(NamedTuple):
    """
    A mass at a link, besides those of the model.

    :param link: name of the link.
    :param mass: in kg.
    :param centre: its centre of mass in the frame of the link, in m, shape (3,).
    :param mass_error: standard error of the mass; infinite if the postures do not determine it.
    :param centre_errors: those of the centre, likewise, shape (3,).
    :param rest: name of a joint to the root mean square of the efforts that are left over.
    """

    link: str
    mass: float
    centre: Array
    mass_error: float
    centre_errors: Array
    rest: dict[str, float]


def identify_payload(inverse: InverseDynamics, link: str, names: Sequence[str], positions: Array,
                     efforts: Array) -> Payload:
    """
    Return the payload at a link that explains the efforts at rest best.

    Gravity moves a joint by what is linear in the mass and its first moment (Atkeson, An and
    Hollerbach, 1986). Joints that fit worse, because of their friction, count less. The standard
    errors are those of a jackknife over the postures, and, for few of them, of Student's
    distribution, but not below those from what is left over.

    :param names: joints that report efforts.
    :param positions: of still postures, in rad and m, shape (B, n).
    :param efforts: of these joints, in N m and N, shape (B, k).
    """
    rows = [inverse.tree.velocity_index[name] for name in names]
    poses, jacobians = Jacobian(inverse.tree, link).with_poses(positions)
    up = -np.array(GRAVITY) @ poses[:, :3, :3]
    linear, angular = jacobians[:, :3, rows], jacobians[:, 3:, rows]
    columns = np.concatenate([
        np.einsum('bi,bij->bj', up, linear)[..., None],
        np.cross(up[:, None], angular.transpose(0, 2, 1))], axis=2)
    target = efforts - np.atleast_2d(inverse(positions))[:, rows]
    fit = _fitted(columns, target)
    found = _mass_and_centre(fit)
    errors = np.maximum(_jackknife(columns, target, found), _propagated(fit.covariance, found))
    errors[np.isinf(fit.errors) | np.isinf(fit.errors[0])] = np.inf
    rest = target - columns @ fit.values
    return Payload(link, float(found[0]), found[1:], float(errors[0]), errors[1:], dict(zip(
        names, np.sqrt(np.mean(np.square(rest), axis=0)).tolist())))


def _fitted(columns: Array, target: Array) -> Fit:
    """Return the fit in which each joint has a weight by how well it fits without weights."""
    weights = np.ones(target.shape[1])
    for _ in range(2):
        fit = least_squares((columns * weights[:, None]).reshape(-1, 4),
                            (target * weights).reshape(-1))
        squares = np.square(target - columns @ fit.values)
        weights = 1 / np.sqrt(squares.sum(axis=0) + _PRIOR * squares.mean() + 1e-18)
    return fit


def _mass_and_centre(fit: Fit) -> Array:
    return np.append(fit.values[0], fit.values[1:] / (fit.values[0] or 1.0))


def _propagated(covariance: Array, found: Array) -> Array:
    """Return the standard errors of a mass and its centre from those of its first moment."""
    slopes = np.eye(4)
    slopes[1:] = np.column_stack([-found[1:], slopes[1:, 1:]]) / (found[0] or 1.0)
    errors: Array = np.sqrt(np.einsum('ij,jk,ik->i', slopes, covariance, slopes))
    return errors


def _jackknife(columns: Array, target: Array, found: Array) -> Array:
    """Return by how much what was found varies if some of the postures are left out."""
    if len(target) < 2:
        return np.full(len(found), np.inf)
    parts = np.array_split(np.arange(len(target)), min(len(target), _PARTS))
    others = np.array([_mass_and_centre(_fitted(
        np.delete(columns, part, axis=0), np.delete(target, part, axis=0))) for part in parts])
    freedom = len(parts) - 1
    # Twice this is what Student's distribution is within in 95 % of all cases.
    student = 1 + 1 / freedom + 3 / freedom ** 2
    variances = np.square(others - found).sum(axis=0) * freedom / len(parts)
    errors: Array = student * np.sqrt(variances)
    return errors
