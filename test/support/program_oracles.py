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
What programs load, from the programs themselves and as it was recorded, and their accounts.

``python -m support.program_oracles mujoco`` in test/, after ``make oracle``, writes what a program
loads of the descriptions of the tests into test/programs/oracles/. URDF_TOOLS_ORACLE names another
Python environment, such as one with an older release: ``mujoco-3.3`` is the program ``mujoco``.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import json
import os
from pathlib import Path
import re
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
import pytest
from support.program_cases import corpus_files
from support.program_cases import corpus_with_meshes
from support.program_cases import descriptions
from support.program_cases import write_meshes

from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / 'test' / 'programs' / 'oracles'
PYTHON = Path(os.environ.get('URDF_TOOLS_ORACLE', ROOT / '.ros' / 'oracle')) / 'bin' / 'python'

NEEDS_PROGRAMS = pytest.mark.skipif(
    not PYTHON.is_file(), reason='the programs are not installed; make oracle does that')

_PACKAGE = re.compile(r'(?:package|model)://([^/"\']+)/')

Numbers = Mapping[str, Any]
"""``loads``; if it does not, the ``error``, otherwise fields of ``Parts`` and ``base``."""


class Oracle:
    """
    A program in the environment of ``make oracle``, with the module of its name in tools/oracles.

    It is loaded once, and each description in a process of its own, so that a crash does not
    affect the next one.

    :ivar version: its release.
    """

    def __init__(self, program: str):
        """
        Start it.

        :raises ValueError: it is not installed.
        """
        self._program = program.partition('-')[0]
        self._folder = tempfile.TemporaryDirectory()  # Some write logs.
        # The libraries of ROS are not those of the program.
        self._process = subprocess.Popen(
            [PYTHON, '-E', '-s', ROOT / 'tools' / 'oracles' / 'answer.py', self._program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self._folder.name,
            env={name: os.environ[name] for name in ('PATH', 'HOME') if name in os.environ})
        self.version: str = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def numbers(self, path: Path) -> Numbers:
        """Return what the program has loaded, or why it loads nothing."""
        assert self._process.stdin is not None
        request: list[object] = [str(path.absolute())]
        if self._program == 'drake':
            # Its user has to add the packages.
            lookup = ResourceResolver(path.parent).lookup
            names = _PACKAGE.findall(path.read_text(errors='replace'))
            request.append({name: str(folder) for name in names if (folder := lookup.find(name))})
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer: Numbers = self._answer()
        return answer

    def close(self) -> None:
        """End the program."""
        self._process.communicate()
        self._folder.cleanup()


def recorded(program: str) -> tuple[str, dict[str, Numbers]]:
    """Return the release of a program and what it loaded of each description."""
    record = json.loads((RECORDS / f'{program}.json').read_text())
    version, fields = record.pop('version'), record.pop('fields')
    return version, {name: {**fields, **numbers} for name, numbers in record.items()}


def write_record(program: str) -> None:
    """Write the file of a program, one line for each description."""
    program_itself = Oracle(program)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        write_meshes(Path(folder))
        file = Path(folder, 'robot.urdf')
        for name, text in descriptions().items():
            file.write_text(text)
            found[name] = program_itself.numbers(file)
        for name, path in {**corpus_with_meshes(Path(folder)), **corpus_files()}.items():
            found[name] = program_itself.numbers(path)
    program_itself.close()
    lines = ',\n'.join(f'{json.dumps(name)}: {json.dumps(value, separators=(",", ":"))}'
                       for name, value in _as_record(program_itself.version, found).items())
    (RECORDS / f'{program}.json').write_text(f'{{\n{lines}\n}}\n')


def _as_record(version: str, found: Mapping[str, Numbers]) -> dict[str, Any]:
    """Return what a program loaded with eight digits, and without zeros."""
    fields: dict[str, Any] = {'loads': True}
    for numbers in found.values():
        for name, value in numbers.items():
            if name not in ('loads', 'error', 'base'):
                fields[name] = None if value is None else fields.get(name) or type(value)()
    return {'version': version, 'fields': fields, **{
        name: {key: _short(value) for key, value in numbers.items()
               if key != 'error' and fields.get(key) != value}
        for name, numbers in found.items()}}


def _short(value: Any) -> Any:
    if isinstance(value, list):
        return [_short(item) for item in value]
    return float(f'{value:.8g}') if isinstance(value, float) else value


def differences(program: str, source: Source, path: Path, numbers: Numbers) -> Iterator[str]:
    """Yield where the account of a description is not what the program has loaded."""
    account = account_of(program, source, Context(ResourceResolver(path.parent), path))
    ours = numbers_of(account)
    if numbers['loads'] != ours['loads']:
        yield (f'loads: {ours["loads"]}, {numbers["loads"]}, {ours.get("error")}, '
               f'{numbers.get("error")}')
    elif ours['loads'] and account.kept is not None:
        for name, theirs in numbers.items():
            if not _is_equal(name, ours.get(name), theirs):
                yield f'{name}: {ours[name]}, {theirs}'


def numbers_of(account: Account) -> Numbers:
    """Return what a program has according to its account."""
    if account.kept is None or account.causes:
        return {'loads': account.loads, 'error': ''.join(
            str(cause.message) for cause in account.causes[:1])}
    counts = dict(vars(account.kept))
    body = counts.pop('body')
    return {'loads': True, 'base': account.base, **counts, 'mass': body.mass,
            'centre_of_mass': body.com, 'inertia': body.rotational}


def _is_equal(name: str, ours: Any, theirs: Any) -> bool:
    if not isinstance(theirs, (float, list)):
        return theirs is None or bool(ours == theirs)
    # What is zero may be rounded to less than that.
    size = max(np.abs(theirs).max(), 1e-9)
    # What depends on a mesh is not a number where meshes are not read.
    return bool(np.isnan(ours).any() or np.allclose(ours, theirs, rtol=1e-6, atol=1e-6 * (
        0 if name == 'mass' else max(size, 1) if name == 'centre_of_mass' else size)))


if __name__ == '__main__':
    for name in sys.argv[1:]:
        write_record(name)
