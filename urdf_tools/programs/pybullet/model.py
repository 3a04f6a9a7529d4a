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

"""
What PyBullet reads of a description, and the body that it makes of it.

Read in ``UrdfParser.cpp``, ``UrdfFindMeshFile.h`` and ``BulletUrdfImporter.cpp``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from functools import lru_cache
import os
from pathlib import Path
import re
from typing import Any

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.transforms import invert
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import UNLIMITED
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.importers import formats_written
from urdf_tools.programs.importers import mesh_suffix
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.tables import TABLES
from urdf_tools.types import Array

_NUMBER = re.compile(r'\s*([+-]?(?:(0x[\da-f]{1,250})|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|'
                     r'infinity|inf|nan))', re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def number(text: str) -> float:
    """Return the number at the start of a text; 0 if there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return 0.0
    return float.fromhex(match[1]) if match[2] else float(match[1])


@lru_cache(maxsize=4096)
def vector(text: str) -> Vector3 | None:
    """Return the first three numbers of a text; None if it has fewer."""
    values = [number(word) for word in text.split(' ') if word]
    return (values[0], values[1], values[2]) if len(values) >= 3 else None


def pose(parent: Element | None) -> Pose:
    """Return the ``<origin>`` of an element; what cannot be read is zero."""
    origin = None if parent is None else parent.find_tag('origin')
    written = {} if origin is None else origin.attrib
    return pose_from(*(vector(written.get(name, '')) or (0.0, 0.0, 0.0)
                       for name in ('xyz', 'rpy')))


SUFFIXES = ('.dae', '.stl', '.obj', '.cdf', '.vtk')
"""The ends of the names of mesh files that it takes."""


def find_mesh(uri: str, context: Context) -> str | None:
    """
    Return the path of the file of a mesh, or None if it is not found.

    The name of a package is used as that of a folder, which is looked up in each folder above
    the description, whatever packages are installed. If the description is not a file, its meshes
    are assumed to exist.
    """
    if context.file is None:
        return uri if context.resolves(uri) else None
    path = uri
    for scheme in ('file://', 'package://', 'model://'):
        path = path.removeprefix(scheme)
    attempts = [f'{folder}/{path}' for folder in Path(os.path.abspath(context.file)).parents]
    if path.startswith('/'):
        attempts.insert(0, path)
    return next(filter(context.finds, attempts), None)


def is_empty(path: str, context: Context) -> bool:
    """Return whether nothing is read from a mesh file, such as text instead of triangles."""
    suffix = suffix_of(path)
    if context.file is None or not context.reads_files or suffix == '.cdf':
        return False
    try:
        return suffix == '.vtk' or mesh_facts(Path(path)).is_text
    except MeshError as error:
        return not error.limit


_REQUIRED = TABLES['attributes of pybullet']
"""Elements to the attributes without which they are refused."""

_TYPES = ('revolute', 'continuous', 'prismatic', 'planar', 'spherical', 'floating', 'fixed')


@dataclass
class BulletJoint(ReadJoint):
    """A joint, with what PyBullet reads from its ``<limit>`` and ``<dynamics>``."""

    lower: float = 0.0
    upper: float = -1.0
    velocity: float = 0.0
    effort: float = 0.0

    @property
    def is_bounded(self) -> bool:
        """Return whether it has position limits."""
        return self.type in BOUNDED and self.lower <= self.upper


