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

"""Constraints of mimic joints and loops, and where they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Robot
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.bodies import joint_positions
from urdf_tools.programs.mjcf.bodies import with_mimic
from urdf_tools.programs.mjcf.contacts import HOME
from urdf_tools.programs.mjcf.devices import Actuator
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import Attributes
from urdf_tools.programs.mjcf.xml import pose
from urdf_tools.programs.mjcf.xml import unique
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.types import Array

_STIFF = '0.005 1'
"""Time constant in s and damping of constraints that hold joints together."""


def write_mimic(equality: Node, robot: Robot, losses: Losses) -> None:
    """Append the constraints of mimic joints."""
    followers = resolve_mimic(robot)
    for joint, mimic in ((each, each.mimic) for each in robot.tree if each.mimic is not None):
        leader = robot.joints[mimic.joint]
        if joint.name not in followers or leader.type.dof > 1:
            losses.note('mimic', Impact.DROPS, joint.element, '{joint} does not follow {leader}'
                        if joint.name not in followers else '{joint} does not follow {leader}, '
                        'which has several degrees of freedom', leader=Name(leader.name))
            continue
        add(equality, 'joint', {
            'joint1': joint.name, 'joint2': leader.name if leader.type.dof else None,
            'polycoef': (mimic.offset, mimic.multiplier if leader.type.dof else 0, 0, 0, 0),
            'solref': _STIFF})


def write_loops(tendon: Node, equality: Node, bodies: Bodies, losses: Losses
                ) -> tuple[Loop, ...]:
    """Append loops, as far as MuJoCo has constraints for them; return those held in full."""
    names: set[str] = set()
    closed = []
    for given in bodies.robot.loops:
        loop = replace(given, name=unique(given.name or 'loop', names))
        names |= {loop.name, f'{loop.name}_axis'}
        constraints = list(_constraints(loop, bodies, tendon))
        for tag, attributes in constraints:
            add(equality, tag, {'name': loop.name, **attributes, 'solref': _STIFF})
        if constraints and loop.type is not LoopType.UNIVERSAL:
            closed.append(given)
            continue
        losses.note('loop', Impact.CHANGES if constraints else Impact.DROPS, loop.element,
                    'Loop {loop}, a {type}, holds only the points together' if constraints else
                    'Loop {loop} of {parent} and {child} stays open, as MuJoCo has no constraint '
                    'for a {type}', loop=Name(loop.name), type=loop.type.value,
                    parent=Name(loop.parent), child=Name(loop.child))
    return tuple(closed)


def _constraints(loop: Loop, bodies: Bodies, tendon: Node) -> Iterator[tuple[str, Attributes]]:
    """Yield tag and attributes of the constraints that hold a loop; add what they refer to."""
    if loop.type is LoopType.GEAR:
        sides = [bodies.robot.geared(loop, link) for link in (loop.child, loop.parent)]
        if any(sides) and all(joint.type.dof == 1 for side in sides for joint in side):
            fixed = add(tendon, 'fixed', {'name': loop.name})
            for side, coefficient in zip(sides, (1.0, -loop.ratio)):
                for joint in side:
                    add(fixed, 'joint', {'joint': joint.name, 'coef': [coefficient]})
            yield 'tendon', {'tendon1': loop.name, 'polycoef': (loop.offset, 0, 0, 0, 0)}
    elif loop.type is LoopType.ROD:
        spatial = add(tendon, 'spatial', {'name': loop.name})
        for site in _sites(loop, bodies).values():
            add(spatial, 'site', {'site': site})
        frames = link_frames(bodies.robot)
        one, other = ((frames[link] @ origin.matrix)[:3, 3] for link, origin in (
            (loop.parent, loop.parent_origin), (loop.child, loop.child_origin)))
        stretch = loop.length - float(np.linalg.norm(other - one))
        yield 'tendon', {'tendon1': loop.name, 'polycoef': (stretch, 0, 0, 0, 0)}
    elif loop.type is not LoopType.SLIDER:
        yield 'weld' if loop.type is LoopType.FIXED else 'connect', _sites(loop, bodies)
    if loop.type is LoopType.HINGE:
        yield 'connect', {'name': f'{loop.name}_axis', **_sites(loop, bodies, '_axis', 0.1)}


def _sites(loop: Loop, bodies: Bodies, suffix: str = '', along: float = 0.0) -> Attributes:
    """Append sites at both ends, so far along their axes in m; return the attributes of both."""
    names: Attributes = {}
    for link, origin, axis, role in (
            (loop.parent, loop.parent_origin, loop.parent_axis, 'parent'),
            (loop.child, loop.child_origin, loop.child_axis, 'child')):
        names[f'site{len(names) + 1}'] = name = f'{loop.name}_{role}{suffix}'
        place = origin.rotation @ (along * np.array(axis)) + origin.xyz
        add(bodies.nodes[link], 'site', {
            'name': name, **pose(Pose(tuple(place.tolist()), origin.quaternion))})
    return names


def write_home(keyframe: Node, bodies: Bodies, actuators: list[Actuator], tree: KinematicTree,
               configuration: Array) -> None:
    """
    Append a configuration as ``home``, which position actuators hold.

    :param tree: that of the robot with its base.
    """
    home = with_mimic(tree, tree.variable_names, configuration)
    values = [value for joint in bodies.robot.tree
              for value in joint_positions(bodies, joint, home)]
    controls = [home[each.joint.name] if each.kind == 'position' else 0.0 for each in actuators]
    if values:
        add(keyframe, 'key', {'name': HOME, 'qpos': values, 'ctrl': controls or None})
