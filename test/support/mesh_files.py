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

"""Contents of mesh files."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

CUBE = np.array([
    [0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4],
    [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]])
"""The triangles of a cube with the corners of :data:`CORNERS`."""

CORNERS = np.array([
    [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])


def msh(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    """Return a mesh as MuJoCo's own binary file, with a normal and a texture coordinate."""
    return (np.array([len(vertices), 1, 1, len(faces)], '<i4').tobytes()
            + vertices.astype('<f4').tobytes() + np.ones(5, '<f4').tobytes()
            + faces.astype('<i4').tobytes())


def binary_stl(triangles: np.ndarray) -> bytes:
    """Return triangles, shape (T, 3, 3), as a binary STL file."""
    records = np.zeros(len(triangles), [
        ('normal', '<3f4'), ('corners', '<9f4'), ('attribute', '<u2')])
    records['corners'] = triangles.reshape(-1, 9)
    return bytes(80) + np.uint32(len(triangles)).tobytes() + records.tobytes()


def text_stl(triangles: np.ndarray) -> str:
    """Return triangles, shape (T, 3, 3), as a text STL file."""
    facets = [
        'facet normal 0 0 0\nouter loop\n' + ''.join(
            'vertex {} {} {}\n'.format(*corner) for corner in triangle) + 'endloop\nendfacet\n'
        for triangle in triangles]
    return f'solid cube\n{"".join(facets)}endsolid cube\n'


def obj(corners: np.ndarray, faces: np.ndarray) -> str:
    """Return triangles as an OBJ file."""
    lines = ['v {} {} {}'.format(*corner) for corner in corners]
    return '\n'.join((*lines, *('f {} {} {}'.format(*(face + 1)) for face in faces), ''))


def grid(side: int) -> np.ndarray:
    """Return the triangles of a sheet that is not flat, 2 side^2 of them, shape (T, 3, 3)."""
    x, y = np.meshgrid(np.linspace(0, 1, side + 1), np.linspace(0, 1, side + 1))
    points = np.stack([x, y, x * y], axis=-1)
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.concatenate([
        np.stack([a, b, c], axis=2).reshape(-1, 3, 3),
        np.stack([a, c, d], axis=2).reshape(-1, 3, 3)])


def gltf(vertices: int, buffer: dict[str, Any], **accessor: Any) -> str:
    """Return a glTF file with one mesh, whose vertices fill a buffer from its begin."""
    return json.dumps({
        'asset': {'version': '2.0'}, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'buffers': [buffer],
        'bufferViews': [{'buffer': 0, 'byteLength': 12 * vertices}],
        'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': vertices,
                       'type': 'VEC3', **accessor}]})


def glb(text: str, binary: bytes = b'') -> bytes:
    """Return a binary glTF file."""
    text += ' ' * (-len(text) % 4)
    chunks = b''.join(
        len(data).to_bytes(4, 'little') + kind + data
        for kind, data in ((b'JSON', text.encode()), (b'BIN\0', binary)))
    return b'glTF' + (2).to_bytes(4, 'little') + (12 + len(chunks)).to_bytes(4, 'little') + chunks


def mesh_data(suffix: str, triangles: np.ndarray) -> bytes:
    """Return triangles, shape (T, 3, 3), as a file of a format."""
    corners, faces = triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)
    if suffix == '.stl':
        return binary_stl(triangles)
    if suffix == '.obj':
        return obj(corners, faces).encode()
    if suffix == '.msh':
        return msh(corners, faces)
    if suffix == '.dae':
        return collada(corners, faces).encode()
    data = corners.astype('<f4').tobytes()
    uri = {'uri': 'data:;base64,' + base64.b64encode(data).decode()}
    text = gltf(len(corners), {**({} if suffix == '.glb' else uri), 'byteLength': len(data)})
    return glb(text, data) if suffix == '.glb' else text.encode()


def collada(
        corners: np.ndarray, faces: np.ndarray, *, primitive: str = '', before: str = '',
        nodes: str = '<node><instance_geometry url="#mesh"/></node>', after: str = '') -> str:
    """
    Return a COLLADA file.

    :param primitive: instead of ``<triangles>``.
    :param before: libraries above the geometry.
    :param nodes: the content of the scene.
    :param after: libraries below the geometry.
    """
    primitive = primitive or (
        f'<triangles count="{len(faces)}"><input semantic="VERTEX" source="#vertices" offset="0"/>'
        f'<p>{" ".join(map(str, faces.ravel()))}</p></triangles>')
    return f"""\
<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset/>{before}
<library_geometries><geometry id="mesh"><mesh>
<source id="positions">
<float_array id="array" count="{corners.size}">{" ".join(map(str, corners.ravel()))}</float_array>
<technique_common><accessor source="#array" count="{len(corners)}" stride="3"/></technique_common>
</source>
<vertices id="vertices"><input semantic="POSITION" source="#positions"/></vertices>
{primitive}
</mesh></geometry></library_geometries>
{after}
<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
"""


def nested_collada(levels: int) -> str:
    """Return a COLLADA file of a cube, with ten instances of the next level on each."""
    nodes = ''.join(
        f'<node id="n{level}">' + f'<instance_node url="#n{level + 1}"/>' * 10 + '</node>'
        for level in range(levels))
    return collada(
        CORNERS, CUBE, nodes='<node><instance_node url="#n0"/></node>',
        after=f'<library_nodes>{nodes}<node id="n{levels}"><instance_geometry url="#mesh"/></node>'
              '</library_nodes>')
