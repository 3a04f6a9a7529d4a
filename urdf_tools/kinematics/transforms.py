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

"""Rotations and rigid transforms as arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from urdf_tools.model.pose import Vector3

Array = npt.NDArray[np.float64]
"""Array of numbers in double precision."""

Indices = npt.NDArray[np.intp]
"""Array of indices into other arrays."""


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
    x, y, z = np.moveaxis(
        r[..., [2, 0, 1], [1, 2, 0]] - r[..., [1, 2, 0], [2, 0, 1]], -1, 0)
    xy, yz, zx = np.moveaxis(
        r[..., [0, 1, 2], [1, 2, 0]] + r[..., [1, 2, 0], [0, 1, 2]], -1, 0)
    squares = np.concatenate([1 + 2 * diagonal - trace, 1 + trace], axis=-1)
    forms = np.stack([
        np.stack([squares[..., 0], xy, zx, x], axis=-1),
        np.stack([xy, squares[..., 1], yz, y], axis=-1),
        np.stack([zx, yz, squares[..., 2], z], axis=-1),
        np.stack([x, y, z, squares[..., 3]], axis=-1)], axis=-2)
    best = np.argmax(squares, axis=-1)[..., None, None]
    quaternion = np.take_along_axis(forms, best, axis=-2)[..., 0, :]
    quaternion = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    positive: Array = np.where(quaternion[..., 3:] < 0, -quaternion, quaternion)
    return positive


def pose_of(values: npt.ArrayLike) -> Array:
    """
    Return homogeneous matrices, shape (..., 4, 4).

    :param values: ``x y z`` and a quaternion ``x y z w`` of any length but zero, shape (..., 7).
    """
    values = np.asarray(values, dtype=float)
    pose = np.zeros((*values.shape[:-1], 4, 4))
    pose[..., :3, :3] = quaternion_to_matrix(values[..., 3:])
    pose[..., :3, 3] = values[..., :3]
    pose[..., 3, 3] = 1
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
    inverse = np.zeros((*transforms.shape[:-2], 4, 4))
    rotation = np.swapaxes(transforms[..., :3, :3], -1, -2)
    inverse[..., :3, :3] = rotation
    inverse[..., :3, 3] = -(rotation @ transforms[..., :3, 3:])[..., 0]
    inverse[..., 3, 3] = 1
    return inverse


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
