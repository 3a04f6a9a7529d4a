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
The inertia of triangle meshes of uniform density, as solids or as shells.

As in :mod:`urdf_tools.inertia.solids`, the density is one.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
import io
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices

if TYPE_CHECKING:
    import trimesh

FORMATS = ('.dae', '.glb', '.gltf', '.obj', '.stl')
"""Suffixes of the mesh files that can be read."""

MAX_BYTES = 2**27
"""Size of the largest mesh file that is read."""

# Trimesh warns of missing textures, which do not matter for the inertia.
logging.getLogger('trimesh').addHandler(logging.NullHandler())


class MeshError(ValueError):
    """A mesh whose inertia cannot be computed; the text says why."""


@dataclass(frozen=True, eq=False)
class MeshSolid:
    """
    The solid inside a mesh.

    :ivar inertia: at 1 kg/m^3, in the frame of the mesh.
    :ivar remark: why it is the inertia of the convex hull; empty if it is that of the mesh.
    """

    inertia: SpatialInertia
    remark: str = ''


@dataclass(frozen=True, eq=False)
class MeshFacts:
    """
    Size and properties of a mesh, before any scale.

    :ivar faces: number of triangles.
    :ivar low: smallest x, y and z in metres, shape (3,).
    :ivar high: largest x, y and z in metres, shape (3,).
    :ivar openness: why it encloses no volume; empty if it encloses one.
    :ivar volume: in m^3, negative if the triangles face inward; NaN if it encloses none.
    """

    faces: int
    low: Array
    high: Array
    openness: str
    volume: float


def mesh_facts(path: Path) -> MeshFacts:
    """
    Return size and properties of a mesh file.

    :raises MeshError: it cannot be read, or has no triangles.
    """
    return _facts(path, *_version(path))


def mesh_solid(
        path: Path, scale: Sequence[float] = (1.0, 1.0, 1.0), *, hull: bool = False) -> MeshSolid:
    """
    Return the inertia of a mesh file as a solid.

    It is that of all bodies in the file; volume inside two of them counts twice. If not all of
    them are closed, it is the inertia of the convex hull of all. The unit of length in COLLADA
    files is applied; their up axis is not, as in RViz.

    :param scale: factors on x, y and z; a negative one mirrors the mesh.
    :param hull: return the inertia of the convex hull in any case.
    :raises MeshError: it cannot be read, or has no volume.
    """
    solid = _unscaled_solid(path, *_version(path), hull)
    return MeshSolid(_stretched(solid.inertia, np.array(scale, dtype=float)), solid.remark)


def mesh_shell(path: Path, scale: Sequence[float] = (1.0, 1.0, 1.0)) -> SpatialInertia:
    """
    Return the inertia of the triangles of a mesh file as thin plates, 1 kg/m^2.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, or has no area.
    """
    mesh = _read(path)
    return surface(mesh.vertices[mesh.faces] * np.array(scale, dtype=float))


def polyhedron(triangles: Array) -> SpatialInertia:
    """
    Return the inertia of the solid inside a closed surface, 1 kg/m^3.

    It is the sum over the tetrahedra between the triangles and a point, which count negative if
    the point sees the outer side of the triangle.

    :param triangles: corners, counterclockwise seen from outside, shape (T, 3, 3).
    :raises MeshError: it encloses no volume.
    """
    return _simplices(triangles, _volumes, 4)


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
    body = polyhedron(np.concatenate([
        np.stack(corners, axis=1) for corners in (
            (low, next_low, next_high), (next_high, high, low),
            (first_low, next_low, low), (first_high, high, next_high))]))
    return body if body.mass > 0 else -body


def surface(triangles: Array) -> SpatialInertia:
    """
    Return the inertia of triangles as thin plates, 1 kg/m^2.

    :param triangles: corners, shape (T, 3, 3).
    :raises MeshError: they have no area.
    """
    return _simplices(triangles, _areas, 3)


def _volumes(corners: Array) -> Array:
    """Return the signed volumes of tetrahedra between triangles and the origin, shape (T,)."""
    volumes: Array = np.linalg.det(corners) / 6
    return volumes


