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

"""Mesh files as MuJoCo finds and reads them (``src/user/user_mesh.cc``)."""

from __future__ import annotations

import os
from pathlib import Path
import struct

from urdf_tools.findings.message import Name
from urdf_tools.inertia.mesh_solids import mesh_pyramids
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.meshes.mesh_facts import mesh_facts
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.model.element import Element
from urdf_tools.model.pose import Vector3
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.shape_records import Mesh
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.mujoco.mujoco_releases import Compiler
from urdf_tools.programs.mujoco.mujoco_releases import Release

_CONVERT = 'Convert it to binary STL or to OBJ'
_HEADER, _FACE = 84, 50
_MAX_FACES = 200_000


class Meshes:
    """
    The mesh files of a description.

    :ivar refusals: why MuJoCo does not compile the description, once for each file.
    :ivar replaced: meshes that are another file with the same name, with the one they become.
    """

    def __init__(self, compiler: Compiler, release: Release, context: Context):
        self.refusals: list[Loss] = []
        self.replaced: list[tuple[Element, str]] = []
        self._compiler = compiler
        self._release = release
        self._context = context
        self._uris: dict[tuple[str, Vector3], str] = {}
        self._files: dict[str, Path | None] = {}

    def add(self, element: Element, mesh: Mesh) -> str:
        """Read the mesh of a shape, and return the path of the file that it becomes."""
        uri = mesh.filename
        if self._compiler.strippath:
            uri = uri.replace('\\', '/').rpartition('/')[2]
        if self._release.shares_meshes:
            stem = uri.rpartition('/')[2].rpartition('.')[0]
            first = self._uris.setdefault((stem, mesh.scale), uri)
            if first != uri:
                self.replaced.append((element, first))
            uri = first
        if uri not in self._files:
            self._files[uri] = self._find(element, uri)
        return uri

    def inertia(self, uri: str, scale: Vector3) -> SpatialInertia | None:
        """Return the inertia of a file at 1 kg/m^3; None where it cannot be known."""
        path = self._files[uri]
        try:
            return None if path is None else mesh_pyramids(path, scale)
        except MeshError:
            return None

    def _find(self, element: Element, uri: str) -> Path | None:
        """Return the file, or None if MuJoCo refuses it or it cannot be known."""
        path, problem, hint = None, '', ''
        suffixes = ('.stl', '.STL', '.obj', '.OBJ', '.msh')
        if '://' in uri:
            problem = 'is a URI, which MuJoCo does not resolve'
            hint = ('Write the path from the folder of the description, or from the meshdir of '
                    '<mujoco><compiler meshdir="..."/></mujoco>')
        elif not uri.endswith(suffixes) and not (
                self._release.shares_meshes and uri.lower().endswith(suffixes)):
            problem, hint = 'has a format that MuJoCo does not read', _CONVERT
        else:
            try:
                path = self._context.resolver.resolve(os.path.join(self._compiler.meshdir, uri))
            except ResourceError as error:
                if error.kind == 'missing':
                    problem = 'does not exist beside the description'
                    hint = 'Write <mujoco><compiler strippath="false"/></mujoco>' if (
                        self._compiler.strippath) else ''
        if path is not None:
            problem, hint = _defect(path)
        if problem:
            self.refusals.append(refusal(
                element, 'Mesh {uri:120} {problem}', hint=hint, attribute='filename',
                uri=Name(uri), problem=problem))
        return None if problem else path


def _defect(path: Path) -> tuple[str, str]:
    """Return why MuJoCo refuses a file, and what to do; both empty if it does not."""
    if path.suffix.lower() == '.stl':
        head, status = read_regular_file(path, _HEADER)
        faces = struct.unpack('<i', head[80:])[0] if len(head) == _HEADER else 0
        if not 0 < faces <= _MAX_FACES or status.st_size != _HEADER + _FACE * faces:
            return f'is not binary STL with 1 to {_MAX_FACES} triangles', _CONVERT
    try:
        facts = mesh_facts(path)
    except MeshError:
        return '', ''
    return ('is flat', 'Write a thin box instead') if (facts.low == facts.high).any() else ('', '')
