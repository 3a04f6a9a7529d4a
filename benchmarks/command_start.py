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
Start-up of the command: CPU time of verbs that do little, beside that of Python alone.

All take turns, and each is a ratio to ``python -c pass`` in the same round: the time of Python
itself depends on the machine and on what ``.pth`` files import.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
from pathlib import Path
from statistics import median
import subprocess
import sys
import time
from typing import NamedTuple

from benchmarks.report import machine

FOLDER = Path(__file__).resolve().parents[1] / 'urdf'

PYTHON = 'python -c pass'

COMMANDS = {
    PYTHON: ('-c', 'pass'),
    'import numpy': ('-c', 'import numpy'),
    **{f'urdf-tools {arguments}': ('-m', 'urdf_tools.cli', *arguments.split()) for arguments in (
        '--version', '--help', 'tree arm.urdf', 'fk arm.urdf', 'expand arm.urdf.xacro',
        'check arm.urdf')}}
"""Each command, as the table names it, to the arguments of Python."""


class Times(NamedTuple):
    """Seconds from the start of a process: by the clock, and of CPU time."""

    wall: float
    cpu: float


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=15, help='default: 15')
    rounds = parser.parse_args(args).rounds
    os.chdir(FOLDER)
    os.environ.pop('PYTHONDONTWRITEBYTECODE', None)  # To compile would take most of the time.
    imports = {name: modules(command) for name, command in COMMANDS.items()}
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            times[name].append(until_end([sys.executable, *command]).cpu)
    print(machine())
    print(f'medians of {rounds} interleaved rounds')
    print('| | CPU ms | shortest | ratio to Python | our modules |')
    print('|---|---:|---:|---:|---:|')
    for name, number in imports.items():
        ratio = median(own / alone for own, alone in zip(times[name], times[PYTHON]))
        print(f'| `{name}` | {1e3 * median(times[name]):.0f} | {1e3 * min(times[name]):.0f} '
              f'| {ratio:.1f} | {number} |')


def until_end(command: Sequence[str]) -> Times:
    """Return the times of a command until it ends."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f'{" ".join(command)} ended with exit code {process.returncode}')
    return Times(wall, usage.ru_utime + usage.ru_stime)


def modules(command: Sequence[str]) -> int:
    """Return the number of our modules that a command imports in its own process."""
    result = subprocess.run(
        [sys.executable, '-X', 'importtime', *command], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, check=True)
    names = {line.rpartition('|')[2].strip() for line in result.stderr.splitlines()}
    return sum(name.partition('.')[0] == 'urdf_tools' for name in names)


if __name__ == '__main__':
    main()
