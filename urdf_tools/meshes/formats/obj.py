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

"""Wavefront OBJ files."""

from __future__ import annotations

from collections.abc import Iterator
import re

import numpy as np

from urdf_tools.meshes.formats import blocks
from urdf_tools.meshes.formats import check_indices
from urdf_tools.meshes.formats import fan
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats import MeshFormat
from urdf_tools.meshes.formats import numbers
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.triangles import merge_corners
from urdf_tools.types import Array
from urdf_tools.types import Indices

_LINE = re.compile(rb'^[ \t]*(?:v[ \t]+(\S+[ \t]+\S+[ \t]+\S+)|f[ \t]+([^\r\n#]+))', re.MULTILINE)
_FACE = re.compile(rb'^[ \t]*f[ \t].*', re.MULTILINE)
_TEXTURE_AND_NORMAL = re.compile(rb'/\S*')
_MAX_CORNERS = 100
"""Corners of a polygon in an OBJ file, more than which MuJoCo leaves out."""

_EPSILON = float(np.finfo(np.float32).eps)
_OBJECT = re.compile(rb'^[ \t]*[og]\b', re.MULTILINE)
_ELEMENT = re.compile(rb'^[ \t]*(?:(f[ \t]+[^\r\n#]+)|[lp][ \t])', re.MULTILINE)


def read_obj(file: MeshFile) -> Array:
    """
    Return the triangles of an OBJ file, shape (T, 3, 3).

    Groups, materials, texture coordinates and normals do not matter, so no other file is read.
    For pyramids, the inertia of MuJoCo, only the first object or group with faces is read, and
    polygons are split, as MuJoCo does; for ``parts`` it is noted what the faces do not use.

    :raises MeshError: a number is malformed, or a face refers to a vertex that does not exist.
    """
    points, corners, sizes = [np.empty(0)], [np.empty(0, int)], [np.empty(0, int)]
    before = 0
    data = re.sub(rb'\\\r?\n', b' ', file.data)
    if file.task == 'pyramids':
        data = _without_other_objects(data)
    for block in blocks(data, b'\n'):
        lines = _LINE.findall(block)
        vertices = numbers(b' '.join(vertex for vertex, _ in lines if vertex), 'vertices')
        polygons = [_TEXTURE_AND_NORMAL.sub(b'', face) for _, face in lines if face]
        counts = np.array([len(polygon.split()) for polygon in polygons], dtype=int)
        indices = numbers(b' '.join(polygons), 'faces', int)
        if len(indices) != counts.sum() or len(vertices) % 3:
            raise MeshError('its vertices or faces contain something that is not a number')
        if not indices.all():
            raise MeshError('a face refers to vertex 0, but the first vertex is 1')
        # Negative indices count backward from the last vertex above the face.
        above = before + np.cumsum([not face for _, face in lines], dtype=int)
        above = np.repeat(above[[bool(face) for _, face in lines]], counts)
        indices = np.where(indices < 0, above + indices, indices - 1)
        file.count_triangles(int(np.maximum(counts - 2, 0).sum()))
        points.append(vertices)
        corners.append(indices)
        sizes.append(counts)
        before += len(vertices) // 3
    vertices, indices = np.concatenate(points).reshape(-1, 3), np.concatenate(corners)
    counts = np.concatenate(sizes)
    faces = indices[fan(counts)]
    check_indices(faces, len(vertices))
    if file.task == 'pyramids' and (counts > 3).any():
        faces = _as_mujoco_splits(vertices.astype(np.float32), indices, counts)
    if file.task == 'parts':
        file.remarks['unused'] = _unused_part(file.data)
    return np.asarray(vertices[faces])


def _as_mujoco_splits(points: Array, indices: Indices, counts: Indices) -> Indices:
    """
    Return the triangles of polygons as MuJoCo splits them, shape (T, 3).

    It splits a quadrangle at the shorter diagonal, cuts ears from others, and leaves out those of
    more corners than :data:`_MAX_CORNERS`.

    :param points: in single precision, shape (V, 3).
    :param indices: of the corners of all polygons.
    :param counts: number of corners of each polygon.
    """
    starts = np.cumsum(counts) - counts
    triangles = indices[starts[counts == 3][:, None] + range(3)]
    quads = indices[starts[counts == 4][:, None] + range(4)]
    first, second = (points[quads[:, end + 2]] - points[quads[:, end]] for end in (0, 1))
    is_first = _square(first) < _square(second)
    halves = [quads[is_first][:, [0, 1, 2, 0, 2, 3]], quads[~is_first][:, [0, 1, 3, 1, 2, 3]]]
    are_cut = (counts > 4) & (counts <= _MAX_CORNERS)
    ears = [ear for start, size in zip(starts[are_cut], counts[are_cut])
            for ear in _ears(points, indices[start:start + size].tolist())]
    return np.concatenate((
        triangles, *(half.reshape(-1, 3) for half in halves), np.reshape(ears, (-1, 3)))
        ).astype(np.intp)


