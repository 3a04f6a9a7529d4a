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

"""Files of meshes and textures, where urdf-usd-converter looks for them."""

from __future__ import annotations

from pathlib import Path

from urdf_tools.model.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.usd.usd_reading import every
from urdf_tools.programs.usd.usd_reading import last
from urdf_tools.programs.usd.usd_reading import shape_of

SUFFIXES = ('.dae', '.obj', '.stl')
"""The formats of meshes that it reads."""


class UsdFiles:
    """
    The files of meshes and textures, as ``_impl/ros_package.py`` finds them.

    :ivar lost_textures: the ``<texture>`` elements whose file is not found.
    """

    def __init__(self, root: Element, context: Context):
        self._context = context
        self._folder = None if context.file is None else context.file.absolute().parent
        self._packages: dict[str, Path] = {}
        self._reasons: dict[str, tuple[str, str] | None] = {}
        visuals = [each for link in every(root, 'link') for each in every(link, 'visual')]
        owners = [*visuals, *(each for link in every(root, 'link')
                              for each in every(link, 'collision'))]
        shapes = [shape for owner in owners if (shape := shape_of(owner)) is not None]
        materials = (*every(root, 'material'), *(last(each, 'material') for each in visuals))
        textures = [each for each in (last(each, 'texture') for each in materials)
                    if each is not None]
        files = [each.get('filename', '') for each in (*shapes, *textures)]
        folders = () if self._folder is None else (self._folder, *self._folder.parents)
        for name in dict.fromkeys(files):
            package, path = _in_package(name)
            folder = next((each for each in folders if path and package not in self._packages
                           and context.finds(each / path)), None)
            if folder is not None:
                self._packages[package] = folder
        self.lost_textures = [each for each in textures if each.get('filename') and (
            self._why_not_found(each.attrib['filename']))]

    def is_written(self, shape: Element | None) -> bool:
        """Return whether something is written for a shape, even if its file is not found."""
        return shape is not None and (shape.tag != 'mesh' or bool(shape.get('filename')))

    def why_lost(self, shape: Element) -> tuple[str, str] | None:
        """Return templates that say why a shape is lost, and what to do, or None."""
        if shape.tag != 'mesh':
            return None
        name = shape.get('filename', '')
        if name not in self._reasons:
            self._reasons[name] = self._why_not_found(name)
            if self._reasons[name] is None and suffix_of(name) not in SUFFIXES:
                self._reasons[name] = (
                    '{file} is no .dae, .obj or .stl file', 'Convert it to .obj or .dae')
        return self._reasons[name]

    def _why_not_found(self, name: str) -> tuple[str, str] | None:
        if not name:
            return 'it names no file', 'Write filename="..."'
        scheme = _scheme(name)
        if scheme not in ('', 'file', 'package'):
            return '{file} is a URI of another kind', 'Write package://PACKAGE/PATH'
        path = self._path(name)
        if path is not None and not self._context.finds(path):
            return '{file} is not found', (
                'Name the package with --package, or put the file below a folder of the '
                'description' if scheme == 'package' else 'Give the file')
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


def _scheme(name: str) -> str:
    return name.partition('://')[0].lower() if '://' in name else ''


def _in_package(name: str) -> tuple[str, str]:
    """Return the package of a file and its path in it; empty if it is in none."""
    package, _, path = name.removeprefix('package://').partition('/')
    return (package, path.lstrip('/')) if name.startswith('package://') else ('', '')
