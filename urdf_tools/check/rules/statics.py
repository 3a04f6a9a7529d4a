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

"""Rules about what gravity does to the robot: whether it holds itself, and stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
import math
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.check.bodies import link_boxes
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.indexed_description import rigid_bodies
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import Started
from urdf_tools.check.loaded_robot import axis_of
from urdf_tools.check.loaded_robot import link_poses
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.records import Sphere
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array

if TYPE_CHECKING:  # Only robots with efforts or wheels need it.
    from urdf_tools.dynamics.holding import Holding

rule = RULES.in_category('inertia')

_NEAR = 0.8
"""Share of the effort limit from which on a larger effort is searched for."""

_SPRINGS = ('springStiffness', 'stiffness', 'implicitSpringDamper')


@once
def _holding(description: Description) -> Holding | None:
    """Return what gravity asks of the joints, or None if that cannot be computed."""
    of_robot = robot(description)
    if of_robot is None or not any(
            joint.limits is not None and joint.limits.effort for joint in of_robot.tree):
        return None
    from urdf_tools.dynamics.holding import holding
    return holding(of_robot.kinematics, only_near=_NEAR)


@rule('effort-below-gravity', WARN)
def effort_below_gravity(description: Description) -> Iterator[Defect]:
    """
    Check that the effort limit of each joint is enough to hold what it carries against gravity.

    The root link is level and fixed, and joints without an effort are at zero. The largest effort
    is that of some random configurations, and of a search from the best of them. It is only noted
    of robots with loops, and of joints with a spring in <gazebo>, which may carry.

    Fails in a robot whose arm weighs 2 kg: <limit lower="-1" upper="1" effort="5" velocity="1"/>
    Passes with effort="10"
    """
    statics, of_robot = _holding(description), robot(description)
    if statics is None or of_robot is None:
        return
    from urdf_tools.dynamics.holding import posture
    springs = {element.get('reference') for element in description.gazebo
               for tag in _SPRINGS if element.find(tag) is not None}
    is_over = (statics.largest > 1.001 * statics.tree.effort_limit) & (
        statics.tree.effort_limit > 0)
    for row in np.flatnonzero(is_over).tolist():
        joint = of_robot.joints.get(statics.tree.velocity_names[row])
        limit = None if joint is None else child(joint.element, 'limit')
        if joint is None or limit is None:
            continue
        yield Defect(
            limit, '{joint} takes {needed:.3g} {unit} to hold what it carries against gravity '
            'at {posture}, and has an effort of {effort:g}', joint=Name(joint.name),
            needed=float(statics.largest[row]), effort=float(statics.tree.effort_limit[row]),
            unit='N' if joint.type is JointType.PRISMATIC else 'N m',
            posture=FreeText(posture(statics.tree, statics.evaluated[statics.chosen[row]])),
            severity=INFO if joint.name in springs or of_robot.loops else None)


_ROUND = 0.05
"""Share by which the two diameters of a wheel may differ."""

_ON_GROUND = 0.02
"""Distance in m from the plane below the wheels within which a shape supports the robot."""


@rule('tips-over', WARN)
def tips_over(description: Description) -> Iterator[Defect]:
    """
    Check that the centre of mass of a wheeled robot is over its wheels and casters.

    It is compared at zero, and at random configurations of the joints with efforts. A robot whose
    wheels and casters are all on one line balances, and is not compared.

    Fails in a robot with three wheels: <origin xyz="0.9 0 0.5"/>
    Passes with xyz="0.1 0 0.5"
    """
    of_robot, points = robot(description), _support(description)
    if of_robot is None or len(points) < 3 or np.linalg.matrix_rank(
            points - points.mean(axis=0), 1e-2) < 2:
        return
    from urdf_tools.dynamics.composite import CompositeInertia
    from urdf_tools.dynamics.holding import margins
    from urdf_tools.dynamics.holding import posture
    from urdf_tools.dynamics.holding import postures
    composite = CompositeInertia(of_robot.kinematics)
    tree = composite.tree
    if not composite.mass:
        return
    configurations = postures(tree)
    inside = margins(points, composite.center_of_mass(configurations)[:, :2])
    for number in dict.fromkeys((0, int(np.argmin(inside)))):
        if inside[number] < 0:
            yield Defect(
                description.link_names[of_robot.root],
                'The centre of mass of the robot, {mass:.3g} kg, is {distance:.3g} m outside its '
                'wheels at {posture}, where it falls over', mass=composite.mass,
                distance=-float(inside[number]),
                posture=FreeText(posture(tree, configurations[number])))
            return


@once
def _support(description: Description) -> Array:
    """
    Return where wheels and casters touch the ground at zero, shape (k, 2); none without wheels.

    Wheels are links with a round collision about the horizontal axis of a continuous joint.
    """
    of_robot = robot(description)
    if of_robot is None or not any(
            joint.type is JointType.CONTINUOUS for joint in of_robot.tree):
        return np.zeros((0, 2))
    poses = link_poses(description)
    wheels: list[Array] = []
    others: list[Array] = []
    joints = {joint.child: joint for joint in of_robot.tree}
    for name, link in of_robot.links.items():
        box = next(iter(link_boxes(description)[name]), None) if link.collisions else None
        if box is None:
            continue
        pose, (low, high) = poses[name], np.array(box)
        size, centre = high - low, pose[:3, :3] @ ((low + high) / 2) + pose[:3, 3]
        joint = joints.get(name)
        along = None if joint is None else int(np.argmax(np.abs(joint.axis)))
        if joint is not None and along is not None and joint.type is JointType.CONTINUOUS and abs(
                axis_of(description, joint)[2]) < 0.1:
            across = np.delete(size, along)
            if math.isclose(*across, rel_tol=_ROUND):
                wheels.append(np.array([*centre[:2], centre[2] - across.max() / 2]))
                continue
        if all(isinstance(each.geometry, Sphere) for each in link.collisions):
            others.append(np.array([*centre[:2], centre[2] - size.max() / 2]))
        else:
            corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                                for z in (low[2], high[2])])
            others += [*(corners @ pose[:3, :3].T + pose[:3, 3])]
    if len(wheels) < 2:
        return np.zeros((0, 2))
    ground = min(point[2] for point in wheels)
    return np.array([point[:2] for point in (*wheels, *others)
                     if point[2] < ground + _ON_GROUND])


_SUNK, _SUNK_ON_WHEELS = 0.001, 0.02
"""Depth in m in the ground from which a robot that is fixed, or one on wheels, is reported."""


@rule('below-ground', INFO)
def below_ground(description: Description) -> Iterator[Defect]:
    """
    Check that a robot does not begin in the ground of Gazebo.

    The ground is at the height zero, as in most worlds. A robot whose root is the link world is
    there, too; others are where a launch file spawns them with a -z that is written, or without.
    What counts are collisions of what is fixed to the root, of wheels, and of all links at zero if
    <ros2_control> has no initial_value. It is only noted of a robot that no launch file spawns.

    Fails in a robot whose root is world: <origin xyz="0 0 0.04"/>
    Passes with xyz="0 0 0.05"
    """
    of_robot, files = robot(description), package_files(description)
    started = [(height, file.element(node.place, 'node')) for file in launch_files(description)
               if file.path in files.launching for node in file.nodes
               if (height := _spawned_at(node)) is not None]
    if of_robot is None or not started and of_robot.root != 'world':
        return
    depths = {'': 0.0}
    is_at_zero = 'initial_value' not in {
        each.get('name') for each in description.robot.iter('param')}
    for name, body in rigid_bodies(description).items():
        joint, (box, *_) = description.topology.parent_joint(body), (
            *link_boxes(description)[name], None)
        if box and of_robot.links[name].collisions and (
                is_at_zero or joint is None or joint.get('type') == 'continuous'):
            row, (low, high) = link_poses(description)[name][2], np.array(box)
            depths[name] = float(
                np.abs(row[:3]) @ (high - low) / 2 - row[:3] @ (high + low) / 2 - row[3])
    lowest = max(depths, key=lambda name: depths[name])
    height, element = max(started, default=(0.0, None), key=lambda each: each[0])
    if depths[lowest] - height > (_SUNK if of_robot.root == 'world' else _SUNK_ON_WHEELS):
        link, depth = description.link_names[lowest], depths[lowest] - height
        yield Defect(
            link if element is None else element, 'The collision of {link} begins {depth:.3g} m '
            'below the ground', severity=WARN if started else None, link=link, depth=depth,
            least=depths[lowest], hint='Write -z {least:.3g}' if started else '',
            consequences=changes('gazebo', of='collision', how='pushes it out of the ground'))


_NAMES = {'-topic', '-name', '-file', '-entity'}


def _spawned_at(node: Started) -> float | None:
    """Return the height at which a node spawns a robot in Gazebo; None if that is not written."""
    words = [*node.arguments]
    if node.given.get('executable') in ('create', 'spawn_entity.py') and _NAMES & {*words}:
        with suppress(ValueError):
            return float(words[words.index('-z') + 1]) if '-z' in words[:-1] else 0.0
    return None
