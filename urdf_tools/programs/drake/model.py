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

"""The plant that Drake builds from a description: ``detail_urdf_parser.cc``."""

from __future__ import annotations

from collections import Counter
from collections import defaultdict
from functools import cached_property
from math import cbrt
from math import hypot
from math import inf
from math import isfinite
from math import pi
from typing import Any

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.records import INERTIA
from urdf_tools.model.robot import Inertial
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.drake.reading import numbers
from urdf_tools.programs.drake.reading import ShapeReader
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.types import Array

_DENSITY = 1000.0
"""Of the ball in kg/m^3 whose inertia replaces an invalid one."""

_PRECISION = 16 * float(np.finfo(float).eps)

_TAKEN = ('', '::', 'DefaultModelInstance', 'WorldModelInstance')

_TYPES = {'joint': ('fixed', *ONE_DOF, 'floating', 'planar'),
          'drake:joint': ('ball', 'screw', 'universal', 'curvilinear', 'planar')}
"""Elements to the types of joints that they can be."""

_FREEDOM = {'fixed': 0, **dict.fromkeys((*ONE_DOF, 'screw', 'curvilinear'), 1), 'universal': 2,
            'planar': 3, 'ball': 3}
"""Types of joints to their degrees of freedom."""

_BODIES = ('body_A', 'p_AP', 'body_B', 'p_BQ')

_CONSTRAINTS = {
    f'drake:{tag}': [f'drake:{prefix}_{part}' for part in parts] for tag, prefix, parts in (
        ('ball_constraint', 'ball_constraint', _BODIES),
        ('linear_bushing_rpy', 'bushing', (
            'frameA', 'frameC', 'torque_stiffness', 'torque_damping', 'force_stiffness',
            'force_damping')),
        ('linear_spring_damper', 'linear_spring_damper', (
            *_BODIES, 'free_length', 'stiffness', 'damping')))}
"""Constraints and forces to the children that they must have."""

_UNLIMITED = {'lower': -inf, 'upper': inf, 'velocity': inf, 'effort': inf}


