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

"""What Drake reads of a description: ``detail_tinyxml.cc`` and ``detail_urdf_geometry.cc``."""

from __future__ import annotations

from functools import lru_cache
from math import dist
from math import isfinite
import os
from pathlib import Path
import re

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.pose import Pose
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import misread
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.tables import TABLES

Numbers = tuple[float, ...]

_NUMBER = re.compile(r'\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d*)?)', re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def numbers(text: str) -> Numbers:
    """Return the numbers at the start of a text, without infinity and NaN."""
    values: list[float] = []
    position = 0
    while match := _NUMBER.match(text, position):
        # A stream consumes an exponent without digits, and then fails.
        if match[1][-1] in 'eE+-' or not isfinite(value := float(match[1])):
            break
        values.append(value)
        position = match.end()
    return tuple(values)


class Attributes(Reader):
    """Reads elements and attributes, and notes what Drake refuses or misreads."""

    def number(self, element: Element | None, name: str, default: float = 0.0) -> float:
        """Return one number, or the default if the attribute is not written."""
        return self.numbers(element, name, (default,))[0]

    def numbers(self, element: Element | None, name: str, default: Numbers) -> Numbers:
        """Return as many numbers as there are in the default, or the default."""
        text = None if element is None else element.get(name)
        if element is None or text is None:
            return default
        values = numbers(text)
        if len(values) != len(default):
            self.refuse(element, '{attribute}={text} of {element} begins with {n:number}, not '
                        '{expected}', attribute=name, n=len(values), expected=len(default))
            return default
        self.losses += misread(element, name, values)
        return values

    def pose(self, parent: Element) -> Pose:
        """Return the ``<origin>`` of an element."""
        origin = parent.find_tag('origin')
        return pose_from(*(self.numbers(origin, name, (0.0, 0.0, 0.0)) for name in ('xyz', 'rpy')))

    def required(self, element: Element | None, name: str, of: str) -> str | None:
        """Return a required attribute, or note that Drake refuses the description."""
        if element is not None and name not in element.attrib:
            self.refuse(element, '{element} has no {attribute}', of=of, attribute=name)
        return None if element is None else element.get(name)

    def claim(self, names: set[str], name: str, element: Element) -> None:
        """Add a name to the existing names, or note that it is taken."""
        if name in names:
            self.refuse(element, 'The name {name} is taken', attribute='name', name=Name(name))
        names.add(name)


HULLS = ('.obj', '.vtk', '.gltf')
"""The suffixes of the meshes that can be collision shapes."""

DRAWN = ('.obj', '.gltf')
"""The suffixes of the meshes that all renderers show; RenderEngineVtk ignores others."""

_SIZES = TABLES['sizes of drake']
"""Shapes in the order of lookup, regardless of their order in the file, to their sizes."""

_SCHEMES = {'': False, 'file': False, 'package': True, 'model': True}
"""The schemes of URIs that Drake knows, to whether a package follows."""

_CLEAR = (0.0, 0.0, 0.0, 0.0)


class ShapeReader(Attributes):
    """
    Reads the shapes of links for a plant with a scene graph.

    The packages that the resolver finds count as added to the parser.
    """

    def __init__(self, context: Context):
        super().__init__()
        self._context = context
        self._materials: dict[str, tuple[tuple[float, ...], str, Element]] = {}
        self._found: dict[str, bool] = {}
        self._bright: set[Element] = set()

    def format(self, owner: Element) -> str | None:
        """
        Read a ``<visual>`` or ``<collision>``.

        :return: the suffix of a mesh file, such as ``.dae``, or else ``box``; None if it is
            refused.
        """
        geometry = self.require(owner, 'geometry', 'shape')
        if geometry is None:
            return None
        self.pose(owner)
        shape = next((each for tag in _SIZES for each in geometry.findall_tag(tag)), None)
        if shape is None:
            self.refuse(geometry, '{element} has no shape that Drake knows')
            return None
        if not owner.get('name', 'unnamed').strip():
            self.refuse(owner, 'The name of {element} is empty', attribute='name')
        if shape.tag == 'mesh':
            return self._mesh(shape, owner.tag == 'collision')
        for name in _SIZES[shape.tag]:
            self.required(shape, name, 'shape')
            size = min(self.numbers(shape, name, (1.0,) * (3 if name == 'size' else 1)))
            if size < 0 or size == 0 and shape.tag != 'sphere':
                self.refuse(shape, '{attribute}={text} of {element} is not positive',
                            attribute=name, impact=Impact.CRASHES)
        return shape.tag.removeprefix('drake:')

    def material(self, element: Element, is_global: bool) -> None:
        """Read a ``<material>``."""
        name = element.get('name', '')
        if is_global and not name:
            self.refuse(element, '{element} has no name', of='material')
            return
        image, color = element.find_tag('texture'), element.find_tag('color')
        texture = '' if image is None else image.get('filename', '')
        if image is not None and texture:
            self._check_file(image, texture)
        self.required(color, 'rgba', 'colour')
        rgba = None if color is None else self.numbers(color, 'rgba', _CLEAR)
        known = self._materials.get(name)
        if known is not None and (is_global or texture and texture != known[1] or (
                rgba is not None and dist(rgba, known[0]) > 1e-10)):
            self.refuse(element, 'Material {material} is defined twice', material=Name(name))
        elif name and known is None and rgba is None and not texture:
            self.refuse(element, 'Material {material} has neither a colour nor a texture, and is '
                        'not defined above', material=Name(name))
        used = known or (rgba or _CLEAR, texture, element if color is None else color)
        if name:
            self._materials[name] = used
        if not is_global and used[2] not in self._bright and not (
                0 <= min(used[0]) and max(used[0]) <= 1):
            self._bright.add(used[2])
            self.refuse(used[2], 'rgba of {element} is not between 0 and 1', attribute='rgba')

    def _mesh(self, mesh: Element, is_collision: bool) -> str | None:
        uri = self.required(mesh, 'filename', 'mesh')
        if uri is None:
            return None
        self._check_file(mesh, uri)
        scale = self.numbers(mesh, 'scale', (1.0,) * (3 if ' ' in mesh.get('scale', '') else 1))
        if min(map(abs, scale)) < 1e-8:
            self.refuse(mesh, 'The scale of {element} is zero', attribute='scale')
        suffix = suffix_of(uri)
        if is_collision and suffix not in HULLS:
            self.refuse(mesh, 'Drake has no collision shape for meshes such as {text}',
                        brief=f'collision mesh {suffix:.14}' if suffix else 'mesh without format',
                        attribute='filename')
        elif is_collision and self._found[uri] and not self._is_readable(uri):
            self.refuse(mesh, 'Mesh {text} cannot be read, so it has no convex hull',
                        attribute='filename')
        return suffix

    def _is_readable(self, uri: str) -> bool:
        """Return whether a file has a convex hull, or may have one if that is unknown."""
        try:
            if self._context.reads_files and suffix_of(uri) != '.vtk':
                mesh_facts(self._context.resolver.resolve(uri))
        except ResourceError:
            pass
        except MeshError as error:
            return bool(error.limit)
        return True

    def _check_file(self, element: Element, uri: str) -> None:
        scheme, _, path = uri.rpartition('://')
        if uri not in self._found:
            self._found[uri] = scheme in _SCHEMES and self._is_found(scheme, path)
        if not self._found[uri]:
            self.refuse(
                element, 'Drake does not find {text}', of=element.tag, attribute='filename',
                brief=f'{element.tag} not found' if scheme in _SCHEMES else (
                    f'{element.tag} with a {scheme:.15}:// URI'),
                hint='Write package://, file:// or a path relative to the description'
                if scheme not in _SCHEMES else
                'Add the package with parser.package_map().Add(name, folder)'
                if _SCHEMES[scheme] else '')

    def _is_found(self, scheme: str, path: str) -> bool:
        if not self._context.reads_files:
            return True
        if not _SCHEMES[scheme]:
            # An empty path is the folder of the description.
            file = self._context.file
            return not path or (self._context.resolves(path) if file is None else
                                self._exists(file.parent / path))
        name, _, path = path.partition('/')
        folder = self._context.resolver.find_package(name)
        return folder is not None and self._exists(folder / path.lstrip('/'))

    def _exists(self, path: Path) -> bool:
        """Return whether a file exists, or a folder, which Drake takes for one."""
        return self._context.finds(path) or (
            self._context.resolver.lookup.trust.is_full and os.path.isdir(path))
