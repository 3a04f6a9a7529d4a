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

from collections.abc import Iterator
from dataclasses import replace
from math import nan
import os
from pathlib import Path
import struct

import numpy as np

from urdf_tools.dynamics.shapes import mesh_pyramids
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Mesh
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.mujoco.reading import Compiler
from urdf_tools.programs.robot_parts import suffix_of

_HEADER, _FACE = 84, 50
_MAX_FACES = 200_000
_MIN_VOLUME = 1e-15

UNKNOWN = SpatialInertia(nan, np.full(3, nan), np.full((3, 3), nan))
"""The inertia of what cannot be read."""


class Meshes(Reader):
    """The mesh files of a description."""

    def __init__(self, compiler: Compiler, context: Context):
        super().__init__()
        self._compiler = compiler
        self._context = context
        self._uris: dict[tuple[str, Vector3], str] = {}
        self._files: dict[str, Path | Loss | None] = {}
        self._elements: dict[str, list[Element]] = {}

    def add(self, element: Element, mesh: Mesh) -> str:
        """Read the mesh of a shape, and return the path of the file that MuJoCo opens."""
        uri = mesh.filename.replace('\\', '/')
        if self._compiler.strippath:
            uri = uri.rpartition('/')[2]
        if not self._compiler.release.is_4:
            stem = uri.rpartition('/')[2].rpartition('.')[0]
            first = self._uris.setdefault((stem, mesh.scale), uri)
            if first != uri:
                self.losses.note('collision', Impact.CHANGES, element, 'The mesh is that of '
                                 '{uri:120}, which has the same name', hint='Give mesh files '
                                 'different names', uri=Name(first))
            uri = first
        if uri not in self._files:
            self._files[uri] = self._find(uri)
        self._elements.setdefault(uri, []).append(element)
        if not all(mesh.scale):
            self.refuse(element, 'The scale of {element} has a zero', of='mesh', attribute='scale',
                        brief='flat mesh', hint='Write a thin box instead')
        elif self.inertia(uri, mesh.scale).mass < _MIN_VOLUME:
            self.refuse(element, 'The volume of {element} is less than {least} m^3', of='mesh',
                        brief='mesh too small', hint='Check its scale and the unit of its file',
                        least=_MIN_VOLUME)
        return uri

    def inertia(self, uri: str, scale: Vector3) -> SpatialInertia:
        """Return the inertia of a file at a density of 1 kg/m^3; NaN if it is unknown."""
        path = self._files[uri]
        if not isinstance(path, Path):
            return UNKNOWN
        try:
            has_volume = not mesh_facts(path, 'pyramids', scale).fault
            return mesh_pyramids(path, scale) if has_volume else SpatialInertia.zero()
        except MeshError:
            return UNKNOWN

    @property
    def causes(self) -> Iterator[Loss]:
        """Why MuJoCo does not compile the description, once for each file."""
        yield from self.refusals
        for uri, file in self._files.items():
            if isinstance(file, Loss):
                first, *others = self._elements[uri]
                yield replace(file, element=first, others=tuple(others))

    def _find(self, uri: str) -> Path | Loss | None:
        """Return the path of a file, why MuJoCo refuses it, or None if that cannot be known."""
        suffixes = ('.stl', '.STL', '.obj', '.OBJ', '.msh')
        if '://' in uri:
            return refusal(
                None, 'Mesh {uri:120} is a URI, which MuJoCo does not resolve', of='mesh',
                attribute='filename', uri=Name(uri),
                brief=f'{uri[:uri.index("://") + 3]:.20} mesh',
                hint='Write the path from the folder of the description, or from the meshdir of '
                '<mujoco><compiler meshdir="..."/></mujoco>')
        if not uri.endswith(suffixes) and not (
                self._compiler.release.strips_paths and uri.lower().endswith(suffixes)):
            suffix = suffix_of(uri)[:12]
            return refusal(
                None, 'Mesh {uri:120} has a format that MuJoCo does not read', of='mesh',
                attribute='filename', uri=Name(uri), hint='Convert it to binary STL or to OBJ',
                brief=f'mesh format {suffix}' if suffix else 'mesh without format')
        if not self._context.reads_files:
            return None
        try:
            path = self._context.resolver.resolve(
                os.path.join('.', self._compiler.meshdir, uri))  # It is never a URI.
        except ResourceError as error:
            return None if error.kind != 'missing' else refusal(
                None, 'Mesh {uri:120} does not exist beside the description', of='mesh',
                attribute='filename', uri=Name(uri), brief='mesh not found',
                hint='Write <mujoco><compiler strippath="false"/></mujoco>'
                if self._compiler.strippath else '')
        return _why_refused(path, uri) or path


def _why_refused(path: Path, uri: str) -> Loss | None:
    """Return why MuJoCo refuses an existing file; None if it reads it."""
    if path.suffix.lower() == '.stl':
        head, status = read_regular_file(path, _HEADER)
        faces = struct.unpack('<i', head[80:])[0] if len(head) == _HEADER else 0
        if not 0 < faces <= _MAX_FACES or status.st_size != _HEADER + _FACE * faces:
            return refusal(
                None, 'Mesh {uri:120} is not binary STL with 1 to {most} triangles', of='mesh',
                attribute='filename', uri=Name(uri), most=_MAX_FACES, brief='mesh not binary STL',
                hint='Convert it to binary STL or to OBJ')
    try:
        facts = mesh_facts(path, 'pyramids')
    except MeshError as error:
        return None if error.limit or path.suffix == '.msh' else refusal(
            None, 'Mesh {uri:120} cannot be read', of='mesh', attribute='filename',
            uri=Name(uri), brief='unreadable mesh', hint='Export it again')
    if facts.faces < 2 or not (facts.size > 1e-9 * facts.size.max()).all():
        return refusal(None, 'Mesh {uri:120} is flat', of='mesh', attribute='filename',
                       uri=Name(uri), brief='flat mesh', hint='Write a thin box instead')
    return None