class DrakeModel(ShapeReader):
    """
    The plant that Drake builds from a description, even one that it refuses.

    :ivar links: each name to its ``<link>``.
    :ivar names: the names of frames.
    :ivar shapes: the formats of visual and collision shapes.
    :ivar joints: the joints of the plant.
    :ivar floating: the joints that leave their child free.
    :ivar mimic: the number of joints that follow another one.
    :ivar actuators: the names of actuators.
    :ivar drivers: each joint with an actuator to the number of them.
    """

    def __init__(self, root: Element, context: Context):
        super().__init__(context)
        self.links: dict[str, Element] = {}
        self.inertias: dict[str, SpatialInertia] = {}
        self.shapes: dict[str, Counter[str]] = {'visual': Counter(), 'collision': Counter()}
        self.names: set[str] = set()
        self.joints: dict[str, ReadJoint] = {}
        self.floating: list[ReadJoint] = []
        self.mimic = 0
        self.actuators: set[str] = set()
        self.drivers: Counter[str] = Counter()
        if root.tag == 'robot':
            self._read(root)
        else:
            self.refuse(root, 'The outermost element is {element}, not <robot>')

    def _read(self, root: Element) -> None:
        name = self.required(root, 'name', 'name')
        if name in _TAKEN:
            self.refuse(root, 'Drake cannot name a robot {name}', attribute='name')
        for material in root.findall_tag('material'):
            self.material(material, is_global=True)
        for link in root.findall_tag('link'):
            self._link(link)
        joints = [child for child in root if child.tag in _TYPES]
        for joint in joints:
            self._joint(joint)
        self.mimic = sum(map(self._couples, joints))
        for transmission in root.findall_tag('transmission'):
            self._transmission(transmission)
        for loop in root.findall_tag('loop_joint'):
            self.refuse(loop, 'Drake has no loop joints')
        for frame in root.findall_tag('frame'):
            self.required(frame, 'link', 'element')
            if name := self.required(frame, 'name', 'element'):
                self.claim(self.names, name, frame)
        for element in root:
            for tag in _CONSTRAINTS.get(element.tag, ()):
                self.require(element, tag, 'element')
            if element.tag == 'drake:collision_filter_group':
                self.has_all(element, ('name',), 'name')
        in_trees = {joint.name for _, _, joint in self.tree}
        for name, read in self.joints.items():
            if name not in in_trees:
                self.refuse(read.element, '{joint} closes a loop of joints')

    @cached_property
    def tree(self) -> list[tuple[str, str, ReadJoint]]:
        """The joints, each with its link nearer to the world or to a free base, and the other."""
        around = grouped((link, joint) for joint in self.joints.values()
                         for link in (joint.parent, joint.child))
        moved = {joint.child for joint in self.joints.values()}
        found: set[str] = set()
        tree = []
        for base in (WORLD, *(name for name in self.links if name not in moved), *self.links):
            reached = [] if base in found else [base]
            found.update(reached)
            for inner in reached:
                for joint in around.get(inner, ()):
                    outer = joint.child if joint.parent == inner else joint.parent
                    if outer not in found:
                        found.add(outer)
                        reached.append(outer)
                        tree.append((inner, outer, joint))
        return tree

    @cached_property
    def frames(self) -> dict[str, Array]:
        """Homogeneous matrix of each link in the world, with joints at zero."""
        frames: defaultdict[str, Array] = defaultdict(lambda: np.eye(4))
        for inner, outer, joint in self.tree:
            frames[outer] = frames[inner] @ (
                joint.pose if joint.child == outer else np.linalg.inv(joint.pose))
        return frames

    @property
    def bases(self) -> list[str]:
        """The links that no joint connects with the world or with an earlier link."""
        inner = {outer for _, outer, _ in self.tree}
        return [name for name in self.links if name != WORLD and name not in inner]

    @property
    def is_fixed(self) -> bool:
        """Return whether the root link is fixed to the world."""
        moved = {joint.child for joint in (*self.joints.values(), *self.floating)}
        return next((name for name in self.links if name not in moved), WORLD) not in self.bases

    @property
    def parts(self) -> Parts:
        """The parts of the plant."""
        moving = [joint for joint in self.joints.values() if joint.type != 'fixed']
        return Parts(
            links=len(self.links) - (WORLD in self.links), moving_joints=len(moving),
            fixed_joints=len(self.joints) - len(moving), mimic=self.mimic,
            body=body_at_zero({name: inertia for name, inertia in self.inertias.items()
                               if inertia.mass}, self.frames),
            position_limits=sum(
                isfinite(joint.lower) and isfinite(joint.upper) for joint in moving),
            velocity_limits=sum(isfinite(joint.velocity) for joint in moving),
            effort_limits=sum(
                n for name, n in self.drivers.items() if isfinite(self.joints[name].effort)),
            damping=sum(joint.damping != 0 for joint in moving),
            actuators=sum(self.drivers.values()), visuals=self.shapes['visual'],
            collisions=self.shapes['collision'])

    def _link(self, link: Element) -> None:
        name = link.get('name')
        if not name or name in self.links and name != WORLD:
            self.refuse(
                link, '{element} has no name' if not name else 'Two links have the name {name}',
                of='name', attribute='name')
            return
        self.links[name] = link
        self.names.add(name)
        inertial = link.find_tag('inertial')
        if inertial is not None and name != WORLD:
            self.inertias[name] = self._inertia(link, inertial)
        elif inertial is not None:
            written = inertial.find_tag('mass')
            mass = numbers('' if written is None else written.get('value', '')) or (0.0,)
            self.losses.note('mass', Impact.DROPS, inertial, '{link} is the world of Drake, and '
                             'has no mass there', mass=-mass[0])
        for tag, formats in self.shapes.items():
            for shape in link.findall_tag(tag):
                found = self.format(shape)
                if found is not None:
                    formats[found] += 1
                    for material in shape.findall_tag('material')[:tag == 'visual']:
                        self.material(material, is_global=False)

    def _inertia(self, link: Element, inertial: Element) -> SpatialInertia:
        pose = self.pose(inertial)
        written, inertia = inertial.find_tag('mass'), inertial.find_tag('inertia')
        mass = self.number(written, 'value')
        entries: dict[str, Any] = {name: self.number(inertia, name) for name in INERTIA}
        matrix = Inertial(mass, **entries).matrix
        if mass == 0 and not matrix.any():
            return SpatialInertia.zero()
        ball = mass if mass > 0 else 1.0
        moment = 0.4 * ball * cbrt(3 * ball / (4 * pi * _DENSITY)) ** 2
        if not isfinite(moment):
            self.refuse(inertial, 'The mass of {element} is too large')
            return SpatialInertia.zero()
        with np.errstate(all='ignore'):
            if mass > 0 and _is_valid(matrix) and _is_valid(matrix / mass):
                return SpatialInertia(
                    mass, np.array(pose.xyz), pose.rotation @ matrix @ pose.rotation.T)
        where = inertia if mass > 0 else written
        self.losses.note('inertia', Impact.CHANGES, inertial if where is None else where, 'The '
                         'inertia of {link} is invalid, and becomes that of a ball of water of '
                         '{kept:.6g} kg', kept=ball, mass=ball - mass)
        return SpatialInertia(ball, np.array(pose.xyz), moment * np.eye(3))

    def _joint(self, element: Element) -> None:
        refused = len(self.refusals)
        name, joint_type = (self.required(element, each, each) for each in ('name', 'type'))
        ends = [self.require(element, tag, 'structure') for tag in ('parent', 'child')]
        links = [self.required(end, 'link', 'structure') for end in ends]
        if '' in (name, joint_type, *links):
            self.losses.note('joint', Impact.DROPS, element, '{joint} is dropped, as its name, '
                             'type, parent or child is empty')
            return
        for role, end, link in zip(('parent', 'child'), ends, links):
            if end is not None and link and link != WORLD and link not in self.links:
                self.refuse(end, 'Link {link} of {joint} does not exist', attribute='link',
                            brief=f'{role} link missing', link=Name(link))
        if joint_type and joint_type not in _TYPES[element.tag]:
            self.refuse(element, 'Drake has no <{tag}> of type {text}', attribute='type')
        if refused < len(self.refusals):
            return
        joint = self._read_joint(element)
        joint.pose = self.pose(element).matrix
        if joint.type == 'floating':
            self.floating.append(joint)
        elif joint.name in self.joints:
            self.refuse(element, 'Two joints have the name {name}', attribute='name')
        else:
            self.joints[joint.name] = joint
            self.claim(self.names, f'{joint.name}_parent', element)

    def _read_joint(self, element: Element) -> ReadJoint:
        kind, dynamics, limit = (element.attrib['type'], element.find_tag('dynamics'),
                                 element.find_tag('limit'))
        joint = ReadJoint(element.attrib['name'], kind, element,
                          parent=element.child('parent').attrib['link'],
                          child=element.child('child').attrib['link'])
        if kind in ('fixed', 'floating'):
            return joint
        axis = element.find_tag('axis')
        if axis is not None and hypot(*self.numbers(axis, 'xyz', (1.0, 0.0, 0.0))) < 1e-8:
            self.refuse(axis, 'The axis of {joint} is zero', of='axis')
        damping = self.numbers(dynamics, 'damping', (0.0,) * (3 if kind == 'planar' else 1))
        self._check_sign(dynamics, 'damping', min(damping))
        joint.damping = max(damping)
        if kind not in ONE_DOF:
            return joint
        joint.friction = self.number(dynamics, 'friction')
        joint.lower, joint.upper, joint.velocity, joint.effort = (
            self.number(limit, name, default) for name, default in _UNLIMITED.items())
        self._check_sign(limit, 'velocity', joint.velocity)
        if limit is not None and joint.lower > joint.upper:
            self.refuse(limit, 'The lower limit of {joint} is {lower:g}, above {upper:g}',
                        impact=Impact.CRASHES, lower=joint.lower, upper=joint.upper)
        return joint

    def _check_sign(self, element: Element | None, name: str, value: float) -> None:
        if element is not None and value < 0:
            self.refuse(element, '{attribute}={value:g} of {element} is negative', of=element.tag,
                        impact=Impact.CRASHES if name == 'velocity' else Impact.REFUSES,
                        attribute=name, value=value, brief=f'negative {name}')

    def _couples(self, element: Element) -> bool:
        mimic = element.find_tag('mimic')
        followed = self.required(mimic, 'joint', 'mimic')
        if mimic is None or followed is None:
            return False
        joint, leader = (self.joints.get(name) for name in (element.get('name', ''), followed))
        for name in ('multiplier', 'offset'):
            self.number(mimic, name, 1.0)
        if leader is None or leader is joint or (
                joint is not None and _FREEDOM[joint.type] != _FREEDOM[leader.type]):
            self.refuse(mimic, '{joint} cannot follow {leader}, which is not another joint with '
                        'as many degrees of freedom', attribute='joint', leader=Name(followed))
            return False
        return joint is not None and _FREEDOM[joint.type] == 1

    def _transmission(self, element: Element) -> None:
        for ratio in element.iter('mechanicalReduction'):
            if ratio.text and numbers(ratio.text) != (1.0,):
                self.losses.note('transmission', Impact.IGNORES, ratio, '{element} is ignored',
                                 hint='Write <drake:gear_ratio value=""/> in <actuator>')
        written = element.find_tag('type')
        where = element if written is None else written
        text = element.get('type') if written is None else (written.text or '').strip() or None
        if text is None:
            self.refuse(where, '{transmission} has no type', of='transmission',
                        impact=Impact.REFUSES if written is None else Impact.CRASHES)
        elif 'SimpleTransmission' not in text:
            self.losses.note('transmission', Impact.IGNORES, where,
                             '{transmission} is ignored, as it is not simple')
        else:
            actuator, joint = (self.require(element, tag, 'transmission') for tag in (
                'actuator', 'joint'))
            names = [self.required(each, 'name', 'transmission') for each in (actuator, joint)]
            if actuator is not None and joint is not None and None not in names:
                self._actuate(element, actuator, joint)

    def _actuate(self, element: Element, actuator: Element, joint: Element) -> None:
        driven = self.joints.get(joint.attrib['name'])
        if driven is None or _FREEDOM[driven.type] > 1:
            self.refuse(joint, '{transmission} drives joint {joint}, which does not exist, or is '
                        'floating or planar', attribute='name', joint=Name(joint.attrib['name']))
        elif driven.effort < 0:
            self.refuse(driven.element.child('limit'), 'The effort limit of {joint} is negative, '
                        'and {transmission} drives it', attribute='effort', transmission=element)
        elif driven.type != 'fixed' and driven.effort:
            self.claim(self.actuators, actuator.attrib['name'], actuator)
            self.drivers[driven.name] += 1


def _is_valid(matrix: Array) -> bool:
    """Return whether an inertia is valid for a body, as in ``rotational_inertia.cc``."""
    if not np.isfinite(matrix).all():
        return False
    low, middle, high = np.linalg.eigvalsh(matrix)
    tolerance = _PRECISION * max(1.0, float((np.diagonal(matrix) / 2).sum()))
    return bool(low + tolerance >= 0 and low + middle + tolerance >= high)
