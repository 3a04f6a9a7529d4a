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

_LINE = re.compile(rb'^[ \t]*(?:v[ \t]+(\S+[ \t]+\S+[ \t]+\S+)|f[ \t]+([^\r\n#]+))', re.MULTILINE)
_FACE = re.compile(rb'^[ \t]*f[ \t].*', re.MULTILINE)
_TEXTURE_AND_NORMAL = re.compile(rb'/\S*')
_OBJECT = re.compile(rb'^[ \t]*[og]\b', re.MULTILINE)
_ELEMENT = re.compile(rb'^[ \t]*(?:(f[ \t]+[^\r\n#]+)|[lp][ \t])', re.MULTILINE)


def read_obj(file: MeshFile) -> Array:
    """
    Return the triangles of an OBJ file, shape (T, 3, 3).

    Groups, materials, texture coordinates and normals do not matter, so no other file is read.
    For pyramids, the inertia of MuJoCo, only the first object or group with faces is read, as
    MuJoCo does; for ``parts`` it is noted what the faces do not use.

    :raises MeshError: a number is malformed, or a face refers to a vertex that does not exist.
    """
    points, corners = [np.empty(0)], [np.empty((0, 3), int)]
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
        fans = fan(counts)
        file.count_triangles(len(fans))
        points.append(vertices)
        corners.append(indices[fans])
        before += len(vertices) // 3
    vertices, faces = np.concatenate(points).reshape(-1, 3), np.concatenate(corners)
    check_indices(faces, len(vertices))
    if file.task == 'parts':
        file.remarks['unused'] = _unused_part(file.data)
    return np.asarray(vertices[faces])


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
