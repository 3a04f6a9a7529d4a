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
Print the poses of links at given joint positions.

For example:
  urdf-tools fk robot.urdf --joint elbow_joint=0.5 --link tool0
  urdf-tools fk robot.urdf --frame tool0
"""

from __future__ import annotations

import argparse

import numpy as np

from urdf_tools.cli.arguments import joint_positions
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import load_robot
from urdf_tools.cli.arguments import shown
from urdf_tools.cli.closed_loops import closed_positions
from urdf_tools.cli.output import fixed_point
from urdf_tools.cli.output import print_result
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Mechanism
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.messages import table
from urdf_tools.model.pose import rpy_of


def run(arguments: argparse.Namespace) -> int:
    """Print the poses of links."""
    robot = load_robot(arguments)
    frame = known(arguments.frame or robot.root, robot.links, 'link')
    links = [known(link, robot.links, 'link') for link in arguments.link or robot.links]
    kinematics = ForwardKinematics(robot, [frame, *links])
    given = joint_positions(arguments, robot)
    positions = kinematics.tree.configuration(given)
    solved: dict[str, float] = {}
    if robot.loops:
        mechanism = Mechanism(kinematics.tree)
        positions = closed_positions(mechanism, given)
        solved = {name: positions[mechanism.tree.variable_index[name]]
                  for group in mechanism.groups for name in group.variables if name not in given}
    base, *poses = kinematics(positions)
    poses = invert(base) @ poses
    translations = poses[:, :3, 3]
    quaternions = matrix_to_quaternion(poses[:, :3, :3])
    words, columns, rotations = 'quaternions x y z w', 'qx qy qz qw', quaternions
    if arguments.degrees:
        words, columns = 'degrees', 'roll pitch yaw'
        rotations = np.degrees([rpy_of(pose[:3, :3]) for pose in poses])
    lines = [f'In {frame}; metres, {words}:', *table(
        ('link', 'x', 'y', 'z', *columns.split()),
        ((link, *map(fixed_point, (*xyz, *rotation)))
         for link, xyz, rotation in zip(links, translations, rotations)))]
    if solved:
        lines += ['Positions that close the loops:', *table(('joint', 'position'), (
            (name, fixed_point(shown(robot.joints.get(name), position, arguments.degrees)))
            for name, position in solved.items()))]
    print_result(arguments.format, lambda: {
        'frame': frame,
        'poses': [{'link': link, 'xyz': xyz, 'quaternion': quaternion}
                  for link, xyz, quaternion in zip(links, translations, quaternions)],
        **({'solved': solved} if robot.loops else {})}, lines)
    return 0
