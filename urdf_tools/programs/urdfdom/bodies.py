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

"""Bodies: the links of a robot as urdfdom reads them, with its rotations and vectors."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
import math
from typing import TypeVar

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Quaternion
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Collision
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Material
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector
from urdf_tools.model.values import read_number
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import is_number
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.urdfdom.reading import declared_minor
from urdf_tools.programs.urdfdom.reading import Stops
from urdf_tools.programs.urdfdom.reading import stops
from urdf_tools.types import Array

_NEARLY_VERTICAL = 0.99999
"""Sine of the pitch above which urdfdom treats it as a right angle."""


def urdfdom_rpy(quaternion: Quaternion) -> Vector3:
    """
    Return roll, pitch and yaw as ``urdf::Rotation::getRPY`` does.

    A pitch within 0.26 degrees of a right angle becomes a right angle.
    """
    x, y, z, w = quaternion
    sine = -2 * (x * z - w * y) / (x * x + y * y + z * z + w * w)
    if sine <= -_NEARLY_VERTICAL:
        return 0.0, -math.pi / 2, 2 * math.atan2(x, -y)
    if sine >= _NEARLY_VERTICAL:
        return 0.0, math.pi / 2, 2 * math.atan2(-x, y)
    return roll_of(x, y, z, w), math.asin(sine), yaw_of(x, y, z, w)


def roll_of(x: float, y: float, z: float, w: float) -> float:
    """Return the roll of a unit quaternion."""
    return math.atan2(2 * (y * z + w * x), w * w - x * x - y * y + z * z)


def yaw_of(x: float, y: float, z: float, w: float) -> float:
    """Return the yaw of a unit quaternion."""
    return math.atan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z)


@lru_cache(maxsize=1000)
def urdfdom_rotation(quaternion: Quaternion) -> Array:
    """Return the rotation matrix of the angles that urdfdom computes from a quaternion."""
    return pose_from((0.0, 0.0, 0.0), urdfdom_rpy(quaternion)).rotation


def lenient_vector(text: str | None) -> Vector3:
    """Return the three numbers of a text; zeros if it is None or not three numbers."""
    try:
        x, y, z = parse_vector(text or '', 3)
    except ValueError:
        return 0.0, 0.0, 0.0
    return x, y, z


Part = TypeVar('Part', Visual, Collision)

Item = tuple[Element, 'str | None']
"""An element of the source, or one of its attributes by name."""


@dataclass(eq=False)
class MassProperties:
    """
    Mass and inertia of a body; lumping adds to them.

    :param matrix: rotational inertia about the centre of mass in the frame of ``origin``.
    :param sources: the elements and attributes that they come from.
    :param undefined_by: the body whose lumping left no mass to divide the centre of mass by.
    """

    mass: float
    origin: Pose
    matrix: Array
    sources: list[Item]
    undefined_by: Body | None = None

    @property
    def in_link_frame(self) -> SpatialInertia:
        """The inertia in the frame of the link, turned as urdfdom turns it."""
        return self.turned(urdfdom_rotation(self.origin.quaternion))

    def turned(self, rotation: Array) -> SpatialInertia:
        """Return the inertia in the frame of the link, with a rotation of the inertial frame."""
        return SpatialInertia(
            self.mass, np.array(self.origin.xyz), rotation @ self.matrix @ rotation.T)


@dataclass(eq=False)
class Shape:
    """A visual or collision of a body; lumping changes its name to that in SDFormat."""

    source: Visual | Collision
    name: str
    origin: Pose
    material: Material | None = None

    @property
    def element(self) -> Element:
        """The element of the shape."""
        assert self.source.element is not None, 'the shapes of a description have elements'
        return self.source.element


@dataclass(eq=False)
class Body:
    """
    A link and its parent joint; lumping moves shapes, masses and joints between them.

    :param origin: pose of the parent joint in the frame of the parent body.
    :param shapes: the collisions and the visuals, by their tags.
    :param lumped_into: the body that this one is a part of after lumping, or None.
    """

    link: Link
    joint: Joint | None = None
    parent: Body | None = None
    origin: Pose = Pose()
    children: list[Body] = field(default_factory=list)
    inertial: MassProperties | None = None
    shapes: dict[str, list[Shape]] = field(
        default_factory=lambda: {'collision': [], 'visual': []})
    lumped_into: Body | None = None

    @property
    def name(self) -> str:
        """Name of the link."""
        return self.link.name

    @property
    def mass(self) -> float:
        """Mass in kg, including lumped links; 0 without ``<inertial>``."""
        return 0.0 if self.inertial is None else self.inertial.mass

    @property
    def element(self) -> Element:
        """The element of the link."""
        assert self.link.element is not None, 'the links of a description have elements'
        return self.link.element

    @property
    def joint_element(self) -> Element:
        """The element of the parent joint."""
        assert self.joint is not None and self.joint.element is not None, 'it is not the root'
        return self.joint.element

    @property
    def axis(self) -> Vector3:
        """The axis of the parent joint as urdfdom reads it, which may have any length."""
        assert self.joint is not None, 'it is not the root'
        axis = self.joint_element.find('axis')
        return self.joint.axis if axis is None else lenient_vector(axis.get('xyz'))

    @property
    def end(self) -> Body:
        """The body that this one is a part of after lumping."""
        return self.lumped_into or self

    def walk(self) -> Iterator[Body]:
        """Yield this body and all below it, each after its parent, in the order of urdfdom."""
        pending = [self]
        while pending:
            body = pending.pop()
            yield body
            pending.extend(reversed(body.children))


def read_bodies(robot: Robot) -> Body:
    """Return the root body of a robot."""
    root = robot.element
    assert root is not None, 'robots of a description have elements'
    materials = {name: _definition(element) or Material(name, element=element)
                 for element in root.iterfind('material') if (name := element.get('name'))}
    stopped = stops(root, declared_minor(root) or 0)
    bodies = {name: _body(link, materials, stopped) for name, link in robot.links.items()}
    # urdfdom keeps joints in a map, so that children are in the order of their joints' names.
    for joint in sorted(robot.tree, key=lambda joint: joint.name.encode(errors='replace')):
        parent, child = bodies[joint.parent], bodies[joint.child]
        child.joint, child.parent, child.origin = joint, parent, joint.origin
        parent.children.append(child)
    return bodies[robot.root]


def formats_of(bodies: Iterable[Body], tag: str) -> dict[str, int]:
    """Return the number of visual or collision shapes of bodies, by format."""
    return formats(shape.source.geometry for body in bodies for shape in body.shapes[tag])


def _body(link: Link, materials: dict[str, Material], stopped: Stops) -> Body:
    """Return a body with what urdfdom reads of its link, up to a part that it cannot read."""
    body = Body(link)
    part, error = stopped.get(body.element, (None, None))
    body.inertial = _mass_properties(link.inertial)
    if part is not None and error is not None and part.tag == 'inertial':
        body.inertial = _partly_read(part, error.element)
        return body
    for visual in _read(link.visuals, part):
        material = _material(visual, materials)
        body.shapes['visual'].append(Shape(visual, visual.name, visual.origin, material))
    if part is None or part.tag == 'collision':
        for collision in _read(link.collisions, part):
            body.shapes['collision'].append(Shape(collision, collision.name, collision.origin))
    return body


def _read(shapes: Iterable[Part], stop: Element | None) -> Iterator[Part]:
    """Yield the shapes of a link that come before the part that cannot be read."""
    for shape in shapes:
        if stop is not None and shape.element is not None and (
                shape.element.tag == stop.tag and shape.element.index >= stop.index):
            return
        yield shape


def _mass_properties(inertial: Inertial | None) -> MassProperties | None:
    if inertial is None:
        return None
    element = inertial.element
    sources = list(items_of(element))
    if element is not None:
        sources += items_of(element.find('origin'), 'xyz', 'rpy', 'quat_xyzw')
        sources += items_of(element.find('mass'), 'value')
        sources += items_of(element.find('inertia'), *INERTIA)
    return MassProperties(inertial.mass, inertial.origin, inertial.matrix, sources)


def _partly_read(inertial: Element, fault: Element | None) -> MassProperties:
    """
    Return what urdfdom keeps of an ``<inertial>`` in which it finds an error.

    :param fault: the element that it cannot read.
    """
    properties = MassProperties(0.0, Pose(), np.zeros((3, 3)), list(items_of(inertial)))
    mass, origin = inertial.find_tag('mass'), inertial.find_tag('origin')
    if origin is not fault:
        properties.origin = ElementReader(URDF_VERSIONS[0]).origin(inertial)
        properties.sources += items_of(origin, 'xyz', 'rpy')
        if mass is not None and mass is not fault:
            properties.mass = read_number(mass, 'value')
            properties.sources += items_of(mass, 'value')
    return properties


def _material(visual: Visual, known: dict[str, Material]) -> Material | None:
    """
    Return the first definition of the material of a visual, which may lack a color.

    :param known: those met so far by name, to which the one of the visual is added.
    """
    element = None if visual.element is None else visual.element.find_tag('material')
    if element is None:
        return None
    name, own = element.get('name', ''), _definition(element)
    return known.setdefault(name, own) if name and own is not None else known.get(name, own)


def _definition(element: Element) -> Material | None:
    """Return a material if it has a color or a texture for urdfdom."""
    color, texture = element.find_tag('color'), element.find_tag('texture')
    words = list(filter(None, ('?' if color is None else color.get('rgba', '?')).split(' ')))
    is_color = all(is_number(word) and 0 <= parse_number(word) <= 1 for word in words)
    file = None if texture is None else texture.get('filename')
    if not is_color and file is None:
        return None
    # It is black where there are not four numbers.
    rgba = tuple(map(parse_number, words)) if is_color else ()
    return Material(element.get('name', ''), rgba if len(rgba) == 4 else None, file, element)


def items_of(element: Element | None, *attributes: str) -> tuple[Item, ...]:
    """Return an element and its attributes with these names."""
    return () if element is None else ((element, None), *attribute_items(element, *attributes))


def attribute_items(element: Element, *attributes: str) -> tuple[Item, ...]:
    """Return the attributes of an element with these names."""
    return tuple([(element, name) for name in attributes if name in element.attrib])
