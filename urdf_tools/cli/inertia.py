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

"""Print the masses and inertias of links, or compute them from shapes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
import sys

from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import add_format
from urdf_tools.cli.arguments import add_mesh_limits
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import named_number
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import positive_number
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.changes import description_diff
from urdf_tools.cli.changes import require_file
from urdf_tools.cli.changes import require_urdf
from urdf_tools.cli.inertia_report import print_report
from urdf_tools.cli.inertia_report import report_as_data
from urdf_tools.cli.inertia_report import robot_report
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.positions import add_positions
from urdf_tools.cli.positions import joint_positions
from urdf_tools.cli.progress import progress
from urdf_tools.inertia.proposal import CHOICES
from urdf_tools.inertia.proposal import MassError
from urdf_tools.inertia.proposal import Masses
from urdf_tools.inertia.proposal import Proposal
from urdf_tools.inertia.proposal import propose
from urdf_tools.inertia.proposal import rewrite
from urdf_tools.inertia.shapes import SOURCES
from urdf_tools.meshes.mesh_facts import set_mesh_limits
from urdf_tools.model.document import read_document
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Robot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    add_positions(parser)
    parser.add_argument(
        '--from', dest='source', choices=SOURCES,
        help='shapes to compute from; default: collision shapes, or visual shapes without them')
    add_format(parser)
    add_mesh_limits(parser)
    group = parser.add_argument_group(
        'computing', 'The mass of a computed link is the one given with --mass, or else the one '
                     'in the description, or else its volume times the density.')
    group.add_argument(
        '--compute', choices=CHOICES,
        help='links whose inertia is computed from their shapes: those without an inertial, those '
             'with a physically inconsistent inertia, or all that have shapes')
    group.add_argument(
        '--mass', action='append', metavar='LINK=KG', type=_mass, default=[],
        help='mass of a link, whose inertia is then computed as well; repeatable')
    by_volume = group.add_mutually_exclusive_group()
    by_volume.add_argument(
        '--density', metavar='KG_PER_M3', type=positive_number,
        help='density; with --compute all it overrides the masses in the description')
    by_volume.add_argument(
        '--total-mass', metavar='KG', type=positive_number,
        help='mass of the robot, from which the density follows')
    output = group.add_mutually_exclusive_group()
    output.add_argument(
        '--diff', action='store_true', help='print the change of the description')
    output.add_argument(
        '--write', action='store_true', help='write the <inertial> elements to the file')


def run(arguments: argparse.Namespace) -> int:
    """Print the masses and inertias of the robot, given or computed."""
    _require_consistent(arguments)
    set_mesh_limits(arguments.mesh_limits)
    document = open_description(arguments)
    if arguments.write:
        require_urdf(document)
    robot = make_robot(document)
    resolve = resources_of(arguments).resolve
    failed = False
    if arguments.compute:
        proposal = _proposal(arguments, robot, resolve)
        failed = bool(proposal.failures)
        computed = read_document(rewrite(document, proposal.inertias), document.source)
        if arguments.diff:
            print_exact(description_diff(document, computed, 'computed'))
            return failed
        if arguments.write:
            write_file(arguments.file, computed.data)
            number = count(len(proposal.inertias), 'link')
            print(f'{number} written to {printable(arguments.file)}')
            return failed
        robot = make_robot(computed)
    positions = joint_positions(arguments, robot)
    with progress(printable(arguments.file)):
        report = robot_report(robot, positions, resolve, arguments.source)
    if arguments.format == 'json':
        print_json(report_as_data(report))
    else:
        print_report(report)
    return failed


def _require_consistent(arguments: argparse.Namespace) -> None:
    if arguments.compute is None:
        for option in ('mass', 'density', 'total_mass', 'diff', 'write'):
            if getattr(arguments, option):
                name = option.replace('_', '-')
                raise CommandError(f'--{name} requires --compute')
    elif arguments.write:
        require_file(arguments.file)


def _proposal(
        arguments: argparse.Namespace, robot: Robot, resolve: Callable[[str], Path]) -> Proposal:
    masses = Masses(
        {known(name, robot.links, 'link'): mass for name, mass in arguments.mass},
        arguments.density, arguments.total_mass)
    try:
        with progress(printable(arguments.file)):
            proposal = propose(robot, arguments.compute, masses, resolve, arguments.source)
    except MassError as error:
        raise CommandError(f'{error}.') from error
    for link, remarks in proposal.remarks.items():
        for remark in remarks:
            print(printable(f'{link}: {" ".join(remark.split())}'), file=sys.stderr)
    for link, reason in proposal.failures.items():
        print(printable(f'{link}: not computed: {" ".join(reason.split())}'),
              file=sys.stderr)
    return proposal


def _mass(text: str) -> tuple[str, float]:
    return named_number(text, positive_number, 'LINK=KG')
