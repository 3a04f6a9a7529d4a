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
"""Surfaces with the texture of a URDF material, as binary glTF."""

from __future__ import annotations

import json
import struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere
from urdf_tools.types import Array

_FLOAT = 5126
"""What glTF calls a number of single precision."""


class Unwrapped(NamedTuple):
    """
    The corners of triangles, three each, and where they are in an image.

    :ivar corners: in metres, shape (C, 3).
    :ivar uv: from the lower left corner of the image, in widths and heights, shape (C, 2).
    :ivar normals: at the corners, shape (C, 3); None for flat triangles.
    """

    corners: npt.NDArray[np.float32]
    uv: npt.NDArray[np.float32]
    normals: npt.NDArray[np.float32] | None = None


def unwrap(shape: Box | Cylinder | Sphere | Capsule) -> Unwrapped:
    """
    Return the surface of a shape with the image on it.

    Each side of a box has the whole image, upright at the four sides; so have the ends of a
    cylinder. Round surfaces have it once around, from the bottom to the top.
    """
    surface = shape_triangles(shape)
    corners = surface.vertices[surface.faces].astype(float)
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    size = np.where(high > low, high - low, 1.0)
    crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    # Rims and poles have triangles without an area.
    lengths = np.linalg.norm(crosses, axis=1)
    seen = lengths > 1e-9 * lengths.max()
    corners, crosses, faces = corners[seen], crosses[seen], surface.faces[seen]
    share = (corners - low) / size
    if isinstance(shape, Box):
        uv = _on_sides(share, crosses)
        normals = np.repeat(crosses[:, None], 3, axis=1)
    else:
        if isinstance(shape, Sphere):
            # As maps of the world: equal latitudes, not equal heights.
            share[..., 2] = np.arcsin(np.clip(2 * share[..., 2] - 1, -1, 1)) / np.pi + 0.5
        is_end = np.abs(crosses[:, 2]) > (1 - 1e-6) * np.linalg.norm(crosses, axis=1)
        uv = np.where(is_end[:, None, None], _on_sides(share, crosses), _around(corners, share))
        summed = np.zeros((len(surface.vertices), 3))
        np.add.at(summed, faces.reshape(-1), np.repeat(crosses, 3, axis=0))
        normals = summed[faces]
    normals = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
    return Unwrapped(
        corners.reshape(-1, 3).astype(np.float32), uv.reshape(-1, 2).astype(np.float32),
        normals.reshape(-1, 3).astype(np.float32))


def _on_sides(share: Array, crosses: Array) -> Array:
    """Return where the corners of triangles are in the images of their sides, shape (F, 3, 2)."""
    x, y, z = share[..., 0], share[..., 1], share[..., 2]
    axis = np.abs(crosses).argmax(axis=1)
    sign = np.sign(np.take_along_axis(crosses, axis[:, None], axis=1))
    u = np.choose(axis[:, None], [y, 1 - x, x])
    v = np.choose(axis[:, None], [z, z, y])
    return np.stack([np.where(sign > 0, u, 1 - u), v], axis=-1)


def _around(corners: Array, share: Array) -> Array:
    """Return where the corners of triangles are in an image around z, shape (F, 3, 2)."""
    u = np.arctan2(corners[..., 1], corners[..., 0]) / (2 * np.pi) + 0.5
    radius = np.hypot(corners[..., 0], corners[..., 1])
    is_pole = radius < 1e-6 * radius.max()
    u = np.where(is_pole, np.nan, u)
    # A triangle across the seam goes on where the image is repeated.
    u = np.where(np.nanmax(u, axis=1, keepdims=True) - u > 0.5, u + 1, u)
    u = np.where(is_pole, np.nanmean(u, axis=1, keepdims=True), u)
    return np.stack([u, share[..., 2]], axis=-1)


def textured(surface: Unwrapped, png: bytes) -> bytes:
    """Return a surface with an image on it as binary glTF."""
    arrays = {
        'POSITION': surface.corners,
        'TEXCOORD_0': surface.uv * np.array([1, -1], np.float32) + np.array([0, 1], np.float32)}
    if surface.normals is not None:
        arrays['NORMAL'] = surface.normals
    parts = [*(array.astype('<f4').tobytes() for array in arrays.values()), _padded(png, b'\0')]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    primitive = {'attributes': {name: index for index, name in enumerate(arrays)}, 'material': 0}
    document = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}],
        'nodes': [{'mesh': 0}], 'meshes': [{'primitives': [primitive]}],
        'materials': [{'doubleSided': True, 'pbrMetallicRoughness': {
            'baseColorTexture': {'index': 0}, 'metallicFactor': 0, 'roughnessFactor': 1}}],
        'textures': [{'source': 0}],
        'images': [{'bufferView': len(arrays), 'mimeType': 'image/png'}],
        'accessors': [{
            'bufferView': index, 'componentType': _FLOAT, 'count': len(array),
            'type': f'VEC{array.shape[1]}', 'min': array.min(axis=0).tolist(),
            'max': array.max(axis=0).tolist()} for index, array in enumerate(arrays.values())],
        'bufferViews': [{'buffer': 0, 'byteOffset': start, 'byteLength': len(part)}
                        for start, part in zip(starts, parts)],
        'buffers': [{'byteLength': starts[-1]}]}
    chunks = b''.join(
        struct.pack('<I4s', len(data), kind) + data for kind, data in (
            (b'JSON', _padded(json.dumps(document).encode(), b' ')), (b'BIN', b''.join(parts))))
    return struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks


def _padded(data: bytes, byte: bytes) -> bytes:
    """Return data whose length is a multiple of four."""
    return data + byte * (-len(data) % 4)
