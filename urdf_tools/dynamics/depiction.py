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

"""Graphics of an inertia: a sphere at the centre of mass, and an equivalent solid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.dynamics.spatial import Verdict
from urdf_tools.model.records import Rgba
from urdf_tools.types import Array


SOLIDS = {'box': 12.0, 'ellipsoid': 20.0}
"""Name of an equivalent solid to ``m size^2`` over its second moments along the same axis."""

LEAD = 11340.0
"""
Density in kg/m^3 of the spheres at the centres of mass.

A sphere is as large as the mass would be in lead, as in RViz's display of masses.
"""

THINNEST = 1e-3
"""Smallest extent that is drawn, in metres: RViz does not show flat markers."""


def equivalent_solid(body: SpatialInertia, solid: str) -> tuple[Array, Array]:
    """
    Return the solid of uniform density that has the mass and inertia of a body.

    It inverts the principal moments ``m / 12 (y^2 + z^2)``, ... of a box of size (x, y, z), or
    ``m / 20 (y^2 + z^2)``, ... of an ellipsoid. A physically inconsistent inertia has no such
    solid: the size is zero along the axes on which the triangle inequality is broken, and along
    all axes unless the mass is positive.

    :param body: finite, without leading dimensions.
    :param solid: one of :data:`SOLIDS`.
    :return: full extent along each axis, in metres, shape (3,); the principal axes of the body,
        as the columns of a rotation matrix, shape (3, 3).
    """
    principal = body.principal()
    size = np.zeros(3)
    if body.mass > 0:
        # The integrals of x^2 dm, y^2 dm and z^2 dm along the principal axes.
        second_moments = principal.moments.sum() / 2 - principal.moments
        size = np.sqrt(SOLIDS[solid] * second_moments.clip(min=0.0) / body.mass)
    return size, principal.axes


@dataclass(frozen=True)
class Style:
    """The colours of a body: red, green, blue and opacity."""

    com: Rgba
    solid: Rgba


LINK = Style((1.0, 0.8, 0.0, 1.0), (0.2, 0.5, 1.0, 0.4))
ROBOT = Style((0.0, 0.7, 0.3, 1.0), (0.0, 0.7, 0.3, 0.12))
INCONSISTENT = Style((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.6))
"""Style of a physically inconsistent inertia."""


@dataclass(frozen=True, eq=False)
class Depiction:
    """
    Graphics of the inertia of a body, in the frame that the inertia is expressed in.

    :ivar com: centre of the sphere and of the solid in metres, shape (3,).
    :ivar diameter: of the sphere at the centre of mass, in metres, at least :data:`THINNEST`.
    :ivar size: extents of the solid in metres, none below :data:`THINNEST`, shape (3,).
    :ivar axes: axes of the solid, as the columns of a rotation matrix, shape (3, 3).
    """

    com: Array
    diameter: float
    size: Array
    axes: Array
    style: Style


def depict(body: SpatialInertia, style: Style, solid: str = 'box') -> Depiction | None:
    """
    Return the graphics of an inertia; None if it is massless or not finite.

    :param body: without leading dimensions.
    :param style: of a consistent inertia.
    :param solid: one of :data:`SOLIDS`.
    """
    verdict = body.consistency().verdict
    if verdict in (Verdict.MASSLESS, Verdict.NOT_FINITE):
        return None
    size, axes = equivalent_solid(body, solid)
    diameter = float(np.cbrt(6 / np.pi * abs(body.mass) / LEAD))
    return Depiction(body.com, max(diameter, THINNEST), size.clip(min=THINNEST), axes,
                     style if verdict is Verdict.CONSISTENT else INCONSISTENT)
