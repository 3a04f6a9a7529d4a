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

"""glTF 2 files, JSON and binary."""

from __future__ import annotations

import base64
from collections.abc import Iterator
import json
from typing import Any

import numpy as np

from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.meshes.formats import check_indices
from urdf_tools.meshes.formats import fan
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats import MeshFormat
from urdf_tools.meshes.formats import strip
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.messages import quote
from urdf_tools.types import Array
from urdf_tools.types import Indices

_TYPES = {5120: '<i1', 5121: '<u1', 5122: '<i2', 5123: '<u2', 5125: '<u4', 5126: '<f4'}
_WIDTHS = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_COMPRESSIONS = ('KHR_draco_mesh_compression', 'EXT_meshopt_compression')


def read_gltf(file: MeshFile) -> Array:
    """
    Return the triangles of the scene of a glTF file in its own frame, shape (T, 3, 3).

    :raises MeshError: it is not glTF 2, is compressed, or something in it is malformed.
    """
    try:
        return np.concatenate([np.empty((0, 3, 3)), *_Asset(file).triangles()])
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, MeshError):
            raise
        raise MeshError(
            f'its JSON is not that of a glTF file: {type(error).__name__}: {error}') from error


class _Asset:
    """The content of a file."""

    def __init__(self, file: MeshFile):
        self._file = file
        text, self._binary = _chunks(file.data)
        try:
            self._json: dict[str, Any] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MeshError(f'it is not JSON: {error}') from error
        version = str(self._json['asset'].get('version', '')) if 'asset' in self._json else ''
        if not version.startswith('2'):
            raise MeshError(f'it is not glTF 2, but has the version {quote(version)}')
        for name in _COMPRESSIONS:
            if name in self._json.get('extensionsRequired', ()):
                raise MeshError(f'it is compressed with {name}, which is not supported')
        self._buffers: dict[int, bytes] = {}
        self._meshes: dict[int, list[tuple[Array, Indices]]] = {}

    def triangles(self) -> Iterator[Array]:
        """Yield the triangles of every node with a mesh."""
        for node in self._roots():
            yield from self._instances(node, np.eye(4), 0)

    def _roots(self) -> list[int]:
        """Return the nodes of the scene that is shown, or all that have no parent."""
        nodes = self._json.get('nodes', [])
        scenes = self._json.get('scenes', [])
        if scenes:
            return list(_at(scenes, self._json.get('scene', 0), 'scene').get('nodes', []))
        below = {child for node in nodes for child in node.get('children', ())}
        return [index for index in range(len(nodes)) if index not in below]

    def _instances(self, index: int, pose: Array, depth: int) -> Iterator[Array]:
        self._file.count_node(depth)
        node = _at(self._json.get('nodes', []), index, 'node')
        pose = pose @ _pose(node)
        if 'mesh' in node:
            mesh = _at(self._json.get('meshes', []), node['mesh'], 'mesh')
            self._file.count_node(depth, len(mesh['primitives']) - 1)
            for vertices, faces in self._primitives(node['mesh']):
                yield self._file.instances(vertices, faces, pose)
        for child in node.get('children', ()):
            yield from self._instances(child, pose, depth + 1)

    def _primitives(self, index: int) -> list[tuple[Array, Indices]]:
        if index not in self._meshes:
            mesh = _at(self._json.get('meshes', []), index, 'mesh')
            self._meshes[index] = [
                (vertices, _triangles(corners, primitive.get('mode', _TRIANGLES)))
                for primitive in mesh['primitives']
                if primitive.get('mode', _TRIANGLES) in (_TRIANGLES, _STRIP, _FAN)
                for vertices, corners in [self._geometry(primitive)]]
        return self._meshes[index]

    def _geometry(self, primitive: dict[str, Any]) -> tuple[Array, Indices]:
        """Return the vertices and the triangle indices of a primitive."""
        vertices = self._accessor(primitive['attributes']['POSITION'], 3).astype(float)
        if 'indices' not in primitive:
            return vertices, np.arange(len(vertices))
        corners = self._accessor(primitive['indices'], 1).reshape(-1).astype(int)
        check_indices(corners, len(vertices))
        return vertices, corners

    def _accessor(self, index: int, width: int) -> Any:
        """Return the values of an accessor, shape (N, width)."""
        accessor = _at(self._json.get('accessors', []), index, 'accessor')
        if 'sparse' in accessor:
            raise MeshError(f'accessor {index} is sparse, which is not supported')
        if 'bufferView' not in accessor:
            raise MeshError(f'accessor {index} has no bufferView, so there are no data')
        if _WIDTHS.get(accessor['type']) != width:
            raise MeshError(f'accessor {index} has the type {quote(str(accessor["type"]))}')
        view = _at(self._json.get('bufferViews', []), accessor['bufferView'], 'bufferView')
        kind = np.dtype(_TYPES[accessor['componentType']])
        item = kind.itemsize * width
        stride = view.get('byteStride') or item
        start, size = _size(view.get('byteOffset', 0)), _size(view['byteLength'])
        data = self._buffer(view['buffer'])[start:start + size]
        first, number = _size(accessor.get('byteOffset', 0)), _size(accessor['count'])
        if number and (_size(stride) < item or first + (number - 1) * stride + item > len(data)):
            raise MeshError(f'accessor {index} exceeds its buffer')
        if not number:
            return np.empty((0, width))
        values = np.ndarray((number, width), kind, data, first, (stride, kind.itemsize))
        if accessor.get('normalized') and kind.kind in 'iu':
            return np.maximum(values / np.iinfo(kind).max, -1.0)
        return values

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            uri = _at(self._json.get('buffers', []), index, 'buffer').get('uri')
            self._buffers[index] = self._binary if uri is None else (
                base64.b64decode(uri.partition(',')[2]) if uri.startswith('data:')
                else self._file.sibling(uri))
        return self._buffers[index]


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    """Return the JSON and the binary chunk of a file; the latter is empty in a text file."""
    if data[:4] != b'glTF':
        return data, b''
    chunks: dict[bytes, bytes] = {}
    start = 12
    while start + 8 <= len(data):
        size = int.from_bytes(data[start:start + 4], 'little')
        if start + 8 + size > len(data):
            raise MeshError('it is truncated: a chunk is longer than the rest of the file')
        chunks.setdefault(data[start + 4:start + 8], data[start + 8:start + 8 + size])
        start += 8 + size
    if b'JSON' not in chunks:
        raise MeshError('it cannot be read: it has no JSON chunk')
    return chunks[b'JSON'], chunks.get(b'BIN\0', b'')


