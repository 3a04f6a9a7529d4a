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

"""What is beside the bodies of MJCF: actuators, equalities, and all that URDF cannot say."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Container
from collections.abc import Mapping

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.formats.mjcf.bodies import Body
from urdf_tools.formats.mjcf.bodies import Instance
from urdf_tools.formats.mjcf.geoms import ends_pose
from urdf_tools.formats.mjcf.links import LinkWriter
from urdf_tools.formats.mjcf.links import reference_of
from urdf_tools.formats.mjcf.models import Part
from urdf_tools.formats.urdf_tree import leave_out
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import pose_numbers
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.formats.urdf_tree import text_of_value
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.records import UNLIMITED
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

_READ: Collection[str] = TABLES['sections of MJCF that are read']
"""The sections that are read; what others are about is to what kind and whether it matters."""

_KINDS: Mapping[str, tuple[str, bool]] = TABLES['sections of MJCF that are left out']

_CONTROLLED: Mapping[str, str] = TABLES['what actuators of MJCF control']
"""Actuators to what they control, unless it is the effort."""

_OF_CONTACTS: Mapping[str, str] = TABLES['losses of contacts of MJCF']

_SHOWN_ASSETS = ('texture', 'hfield', 'skin')


def note_efforts(instance: Instance, writer: LinkWriter, losses: Losses) -> None:
    """
    Note the largest effort of each joint that actuators drive, and what they control of it.

    :raises DescriptionError: a value cannot be read.
    """
    for element in instance.model.sections('actuator'):
        part = instance.model.part(element, 'actuator')
        joint = instance.name(part.values.get('joint') or part.values.get('jointinparent'))
        if not joint:
            losses.note('actuator', Impact.DROPS, element, '{element} is left out: what it drives '
                        'is no joint')
            continue
        effort = abs(part.number('gear', 1.0)) * _largest(part)
        writer.efforts[joint] = min(writer.efforts.get(joint, 0.0) + effort, UNLIMITED)
        controlled = _controlled(part)
        writer.commands.setdefault(joint, {})[controlled] = None
        gains = ' '.join(f'{name}={value}' for name, value in sorted(part.values.items()))
        losses.note('actuator', Impact.IGNORES, element, '{element} is left out but for its '
                    'largest force: URDF has no gains and gears', value=FreeText(gains),
                    is_harmless=controlled == 'effort' and part.number('gear', 1.0) == 1)


def note_contacts(instance: Instance, writer: LinkWriter, losses: Losses) -> None:
    """Note the contact pairs of a model, whose geoms collide, and the pairs that it excludes."""
    for element in instance.model.sections('contact'):
        what = 'body' if element.tag == 'exclude' else 'geom'
        first, second = (instance.name(element.get(f'{what}{end}')) for end in (1, 2))
        if what == 'geom':
            writer.paired.update(filter(None, (first, second)))
        losses.note('collision', Impact.CHANGES, element, _OF_CONTACTS[what],
                    first=Name(first), second=Name(second))


def _controlled(part: Part) -> str:
    """Return what an actuator controls: the position, the velocity or the effort of a joint."""
    tag = part.element.tag
    if tag == 'general' and part.values.get('biastype') == 'affine':
        _, position, velocity, *_ = (*part.numbers('biasprm'), 0.0, 0.0, 0.0)
        tag = 'position' if position else 'velocity' if velocity else tag
    return _CONTROLLED.get(tag, 'effort')


def _largest(part: Part) -> float:
    """Return the largest force of an actuator at its own end."""
    if part.is_limited('forcelimited', 'forcerange'):
        return max(map(abs, part.numbers('forcerange', (), 2)))
    values = part.values
    is_motor = part.element.tag == 'motor' or part.element.tag == 'general' and (
        values.get('gaintype', 'fixed') == 'fixed' and values.get('biastype', 'none') == 'none'
        and values.get('dyntype', 'none') == 'none')
    if is_motor and part.is_limited('ctrllimited', 'ctrlrange'):
        gain = 1.0 if part.element.tag == 'motor' else part.number('gainprm', 1.0)
        return abs(gain) * max(map(abs, part.numbers('ctrlrange', (), 2)))
    return UNLIMITED


class EqualityWriter:
    """
    Writes equalities: of joints as mimic, of bodies as loops.

    :param world: the bodies, which the writer of links has written.
    """

    def __init__(self, robot: Node, world: Body, writer: LinkWriter, losses: Losses):
        self._robot = robot
        self._writer = writer
        self._losses = losses
        self._bodies: dict[str, Body] = {}
        self._sites: dict[str, tuple[Body, Part]] = {}
        self._poses: dict[Body, Array] = {}
        for body in world.walk():
            self._bodies[body.name] = body
            self._sites.update((site.name, (body, site)) for site in body.sites)
            self._poses[body] = body.pose if body.parent is None else (
                self._poses[body.parent] @ body.pose)
        self._written = {node.get('name') for node in robot if node.tag == 'link'}
        self._leaders: dict[str, str] = {}
        self.tendons_kept: set[Element] = set()
        self._is_moved = any(reference_of(joint) for joint, _ in writer.joints.values())

    def write(self, instance: Instance) -> None:
        """
        Write the equalities of a model.

        :raises DescriptionError: a value cannot be read.
        """
        tendons: dict[str | None, Element] = {}
        for each in instance.model.sections('tendon'):
            if each.tag == 'fixed':
                tendons.setdefault(each.get('name'), each)
        for number, element in enumerate(instance.model.sections('equality')):
            part = instance.model.part(element, 'equality', name=instance.name(
                element.get('name', f'equality{number}')))
            if part.values.get('active') == 'false':
                self._drop(part, 'it is not active')
            elif element.tag == 'joint':
                follower, leader = (
                    instance.name(part.values.get(name)) for name in ('joint1', 'joint2'))
                self._add_mimic(part, follower, leader, part.numbers(
                    'polycoef', (0.0, 1.0, 0.0, 0.0, 0.0)))
            elif element.tag == 'tendon':
                self._add_tendon(part, instance, tendons)
            elif element.tag in ('connect', 'weld'):
                self._add_loop(part, instance)
            else:
                self._drop(part, 'it is not about joints or bodies')

    def _drop(self, part: Part, reason: str) -> None:
        self._losses.note('loop', Impact.DROPS, part.element, '{element} is left out: {reason}',
                          reason=reason, is_harmless=part.values.get('active') == 'false')

    def _add_tendon(self, part: Part, instance: Instance, tendons: Mapping[str | None, Element]
                    ) -> None:
        """Let the second joint of a fixed tendon follow the first one."""
        model = instance.model
        tendon = tendons.get(part.values.get('tendon1'))
        ends = [] if tendon is None or 'tendon2' in part.values else [
            Part(each, each.attrib, model) for each in model.children(tendon)]
        if tendon is None or len(ends) != 2 or not ends[1].number('coef', 0.0):
            return self._drop(part, 'it is not about a fixed tendon of two joints')
        leader, follower = (instance.name(end.values.get('joint')) for end in ends)
        first, second = (end.number('coef', 0.0) for end in ends)
        self._add_mimic(part, follower, leader, (
            part.number('polycoef', 0.0) / second, -first / second))
        if self._leaders.get(follower) == leader and tendon.attrib.keys() <= {'name'}:
            self.tendons_kept.add(tendon)

    def _add_mimic(self, part: Part, follower: str, leader: str, coefficients: tuple[float, ...]
                   ) -> None:
        """
        Let a joint follow another one, or nothing if it is empty.

        :param coefficients: of a polynomial in the distance of the leader from its ``ref``.
        """
        joints = self._writer.joints
        if follower not in joints or leader and leader not in joints:
            return self._drop(part, 'it is about no hinge or slide')
        if not leader:
            return self._drop(part, 'URDF has no joint that stays at a position')
        if follower in self._leaders:
            return self._drop(part, 'its first joint follows another one already')
        seen = leader
        while seen in self._leaders:
            above = self._leaders[seen]
            # Shortened, or each joint of a long chain walks all of it.
            self._leaders[seen] = self._leaders.get(above, above)
            seen = above
        if seen == follower:
            return self._drop(part, 'its second joint follows the first one')
        if any(coefficients[2:]):
            self._losses.note('mimic', Impact.CHANGES, part.element, '{element} is linear in '
                              'URDF: the higher coefficients of its polynomial are left out',
                              attribute='polycoef')
        self._leaders[follower] = leader
        (first, node), (second, _) = joints[follower], joints[leader]
        offset = reference_of(first) + coefficients[0] - coefficients[1] * reference_of(second)
        node.add('mimic', part.element, joint=joints[leader][1].get('name', ''),
                 multiplier=coefficients[1], offset=offset)

    def _add_loop(self, part: Part, instance: Instance) -> None:
        """Add a connect or a weld as a loop, closed where MuJoCo starts."""
        values = part.values
        if 'site1' in values:
            sites = [self._sites.get(instance.name(values.get(f'site{end}'))) for end in (1, 2)]
            if None in sites:
                return self._drop(part, 'one of its sites does not exist')
            ends = [(site[0], ends_pose(site[1])[0]) for site in sites if site is not None]
        else:
            bodies = [self._bodies.get(instance.name(values.get(f'body{end}')) or 'world')
                      for end in (1, 2)]
            if None in bodies:
                return self._drop(part, 'one of its bodies does not exist')
            first, second = [body for body in bodies if body is not None]
            start = invert(self._poses[second]) @ self._poses[first]
            anchor = homogeneous(np.eye(3), part.numbers('anchor', (0.0, 0.0, 0.0), 3))
            ends = [(first, anchor), (second, start @ anchor)]
            relative = part.numbers('relpose', (0.0,) * 7, 7)
            if part.element.tag == 'weld':
                w, x, y, z = relative[3:]
                placed = invert(start) if not any(relative[3:]) else homogeneous(
                    quaternion_to_matrix((x, y, z, w)), relative[:3])
                ends = [(first, placed), (second, np.eye(4))]
        links = [self._writer.links[body] for body, _ in ends]
        if not self._written.issuperset(links):
            return self._drop(part, 'it holds the robot in the world, which is not part of it')
        is_weld = part.element.tag == 'weld'
        if self._is_closed(ends, is_weld):
            # As Gazebo reads it: both frames are one where all joints are at zero.
            node = self._robot.add('gazebo', part.element).add(
                'joint', name=part.name, type='fixed' if is_weld else 'ball')
            for tag, text in zip(('parent', 'child'), links):
                node.add(tag).text = text
            node.add('pose').text = text_of_value(pose_numbers(ends[1][1]))
            return
        kind = 'fixed' if is_weld else 'spherical'
        node = self._robot.add('loop_joint', part.element, name=part.name, type=kind)
        for number, (link, (_, pose)) in enumerate(zip(links, ends), 1):
            numbers = pose_numbers(pose)
            node.add(f'link{number}', link=link, xyz=numbers[:3], rpy=numbers[3:])

    def _is_closed(self, ends: list[tuple[Body, Array]], is_weld: bool) -> bool:
        """Return whether a loop is closed where all joints of the URDF are at zero."""
        if self._is_moved:
            return False
        first, second = (self._poses[body] @ pose for body, pose in ends)
        compared = slice(None) if is_weld else (slice(None), 3)
        return np.allclose(first[compared], second[compared], rtol=0, atol=1e-9)


def note_unread(instance: Instance, losses: Losses, kept: Container[Element]) -> None:
    """Note the sections of a model that URDF has nothing for, but for the elements in ``kept``."""
    model = instance.model
    for section in model.children(model.root):
        kind, is_harmless = _KINDS.get(section.tag, ('element', True))
        if section.tag in _KINDS:
            for element in model.children(section):
                if element not in kept:
                    leave_out(losses, element, kind, is_harmless, Impact.DROPS)
        elif section.tag not in _READ:
            leave_out(losses, section)
    for element in model.sections('asset'):
        if element.tag in _SHOWN_ASSETS:
            is_texture = element.tag == 'texture'
            leave_out(losses, element, 'texture' if is_texture else 'shape', is_texture,
                      Impact.DROPS)
