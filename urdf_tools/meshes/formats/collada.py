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

"""COLLADA files: geometry only, ignoring materials and images."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import io
import re
from xml.etree import ElementTree

import numpy as np

from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.meshes.formats import check_indices
from urdf_tools.meshes.formats import fan
from urdf_tools.meshes.formats import MAX_DEPTH
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats import MeshFormat
from urdf_tools.meshes.formats import numbers
from urdf_tools.meshes.formats import strip
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.messages import quote
from urdf_tools.types import Array
from urdf_tools.types import Indices

_PRIMITIVES = ('triangles', 'polylist', 'polygons', 'tristrips', 'trifans')
_NOT_GEOMETRY = ('library_images', 'library_effects', 'library_materials', 'library_animations')

_TRANSFORMS = {'matrix': 16, 'translate': 3, 'scale': 3, 'rotate': 4}
"""Number of values in each transformation of a node."""

Xml = ElementTree.Element


def read_collada(file: MeshFile) -> Array:
    """
    Return the triangles of the scene of a COLLADA file in metres, shape (T, 3, 3).

    Its unit of length is applied; its up axis is not, as in RViz. Skinned meshes are read as they
    are without their skeleton.

    :raises MeshError: it is not COLLADA, or a number or a reference is malformed.
    """
    return np.concatenate([np.empty((0, 3, 3)), *_Scene(file).triangles()])


class _Scene:
    """The scene of a file, whose nodes may be instances of others."""

    def __init__(self, file: MeshFile):
        self._file = file
        self._root = _parse(file.data)
        self._by_id = _by_id(self._root)
        file.remarks['repeated_ids'] = sum('id' in element.attrib for element in self._root.iter(
            'source')) - sum(element.tag == 'source' for element in self._by_id.values())
        file.remarks['is_y_up'] = self._root.findtext('asset/up_axis', 'Y_UP').strip() == 'Y_UP'
        self._geometries: dict[Xml, tuple[Array, Indices]] = {}

    def triangles(self) -> Iterator[Array]:
        """Yield the triangles of every instance of a geometry in metres."""
        unit = self._root.find('asset/unit')
        meters = _number(unit.get('meter', '1'), 'unit') if unit is not None else 1.0
        pose = np.diag([meters, meters, meters, 1.0])
        reference = self._root.find('scene/instance_visual_scene')
        shown = '' if reference is None else reference.get('url', '')[1:]
        scenes = self._root.findall('library_visual_scenes/visual_scene')
        scenes.sort(key=lambda scene: scene.get('id') != shown)
        for scene in scenes[:1]:
            for node in scene.findall('node'):
                yield from self._instances(node, pose, 0)

    def _instances(self, node: Xml, pose: Array, depth: int) -> Iterator[Array]:
        self._file.count_node(depth)
        for element in node:
            if element.tag in _TRANSFORMS:
                pose = pose @ _transform(element)
        for element in node:
            if element.tag == 'node':
                yield from self._instances(element, pose, depth + 1)
            elif element.tag == 'instance_node':
                yield from self._instances(self._find(element.get('url', '')), pose, depth + 1)
            elif element.tag in ('instance_geometry', 'instance_controller'):
                yield self._file.instances(*self._geometry(self._skinned(element)), pose)

    def _find(self, url: str, near: Mapping[str, Xml] = {}) -> Xml:
        """
        Return the element of a reference.

        :param near: the elements of the geometry that has it, which count before those of others.
        """
        if url[1:] in near:
            return near[url[1:]]
        if not url.startswith('#'):
            raise MeshError(f'it refers to {quote(url)}, which is not in the file')
        if url[1:] not in self._by_id:
            raise MeshError(f'it refers to {quote(url)}, which does not exist')
        return self._by_id[url[1:]]

    def _skinned(self, instance: Xml) -> Xml:
        """Return the geometry of an instance, which for a controller is the one it deforms."""
        element = self._find(instance.get('url', ''))
        for _ in range(MAX_DEPTH):
            if element.tag != 'controller':
                return element
            source = next((child.get('source', '') for child in element
                           if child.tag in ('skin', 'morph')), '')
            element = self._find(source)
        raise MeshError('its controllers refer to each other')

    def _geometry(self, element: Xml) -> tuple[Array, Indices]:
        """Return the vertices and triangles of a geometry; empty if it is not a mesh."""
        if element not in self._geometries:
            vertices, faces = [np.empty((0, 3))], [np.empty((0, 3), int)]
            count = 0
            mesh = element.find('mesh')
            near = _by_id(element)
            for primitive in () if mesh is None else mesh:
                if primitive.tag in _PRIMITIVES:
                    corners, offset, width = self._positions(primitive, near)
                    some = _faces(primitive, offset, width)
                    check_indices(some, len(corners))
                    faces.append(count + some)
                    vertices.append(corners)
                    count += len(corners)
            self._geometries[element] = np.concatenate(vertices), np.concatenate(faces)
        return self._geometries[element]

    def _positions(self, primitive: Xml, near: Mapping[str, Xml]) -> tuple[Array, int, int]:
        """Return the vertices of a primitive, their offset in an index, and its width."""
        vertices = primitive.find("input[@semantic='VERTEX']")
        positions = None if vertices is None else self._find(
            vertices.get('source', ''), near).find("input[@semantic='POSITION']")
        if vertices is None or positions is None:
            raise MeshError(f'its <{primitive.tag}> have no positions')
        width = 1 + max(_offset(item) for item in primitive.findall('input'))
        source = self._find(positions.get('source', ''), near)
        return self._source(source), _offset(vertices), width

    def _source(self, source: Xml) -> Array:
        array = source.find('float_array')
        if array is None:
            raise MeshError('a source of positions has no <float_array>')
        values: Array = numbers(array.text or '', 'positions')
        accessor = source.find('technique_common/accessor')
        given = {} if accessor is None else accessor.attrib
        stride, offset = (_integer(given.get(name, default), name)
                          for name, default in (('stride', '3'), ('offset', '0')))
        if not 3 <= stride <= max(len(values), 3) or offset > len(values):
            raise MeshError(f'its positions have a stride of {stride} and an offset of {offset}')
        rows = (len(values) - offset) // stride
        return values[offset:offset + rows * stride].reshape(-1, stride)[:, :3]


def _by_id(element: Xml) -> dict[str, Xml]:
    """Return the descendants of an element by ID; the first of those that share one."""
    return {inner.attrib['id']: inner for inner in reversed([*element.iter()])
            if 'id' in inner.attrib}


def _parse(data: bytes) -> Xml:
    """Return the root element with only geometry and without namespaces."""
    if re.search(rb'<!(?:ENTITY|ATTLIST)', data.replace(b'\0', b'')):
        raise MeshError('it declares XML entities, which is not allowed')
    root: Xml | None = None
    depth, skipped = 0, 0
    try:
        for event, element in ElementTree.iterparse(io.BytesIO(data), ('start', 'end')):
            if event == 'start':
                root = element if root is None else root
                depth += 1
                element.tag = element.tag.rpartition('}')[2]
                skipped += element.tag in _NOT_GEOMETRY
            else:
                depth -= 1
                skipped -= element.tag in _NOT_GEOMETRY
                if skipped or element.tag in _NOT_GEOMETRY:
                    element.clear()
            if depth > 10 * MAX_DEPTH:
                raise MeshError(f'its elements are nested deeper than {10 * MAX_DEPTH}')
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        if isinstance(error, MeshError):
            raise
        raise MeshError(f'it is not XML: {error}') from error
    if root is None or root.tag != 'COLLADA':
        raise MeshError('it is not COLLADA')
    return root


def _faces(primitive: Xml, offset: int, width: int) -> Indices:
    """Return the triangles of a primitive, shape (T, 3)."""
    lists = [numbers(item.text or '', 'indices', int) for item in primitive.iter('p')]
    indices = [np.asarray(item)[:len(item) // width * width].reshape(-1, width)[:, offset]
               for item in lists]
    corners = np.concatenate([np.empty(0, int), *indices])
    if primitive.tag == 'tristrips':
        return np.concatenate([np.empty((0, 3), int), *map(strip, indices)])
    if primitive.tag == 'triangles':
        counts = np.full(len(corners) // 3, 3)
    else:
        counts = numbers(primitive.findtext('vcount') or '', 'vcount', int) if (
            primitive.tag == 'polylist') else np.array([len(item) for item in indices], dtype=int)
    number = len(corners)
    if len(counts) and (counts.min() < 0 or counts.max() > number or counts.sum() > number):
        raise MeshError(
            f'its polygons have {sum(counts.tolist()):,} corners, but there are {number:,}')
    return corners[fan(counts)]


def _transform(element: Xml) -> Array:
    """Return the matrix of a transformation of a node, shape (4, 4)."""
    values = numbers(element.text or '', 'transformations')
    if len(values) != _TRANSFORMS[element.tag]:
        raise MeshError(
            f'a <{element.tag}> has {len(values)} numbers, not {_TRANSFORMS[element.tag]}')
    matrix = np.eye(4)
    if element.tag == 'matrix':
        return np.asarray(values).reshape(4, 4)
    if element.tag == 'translate':
        matrix[:3, 3] = values
    elif element.tag == 'scale':
        matrix[[0, 1, 2], [0, 1, 2]] = values
    else:
        half, length = np.radians(values[3]) / 2, np.linalg.norm(values[:3])
        axis = values[:3] / (length or 1.0)
        matrix[:3, :3] = quaternion_to_matrix([*np.sin(half) * axis, np.cos(half)])
    return matrix


def _number(text: str, what: str) -> float:
    values = numbers(text, what)
    if len(values) != 1 or not np.isfinite(values[0]):
        raise MeshError(f'its {what} is {quote(text)}')
    return float(values[0])


def _offset(item: Xml) -> int:
    return _integer(item.get('offset', '0'), 'offset')


def _integer(text: str, what: str) -> int:
    value = _number(text, what)
    if not 0 <= value < 2**31 or value != int(value):
        raise MeshError(f'its {what} is {quote(text)}')
    return int(value)


FORMAT = MeshFormat(('.dae',), read_collada)