class BulletModel(Reader):
    """
    The body that PyBullet creates from a description, even from one that it refuses.

    :ivar links: name of each link to its first element.
    :ivar joints: name of each joint to what is read of the first one.
    :ivar root: the name of the only link without a parent; None if there is none, or several.
    :ivar below: name of each link that joints connect to the root to the one that does; None for
        the root, which comes first.
    :ivar empty: the ``<visual>`` and ``<collision>`` elements of whose meshes nothing is read.
    """

    def __init__(self, element: Element, context: Context):
        super().__init__()
        self.element = element
        self.context = context
        self.empty: dict[Element, None] = {}
        self._files: dict[str, str | None] = {}
        self._check_robot()
        links = element.findall_tag('link')
        self.links = self.named(links)
        for link in links:
            self._check_link(link)
        self.joints = {
            name: self._joint(name, joint) for name, joint in self.named(
                element.findall_tag('joint'), Impact.CRASHES).items()}
        self.root: str | None = None
        self.below: dict[str, BulletJoint | None] = {}
        self._connect()

    @cached_property
    def masses(self) -> dict[str, float]:
        """Name of each link to its mass in kg."""
        return {name: self._mass(name, link) for name, link in self.links.items()}

    @property
    def parts(self) -> Parts:
        """The parts of the body."""
        joints = self.joints.values()
        moving = [joint for joint in joints if joint.is_moving]
        # Links that have only collision shapes are shown with these.
        visuals = [shape for link in self.links.values()
                   for shape in shapes(link, 'visual') or shapes(link, 'collision')]
        return Parts(
            links=len(self.links), moving_joints=len(moving),
            fixed_joints=len(joints) - len(moving), body=body_at_zero(
                {name: each for name, each in self.inertias.items() if name in self.frames},
                self.frames),
            position_limits=sum(joint.is_bounded for joint in joints),
            velocity_limits=sum(0 != joint.velocity < UNLIMITED for joint in moving),
            effort_limits=sum(0 != joint.effort < UNLIMITED for joint in moving),
            damping=sum(joint.damping != 0 for joint in moving),
            friction=sum(joint.friction != 0 for joint in moving),
            actuators=sum(joint.type in ONE_DOF for joint in joints),
            visuals=_formats(visuals),
            collisions=_formats(
                shape for link in self.links.values() for shape in self.collisions(link)))

    @cached_property
    def frames(self) -> dict[str, Array]:
        """Homogeneous matrix of each link in the root's frame, with joints at zero."""
        frames: dict[str, Array] = {}
        for name, joint in self.below.items():
            matrix = np.eye(4) if joint is None else (
                frames[joint.parent] @ pose(joint.element).matrix)
            if joint is not None and joint.type == 'planar':
                # The joint moves the centre of mass, which is taken to be in the joint.
                matrix[:3, 3] -= matrix[:3, :3] @ self.inertial_frame(name)[:3, 3]
            frames[name] = matrix
        return frames

    def inertial_frame(self, name: str) -> Array:
        """Return the homogeneous matrix of the inertial frame of a link in its frame."""
        return pose(self.links[name].find_tag('inertial')).matrix

    def collisions(self, link: Element) -> list[Element]:
        """Return the collision shapes that a link has in PyBullet."""
        # Of an .obj file without faces, it has a shape that consists of none.
        return [each for each in shapes(link, 'collision')
                if each not in self.empty or mesh_suffix(each) == '.obj']

    @cached_property
    def inertias(self) -> dict[str, SpatialInertia]:
        """The inertia of each link with a mass in its frame; NaN if it depends on meshes."""
        return {name: self._inertia(name, mass) for name, mass in self.masses.items() if mass}

    def _inertia(self, name: str, mass: float) -> SpatialInertia:
        frame = self.inertial_frame(name)
        moments = moments_of(mass, frame, self.collisions(self.links[name]))
        scale = self.links[name].find('contact/inertia_scaling')
        if scale is not None:
            moments = number(scale.get('value', '')) * moments
        return SpatialInertia(
            mass, frame[:3, 3], frame[:3, :3] @ np.diag(moments) @ frame[:3, :3].T)

    def _mass(self, name: str, link: Element) -> float:
        inertial = link.find_tag('inertial')
        if inertial is None:
            return 0.0 if name == 'world' else 1.0
        mass = inertial.find_tag('mass')
        return 0.0 if mass is None else number(mass.get('value', ''))

    def _check_robot(self) -> None:
        root = self.element
        self.check_robot(root)
        if 'name' not in root.attrib:
            self.refuse(root, '{element} has no name', of='name', hint='Write <robot name="...">')
        for deformable in root.findall_tag('deformable'):
            self.refuse(deformable, 'PyBullet loads {element} only into a world of deformable '
                        'bodies')

    def _check_link(self, link: Element) -> None:
        for inertial in link.findall_tag('inertial')[:1]:
            for tag in ('mass', 'inertia'):
                child = self.require(inertial, tag, tag)
                if child is not None:
                    self.has_all(child, _REQUIRED[tag], tag)
        for owner in (*link.findall_tag('visual'), *link.findall_tag('collision')):
            self._check_shape(owner)
            material = owner.find_tag('material')
            if owner.tag == 'visual' and material is not None and 'name' not in material.attrib:
                self.refuse(material, '{element} has no name', 'Write <material name="">',
                            of='material', brief='material without name')

    def _check_shape(self, owner: Element) -> None:
        geometry = owner.find_tag('geometry')
        if geometry is None or not len(geometry):
            self.refuse(owner if geometry is None else geometry, '{owner} has no shape',
                        owner=owner, brief=f'{owner.tag} without shape')
        elif geometry[0].tag not in _REQUIRED:
            self.refuse(geometry[0], 'PyBullet does not know the shape {name}',
                        name=Name(geometry[0].tag))
        elif geometry[0].tag != 'mesh':
            self.has_all(geometry[0], _REQUIRED[geometry[0].tag], 'shape')
        elif self.has_all(geometry[0], _REQUIRED['mesh'], 'mesh'):
            self._check_mesh(owner, geometry[0])

    def _check_mesh(self, owner: Element, mesh: Element) -> None:
        uri = mesh.attrib['filename']
        if uri not in self._files:
            self._files[uri] = find_mesh(uri, self.context)
        path = self._files[uri]
        if uri[-4:].lower() not in SUFFIXES:
            self.refuse(mesh, 'PyBullet does not read mesh files such as {text}',
                        attribute='filename',
                        brief=f'mesh format {suffix_of(uri)[:9] or "unknown"}')
        elif path is None:
            self.refuse(
                mesh, 'PyBullet does not find {text}',
                '' if '://' not in uri else
                'PyBullet looks for package://a/b as a/b in the folders above the description, '
                'not in packages; write a path relative to the description', of='mesh',
                attribute='filename', brief='package:// mesh not found' if uri.startswith(
                    'package://') else 'mesh not found')
        elif is_empty(path, self.context):
            self.empty[owner] = None

    def _joint(self, name: str, element: Element) -> BulletJoint:
        joint_type = element.get('type')
        limit, dynamics = element.find_tag('limit'), element.find_tag('dynamics')
        axis = element.find_tag('axis')
        if joint_type is None:
            self.refuse(element, 'PyBullet crashes, because {element} has no type',
                        impact=Impact.CRASHES)
        elif joint_type not in _TYPES:
            self.refuse(element, 'PyBullet does not know the type {text} of {element}',
                        attribute='type', types=_TYPES)
        elif limit is None and joint_type in BOUNDED:
            self.refuse(element, '{element} is {type} and has no <limit>', type=joint_type)
        elif axis is not None and joint_type not in ('fixed', 'floating') and (
                'xyz' in axis.attrib and vector(axis.attrib['xyz']) is None):
            self.refuse(axis, 'The axis of {joint} does not have three numbers', attribute='xyz')
        if dynamics is not None and not {'damping', 'friction'} & dynamics.attrib.keys():
            self.refuse(dynamics, '{element} has neither damping nor friction', of='dynamics')
        parent, child = self.ends(element, self.links)
        numbers: dict[str, Any] = {
            name: number(written.attrib[name]) for written, names in (
                (limit, ('lower', 'upper', 'effort', 'velocity')),
                (dynamics, ('damping', 'friction')))
            if written is not None for name in names if name in written.attrib}
        return BulletJoint(name, joint_type or '', element, parent=parent, child=child, **numbers)

    def _connect(self) -> None:
        """Find the root and the links below it."""
        parents: dict[str, list[BulletJoint]] = {}
        below: dict[str, list[BulletJoint]] = {name: [] for name in self.links}
        for joint in self.joints.values():
            below.get(joint.parent, []).append(joint)
            parents.setdefault(joint.child, []).append(joint)
        if not self.links or {'name', 'structure'} & {each.of for each in self.refusals}:
            return
        self.root = self.only_root(
            self.links, {child: joints[-1].element for child, joints in parents.items()},
            Impact.CRASHES)
        if self.root is None:
            return
        waiting: list[tuple[str, BulletJoint | None]] = [(self.root, None)]
        for name, above in waiting:
            if name not in self.below:
                waiting += [(joint.child, joint) for joint in below[name]]
            self.below.setdefault(name, above)
        for name, above_it in parents.items():
            if sum(joint.parent in self.below for joint in above_it) > 1:
                last = above_it[-1].element
                self.refuse([last.child('child'), last], 'PyBullet crashes, because link {link} '
                            'is the child of {n} joints', impact=Impact.CRASHES, link=Name(name),
                            n=len(above_it))


