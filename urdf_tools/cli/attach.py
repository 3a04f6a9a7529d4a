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
Attach a robot, such as a gripper, to a link of another one.

For example:
  urdf-tools attach robot.urdf --link tool0 gripper.urdf --prefix left_ -o both.urdf
  urdf-tools attach robot.urdf --link tool0 gripper.urdf --prefix left_ --xyz 0 0 0.05
"""

from __future__ import annotations

import argparse
import sys

from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import two_descriptions
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_output
from urdf_tools.model.composition import attach
from urdf_tools.model.loader import text_of
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.programs.importers import WORLD

OPTIONS = {
    'inputs': {'shown': ('the robot and the one to attach',)},
    '--xyz': {'metavar': ('X', 'Y', 'Z')}, '--rpy': {'metavar': ('R', 'P', 'Y')}}


def run(arguments: argparse.Namespace) -> int:
    """Write the robot with the other one attached."""
    files = two_descriptions(arguments)
    documents = [open_description(each) for each in files]
    for file, document in zip(files, documents):
        if document is documents[1] or document.xacro is not None:
            refuse_sources([arguments.output], document, file.file)
    robot, other = map(make_robot, documents)
    (x, y, z), (roll, pitch, yaw) = arguments.xyz, arguments.rpy
    made = attach(
        robot, known(arguments.link, robot.links, 'link'), other, prefix=arguments.prefix,
        origin=Pose((x, y, z), quaternion_from_rpy(roll, pitch, yaw)), joint=arguments.joint)
    write_output(arguments.output, text_of(made))
    if other.root == WORLD and not arguments.prefix:
        print_line('urdf-tools: Simulators refuse a link world that is the child of a joint, as '
                   'that of the attached robot is now; --prefix renames it', sys.stderr)
    return 0
