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

"""Spatial inertia: mass, centre of mass and rotational inertia, and operations on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
import math

import numpy as np

from urdf_tools.kinematics.transforms import skew
from urdf_tools.model.robot import Inertial
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array

TOLERANCE = 1e-5
"""
Violation of the triangle inequality to tolerate, as a share of the largest principal moment.

Descriptions often have six digits, which rounds the moments of a thin body by as much.
"""

NEGLIGIBLE = 1e-12
"""Moments of inertia in kg m^2 that count as zero: a milligram within a millimetre."""

REPEATED = 1e-9
"""Difference of equal principal moments, as a share of the largest one."""


class Verdict(str, Enum):
    """Whether a mass and inertia are physically consistent; the value says why not."""

    CONSISTENT = 'consistent'
    MASSLESS = 'neither mass nor rotational inertia'
    NOT_FINITE = 'not finite'
    MASS = 'mass not positive'
    POINT_MASS = 'mass without rotational inertia'
    MOMENT = 'principal moment not positive'
    TRIANGLE = 'principal moments break the triangle inequality'


@dataclass(frozen=True)
class Consistency:
    """
    Whether a mass and inertia are physically consistent, and by what margin.

    :ivar margin: sum of the two smaller principal moments minus the largest one, as a share of
        the largest: 1 for a sphere, 0 for a plate, negative if they break the triangle inequality,
        NaN if all are zero or not finite.
    """

    verdict: Verdict
    margin: float

    def __bool__(self) -> bool:
        """Return whether they are consistent."""
        return self.verdict is Verdict.CONSISTENT


@dataclass(frozen=True, eq=False)
class PrincipalInertia:
    """
    Principal moments and axes: the axes along which there are no products of inertia.

    :ivar moments: ascending, in kg m^2, shape (3,).
    :ivar axes: principal axes, as the columns of a rotation matrix, shape (3, 3).
    """

    moments: Array
    axes: Array


@dataclass(frozen=True, eq=False)
class SpatialInertia(Suggesting):
    """
    Mass, centre of mass and rotational inertia of a rigid body, expressed in a frame.

    Products of inertia have the sign of the matrix entry, as in URDF: ``ixy`` is the negative of
    the integral of ``x y dm`` (see :func:`negate_products`). The arrays may have leading
    dimensions, such as one for the configurations of a robot, unless a method says otherwise.

    :ivar mass: in kg; negative for a part to remove.
    :ivar com: centre of mass in metres, shape (..., 3); undefined without mass.
    :ivar rotational: rotational inertia about the centre of mass, along the axes of the frame,
        in kg m^2, shape (..., 3, 3).
    """

    mass: float
    com: Array
    rotational: Array

    @classmethod
    def zero(cls) -> SpatialInertia:
        """Return zero mass and inertia."""
        return cls(0.0, np.zeros(3), np.zeros((3, 3)))

    @classmethod
    def from_inertial(cls, inertial: Inertial) -> SpatialInertia:
        """Return the inertia of an ``<inertial>`` element, expressed in the frame of its link."""
        rotation = inertial.origin.rotation
        return cls(
            inertial.mass, np.array(inertial.origin.xyz), rotation @ inertial.matrix @ rotation.T)

    @classmethod
    def from_moments(cls, mass: float, com: Array, second: Array) -> SpatialInertia:
        """
        Return the inertia of a body from its moments.

        :param second: integral of ``(x - c) (x - c)' dm`` around the centre of mass c, shape
            (3, 3).
        """
        return cls(mass, com, _from_second_moments(second))

    def scaled(self, factor: float) -> SpatialInertia:
        """Return the inertia of the same body with its density multiplied by a factor."""
        return SpatialInertia(factor * self.mass, self.com, factor * self.rotational)

    def with_mass(self, mass: float) -> SpatialInertia:
        """
        Return the inertia of the same body with another mass.

        :raises ValueError: its mass is zero.
        """
        if self.mass == 0:
            raise ValueError('a body without mass cannot be scaled to a mass')
        return self.scaled(mass / self.mass)

    def rotated(self, rotation: Array) -> SpatialInertia:
        """
        Return the inertia of the same body in a rotated frame with the same origin.

        :param rotation: matrix that takes coordinates to the other frame, shape (..., 3, 3).
        """
        return SpatialInertia(
            self.mass, (rotation @ self.com[..., None])[..., 0],
            rotation @ self.rotational @ np.swapaxes(rotation, -1, -2))

    def translated(self, offset: Array) -> SpatialInertia:
        """
        Return the inertia of the same body in a frame with parallel axes.

        :param offset: position of the present origin in the other frame, in metres, shape
            (..., 3).
        """
        return SpatialInertia(self.mass, self.com + offset, self.rotational)

    def transformed(self, transform: Array) -> SpatialInertia:
        """
        Return the inertia of the same body in another frame.

        :param transform: homogeneous matrix that takes coordinates to the other frame: the pose
            of the present frame in it, shape (..., 4, 4).
        """
        return self.rotated(transform[..., :3, :3]).translated(transform[..., :3, 3])

    def about(self, point: Array) -> Array:
        """
        Return the rotational inertia about any point by the parallel axis theorem.

        :param point: in metres, shape (..., 3).
        :return: in kg m^2, shape (..., 3, 3).
        """
        return self.rotational + self.mass * parallel_axis(self.com - point)

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        """Return the inertia of two bodies as one, both expressed in the same frame."""
        mass = self.mass + other.mass
        rotational = self.rotational + other.rotational
        if mass == 0:
            return SpatialInertia(mass, self.com, rotational)
        offset = other.com - self.com
        return SpatialInertia(mass, self.com + other.mass / mass * offset,
                              rotational + self.mass * other.mass / mass * parallel_axis(offset))

    def __neg__(self) -> SpatialInertia:
        """Return the negative inertia, which adds up to zero with this one."""
        return self.scaled(-1.0)

    def __sub__(self, other: SpatialInertia) -> SpatialInertia:
        """Return the inertia of the body without a part of it."""
        return self + -other

    @property
    def matrix(self) -> Array:
        """
        Spatial inertia matrix about the origin of the frame, shape (6, 6); no leading dimensions.

        Angular velocity comes first: twice the kinetic energy is ``x' M x`` for the twist
        ``x = (w, v)`` with the velocity v of the body at the origin (Featherstone, Rigid Body
        Dynamics Algorithms, 2008, equation 2.63).
        """
        moment = skew(self.mass * self.com)
        return np.block([[self.about(np.zeros(3)), moment], [moment.T, self.mass * np.eye(3)]])

    def pseudo_inertia(self) -> Array:
        """
        Return the pseudo-inertia matrix about the origin of the frame, shape (4, 4).

        It is the integral of ``(x, 1) (x, 1)' dm`` and becomes ``T J T'`` in another frame. The
        inertia is consistent if it is positive definite (Wensing, Kim and Slotine, IEEE RA-L
        2017). No leading dimensions.
        """
        moment = self.mass * self.com
        matrix = np.empty((4, 4))
        matrix[:3, :3] = (
            np.trace(self.rotational) / 2 * np.eye(3) - self.rotational
            + np.outer(moment, self.com))
        matrix[:3, 3] = matrix[3, :3] = moment
        matrix[3, 3] = self.mass
        return matrix

    def principal(self) -> PrincipalInertia:
        """
        Return the principal moments and axes about the centre of mass; no leading dimensions.

        The largest coordinate of each axis but one is positive; the last axis makes them a
        rotation. For repeated moments, whose axes are not unique, they are close to the axes of
        the frame, so that noise does not rotate them. The moments are NaN if the inertia is not
        finite.
        """
        if not np.isfinite(self.rotational).all():
            return PrincipalInertia(np.full(3, np.nan), np.eye(3))
        moments, axes = np.linalg.eigh(self.rotational)
        same = np.diff(moments) <= REPEATED * np.abs(moments).max()
        if same.all():
            axes = np.eye(3)
        elif same.any():
            alone = 2 if same[0] else 0
            axis = _positive(axes[:, alone])
            across = np.eye(3)[_first_largest(-np.abs(axis))]
            across = across - axis * (axis @ across)
            across /= np.linalg.norm(across)
            columns = [across, np.cross(axis, across)]
            columns.insert(alone, axis)
            axes = np.column_stack(columns)
        else:
            first, second = _positive(axes[:, 0]), _positive(axes[:, 1])
            axes = np.column_stack([first, second, np.cross(first, second)])
        return PrincipalInertia(moments, axes)

    def consistency(self, tolerance: float = TOLERANCE) -> Consistency:
        """
        Check whether this mass and inertia are physically consistent; no leading dimensions.

        :param tolerance: violation of the triangle inequality to tolerate, as a share of the
            largest principal moment.
        """
        if not all(np.isfinite(each).all() for each in (self.mass, self.com, self.rotational)):
            return Consistency(Verdict.NOT_FINITE, np.nan)
        return consistency(self.mass, np.linalg.eigvalsh(self.rotational).tolist(), tolerance)


def consistency(
        mass: float, moments: Sequence[float], tolerance: float = TOLERANCE) -> Consistency:
    """
    Check whether a mass and ascending principal moments are physically consistent.

    :param tolerance: as in :meth:`SpatialInertia.consistency`.
    """
    largest = max(map(abs, moments))
    if not (math.isfinite(mass) and all(map(math.isfinite, moments))):
        return Consistency(Verdict.NOT_FINITE, math.nan)
    first, second, third = (moment / largest for moment in moments) if largest else (math.nan,) * 3
    margin = first + second - third
    if mass <= 0:
        verdict = Verdict.MASSLESS if mass == 0 and largest < NEGLIGIBLE else Verdict.MASS
    elif largest < NEGLIGIBLE:
        verdict = Verdict.POINT_MASS
    elif moments[0] <= 0:
        verdict = Verdict.MOMENT
    else:
        verdict = Verdict.TRIANGLE if margin < -tolerance else Verdict.CONSISTENT
    return Consistency(verdict, margin)


def negate_products(rotational: Array) -> Array:
    """
    Convert between URDF's sign of the products of inertia and CAD's positive notation.

    :param rotational: rotational inertia, shape (..., 3, 3).
    :return: the same with the opposite sign of the off-diagonal entries.
    """
    return rotational * (2 * np.eye(3) - 1)


def parallel_axis(offset: Array) -> Array:
    """Return the rotational inertia of a unit mass at an offset, shape (..., 3, 3)."""
    return _from_second_moments(offset[..., :, None] * offset[..., None, :])


def _from_second_moments(moments: Array) -> Array:
    """Return the rotational inertia of a body from its integral of ``x x' dm``."""
    trace = np.trace(moments, axis1=-2, axis2=-1)
    return np.asarray(trace[..., None, None] * np.eye(3) - moments)


def _first_largest(values: Array) -> int:
    """Return the index of the first value that is the largest within noise."""
    return int(np.argmax(values > values.max() - REPEATED))


def _positive(axis: Array) -> Array:
    """Return an axis or its opposite, so that its largest coordinate is positive."""
    return axis if axis[_first_largest(np.abs(axis))] > 0 else -axis
