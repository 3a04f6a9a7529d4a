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
The inertia of solid primitives of uniform density, in closed form.

The density is one: the mass is the volume in m^3. Use
:meth:`~urdf_tools.dynamics.spatial.SpatialInertia.scaled` for another density and
:meth:`~urdf_tools.dynamics.spatial.SpatialInertia.with_mass` for a mass.
"""

from __future__ import annotations

from math import pi
from math import prod

import numpy as np
import numpy.typing as npt

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere

_LARGEST = 1e50
"""Largest dimension in metres without overflow."""

Primitive = Box | Cylinder | Sphere | Capsule


def solid(shape: Primitive) -> SpatialInertia:
    """
    Return the inertia of a primitive of density 1 kg/m^3, in the frame of the shape.

    :raises ValueError: a dimension is not positive, or too large.
    """
    if not isinstance(shape, Primitive):
        raise TypeError(f'{type(shape).__name__} is not a primitive')
    _check_dimensions(type(shape).__name__.lower(), **vars(shape))
    if isinstance(shape, Box):
        mass = prod(shape.size)
        x, y, z = (mass / 12 * side**2 for side in shape.size)
        return SpatialInertia(mass, np.zeros(3), np.diag([y + z, x + z, x + y]))
    square, ball = shape.radius**2, 4 / 3 * pi * shape.radius**3
    if isinstance(shape, Sphere):
        return _round(ball, 2 / 5 * ball * square, 2 / 5 * ball * square)
    cylinder = pi * square * shape.length
    across, along = cylinder * (3 * square + shape.length**2) / 12, cylinder * square / 2
    if isinstance(shape, Cylinder):
        return _round(cylinder, across, along)
    offset = shape.length / 2 + 3 / 8 * shape.radius  # The centre of mass of each hemisphere.
    return _round(cylinder + ball, across + ball * (83 / 320 * square + offset**2),
                  along + 2 / 5 * ball * square)


def cone(radius: float, height: float) -> SpatialInertia:
    """
    Return the inertia of a cone of density 1 kg/m^3, with the origin at half its height.

    Its axis is z and its tip points up, as in ``shape_msgs/SolidPrimitive``; URDF has no cones.

    :raises ValueError: a dimension is not positive, or too large.
    """
    _check_dimensions('cone', radius=radius, height=height)
    square, mass = radius ** 2, pi / 3 * radius ** 2 * height
    return _round(mass, 3 / 80 * mass * (4 * square + height ** 2), 3 / 10 * mass * square,
                  -height / 4)


def ellipsoid(radii: npt.ArrayLike) -> SpatialInertia:
    """Return the inertia of an ellipsoid of density 1 kg/m^3 about its axes."""
    squares, volume = np.square(radii), 4 / 3 * pi * float(np.prod(np.asarray(radii)))
    return SpatialInertia(volume, np.zeros(3), np.diag(volume / 5 * (squares.sum() - squares)))


def _check_dimensions(kind: str, **dimensions: npt.ArrayLike) -> None:
    for name, value in dimensions.items():
        for number in (value,) if isinstance(value, float) else np.ravel(value).tolist():
            if not 0 < number < _LARGEST:
                raise ValueError(
                    f'the {name} of the {kind} is {number:g}; it has to be positive and finite')


def _round(mass: float, across: float, along: float, height: float = 0.0) -> SpatialInertia:
    """
    Return a body that is symmetric about z.

    :param across: moment of inertia about x and y.
    :param along: moment of inertia about z.
    :param height: z of the centre of mass.
    """
    return SpatialInertia(mass, np.array([0.0, 0.0, height]), np.diag([across, across, along]))
