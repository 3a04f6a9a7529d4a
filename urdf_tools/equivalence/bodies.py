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
"""A robot as bodies that move: links that are fixed to each other are one, whatever the format."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.transforms import exp
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import FAR
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.types import Array

KINDS = {JointType.REVOLUTE: 'turn', JointType.CONTINUOUS: 'turn', JointType.PRISMATIC: 'slide'}
"""What joints of one degree of freedom do, of which all others are made."""

_FREE = 3 * 'slide' + 3 * 'turn'
"""What joints of a base do that is free."""


class Bodies:
    """
    The bodies of a robot; each is named by its head, the highest of its links.

    The frame of a body is that of its head: that of the joint above it at position zero.

    :param robot: mimics and loops are not part of it, so that each joint moves by itself.
    :ivar heads: name of each link to the head of its body.
    :ivar links: name of each head to the links of its body.
    :ivar children: name of each head to the joints of which the body is the parent.
    :ivar joints: the joints that move, by name, each after the one above it.
    """

    def __init__(self, robot: Robot):
        self.robot = robot
        self.tree = KinematicTree(robot)
        self.heads = welded(robot)
        self.links: dict[str, list[str]] = {head: [] for head in self.heads.values()}
        for link, head in self.heads.items():
            self.links[head].append(link)
        self.joints = {joint.name: joint for joint in robot.tree if joint.type.dof}
        self.children: dict[str, list[Joint]] = {head: [] for head in self.links}
        for joint in self.joints.values():
            self.children[self.heads[joint.parent]].append(joint)
        poses = ForwardKinematics(self.tree)(self.tree.neutral())
        self._at_zero = dict(zip(self.tree.link_names, poses))

    def pose(self, link: str, head: str | None = None) -> Array:
        """Return the pose of a link in its body, or at zero in another one, shape (4, 4)."""
        frame: Array = self._at_zero[self.heads[link] if head is None else head]
        return np.asarray(invert(frame) @ self._at_zero[link])

    def joint_pose(self, joint: Joint) -> Array:
        """Return the pose of a joint in the body above it, shape (4, 4)."""
        return self.pose(joint.child, self.heads[joint.parent])

    def inertia(self, head: str) -> SpatialInertia:
        """Return the inertia of a body in its frame."""
        total = SpatialInertia.zero()
        for name in self.links[head]:
            inertia = link_inertia(self.robot.links[name])
            if inertia is not None:
                total += inertia.transformed(self.pose(name))
        return total

    def below(self, joint: Joint) -> tuple[str, ...]:
        """Return the names of the links below a joint."""
        return self.robot.subtree(joint.child)


def bodies_of(robot: Robot, fixed: Collection[str] = (), without: Collection[str] = ()) -> Bodies:
    """
    Return the bodies of a robot, seen from its base.

    A world without mass that only holds a free base is not part of it.

    :param fixed: names of joints to be taken as fixed at zero.
    :param without: names of joints to be left out with all below them.
    """
    joints = {joint.name: replace(
        joint, mimic=None, type=JointType.FIXED if joint.name in fixed else joint.type)
        for joint in robot.tree}
    gone = {link for name in without for link in robot.subtree(joints[name].child)}
    links = {name: link for name, link in robot.links.items() if name not in gone}
    bodies = Bodies(replace(robot, loops=(), links=links, joints={
        name: joint for name, joint in joints.items() if joint.child in links}))
    base, passed = robot.root, ''
    while passed != _FREE:
        if len(bodies.children[base]) != 1 or bodies.inertia(base).mass:
            return bodies
        joint, = bodies.children[base]
        if joint.limits is not None and joint.limits.upper < FAR:
            return bodies
        base, passed = joint.child, passed + KINDS[joint.type]
    below = bodies.robot.subtree(base)
    return Bodies(replace(
        bodies.robot, root=base, links={name: links[name] for name in below},
        joints={name: joint for name, joint in joints.items() if joint.parent in below}))


def simplified(robot: Robot) -> Robot:
    """Return a robot with joints of one degree of freedom only, named as the variables are."""
    joints, links = {}, dict(robot.links)
    for name, joint in robot.joints.items():
        names, axes = variable_names(joint)[:6], np.tile(np.eye(3), (2, 1))
        if joint.type is JointType.PLANAR:
            axes = rotation_from_z(joint.axis).T
        elif joint.type is not JointType.FLOATING:
            names = ()
            joints[name] = joint
        above = joint.parent
        for index, (each, axis) in enumerate(zip(names, axes.tolist())):
            below = joint.child if index == len(names) - 1 else f'{each} link'
            links.setdefault(below, Link(below))
            joints[each] = replace(
                joint, name=each, parent=above, child=below, axis=tuple(axis), limits=None,
                type=JointType.PRISMATIC if 2 * index < len(names) else JointType.CONTINUOUS,
                origin=Pose() if index else joint.origin, mimic=None)
            above = below
    return replace(robot, joints=joints, links=links)


def motion(joint: Joint, positions: Array) -> Array:
    """
    Return the poses that a joint of one degree of freedom reaches.

    :param positions: in rad or m, shape (n,).
    :return: shape (n, 4, 4).
    """
    twist = np.zeros(6)
    twist[3:] = joint.axis
    if joint.type is JointType.PRISMATIC:
        twist = np.roll(twist, 3)
    return exp(np.multiply.outer(positions, twist))
