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
Prepare meshes for the browser in a worker, within the limits of meshes.

The triangles are those that our own readers return. The materials and textures of COLLADA, glTF
and OBJ files are read by trimesh, whose result is used only if its shape is the same.
"""

from __future__ import annotations

from functools import partial
import io
import logging
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.meshes.formats import format_of
from urdf_tools.meshes.job import Answer
from urdf_tools.meshes.job import answered
from urdf_tools.meshes.job import arrays
from urdf_tools.meshes.job import read_surface
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.types import Array

_CLOSE = 1e-3
"""Difference of two equal shapes, as a share of their size."""

_MAX_SIDE = 2048
"""Largest width and height of an image in the browser."""


def convert(request: Any, _data: bytes) -> Answer:
    """Answer a request for a mesh scene."""
    return answered(request, _convert)


@np.errstate(all='ignore')
def _convert(path: Path, _request: dict[str, Any], limits: MeshLimits) -> Answer:
    vertices, faces = read_surface(path, limits)
    coloured, scale, remark = b'', 1.0, ''
    if format_of(path).has_materials:
        textures = _Textures(path, limits)
        try:
            coloured, scale = _materials(path, textures, vertices)
        except MeshError as error:
            remark = str(error)
        except Exception as error:  # Whatever a file makes trimesh raise, its shape is known.
            remark = f'its materials cannot be read: {type(error).__name__}: {error}'
        remark = remark or textures.complaint
    answer, data = arrays(vertices, faces, '<f4')
    return {**answer, 'scale': scale,
            'remark': printable(' '.join(remark.split()))[:300]}, data + coloured


def _materials(path: Path, textures: _Textures, vertices: Array) -> tuple[bytes, float]:
    """
    Return ``coloured`` and ``scale`` of a :class:`~urdf_tools.view.shape_library.MeshScene`.

    They are empty and 1 if the file has no materials.

    :raises MeshError: the shape that trimesh reads is another one.
    """
    import trimesh
    from trimesh.visual import TextureVisuals
    logging.disable()
    suffix = path.suffix.lower()[1:]
    data = textures.read(path)
    resolver: Any = textures
    loaded = trimesh.load_scene(
        io.BytesIO(data), file_type=suffix, resolver=resolver, process=False)
    meshes = [part for part in loaded.geometry.values() if isinstance(part, trimesh.Trimesh)]
    if suffix == 'obj' and b'usemtl' not in data or not any(
            isinstance(part.visual, TextureVisuals) or part.visual is not None
            and part.visual.defined for part in meshes):
        return b'', 1.0
    scale = _scale(loaded, vertices)
    for part in meshes:
        _simplify_images(getattr(part.visual, 'material', None))
    exported = loaded.export(  # type: ignore[no-untyped-call, unused-ignore]
        file_type='glb', tree_postprocessor=partial(matte, suffix in ('glb', 'gltf')))
    if not isinstance(exported, bytes):
        raise MeshError('its materials cannot be read')
    return exported, scale


def matte(is_gltf: bool, document: dict[str, Any]) -> None:
    """
    Make the materials of a glTF document matte and double-sided.

    Without a room around it, what glTF calls metal reflects nothing, and is black.

    :param is_gltf: whether its colours are linear already; those of other formats are sRGB.
    """
    for material in document.get('materials', ()):
        material['doubleSided'] = True
        surface = material.setdefault('pbrMetallicRoughness', {})
        surface.pop('metallicRoughnessTexture', None)
        surface.update(metallicFactor=0.0, roughnessFactor=1.0)
        if not is_gltf and 'baseColorFactor' in surface:
            *rgb, alpha = surface['baseColorFactor']
            surface['baseColorFactor'] = [*map(_linear, rgb), alpha]


def _linear(share: float) -> float:
    """Convert an sRGB component to linear light."""
    return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)


def _simplified(image: Any) -> Any:
    """Return an image in a format that browsers know, of a moderate size."""
    # What is converted has no format, and is written as PNG.
    image = image.convert('RGBA' if 'A' in image.getbands() else 'RGB')
    image.thumbnail((_MAX_SIDE, _MAX_SIDE))
    return image


def _simplify_images(material: Any) -> None:
    """Convert images to a format that browsers know, of a moderate size."""
    for name, value in list(vars(material).items()) if material is not None else ():
        if hasattr(value, 'thumbnail'):
            setattr(material, name, _simplified(value))
        elif isinstance(value, dict):
            value.update((key, _simplified(image)) for key, image in [*value.items()]
                         if hasattr(image, 'thumbnail'))


def _scale(loaded: Any, vertices: Array) -> float:
    """Return the scale from the mesh of trimesh to our triangles: the unit of length."""
    bounds = np.asarray(loaded.bounds)
    own = np.stack([vertices.min(axis=0), vertices.max(axis=0)])
    size = float(np.linalg.norm(own[1] - own[0]))
    scale = size / float(np.linalg.norm(bounds[1] - bounds[0]))
    if not np.abs(bounds * scale - own).max() <= _CLOSE * size:
        raise MeshError('its materials are not shown, because they are of another shape')
    return scale


class _Textures:
    """
    Reads the files that a mesh names, such as images, within its package and the limits.

    It is what trimesh calls a resolver.

    :ivar complaint: what could not be read; empty if there is nothing.
    """

    def __init__(self, path: Path, limits: MeshLimits):
        self._folder = path.parent
        self._root = project_folder(path.parent).resolve()
        self._bytes_left = int(limits.size * 2**20)
        self.complaint = ''

    def read(self, path: Path) -> bytes:
        """
        Return the content of a file.

        :raises MeshError: it is too large.
        """
        data = read_regular_file(path, self._bytes_left + 1)
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise MeshError('its files are too large', 'size')
        return data

    def get(self, name: str) -> bytes:
        """
        Return the content of the file of a name.

        :raises OSError: it is outside of the package, or cannot be read.
        """
        path = (self._folder / name.strip().removeprefix('file://')).resolve()
        try:
            if not path.is_relative_to(self._root):
                raise OSError(0, 'it is outside the folder of the package')
            return self.read(path)
        except OSError as error:
            self.complaint = f'{quote(name, 80)} cannot be read: {error.strerror}'
            raise

    __getitem__ = get
