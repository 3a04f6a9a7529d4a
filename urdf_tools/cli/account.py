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
from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from importlib import metadata
from pathlib import Path
import sys
from typing import Any

from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import with_loops
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.statics import Statics
from urdf_tools.findings.rules import Faults
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import shortened
from urdf_tools.model.messages import table
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import accounts
from urdf_tools.programs.models import judged
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.summaries import comparison
from urdf_tools.programs.summaries import lines_of
from urdf_tools.programs.summaries import title_of
from urdf_tools.programs.tables import TABLES

_PACKAGES: Mapping[str, str] = TABLES['packages of programs']
"""Programs to the Python packages that tell which release is installed."""

OPTIONS = {'--for': {
    'default': (*NEWEST, 'genesis', 'newton'), 'complete': MODELS,
    'shown': (f'{", ".join(MODELS)}; default: {", ".join(NEWEST)}',)}}


def run(arguments: argparse.Namespace) -> int:
    """
    Print the accounts, and return 0 if all programs load the description.

    If our loader refuses the description, the numbers are not known.
    """
    programs = [known(name, MODELS, 'program') for name in arguments.programs]
    document = open_description(arguments)
    refused = ''
    try:
        robot = with_loops(make_robot(document), arguments)
    except DescriptionError as error:
        if document.root.tag != 'robot':
            raise
        robot = None
        refused = joined(str(error), 'What programs make of it is not known in numbers')
    file = None if arguments.file == '-' else Path(arguments.file)
    source, context = Source.of_document(document, robot), Context(resources_of(arguments), file)
    programs, own = judged(programs, source)
    remarks = [*filter(None, (own, refused))]
    faults = Faults()
    show: Callable[[Account, str], Any] = _as_data if arguments.format == 'json' else partial(
        _as_lines, explains=len(programs) == 1)
    found = accounts(programs, source, context, faults,
                     lambda name, account: show(account, document.source))
    statics = None
    if robot is not None and any(
            joint.limits is not None and joint.limits.effort for joint in robot.tree):
        with faults.contained('the statics'):
            statics = Statics(robot)
    failed = [*faults.findings()]
    if arguments.format == 'json':
        print_lines([own] if own and not found else (), sys.stderr)
        print_json({
            **{name: data | ({'remark': '. '.join(remarks)} if remarks else {})
               for name, (_, data) in found.items()},
            **({'statics': statics.data()} if statics else {}),
            **({failed[0].code: [each.message for each in failed]} if failed else {})})
    else:
        title = shortened(f'{document.source}: {document.root.get("name", "")}')
        print_lines((title, *remarks, *(
            f'{document.source}: {each.severity.label}: {each.message} [{each.code}]'
            for each in failed)))
        shown = [account for name, (account, _) in found.items() if MODELS[name]]
        if shown:
            header, *rows = comparison(shown)
            print_lines(table(header, rows))
        print_lines(line for name, (account, lines) in found.items()
                    if MODELS[name] or account.losses for line in lines)
        if statics:
            print_lines(('', 'efforts against gravity',
                         *(f'  {line}' for line in statics.lines())))
    if arguments.debug:
        print_lines((text for each in failed for text in each.traceback.splitlines()), sys.stderr)
    return 0 if not failed and all(account.loads for account, _ in found.values()) else 1


def _as_data(account: Account, source: str) -> dict[str, Any]:
    release = _other_release(account)
    return account.data(source) | ({'release': release} if release else {})


def _as_lines(account: Account, source: str, explains: bool = False) -> list[str]:
    """Return what a program loses as lines below its name."""
    release = _other_release(account)
    return ['', title_of(account), *([f'  another release: {release}'] if release else []),
            *lines_of(account, source, explains, ' (--format json has all)')]


def _other_release(account: Account) -> str:
    """Return a sentence if a release is installed that the account is not of; else nothing."""
    name = account.program
    try:
        version = metadata.version(_PACKAGES[name])
    except (KeyError, metadata.PackageNotFoundError):
        return ''
    if _is_release(version, account.version):
        return ''
    other = next((each for each in MODELS if _is_release(f'{name}-{version}', each)), '')
    return f'{name} {version} is installed, ' + (
        f'whose account is --for {other}' if other else 'with which this one was not compared')


def _is_release(version: str, release: str) -> bool:
    """Return whether a version, such as 3.8.1, is of a release, such as 3.8."""
    return f'{version}.'.startswith(f'{release}.')
