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

"""The shapes and materials that Drake reads: ``detail_urdf_geometry.cc``."""

from __future__ import annotations

from math import dist
from pathlib import Path
import re

from urdf_tools.findings.message import Name
from urdf_tools.model.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.drake.drake_attributes import Attributes
from urdf_tools.programs.drake.drake_attributes import numbers
from urdf_tools.programs.robot_parts import suffix_of

HULLS = ('.obj', '.vtk', '.gltf')
"""The suffixes of the meshes that can be collision shapes."""

DRAWN = ('.obj', '.gltf')
"""The suffixes of the meshes that all renderers show; RenderEngineVtk ignores others."""

_SIZES = {
    'sphere': ('radius',), 'cylinder': ('radius', 'length'), 'capsule': ('radius', 'length'),
    'drake:capsule': ('radius', 'length'), 'drake:ellipsoid': ('a', 'b', 'c')}

_SHAPES = ('box', 'sphere', 'cylinder', 'capsule', 'drake:capsule', 'mesh', 'drake:ellipsoid')
"""The shapes in the order in which they are looked for, wherever they are written."""

_URI = re.compile(r'([a-z0-9+.-]+)://([^/]*)/+(.*)')

_CLEAR = (0.0, 0.0, 0.0, 0.0)


class ShapeReader:
    """
    Reads the shapes of links for a plant with a scene graph.

    The packages that the resolver finds count as added to the parser.
    """

    def __init__(self, attributes: Attributes, context: Context):
        self._attributes = attributes
        self._context = context
        self._materials: dict[str, tuple[tuple[float, ...], str]] = {}
        self._packages: dict[str, Path | None] = {}
        self._found: dict[str, bool] = {}

    def format(self, owner: Element) -> str | None:
        """
        Read a ``<visual>`` or ``<collision>``.

        :return: the suffix of a mesh file, such as ``.dae``, or else ``box``; None if it is
            refused.
        """
        geometry = self._attributes.require(owner, 'geometry')
        if geometry is None:
            return None
        self._attributes.pose(owner)
        shape = next((found for tag in _SHAPES
                      if (found := geometry.find_tag(tag)) is not None), None)
        if shape is None:
            self._attributes.refuse(
                geometry, '{element} has no shape that Drake knows',
                hint='The shapes are box, cylinder, sphere, capsule and mesh')
            return None
        if shape.tag == 'mesh':
            return self._mesh(shape, owner.tag == 'collision')
        self._check_sizes(shape)
        return shape.tag.removeprefix('drake:')

    def material(self, element: Element, is_global: bool) -> None:
        """Read a ``<material>``."""
        name = element.get('name', '')
        if is_global and not name:
            self._attributes.refuse(element, '{element} has no name')
            return
        texture = self._texture(element)
        color = element.find_tag('color')
        rgba = None
        if color is not None:
            if 'rgba' not in color.attrib:
                self._attributes.refuse(color, '{element} has no rgba')
            rgba = self._attributes.vector(color, 'rgba', _CLEAR)
        if not name:
            return
        known = self._materials.get(name)
        if known is None:
            if rgba is None and not texture:
                self._attributes.refuse(
                    element, 'Material {material} has neither a colour nor a texture, and is '
                    'not defined above', material=Name(name),
                    hint='Write its <color> where it is used first')
            self._materials[name] = (rgba or _CLEAR, texture)
        elif is_global or texture and texture != known[1] or (
                rgba is not None and dist(rgba, known[0]) > 1e-10):
            self._attributes.refuse(
                element, 'Material {material} is defined twice', material=Name(name),
                hint='Define it once, and refer to it by name' if is_global else (
                    'Give the second one another name'))

    def _texture(self, element: Element) -> str:
        texture = element.find_tag('texture')
        uri = '' if texture is None else texture.get('filename', '')
        if texture is not None and uri:
            self._check_file(texture, uri)
        return uri

    def _mesh(self, mesh: Element, is_collision: bool) -> str | None:
        uri = mesh.get('filename')
        if uri is None:
            self._attributes.refuse(mesh, '{element} has no filename')
            return None
        self._check_file(mesh, uri)
        self._check_scale(mesh)
        suffix = suffix_of(uri)
        if is_collision and suffix not in HULLS:
            self._attributes.refuse(
                mesh, 'Drake makes no collision shape of a mesh such as {uri}', uri=Name(uri),
                hint=f'Convert it to {HULLS[0]}, or load the robot without a SceneGraph')
        return suffix

    def _check_scale(self, mesh: Element) -> None:
        text = mesh.get('scale')
        if text is None:
            return
        if ' ' in text:
            scale = self._attributes.vector(mesh, 'scale', (1.0, 1.0, 1.0))
        else:
            scale = (self._attributes.scalar(mesh, 'scale', 1.0),)
        if any(abs(factor) < 1e-8 for factor in scale):
            self._attributes.refuse(mesh, 'The scale of {element} is zero')

    def _check_sizes(self, shape: Element) -> None:
        if shape.tag == 'box':
            sizes = {'size': min(self._attributes.vector(shape, 'size', (1.0, 1.0, 1.0)))}
            missing = [] if 'size' in shape.attrib else ['size']
        else:
            missing = [name for name in _SIZES[shape.tag] if name not in shape.attrib]
            sizes = {name: self._attributes.scalar(shape, name, 1.0)
                     for name in _SIZES[shape.tag]}
        if missing:
            self._attributes.refuse(shape, '{element} has no {missing}', missing=missing)
        for name, size in sizes.items():
            if size < 0 or size == 0 and shape.tag != 'sphere':
                self._attributes.refuse(
                    shape, '{attribute}={text} of {element} is not positive', attribute=name,
                    text=Name(shape.get(name, '')))

    def _check_file(self, element: Element, uri: str) -> None:
        match = _URI.fullmatch(uri)
        if uri not in self._found:
            self._found[uri] = self._is_found(uri, match)
        if match and match[1] not in ('file', 'package', 'model'):
            self._attributes.refuse(
                element, 'Drake reads no URI such as {uri}', uri=Name(uri),
                hint='Write package://, file:// or a path relative to the description')
        elif not self._found[uri]:
            hint = '' if match is None or match[1] == 'file' else (
                'Add the package with parser.package_map().Add(name, folder)')
            self._attributes.refuse(
                element, 'Drake does not find {uri}', uri=Name(uri), hint=hint)

    def _is_found(self, uri: str, match: re.Match[str] | None) -> bool:
        if match and match[1] == 'file':
            return self._context.finds(Path(f'/{match[3]}'))
        if match:
            package = self._package(match[2])
            return package is not None and self._context.finds(package / match[3])
        if self._context.file is None:
            return self._context.resolves(uri)
        # An empty name is that of the folder of the description.
        return not uri or self._context.finds(self._context.file.parent / uri)

    def _package(self, name: str) -> Path | None:
        if name not in self._packages:
            self._packages[name] = self._context.resolver.lookup.find(name)
        return self._packages[name]


def is_shown(visual: Element) -> bool:
    """Return whether Drake keeps a visual shape, which ``drake:`` elements can say."""
    return any(
        (properties := visual.find_tag(f'drake:{role}_properties')) is None
        or properties.get('enabled') != 'false' for role in ('illustration', 'perception'))


def reduction(transmission: Element) -> Element | None:
    """Return the ``<mechanicalReduction>`` of a transmission that is not 1, and is ignored."""
    for parent in (transmission, *transmission.findall_tag('actuator')[:1]):
        child = parent.find_tag('mechanicalReduction')
        if child is not None and child.text and numbers(child.text) != (1.0,):
            return child
    return None
