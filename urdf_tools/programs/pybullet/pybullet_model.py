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

"""What PyBullet reads of a description: ``UrdfParser.cpp`` and ``BulletUrdfImporter.cpp``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.pybullet.pybullet_meshes import find_mesh
from urdf_tools.programs.pybullet.pybullet_meshes import is_empty
from urdf_tools.programs.pybullet.pybullet_meshes import is_mesh
from urdf_tools.programs.pybullet.pybullet_meshes import SUFFIXES
from urdf_tools.programs.pybullet.pybullet_shapes import moments_of
from urdf_tools.programs.pybullet.pybullet_values import number
from urdf_tools.programs.pybullet.pybullet_values import pose
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import frames_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of

_BOUNDED = ('revolute', 'prismatic')

_ATTRIBUTES = {
    'box': ('size',), 'sphere': ('radius',), 'cylinder': ('length', 'radius'),
    'capsule': ('length', 'radius'), 'plane': ('normal',), 'mesh': ('filename',),
    'cdf': ('filename',)}
"""Each shape to the attributes without which it is refused."""


@dataclass
class BulletJoint(ReadJoint):
    """A joint, and what PyBullet has of its ``<limit>`` and ``<dynamics>``."""

    lower: float = 0.0
    upper: float = -1.0
    velocity: float = 0.0
    effort: float = 0.0

    @property
    def is_moving(self) -> bool:
        """Return whether PyBullet lets it move; it has no floating joints."""
        return self.type not in ('fixed', 'floating')

    @property
    def is_bounded(self) -> bool:
        """Return whether something stops it."""
        return self.type in _BOUNDED and self.lower <= self.upper


class BulletModel(Reader):
    """
    The body that PyBullet makes of a robot.

    :ivar empty: the ``<visual>`` and ``<collision>`` elements of whose meshes nothing is read.
    """

    def __init__(self, robot: Robot, context: Context):
        assert robot.element is not None, 'robots of a description have elements'
        super().__init__()
        self.robot = robot
        self.context = context
        self.empty: list[Element] = []
        self._files: dict[str, str | None] = {}
        self.links = {link.get('name', ''): link for link in robot.element.findall_tag('link')}
        for link in self.links.values():
            self._check_link(link)
        self.joints = {joint.name: joint for joint in map(
            self._joint, robot.element.findall_tag('joint'))}
        self._check_parents()

    @cached_property
    def masses(self) -> dict[str, float]:
        """Name of each link to its mass in kg."""
        return {name: self._mass(name, link) for name, link in self.links.items()}

    @property
    def parts(self) -> Parts:
        """What the body consists of."""
        joints = self.joints.values()
        moving = [joint for joint in joints if joint.is_moving]
        # Links that have only collision shapes are shown with these.
        visuals = [shape for link in self.links.values()
                   for shape in shapes(link, 'visual') or shapes(link, 'collision')]
        return Parts(
            links=len(self.links), moving_joints=len(moving),
            fixed_joints=len(joints) - len(moving), body=self._body(),
            position_limits=sum(joint.is_bounded for joint in joints),
            velocity_limits=sum(joint.velocity != 0 for joint in moving),
            effort_limits=sum(joint.effort != 0 for joint in moving),
            damping=sum(joint.damping != 0 for joint in moving),
            friction=sum(joint.friction != 0 for joint in moving),
            actuators=sum(joint.type in ONE_DOF for joint in joints),
            visuals=_formats(visuals),
            collisions=_formats(
                shape for link in self.links.values() for shape in self.collisions(link)))

    @property
    def frames(self) -> dict[str, Array]:
        """Homogeneous matrix of each link in the root's frame, with joints at zero."""
        return frames_at_zero(self.robot, self._pose_of)

    def _pose_of(self, joint: Joint) -> Array:
        matrix = pose(self.joints[joint.name].element).matrix
        if joint.type == 'planar':
            # The joint moves the centre of mass, which is taken to be in the joint.
            matrix = matrix.copy()
            matrix[:3, 3] -= matrix[:3, :3] @ self.inertial_frame(joint.child)[:3, 3]
        return matrix

    def inertial_frame(self, name: str) -> Array:
        """Return the homogeneous matrix of the inertial frame of a link in its frame."""
        inertial = self.links[name].find_tag('inertial')
        return np.eye(4) if inertial is None else pose(inertial).matrix

    def collisions(self, link: Element) -> list[Element]:
        """Return the collision shapes that a link has in PyBullet."""
        return [each for each in shapes(link, 'collision') if each not in self.empty]

    @cached_property
    def inertias(self) -> dict[str, SpatialInertia]:
        """The inertia of each link with a mass in its frame; not a number where meshes make it."""
        return {name: self._inertia(name, mass) for name, mass in self.masses.items() if mass}

    def _inertia(self, name: str, mass: float) -> SpatialInertia:
        frame = self.inertial_frame(name)
        moments = moments_of(mass, frame, self.collisions(self.links[name]))
        scale = self.links[name].find('contact/inertia_scaling')
        if scale is not None:
            moments = number(scale.get('value', '')) * moments
        return SpatialInertia(
            mass, frame[:3, 3], frame[:3, :3] @ np.diag(moments) @ frame[:3, :3].T)

    def _body(self) -> SpatialInertia:
        frames = self.frames
        return body_at_zero({name: inertia for name, inertia in self.inertias.items()
                             if name in frames}, frames)

    def _mass(self, name: str, link: Element) -> float:
        inertial = link.find_tag('inertial')
        if inertial is None:
            return 0.0 if name == 'world' else 1.0
        mass = inertial.find_tag('mass')
        return 0.0 if mass is None else number(mass.get('value', ''))

    def _check_link(self, link: Element) -> None:
        inertial = link.find_tag('inertial')
        if inertial is not None:
            self._check_inertial(inertial)
        for tag in ('visual', 'collision'):
            for shape in link.findall_tag(tag):
                self._check_shape(shape)
        for visual in link.findall_tag('visual'):
            material = visual.find_tag('material')
            if material is not None and 'name' not in material.attrib:
                self.refuse(material, '{element} has no name', 'Write <material name="">')

    def _check_inertial(self, inertial: Element) -> None:
        for tag, names in (('mass', ('value',)), ('inertia', ('ixx', 'iyy', 'izz'))):
            child = inertial.find_tag(tag)
            if child is None:
                self.refuse(inertial, '{element} has no <{child}>', child=tag)
            else:
                self._require(child, names)

    def _check_shape(self, owner: Element) -> None:
        geometry = owner.find_tag('geometry')
        if geometry is None or not len(geometry):
            self.refuse(owner, '{element} has no shape')
            return
        shape = geometry[0]
        if shape.tag not in _ATTRIBUTES:
            self.refuse(shape, 'PyBullet knows no shape {name}', name=Name(shape.tag))
        elif self._require(shape, _ATTRIBUTES[shape.tag]) and 'filename' in shape.attrib:
            self._check_mesh(owner, shape, shape.attrib['filename'])

    def _check_mesh(self, owner: Element, mesh: Element, uri: str) -> None:
        if uri not in self._files:
            self._files[uri] = find_mesh(uri, self.context)
        path = self._files[uri]
        if not is_mesh(uri):
            self.refuse(mesh, 'PyBullet reads no mesh file such as {uri}', (
                f'Convert it to one of {", ".join(SUFFIXES[:3])}'), uri=Name(uri))
        elif path is None:
            hint = '' if '://' not in uri else (
                'PyBullet looks for package://a/b as a/b in the folders above the description, '
                'not in packages; write a path relative to the description')
            self.refuse(mesh, 'PyBullet does not find {uri}', hint, uri=Name(uri))
        elif is_empty(path):
            self.empty.append(owner)

    def _require(self, element: Element, names: Iterable[str]) -> bool:
        missing = [name for name in names if not element.get(name) and (
            name == 'filename' or name not in element.attrib)]
        if missing:
            self.refuse(element, '{element} has no {missing}', missing=tuple(missing))
        return not missing

    def _joint(self, element: Element) -> BulletJoint:
        joint_type = element.get('type', '')
        limit, dynamics = element.find_tag('limit'), element.find_tag('dynamics')
        if limit is None and joint_type in _BOUNDED:
            self.refuse(element, '{element} is {type} and has no <limit>', type=joint_type)
        if dynamics is not None and not any(
                name in dynamics.attrib for name in ('damping', 'friction')):
            self.refuse(dynamics, '{element} has neither damping nor friction')
        return BulletJoint(element.get('name', ''), joint_type, element, **{
            name: number(written.attrib[name]) for written, names in (
                (limit, ('lower', 'upper', 'effort', 'velocity')),
                (dynamics, ('damping', 'friction')))
            if written is not None for name in names if name in written.attrib})

    def _check_parents(self) -> None:
        parents = Counter(joint.child for joint in self.robot.joints.values())
        for joint in self.robot.joints.values():
            if parents[joint.child] > 1 and self.robot.parent_joint[joint.child] is joint:
                self.refusals.append(loss(
                    'description', Impact.CRASHES, joint.element,
                    'PyBullet crashes, because link {link} is the child of {n} joints',
                    link=Name(joint.child), n=parents[joint.child]))


def shapes(link: Element, tag: str) -> list[Element]:
    """Return the ``<visual>`` or ``<collision>`` elements that have a shape."""
    return [each for each in link.findall_tag(tag)
            if (geometry := each.find_tag('geometry')) is not None and len(geometry)]


def shape_name(owner: Element) -> str:
    """Return the suffix of a mesh file in lower case, such as ``.dae``, or else ``box``."""
    shape = owner.child('geometry')[0]
    if shape.tag != 'mesh':
        return shape.tag
    return suffix_of(shape.get('filename', ''))


def _formats(owners: Iterable[Element]) -> dict[str, int]:
    return dict(sorted(Counter(map(shape_name, owners)).items()))
