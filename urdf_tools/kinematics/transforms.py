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

"""Rotations, rigid transforms and twists as arrays, and reusable scratch memory."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from threading import local

import numpy as np
import numpy.typing as npt

from urdf_tools.model.pose import Vector3
from urdf_tools.types import Array

_MOST = 2**22
"""Maximum count of numbers kept for reuse, 32 MiB."""

_ORTHONORMAL = 1e-4
"""Largest error of the product of a rotation and its transpose, for those of few digits."""

_SMALL = 1e-4
"""Angle in rad below which the series are exact to rounding."""


def results(shape: tuple[int, ...], out: Array | None) -> Array:
    """
    Return memory for results of many configurations, which come last in it.

    :param shape: configurations first.
    :param out: array to use instead.
    :raises ValueError: it has another shape.
    """
    if out is None:
        return np.moveaxis(np.empty((*shape[1:], shape[0])), -1, 0)
    if out.shape != shape:
        raise ValueError(f'out has the shape {out.shape}; expected {shape}')
    return out


def zeros(shape: tuple[int, ...], out: Array | None) -> Array:
    """Return the same, filled with zeros."""
    if out is None:
        return np.moveaxis(np.zeros((*shape[1:], shape[0])), -1, 0)
    results(shape, out)[:] = 0
    return out


def numbers(values: npt.ArrayLike, what: str) -> Array:
    """
    Return real numbers as an array.

    :param what: name of the values in errors.
    :raises TypeError: they are complex, or no numbers.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == 'c':
            raise TypeError('complex')
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f'{what}: real numbers are expected, not {values!r:.80}') from None


def rotations(quaternions: Array, what: str) -> Array:
    """
    Return quaternions ``x y z w``, shape (..., 4), unless one of them has no direction.

    :raises ValueError: one is zero, or so short or long that the square of its length is not.
    """
    with np.errstate(over='ignore', invalid='ignore'):
        lengths = np.linalg.norm(quaternions, axis=-1)
        bad = (lengths == 0) | (np.isinf(lengths) & np.isfinite(quaternions).all(axis=-1))
    if bad.any():
        raise ValueError(f'{what} has the length {lengths[bad][0]:g}; without rotation it is '
                         '0 0 0 1')
    return quaternions


def rigid(poses: npt.ArrayLike, what: str, dimensions: int = 2) -> Array:
    """
    Return homogeneous matrices that rotate and translate.

    :param dimensions: number of dimensions, 3 for several poses.
    :raises ValueError: they have another shape, are not finite, scale, shear or reflect.
    """
    poses = numbers(poses, what)
    if poses.ndim != dimensions or poses.shape[-2:] != (4, 4):
        expected = '(B, 4, 4)' if dimensions > 2 else '(4, 4)'
        raise ValueError(f'{what} has the shape {poses.shape}; expected {expected}')
    turns = poses[..., :3, :3]
    with np.errstate(all='ignore'):
        scaled = np.abs(turns @ turns.swapaxes(-1, -2) - np.eye(3)).max(axis=(-2, -1))
        faults = (
            (~np.isfinite(poses).all(axis=(-2, -1)), 'is not finite'),
            ((poses[..., 3, :] != (0, 0, 0, 1)).any(axis=-1), 'has a last row other than 0 0 0 1'),
            (~(scaled <= _ORTHONORMAL), 'scales or shears: its rotation is not orthonormal'),
            (np.linalg.det(turns) < 0, 'is a reflection: its determinant is negative'))
    for bad, fault in faults:
        if bad.any():
            where = f' {np.flatnonzero(bad)[0]}' if bad.ndim else ''
            raise ValueError(f'{what}{where} {fault}')
    return poses


def quaternion_product(left: npt.ArrayLike, right: npt.ArrayLike) -> Array:
    """Return the product of two quaternions ``x y z w``, each of shape (..., 4)."""
    x1, y1, z1, w1 = np.moveaxis(np.asarray(left), -1, 0)
    x2, y2, z2, w2 = np.moveaxis(np.asarray(right), -1, 0)
    return np.stack([
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
        w1 * y2 + y1 * w2 + z1 * x2 - x1 * z2,
        w1 * z2 + z1 * w2 + x1 * y2 - y1 * x2,
        w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2], axis=-1)


