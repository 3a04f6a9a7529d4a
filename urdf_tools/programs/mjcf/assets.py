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
from contextlib import suppress
from pathlib import Path
from pathlib import PurePosixPath
import re
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.collision.fits import convex
from urdf_tools.collision.fits import FLAT
from urdf_tools.collision.solids import LinkSurfaces
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.solids import SurfaceError
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.formats import mesh_writers
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.triangles import merge_corners
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Rgba
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import unique
from urdf_tools.types import Array

FOLDER = 'assets'
"""The folder of meshes and textures, beside the model."""

_MAX_IN_STL = 200_000
"""Most triangles of an STL file that MuJoCo reads; OBJ files may have more."""

_MIN_AREA = 5e-14
"""Area in m^2 of a mesh, up to which MuJoCo refuses it."""

_CONVEX = 0.99
"""Share of its convex hull that a mesh without hollows fills."""

_COLOURED = ('.dae', '.glb', '.gltf')

_MAX_BYTES = 2**26

_PNG = b'\x89PNG\r\n\x1a\n'


class Assets:
    """
    The files and materials of a model.

    :ivar files: name of each file in :data:`FOLDER` to its content.
    :ivar sources: the files that they are made of.
    :ivar are_read: whether files are read at all.
    :ivar losses: what cannot be read, or is changed.
    """

    def __init__(self, context: Context, shapes: Iterable[Visual | Collision]):
        """Read the meshes of shapes."""
        self._context = context
        self.are_read = context.reads_files
        self.files: dict[str, bytes] = {}
        self.losses = Losses()
        self._meshes: dict[Mesh, str] = {}
        self._names: dict[bytes, str] = {}
        self._materials: dict[tuple[Rgba | None, str], str] = {}
        self._textures: dict[str, str] = {}
        self._surfaces = LinkSurfaces(shapes if context.reads_files else (),
                                      context.resolver.resolve_for_use)
        self.sources = list(self._surfaces.files.values())

    def mesh(self, shape: Visual | Collision, mesh: Mesh) -> str | None:
        """Return the name of the mesh of a shape, or None if MuJoCo cannot have it."""
        stem = PurePosixPath(mesh.filename).stem
        if not self._context.reads_files:
            return _clean(stem)
        try:
            triangles = self._triangles(mesh, isinstance(shape, Collision))
        except (ResourceError, MeshError) as error:
            self.losses.note(
                'mesh', Impact.DROPS, shape.element, 'The mesh {uri} of a {tag} of {link} is left '
                'out: {problem}', uri=Name(mesh.filename), problem=_problem(error))
            return None
        if mesh not in self._meshes:
            kind = 'stl' if len(triangles) <= _MAX_IN_STL else 'obj'
            data = mesh_writers()[kind](triangles)
            if data not in self._names:
                self._names[data] = name = self._free(stem)
                self.files[f'{name}.{kind}'] = data
            self._meshes[mesh] = self._names[data]
        path = self._surfaces.files[mesh.filename]
        suffix = path.suffix.lower()
        if isinstance(shape, Collision):
            if not _is_convex(path):
                self.losses.note('collision', Impact.CHANGES, shape.element, 'The convex hull of '
                                 'a collision mesh of {link} collides, not the mesh')
        elif suffix in _COLOURED and shape.material is None:
            self.losses.note('colour', Impact.IGNORES, shape.element,
                             'The colours in the file of a {tag} of {link} are left out')
        elif suffix != '.stl' and shape.material is not None and shape.material.texture:
            self.losses.note('texture', Impact.IGNORES, shape.element, 'The texture coordinates '
                             'in the file of a {tag} of {link} are left out')
        return self._meshes[mesh]

    def solids(self, shapes: Iterable[Collision]) -> tuple[Solid, ...]:
        """Return shapes that are written as they collide: meshes as their convex hulls."""
        return tuple(filter(None, map(convex, self._surfaces.solids(shapes))))

    def corners(self, shapes: Iterable[Collision]) -> Array:
        """Return the corners of shapes, without meshes that cannot be read, shape (N, 3)."""
        found = [np.zeros((0, 3))]
        for shape in shapes if self.are_read else ():
            with suppress(SurfaceError, ImportError):  # Hulls of meshes need scipy.
                found += [each.triangles.reshape(-1, 3) for each in self.solids([shape])]
        return np.concatenate(found)

    def _triangles(self, mesh: Mesh, is_collision: bool) -> Array:
        """
        Return the triangles of a mesh, shape (T, 3, 3), facing outward if it is mirrored.

        :raises ResourceError: its file is not found.
        :raises MeshError: MuJoCo cannot have it.
        """
        triangles = self._surfaces.triangles(mesh)
        if np.prod(mesh.scale) < 0:
            triangles = triangles[:, ::-1]
        points, faces = merge_corners(triangles.astype('<f4'))
        if len(points) < 4 or not triangle_areas(points[faces]).sum() > _MIN_AREA:
            raise MeshError('MuJoCo takes no mesh with so little surface')
        spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        if is_collision and not spread[2] > FLAT * spread[0]:
            raise MeshError('it is flat, and MuJoCo makes no hull of it; write a thin box')
        return triangles

    def _free(self, stem: str) -> str:
        return unique(_clean(stem), [name.rpartition('.')[0] for name in self.files])

    def material(self, visual: Visual) -> str | None:
        """Return the name of the material of a visual, or None if it has none."""
        given = visual.material
        if given is None or given.rgba is None and given.texture is None:
            return None
        key = given.rgba, given.texture or ''
        if key not in self._materials:
            self._materials[key] = unique(given.name or 'material', self._materials.values())
            if given.texture and self._context.reads_files:
                self._add_texture(given, given.texture)
        return self._materials[key]

    def _add_texture(self, material: Material, uri: str) -> None:
        try:
            path = self._context.resolver.resolve_for_use(uri)
            self.sources.append(path)
            data = read_regular_file(path, _MAX_BYTES)
            if not data.startswith(_PNG) or b'IEND' not in data[-16:]:
                raise ValueError('MuJoCo reads only PNG')
        except (ValueError, OSError) as error:
            self.losses.note('texture', Impact.DROPS, material.element, 'The texture {uri} is '
                             'left out: {problem}', uri=Name(uri), problem=_problem(error))
            return
        self._textures[uri] = name = self._free(path.stem)
        self.files[f'{name}.png'] = data

    def write(self, asset: Node, model: str) -> None:
        """Append materials, textures and meshes, the latter of a class of defaults."""
        for (rgba, uri), name in self._materials.items():
            add(asset, 'material', {
                'name': name, 'texture': self._textures.get(uri), 'rgba': rgba})
        for texture in self._textures.values():
            add(asset, 'texture', {'name': texture, 'type': '2d', 'file': f'{texture}.png'})
        for file in self.files:
            name, _, suffix = file.rpartition('.')
            if suffix != 'png':
                add(asset, 'mesh', {'name': name, 'class': model, 'file': file})


def _problem(error: ValueError | OSError) -> FreeText:
    """Return why a file is left out."""
    return FreeText(error.message if isinstance(error, ResourceError) else
                    error.strerror if isinstance(error, OSError) else error)


def _is_convex(path: Path) -> bool:
    """Return whether a mesh is a solid that fills its convex hull."""
    try:
        solid, hull = mesh_facts(path), mesh_facts(path, 'hull').moments()
    except MeshError:
        return False
    return not solid.openness and abs(solid.volume) >= _CONVEX * hull.measure


def _clean(stem: str) -> str:
    """Return a name for a file and an asset."""
    return re.sub(r'[^\w-]', '_', stem, flags=re.ASCII)[:100] or 'mesh'