def _square(vectors: Array) -> Array:
    """Return squares of lengths, rounded as in MuJoCo."""
    x, y, z = vectors.T
    squares: Array = x * x + y * y + z * z
    return squares


def _ears(points: Array, polygon: list[int]) -> Iterator[list[int]]:
    """Yield the triangles that are cut from a polygon one after the other."""
    corners = points[polygon]
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.abs(np.cross(edges, np.roll(edges, -1, axis=0)))
    (x, y, z) = next((normal for normal in normals if normal.max() > _EPSILON), (1.0, 0.0, 0.0))
    axes = [1, 2] if x > y and x > z else [0, 1] if z > x and z > y else [0, 2]
    flat = dict(zip(polygon, corners[:, axes]))
    at, attempts = 0, len(polygon)
    while len(polygon) > 3 and attempts:
        at %= len(polygon)
        attempts -= 1
        ear = [polygon[(at + step) % len(polygon)] for step in range(3)]
        (ax, ay), (bx, by), (cx, cy) = (flat[corner] for corner in ear)
        turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        others = (polygon[(at + step) % len(polygon)] for step in range(3, len(polygon)))
        if turn * (ax * by - ay * bx) < 0 or any(
                _contains([flat[corner] for corner in ear], *flat[other]) for other in others):
            at += 1
            continue
        yield ear
        del polygon[(at + 1) % len(polygon)]
        if attempts:  # Of the last attempt, the rest is left out.
            attempts = len(polygon) + 1
    if len(polygon) == 3:
        yield polygon


def _contains(triangle: list[list[float]], x: float, y: float) -> bool:
    """Return whether a point is in a triangle, by how many of its sides are right of it."""
    is_inside = False
    for (ax, ay), (bx, by) in zip(triangle, (triangle[-1], *triangle)):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            is_inside = not is_inside
    return is_inside


def _unused_part(data: bytes) -> str:
    """
    Return what is not used, or not defined, by the faces of an OBJ file with a single object.

    :raises MeshError: a corner of a face is malformed.
    """
    if sum(_ELEMENT.search(part) is not None for part in _OBJECT.split(data)) != 1:
        return ''
    defined = [len(re.findall(rb'^[ \t]*%s[ \t]' % tag, data, re.MULTILINE))
               for tag in (b'v', b'vt', b'vn')]
    # A line with two corners is not a face.
    faces = b' '.join(face[1:] for face in _ELEMENT.findall(data) if len(face.split()) > 3)
    columns = faces.count(b'/') // max(len(faces.split()), 1) + 1
    corners = numbers(faces.replace(b'//', b'/0/').replace(b'/', b' '), 'faces', int)
    if len(corners) % columns or columns > len(defined):
        return 'some of its corners have no normal'
    corners = corners.reshape(-1, columns)
    vertices = np.where(corners[:, 0] < 0, corners[:, 0] + defined[0] + 1, corners[:, 0])
    if len(np.unique(vertices)) < defined[0]:
        return 'some of its vertices are in no face'
    for column, name in ((1, 'texture coordinates'), (2, 'normal')):
        if defined[column] and not (column < columns and np.all(
                (corners[:, column] != 0) & (np.abs(corners[:, column]) <= defined[column]))):
            return f'some of its corners have no {name}'
    return ''


def _without_other_objects(data: bytes) -> bytes:
    """Return an OBJ file without the faces after the first object or group that has any."""
    first = _FACE.search(data)
    end = _OBJECT.search(data, first.end()) if first else None
    return data if end is None else data[:end.start()] + _FACE.sub(b'', data[end.start():])


def write_obj(triangles: Array) -> bytes:
    """Return triangles, shape (T, 3, 3), as a Wavefront OBJ file."""
    points, faces = merge_corners(triangles)
    lines = [f'v {x:.7g} {y:.7g} {z:.7g}' for x, y, z in points.tolist()]
    lines += [f'f {a} {b} {c}' for a, b, c in (faces + 1).tolist()]
    return '\n'.join((*lines, '')).encode()


FORMAT = MeshFormat(('.obj',), read_obj, write=write_obj)
