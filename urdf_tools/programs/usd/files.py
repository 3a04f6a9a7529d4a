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

"""Mesh and texture files, in the folders that urdf-usd-converter searches."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.robot_parts import suffix_of

SUFFIXES = ('.dae', '.obj', '.stl')
"""The formats of meshes that it reads."""

_HEADER, _FACE = 84, 50


class Reason(NamedTuple):
    """
    Why a file is lost.

    :ivar template: the end of a message, with fields ``file`` and ``problem``.
    :ivar problem: what the program does not use.
    """

    template: str
    hint: str
    problem: str = ''


class UsdFiles:
    """The files of meshes and textures, as ``_impl/ros_package.py`` finds them."""

    def __init__(self, context: Context):
        self._context = context
        self._reasons: dict[str, Reason | None] = {}

    def why_lost(self, shape: Element) -> Reason | None:
        """Return why a shape is lost."""
        name = shape.get('filename', '')
        if shape.tag == 'mesh' and name not in self._reasons:
            self._reasons[name] = self.why_not_found(name) or self._why_not_read(name)
        return self._reasons[name] if shape.tag == 'mesh' else None

    def why_not_found(self, name: str) -> Reason | None:
        """Return why a file is not found."""
        if not name:
            return Reason('it names no file', 'Write filename="..."')
        scheme, _, _ = name.rpartition('://')
        if scheme.lower() not in ('', 'file', 'package'):
            return Reason('{file} is a URI of another kind', 'Write package://PACKAGE/PATH')
        if self._context.file is None or self._find(name):
            return None
        return Reason(
            '{file} is not found',
            'Name the package with --package, or put the file below a folder of the description'
            if scheme == 'package' else 'Give the file')

    def _find(self, name: str) -> Path | None:
        assert self._context.file is not None, 'a description without a file has no folder'
        folders = [self._context.file.absolute().parent]
        scheme, _, path = name.rpartition('://')
        if scheme == 'package':
            # The name of the package is ignored.
            path = path.partition('/')[2].lstrip('/')
            folders += folders[0].parents
        return next((folder / path for folder in folders if self._context.finds(folder / path)),
                    None)

    def _why_not_read(self, name: str) -> Reason | None:
        """Return why a file that is found is not converted (``_impl/mesh.py``)."""
        suffix = suffix_of(name)
        if suffix not in SUFFIXES:
            return Reason('{file} is no .dae, .obj or .stl file', 'Convert it to .obj or .dae')
        if self._context.file is None or not self._context.reads_files:
            return None
        path = self._find(name)
        assert path is not None, 'it is found'
        try:
            facts = mesh_facts(path, 'parts' if suffix == '.obj' else 'solid')
        except MeshError as error:
            return None if error.limit or suffix == '.stl' and _is_cut(path) else Reason(
                '{file} cannot be read', 'Export it again')
        if suffix == '.stl' and facts.faces == 1:
            return Reason('{file} is a single triangle', 'Export it again')
        return None if not facts.unused else Reason(
            '{file} cannot be converted: {problem}', 'Export it again', facts.unused)


def _is_cut(path: Path) -> bool:
    """Return whether a binary STL file has another size than its header says, but triangles."""
    head, status = read_regular_file(path, _HEADER)
    count = int.from_bytes(head[_HEADER - 4:], 'little')
    return not head.lower().startswith(b'solid') and count <= 1e8 and (
        1 < min(count, (status.st_size - _HEADER) // _FACE))
