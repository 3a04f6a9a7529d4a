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
Solids and shells of uniform density inside a triangle mesh.

As in :mod:`urdf_tools.inertia.solids`, the density is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
import io
import logging
from pathlib import Path

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia

FORMATS = ('.dae', '.glb', '.gltf', '.obj', '.stl')
"""File name endings of the meshes that can be read."""

MAX_BYTES = 2**27
"""Largest mesh file that is read."""

# Trimesh reports textures that it misses, which weigh nothing.
logging.getLogger('trimesh').addHandler(logging.NullHandler())


class MeshError(ValueError):
    """A mesh that cannot be weighed; the text says why."""


@dataclass(frozen=True, eq=False)
class MeshSolid:
    """
    What is inside a mesh.

    :ivar inertia: at 1 kg/m^3, in the frame of the mesh.
    :ivar remark: why it is the convex hull that was weighed; empty where it is the mesh itself.
    """

    inertia: SpatialInertia
    remark: str = ''


@dataclass(frozen=True, eq=False)
class MeshFacts:
    """
    What there is to say of a mesh before it is used.

    :ivar faces: how many triangles it has.
    :ivar low: least x, y and z in metres, before any scale, shape (3,).
    :ivar high: greatest x, y and z, shape (3,).
    :ivar openness: why it has no inside; empty where it has one.
    :ivar volume: in m^3, negative where the triangles face inside; NaN where there is no inside.
    """

    faces: int
    low: np.ndarray
    high: np.ndarray
    openness: str
    volume: float


def mesh_facts(path: Path) -> MeshFacts:
    """
    Look at a mesh file.

    :raises MeshError: it cannot be read, or has no triangles.
    """
    return _facts(*_version(path))


def mesh_solid(
        path: Path, scale: Sequence[float] = (1.0, 1.0, 1.0), *, hull: bool = False) -> MeshSolid:
    """
    Return the inertia of a mesh file as a solid.

    All bodies in the file count, and what is inside two of them counts twice. The unit of
    length that COLLADA files state is applied; their upward axis, as in RViz, is not. If the
    bodies are not all closed, it is the inertia of the convex hull of all.

    :param scale: factors on x, y and z; a negative one mirrors the mesh.
    :param hull: weigh the convex hull in any case.
    :raises MeshError: it cannot be read, or has no volume.
    """
    solid = _unscaled_solid(*_version(path), hull)
    return MeshSolid(_stretched(solid.inertia, np.array(scale, dtype=float)), solid.remark)


def mesh_shell(path: Path, scale: Sequence[float] = (1.0, 1.0, 1.0)) -> SpatialInertia:
    """
    Return the inertia of the triangles of a mesh file as thin plates, 1 kg/m^2.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, or has no area.
    """
    mesh = _read(path)
    return surface(mesh.vertices[mesh.faces] * np.array(scale, dtype=float))


def polyhedron(triangles: np.ndarray) -> SpatialInertia:
    """
    Return the inertia of the solid inside a closed surface, 1 kg/m^3.

    It is the sum of the tetrahedra between the triangles and a point, signed by the side from
    which the triangle is seen.

    :param triangles: corners, counterclockwise seen from outside, shape (T, 3, 3).
    :raises MeshError: there is no volume inside.
    """
    return _simplices(triangles, lambda corners: np.linalg.det(corners) / 6, 4)


