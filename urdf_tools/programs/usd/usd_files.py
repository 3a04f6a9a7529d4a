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

"""Files of meshes, where urdf-usd-converter looks for them (``_impl/ros_package.py``)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from urdf_tools.findings.message import Name
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.robot_parts import suffix_of

SUFFIXES = ('.dae', '.obj', '.stl')
"""The formats of meshes that it reads."""


class MeshFiles:
    """The files of meshes, where the converter looks for them."""

    def __init__(self, robot: Robot, context: Context):
        self._folder = None if context.file is None else context.file.absolute().parent
        self._packages: dict[str, Path] = {}
        self._reasons: dict[str, tuple[str, str] | None] = {}
        shapes: list[Visual | Collision] = []
        for link in robot.links.values():
            shapes += (*link.visuals, *link.collisions)
        names = [shape.geometry.filename for shape in shapes if isinstance(shape.geometry, Mesh)]
        folders = () if self._folder is None else (self._folder, *self._folder.parents)
        for name in dict.fromkeys(names):
            package, path = _in_package(name)
            folder = next((each for each in folders if path and package not in self._packages
                           and os.path.exists(each / path)), None)
            if folder is not None:
                self._packages[package] = folder

    def has(self, shape: Visual | Collision) -> bool:
        """Return whether a shape is in the stage."""
        return not self.why_lost(shape)

    def arguments(self, shape: Visual | Collision) -> dict[str, Any]:
        """Return what the message about a shape is filled in with."""
        return {'file': Name(shape.geometry.filename)} if isinstance(shape.geometry, Mesh) else {}

    def why_lost(self, shape: Visual | Collision) -> tuple[str, str] | None:
        """Return templates that say why a shape is lost, and what to do, or None."""
        if isinstance(shape.geometry, Capsule):
            return 'it does not know <capsule>', 'Use a cylinder and two spheres'
        if not isinstance(shape.geometry, Mesh):
            return None
        name = shape.geometry.filename
        if name not in self._reasons:
            self._reasons[name] = self._why_lost(name)
        return self._reasons[name]

    def _why_lost(self, name: str) -> tuple[str, str] | None:
        scheme = urlsplit(name).scheme if '://' in name else ''
        if scheme not in ('', 'file', 'package'):
            return '{file} is a URI of another kind', 'Write package://PACKAGE/PATH'
        path = self._path(name)
        if path is not None and not path.is_file():
            return '{file} is not found', (
                'Name the package with --package, or put the file below a folder of the '
                'description' if scheme == 'package' else 'Give the file')
        if suffix_of(name) not in SUFFIXES:
            return '{file} is no .dae, .obj or .stl file', 'Convert it to .obj or .dae'
        return None

    def _path(self, name: str) -> Path | None:
        """Return where it looks for a file, or None if that is not known."""
        if self._folder is None:
            return None
        if name.startswith('package://'):
            package, path = _in_package(name)
            return self._packages.get(package, self._folder) / path
        if name.startswith('file:///'):
            return Path('/', name.removeprefix('file:///'))
        return self._folder / name.removeprefix('file://')


def _in_package(name: str) -> tuple[str, str]:
    """Return the package of a file and its path in it; empty if it is in none."""
    package, _, path = name.removeprefix('package://').partition('/')
    return (package, path.lstrip('/')) if name.startswith('package://') else ('', '')
