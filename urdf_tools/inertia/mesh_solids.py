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
The inertia of bodies bounded by triangles, such as meshes, as solids or as shells.

As in :mod:`urdf_tools.inertia.solids`, the density is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.meshes.mesh_facts import pyramid_moments
from urdf_tools.meshes.mesh_facts import shell_moments
from urdf_tools.meshes.mesh_facts import solid_moments
from urdf_tools.meshes.moments import Moments
from urdf_tools.meshes.moments import polyhedron

_NO_SCALE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class MeshSolid:
    """
    The solid inside a mesh.

    :ivar inertia: at 1 kg/m^3, in the frame of the mesh.
    :ivar remark: why it is the inertia of the convex hull; empty if it is that of the mesh.
    """

    inertia: SpatialInertia
    remark: str = ''


def mesh_solid(path: Path, scale: Sequence[float] = _NO_SCALE, *, hull: bool = False) -> MeshSolid:
    """
    Return the inertia of a mesh file as a solid.

    :param scale: factors on x, y and z; a negative one mirrors the mesh.
    :param hull: return the inertia of the convex hull in any case; of a mesh that is not closed,
        it is returned anyway.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    moments, remark = solid_moments(path, hull=hull)
    if tuple(scale) != _NO_SCALE:
        moments = moments.stretched(np.array(scale, dtype=float))
    return MeshSolid(_inertia(moments), remark)


def mesh_shell(path: Path, scale: Sequence[float] = _NO_SCALE) -> SpatialInertia:
    """
    Return the inertia of the triangles of a mesh file as thin plates, 1 kg/m^2.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, has no area, or exceeds a limit.
    """
    return _inertia(shell_moments(path, scale))


def mesh_pyramids(path: Path, scale: Sequence[float] = _NO_SCALE) -> SpatialInertia:
    """
    Return the inertia of the pyramids between the triangles of a mesh file and its middle.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    return _inertia(pyramid_moments(path, scale))


def prism(polygon: Array, height: float) -> SpatialInertia:
    """
    Return the inertia of a prism along z, 1 kg/m^3, with the origin at half its height.

    :param polygon: x and y of the corners of the base, a simple polygon, clockwise or
        counterclockwise, shape (N, 2).
    :raises ValueError: the height is not positive, or the polygon has no area.
    """
    if not (height > 0 and len(polygon) > 2):
        raise ValueError('the prism has no height, or its base fewer than three corners')
    ends = np.stack([
        np.insert(polygon, 2, z, axis=1) for z in (-height / 2, height / 2)])
    low, high = ends
    next_low, next_high = np.roll(ends, -1, axis=1)
    first_low, first_high = np.broadcast_to(ends[:, :1], ends.shape)
    body = _inertia(polyhedron(np.concatenate([
        np.stack(corners, axis=1) for corners in (
            (low, next_low, next_high), (next_high, high, low),
            (first_low, next_low, low), (first_high, high, next_high))])))
    return body if body.mass > 0 else -body


def _inertia(moments: Moments) -> SpatialInertia:
    return SpatialInertia.from_moments(moments.measure, moments.centroid, moments.second)
