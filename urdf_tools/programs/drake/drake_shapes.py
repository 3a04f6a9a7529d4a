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

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.meshes.mesh_facts import mesh_facts
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.model.element import Element
from urdf_tools.model.resources import ResourceError
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import loss
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
        self._materials: dict[str, tuple[tuple[float, ...], str, Element]] = {}
        self._packages: dict[str, Path | None] = {}
        self._found: dict[str, bool] = {}
        self._problems: dict[str, str] = {}
        self._bright: set[Element] = set()
        self._names: dict[tuple[str, str], dict[str, Element]] = {}

    def format(self, owner: Element, link: str) -> str | None:
        """
        Read a ``<visual>`` or ``<collision>``.

        :return: the suffix of a mesh file, such as ``.dae``, or else ``box``; None if it is
            refused or left out.
        """
        geometry = self._attributes.require(owner, 'geometry', 'shape')
        if geometry is None:
            return None
        self._attributes.pose(owner)
        shape = next((found for tag in _SHAPES
                      if (found := geometry.find_tag(tag)) is not None), None)
        if shape is None:
            self._attributes.refuse(
                geometry, '{element} has no shape that Drake knows', of='shape',
                hint='The shapes are box, cylinder, sphere, capsule and mesh')
            return None
        if owner.tag == 'visual' and not self._is_shown(owner):
            return None
        self._check_name(owner, link)
        if shape.tag == 'mesh':
            return self._mesh(shape, owner.tag == 'collision')
        self._check_sizes(shape)
        return shape.tag.removeprefix('drake:')

    def material(self, element: Element, is_global: bool) -> None:
        """Read a ``<material>``."""
        refuse = self._attributes.refuse
        name = element.get('name', '')
        if is_global and not name:
            refuse(element, '{element} has no name', of='material')
            return
        texture = self._texture(element)
        color = element.find_tag('color')
        rgba = None
        if color is not None:
            self._attributes.required(color, 'rgba', 'colour')
            rgba = self._attributes.vector(color, 'rgba', _CLEAR)
        known = self._materials.get(name)
        if known is not None and (is_global or texture and texture != known[1] or (
                rgba is not None and dist(rgba, known[0]) > 1e-10)):
            refuse(element, 'Material {material} is defined twice', of='material',
                   material=Name(name), brief='material defined twice',
                   hint='Define it once, and refer to it by name' if is_global else (
                       'Give the second one another name'))
        elif name and known is None and rgba is None and not texture:
            refuse(element, 'Material {material} has neither a colour nor a texture, and is '
                   'not defined above', of='material', material=Name(name),
                   brief='material without colour',
                   hint='Write its <color> where it is used first')
        used = known or (rgba or _CLEAR, texture, element if color is None else color)
        if name:
            self._materials[name] = used
        if not is_global and used[2] not in self._bright and not (
                0 <= min(used[0]) and max(used[0]) <= 1):
            self._bright.add(used[2])
            refuse(used[2], 'rgba of {element} is not between 0 and 1', of='colour',
                   attribute='rgba', brief='colour not within 0 to 1')

    def _texture(self, element: Element) -> str:
        texture = element.find_tag('texture')
        uri = '' if texture is None else texture.get('filename', '')
        if texture is not None and uri:
            self._check_file(texture, uri)
        return uri

    def _check_name(self, owner: Element, link: str) -> None:
        """Check the name, which a scene graph trims after equal ones have been renamed."""
        name = owner.get('name')
        if name is None:
            return
        names = self._names.setdefault((link, owner.tag), {})
        first = names.setdefault(name.strip(), owner)
        if not name.strip():
            self._attributes.refuse(
                owner, 'The name of {element} is empty', of='name', attribute='name',
                brief='empty name of a shape', hint='Remove name=""')
        elif first.get('name') != name:
            self._attributes.refuse(
                owner, 'Two shapes of a link have the name {name}', of='name', attribute='name',
                brief='shapes of the same name', name=Name(name.strip()),
                hint='Rename one of them')
        elif first is not owner:
            self._attributes.misread.append(loss(
                'name', Impact.CHANGES, owner, '{element} is renamed, as its name is taken',
                attribute='name', element=owner, is_harmless=True))

    def _is_shown(self, visual: Element) -> bool:
        """Return whether Drake keeps a visual shape, which ``drake:`` elements can say."""
        return any(
            (properties := visual.find_tag(f'drake:{role}_properties')) is None
            or properties.get('enabled') != 'false' for role in ('illustration', 'perception'))

    def _mesh(self, mesh: Element, is_collision: bool) -> str | None:
        uri = self._attributes.required(mesh, 'filename', 'mesh')
        if uri is None:
            return None
        self._check_file(mesh, uri)
        self._check_scale(mesh)
        suffix = suffix_of(uri)
        if is_collision and suffix not in HULLS:
            self._attributes.refuse(
                mesh, 'Drake makes no collision shape of a mesh such as {uri}', of='mesh',
                brief=f'collision mesh {suffix:.14}' if suffix else 'mesh without format',
                attribute='filename', uri=Name(uri),
                hint=f'Convert it to {HULLS[0]}, or load the robot without a SceneGraph')
        elif is_collision and self._found[uri] and self._problem(uri):
            self._attributes.refuse(
                mesh, 'Mesh {uri} {problem}, so it has no convex hull', of='mesh',
                brief='unreadable mesh', attribute='filename', uri=Name(uri),
                problem=self._problem(uri), hint='Export it again')
        return suffix

    def _problem(self, uri: str) -> str:
        """Return why a file has no convex hull; empty if it has one, or that is not known."""
        if uri not in self._problems and self._context.reads_files and uri[-4:] != '.vtk':
            self._problems[uri] = ''
            try:
                facts = mesh_facts(self._context.resolver.resolve(uri))
                if sorted(facts.high - facts.low)[1] <= 1e-12:
                    self._problems[uri] = 'is a line'
            except ResourceError:
                pass
            except MeshError as error:
                self._problems[uri] = '' if error.limit else 'cannot be read'
        return self._problems.get(uri, '')

    def _check_scale(self, mesh: Element) -> None:
        text = mesh.get('scale')
        if text is None:
            return
        if ' ' in text:
            scale = self._attributes.vector(mesh, 'scale', (1.0, 1.0, 1.0))
        else:
            scale = (self._attributes.scalar(mesh, 'scale', 1.0),)
        if any(abs(factor) < 1e-8 for factor in scale):
            self._attributes.refuse(mesh, 'The scale of {element} is zero', of='mesh',
                                    brief='mesh of scale zero', attribute='scale')

    def _check_sizes(self, shape: Element) -> None:
        names = _SIZES.get(shape.tag, ('size',))
        if None in [self._attributes.required(shape, name, 'shape') for name in names]:
            return
        for name in names:
            size = min(self._attributes.vector(shape, name, (1.0, 1.0, 1.0))) if (
                name == 'size') else self._attributes.scalar(shape, name, 1.0)
            if size < 0 or size == 0 and shape.tag != 'sphere':
                self._attributes.crash(
                    shape, '{attribute}={text} of {element} is not positive', of='shape',
                    attribute=name, text=Name(shape.get(name, '')))

    def _check_file(self, element: Element, uri: str) -> None:
        match = _URI.fullmatch(uri)
        if uri not in self._found:
            self._found[uri] = self._is_found(uri, match)
        kind = element.tag
        if match and match[1] not in ('file', 'package', 'model'):
            self._attributes.refuse(
                element, 'Drake reads no URI such as {uri}', of=kind, attribute='filename',
                brief=f'{match[1]:.15}:// {kind}', uri=Name(uri),
                hint='Write package://, file:// or a path relative to the description')
        elif not self._found[uri]:
            hint = '' if match is None or match[1] == 'file' else (
                'Add the package with parser.package_map().Add(name, folder)')
            self._attributes.refuse(
                element, 'Drake does not find {uri}', of=kind, attribute='filename',
                brief=f'{kind} not found', uri=Name(uri), hint=hint)

    def _is_found(self, uri: str, match: re.Match[str] | None) -> bool:
        if not self._context.reads_files:
            return True
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


def reduction(transmission: Element) -> Element | None:
    """Return the ``<mechanicalReduction>`` of a transmission that is not 1, and is ignored."""
    for parent in (transmission, *transmission.findall_tag('actuator')[:1]):
        child = parent.find_tag('mechanicalReduction')
        if child is not None and child.text and numbers(child.text) != (1.0,):
            return child
    return None
