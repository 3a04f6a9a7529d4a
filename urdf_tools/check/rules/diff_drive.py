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

"""The rules about the wheels of differential drives: plugins of Gazebo and controllers."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
import math
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import axis_of
from urdf_tools.check.loaded_robot import link_poses
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import Name
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of

rule = RULES.in_category('extensions')

_TOLERANCE, _WORN, _SIMULATED = 0.2, 0.06, 0.05
"""Relative difference that a tuned value, a radius and two wheels in a simulation may have."""

_MAX_SLIP, _OFFSET, _LEAST = 1.7, 1.1, 0.01
"""How much larger, or smaller, a separation may be for several wheels, and the least one in m."""

_LEFT, _RIGHT = ('left_joint', 'leftJoint'), ('right_joint', 'rightJoint')
_SEPARATIONS = ('wheel_separation', 'wheelSeparation')
_MULTIPLIERS = ('left_wheel_radius_multiplier', 'right_wheel_radius_multiplier')
_RADII = {'wheel_radius': 1.0, 'wheelDiameter': 0.5, 'wheel_diameter': 0.5}


class _Drive(NamedTuple):
    """
    A left and a right wheel of a plugin, or of a controller in a YAML file.

    :ivar named: what names the left joint.
    :ivar values: the separations and radii or diameters of these wheels.
    :ivar cosine: that of the angle between the axes of the left and the right joint.
    :ivar side: how far in m the left wheel is from the middle of all, along its axis.
    :ivar offset: how far in m the wheels are apart along that axis.
    :ivar radius: of both wheels in m; 0 if it is not known, or they differ.
    :ivar is_seen: whether the radius is that of a <visual>.
    """

    plugin: Element
    named: Element
    values: list[Element]
    joints: tuple[str, str]
    cosine: float
    side: float
    offset: float
    radius: float
    is_seen: bool


@once
def _drives(description: Description) -> list[list[_Drive]]:
    """Return the drives of each plugin and controller, in the order in which it has the wheels."""
    found: list[list[_Drive]] = []
    if (of_robot := robot(description)) is None:
        return found
    frames = link_poses(description)
    for plugin in (*description.plugins, *(each for _, each in moveit_files(description).drives)):
        lefts, rights, *values = ([element for element in plugin if element.tag in tags]
                                  for tags in (_LEFT, _RIGHT, *zip(_SEPARATIONS), *zip(_RADII)))
        found.append([])
        # A negative multiplier turns the wheels of one side around.
        is_turned = any(value_of(element).startswith('-') for element in plugin
                        if element.tag in _MULTIPLIERS)
        pairs = zip(lefts, rights) if len(lefts) == len(rights) and not is_turned else ()
        wheels = {name: [(shape.geometry.radius, frames[child] @ (*shape.origin.xyz, 1.0))
                         for shape in of_robot.links[child].collisions
                         if isinstance(shape.geometry, (Cylinder, Sphere))
                         ] or [(0.0, frames[child][:, 3])]
                  for name in map(value_of, (*lefts, *rights)) if name in of_robot.joints
                  for child in (of_robot.joints[name].child,)}
        places = {name: np.mean([place for _, place in shapes], axis=0)[:3]
                  for name, shapes in wheels.items()}
        for i, (left, right) in enumerate(pairs):
            names = value_of(left), value_of(right)
            if names[0] == names[1] or not of_robot.joints.keys() >= {*names}:
                continue
            joints = [of_robot.joints[name] for name in names]
            first, second = (axis_of(description, joint) for joint in joints)
            apart = places[names[1]] - places[names[0]]
            side = (places[names[0]] - np.mean([*places.values()], axis=0)) @ first
            radii = {radius for name in names for radius, _ in wheels[name]}
            if is_seen := radii == {0.0}:
                # Beside a mesh, a cylinder may be that of the hub.
                radii = {shape.geometry.radius if isinstance(shape.geometry, (Cylinder, Sphere))
                         else 0.0 for joint in joints
                         for shape in of_robot.links[joint.child].visuals}
            found[-1].append(_Drive(
                plugin, left, [each[i] for each in values if len(each) == len(lefts) or (
                    i == 0 and len(each) == 1)], names, float(first @ second), float(side),
                abs(float(apart @ first)), radii.pop() if len(radii) == 1 else 0.0, is_seen))
    return found


@rule('diff-drive-axes-differ', WARN)
def diff_drive_axes_differ(description: Description) -> Iterator[Defect]:
    """
    Check that the axes of the wheels of a differential drive point to the same side.

    Otherwise the robot turns where it is told to drive straight on.

    Fails in the left wheel of a differential drive: <origin xyz="0 0.2 0"/><axis xyz="0 -1 0"/>
    Passes with <axis xyz="0 1 0"/>
    """
    for drive in chain.from_iterable(_drives(description)):
        if drive.cosine < -math.cos(0.1):
            yield Defect(drive.plugin, 'The axes of joints {joints}, the wheels of {plugin}, '
                         'point in opposite directions ({angle:.3g} degrees)', plugin=drive.plugin,
                         angle=math.degrees(math.acos(max(drive.cosine, -1.0))),
                         joints=tuple(map(Name, drive.joints)))


@rule('diff-drive-sides', WARN)
def diff_drive_sides(description: Description) -> Iterator[Defect]:
    """
    Check that the left and the right joint of a differential drive are those of its sides.

    The axes say which side is left: that to which they point. If the joints are exchanged, the
    robot turns the wrong way, and its odometry with it. In ROS 1, <leftJoint> may be either.

    Fails in a differential drive: <left_joint>right</left_joint><right_joint>left</right_joint>
    Passes: <left_joint>left</left_joint><right_joint>right</right_joint>
    """
    for drive in chain.from_iterable(_drives(description)):
        if drive.named.tag == 'left_joint' and drive.side < -1e-3 and drive.cosine > 0.99:
            yield Defect(drive.named, 'The left joint {left} of {plugin} moves the wheel on the '
                         'right, by the axes of the wheels', left=Name(drive.joints[0]),
                         plugin=drive.plugin)


@rule('diff-drive-wheels', WARN)
def diff_drive_wheels(description: Description) -> Iterator[Defect]:
    """
    Check that a differential drive has the separation and radius of its wheels.

    It is a plugin of Gazebo, or a controller in a YAML file that one names as its parameters, or
    a launch file with this description alone, or that is the only one with wheels in the package.
    The separation may differ by a fifth, as it is tuned, the radius by 6 %, as multipliers tune it
    and tyres give way, and for two wheels in a plugin both by a twentieth.
    The separation of several wheels a side, which slip, may be twice as large, and pairs that have
    their own are compared among each other. A wheel is its collision shape, a cylinder or sphere,
    or is at its joint without one, with the radius of its <visual> if that is such a shape.

    Fails in a differential drive:
        <left_joint>left</left_joint><right_joint>right</right_joint>
        <wheel_separation>0.8</wheel_separation>
    Passes with <wheel_separation>0.4</wheel_separation>
    """
    for drives in _drives(description):
        for tags, template, of_visual in (
                (_SEPARATIONS, 'are {expected:.3g} m apart', 'are {expected:.3g} m apart'),
                (_RADII, 'have a radius of {expected:.3g} m',
                 'have a radius of {expected:.3g} m in <visual>')):
            rated = _rated(drives, tags)
            if len(rated) > 1:  # All may be tuned: the least one is the measure.
                rated = [(rated[-1][0] - rated[0][0], *rated[-1][1:])]
            for gap, element, drive, expected in rated:
                is_simulated = drive.plugin.tag == 'plugin' and len(drives) == 1
                if gap > math.log(1 + (_SIMULATED if is_simulated else _TOLERANCE if (
                        tags is _SEPARATIONS or drive.is_seen) else _WORN)):
                    yield Defect(element, '<{tag}> of {plugin} is {text}, but joints {joints} '
                                 'move wheels that ' + (
                                     of_visual if drive.is_seen else template),
                                 text=Name(value_of(element)),
                                 plugin=drive.plugin, joints=tuple(map(Name, drive.joints)),
                                 expected=expected)


def _rated(drives: list[_Drive], tags: Iterable[str]
           ) -> list[tuple[float, Element, _Drive, float]]:
    """Return separations or radii, each after how far it is from the expected one, least first."""
    rated = []
    for drive in drives:
        expected = drive.offset if tags is _SEPARATIONS else drive.radius
        for element in (each for each in drive.values if each.tag in tags and expected > _LEAST):
            with suppress(ValueError):
                ratio = float(value_of(element)) * _RADII.get(element.tag, 1.0) / expected
                if tags is _SEPARATIONS and len(drives) > 1:
                    ratio = max(1.0, ratio / _MAX_SLIP) if ratio > 1 else min(1.0, ratio * _OFFSET)
                gap = abs(math.log(ratio)) if 0 < ratio < math.inf else math.inf
                rated.append((gap, element, drive, expected))
    return sorted(rated, key=itemgetter(0))
