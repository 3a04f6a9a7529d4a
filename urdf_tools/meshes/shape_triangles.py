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
"""Triangles of URDF shapes for display."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere
from urdf_tools.types import Array

_SECTORS = 32


class Triangles(NamedTuple):
    """
    A surface.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, counterclockwise seen from outside, shape (F, 3).
    :ivar is_flat: whether the surface has edges; otherwise it is round.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    is_flat: bool = True


def shape_triangles(shape: Box | Cylinder | Sphere | Capsule) -> Triangles:
    """Return the surface of a shape around its centre."""
    if isinstance(shape, Box):
        return box(np.array(shape.size))
    if isinstance(shape, Sphere):
        return ellipsoid(np.full(3, 2 * shape.radius))
    half = shape.length / 2
    if isinstance(shape, Cylinder):
        # The rims are duplicated, so that the ends are not shaded as round.
        rim = (shape.radius, shape.radius)
        return _revolved(np.array([(0, *rim, *rim, 0), (-half, -half, -half, half, half, half)]).T)
    angles = np.linspace(-np.pi / 2, np.pi / 2, _SECTORS // 2 + 2)
    profile = shape.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    profile[:, 1] += half * np.sign(angles)
    return _revolved(profile)


def box(size: Array) -> Triangles:
    """Return the surface of a box."""
    corners = np.array([(x, y, z) for x in (-.5, .5) for y in (-.5, .5) for z in (-.5, .5)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [corner for a, b, c, d in sides for corner in ((a, b, c), (a, c, d))]
    return Triangles((corners * size).astype(np.float32), np.array(faces, dtype=np.uint32))


def ellipsoid(size: Array) -> Triangles:
    """Return the surface of an ellipsoid; ``size`` is its full extent along x, y and z."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, _SECTORS // 2 + 1)
    vertices, faces, _ = _revolved(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return Triangles((vertices * size / 2).astype(np.float32), faces, False)


def _revolved(profile: Array) -> Triangles:
    """
    Return the surface of a solid of revolution about z.

    :param profile: radius and z of points from the lowest to the highest one, shape (P, 2).
    """
    angles = np.linspace(0, 2 * np.pi, _SECTORS, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), np.ones(_SECTORS)], axis=1)
    vertices = profile[:, None, [0, 0, 1]] * ring
    low = np.arange((len(profile) - 1) * _SECTORS)
    following = low - low % _SECTORS + (low + 1) % _SECTORS
    faces = np.concatenate([
        np.stack([low, following, following + _SECTORS], axis=1),
        np.stack([low, following + _SECTORS, low + _SECTORS], axis=1)])
    return Triangles(vertices.reshape(-1, 3).astype(np.float32), faces.astype(np.uint32), False)