def _at(items: Any, index: Any, what: str) -> dict[str, Any]:
    if not isinstance(index, int) or not 0 <= index < len(items):
        raise MeshError(f'it refers to {what} {quote(str(index))}, which does not exist')
    item: dict[str, Any] = items[index]
    return item


def _size(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**40:
        raise MeshError(f'it has the size or offset {quote(str(value))}')
    return value


def _pose(node: dict[str, Any]) -> Array:
    """Return the pose of a node in its parent node, shape (4, 4)."""
    if 'matrix' in node:
        return _vector(node['matrix'], 16).reshape(4, 4).T
    matrix = np.eye(4)
    quaternion = _vector(node.get('rotation', (0, 0, 0, 1)), 4)
    if quaternion.any():
        matrix[:3, :3] = quaternion_to_matrix(quaternion)
    matrix[:3, :3] *= _vector(node.get('scale', (1, 1, 1)), 3)
    matrix[:3, 3] = _vector(node.get('translation', (0, 0, 0)), 3)
    return matrix


def _vector(values: Any, length: int) -> Array:
    vector = np.array(values, dtype=float)
    if vector.shape != (length,):
        raise MeshError(f'the pose of a node has {vector.size} numbers where {length} belong')
    return vector


def _triangles(corners: Indices, mode: int) -> Indices:
    """Return the triangles that corners form in a mode of glTF, shape (T, 3)."""
    if mode == _TRIANGLES:
        return corners[:len(corners) // 3 * 3].reshape(-1, 3)
    return strip(corners) if mode == _STRIP else corners[fan(np.array([len(corners)]))]


FORMAT = MeshFormat(('.glb', '.gltf'), read_gltf)
