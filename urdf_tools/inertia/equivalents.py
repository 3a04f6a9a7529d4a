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

"""Boxes and ellipsoids of uniform density with the mass and inertia of a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array


@dataclass(frozen=True, eq=False)
class EquivalentSolid:
    """
    A box or an ellipsoid whose centre is the centre of mass of a body.

    :ivar axes: principal axes of the body, as the columns of a rotation matrix, shape (3, 3).
    :ivar size: full extent along each axis, in metres, shape (3,).
    """

    axes: Array
    size: Array


def equivalent_box(body: SpatialInertia) -> EquivalentSolid:
    """
    Return the box of uniform density that has the mass and inertia of a body.

    It inverts the principal moments ``m / 12 (y^2 + z^2)``, ... of a box of size (x, y, z). A
    physically inconsistent inertia has no such box: the size is zero along the axes on which the
    triangle inequality is broken, and along all axes unless the mass is positive.

    :param body: finite, without leading dimensions.
    """
    return _equivalent(body, 12)


def equivalent_ellipsoid(body: SpatialInertia) -> EquivalentSolid:
    """
    Return the ellipsoid of uniform density that has the mass and inertia of a body.

    It inverts the principal moments ``m / 20 (y^2 + z^2)``, ... of an ellipsoid of size (x, y, z).
    Physically inconsistent inertias are treated as by :func:`equivalent_box`.

    :param body: finite, without leading dimensions.
    """
    return _equivalent(body, 20)


def _equivalent(body: SpatialInertia, factor: float) -> EquivalentSolid:
    """Return the solid whose second moments are ``m size^2 / factor``."""
    principal = body.principal()
    size = np.zeros(3)
    if body.mass > 0:
        # The integrals of x^2 dm, y^2 dm and z^2 dm along the principal axes.
        second_moments = principal.moments.sum() / 2 - principal.moments
        size = np.sqrt(factor * second_moments.clip(min=0.0) / body.mass)
    return EquivalentSolid(principal.axes, size)
