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
What urdfdom 4 keeps of a robot, with which ROS reads URDF.

So do robot_state_publisher, RViz, MoveIt, ros2_control, kdl_parser and Pinocchio. Read in
``urdf_parser/src/link.cpp``, ``joint.cpp`` and ``model.cpp``; Gazebo's conversion begins with it.
"""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.model.element import Element
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.gazebo.bodies_of_robot import Body
from urdf_tools.programs.gazebo.bodies_of_robot import read_bodies
from urdf_tools.programs.gazebo.refusals import urdfdom_refusals
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import link_inertias
from urdf_tools.programs.robot_parts import once_a_robot
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.source import Source

VERSION = '4.0'

_OF_KDL = (JointType.PLANAR, JointType.FLOATING)
"""Joints that kdl_parser makes fixed, and with it robot_state_publisher."""


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in urdfdom."""
    robot = source.robot
    if robot is None:
        return Account('urdfdom', VERSION, None)
    return Account('urdfdom', VERSION, parts_of(robot), kept_parts(robot), causes(robot), 'free',
                   losses=losses(robot))


@once_a_robot
def bodies_of(robot: Robot) -> tuple[Body, ...]:
    """Return the links as urdfdom reads them."""
    return tuple(read_bodies(robot).walk())


def causes(robot: Robot, versions: Container[str] = ('1.0',)) -> tuple[Loss, ...]:
    """
    Return why urdfdom refuses a description.

    :param versions: the versions of URDF that it reads.
    """
    return tuple(
        Loss('description', Impact.REFUSES, error.message, error.hint, element=error.element)
        for error in urdfdom_refusals(robot, versions))


@once_a_robot
def kept_parts(robot: Robot) -> Parts:
    """Return what is in the model of urdfdom."""
    source, bodies = parts_of(robot), bodies_of(robot)
    moving = [joint for joint in robot.joints.values() if joint.type.dof]
    counts: dict[str, Any] = joint_parts(moving)
    return replace(
        source, actuators=0, **counts, body=body_at_zero(
            link_inertias_of(robot), link_frames(robot)),
        visuals=formats(shape.geometry for body in bodies for shape in body.visuals),
        collisions=formats(shape.geometry for body in bodies for shape in body.collisions))


@once_a_robot
def link_inertias_of(robot: Robot) -> dict[str, SpatialInertia]:
    """Return the inertia of each link with an ``<inertial>`` in its own frame."""
    known = link_inertias(robot)
    found: dict[str, SpatialInertia] = {}
    for body in bodies_of(robot):
        if body.link.inertial is not None:
            found[body.name] = known[body.name]
        elif body.inertial is not None:
            rotation = body.inertial.origin.rotation
            found[body.name] = SpatialInertia(
                body.inertial.mass, np.array(body.inertial.origin.xyz),
                rotation @ body.inertial.matrix @ rotation.T)
    return found


@once_a_robot
def losses(robot: Robot) -> tuple[Loss, ...]:
    """Return what urdfdom and kdl_parser lose."""
    return tuple(_losses(robot))


def _losses(robot: Robot) -> Iterator[Loss]:
    for body in bodies_of(robot):
        yield from _losses_of(body)
    for joint in robot.joints.values():
        if joint.type in _OF_KDL:
            yield loss('joint', Impact.CHANGES, joint.element,
                       'robot_state_publisher publishes {joint}, which is {type}, as fixed',
                       hint='Let the program that moves it publish its transform',
                       joint=joint.element, type=joint.type.value)
    yield from _losses_of_elements(robot.element)


def _losses_of(body: Body) -> Iterator[Loss]:
    """Yield which parts of a link come after one that urdfdom cannot read."""
    for tag, shapes in body.shapes:
        read = {shape.element for shape in shapes}
        for element in body.element.findall_tag(tag):
            if element not in read:
                has_capsule = body.element.find('*/geometry/capsule') is not None
                why = 'it knows no <capsule>' if has_capsule else 'it cannot read a part before it'
                yield loss(tag, Impact.DROPS, element, f'Drops a {tag} of {{link}}: {why}',
                           hint='Use a cylinder and two spheres' if has_capsule else
                           'Mend what urdf-tools check reports for the link', link=body.element)
    source = body.link.inertial
    if body.inertial is not None and source is None:
        yield loss('inertia', Impact.DROPS, body.element, 'Drops the inertia of {link}, of which '
                   'a number cannot be read', hint='Write numbers', link=body.element)


def _losses_of_elements(root: Element | None) -> Iterator[Loss]:
    for element in root.iterfind('joint/limit') if root is not None else ():
        for name in ('acceleration', 'deceleration', 'jerk'):
            if name in element.attrib:
                yield loss('limit', Impact.IGNORES, element, 'Ignores the limit of {attribute}',
                           attribute=name)