def prism(polygon: np.ndarray, height: float) -> SpatialInertia:
    """
    Return the inertia of a prism along z, 1 kg/m^3, with the origin at half its height.

    :param polygon: x and y of the corners of the base, in order either way round, without
        crossing itself, shape (N, 2).
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


def surface(triangles: np.ndarray) -> SpatialInertia:
    """
    Return the inertia of triangles as thin plates, 1 kg/m^2.

    :param triangles: corners, shape (T, 3, 3).
    :raises MeshError: they have no area.
    """
    return _simplices(triangles, _areas, 3)


def _areas(corners):
    return np.linalg.norm(np.cross(
        corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2


def _simplices(triangles, weigh, count):
    """
    Add up simplices whose corners are those of a triangle and, for four of them, one point more.

    With n corners and their sum s, the first moments of a simplex are ``m s / n``, the second
    ``m (s s' + sum of c c') / (n (n + 1))``. The point is the middle of all corners, since far
    from the body large numbers would cancel.
    """
    middle = triangles.reshape(-1, 3).mean(axis=0)
    corners = triangles - middle
    masses = weigh(corners)
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


def _stretched(body, scale):
    """Return a body with its coordinates scaled, which takes its density with it."""
    stretch = np.diag([*scale, 1.0])
    matrix = abs(np.prod(scale)) * stretch @ body.pseudo_inertia() @ stretch
    if not matrix[3, 3]:
        raise MeshError('its scale leaves no volume')
    return SpatialInertia.from_pseudo_inertia(matrix)


def _version(path):
    """Return a path with the time and size of what is there, for the memory of solids."""
    try:
        status = path.stat()
    except OSError as error:
        raise MeshError(f'it cannot be read: {error.strerror}') from error
    return path, status.st_mtime_ns, status.st_size


@lru_cache(maxsize=256)
def _facts(path, _time, _size):
    mesh = _read(path)
    openness = _openness(mesh.faces)
    corners = mesh.vertices[mesh.faces]
    volume = np.nan if openness else float(np.linalg.det(corners - corners[0, 0]).sum() / 6)
    used = corners.reshape(-1, 3)
    return MeshFacts(len(mesh.faces), used.min(axis=0), used.max(axis=0), openness, volume)


@lru_cache(maxsize=256)
def _unscaled_solid(path, _time, _size, hull):
    mesh = _read(path)
    remark = 'the convex hull was asked for' if hull else _openness(mesh.faces)
    body = polyhedron(
        _convex_hull(mesh.vertices) if remark else mesh.vertices[mesh.faces])
    return MeshSolid(body if body.mass > 0 else -body, remark)


def _openness(faces):
    """
    Return why triangles have no inside, or an empty string.

    They have one if every edge is passed as often one way as the other.
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


def _read(path):
    """Return a mesh file as one mesh in metres whose triangles share their vertices."""
    try:
        import trimesh
    except ImportError as error:
        raise MeshError(
            'weighing meshes needs the trimesh package, which is not installed '
            '("pip install trimesh pycollada scipy")') from error
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise MeshError(f'{suffix or "a file without ending"} is none of {", ".join(FORMATS)}')
    try:
        with open(path, 'rb') as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise MeshError(f'it cannot be read: {error.strerror}') from error
    if len(data) > MAX_BYTES:
        raise MeshError(f'it has more than {MAX_BYTES} bytes')
    try:
        scene = trimesh.load_scene(
            io.BytesIO(data), file_type=suffix[1:], resolver=_Siblings(path.parent))
        triangles = _triangles(scene)
        triangles *= trimesh.units.unit_conversion(scene.units or 'meters', 'meters')
        mesh = trimesh.Trimesh(
            triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
        mesh.update_faces((mesh.faces != np.roll(mesh.faces, 1, axis=1)).all(axis=1))
    except Exception as error:  # Trimesh meets broken files with exceptions of any kind.
        raise MeshError(f'it cannot be read: {type(error).__name__}: {error}') from error
    if not len(mesh.faces):
        raise MeshError('it has no triangles')
    return mesh


def _triangles(scene):
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
    """The files beside a mesh that it may refer to: the buffers of glTF, in the same folder."""

    def __init__(self, folder):
        self._folder = folder

    def get(self, name):
        """Return the bytes of a file."""
        if Path(name).name != name or Path(name).suffix != '.bin':
            raise FileNotFoundError(name)
        with open(self._folder / name, 'rb') as file:
            return file.read(MAX_BYTES)

    __getitem__ = get


def _convex_hull(points):
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
    triangles = points[hull.simplices]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = np.einsum('ti,ti->t', normals, hull.equations[:, :3]) < 0
    triangles[inward] = triangles[inward, ::-1]
    return triangles
