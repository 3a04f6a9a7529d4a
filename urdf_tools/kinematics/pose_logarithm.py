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
The exponential and the logarithm of poses: between twists and homogeneous matrices.

A twist has its linear part first, as in Pinocchio. The closed forms are in Lynch and Park, Modern
Robotics (2017), section 3.3.3; their series take over where an angle is small.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.transforms import Array

_SMALL = 1e-4
"""Angle in rad below which the series are exact to rounding."""


def exp(twist: npt.ArrayLike) -> Array:
    """
    Return the poses reached after unit time by moving with constant twists in the moving frame.

    :param twist: linear and angular velocity, shape (..., 6).
    :return: shape (..., 4, 4).
    """
    twist = np.asarray(twist, dtype=float)
    turn = _skew(twist[..., 3:])
    square = turn @ turn
    angle = np.linalg.norm(twist[..., 3:], axis=-1)[..., None, None]
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 1 - angle**2 / 6, np.sin(safe) / safe)
    b = np.where(small, 0.5 - angle**2 / 24, 2 * (np.sin(safe / 2) / safe)**2)
    c = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    pose = np.zeros((*twist.shape[:-1], 4, 4))
    pose[..., :3, :3] = np.eye(3) + a * turn + b * square
    pose[..., :3, 3] = ((np.eye(3) + b * turn + c * square) @ twist[..., :3, None])[..., 0]
    pose[..., 3, 3] = 1
    return pose


def log(pose: npt.ArrayLike) -> Array:
    """
    Return the constant twists that reach poses after unit time, the inverse of :func:`exp`.

    :param pose: homogeneous matrices, shape (..., 4, 4).
    :return: linear and angular part, the latter at most pi long, shape (..., 6).
    """
    pose = np.asarray(pose, dtype=float)
    rotation = rotation_vector(pose[..., :3, :3])
    turn = _skew(rotation)
    angle = np.linalg.norm(rotation, axis=-1)[..., None, None]
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    c = np.where(
        small, 1 / 12 + angle**2 / 720, (1 - safe / 2 / np.tan(safe / 2)) / safe**2)
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
    half = cosines < -0.999  # Their sines tell little of the axis, but the rest has its square.
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


def _skew(vector: Array) -> Array:
    """Return the matrices of cross products with vectors, shape (..., 3, 3)."""
    matrix = np.zeros((*vector.shape[:-1], 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrix[..., k, j], matrix[..., j, k] = vector[..., i], -vector[..., i]
    return matrix
