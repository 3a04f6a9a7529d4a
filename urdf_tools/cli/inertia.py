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

"""Print masses and inertias, or compute them from shapes and write them down."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
import sys

from urdf_tools.cli.description import add_description
from urdf_tools.cli.description import add_format
from urdf_tools.cli.description import add_positions
from urdf_tools.cli.description import CommandError
from urdf_tools.cli.description import joint_positions
from urdf_tools.cli.description import known
from urdf_tools.cli.description import make_robot
from urdf_tools.cli.description import named_number
from urdf_tools.cli.description import open_description
from urdf_tools.cli.description import positive_number
from urdf_tools.cli.description import print_json
from urdf_tools.cli.inertia_report import print_report
from urdf_tools.cli.inertia_report import report_as_data
from urdf_tools.cli.inertia_report import robot_report
from urdf_tools.cli.writing import difference
from urdf_tools.cli.writing import write
from urdf_tools.inertia.proposal import CHOICES
from urdf_tools.inertia.proposal import MassError
from urdf_tools.inertia.proposal import Masses
from urdf_tools.inertia.proposal import Proposal
from urdf_tools.inertia.proposal import propose
from urdf_tools.inertia.rewriting import rewrite
from urdf_tools.inertia.shapes import SOURCES
from urdf_tools.model.document import read_document
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    add_positions(parser)
    parser.add_argument(
        '--from', dest='source', choices=SOURCES,
        help='shapes to weigh; default: the collision shapes of a link, or else the visual ones')
    add_format(parser)
    group = parser.add_argument_group(
        'computing', 'A computed link has the mass that is given for it, or else keeps its own, '
                     'or else has what its volume and a density give.')
    group.add_argument(
        '--compute', choices=CHOICES,
        help='compute inertias from shapes: of links without one, of those with one that no body '
             'can have, or of all; links without shapes are left alone')
    group.add_argument(
        '--mass', action='append', metavar='LINK=KG', type=_mass, default=[],
        help='mass of a link, which is then computed too; repeatable')
    by_volume = group.add_mutually_exclusive_group()
    by_volume.add_argument(
        '--density', metavar='KG_PER_M3', type=positive_number,
        help='with --compute all it goes before the masses that links have')
    by_volume.add_argument(
        '--total-mass', metavar='KG', type=positive_number,
        help='mass of the robot; what the other links leave of it gives the density')
    output = group.add_mutually_exclusive_group()
    output.add_argument(
        '--diff', action='store_true', help='print what would change in the description')
    output.add_argument(
        '--write', action='store_true', help='change the <inertial> elements in the file')


def run(arguments: argparse.Namespace) -> int:
    """Print the masses and inertias of the robot, as they are or as they would be."""
    _check(arguments)
    document = open_description(arguments)
    robot = make_robot(document)
    folder = None if arguments.file == '-' else Path(arguments.file).parent
    resolve = ResourceResolver(folder).resolve
    failed = False
    if arguments.compute:
        proposal = _proposal(arguments, robot, resolve)
        failed = bool(proposal.failures)
        computed = read_document(rewrite(document, proposal.inertias), document.source)
        if arguments.diff:
            print(difference(document, computed, 'computed'))
            return failed
        if arguments.write:
            write(Path(arguments.file), computed.data)
            count = len(proposal.inertias)
            print(f'{count} link{"" if count == 1 else "s"} written to {arguments.file}')
            return failed
        robot = make_robot(computed)
    report = robot_report(robot, joint_positions(arguments, robot), resolve, arguments.source)
    if arguments.format == 'json':
        print_json(report_as_data(report))
    else:
        print_report(report)
    return failed


def _check(arguments):
    if arguments.compute is None:
        for option in ('mass', 'density', 'total_mass', 'diff', 'write'):
            if getattr(arguments, option):
                name = option.replace('_', '-')
                raise CommandError(f'--{name} goes with --compute, which says what to compute')
    elif arguments.write:
        if arguments.file == '-':
            raise CommandError('Standard input cannot be written to; --diff prints the change')
        if arguments.file.lower().endswith('.xacro'):
            raise CommandError(
                'A xacro file cannot be written to, since its elements come from macros; '
                '--diff prints the change to what it expands to')


def _proposal(
        arguments: argparse.Namespace, robot: Robot, resolve: Callable[[str], Path]) -> Proposal:
    masses = Masses(
        {known(name, robot.links, 'link'): mass for name, mass in arguments.mass},
        arguments.density, arguments.total_mass)
    try:
        proposal = propose(robot, arguments.compute, masses, resolve, arguments.source)
    except MassError as error:
        raise CommandError(f'{error}.') from error
    for link, remarks in proposal.remarks.items():
        for remark in remarks:
            print(f'{link}: {remark}', file=sys.stderr)
    for link, reason in proposal.failures.items():
        print(f'{link}: not computed: {reason}', file=sys.stderr)
    return proposal


def _mass(text):
    return named_number(text, positive_number, 'LINK=KG')
