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
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.types import Array

_PRIOR = 3.0
"""
Postures in which a joint is taken to fit as well as all, besides those that were observed.

Otherwise those that fit by chance would count most, and the errors would be too small.
"""


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
    Hollerbach, 1986). Joints that fit worse, because of their friction, count less.

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
    weights = np.ones(len(names))
    for _ in range(2):
        fit = least_squares((columns * weights[:, None]).reshape(-1, 4),
                            (target * weights).reshape(-1))
        rest = target - columns @ fit.values
        squares = np.square(rest)
        weights = 1 / np.sqrt(squares.sum(axis=0) + _PRIOR * squares.mean() + 1e-18)
    # The weight of a joint is known from as many values as there are postures.
    covariance = fit.covariance * (1 + len(names) / len(positions))
    mass, centre = float(fit.values[0]), fit.values[1:] / (fit.values[0] or 1.0)
    slopes = np.column_stack([-centre, np.eye(3)]) / (mass or 1.0)
    errors = np.sqrt(np.einsum('ij,jk,ik->i', slopes, covariance, slopes))
    errors[np.isinf(fit.errors[1:]) | np.isinf(fit.errors[0])] = np.inf
    mass_error = float(np.sqrt(covariance[0, 0])) if np.isfinite(fit.errors[0]) else np.inf
    return Payload(link, mass, centre, mass_error, errors, dict(zip(
        names, np.sqrt(np.mean(np.square(rest), axis=0)).tolist())))
