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
"""What is drawn of an inertia: a sphere at the centre of mass, and an equivalent solid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from urdf_tools.inertia.equivalents import equivalent_box
from urdf_tools.inertia.equivalents import equivalent_ellipsoid
from urdf_tools.inertia.equivalents import EquivalentSolid
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.inertia.spatial import Verdict
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.robot import Rgba

SOLIDS = {'box': equivalent_box, 'ellipsoid': equivalent_ellipsoid}
"""Name of an equivalent solid to the function that computes it."""

LEAD = 11340.0
"""
Density in kg/m^3 of the spheres at the centres of mass.

A sphere is as large as the mass would be in lead, as in RViz's display of masses.
"""

THINNEST = 1e-3
"""Smallest extent of what is drawn, in metres: RViz does not show flat markers."""


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
    What is drawn of the inertia of a body, in the frame that the inertia is expressed in.

    :ivar com: centre of the sphere and of the solid in metres, shape (3,).
    :ivar diameter: of the sphere at the centre of mass, in metres, at least :data:`THINNEST`.
    :ivar solid: with no extent below :data:`THINNEST`.
    """

    com: Array
    diameter: float
    solid: EquivalentSolid
    style: Style


def depict(body: SpatialInertia, style: Style, solid: str = 'box') -> Depiction | None:
    """
    Return what is drawn of an inertia; None if it is massless or not finite.

    :param body: without leading dimensions.
    :param style: of a consistent inertia.
    :param solid: one of :data:`SOLIDS`.
    """
    verdict = body.consistency().verdict
    if verdict in (Verdict.MASSLESS, Verdict.NOT_FINITE):
        return None
    shape = SOLIDS[solid](body)
    diameter = float(np.cbrt(6 / np.pi * abs(body.mass) / LEAD))
    return Depiction(
        body.com, max(diameter, THINNEST),
        EquivalentSolid(shape.axes, shape.size.clip(min=THINNEST)),
        style if verdict is Verdict.CONSISTENT else INCONSISTENT)
