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

"""Joints of SDFormat as joints of URDF: one, several with links without mass, or a loop."""

from __future__ import annotations

import math
from typing import NamedTuple

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.formats.sdf.frames import Frame
from urdf_tools.formats.sdf.frames import Poses
from urdf_tools.formats.sdf.frames import text_of
from urdf_tools.formats.sdf.values import number
from urdf_tools.formats.urdf_tree import add_origin
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import pose_numbers
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.formats.urdf_tree import text_of_value
from urdf_tools.model.messages import quote
from urdf_tools.model.records import FAR
from urdf_tools.model.records import UNLIMITED
from urdf_tools.model.values import numbers_in
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

TYPES = tuple(TABLES['types of joints in SDF'])

_LOOPS = {**{name: name for name in TYPES[:5]}, 'revolute2': 'universal', 'ball': 'ball'}
"""Types of joints that can close a loop, as loops are written."""


class _Step(NamedTuple):
    """
    One of the joints of URDF that a joint becomes.

    :param type: its type in URDF.
    :param axis: its axis in the frame of the joint.
    :param element: its ``<axis>`` or ``<axis2>``, with limits and dynamics, or None.
    """

    type: str
    axis: Array | tuple[float, ...]
    element: Element | None


class JointWriter:
    """
    Writes joints.

    :param robot: the ``<robot>`` that gets them.
    :param poses: the poses of the frames.
    """

    def __init__(self, robot: Node, poses: Poses, losses: Losses):
        self._robot = robot
        self._poses = poses
        self._losses = losses

    def add(self, joint: Frame, parent: str, child: str, origin: Array) -> None:
        """
        Add a joint of the tree, with the links between the joints that it becomes.

        :param origin: its pose in the frame of the parent link.
        :raises DescriptionError: it has no type, or a value in it cannot be read.
        """
        element, kind = joint.element, type_of(joint)
        steps = self._steps(joint, kind)
        if len(steps) > 1:
            self._losses.note(
                'joint', Impact.CHANGES, element, '{joint} is a {kind} joint, which URDF does not '
                'have, and becomes {n} joints with links without mass between them', kind=kind,
                n=len(steps), is_harmless=kind != 'ball')
        for index, step in enumerate(steps):
            is_last = index == len(steps) - 1
            name = joint.name + axis_suffix(index)
            between = child if is_last else f'{joint.name}::link{index + 1}'
            if not is_last:
                self._robot.add('link', element, name=between)
            node = self._robot.add('joint', element, name=name, type=step.type)
            node.add('parent', element.find('parent'), link=parent)
            node.add('child', element.find('child'), link=between)
            if index == 0:
                add_origin(node, origin, element.find('pose'))
            if step.type not in ('fixed', 'floating'):
                node.add('axis', step.element, xyz=step.axis)
            self._add_motion(node, step, joint)
            if kind == 'screw' and is_last:
                node.add('mimic', element, joint=joint.name,
                         multiplier=_pitch(element) / (2 * math.pi))
            parent = between
        self._note_unused(element)

    def add_loop(self, joint: Frame, parent: str, child: str, placed: Array) -> None:
        """
        Add a joint that closes a loop, as a joint of Gazebo, or the coupling of a gearbox.

        :param placed: its pose in the frame of the child link.
        """
        element, kind = joint.element, type_of(joint)
        if kind == 'gearbox':
            # theta_2 = -gearbox_ratio * theta_1.
            coupling = self._robot.add('coupling', element, name=joint.name)
            coupling.add('predecessor', element.find('parent'), link=parent)
            coupling.add('successor', element.find('child'), link=child)
            coupling.add('ratio', element.find('gearbox_ratio'),
                         value=-number(element, 'gearbox_ratio', 1.0))
            return
        if kind not in _LOOPS:
            self._losses.note('loop', Impact.DROPS, element, 'The loop that {joint} closes, of '
                              'type {kind}, is dropped', kind=kind)
            return
        node = self._robot.add('gazebo', element).add(
            'joint', element, name=joint.name, type=_LOOPS[kind])
        node.add('parent', element.find('parent')).text = parent
        node.add('child', element.find('child')).text = child
        node.add('pose', element.find('pose')).text = text_of_value(pose_numbers(placed))
        for index, step in enumerate(self._steps(joint, kind)[:2]):
            if kind in ('fixed', 'ball'):
                break
            axis = node.add('axis' if index == 0 else 'axis2', step.element)
            axis.add('xyz').text = text_of_value(step.axis)
        self._note_unused(element)

    def _steps(self, joint: Frame, kind: str) -> list[_Step]:
        element = joint.element
        if kind in ('fixed', 'gearbox'):
            return [_Step('fixed' if kind == 'fixed' else 'floating', (), None)]
        if kind == 'ball':
            return [_Step('continuous', axis, None) for axis in (
                (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
        first = element.find('axis')
        if first is None:
            raise element.error(f'Joint {quote(joint.name)} has no <axis>')
        axis = self._axis(first, joint)
        if kind == 'screw':
            return [_Step('revolute', axis, first), _Step('prismatic', axis, None)]
        steps = [_Step('prismatic' if kind == 'prismatic' else kind if kind == 'continuous' else
                       'revolute', axis, first)]
        if kind in ('universal', 'revolute2'):
            second = element.find('axis2')
            # Without one, its default in SDFormat is z.
            axis = (0.0, 0.0, 1.0) if second is None else self._axis(second, joint)
            steps.append(_Step('revolute', axis, second))
        return steps

    def _axis(self, axis: Element, joint: Frame) -> Array | tuple[float, ...]:
        """Return a unit vector, or as it is written, in the frame of the joint."""
        xyz = axis.find('xyz')
        vector = (0.0, 0.0, 1.0) if xyz is None else numbers_in(xyz, 3)
        if not any(vector):
            raise axis.error('The axis is zero')
        scope = joint.scope
        assert scope is not None, 'a joint is in a model'
        of_model = scope.version < (1, 5) or scope.version < (1, 7) and text_of(
            axis, 'use_parent_model_frame').lower() in ('1', 'true')
        name = '__model__' if of_model else '' if xyz is None else xyz.get('expressed_in', '')
        if not name:
            return vector
        turned: Array = self._poses.relative(scope.find(name, axis), joint)[:3, :3] @ vector
        return turned

    def _add_motion(self, node: Node, step: _Step, joint: Frame) -> None:
        """Add limits, dynamics and mimic to a joint of URDF."""
        axis = step.element
        limit = None if axis is None else axis.find('limit')
        lower, upper, effort, velocity = _limits(limit)
        if step.type == 'revolute' and min(-lower, upper) >= FAR:
            node.set('type', 'continuous')
        if node.get('type') in ('revolute', 'prismatic'):
            node.add('limit', limit, lower=lower, upper=upper, effort=effort, velocity=velocity)
        elif node.get('type') == 'continuous' and min(effort, velocity) < UNLIMITED:
            node.add('limit', limit, effort=effort, velocity=velocity)
        if axis is None:
            return
        dynamics = axis.find('dynamics')
        if dynamics is not None:
            values = {name: number(dynamics, name, 0.0) for name in ('damping', 'friction')}
            if any(values.values()):
                node.add('dynamics', dynamics, **values)
            spring = {name: number(dynamics, f'spring_{name}', 0.0)
                      for name in ('reference', 'stiffness')}
            if any(spring.values()):
                extension = self._robot.add('gazebo', dynamics, reference=node.get('name', ''))
                for name, value in spring.items():
                    extension.add(f'spring{name.capitalize()}').text = text_of_value(value)
        mimic = axis.find('mimic')
        if mimic is not None:
            self._add_mimic(node, mimic, joint)

    def _add_mimic(self, node: Node, mimic: Element, joint: Frame) -> None:
        assert joint.scope is not None, 'a joint is in a model'
        leader = joint.scope.find(mimic.get('joint', ''), mimic)
        multiplier = number(mimic, 'multiplier', 0.0)
        offset = number(mimic, 'offset', 0.0) - multiplier * number(mimic, 'reference', 0.0)
        node.add('mimic', mimic, joint=leader.name + axis_suffix(
            int(mimic.get('axis') == 'axis2')), multiplier=multiplier, offset=offset)

    def _note_unused(self, element: Element) -> None:
        for axis in (element.find('axis'), element.find('axis2')):
            for tag in ('stiffness', 'dissipation'):
                found = None if axis is None else axis.find(f'limit/{tag}')
                if found is not None:
                    self._losses.note('limit', Impact.IGNORES, found, '{element} of the limit is '
                                      'left out: bounds of URDF are hard', is_harmless=True)
        for child in element:
            if child.tag in ('sensor', 'plugin'):
                self._robot.add('gazebo', child, reference=element.get('name', '')).add_copy(child)
            elif child.tag == 'physics':
                self._losses.note('element', Impact.IGNORES, child, '{element} is left out: URDF '
                                  'has no settings of physics engines', is_harmless=True)


def type_of(joint: Frame) -> str:
    """
    Return the type of a joint.

    :raises DescriptionError: SDFormat has no such type.
    """
    text = joint.element.get('type', '').lower()
    if text not in TYPES:
        raise joint.element.error(f'Joint {quote(joint.name)} has the unknown type {quote(text)}',
                                  f'The types of SDFormat are {", ".join(TYPES)}')
    return text


def axis_suffix(index: int) -> str:
    """Return what the name of one of the joints that a joint becomes ends with."""
    return '' if index == 0 else f'::axis{index + 1}'


def _pitch(element: Element) -> float:
    """Return the metres that a screw moves in a turn."""
    if element.find('screw_thread_pitch') is not None or element.find('thread_pitch') is None:
        return number(element, 'screw_thread_pitch', 1.0)
    return -2 * math.pi / number(element, 'thread_pitch', 1.0)


def _limits(limit: Element | None) -> tuple[float, float, float, float]:
    """Return bounds, effort and velocity of a ``<limit>``; 1e16 where there is none."""
    if limit is None:
        return -UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED
    effort, velocity = (
        value if 0 <= value < UNLIMITED else UNLIMITED
        for value in (number(limit, name, -1.0) for name in ('effort', 'velocity')))
    return (max(number(limit, 'lower', -UNLIMITED), -UNLIMITED),
            min(number(limit, 'upper', UNLIMITED), UNLIMITED), effort, velocity)
