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
Print the tree of links and joints.

For example:
  urdf-tools tree robot.urdf
  urdf-tools tree robot.urdf.xacro prefix:=left_ --format json
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from math import inf
from typing import Any

from urdf_tools.cli.arguments import load_robot
from urdf_tools.cli.arguments import shown
from urdf_tools.cli.arguments import unit_of
from urdf_tools.cli.output import print_result
from urdf_tools.model.loops import Loop
from urdf_tools.model.messages import count
from urdf_tools.model.messages import readable
from urdf_tools.model.messages import shortened
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot

_MAX_INDENT = 4 * 100


def run(arguments: argparse.Namespace) -> int:
    """Print the tree of the robot."""
    robot = load_robot(arguments)
    print_result(arguments.format, partial(_as_data, robot), map(
        shortened, tree_lines(robot, arguments.degrees)))
    return 0


def tree_lines(robot: Robot, degrees: bool = False) -> Iterator[str]:
    """
    Yield a summary, then one line per link, below its parent, and those about loops.

    Links more than 100 joints away from the root have the same indentation and name their parent,
    because the lines of a chain would otherwise grow with the square of its length.
    """
    moving = sum(joint.type is not JointType.FIXED for joint in robot.tree)
    yield (f'{robot.name}: {count(len(robot.links), "link")}, '
           f'{count(len(robot.tree), "joint")}, {moving} of them moving')
    yield robot.root
    pending = _branches(robot, robot.root, '')
    while pending:
        joint, stem, last = pending.pop()
        about = _description(joint, degrees)
        about += f', below {joint.parent}' if len(stem) > _MAX_INDENT else ''
        yield f'{stem}{"└── " if last else "├── "}{joint.child}  ({about})'
        if len(stem) <= _MAX_INDENT:
            stem += '    ' if last else '│   '
        pending.extend(_branches(robot, joint.child, stem))
    if robot.loops:
        # It imports the solver of loops, and most robots have none.
        from urdf_tools.cli.closed_loops import loop_lines
        yield from loop_lines(robot)


def _branches(robot: Robot, link: str, stem: str) -> list[tuple[Joint, str, bool]]:
    """Return the child joints of a link, last first, the start of their lines, if it is last."""
    joints = robot.child_joints[link]
    return [(joint, stem, joint is joints[-1]) for joint in reversed(joints)]


def _description(joint: Joint, degrees: bool) -> str:
    parts = [f'{joint.name}: {joint.type.value}']
    if joint.type in (JointType.REVOLUTE, JointType.PRISMATIC) and joint.limits is not None:
        lower, upper = (shown(joint, value, degrees) for value in (
            joint.limits.lower, joint.limits.upper))
        parts.append(f'{readable(lower)} to {readable(upper)} {unit_of(joint, degrees)}')
    if joint.mimic is not None:
        value = shown(joint, joint.mimic.offset, degrees)
        offset = f' {readable(value, "+g")}' if value else ''
        parts.append(f'mimics {readable(joint.mimic.multiplier)} * {joint.mimic.joint}{offset}')
    return ', '.join(parts)


def _as_data(robot: Robot) -> dict[str, Any]:
    return {
        'name': robot.name,
        'root': robot.root,
        'links': list(robot.subtree(robot.root)),
        'joints': [_joint_as_data(joint) for joint in robot.tree],
        **({'loops': [{
            **_as_record(loop), 'parent_origin': asdict(loop.parent_origin),
            'child_origin': asdict(loop.child_origin)} for loop in robot.loops]}
           if robot.loops else {})}


def _joint_as_data(joint: Joint) -> dict[str, Any]:
    data = {**_as_record(joint), 'origin': asdict(joint.origin)}
    if joint.type not in (JointType.FIXED, JointType.FLOATING):
        data['axis'] = joint.axis
    for name in ('limits', 'mimic'):
        record = getattr(joint, name)
        if record is not None:
            data[name] = {
                key: value for key, value in vars(record).items()
                if value is not None and value not in (inf, -inf)}
    return data


def _as_record(connection: Joint | Loop) -> dict[str, Any]:
    return {'name': connection.name, 'type': connection.type.value, 'parent': connection.parent,
            'child': connection.child}
