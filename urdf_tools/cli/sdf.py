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

"""Convert a robot to SDFormat as Gazebo does, and report what is lost."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys

from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import add_loops_file
from urdf_tools.cli.arguments import loops_file
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output_files import refuse_inputs
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_text
from urdf_tools.cli.sdf_report import as_data
from urdf_tools.cli.sdf_report import as_sarif
from urdf_tools.cli.sdf_report import error_line
from urdf_tools.cli.sdf_report import print_report
from urdf_tools.model.loader import build_robot
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo.conversion import convert
from urdf_tools.programs.gazebo.conversion_report import ConversionReport
from urdf_tools.programs.gazebo.targets import ALIASES
from urdf_tools.programs.gazebo.targets import DEFAULT_TARGET
from urdf_tools.programs.gazebo.targets import TARGETS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    add_loops_file(parser)
    parser.add_argument(
        '-o', '--output', metavar='SDF', help='file to write the model to; - is standard output')
    parser.add_argument(
        '--target', choices=(*TARGETS, *ALIASES), default=DEFAULT_TARGET, metavar='GAZEBO',
        help=f'{", ".join(TARGETS)}, or the number of their libsdformat; default: '
             f'{DEFAULT_TARGET}')
    parser.add_argument(
        '--preserve-fixed-joints', action='store_true',
        help='keep fixed joints instead of lumping their links')
    parser.add_argument(
        '--report', action='store_true',
        help='print what is lost of the description; the default without -o, and with --format')
    parser.add_argument(
        '--all', action='store_true', help='print what becomes of each element and attribute')
    parser.add_argument(
        '--format', choices=('text', 'json', 'sarif'), default='text',
        help='format of the report; default: text')


def run(arguments: argparse.Namespace) -> int:
    """Convert the robot; return 0 if Gazebo loads the model."""
    document = open_description(arguments)
    refuse_sources([arguments.output], document, arguments.file)
    loops = loops_file(arguments)
    refuse_inputs([arguments.output], [loops])
    path = None if arguments.file == '-' else Path(arguments.file)
    conversion = convert(
        build_robot(document), arguments.target, arguments.preserve_fixed_joints,
        Context(ResourceResolver('.' if path is None else path.parent), path), keeps_loops=True,
        loops_file=loops)
    if arguments.output and conversion.document is not None:
        write_text(arguments.output, conversion.text.encode())
    if (arguments.report or arguments.all or not arguments.output
            or arguments.format != 'text'):
        report = ConversionReport(conversion)
        file = sys.stderr if arguments.output == '-' else sys.stdout
        if arguments.format == 'json':
            print_json(as_data(report, document.source, arguments.all), file)
        elif arguments.format == 'sarif':
            print_json(as_sarif(report, document.source), file)
        else:
            print_report(report, document.source, arguments.all, file)
    else:
        for error in conversion.load_errors:
            print(error_line(error, document.source), file=sys.stderr)
    return 1 if conversion.load_errors else 0
