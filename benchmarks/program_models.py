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
Compare the accounts of programs with the programs themselves, on generated descriptions.

Each difference is printed with the number of its description and, with ``--reduce``, the smallest
description that still has it. The seed that is printed makes the same descriptions again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
import secrets
import sys
import tempfile
from xml.etree.ElementTree import tostring

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.generated_meshes import write_package  # noqa: E402
from support.program_comparison import Comparer  # noqa: E402
from support.program_comparison import description  # noqa: E402
from support.program_comparison import PROGRAMS  # noqa: E402


def main(args: list[str] | None = None) -> int:
    """Compare each program, and return whether something differs."""
    parser = argparse.ArgumentParser(
        prog='benchmarks.program_models', description=__doc__.strip().split('\n')[0])
    parser.add_argument('--program', choices=PROGRAMS, action='append', help='default: all')
    parser.add_argument('--count', type=int, default=2000, help='descriptions; default: 2000')
    parser.add_argument('--start', type=int, default=0, help='the first one; default: 0')
    parser.add_argument('--seed', help='the one that an earlier run printed; default: a new one')
    parser.add_argument('--reduce', type=int, default=0, metavar='N', help=(
        'print the smallest description for N differences of each field; default: 0'))
    arguments = parser.parse_args(args)
    arguments.seed = arguments.seed or secrets.token_hex(4)
    print(f'seed {arguments.seed}', flush=True)
    return max([compare(program, arguments) for program in arguments.program or PROGRAMS])


def compare(program: str, arguments: argparse.Namespace) -> int:
    """Compare one program with its model, and return whether something differs."""
    counts: Counter[str] = Counter()
    reduced: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        comparer = Comparer(program, write_package(Path(folder)))
        for number in range(arguments.start, arguments.start + arguments.count):
            robot = description(arguments.seed, number)
            comparison = comparer.compare(robot)
            is_verdict = any(text.startswith('loads') for text in comparison.found)
            counts['verdict'] += not is_verdict
            counts['loaded'] += comparison.loads and not is_verdict
            counts['equal'] += comparison.loads and not comparison.found
            for kind in sorted(comparison.kinds)[:1]:
                print(f'{program} {number}', *comparison.found[:4], sep='\n  ', flush=True)
                reduced[kind] += 1
                if reduced[kind] <= arguments.reduce:
                    smallest = comparer.reduced(robot, kind)
                    print('  ', *comparer.compare(smallest).found[:2], sep='\n  ')
                    print(f'  minimal: {tostring(smallest, encoding="unicode")}', flush=True)
        comparer.close()
    print(f'{program}: verdict {counts["verdict"]} of {arguments.count}, numbers '
          f'{counts["equal"]} of {counts["loaded"]}', flush=True)
    return counts['equal'] < counts['loaded'] or counts['verdict'] < arguments.count


if __name__ == '__main__':
    sys.exit(main())
