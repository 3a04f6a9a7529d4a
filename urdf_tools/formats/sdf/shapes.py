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

"""Shapes of SDFormat as those of URDF, their materials, and their inertia."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence


from urdf_tools.dynamics.shapes import mesh_solid
from urdf_tools.dynamics.solids import cone
from urdf_tools.dynamics.solids import ellipsoid
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.formats.sdf.frames import Frame
from urdf_tools.formats.sdf.frames import text_of
from urdf_tools.formats.sdf.models import absolute_uri
from urdf_tools.formats.sdf.values import number
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.values import numbers_in
from urdf_tools.model.xml.element import Element

_SIZES: Mapping[str, Sequence[str]] = TABLES['sizes of SDF']
"""The shapes with a volume to what they are measured by."""

_IN_URDF = ('box', 'sphere', 'cylinder', 'capsule')

_SOLIDS: dict[str, Callable[..., SpatialInertia]] = {
    'box': lambda size: solid(Box(size)), 'sphere': lambda radius: solid(Sphere(radius)),
    'cylinder': lambda radius, length: solid(Cylinder(radius, length)),
    'capsule': lambda radius, length: solid(Capsule(radius, length)), 'cone': cone,
    'ellipsoid': ellipsoid}

_SHOWN = ('ambient', 'diffuse', 'specular', 'emissive', 'lighting', 'double_sided', 'shininess')


def shape_of(geometry: Element) -> Element:
    """
    Return the shape in a ``<geometry>``.

    :raises DescriptionError: it is empty.
    """
    for shape in geometry:
        return shape
    raise geometry.error('<geometry> is empty')


def add_geometry(node: Node, geometry: Element, link: Frame, losses: Losses) -> bool:
    """
    Add a geometry to a visual or collision, and return whether URDF has it.

    :param link: the link of the shape.
    :raises DescriptionError: a value in it cannot be read.
    """
    shape = shape_of(geometry)
    tag, sizes = shape.tag, _sizes(shape)
    if tag == 'ellipsoid' and len(set(sizes['radii'])) == 1:
        tag, sizes = 'sphere', {'radius': sizes['radii'][:1]}
    if tag == 'mesh':
        scale = shape.find('scale')
        written = {} if scale is None else {'scale': numbers_in(scale, 3)}
        node.add('geometry', geometry).add(
            'mesh', shape, filename=mesh_uri(shape, link), **written)
        for part in shape.findall('submesh'):
            losses.note('mesh', Impact.CHANGES, part, 'The whole mesh is shown instead of submesh '
                        '{part}: URDF cannot choose one', part=text_of(part, 'name'))
        return True
    if tag not in _IN_URDF:
        losses.note('shape', Impact.DROPS, shape, '{link} loses <{tag}>, a shape that URDF does '
                    'not have')
        return False
    node.add('geometry', geometry).add(tag, shape, **sizes)
    return True


def mesh_uri(mesh: Element, link: Frame) -> str:
    """Return the URI of a mesh as the description can write it."""
    assert link.scope is not None, 'a link is in a model'
    return absolute_uri(text_of(mesh, 'uri'), link.scope.folder)


def volume_inertia(geometry: Element, link: Frame, resources: ResourceResolver) -> SpatialInertia:
    """
    Return the inertia of a geometry of density 1 kg/m^3, in its own frame.

    :raises ValueError: it has no volume, or its file cannot be found or read.
    """
    shape = shape_of(geometry)
    if shape.tag == 'mesh':
        scale = shape.find('scale')
        return mesh_solid(resources.resolve(mesh_uri(shape, link)),
                          (1.0, 1.0, 1.0) if scale is None else numbers_in(scale, 3))[0]
    if shape.tag not in _SOLIDS:
        raise ValueError(f'a <{shape.tag}> has no volume')
    return _SOLIDS[shape.tag](*(
        value if len(value) > 1 else value[0] for value in _sizes(shape).values()))


def _sizes(shape: Element) -> dict[str, tuple[float, ...]]:
    """Return the numbers in the children of a shape that measure it."""
    return {name: numbers_in(shape.child(name), 3 if name in ('size', 'radii') else 1)
            for name in _SIZES.get(shape.tag, ())}


def add_material(node: Node, visual: Element, name: str, losses: Losses) -> None:
    """
    Add the material of a visual: its diffuse colour, which is that of URDF.

    :param name: the name that it gets.
    :raises DescriptionError: a value in it cannot be read.
    """
    material = visual.find('material')
    if material is None:
        return
    colour = next((found for found in map(material.find, ('diffuse', 'ambient'))
                   if found is not None and (found.text or '').strip()), None)
    for child in material:
        if child.tag not in _SHOWN:
            losses.note('texture' if child.tag == 'pbr' else 'material', Impact.DROPS, child,
                        '{element} of a material is left out: URDF has none', is_harmless=True)
    if colour is None:
        return
    text = (colour.text or '').split()
    rgba = numbers_in(colour, len(text)) if len(text) in (3, 4) else numbers_in(colour, 4)
    alpha = (*rgba, 1.0)[3] * (1.0 - number(visual, 'transparency', 0.0))
    node.add('material', material, name=name).add('color', colour, rgba=(*rgba[:3], alpha))
