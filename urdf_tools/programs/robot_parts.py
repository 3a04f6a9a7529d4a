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

"""What a robot consists of, counted once for all programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from functools import lru_cache
from functools import wraps
from math import isfinite
from pathlib import PurePosixPath
from typing import Any
from typing import Concatenate
from typing import ParamSpec
from typing import TypeVar
from weakref import ref
from weakref import ReferenceType

import numpy as np

from urdf_tools.dynamics.spatial import parallel_axis
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.tables import TABLES
from urdf_tools.types import Array

Result = TypeVar('Result')
Owner = TypeVar('Owner')
Others = ParamSpec('Others')


@dataclass(frozen=True)
class Parts:
    """
    What a robot consists of, in a description or in a program.

    :param links: rigid bodies with a frame of their own.
    :param moving_joints: joints that are not fixed, with mimic joints; a planar joint is one.
    :param mimic: joints that follow another one.
    :param body: mass in kg, centre of mass and inertia of all links, with each joint at zero,
        in the frame of the root link.
    :param position_limits: joints with a lower and an upper limit.
    :param velocity_limits: joints with a limit on their velocity.
    :param effort_limits: joints with a limit on their effort.
    :param damping: joints with damping.
    :param friction: joints with friction.
    :param actuators: joints that something drives.
    :param visuals: number of visual shapes by :func:`formats`.
    :param collisions: number of collision shapes by :func:`formats`.
    """

    links: int = 0
    moving_joints: int = 0
    fixed_joints: int = 0
    mimic: int = 0
    body: SpatialInertia = field(default_factory=SpatialInertia.zero)
    position_limits: int = 0
    velocity_limits: int = 0
    effort_limits: int = 0
    damping: int = 0
    friction: int = 0
    actuators: int = 0
    visuals: Mapping[str, int] = field(default_factory=dict)
    collisions: Mapping[str, int] = field(default_factory=dict)


COUNTS = tuple(TABLES['counts of parts'])
"""The fields of :class:`Parts` that are numbers."""


def cached_for_latest(function: Callable[Concatenate[Owner, Others], Result]
                      ) -> Callable[Concatenate[Owner, Others], Result]:
    """Cache the result for the latest robot or element, as programs use it one after another."""
    latest: list[tuple[ReferenceType[Any], tuple[Any, ...], Result]] = []

    @wraps(function)
    def kept(owner: Owner, /, *others: Others.args, **named: Others.kwargs) -> Result:
        for reference, before, result in latest:
            if reference() is owner and before == (others, named):
                return result
        result = function(owner, *others, **named)
        latest[:] = [(ref(owner), (others, named), result)]
        return result
    return kept


@cached_for_latest
def parts_of(robot: Robot) -> Parts:
    """Return what the description of a robot has."""
    moving = [joint for joint in robot.joints.values() if joint.type.dof]
    links = robot.links.values()
    inertias = {link.name: SpatialInertia.from_inertial(link.inertial)
                for link in links if link.inertial is not None}
    return Parts(links=len(robot.links), moving_joints=len(moving),
                 fixed_joints=len(robot.joints) - len(moving),
                 mimic=sum(joint.mimic is not None for joint in moving),
                 body=body_at_zero(inertias, link_frames(robot)),
                 **joint_parts(moving), actuators=len(driven_joints(robot)),
                 visuals=formats(shape.geometry for link in links for shape in link.visuals),
                 collisions=formats(shape.geometry for link in links for shape in link.collisions))


def joint_parts(joints: Collection[Joint]) -> dict[str, int]:
    """Return the fields of :class:`Parts` about limits and dynamics, of joints."""
    limits = [joint.limits for joint in joints if joint.limits]
    dynamics = [joint.dynamics for joint in joints if joint.dynamics]
    return {
        'position_limits': sum(isfinite(each.lower) and isfinite(each.upper) for each in limits),
        'velocity_limits': sum(each.velocity is not None for each in limits),
        'effort_limits': sum(each.effort is not None for each in limits),
        'damping': sum(each.damping != 0 for each in dynamics),
        'friction': sum(each.friction != 0 for each in dynamics)}


@cached_for_latest
def driven_joints(robot: Robot) -> frozenset[str]:
    """
    Return the names of the joints that something drives.

    They are in a ``<transmission>``, have a command interface below ``<ros2_control>``, or can
    exert effort; a mimic joint follows another one instead.
    """
    commanded = {joint.get('name', '') for joint, names in command_interfaces(robot) if names}
    transmitted = {name for each in robot.transmissions for name in each.joints}
    return frozenset(
        name for name, joint in robot.joints.items()
        if joint.type.dof and joint.mimic is None and (
            name in commanded or name in transmitted
            or joint.limits is not None and bool(joint.limits.effort)))


def command_interfaces(robot: Robot) -> Iterator[tuple[Element, list[str]]]:
    """Yield the joints of ``<ros2_control>``, with the names of their command interfaces."""
    for system in robot.extensions:
        for joint in system.findall_tag('joint') if system.tag == 'ros2_control' else ():
            yield joint, [each.get('name', '') for each in joint.findall_tag('command_interface')]


def formats(shapes: Iterable[Geometry]) -> dict[str, int]:
    """Return the number of shapes of each format: a suffix such as ``.dae``, or else ``box``."""
    return dict(sorted(Counter(
        suffix_of(shape.filename) or 'mesh' if isinstance(shape, Mesh)
        else type(shape).__name__.lower() for shape in shapes).items()))


@lru_cache(maxsize=8192)
def suffix_of(uri: str) -> str:
    """Return the suffix of a file name in lower case."""
    return PurePosixPath(uri.rstrip('/').rpartition('/')[2]).suffix.lower()


def body_at_zero(
        inertias: Mapping[str, SpatialInertia], frames: Mapping[str, Array]) -> SpatialInertia:
    """
    Return the inertia of links as one body, with each joint at zero.

    :param inertias: name of each link that counts to its inertia in its own frame.
    :param frames: the pose of each link, as :func:`link_frames` returns them.
    :return: in the frame that the poses are in.
    """
    if not inertias:
        return SpatialInertia.zero()
    bodies = inertias.values()
    masses = np.array([body.mass for body in bodies], dtype=float)
    placed = SpatialInertia(0.0, np.array([body.com for body in bodies]), np.array([
        body.rotational for body in bodies])).transformed(
            np.array([frames[name] for name in inertias]))
    mass = float(masses.sum())
    com = masses @ placed.com / mass if mass else np.zeros(3)
    return SpatialInertia(mass, com, np.sum(
        placed.rotational + masses[:, None, None] * parallel_axis(placed.com - com), axis=0))


@cached_for_latest
def link_frames(robot: Robot) -> dict[str, Array]:
    """Return the homogeneous matrix of each link in the root's frame, with joints at zero."""
    frames: dict[str, Array] = {robot.root: np.eye(4)}
    for joint in robot.tree:
        frames[joint.child] = frames[joint.parent] @ joint.origin.matrix
    return frames


def opened(robot: Robot) -> Robot:
    """Return a robot whose joints all move on their own."""
    return replace(robot, loops=(), joints={
        name: replace(joint, mimic=None) for name, joint in robot.joints.items()})
