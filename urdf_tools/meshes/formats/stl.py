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

"""STL files, binary and text."""

from __future__ import annotations

import re

import numpy as np

from urdf_tools.meshes.formats import blocks
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats import MeshFormat
from urdf_tools.meshes.formats import numbers
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.types import Array

_HEADER = 84
_RECORD = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attribute', '<u2')])
"""The record of a triangle in a binary file."""

_VERTEX = rb'\s+vertex\s+(\S+)\s+(\S+)\s+(\S+)'
_FACET = re.compile(rb'\bouter\s+loop' + 3 * _VERTEX + rb'\s+endloop\b', re.IGNORECASE)
_START = re.compile(rb'\bfacet\s+normal\b', re.IGNORECASE)


def _is_text(data: bytes) -> bool:
    """Return whether an STL file is text: many binary ones begin with the word solid, too."""
    start = data[:1024]
    is_binary = len(data) == _HEADER + _count(data) * _RECORD.itemsize
    return start.lstrip()[:5].lower() == b'solid' and not is_binary and b'\0' not in start


def read_stl(file: MeshFile) -> Array:
    """
    Return the triangles of an STL file, shape (T, 3, 3), of a binary one in single precision.

    For ``parts``, what the converter of USD reads, a binary one may have another size than its
    header says.

    :raises MeshError: it is not an STL file, or is incomplete.
    """
    file.remarks['is_text'] = is_text = _is_text(file.data)
    return _read_text(file) if is_text else _read_binary(file)


def _count(data: bytes) -> int:
    return int.from_bytes(data[_HEADER - 4:_HEADER], 'little')


def _read_binary(file: MeshFile) -> Array:
    size = len(file.data)
    if size < _HEADER:
        raise MeshError(
            'it is empty' if not size else
            f'it is neither a text STL file nor a binary one, which has {_HEADER} bytes at least, '
            f'not {size}')
    expected = _count(file.data)
    rest = size - _HEADER
    if file.task == 'parts':
        expected = min(expected, rest // _RECORD.itemsize)
    elif rest != expected * _RECORD.itemsize:
        if rest % _RECORD.itemsize and rest < expected * _RECORD.itemsize:
            raise MeshError(
                f'it is truncated: its header announces {expected:,} triangles, and it ends in '
                f'triangle {rest // _RECORD.itemsize + 1:,}')
        raise MeshError(
            f'its header announces {expected:,} triangles, but its {size:,} bytes have space for '
            f'{rest // _RECORD.itemsize:,}')
    file.count_triangles(expected)
    return np.frombuffer(file.data, _RECORD, expected, _HEADER)['corners']


def _read_text(file: MeshFile) -> Array:
    vertices = [np.empty(0)]
    for block in blocks(file.data, b'endfacet'):
        facets = _FACET.findall(block)
        file.count_triangles(len(facets))
        if len(facets) != len(_START.findall(block)):
            raise MeshError(
                'one of its facets is not a triangle'
                if b'endsolid' in file.data[-1024:].lower() else
                'it is truncated: it ends inside of a facet')
        vertices.append(numbers(b' '.join(map(b' '.join, facets)), 'vertices'))
    return np.concatenate(vertices).reshape(-1, 3, 3)


def write_stl(triangles: Array) -> bytes:
    """Return triangles, shape (T, 3, 3), as a binary STL file."""
    records = np.zeros(len(triangles), _RECORD)
    records['normal'] = unit_normals(triangles)
    records['corners'] = triangles
    return bytes(_HEADER - 4) + len(triangles).to_bytes(4, 'little') + records.tobytes()


FORMAT = MeshFormat(('.stl',), read_stl, has_materials=False, write=write_stl)
