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

"""Loops as joints of SDFormat, which are closed where all positions are zero."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.robot import Robot
from urdf_tools.programs.gazebo.ignored_parts import LossReason
from urdf_tools.programs.gazebo.sdf_values import compose
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import WORLD

_TYPES = {
    LoopType.BALL: 'ball', LoopType.UNIVERSAL: 'universal', LoopType.HINGE: 'revolute',
    LoopType.SLIDER: 'prismatic', LoopType.FIXED: 'fixed'}
"""Types of loops to those of joints."""

_CLOSED = 1e-4
"""Opening in m and rad that comes from rounded numbers."""


class LoopJoint(NamedTuple):
    """
    A loop as a joint.

    :param name: unlike that of any link or joint.
    :param parent: name of a link that remains, or ``world``.
    :param child: name of a link that remains.
    :param pose: of the joint in the frame of the child.
    :param axes: in the frame of the joint.
    """

    loop: Loop
    name: str
    type: str
    parent: str
    child: str
    pose: Pose
    axes: tuple[Vector3, ...]


class LoopJoints:
    """
    What becomes of the loops of a robot that are not joints of Gazebo already.

    :ivar joints: the loops that become joints.
    :ivar open: those that SDFormat cannot represent, and why.
    """

    def __init__(self, robot: Robot, bodies: Mapping[str, Body], links: frozenset[str]):
        """
        Turn loops into joints.

        :param links: names of the links that remain.
        """
        self._robot = robot
        self._bodies = bodies
        self._links = links
        self._names = {*robot.links, *robot.joints, *(
            child.get('name', '') for gazebo in robot.gazebo for child in gazebo)}
        self.joints: list[LoopJoint] = []
        self.open: list[tuple[Loop, LossReason]] = []
        for loop, distance, angle in _openings(robot):
            if loop.element is None or loop.element.tag != 'joint':
                reason = next(self._reasons(loop, distance, angle), None)
                if reason is None:
                    self.joints.append(self._joint(loop))
                else:
                    self.open.append((loop, reason))

    def _reasons(self, loop: Loop, distance: float, angle: float) -> Iterator[LossReason]:
        """Yield why SDFormat cannot represent a loop with this opening at position zero."""
        if loop.type is LoopType.ROD:
            yield LossReason('SDFormat has no joint that holds a distance',
                             'Write the rod as a link, with a ball at each end')
        if loop.type is LoopType.GEAR:
            yield LossReason('a gear is not a joint between two links',
                             'Write <mimic> in one of the joints')
        parent, child = (self._bodies[name].end.name for name in (loop.parent, loop.child))
        for name in (parent, child):
            if name not in self._links and name != WORLD:
                yield LossReason(Message('Gazebo drops its link {link}', link=Name(name)),
                                 'Give the link a mass')
        if parent == child:
            yield LossReason(
                Message('both of its links are parts of {link}', link=Name(parent)),
                'Preserve the fixed joint between them')
        if max(distance, angle) > _CLOSED:
            yield LossReason(
                Message('it is open by {distance:.3g} mm and {angle:.3g} mrad where all positions '
                        'are zero, and joints of SDFormat are closed there',
                        distance=1e3 * distance, angle=1e3 * angle),
                'Move the origins of its joints so that it is closed there, too')

    def _joint(self, loop: Loop) -> LoopJoint:
        if loop.type is LoopType.SLIDER:  # Both frames have one orientation, and one axis.
            loop = replace(loop, child_axis=loop.parent_axis)
        if self._bodies[loop.child].end.name == WORLD:  # It cannot be a child in SDFormat.
            loop = replace(loop, parent=loop.child, child=loop.parent,
                           parent_origin=loop.child_origin, child_origin=loop.parent_origin,
                           parent_axis=loop.child_axis, child_axis=loop.parent_axis)
        name = loop.name or 'loop'
        while name in self._names:
            name += '_loop'
        self._names.add(name)
        parent, child = self._bodies[loop.parent], self._bodies[loop.child]
        pose, body = loop.child_origin, child
        while body is not child.end and body.parent is not None:
            pose, body = compose(body.origin, pose), body.parent
        return LoopJoint(loop, name, _TYPES[loop.type], parent.end.name, child.end.name, pose,
                         self._axes(loop))

    def _axes(self, loop: Loop) -> tuple[Vector3, ...]:
        """Return the axes of the joint, which has the orientation of the child's frame."""
        if loop.type in (LoopType.HINGE, LoopType.SLIDER):
            return (loop.child_axis,)
        if loop.type is not LoopType.UNIVERSAL:
            return ()
        frames = link_frames(self._robot)
        parent = frames[loop.parent][:3, :3] @ loop.parent_origin.rotation
        child = frames[loop.child][:3, :3] @ loop.child_origin.rotation
        x, y, z = (child.T @ parent @ loop.parent_axis).tolist()
        return (x, y, z), loop.child_axis


def _openings(robot: Robot) -> Iterator[tuple[Loop, float, float]]:
    """Yield each loop, and how far it is open where all positions are zero, in m and rad."""
    tree = KinematicTree(replace(robot, joints={
        name: replace(joint, mimic=None) for name, joint in robot.joints.items()}))
    with np.errstate(all='ignore'):
        distances, angles = LoopConstraints(tree, robot.loops).errors(tree.neutral()[None])
    yield from zip(robot.loops, distances[0].tolist(), angles[0].tolist())