def quaternion_to_matrix(quaternion: npt.ArrayLike) -> Array:
    """
    Return rotation matrices, shape (..., 3, 3), that act on column vectors.

    :param quaternion: ``x y z w`` of any length but zero, shape (..., 4).
    """
    quaternion = np.asarray(quaternion, dtype=float)
    x, y, z, w = np.moveaxis(
        quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True), -1, 0)
    matrix = np.empty((*quaternion.shape[:-1], 3, 3))
    matrix[..., 0, 0] = 1 - 2 * (y * y + z * z)
    matrix[..., 0, 1] = 2 * (x * y - z * w)
    matrix[..., 0, 2] = 2 * (x * z + y * w)
    matrix[..., 1, 0] = 2 * (x * y + z * w)
    matrix[..., 1, 1] = 1 - 2 * (x * x + z * z)
    matrix[..., 1, 2] = 2 * (y * z - x * w)
    matrix[..., 2, 0] = 2 * (x * z - y * w)
    matrix[..., 2, 1] = 2 * (y * z + x * w)
    matrix[..., 2, 2] = 1 - 2 * (x * x + y * y)
    return matrix


def matrix_to_quaternion(rotation: npt.ArrayLike) -> Array:
    """
    Return unit quaternions ``x y z w`` with w >= 0, shape (..., 4).

    Uses the one of the four equivalent forms that has the largest divisor (Shepperd, 1978).

    :param rotation: rotation matrices, shape (..., 3, 3).
    """
    r = np.asarray(rotation, dtype=float)
    diagonal = np.diagonal(r, axis1=-2, axis2=-1)
    trace = diagonal.sum(axis=-1, keepdims=True)
    x, y, z = np.moveaxis(r[..., [2, 0, 1], [1, 2, 0]] - r[..., [1, 2, 0], [2, 0, 1]], -1, 0)
    xy, yz, zx = np.moveaxis(r[..., [0, 1, 2], [1, 2, 0]] + r[..., [1, 2, 0], [0, 1, 2]], -1, 0)
    squares = np.concatenate([1 + 2 * diagonal - trace, 1 + trace], axis=-1)
    forms = np.stack([
        np.stack([squares[..., 0], xy, zx, x], axis=-1),
        np.stack([xy, squares[..., 1], yz, y], axis=-1),
        np.stack([zx, yz, squares[..., 2], z], axis=-1),
        np.stack([x, y, z, squares[..., 3]], axis=-1)], axis=-2)
    best = np.argmax(squares, axis=-1)[..., None, None]
    quaternion = np.take_along_axis(forms, best, axis=-2)[..., 0, :]
    quaternion = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    return np.asarray(np.where(quaternion[..., 3:] < 0, -quaternion, quaternion))


def pose_of(values: npt.ArrayLike) -> Array:
    """
    Return homogeneous matrices, shape (..., 4, 4).

    :param values: ``x y z`` and a quaternion ``x y z w`` of any length but zero, shape (..., 7).
    """
    values = np.asarray(values, dtype=float)
    return homogeneous(quaternion_to_matrix(values[..., 3:]), values[..., :3])


def homogeneous(rotation: Array, translation: npt.ArrayLike = 0.0) -> Array:
    """Return homogeneous matrices of rotations, shape (..., 3, 3), and translations, (..., 3)."""
    pose = np.zeros((*rotation.shape[:-2], 4, 4))
    pose[..., :3, :3], pose[..., :3, 3], pose[..., 3, 3] = rotation, translation, 1
    return pose


def rotation_from_z(axis: Vector3) -> Array:
    """
    Return the rotation closest to identity that takes z to a unit vector, shape (3, 3).

    It turns about ``z x axis``. For an axis within 1e-10 of -z, where the closest rotation is not
    unique, it is half a turn about x, as in Drake.
    """
    x, y, z = axis
    normal = x * x + y * y
    if normal < 1e-20:
        return np.diag([1.0, 1.0, 1.0] if z > 0 else [1.0, -1.0, -1.0])
    scale = 1 / (1 + z) if z > 0 else (1 - z) / normal
    return np.array([
        [1 - scale * x * x, -scale * x * y, x],
        [-scale * x * y, 1 - scale * y * y, y],
        [-x, -y, z]])


def invert(transforms: npt.ArrayLike) -> Array:
    """
    Return the inverses of rigid transforms, shape (..., 4, 4).

    :param transforms: homogeneous matrices, with or without their last row: shape (..., 4, 4) or
        (..., 3, 4).
    """
    transforms = np.asarray(transforms, dtype=float)
    rotation = np.swapaxes(transforms[..., :3, :3], -1, -2)
    return homogeneous(rotation, -(rotation @ transforms[..., :3, 3:])[..., 0])


