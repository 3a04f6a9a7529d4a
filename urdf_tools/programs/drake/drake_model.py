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

"""The plant that Drake makes of a description: ``detail_urdf_parser.cc``."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import cbrt
from math import inf
from math import isfinite
from math import pi

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.drake.drake_attributes import Attributes
from urdf_tools.programs.drake.drake_shapes import is_shown
from urdf_tools.programs.drake.drake_shapes import ShapeReader
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import frames_at_zero
from urdf_tools.programs.robot_parts import Parts

_DENSITY = 1000.0
"""Of the ball in kg/m^3 whose inertia replaces an invalid one."""

_PRECISION = 16 * float(np.finfo(float).eps)


class DrakeModel:
    """
    The plant that Drake makes of a robot.

    :ivar element: the ``<robot>``.
    :ivar reader: what it refuses and misreads.
    :ivar replaced: the links whose inertia is replaced, as it is invalid.
    :ivar drivers: each joint with an actuator to the number of them.
    """

    def __init__(self, robot: Robot, context: Context):
        assert robot.element is not None, 'robots of a description have elements'
        self.robot = robot
        self.element = element = robot.element
        self.reader = Attributes()
        self.replaced: set[str] = set()
        self.inertias: dict[str, SpatialInertia] = {}
        self.visuals: Counter[str] = Counter()
        self.collisions: Counter[str] = Counter()
        self.links = {link.get('name', ''): link for link in element.findall_tag('link')}
        self._read_links(ShapeReader(self.reader, context))
        self.joints = {joint.name: joint for joint in map(
            self._joint, element.findall_tag('joint'))}
        self.mimic = sum(map(self._couples, self.joints.values()))
        self.drivers: Counter[str] = Counter()
        names: set[str] = set()
        for transmission in element.findall_tag('transmission'):
            self._transmission(transmission, names)
        self._check_loops()

    @cached_property
    def frames(self) -> dict[str, Array]:
        """Homogeneous matrix of each link in the world, with joints at zero."""
        # A link on a floating joint is a body without a joint, which starts in the origin.
        return frames_at_zero(self.robot, lambda joint: None if joint.type == 'floating' else (
            Attributes().pose(self.joints[joint.name].element).matrix))

    @property
    def is_fixed(self) -> bool:
        """Return whether the root link is fixed to the world."""
        return WORLD in self.links and not any(
            joint.type == 'floating' for joint in self.robot.path(self.robot.root, WORLD))

    @property
    def parts(self) -> Parts:
        """What the plant consists of."""
        joints = self.joints.values()
        moving = [joint for joint in joints if joint.type in (*ONE_DOF, 'planar')]
        return Parts(
            links=len(self.links) - (WORLD in self.links), moving_joints=len(moving),
            fixed_joints=sum(joint.type == 'fixed' for joint in joints), mimic=self.mimic,
            body=body_at_zero({name: inertia for name, inertia in self.inertias.items()
                               if inertia.mass and name in self.frames}, self.frames),
            position_limits=sum(
                isfinite(joint.lower) and isfinite(joint.upper) for joint in moving),
            velocity_limits=sum(isfinite(joint.velocity) for joint in moving),
            effort_limits=sum(
                n for name, n in self.drivers.items() if isfinite(self.joints[name].effort)),
            damping=sum(joint.damping != 0 for joint in moving),
            actuators=sum(self.drivers.values()), visuals=dict(sorted(self.visuals.items())),
            collisions=dict(sorted(self.collisions.items())))

    def _read_links(self, shapes: ShapeReader) -> None:
        if not self.robot.name:
            self.reader.refuse(self.element, 'The name of the robot is empty')
        for material in self.element.findall_tag('material'):
            shapes.material(material, is_global=True)
        for name, link in self.links.items():
            inertial = link.find_tag('inertial')
            if inertial is not None and name != WORLD:
                self.inertias[name] = self._inertia(name, inertial)
            for visual in link.findall_tag('visual'):
                found = shapes.format(visual)
                if found is not None and is_shown(visual):
                    self.visuals[found] += 1
                    for material in visual.findall_tag('material')[:1]:
                        shapes.material(material, is_global=False)
            self.collisions.update(filter(None, map(
                shapes.format, link.findall_tag('collision'))))

    def _inertia(self, name: str, inertial: Element) -> SpatialInertia:
        pose = self.reader.pose(inertial)
        mass = self.reader.scalar(inertial.find_tag('mass'), 'value', 0.0)
        written = inertial.find_tag('inertia')
        xx, xy, xz, yy, yz, zz = (self.reader.scalar(written, axes, 0.0) for axes in (
            'ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'))
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if mass == 0 and not matrix.any():
            return SpatialInertia.zero()
        if mass > 0 and _is_valid(matrix) and _is_valid(matrix / mass):
            return SpatialInertia(
                mass, np.array(pose.xyz), pose.rotation @ matrix @ pose.rotation.T)
        self.replaced.add(name)
        mass = mass if mass > 0 else 1.0
        radius = cbrt(3 * mass / (4 * pi * _DENSITY))
        return SpatialInertia(mass, np.array(pose.xyz), 0.4 * mass * radius ** 2 * np.eye(3))

    def _joint(self, element: Element) -> ReadJoint:
        name, joint_type = element.get('name', ''), element.get('type', '')
        self.reader.pose(element)
        axis = element.find_tag('axis')
        if axis is not None and joint_type not in ('fixed', 'floating') and np.linalg.norm(
                self.reader.vector(axis, 'xyz', (1.0, 0.0, 0.0))) < 1e-8:
            self.reader.refuse(axis, 'The axis of {joint} is zero', joint=element)
        dynamics = element.find_tag('dynamics')
        if joint_type == 'planar':
            dampings = self.reader.vector(dynamics, 'damping', (0.0, 0.0, 0.0))
            self._check_signs(dynamics, damping=min(dampings))
            return ReadJoint(name, joint_type, element, damping=max(dampings))
        if joint_type not in ONE_DOF:
            return ReadJoint(name, joint_type, element)
        limit = element.find_tag('limit')
        values = {each: self.reader.scalar(limit, each, default) for each, default in (
            ('lower', -inf), ('upper', inf), ('velocity', inf), ('drake:acceleration', inf),
            ('effort', inf))}
        damping = self.reader.scalar(dynamics, 'damping', 0.0)
        self.reader.scalar(dynamics, 'friction', 0.0)
        if limit is not None and values['lower'] > values['upper']:
            self.reader.refuse(
                limit, 'The lower limit of {joint} is {lower:g}, above {upper:g}', joint=element,
                lower=values['lower'], upper=values['upper'], hint='Swap lower and upper')
        self._check_signs(limit, velocity=values['velocity'])
        self._check_signs(limit, **{'drake:acceleration': values.pop('drake:acceleration')})
        self._check_signs(dynamics, damping=damping)
        return ReadJoint(name, joint_type, element, **values, damping=damping)

    def _check_signs(self, element: Element | None, **values: float) -> None:
        for name, value in values.items():
            if element is not None and value < 0:
                self.reader.refuse(element, '{attribute}={value:g} of {element} is negative',
                                   attribute=name, value=value)

    def _couples(self, joint: ReadJoint) -> bool:
        mimic = joint.element.find_tag('mimic')
        if mimic is None:
            return False
        leader = self.joints.get(mimic.get('joint', ''))
        # Floating joints are no joints of the plant.
        if leader is None or leader is joint or leader.type == 'floating':
            self.reader.refuse(
                mimic, '{joint} cannot follow {leader}', joint=joint.element,
                leader=Name(mimic.get('joint', '')), hint='Remove the <mimic>')
            return False
        self.reader.scalar(mimic, 'multiplier', 1.0)
        self.reader.scalar(mimic, 'offset', 0.0)
        if joint.type != 'floating' and _freedom(joint) != _freedom(leader):
            self.reader.refuse(
                mimic, '{joint} of type {type} cannot follow {leader} of type {other}',
                joint=joint.element, type=joint.type, leader=leader.element, other=leader.type,
                hint='Remove the <mimic>')
        return joint.type in ONE_DOF and leader.type in ONE_DOF

    def _transmission(self, element: Element, names: set[str]) -> None:
        written = element.find_tag('type')
        text = element.get('type') if written is None else written.text
        hint = 'Write <type>transmission_interface/SimpleTransmission</type>'
        if written is not None and not text:
            self.reader.refusals.append(loss(
                'description', Impact.CRASHES, written,
                'Drake crashes, because the <type> of {element} is empty', element=element,
                hint=hint))
        elif text is None:
            self.reader.refuse(element, '{element} has no type', hint)
        elif 'SimpleTransmission' in text:
            actuator = self.reader.require(element, 'actuator')
            joint = self.reader.require(element, 'joint')
            if actuator is not None and joint is not None:
                self._actuate(element, actuator, joint, names)

    def _actuate(
            self, element: Element, actuator: Element, joint: Element, names: set[str]) -> None:
        for each in (actuator, joint):
            if 'name' not in each.attrib:
                self.reader.refuse(each, '{element} has no name')
                return
        driven = self.joints.get(joint.attrib['name'])
        if driven is None or driven.type == 'floating':
            self.reader.refuse(joint, '{element} drives joint {joint}, which {fault}',
                               element=element, joint=Name(joint.attrib['name']),
                               fault='does not exist' if driven is None else 'is floating')
        elif driven.type == 'fixed' or driven.effort == 0:
            return
        elif driven.effort < 0:
            self.reader.refuse(element, 'The effort limit of {joint} is negative',
                               joint=driven.element)
        elif driven.type == 'planar':
            self.reader.refuse(element, '{element} drives {joint}, which is planar',
                               element=element, joint=driven.element)
        elif actuator.attrib['name'] in names:
            self.reader.refuse(
                actuator, 'Two actuators have the name {name}',
                name=Name(actuator.attrib['name']), hint='Rename one of them')
        else:
            names.add(actuator.attrib['name'])
            self.drivers[driven.name] += 1

    def _check_loops(self) -> None:
        loop = self.element.find_tag('loop_joint')
        if loop is not None:
            self.reader.refuse(loop, 'Drake has no loop joints')
        for joint in self.robot.joints.values():
            if self.robot.parent_joint[joint.child] is not joint:
                assert joint.element is not None
                self.reader.refuse(
                    joint.element, 'Link {link} is the child of two joints, a loop',
                    link=Name(joint.child))


def _freedom(joint: ReadJoint) -> int:
    return {'fixed': 0, 'planar': 3}.get(joint.type, 1)


def _is_valid(matrix: Array) -> bool:
    """Return whether a body can have an inertia, as ``rotational_inertia.cc`` decides."""
    low, middle, high = np.linalg.eigvalsh(matrix)
    tolerance = _PRECISION * max(1.0, float(np.trace(matrix)) / 2)
    return bool(low + tolerance >= 0 and low + middle + tolerance >= high)
