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

"""What MuJoCo reads of a URDF: ``src/xml/xml_util.cc`` and ``xml_urdf.cc``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
from math import isinf
from math import nan
from operator import attrgetter
import re
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.solids import Primitive
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.grouping import grouped
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.robot import Inertial
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.tables import TABLES
from urdf_tools.types import Array

ORIGIN = (0.0, 0.0, 0.0)

_KINDS = TABLES['kinds of elements in mujoco']
"""The kinds of elements that are not called like them; the others are shapes."""

_NUMBER = re.compile(r'[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x[\da-f]+|inf|infinity|nan)',
                     re.IGNORECASE | re.ASCII)
_WHITE = ' \t\n\r\f\v'
_WORD = re.compile(f'[^{_WHITE}]+')


class Attributes(Reader):
    """Reads elements and attributes, and notes what MuJoCo refuses."""

    def child(self, element: Element | None, tag: str, required: bool = False) -> Element | None:
        """Return the only child with a tag; several are refused."""
        children = [] if element is None else element.findall_tag(tag)
        if len(children) > 1:
            self.refuse(children[1], '{element} is repeated')
        elif required and element is not None:
            self.require(element, tag, kind_of(tag))
        return children[0] if children else None

    def text(self, element: Element, name: str) -> str:
        """Return a required attribute."""
        if name not in element.attrib:
            self._missing(element, name)
        return element.attrib.get(name, '')

    def numbers(self, element: Element | None, name: str, default: tuple[float, ...],
                required: bool = False) -> tuple[float, ...]:
        """Return as many numbers as in the default, or the default if none can be read."""
        text = '' if element is None else element.get(name, '')
        is_blank = not text.strip(_WHITE) and name != 'scale'
        if element is None or is_blank or name not in element.attrib:
            if required and element is not None:
                self._missing(element, name)
            return default
        values, problem = _numbers(text)
        if not problem and len(values) == len(default):
            return values
        problem = problem or f'has {len(values)} numbers, {len(default)} expected'
        self.refuse(element, '{attribute}={text} of {element} {problem}', attribute=name,
                    problem=FreeText(problem))
        return default

    def number(self, element: Element | None, name: str, default: float = 0.0,
               required: bool = False) -> float:
        """Return one number; see :meth:`numbers`."""
        return self.numbers(element, name, (default,), required)[0]

    def vector(self, element: Element | None, name: str, default: Vector3 = ORIGIN,
               required: bool = False) -> Vector3:
        """Return three numbers; see :meth:`numbers`."""
        x, y, z = self.numbers(element, name, default, required)
        return x, y, z

    def _missing(self, element: Element, name: str) -> None:
        of = 'name' if name == 'name' else kind_of(element.tag)
        self.refuse(element, '{element} has no attribute {missing}', of=of, missing=name)


def kind_of(tag: str) -> str:
    """Return the kind of a missing element, or of the element that lacks something."""
    return tag if tag in KINDS else _KINDS.get(tag, 'shape')


@lru_cache(maxsize=4096)
def _numbers(text: str) -> tuple[tuple[float, ...], str]:
    """Return the numbers in a text, and the problem with them."""
    words = _WORD.findall(text)
    if not all(map(_NUMBER.fullmatch, words)):
        return (), 'is not a number'
    values = tuple(float.fromhex(word) if 'x' in word.lower() else float(word) for word in words)
    overflows = any(isinf(value) and 'i' not in word.lower() for value, word in zip(values, words))
    return values, 'is too large for a number' if overflows else ''


@dataclass(frozen=True)
class Release:
    """
    A release of MuJoCo, and how it differs from others.

    :ivar is_4: the ones before treat mesh files with the same name as one, and forget a scale that
        is not that of the first when it is used again; limit continuous joints, ignore
        ``<mimic>``, and refuse repeated joint names; mix up the frames of bodies that they fuse,
        and do not bound an inertia that is not positive.
    :ivar strips_paths: whether it strips the folders from names of mesh files, whose suffix may
        then be of any case: up to 3.6.
    """

    version: str
    is_4: bool = False
    strips_paths: bool = False


RELEASES = {release.version: release for release in (
    Release('4.0', is_4=True), Release('3.8'), Release('3.3', strips_paths=True))}
"""The releases that were compared, by their versions."""


@dataclass
class Compiler:
    """
    The options of ``<mujoco><compiler>``, with the defaults for a URDF.

    :ivar release: the release, which is not an option.
    """

    release: Release
    strippath: bool
    fusestatic: bool = True
    discardvisual: bool = True
    balanceinertia: bool = False
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    autolimits: bool = True
    inertiafromgeom: str = 'auto'
    meshdir: str = ''


_WORDS = {'angle': ('radian', 'degree'), 'inertiafromgeom': ('true', 'false', 'auto'),
          **dict.fromkeys(('alignfree', 'fitaabb', 'saveinertial', 'usethread'), (
              'true', 'false'))}
"""The words that options can be, besides ``true`` and ``false``."""


def read_compiler(robot: Element, release: Release, attributes: Attributes) -> Compiler:
    """Return the options that a description sets."""
    compiler = Compiler(release, strippath=release.strips_paths)
    section = attributes.child(attributes.child(robot, 'mujoco'), 'compiler')
    if section is None:
        return compiler
    for name, text in section.attrib.items():
        default = None if name == 'release' else getattr(compiler, name, None)
        words = ('true', 'false') if isinstance(default, bool) else _WORDS.get(name, (text,))
        if text not in words:
            attributes.refuse(section, 'Option {attribute} is not one of {words}', attribute=name,
                              words=words)
        if isinstance(default, bool):
            setattr(compiler, name, text == 'true')
        elif isinstance(default, float):
            setattr(compiler, name, attributes.number(section, name))
        elif default is not None:
            setattr(compiler, name, text)
    return compiler


DRIVEN = (*ONE_DOF, 'planar')
"""The types of joints with an axis that can exert effort."""

_SHAPES = ('box', 'cylinder', 'sphere', 'capsule', 'mesh')
_TYPES = (*DRIVEN, 'fixed', 'floating', 'spherical')


class Geom(NamedTuple):
    """A shape, with its geometry element, such as ``<box>`` or ``<mesh>``."""

    element: Element
    shape: Primitive | Mesh
    pose: Array
    is_visual: bool


@dataclass
class UrdfJoint(ReadJoint):
    """A joint; a limit that is not written is not a number."""

    lower: float = nan
    upper: float = nan
    effort: float = 0.0
    axis: Vector3 = (1.0, 0.0, 0.0)

    @property
    def moves(self) -> bool:
        """Return whether MuJoCo creates a joint for the body."""
        return self.type in _TYPES and self.type != 'fixed'

    @property
    def is_limited(self) -> bool:
        """Return whether it has limits in MuJoCo (``limited="auto"``)."""
        return self.type != 'floating' and self.lower < self.upper


@dataclass
class UrdfBody:
    """
    A link.

    :ivar inertia: of its ``<inertial>``, in the inertial frame; None if it has none.
    :ivar inertial_frame: pose of that frame in that of the link.
    :ivar is_read: whether no part of it was refused.
    """

    element: Element
    name: str
    inertia: SpatialInertia | None = None
    inertial_frame: Array = field(default_factory=lambda: np.eye(4))
    geoms: list[Geom] = field(default_factory=list)
    is_read: bool = True

    def written(self, tag: str) -> Element:
        """Return the element in its ``<inertial>`` with a tag, or else the parent of that."""
        inertial = self.element.find_tag('inertial')
        found = None if inertial is None else inertial.find_tag(tag)
        return found if found is not None else self.element if inertial is None else inertial


class UrdfModel(Attributes):
    """
    A description as MuJoCo reads it.

    :ivar bodies: by name.
    :ivar joints: in the order of the text.
    :ivar parents: name of a link to the joint above it.
    :ivar names: the links, each after the one above it, without those of cycles.
    """

    def __init__(self, robot: Element, release: Release):
        super().__init__()
        if robot.tag.lower() != 'robot':
            self.refuse(robot, '{element} is not <robot>')
        self.compiler: Compiler = read_compiler(robot, release, self)
        self.bodies: dict[str, UrdfBody] = {}
        self.parents: dict[str, UrdfJoint] = {}
        for material in robot.iter('material'):
            self.numbers(self.child(material, 'color'), 'rgba', (0.0,) * 4, required=True)
        for link in robot.findall_tag('link'):
            body = UrdfBody(link, self.text(link, 'name'))
            self.bodies.setdefault(body.name, body)
            self._read_body(body)
        self.refuse_repeated(link for link in robot.findall_tag('link') if link.get('name'))
        self.joints = [self._read_joint(joint) for joint in robot.findall_tag('joint')]
        for joint in self.joints:
            self._connect(joint)
        self.names = tuple(self._tree())
        if not release.is_4:
            self.refuse_repeated(
                joint.element for joint in self.joints if joint.moves and joint.name)

    def _connect(self, joint: UrdfJoint) -> None:
        if not {joint.parent, joint.child} <= self.bodies.keys():
            return
        if joint.parent == joint.child:
            self.refuse(joint.element, '{joint} connects link {link} to itself', of='structure',
                        link=Name(joint.child))
        elif self.parents.setdefault(joint.child, joint) is not joint:
            self.refuse(joint.element.child('child'), 'Link {link} has several parents',
                        attribute='link', link=Name(joint.child))

    def _tree(self) -> Iterator[str]:
        """Yield the names of the links, starting at the roots, and note cycles."""
        children = grouped((joint.parent, joint.child) for joint in self.parents.values())
        pending = [name for name in reversed(self.bodies) if name not in self.parents]
        while pending:
            name = pending.pop()
            yield name
            pending += reversed(children.get(name, ()))
        for cycle in find_cycles({name: joint.parent for name, joint in self.parents.items()}):
            joints = [self.parents[name].element for name in cycle]
            self.refuse(max(joints, key=attrgetter('index')), 'Links {links} form a cycle',
                        links=tuple(map(Name, cycle)))

    def _pose(self, element: Element | None) -> Array:
        origin = self.child(element, 'origin')
        return pose_from(self.vector(origin, 'xyz'), self.vector(origin, 'rpy')).matrix

    def _read_body(self, body: UrdfBody) -> None:
        refused = len(self.refusals)
        inertial = self.child(body.element, 'inertial')
        if inertial is not None:
            body.inertial_frame = self._pose(inertial)
            mass = self.number(self.child(inertial, 'mass', True), 'value', required=True)
            inertia = self.child(inertial, 'inertia', True)
            entries: dict[str, Any] = {
                name: self.number(inertia, name, required=True)
                for name in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')}
            body.inertia = SpatialInertia(mass, np.zeros(3), Inertial(mass, **entries).matrix)
        for element in body.element:
            material = self.child(element, 'material') if element.tag == 'visual' else None
            if material is not None and material.find_tag('color') is None:
                self.text(material, 'name')
            if element.tag == 'collision' or (
                    element.tag == 'visual' and not self.compiler.discardvisual):
                body.geoms += self._read_geom(element)
        body.is_read = len(self.refusals) == refused

    def _read_geom(self, element: Element) -> Iterator[Geom]:
        geometry, pose = self.child(element, 'geometry', True), self._pose(element)
        if geometry is None:
            return
        shapes = (self.child(geometry, tag) for tag in _SHAPES)
        shape = next((found for found in shapes if found is not None), None)
        if shape is None:
            self.refuse(geometry, '{element} has no shape that MuJoCo knows')
        else:
            yield Geom(shape, self._read_shape(shape), pose, element.tag == 'visual')

    def _read_shape(self, shape: Element) -> Primitive | Mesh:
        if shape.tag == 'mesh':
            scale = self.vector(shape, 'scale', (1.0, 1.0, 1.0))
            return Mesh(self.text(shape, 'filename'), scale)
        if shape.tag == 'box':
            return Box(self.vector(shape, 'size', required=True))
        radius = self.number(shape, 'radius', required=True)
        if shape.tag == 'sphere':
            return Sphere(radius)
        length = self.number(shape, 'length', required=True)
        return (Cylinder if shape.tag == 'cylinder' else Capsule)(radius, length)

    def _read_joint(self, element: Element) -> UrdfJoint:
        parent, child = self.ends(element, self.bodies, self.child)
        joint = UrdfJoint(
            self.text(element, 'name'), self.text(element, 'type'), element, parent=parent,
            child=child, pose=self._pose(element))
        if joint.type not in _TYPES and 'type' in element.attrib:
            self.refuse(element, 'The type {text} of {joint} is not one of {types}',
                        attribute='type', types=_TYPES)
        joint.axis = self.vector(self.child(element, 'axis'), 'xyz', joint.axis, required=True)
        if joint.type == 'fixed':
            return joint
        dynamics = self.child(element, 'dynamics')
        joint.damping = self.number(dynamics, 'damping')
        joint.friction = self.number(dynamics, 'friction')
        limit = self.child(element, 'limit')
        effort = abs(self.number(limit, 'effort'))
        joint.effort = effort if joint.type in DRIVEN else 0.0
        if joint.type != 'continuous' or not self.compiler.release.is_4:
            joint.lower = self.number(limit, 'lower', nan)
            joint.upper = self.number(limit, 'upper', nan)
        mimic = self.child(element, 'mimic') if self.compiler.release.is_4 else None
        if mimic is not None:
            joint.leader = self.text(mimic, 'joint')
            for name in ('multiplier', 'offset'):
                self.number(mimic, name)
            if joint.leader == joint.name and joint.type in ONE_DOF:
                self.refuse(mimic, '{joint} mimics itself', of='mimic')
        return joint