def cross(left: Array, right: Array, out: Array | None = None) -> Array:
    """
    Return cross products of vectors whose components come first, each of shape (3, ...).

    :param out: array for the result, which is neither of the two.
    """
    if out is None:
        out = np.empty(np.broadcast_shapes(left.shape, right.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(left[j], right[k], out=out[i])
        out[i] -= left[k] * right[j]
    return out


class Scratch(local):
    """
    Scratch memory that each thread reuses.

    The operating system takes longer to give out new memory than a step takes to fill it.
    """

    def __init__(self) -> None:
        self._memory = np.empty(0)

    def array(self, *shape: int) -> Array:
        """Return an array whose contents are undefined, and overwritten by the next user."""
        return self.arrays(shape)[0]

    def arrays(self, *shapes: tuple[int, ...]) -> list[Array]:
        """Return several such arrays, contiguous in memory."""
        ends = [0, *accumulate(map(prod, shapes))]
        memory = self._memory
        if ends[-1] > memory.size:
            memory = np.empty(ends[-1])
            if memory.size <= _MOST:
                self._memory = memory
        return [memory[start:end].reshape(shape)
                for start, end, shape in zip(ends, ends[1:], shapes)]


def exp(twist: npt.ArrayLike) -> Array:
    """
    Return the poses reached after unit time by moving with constant twists in the moving frame.

    A twist has its linear part first, as in Pinocchio. The closed forms are in Lynch and Park,
    Modern Robotics (2017), section 3.3.3; their series take over where an angle is small.

    :param twist: linear and angular velocity, shape (..., 6).
    :return: shape (..., 4, 4).
    """
    twist = np.asarray(twist, dtype=float)
    turn = skew(twist[..., 3:])
    square = turn @ turn
    angle = np.linalg.norm(twist[..., 3:], axis=-1)[..., None, None]
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 1 - angle**2 / 6, np.sin(safe) / safe)
    b = np.where(small, 0.5 - angle**2 / 24, 2 * (np.sin(safe / 2) / safe)**2)
    c = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    return homogeneous(
        np.eye(3) + a * turn + b * square,
        ((np.eye(3) + b * turn + c * square) @ twist[..., :3, None])[..., 0])


def log(pose: npt.ArrayLike) -> Array:
    """
    Return the constant twists that reach poses after unit time, the inverse of :func:`exp`.

    :param pose: homogeneous matrices, shape (..., 4, 4).
    :return: linear and angular part, the latter at most pi long, shape (..., 6).
    """
    pose = np.asarray(pose, dtype=float)
    rotation = rotation_vector(pose[..., :3, :3])
    turn = skew(rotation)
    angle = np.linalg.norm(rotation, axis=-1)[..., None, None]
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    c = np.where(small, 1 / 12 + angle**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
    linear = (np.eye(3) - turn / 2 + c * turn @ turn) @ pose[..., :3, 3, None]
    return np.concatenate((linear[..., 0], rotation), axis=-1)


def rotation_vector(rotation: npt.ArrayLike) -> Array:
    """
    Return axis times angle of rotation matrices.

    :param rotation: shape (..., 3, 3).
    :return: in rad, at most pi long, shape (..., 3).
    """
    r = np.asarray(rotation, dtype=float)
    sines: Array = (r - np.swapaxes(r, -1, -2))[..., [2, 0, 1], [1, 2, 0]] / 2
    cosines = (np.trace(r, axis1=-2, axis2=-1) - 1) / 2
    lengths = np.linalg.norm(sines, axis=-1)
    angles = np.arctan2(lengths, cosines)
    vectors: Array = np.where(
        lengths < 1e-8, 1.0, angles / np.maximum(lengths, 1e-300))[..., None] * sines
    half = cosines < -0.999  # Sines determine the axis poorly here, but the rest has its square.
    if half.any():
        turned = r[half]
        squares = (turned + np.swapaxes(turned, -1, -2)) / 2 - (
            cosines[half][:, None, None] * np.eye(3))
        longest = np.einsum('bii->bi', squares).argmax(axis=1)
        axes = squares[np.arange(len(squares)), longest]
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        signs = np.where((axes * sines[half]).sum(axis=1) < 0, -1.0, 1.0)
        vectors[half] = axes * (signs * angles[half])[:, None]
    return vectors


def skew(vector: Array) -> Array:
    """Return the matrices of cross products with vectors, shape (..., 3, 3)."""
    matrix = np.zeros((*vector.shape[:-1], 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrix[..., k, j], matrix[..., j, k] = vector[..., i], -vector[..., i]
    return matrix
