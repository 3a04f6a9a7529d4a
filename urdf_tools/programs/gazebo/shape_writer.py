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

"""Visuals and collisions of the SDFormat document."""

from __future__ import annotations

import numpy as np

from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mesh
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extension_insertion import extend_collision
from urdf_tools.programs.gazebo.extension_insertion import extend_visual
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.sdf_values import numbers_text
from urdf_tools.programs.gazebo.sdf_values import short_numbers_text
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.urdfdom.bodies import attribute_items
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import items_of
from urdf_tools.programs.urdfdom.bodies import Shape
from urdf_tools.programs.urdfdom.values import urdfdom_rpy

_SIZES = {'box': ('size',), 'cylinder': ('length', 'radius'), 'sphere': ('radius',)}

_BLACK = (0.0, 0.0, 0.0, 1.0)
"""The default color of a material in urdfdom."""


def write_shapes(link: Node, body: Body, extensions: Extensions) -> None:
    """Append the collisions and the visuals of a body to its link."""
    for tag, shapes in body.shapes.items():
        extend = extend_collision if tag == 'collision' else extend_visual
        for shape in shapes:
            node = _shape_node(tag, shape)
            extend(node, body.name, extensions)
            if shape.material is not None:
                _write_material(node, shape.material, shape.element)
            link.append(node)


def _shape_node(tag: str, shape: Shape) -> Node:
    source = shape.element
    geometry = source.child('geometry')
    node = Node(tag, None, items_of(source, 'name') + items_of(geometry), name=shape.name)
    node.add('pose', numbers_text((*shape.origin.xyz, *urdfdom_rpy(shape.origin.quaternion))),
             items_of(source.find('origin'), 'xyz', 'rpy', 'quat_xyzw'))
    _write_geometry(node.add('geometry', None, items_of(geometry)), shape.source.geometry,
                    geometry[0])
    return node


def _write_geometry(node: Node, geometry: Geometry, source: Element) -> None:
    shape = node.add(source.tag, None, items_of(source))
    if isinstance(geometry, Mesh):
        shape.add('scale', short_numbers_text(geometry.scale), attribute_items(source, 'scale'))
        uri = geometry.filename.replace('package://', 'model://', 1)
        shape.add('uri', uri, attribute_items(source, 'filename'))
    for name in _SIZES.get(source.tag, ()):
        shape.add(name, numbers_text(np.atleast_1d(getattr(geometry, name))),
                  attribute_items(source, name))


def _write_material(visual: Node, material: Material, source: Element) -> None:
    node = visual.require('material')
    node.sources += items_of(material.element) + items_of(source.find('material'))
    if node.first('diffuse') is not None or node.first('ambient') is not None:
        return
    color = None if material.element is None else material.element.find('color')
    # urdfdom keeps colors in single precision.
    red, green, blue, alpha = np.array(material.rgba or _BLACK, np.float32).tolist()
    sources = items_of(color, 'rgba')
    for tag, factor in (('diffuse', 1 / 0.8), ('ambient', 0.5 / 0.4)):
        rgb = (max(0.0, min(1.0, factor * value)) for value in (red, green, blue))
        node.add(tag, numbers_text((*rgb, alpha)), sources)
