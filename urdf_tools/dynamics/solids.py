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

from collections.abc import Callable
from collections.abc import Mapping
from math import pi

import numpy as np
import numpy.typing as npt

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere

_LARGEST = 1e50
"""Largest dimension in metres without overflow."""

Primitive = Box | Cylinder | Sphere | Capsule


def solid(shape: Primitive) -> SpatialInertia:
    """
    Return the inertia of a primitive of density 1 kg/m^3, in the frame of the shape.

    :raises ValueError: a dimension is not positive, or too large.
    """
    if type(shape) not in _SOLIDS:
        raise TypeError(f'{type(shape).__name__} is not a primitive')
    _check_dimensions(type(shape).__name__.lower(), **vars(shape))
    return _SOLIDS[type(shape)](shape)


def cone(radius: float, height: float) -> SpatialInertia:
    """
    Return the inertia of a cone of density 1 kg/m^3, with the origin at half its height.

    Its axis is z and its tip points up, as in ``shape_msgs/SolidPrimitive``; URDF has no cones.

    :raises ValueError: a dimension is not positive, or too large.
    """
    _check_dimensions('cone', radius=radius, height=height)
    square = radius ** 2
    return _round(pi / 3 * square * height, 3 / 80 * (4 * square + height ** 2), 3 / 10 * square,
                  -height / 4)


def _check_dimensions(kind: str, **dimensions: npt.ArrayLike) -> None:
    for name, value in dimensions.items():
        for number in (value,) if isinstance(value, float) else np.ravel(value).tolist():
            if not 0 < number < _LARGEST:
                raise ValueError(
                    f'the {name} of the {kind} is {number:g}; it has to be positive and finite')


def _centred(mass: float, moments: npt.ArrayLike) -> SpatialInertia:
    """Return a body with its centre of mass at the origin and its principal axes along xyz."""
    return SpatialInertia(mass, np.zeros(3), np.diag(moments))


def _round(mass: float, across: float, along: float, height: float = 0.0) -> SpatialInertia:
    """
    Return a body that is symmetric about z.

    :param across: moment of inertia about x and y, per mass.
    :param along: moment of inertia about z, per mass.
    :param height: z of the centre of mass.
    """
    return SpatialInertia(
        mass, np.array([0.0, 0.0, height]), np.diag([mass * across, mass * across, mass * along]))


def _solid_box(box: Box) -> SpatialInertia:
    length, width, height = box.size
    x, y, z = length**2, width**2, height**2
    volume = length * width * height
    return _centred(volume, [volume / 12 * square for square in (y + z, x + z, x + y)])


def _solid_cylinder(cylinder: Cylinder | Capsule) -> SpatialInertia:
    square = cylinder.radius ** 2
    return _round(
        pi * square * cylinder.length,
        (3 * square + cylinder.length ** 2) / 12, square / 2)


def _solid_sphere(sphere: Sphere) -> SpatialInertia:
    square = sphere.radius ** 2
    return _round(4 / 3 * pi * sphere.radius ** 3, 2 / 5 * square, 2 / 5 * square)


def _solid_capsule(capsule: Capsule) -> SpatialInertia:
    radius, length = capsule.radius, capsule.length
    square = radius ** 2
    cylinder, balls = pi * square * length, 4 / 3 * pi * radius ** 3
    offset = length / 2 + 3 / 8 * radius  # The centre of mass of each hemisphere.
    across = (cylinder * (3 * square + length ** 2) / 12
              + balls * (83 / 320 * square + offset ** 2))
    along = cylinder * square / 2 + balls * 2 / 5 * square
    return _centred(cylinder + balls, [across, across, along])


_SOLIDS: Mapping[type, Callable[..., SpatialInertia]] = {
    Box: _solid_box, Cylinder: _solid_cylinder, Sphere: _solid_sphere, Capsule: _solid_capsule}
