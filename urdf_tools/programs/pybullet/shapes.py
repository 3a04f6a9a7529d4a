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
The inertia that PyBullet computes from the collision shapes of a link.

By default it ignores ``<inertia>`` and takes that of a box around the shapes, or that of the
only shape if it is placed at the centre of mass: ``calculateLocalInertia`` of ``btCompoundShape``,
``btPolyhedralConvexShape``, ``btSphereShape`` and ``btBoxShape``.
"""

from __future__ import annotations

import numpy as np

from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.pybullet.values import number
from urdf_tools.programs.pybullet.values import pose
from urdf_tools.programs.pybullet.values import vector
from urdf_tools.types import Array

MARGIN = 0.001
"""The width in metres that is added around shapes."""


_HULLS = ('cylinder', 'mesh')
"""The shapes that become convex hulls, which have twice the margin."""


def moments_of(mass: float, frame: Array, collisions: list[Element]) -> Array:
    """
    Return the moments of inertia of a link about the axes of its inertial frame.

    :param frame: homogeneous matrix of the inertial frame in that of the link.
    :return: in kg m^2, shape (3,); not a number if a mesh matters.
    """
    placed = [(invert(frame) @ pose(each).matrix, each.child('geometry')[0])
              for each in collisions]
    if not placed:
        return _of_box(mass, np.full(3, MARGIN))
    if len(placed) == 1 and np.array_equal(placed[0][0], np.eye(4)):
        shape = placed[0][1]
        if shape.tag == 'sphere':
            return 0.4 * mass * _half(shape) ** 2
        return _of_box(mass, _half(shape) + 3 * MARGIN * (shape.tag in _HULLS))
    low, high = zip(*(_bounds(*each) for each in placed))
    return _of_box(mass, (np.max(high, axis=0) - np.min(low, axis=0)) / 2 + MARGIN)


def _half(shape: Element) -> Array:
    """Return half the extents along its axes; NaN for a mesh, which is not read."""
    if shape.tag == 'box':
        return np.array(vector(shape.get('size', '')) or (0.0, 0.0, 0.0)) / 2
    radius, length = (number(shape.get(name, '')) for name in ('radius', 'length'))
    if shape.tag in _HULLS:
        radius, length = abs(radius), abs(length)
    return np.array({
        'sphere': (radius, radius, radius), 'cylinder': (radius, radius, length / 2),
        'capsule': (radius, radius, radius + length / 2)}.get(shape.tag, (np.nan,) * 3))


def _bounds(placement: Array, shape: Element) -> tuple[Array, Array]:
    rotation = np.eye(3) if shape.tag == 'sphere' else np.abs(placement[:3, :3])
    reach = rotation @ (_half(shape) + 2 * MARGIN * (shape.tag in _HULLS))
    return placement[:3, 3] - reach, placement[:3, 3] + reach


def _of_box(mass: float, half: Array) -> Array:
    squares = (2 * half) ** 2
    return np.asarray(mass / 12 * (squares.sum() - squares))
