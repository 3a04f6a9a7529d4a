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
The process that prepares meshes for the browser, within the limits of all reading of meshes.

The triangles are those that our own readers return. The materials and textures of COLLADA, glTF
and OBJ files are read by trimesh, which is of use only where it finds the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping
import io
import logging
import os
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.inertia.mesh_formats.mesh_file import MeshFile
from urdf_tools.inertia.mesh_limits import MeshLimits
from urdf_tools.inertia.mesh_record import merge_corners
from urdf_tools.inertia.mesh_worker import READERS
from urdf_tools.inertia.mesh_worker import serve
from urdf_tools.inertia.polyhedra import MeshError
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import read_regular_file

WITH_MATERIALS = ('.dae', '.glb', '.gltf', '.obj')
"""Suffixes of the mesh files that may have materials."""

_MAX_PIXELS = 2048
"""Largest width and height of an image."""

_CLOSE = 1e-3
"""Difference of two equal shapes, as a share of their size."""


def main() -> None:
    """Answer requests until standard input ends."""
    serve(_convert)


@np.errstate(all='ignore')
def _convert(path: Path, request: Mapping[str, Any], limits: MeshLimits) -> dict[str, Any]:
    """Write the triangles and the coloured scene of a mesh to the file of the request."""
    file = MeshFile(path, limits)
    triangles = READERS[path.suffix.lower()](file)
    triangles = triangles[np.isfinite(triangles).all(axis=(1, 2))]
    if not len(triangles):
        raise MeshError('it has no triangles')
    vertices, faces = merge_corners(triangles)
    scene, scale, remark = b'', 1.0, ''
    if path.suffix.lower() in WITH_MATERIALS:
        textures = _Textures(path, limits)
        try:
            scene, scale = _coloured_scene(path, textures, vertices)
        except MeshError as error:
            remark = str(error)
        except Exception as error:  # Whatever a file makes trimesh raise, its shape is known.
            remark = f'its materials cannot be read: {type(error).__name__}: {error}'
        remark = remark or textures.complaint
    with open(os.fsdecode(bytes.fromhex(request['output'])), 'wb') as output:
        np.savez(
            output, vertices=vertices.astype('<f4'), faces=faces.astype('<u4'),
            scene=np.frombuffer(scene, np.uint8), scale=np.float64(scale))
    return {'remark': printable(' '.join(remark.split()))[:300]}


def _coloured_scene(
        path: Path, textures: _Textures, vertices: Array) -> tuple[bytes, float]:
    """
    Return a mesh with its materials as binary glTF, and the scale that it needs.

    It is empty if the file has no materials.

    :raises MeshError: trimesh does not see the same shape.
    """
    import trimesh
    from trimesh.visual import TextureVisuals
    logging.disable()
    suffix = path.suffix.lower()[1:]
    data = textures.read(path)
    loaded = trimesh.load_scene(
        io.BytesIO(data), file_type=suffix, resolver=textures.resolver(), process=False)
    meshes = [part for part in loaded.geometry.values() if isinstance(part, trimesh.Trimesh)]
    if suffix == 'obj' and b'usemtl' not in data or not any(
            isinstance(part.visual, TextureVisuals) or part.visual is not None
            and part.visual.defined for part in meshes):
        return b'', 1.0
    scale = _scale(np.asarray(loaded.bounds), vertices)
    for part in meshes:
        _simplify_images(getattr(part.visual, 'material', None))
    exported = loaded.export(file_type='glb')  # type: ignore[no-untyped-call, unused-ignore]
    if not isinstance(exported, bytes):
        raise MeshError('its materials cannot be read')
    return exported, scale


def _simplify_images(material: Any) -> None:
    """Let images be of a format that browsers know, and of a moderate size."""
    for name, value in list(vars(material).items()) if material is not None else ():
        for key, image in list(value.items()) if isinstance(value, dict) else [(name, value)]:
            if not hasattr(image, 'thumbnail'):
                continue
            # What is converted has no format, and is written as PNG.
            image = image.convert('RGBA' if 'A' in image.getbands() else 'RGB')
            image.thumbnail((_MAX_PIXELS, _MAX_PIXELS))
            if isinstance(value, dict):
                value[key] = image
            else:
                setattr(material, name, image)


def _scale(bounds: Array, vertices: Array) -> float:
    """Return the factor from what trimesh sees to the own triangles: the unit of length."""
    own = np.stack([vertices.min(axis=0), vertices.max(axis=0)])
    size = float(np.linalg.norm(own[1] - own[0]))
    scale = size / float(np.linalg.norm(bounds[1] - bounds[0]))
    if not np.abs(bounds * scale - own).max() <= _CLOSE * size:
        raise MeshError('its materials are not shown, because they are of another shape')
    return scale


class _Textures:
    """
    Reads the files that a mesh names, such as images, within its package and the limits.

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
        data, _ = read_regular_file(path, self._bytes_left + 1)
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            raise MeshError('its files are too large', 'size')
        return data

    def resolver(self) -> Any:
        """Return what trimesh takes to read files by their names."""
        from trimesh.resolvers import Resolver
        get = self._get

        class Beside(Resolver):  # type: ignore[misc, unused-ignore]
            """Hands each name to the textures."""

            def __init__(self) -> None:
                pass

            def get(self, key: str) -> bytes:
                return get(key)

            def write(self, name: str, data: object) -> None:
                raise NotImplementedError

            def namespaced(self, namespace: str) -> Beside:
                return self

            def keys(self) -> list[str]:
                return []
        return Beside()

    def _get(self, name: str) -> bytes:
        path = (self._folder / name.strip().removeprefix('file://')).resolve()
        try:
            if not path.is_relative_to(self._root):
                raise OSError(0, 'it is outside the folder of the package')
            return self.read(path)
        except OSError as error:
            self.complaint = f'{quote(name, 80)} cannot be read: {error.strerror}'
            raise
