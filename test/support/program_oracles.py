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

"""What programs load, from the programs themselves and as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import json
import os
from pathlib import Path
import tempfile
from typing import Any

import pytest
from support.program_cases import corpus_files
from support.program_cases import corpus_with_meshes
from support.program_cases import descriptions
from support.program_cases import write_meshes

from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.models import account_of
from urdf_tools.programs.oracles.oracle import Comparison
from urdf_tools.programs.oracles.oracle import Numbers
from urdf_tools.programs.oracles.oracle import numbers_of
from urdf_tools.programs.oracles.oracle import Oracle
from urdf_tools.programs.source import Source

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / 'test' / 'programs' / 'oracles'
PYTHON = Path(os.environ.get('URDF_TOOLS_ORACLE', ROOT / '.ros' / 'oracle')) / 'bin' / 'python'

NEEDS_PROGRAMS = pytest.mark.skipif(
    not PYTHON.is_file(), reason='the programs are not installed; make oracle does that')


def oracle_of(program: str) -> Oracle:
    """Return a program in the environment of ``make oracle``; close it afterwards."""
    return Oracle(program.partition('-')[0], str(PYTHON))


def recorded(program: str) -> tuple[str, dict[str, Numbers]]:
    """Return the release of a program and what it loaded of each description."""
    record = json.loads((RECORDS / f'{program}.json').read_text())
    version, fields = record.pop('version'), record.pop('fields')
    return version, {name: {**fields, **numbers} for name, numbers in record.items()}


def write_record(program: str) -> None:
    """Write the file of a program, one line for each description."""
    program_itself = oracle_of(program)
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
    for name in Comparison('', account, numbers, ours).different:
        reasons = f', {ours.get("error")}, {numbers.get("error")}' if name == 'loads' else ''
        yield f'{name}: {ours[name]}, {numbers[name]}{reasons}'
