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

"""What programs themselves load of a robot, beside their accounts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
import sys
from typing import Any

import numpy as np

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_table
from urdf_tools.model.messages import printable
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.document import Document
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.oracles.oracle import compare
from urdf_tools.programs.oracles.oracle import Comparison
from urdf_tools.programs.oracles.oracle import NotInstalled
from urdf_tools.programs.oracles.oracle import Oracle
from urdf_tools.programs.oracles.oracle import PACKAGES
from urdf_tools.programs.source import Source
from urdf_tools.sandbox.limits import SandboxError

_WORDS = {'mass': 'mass (kg)', 'centre_of_mass': 'centre of mass (m)', 'mimic': 'mimic joints',
          'visuals': 'visual shapes', 'collisions': 'collision shapes'}

_ENTRIES = {'ixx iyy izz': ((0, 1, 2), (0, 1, 2)), 'ixy ixz iyz': ((0, 0, 1), (1, 2, 2))}


def ask_programs(arguments: argparse.Namespace, document: Document, source: Source,
                 context: Context) -> int:
    """
    Print what programs have loaded beside their accounts.

    :returns: 1 if one of them refuses the description, or has something else than its account.
    :raises CommandError: a program is not installed, or cannot load the file as it is.
    """
    programs = [known(name, PACKAGES, 'program') for name in arguments.ask]
    if context.file is None or document.is_expanded:
        raise CommandError('--ask needs a URDF file, which programs find meshes beside; write one '
                           'with "urdf-tools expand"')
    found = {name: _compared(name, arguments.python, context.file, source, context)
             for name in programs}
    if arguments.format == 'json':
        print_json({name: comparison.data() for name, comparison in found.items()})
    else:
        print(f'{printable(document.source)}: {printable(document.root.get("name", ""))}')
        for name, comparison in found.items():
            _print(name, comparison)
    return 0 if all(each.theirs['loads'] and not each.different for each in found.values()) else 1


def _compared(name: str, python: str, path: Path, source: Source, context: Context) -> Comparison:
    try:
        with closing(Oracle(name, python)) as program:
            return compare(program, path, source, context)
    except NotInstalled as error:
        raise CommandError(
            f'{name} is not installed in {python or sys.executable}: {error}. Name an interpreter '
            'that has it with --python') from error
    except SandboxError as error:
        raise CommandError(f'{name} gives no answer: {error}') from error


def _print(name: str, comparison: Comparison) -> None:
    release = comparison.account.version
    print()
    print_table(['', f'{name} {comparison.version}', f'account of {release}', ''],
                _rows(comparison))
    for words, numbers in ((name, comparison.theirs), ('account', comparison.ours)):
        if numbers.get('error'):
            print(f'{words}: {printable(" ".join(numbers["error"].split()))}')
    if not comparison.is_of_release:
        print(f'The account is of {name} {release}, from which {comparison.version} may differ.')
    if comparison.different:
        print('The account is wrong where they differ. Please report it to urdf_tools with this '
              'output and the description.')


def _rows(comparison: Comparison) -> Iterator[list[str]]:
    for name, theirs in comparison.theirs.items():
        both = theirs, comparison.ours.get(name)
        differs = 'differs' if name in comparison.different else ''
        if name == 'inertia':
            for words, entries in _ENTRIES.items():
                yield [f'{words} (kg m^2)', *(_text(
                    None if each is None else np.array(each)[entries]) for each in both), differs]
        elif name != 'error':
            yield [_WORDS.get(name, name.replace('_', ' ')), *map(_text, both), differs]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if isinstance(value, dict):
        return ', '.join(f'{number} {kind}' for kind, number in value.items()) or '0'
    if value is None or isinstance(value, str):
        return value or '-'
    values = np.ravel(value).tolist()
    return ' '.join(number_texts(values, 6)) if np.isfinite(values).all() else '?'
