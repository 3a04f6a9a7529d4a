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
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from math import cbrt
from math import inf
from math import isfinite
from math import pi

import numpy as np

from urdf_tools.findings.message import Name
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.drake.drake_attributes import Attributes
from urdf_tools.programs.drake.drake_extensions import check_extensions
from urdf_tools.programs.drake.drake_shapes import ShapeReader
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts

_DENSITY = 1000.0
"""Of the ball in kg/m^3 whose inertia replaces an invalid one."""

_PRECISION = 16 * float(np.finfo(float).eps)

_TAKEN = ('', '::', 'DefaultModelInstance', 'WorldModelInstance')

_FREEDOM = {'fixed': 0, 'planar': 3, 'ball': 3, 'universal': 2}
"""Types of joints that have not one degree of freedom, to how many they have."""

_OF_DRAKE = ('ball', 'screw', 'universal', 'curvilinear')
"""The types of a ``<drake:joint>``, which may be planar, too."""

_REVERSIBLE = ('fixed', *ONE_DOF)


class DrakeModel:
    """
    The plant that Drake makes of a description, also of one that it refuses.

    :ivar element: the outermost element.
    :ivar reader: what it refuses and misreads.
    :ivar links: each name to its ``<link>``.
    :ivar names: the names of frames.
    :ivar replaced: the links whose inertia is replaced, as it is invalid.
    :ivar joints: the joints of the plant.
    :ivar floating: the joints that leave their child free.
    :ivar skipped: the joints that are left out without a word.
    :ivar drivers: each joint with an actuator to the number of them.
    """

    def __init__(self, root: Element, context: Context):
        self.element = root
        self.reader = Attributes()
        self.links: dict[str, Element] = {}
        self.replaced: set[str] = set()
        self.inertias: dict[str, SpatialInertia] = {}
        self.visuals: Counter[str] = Counter()
        self.collisions: Counter[str] = Counter()
        self.names: set[str] = set()
        self.joints: dict[str, ReadJoint] = {}
        self.floating: list[ReadJoint] = []
        self.skipped: list[Element] = []
        self.drivers: Counter[str] = Counter()
        self.children: defaultdict[str, list[Element]] = defaultdict(list)
        self._read(root, ShapeReader(self.reader, context))

    def _read(self, root: Element, shapes: ShapeReader) -> None:
        if root.tag != 'robot':
            self.reader.refuse(root, 'The outermost element is {element}, not <robot>', of='xml',
                               brief='no <robot>')
            return
        for child in root:
            self.children[child.tag].append(child)
        name = self.reader.required(root, 'name', 'name')
        if name in _TAKEN:
            note = self.reader.refuse if name in _TAKEN[2:] else self.reader.crash
            note(root, 'Drake cannot name a robot {name}', of='name', attribute='name',
                 name=Name(name))
        for material in self.children['material']:
            shapes.material(material, is_global=True)
        for link in self.children['link']:
            self._link(link, shapes)
        joints = [child for child in root if child.tag in ('joint', 'drake:joint')]
        for joint in joints:
            self._joint(joint)
        self.mimic = sum(map(self._couples, joints))
        names: set[str] = set()
        for transmission in self.children['transmission']:
            self._transmission(transmission, names)
        for loop in self.children['loop_joint']:
            self.reader.refuse(loop, 'Drake has no loop joints', of='loop',
                               hint='Write a <drake:ball_constraint> in its place')
        check_extensions(self.reader, root, self.links, self.names)
        self._check_loops()

    @cached_property
    def tree(self) -> list[tuple[str, str, ReadJoint]]:
        """The joints with the link nearer to the world, or to a free base, and the other one."""
        around: defaultdict[str, list[ReadJoint]] = defaultdict(list)
        for joint in self.joints.values():
            around[joint.parent].append(joint)
            around[joint.child].append(joint)
        moved = {joint.child for joint in self.joints.values()}
        found: set[str] = set()
        tree = []
        for base in (WORLD, *(name for name in self.links if name not in moved), *self.links):
            reached = [] if base in found else [base]
            found.update(reached)
            for inner in reached:
                for joint in around[inner]:
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
            pose = Attributes().pose(joint.element).matrix
            frames[outer] = frames[inner] @ (
                pose if joint.child == outer else np.linalg.inv(pose))
        return frames

    @property
    def bases(self) -> list[str]:
        """The links that no joint connects with the world or with an earlier link."""
        inner = {outer for _, outer, _ in self.tree}
        return [name for name in self.links if name != WORLD and name not in inner]

    @property
    def is_fixed(self) -> bool:
        """Return whether the root link is fixed to the world."""
        joints = (*self.joints.values(), *self.floating)
        moved = {joint.child for joint in joints}
        root = next((name for name in self.links if name not in moved), WORLD)
        return root not in self.bases

    @property
    def parts(self) -> Parts:
        """What the plant consists of."""
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
            actuators=sum(self.drivers.values()), visuals=dict(sorted(self.visuals.items())),
            collisions=dict(sorted(self.collisions.items())))

    def _link(self, link: Element, shapes: ShapeReader) -> None:
        if link.get('drake_ignore') == 'true':
            return
        name = link.get('name')
        if not name or name in self.links and name != WORLD:
            self.reader.refuse(
                link, '{element} has no name' if not name else 'Two links have the name {name}',
                of='name', attribute='name', name=Name(name or ''))
            return
        self.links[name] = link
        self.names.add(name)
        inertial = link.find_tag('inertial')
        if inertial is not None and name != WORLD:
            self.inertias[name] = self._inertia(name, inertial)
        for visual in link.findall_tag('visual'):
            found = shapes.format(visual, name)
            if found is not None:
                self.visuals[found] += 1
                for material in visual.findall_tag('material')[:1]:
                    shapes.material(material, is_global=False)
        self.collisions.update(filter(None, (
            shapes.format(shape, name) for shape in link.findall_tag('collision'))))

    def _inertia(self, name: str, inertial: Element) -> SpatialInertia:
        pose = self.reader.pose(inertial)
        written = inertial.find_tag('mass')
        mass = self.reader.scalar(written, 'value', 0.0)
        inertia = inertial.find_tag('inertia')
        xx, xy, xz, yy, yz, zz = (self.reader.scalar(inertia, axes, 0.0) for axes in (
            'ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'))
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if mass == 0 and not matrix.any():
            return SpatialInertia.zero()
        ball = mass if mass > 0 else 1.0
        moment = 0.4 * ball * cbrt(3 * ball / (4 * pi * _DENSITY)) ** 2
        if not isfinite(moment):
            self.reader.refuse(inertial if written is None else written,
                               'The mass of {element} is too large', of='mass', attribute='value')
            return SpatialInertia.zero()
        with np.errstate(all='ignore'):
            if mass > 0 and _is_valid(matrix) and _is_valid(matrix / mass):
                return SpatialInertia(
                    mass, np.array(pose.xyz), pose.rotation @ matrix @ pose.rotation.T)
        self.replaced.add(name)
        return SpatialInertia(ball, np.array(pose.xyz), moment * np.eye(3))

    def _joint(self, element: Element) -> None:
        if element.get('drake_ignore') == 'true':
            return
        refused = len(self.reader.refusals)
        ends = [self.reader.require(element, tag, 'structure') for tag in ('parent', 'child')]
        texts = [self.reader.required(element, 'name', 'name'),
                 self.reader.required(element, 'type', 'type'),
                 *(self.reader.required(end, 'link', 'structure') for end in ends)]
        name, joint_type, parent, child = (text or '' for text in texts)
        if '' in texts:
            self.skipped.append(element)
            return
        if refused < len(self.reader.refusals):
            return
        for end, link in zip(ends, (parent, child)):
            if end is not None and link != WORLD and link not in self.links:
                self.reader.refuse(
                    end, 'Link {link} of {joint} does not exist', of='structure',
                    attribute='link', brief='link does not exist', link=Name(link), joint=element)
        self._check_type(element, joint_type)
        if refused < len(self.reader.refusals):
            return
        self.reader.pose(element)
        joint = self._read_joint(name, joint_type, element)
        joint.parent, joint.child = parent, child
        if joint_type == 'floating':
            self.floating.append(joint)
        elif name in self.joints:
            self.reader.refuse(element, 'Two joints have the name {name}', of='name',
                               attribute='name', name=Name(name), hint='Rename one of them')
        else:
            self.joints[name] = joint
            for frame in ('parent', *(['child'] if joint_type == 'planar' else [])):
                self.reader.claim(self.names, f'{name}_{frame}', element)

    def _check_type(self, element: Element, joint_type: str) -> None:
        is_own = element.tag == 'drake:joint'
        if joint_type not in (*_REVERSIBLE, *_OF_DRAKE, 'floating', 'planar'):
            self.reader.refuse(element, 'Drake has no joints of type {type}', of='type',
                               attribute='type', type=Name(joint_type))
        elif joint_type != 'planar' and is_own != (joint_type in _OF_DRAKE):
            self.reader.refuse(
                element, 'A joint of type {type} is no <{tag}>', of='type', attribute='type',
                type=joint_type, tag=element.tag,
                hint=f'Write <{"joint" if is_own else "drake:joint"}>')

    def _read_joint(self, name: str, joint_type: str, element: Element) -> ReadJoint:
        axis = element.find_tag('axis')
        if axis is not None and joint_type not in ('fixed', 'floating', 'ball'):
            with np.errstate(over='ignore'):
                length = np.linalg.norm(self.reader.vector(axis, 'xyz', (1.0, 0.0, 0.0)))
            if not 1e-8 <= length < inf:
                self.reader.refuse(axis, 'The axis of {joint} is {fault}', of='axis',
                                   joint=element, fault='zero' if length < 1 else 'too long')
        if joint_type in ('screw', 'curvilinear'):
            self.reader.require(element, 'drake:screw_thread_pitch' if joint_type == 'screw' else (
                'drake:curves'), 'element')
        if joint_type in ('fixed', 'floating'):
            return ReadJoint(name, joint_type, element)
        dynamics = element.find_tag('dynamics')
        if joint_type == 'planar':
            dampings = self.reader.vector(dynamics, 'damping', (0.0, 0.0, 0.0))
            self._check_sign(dynamics, 'damping', min(dampings), 'dynamics', self.reader.crash)
            return ReadJoint(name, joint_type, element, damping=max(dampings))
        damping, _, _ = (self.reader.scalar(dynamics, each, 0.0) for each in (
            'damping', 'friction', 'coulomb_window'))
        self._check_sign(dynamics, 'damping', damping, 'dynamics', self.reader.crash if (
            joint_type in ('ball', 'universal')) else self.reader.refuse)
        if joint_type in _OF_DRAKE:
            return ReadJoint(name, joint_type, element, damping=damping)
        limit = element.find_tag('limit')
        values = {each: self.reader.scalar(limit, each, default) for each, default in (
            ('lower', -inf), ('upper', inf), ('velocity', inf), ('drake:acceleration', inf),
            ('effort', inf))}
        if limit is not None and values['lower'] > values['upper']:
            self.reader.crash(
                limit, 'The lower limit of {joint} is {lower:g}, above {upper:g}', of='limit',
                joint=element, lower=values['lower'], upper=values['upper'],
                hint='Swap lower and upper')
        for each in ('velocity', 'drake:acceleration'):
            self._check_sign(limit, each, values[each], 'limit', self.reader.crash)
        return ReadJoint(name, joint_type, element, values['lower'], values['upper'],
                         values['velocity'], values['effort'], damping)

    def _check_sign(
            self, element: Element | None, name: str, value: float, of: str,
            note: Callable[..., None]) -> None:
        if element is not None and value < 0:
            note(element, '{attribute}={value:g} of {element} is negative', of=of,
                 attribute=name, value=value, brief=f'negative {name.removeprefix("drake:")}')

    def _couples(self, element: Element) -> bool:
        mimic = element.find_tag('mimic')
        if mimic is None:
            return False
        names = element.get('name', ''), self.reader.required(mimic, 'joint', 'mimic')
        joint, leader = (self.joints.get(name or '') for name in names)
        if leader is None or leader is joint:
            if names[1] is not None:
                self.reader.refuse(
                    mimic, '{joint} cannot follow {leader}', of='mimic', attribute='joint',
                    brief='mimic of no other joint', joint=element, leader=Name(names[1]),
                    hint='Remove the <mimic>')
            return False
        self.reader.scalar(mimic, 'multiplier', 1.0)
        self.reader.scalar(mimic, 'offset', 0.0)
        if joint is not None and _freedom(joint) != _freedom(leader):
            self.reader.refuse(
                mimic, '{joint} of type {type} cannot follow {leader} of type {other}', of='mimic',
                joint=element, type=joint.type, leader=leader.element, other=leader.type,
                hint='Remove the <mimic>')
        return joint is not None and _freedom(joint) == _freedom(leader) == 1

    def _transmission(self, element: Element, names: set[str]) -> None:
        written = element.find_tag('type')
        text = element.get('type') if written is None else text_of(written)
        hint = 'Write <type>transmission_interface/SimpleTransmission</type>'
        if written is not None and not text:
            self.reader.crash(written, 'The <type> of {transmission} is empty', hint=hint,
                              of='transmission', transmission=element, brief='empty <type>')
        elif text is None:
            self.reader.refuse(element, '{element} has no type', hint, of='transmission')
        elif 'SimpleTransmission' in text:
            actuator, joint = (self.reader.require(element, tag, 'transmission') for tag in (
                'actuator', 'joint'))
            if None not in [self.reader.required(each, 'name', 'transmission')
                            for each in (actuator, joint)]:
                assert actuator is not None and joint is not None
                self._actuate(element, actuator, joint, names)

    def _actuate(
            self, element: Element, actuator: Element, joint: Element, names: set[str]) -> None:
        name, driven = actuator.attrib['name'], self.joints.get(joint.attrib['name'])
        if driven is None:
            self.reader.refuse(
                joint, '{transmission} drives joint {joint}, which does not exist or is floating',
                of='transmission', attribute='name', transmission=element,
                joint=Name(joint.attrib['name']), brief='transmission of no joint')
        elif driven.type == 'fixed' or driven.effort == 0:
            return
        elif driven.effort < 0:
            self.reader.refuse(
                driven.element.child('limit'), 'The effort limit of {joint} is negative, and '
                '{transmission} drives it', of='limit', attribute='effort', joint=driven.element,
                transmission=element, brief='negative effort')
        elif _freedom(driven) != 1:
            self.reader.refuse(joint, '{transmission} drives {joint}, which is {type}',
                               of='transmission', transmission=element, joint=driven.element,
                               type=driven.type, brief='actuator of a planar joint')
        else:
            self.reader.claim(names, name, actuator)
            self.drivers[driven.name] += 1

    def _check_loops(self) -> None:
        """Check that joints, whichever way they point, are trees, with few of them reversed."""
        in_trees = {id(joint): outer for _, outer, joint in self.tree}
        for joint in self.joints.values():
            outer = in_trees.get(id(joint))
            if joint.parent == joint.child:
                self.reader.refuse(
                    joint.element, 'The parent of {joint} is its child, too', of='structure',
                    joint=joint.element, brief='parent is child')
            elif outer is None:
                self.reader.refuse(
                    joint.element, '{joint} closes a loop with other joints', of='structure',
                    joint=joint.element, brief='loop of joints',
                    hint='Write a <drake:ball_constraint> in its place')
            elif outer != joint.child and joint.type not in _REVERSIBLE:
                self.reader.refuse(
                    joint.element.child('child'), 'Drake reaches {child} first, and cannot '
                    'reverse {joint} of type {type}', of='structure', child=Name(joint.child),
                    joint=joint.element, type=joint.type, brief='reversed planar joint',
                    hint='Swap parent and child')


def text_of(element: Element) -> str | None:
    """Return the text that an element begins with; None if another element does, or none."""
    return element.text if element.text and not element.text.isspace() else None


def _freedom(joint: ReadJoint) -> int:
    return _FREEDOM.get(joint.type, 1)


def _is_valid(matrix: Array) -> bool:
    """Return whether a body can have an inertia, as ``rotational_inertia.cc`` decides."""
    if not np.isfinite(matrix).all():
        return False
    low, middle, high = np.linalg.eigvalsh(matrix)
    tolerance = _PRECISION * max(1.0, float((np.diagonal(matrix) / 2).sum()))
    return bool(low + tolerance >= 0 and low + middle + tolerance >= high)