def shapes(link: Element, tag: str) -> list[Element]:
    """Return the ``<visual>`` or ``<collision>`` elements that have a shape."""
    return [each for each in link.findall_tag(tag)
            if (geometry := each.find_tag('geometry')) is not None and len(geometry)]


def _formats(owners: Iterable[Element]) -> dict[str, int]:
    return formats_written(owner.child('geometry')[0] for owner in owners)


MARGIN = 0.001
"""The width in metres that is added around shapes."""


_HULLS = ('cylinder', 'mesh')
"""The shapes that become convex hulls, which have twice the margin."""


def moments_of(mass: float, frame: Array, collisions: list[Element]) -> Array:
    """
    Return the moments of inertia of a link about the axes of its inertial frame.

    :param frame: homogeneous matrix of the inertial frame in that of the link.
    :return: in kg m^2, shape (3,); not a number if a mesh matters.
    """
    placed = [(invert(frame) @ pose(each).matrix, each.child('geometry')[0])
              for each in collisions]
    if not placed:
        return _of_box(mass, np.full(3, MARGIN))
    if len(placed) == 1 and np.array_equal(placed[0][0], np.eye(4)):
        shape = placed[0][1]
        if shape.tag == 'sphere':
            return 0.4 * mass * _half(shape) ** 2
        return _of_box(mass, _half(shape) + 3 * MARGIN * (shape.tag in _HULLS))
    low, high = zip(*(_bounds(*each) for each in placed))
    return _of_box(mass, (np.max(high, axis=0) - np.min(low, axis=0)) / 2 + MARGIN)


def _half(shape: Element) -> Array:
    """Return half the extents along its axes; NaN for a mesh, which is not read."""
    if shape.tag == 'box':
        return np.array(vector(shape.get('size', '')) or (0.0, 0.0, 0.0)) / 2
    radius, length = (number(shape.get(name, '')) for name in ('radius', 'length'))
    if shape.tag in _HULLS:
        radius, length = abs(radius), abs(length)
    return np.array({
        'sphere': (radius, radius, radius), 'cylinder': (radius, radius, length / 2),
        'capsule': (radius, radius, radius + length / 2)}.get(shape.tag, (np.nan,) * 3))


def _bounds(placement: Array, shape: Element) -> tuple[Array, Array]:
    rotation = np.eye(3) if shape.tag == 'sphere' else np.abs(placement[:3, :3])
    reach = rotation @ (_half(shape) + 2 * MARGIN * (shape.tag in _HULLS))
    return placement[:3, 3] - reach, placement[:3, 3] + reach


def _of_box(mass: float, half: Array) -> Array:
    squares = (2 * half) ** 2
    return np.asarray(mass / 12 * (squares.sum() - squares))
