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
Report what each program loses or changes when it loads a robot.

For example:
  urdf-tools account robot.urdf --for mujoco,drake
  urdf-tools account robot.urdf --format json
"""

from __future__ import annotations

import argparse
from pathlib import Path

from urdf_tools.cli.account_asked import ask_programs
from urdf_tools.cli.account_report import print_accounts
from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import add_format
from urdf_tools.cli.arguments import add_mesh_limits
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import names_in
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import set_completions
from urdf_tools.cli.arguments import with_loops
from urdf_tools.cli.output import print_json
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.models import accounts
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.oracles.oracle import installed_release
from urdf_tools.programs.oracles.oracle import is_release
from urdf_tools.programs.oracles.oracle import PACKAGES
from urdf_tools.programs.source import Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    set_completions(parser.add_argument(
        '--for', dest='programs', metavar='PROGRAM[,PROGRAM]', type=names_in, default=NEWEST,
        help=f'programs to report on: {", ".join(MODELS)}; default: {", ".join(NEWEST)}'), MODELS)
    set_completions(parser.add_argument(
        '--ask', metavar='PROGRAM[,PROGRAM]', type=names_in, default=(),
        help='load the file in these programs themselves, in a sandbox, and compare with their '
             f'accounts: {", ".join(PACKAGES)}'), PACKAGES)
    parser.add_argument(
        '--python', metavar='INTERPRETER', default='',
        help='the Python that has the programs of --ask; default: the one of this command')
    add_format(parser)
    add_mesh_limits(parser)


def run(arguments: argparse.Namespace) -> int:
    """
    Print the accounts; return 0 if all programs load the description, and, asked, agree with them.

    Of a description that is no robot for the loader, their numbers are not known.
    """
    set_mesh_limits(arguments.mesh_limits)
    programs = [known(name, MODELS, 'program') for name in arguments.programs]
    document = open_description(arguments)
    remark = ''
    try:
        robot = with_loops(make_robot(document), arguments)
    except DescriptionError as error:
        if document.root.tag != 'robot':
            raise
        robot = None
        remark = f'{error}. What programs make of it is not known in numbers'
    file = None if arguments.file == '-' else Path(arguments.file)
    source, context = Source.of_document(document, robot), Context(resources_of(arguments), file)
    if arguments.ask:
        return ask_programs(arguments, document, source, context)
    found = accounts(programs, source, context)
    releases = {name: text for name, account in found.items() if (text := _other_release(account))}
    if arguments.format == 'json':
        print_json({
            name: account.data(document.source) | ({'remark': remark} if remark else {})
            | ({'release': releases[name]} if name in releases else {})
            for name, account in found.items()})
    else:
        print_accounts(found, document.root.get('name', ''), document.source, remark, releases)
    return 0 if all(account.loads for account in found.values()) else 1


def _other_release(account: Account) -> str:
    """Return what to know if another release is installed than the account is of; else nothing."""
    name = account.program
    version = '' if '-' in name else installed_release(name)
    if not version or is_release(version, account.version):
        return ''
    other = next((each for each in MODELS if is_release(f'{name}-{version}', each)), '')
    return f'{name} {version} is installed, ' + (
        f'whose account is --for {other}' if other else 'with which this one was not compared')
