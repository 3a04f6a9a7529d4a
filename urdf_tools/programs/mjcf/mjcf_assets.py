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

"""Meshes, textures and materials of an MJCF model, each once."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from pathlib import Path
from pathlib import PurePosixPath
import re
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.geometry.meshes.mesh_facts import mesh_facts
from urdf_tools.geometry.meshes.mesh_facts import read_surfaces
from urdf_tools.geometry.meshes.mesh_limits import MeshError
from urdf_tools.geometry.meshes.mesh_record import merge_corners
from urdf_tools.geometry.shapes.collision_tags import obj
from urdf_tools.geometry.shapes.collision_tags import stl
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.pose import Vector3
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Material
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.mjcf.mjcf_xml import add
from urdf_tools.programs.mjcf.mjcf_xml import numbers
from urdf_tools.programs.mjcf.mjcf_xml import unique

FOLDER = 'assets'
"""The folder of meshes and textures, beside the model."""

_MOST_IN_STL = 200_000
"""Most triangles of an STL file that MuJoCo reads; OBJ files may have more."""

_FLAT = 1e-6
"""Thickness of a mesh, as a share of its size, of which MuJoCo finds no convex hull."""

_CONVEX = 0.99
"""Share of its convex hull that a mesh without hollows fills."""

_COLOURED = ('.dae', '.glb', '.gltf')

_MOST_BYTES = 2**26

_PNG = b'\x89PNG\r\n\x1a\n'


class Assets:
    """
    The files and materials of a model.

    :ivar files: name of each file in :data:`FOLDER` to its content.
    :ivar sources: the files that they are made of.
    :ivar losses: what cannot be read, or is changed.
    """

    def __init__(self, context: Context, shapes: Iterable[Visual | Collision]):
        self._context = context
        self.files: dict[str, bytes] = {}
        self.losses: list[Loss] = []
        self._meshes: dict[tuple[str, Vector3, bool], str] = {}
        self._names: dict[bytes, str] = {}
        self._materials: dict[str, Material] = {}
        self._textures: dict[str, str] = {}
        self._paths: dict[str, Path | ResourceError] = {}
        for shape in shapes:
            if isinstance(shape.geometry, Mesh):
                self._path(shape.geometry.filename)
        paths = [path for path in self._paths.values() if isinstance(path, Path)]
        self._surfaces: Mapping[Path, Array | MeshError] = (
            read_surfaces(paths) if context.reads_files else {})

    @property
    def sources(self) -> list[Path]:
        """The files that the assets are made of."""
        return [path for path in self._paths.values() if isinstance(path, Path)]

    def _path(self, uri: str) -> Path | ResourceError:
        if uri not in self._paths:
            try:
                self._paths[uri] = self._context.resolver.resolve(uri)
            except ResourceError as error:
                self._paths[uri] = error
        return self._paths[uri]

    def mesh(self, shape: Visual | Collision) -> str | None:
        """Return the name of the mesh of a shape, or None if MuJoCo cannot have it."""
        mesh = shape.geometry
        assert isinstance(mesh, Mesh)
        path = self._path(mesh.filename)
        stem = PurePosixPath(mesh.filename).stem
        if not self._context.reads_files:
            return _clean(stem)
        problem = str(path.message) if isinstance(path, ResourceError) else self._problem(
            path, mesh.scale, isinstance(shape, Collision))
        if problem:
            self.losses.append(loss(
                'mesh', Impact.DROPS, shape.element, 'The mesh {uri} of a {tag} of {link} is left '
                'out: {problem}', uri=Name(mesh.filename), problem=FreeText(problem)))
            return None
        assert isinstance(path, Path)
        is_textured = (isinstance(shape, Visual) and shape.material is not None
                       and shape.material.texture is not None and path.suffix.lower() == '.obj')
        key = str(path), mesh.scale, is_textured
        if key not in self._meshes:
            triangles = self._triangles(path, mesh.scale)
            self._meshes[key] = self._add(stem, '.obj', _with_uv(path, mesh.scale)) if (
                is_textured) else self.file(stem, triangles)
        if isinstance(shape, Collision):
            self._check_hull(path, shape)
        elif path.suffix.lower() in _COLOURED and shape.material is None:
            self.losses.append(loss(
                'colour', Impact.IGNORES, shape.element, 'The colours in the file of a {tag} of '
                '{link} are left out', hint='Write a <material>'))
        return self._meshes[key]

    def file(self, stem: str, triangles: Array) -> str:
        """Return the name of triangles as an asset, shape (T, 3, 3), which is written once."""
        if len(triangles) > _MOST_IN_STL:
            return self._add(stem, '.obj', obj(triangles))
        return self._add(stem, '.stl', stl(triangles))

    def _add(self, stem: str, suffix: str, data: bytes) -> str:
        if data not in self._names:
            self._names[data] = name = self._free(stem)
            self.files[name + suffix] = data
        return self._names[data]

    def _free(self, stem: str) -> str:
        return unique(_clean(stem), [name.rpartition('.')[0] for name in self.files])

    def _triangles(self, path: Path, scale: Vector3) -> Array:
        triangles = self._surfaces[path]
        assert not isinstance(triangles, MeshError)
        scaled: Array = triangles * np.array(scale)
        return scaled[:, ::-1] if np.prod(scale) < 0 else scaled

    def _problem(self, path: Path, scale: Vector3, is_collision: bool) -> str:
        """Return why MuJoCo cannot have a mesh, or an empty text."""
        surface = self._surfaces[path]
        if isinstance(surface, MeshError):
            return str(surface)
        points, faces = merge_corners(self._triangles(path, scale).astype('<f4'))
        edges = points[faces]
        areas = np.linalg.norm(np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0]),
                               axis=1)
        if len(points) < 4 or not areas.sum() > 1e-13:
            return 'MuJoCo takes no mesh with so little surface'
        spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        if is_collision and not spread[2] > _FLAT * spread[0]:
            return 'it is flat, and MuJoCo makes no hull of it; write a thin box'
        return ''

    def _check_hull(self, path: Path, shape: Collision) -> None:
        """Note that only the convex hull of a mesh collides, unless it is the mesh itself."""
        try:
            solid, hull = mesh_facts(path), mesh_facts(path, 'hull')
            is_convex = not solid.openness and bool(
                abs(solid.volume) >= _CONVEX * hull.moments().measure)
        except MeshError:
            is_convex = False
        if not is_convex:
            self.losses.append(loss(
                'collision', Impact.CHANGES, shape.element, 'The convex hull of a collision mesh '
                'of {link} collides, not the mesh',
                hint='--collision decompose makes convex parts of it'))

    def material(self, visual: Visual) -> str | None:
        """Return the name of the material of a visual, or None if it has none."""
        given = visual.material
        if given is None or given.rgba is None and given.texture is None:
            return None
        for name, known in self._materials.items():
            if (known.rgba, known.texture) == (given.rgba, given.texture):
                return name
        name = unique(given.name or 'material', self._materials)
        self._materials[name] = given
        if given.texture is not None:
            self._add_texture(given, given.texture)
        return name

    def _add_texture(self, material: Material, uri: str) -> None:
        problem = ''
        try:
            path = self._paths[uri] = self._context.resolver.resolve(uri)
            data, _ = read_regular_file(path, _MOST_BYTES)
            if not data.startswith(_PNG) or b'IEND' not in data[-16:]:
                problem = 'MuJoCo reads only PNG'
        except (ResourceError, OSError) as error:
            problem = str(error.message if isinstance(error, ResourceError) else error.strerror)
        if problem:
            if self._context.reads_files:
                self.losses.append(loss(
                    'texture', Impact.DROPS, material.element, 'The texture {uri} is left out: '
                    '{problem}', uri=Name(uri), problem=FreeText(problem)))
            return
        name = self._free(path.stem)
        self.files[name + '.png'] = data
        self._textures[uri] = name

    def write(self, asset: Node, model: str) -> None:
        """Append materials, textures and meshes, the latter of a class of defaults."""
        for name, material in self._materials.items():
            texture = self._textures.get(material.texture or '')
            add(asset, 'material', {'name': name, 'texture': texture, 'rgba': material.rgba})
        for texture in self._textures.values():
            add(asset, 'texture', {'name': texture, 'type': '2d', 'file': f'{texture}.png'})
        for file in self.files:
            name, _, suffix = file.rpartition('.')
            if suffix != 'png':
                add(asset, 'mesh', {'name': name, 'class': model, 'file': file})


def _with_uv(path: Path, scale: Vector3) -> bytes:
    """Return an OBJ file that has been read, with texture coordinates, scaled, and little else."""
    data, _ = read_regular_file(path, _MOST_BYTES)
    lines = []
    for line in data.splitlines():
        kind, *words = line.split() or [b'']
        if kind == b'v':
            line = b'v ' + numbers([
                float(word) * factor for word, factor in zip(words, scale)]).encode()
        if kind in (b'v', b'vt', b'vn', b'f'):
            lines.append(line)
    return b'\n'.join((*lines, b''))


def _clean(stem: str) -> str:
    """Return a name for a file and an asset."""
    return re.sub(r'[^\w-]', '_', stem, flags=re.ASCII)[:100] or 'mesh'
