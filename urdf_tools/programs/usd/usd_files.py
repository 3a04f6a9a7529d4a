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

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.robot_parts import suffix_of

SUFFIXES = ('.dae', '.obj', '.stl')
"""The formats of meshes that it reads."""


class UsdFiles:
    """The files of meshes and textures, as ``_impl/ros_package.py`` finds them."""

    def __init__(self, context: Context):
        self._context = context
        self._reasons: dict[str, tuple[str, str] | None] = {}

    def why_lost(self, shape: Element) -> tuple[str, str] | None:
        """Return templates that say why a shape is lost, and what to do, or None."""
        if shape.tag != 'mesh':
            return None
        name = shape.get('filename', '')
        if name not in self._reasons:
            self._reasons[name] = self.why_not_found(name)
        if self._reasons[name] is None and suffix_of(name) not in SUFFIXES:
            return '{file} is no .dae, .obj or .stl file', 'Convert it to .obj or .dae'
        return self._reasons[name]

    def why_not_found(self, name: str) -> tuple[str, str] | None:
        """Return templates that say why a file is not found, and what to do, or None."""
        if not name:
            return 'it names no file', 'Write filename="..."'
        scheme, _, path = name.rpartition('://')
        if scheme.lower() not in ('', 'file', 'package'):
            return '{file} is a URI of another kind', 'Write package://PACKAGE/PATH'
        if self._context.file is None:
            return None
        folders = [self._context.file.absolute().parent]
        if scheme == 'package':
            # The name of the package is ignored.
            path = path.partition('/')[2].lstrip('/')
            folders += folders[0].parents
        if any(self._context.finds(folder / path) for folder in folders):
            return None
        return '{file} is not found', (
            'Name the package with --package, or put the file below a folder of the description'
            if scheme == 'package' else 'Give the file')
