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

"""Contacts that are left out, and mimic joints and loops as constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.mjcf.mjcf_bodies import adjacent
from urdf_tools.programs.mjcf.mjcf_bodies import Bodies
from urdf_tools.programs.mjcf.mjcf_xml import add
from urdf_tools.programs.mjcf.mjcf_xml import pose
from urdf_tools.programs.mjcf.mjcf_xml import unique
from urdf_tools.programs.robot_parts import link_frames

_STIFF = '0.005 1'
"""Time constant in s and damping of constraints that hold joints together."""

_EXACT = (LoopType.BALL, LoopType.HINGE, LoopType.FIXED, LoopType.ROD, LoopType.GEAR)


def write_contacts(contact: Node, bodies: Bodies, srdf: Element | None,
                   losses: list[Loss]) -> None:
    """
    Append the pairs of bodies that do not collide.

    :param srdf: the outermost element of an SRDF file.
    """
    links = bodies.robot.links.values()
    solid = {link.name for link in links if any(
        each.get('class') == 'collision' for each in bodies.nodes[link.name].findall('geom'))}
    pairs: dict[frozenset[str], None] = {}
    for still, moved, joint in adjacent(bodies, solid):
        pairs[frozenset((still, moved))] = None
        losses.append(loss(
            'collision', Impact.CHANGES, joint.element, 'Links {still} and {moved} at {joint} do '
            'not collide', is_harmless=True, still=Name(still), moved=Name(moved)))
    pairs |= dict.fromkeys(_disabled(srdf, bodies, solid)) if srdf is not None else {}
    for pair in pairs:
        first, second = sorted(pair, key=lambda name: (bodies.levels[name], name))
        add(contact, 'exclude', {
            'body1': bodies.names[first], 'body2': bodies.names[second]})


def _disabled(srdf: Element, bodies: Bodies, solid: set[str]) -> Iterator[frozenset[str]]:
    """Yield the pairs that an SRDF file excludes, of those that can collide at all."""
    enabled = {_pair(each) for each in srdf.findall_tag('enable_collisions')}
    by_default = {each.get('link', '') for each in srdf.findall_tag('disable_default_collisions')}
    for pair in [_pair(each) for each in srdf.findall_tag('disable_collisions')] + [
            frozenset((link, other)) for link in sorted(by_default) for other in sorted(solid)]:
        if len(pair) == 2 and pair <= solid and pair not in enabled:
            yield pair


def _pair(element: Element) -> frozenset[str]:
    return frozenset((element.get('link1', ''), element.get('link2', '')))


def write_mimic(equality: Node, robot: Robot, losses: list[Loss]) -> None:
    """Append the constraints of mimic joints."""
    followers = resolve_mimic(robot)
    for joint in robot.tree:
        if joint.mimic is None:
            continue
        if joint.name not in followers:
            losses.append(loss('mimic', Impact.DROPS, joint.element, '{joint} does not follow '
                               '{leader}', leader=Name(joint.mimic.joint)))
            continue
        leader, mimic = robot.joints[joint.mimic.joint], joint.mimic
        if leader.type.dof > 1:
            losses.append(loss('mimic', Impact.DROPS, joint.element, '{joint} does not follow '
                               '{leader}, which has several degrees of freedom',
                               leader=Name(leader.name)))
            continue
        add(equality, 'joint', {
            'joint1': joint.name, 'joint2': leader.name if leader.type.dof else None,
            'polycoef': (mimic.offset, mimic.multiplier if leader.type.dof else 0, 0, 0, 0),
            'solref': _STIFF})


class LoopWriter:
    """
    Writes loops as constraints between sites, or between joints.

    :ivar closed: the loops that are held in full.
    """

    def __init__(self, bodies: Bodies, tendon: Node, equality: Node, losses: list[Loss]):
        self._bodies, self._tendon, self._equality = bodies, tendon, equality
        self._losses = losses
        self.closed: list[Loop] = []
        self._names: set[str] = set()

    def write(self, loop: Loop) -> None:
        """Append a loop, as far as MuJoCo has a constraint for it."""
        given, loop = loop, replace(loop, name=unique(loop.name or 'loop', self._names))
        self._names |= {loop.name, f'{loop.name}_axis'}
        if loop.type is LoopType.GEAR:
            is_written = self._write_gear(loop)
        elif is_written := loop.type is not LoopType.SLIDER:
            self._write_sites(loop)
        if is_written and loop.type in _EXACT:
            self.closed.append(given)
            return
        self._losses.append(loss(
            'loop', Impact.CHANGES if is_written else Impact.DROPS, loop.element,
            'Loop {loop}, a {type}, holds only the points together' if is_written else
            'Loop {loop} of {parent} and {child} stays open, as MuJoCo has no constraint for a '
            '{type}', loop=Name(loop.name), type=loop.type.value, parent=Name(loop.parent),
            child=Name(loop.child)))

    def _write_gear(self, loop: Loop) -> bool:
        robot = self._bodies.robot
        sides = [robot.geared(loop, link) for link in (loop.child, loop.parent)]
        joints = [joint for side in sides for joint in side]
        if not joints or any(joint.type.dof > 1 for joint in joints):
            return False
        fixed = add(self._tendon, 'fixed', {'name': loop.name})
        for side, coefficient in zip(sides, (1.0, -loop.ratio)):
            for joint in side:
                add(fixed, 'joint', {'joint': joint.name, 'coef': [coefficient]})
        self._hold(loop, loop.offset)
        return True

    def _hold(self, loop: Loop, value: float) -> None:
        add(self._equality, 'tendon', {
            'name': loop.name, 'tendon1': loop.name, 'polycoef': (value, 0, 0, 0, 0),
            'solref': _STIFF})

    def _write_sites(self, loop: Loop) -> None:
        ends = self._sites(loop, '', np.zeros(3))
        if loop.type is LoopType.ROD:
            spatial = add(self._tendon, 'spatial', {'name': loop.name})
            for end in ends:
                add(spatial, 'site', {'site': end})
            frames = link_frames(self._bodies.robot)
            points = [(frames[link] @ origin.matrix)[:3, 3] for link, origin in (
                (loop.parent, loop.parent_origin), (loop.child, loop.child_origin))]
            self._hold(loop, loop.length - float(np.linalg.norm(points[1] - points[0])))
            return
        tag = 'weld' if loop.type is LoopType.FIXED else 'connect'
        self._join(tag, loop.name, ends)
        if loop.type is LoopType.HINGE:
            self._join(tag, f'{loop.name}_axis', self._sites(loop, '_axis', np.full(3, 0.1)))

    def _join(self, tag: str, name: str, ends: list[str]) -> None:
        add(self._equality, tag, {
            'name': name, 'site1': ends[0], 'site2': ends[1], 'solref': _STIFF})

    def _sites(self, loop: Loop, suffix: str, along: Array) -> list[str]:
        """Append the sites of both ends, perhaps along their axes, and return their names."""
        names = []
        for link, origin, axis, role in (
                (loop.parent, loop.parent_origin, loop.parent_axis, 'parent'),
                (loop.child, loop.child_origin, loop.child_axis, 'child')):
            names.append(f'{loop.name}_{role}{suffix}')
            place = origin.rotation @ (along * np.array(axis)) + origin.xyz
            add(self._bodies.nodes[link], 'site', {
                'name': names[-1], **pose(Pose(tuple(place.tolist()), origin.quaternion))})
        return names
