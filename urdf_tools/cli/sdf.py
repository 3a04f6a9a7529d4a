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
Convert a robot to SDFormat as Gazebo does, and report what is lost.

For example:
  urdf-tools sdf robot.urdf
  urdf-tools sdf robot.urdf -o robot.sdf
"""

from __future__ import annotations

import argparse
from pathlib import Path

from urdf_tools.cli.arguments import loops_file
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import with_loops
from urdf_tools.cli.conversions import print_account
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import say_written
from urdf_tools.cli.output_files import write_file
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.model.loader import build_robot
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import RELEASES

OPTIONS = {'--target': {
    'choices': (*RELEASES, *ALIASES), 'default': DEFAULT_RELEASE, 'shown': RELEASES}}


def run(arguments: argparse.Namespace) -> int:
    """Convert the robot; return 0 if Gazebo loads the model."""
    document = open_description(arguments)
    refuse_sources([arguments.output], document, arguments.file)
    refuse_inputs([arguments.output], [loops_file(arguments)])
    path = None if arguments.file == '-' else Path(arguments.file)
    conversion = convert(
        with_loops(build_robot(document), arguments), arguments.target,
        arguments.preserve_fixed_joints, Context(resources_of(arguments), path), keeps_loops=True)
    if arguments.output and conversion.document is not None:
        write_file(arguments.output, conversion.text.encode())
    account, source, name = conversion.account, document.source, conversion.model.robot.name
    headline = conversion.headline
    was = f', though {document.format} fixes it' if isinstance(document, ConvertedDocument) and (
        not document.is_free) else ''
    more = [f'  the base moves freely in Gazebo{was}; a fixed joint from a link world to it holds '
            'it'] if account.loads and account.base == 'free' else []
    print_account(arguments, account, source, f'{name}: {headline} ({account.version})', {
        'source': source, 'robot': name, 'headline': headline}, more,
        is_beside=arguments.output is not None and arguments.format == 'text')
    if arguments.output and conversion.document is not None:
        say_written(arguments.output)
    return int(not account.loads)
