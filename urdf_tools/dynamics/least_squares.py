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

"""Least squares with standard errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from urdf_tools.types import Array

_SINGULAR = 1e-6
"""Share of the largest singular value from which a direction is not determined."""


class Fit(NamedTuple):
    """
    Factors of columns.

    :param values: shape (n,); zero where they are not determined.
    :param covariance: shape (n, n).
    :param errors: standard errors, shape (n,); infinite where a value is not determined.
    """

    values: Array
    covariance: Array
    errors: Array


def least_squares(columns: Array, target: Array, is_series: bool = False) -> Fit:
    """
    Return the factors of columns that fit best, with errors from what is left over.

    Of few rows, the errors are those of Student's distribution. Of numbers that are not finite,
    nothing is determined.

    :param columns: shape (k, n).
    :param target: shape (k,).
    :param is_series: whether the rows follow each other in time, so that errors may last.
    """
    rows, count = columns.shape
    if not (np.isfinite(columns).all() and np.isfinite(target).all()):
        return Fit(np.zeros(count), np.full((count, count), np.inf), np.full(count, np.inf))
    scales = np.linalg.norm(columns, axis=0)
    scales[scales <= _SINGULAR * scales.max(initial=0.0)] = max(scales.max(initial=0.0), 1e-300)
    left, singular, right = np.linalg.svd(columns / scales, full_matrices=False)
    is_known = singular > _SINGULAR * max(float(singular.max(initial=0.0)), 1e-300)
    inverse = np.where(is_known, 1 / np.where(is_known, singular, 1.0), 0.0)
    values = right.T @ (inverse * (left.T @ target)) / scales
    freedom = rows - count - 2
    rest = target - columns @ values
    variance = float(rest @ rest) / freedom if freedom > 0 else np.inf
    if is_series and freedom > 0 and rest.any():
        lasting = float(np.clip(rest[1:] @ rest[:-1] / (rest @ rest), 0.0, 0.9))
        variance *= (1 + lasting) / (1 - lasting)
    factors = (right.T * inverse) / scales[:, None]
    covariance = factors @ factors.T * variance if freedom > 0 else np.full((count, count), np.inf)
    unknown = (np.abs(right[~is_known]) > 1e-3).any(axis=0) | (rows < count)
    return Fit(values, covariance, np.where(unknown, np.inf, np.sqrt(np.diag(covariance))))