def _areas(corners: Array) -> Array:
    """Return the areas of triangles, shape (T,)."""
    areas: Array = np.linalg.norm(np.cross(
        corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    return areas


def _simplices(
        triangles: Array, measure: Callable[[Array], Array], count: int) -> SpatialInertia:
    """
    Return the inertia of triangles, or of tetrahedra between triangles and a common point.

    With n corners c and their sum s, the first moments of a simplex are ``m s / n``, the second
    ``m (s s' + sum of c c') / (n (n + 1))``. The common point is the mean of all corners: far from
    the body, large numbers would cancel.

    :param measure: returns the masses of the simplices.
    :param count: number of corners of a simplex.
    """
    middle = triangles.reshape(-1, 3).mean(axis=0)
    corners = triangles - middle
    masses = measure(corners)
    sums = corners.sum(axis=1)
    matrix = np.empty((4, 4))
    matrix[3, 3] = masses.sum()
    matrix[:3, 3] = matrix[3, :3] = masses @ sums / count
    matrix[:3, :3] = (
        np.einsum('t,ti,tj->ij', masses, sums, sums, optimize=True)
        + np.einsum('t,tki,tkj->ij', masses, corners, corners, optimize=True)
    ) / (count * (count + 1))
    extent = np.abs(corners).max(initial=0.0)
    if not abs(matrix[3, 3]) > 1e-12 * extent ** (count - 1):
        raise MeshError('it has no ' + ('volume' if count == 4 else 'area'))
    return SpatialInertia.from_pseudo_inertia(matrix).translated(middle)


def _stretched(body: SpatialInertia, scale: Array) -> SpatialInertia:
    """Return the inertia of a body of the same density with its coordinates scaled."""
    stretch = np.diag([*scale, 1.0])
    matrix = abs(np.prod(scale)) * stretch @ body.pseudo_inertia() @ stretch
    if not matrix[3, 3]:
        raise MeshError('its scale leaves no volume')
    return SpatialInertia.from_pseudo_inertia(matrix)


def _version(path: Path) -> tuple[int, int]:
    """Return the modification time and the size of a file, which are keys of the caches."""
    try:
        status = path.stat()
    except OSError as error:
        raise MeshError(f'it cannot be read: {error.strerror}') from error
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=256)
def _facts(path: Path, _time: int, _size: int) -> MeshFacts:
    mesh = _read(path)
    openness = _openness(mesh.faces)
    corners = mesh.vertices[mesh.faces]
    volume = np.nan if openness else float(np.linalg.det(corners - corners[0, 0]).sum() / 6)
    used = corners.reshape(-1, 3)
    return MeshFacts(len(mesh.faces), used.min(axis=0), used.max(axis=0), openness, volume)


@lru_cache(maxsize=256)
def _unscaled_solid(path: Path, _time: int, _size: int, hull: bool) -> MeshSolid:
    mesh = _read(path)
    remark = 'the convex hull was requested' if hull else _openness(mesh.faces)
    body = polyhedron(
        _convex_hull(mesh.vertices) if remark else mesh.vertices[mesh.faces])
    return MeshSolid(body if body.mass > 0 else -body, remark)


def _openness(faces: Indices) -> str:
    """
    Return why triangles enclose no volume, or an empty string.

    They enclose one if each edge belongs to as many triangles in one direction as in the other.
    """
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    _, edge, count = np.unique(
        np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    forward = np.bincount(edge.ravel(), edges[:, 0] < edges[:, 1])
    if (2 * forward == count).all():
        return ''
    if (count % 2).any():
        return 'the mesh is not closed'
    return 'neighbouring triangles of the mesh face opposite sides'


def _read(path: Path) -> trimesh.Trimesh:
    """Return a mesh file as one mesh in metres whose triangles share vertices."""
    try:
        import trimesh
    except ImportError as error:
        raise MeshError(
            'the trimesh package is not installed '
            '("pip install trimesh pycollada scipy")') from error
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise MeshError(
            f'the format {suffix!r} is none of {", ".join(FORMATS)}' if suffix
            else 'its file name has no suffix')
    try:
        with open(path, 'rb') as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise MeshError(f'it cannot be read: {error.strerror}') from error
    if len(data) > MAX_BYTES:
        raise MeshError(f'it is larger than {MAX_BYTES} bytes')
    try:
        scene = trimesh.load_scene(
            io.BytesIO(data), file_type=suffix[1:],
            resolver=_Siblings(path.parent))  # type: ignore[arg-type]  # Only its get is called.
        triangles = _triangles(scene)
        triangles *= trimesh.units.unit_conversion(scene.units or 'meters', 'meters')
        mesh = trimesh.Trimesh(
            triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
        mesh.update_faces((mesh.faces != np.roll(mesh.faces, 1, axis=1)).all(axis=1))
    except Exception as error:  # Trimesh raises exceptions of any kind for broken files.
        raise MeshError(f'it cannot be read: {type(error).__name__}: {error}') from error
    if not len(mesh.faces):
        raise MeshError('it has no triangles')
    return mesh


def _triangles(scene: trimesh.Scene) -> Array:
    """Return the corners of all triangles of a scene in its own frame, shape (T, 3, 3)."""
    triangles = [np.empty((0, 3, 3))]
    for node in scene.graph.nodes_geometry:
        pose, name = scene.graph[node]
        part = scene.geometry[name]
        if hasattr(part, 'faces'):
            corners = part.vertices[part.faces] @ pose[:3, :3].T + pose[:3, 3]
            triangles.append(corners[:, ::-1] if np.linalg.det(pose[:3, :3]) < 0 else corners)
    return np.concatenate(triangles)


class _Siblings:
    """The files beside a mesh that it may refer to: buffers of glTF in the same folder."""

    def __init__(self, folder: Path):
        self._folder = folder

    def get(self, name: str) -> bytes:
        """
        Return the content of a file.

        :raises OSError: it is not a buffer in the folder, or cannot be read.
        """
        if Path(name).name != name or Path(name).suffix != '.bin':
            raise FileNotFoundError(name)
        with open(self._folder / name, 'rb') as file:
            return file.read(MAX_BYTES)

    __getitem__ = get


def _convex_hull(points: Array) -> Array:
    """Return the triangles of the convex hull of points, counterclockwise seen from outside."""
    try:
        from scipy.spatial import ConvexHull
        from scipy.spatial import QhullError
    except ImportError as error:
        raise MeshError(
            'its convex hull needs the scipy package, which is not installed '
            '("pip install scipy")') from error
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError) as error:
        raise MeshError('it is flat') from error
    triangles: Array = points[hull.simplices]
    inward = _volumes(triangles - points[hull.vertices].mean(axis=0)) < 0
    triangles[inward] = triangles[inward, ::-1]
    return triangles
