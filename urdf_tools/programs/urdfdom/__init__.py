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

So do robot_state_publisher, RViz, MoveIt, ros2_control, kdl_parser and Pinocchio, and Gazebo's
conversion begins with it.
"""

from __future__ import annotations

from dataclasses import replace

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import cached_for_latest
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import formats_of
from urdf_tools.programs.urdfdom.bodies import read_bodies
from urdf_tools.programs.urdfdom.losses import losses
from urdf_tools.programs.urdfdom.reading import refusals

VERSION = '4.0'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in urdfdom."""
    kept = None if source.robot is None else kept_parts(source.robot)
    return Account('urdfdom', VERSION, source.parts, kept, tuple(refusals(source.root)), 'free',
                   losses=tuple(losses(source.root)))


@cached_for_latest
def bodies_of(robot: Robot) -> tuple[Body, ...]:
    """Return the links as urdfdom reads them."""
    return tuple(read_bodies(robot).walk())


@cached_for_latest
def kept_parts(robot: Robot) -> Parts:
    """Return the parts of the model that urdfdom reads."""
    bodies = bodies_of(robot)
    return replace(
        parts_of(robot), actuators=0,
        body=body_at_zero(link_inertias_of(robot), link_frames(robot)),
        visuals=formats_of(bodies, 'visual'), collisions=formats_of(bodies, 'collision'))


@cached_for_latest
def link_inertias_of(robot: Robot) -> dict[str, SpatialInertia]:
    """Return the inertia of each link with an ``<inertial>`` in its own frame."""
    return {body.name: body.inertial.turned(body.inertial.origin.rotation)
            for body in bodies_of(robot) if body.inertial is not None}
