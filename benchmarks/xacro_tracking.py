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
Time to expand xacro files and find the source of each element, beside xacro alone.

The runs take turns, and the CPU time of the fastest of each counts. Give xacro files as arguments;
without any, the sample robots of this repository are taken.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import redirect_stderr
from contextlib import redirect_stdout
import gc
import io
from pathlib import Path
import sys
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from urdf_tools.model.xacro_expansion import expand_xacro  # noqa: E402
import xacro  # noqa: E402


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', type=Path, default=sorted(
        (ROOT / 'urdf').glob('*.urdf.xacro')))
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    arguments = parser.parse_args()
    print(f'fastest of {arguments.runs} runs, milliseconds')
    print(f'{"":40}{"elements":>10}{"xacro":>8}{"tracked":>9}{"ratio":>7}')
    for file in arguments.files:
        print_row(str(file), file.name, arguments.runs)


def print_row(path: str, name: str, runs: int) -> None:
    """Measure one file."""
    expansion = expand_xacro(path, {})
    if expansion.text != plain(path):
        raise SystemExit(f'{path}: the expansion differs from that of xacro')
    alone, tracked = [], []
    for _ in range(runs):
        alone.append(duration(lambda: plain(path)))
        tracked.append(duration(lambda: expand_xacro(path, {})))
    print(f'{name:40}{len(expansion.sources or ()):10}{min(alone):8.1f}{min(tracked):9.1f}'
          f'{min(tracked) / min(alone):7.2f}', flush=True)


def plain(path: str) -> str:
    """Return the expansion of xacro alone."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return str(xacro.process_file(path, mappings={}).toprettyxml(indent='  '))


def duration(work: Callable[[], object]) -> float:
    """Return the CPU time of a run in milliseconds."""
    gc.collect()
    start = process_time()
    work()
    return (process_time() - start) * 1e3


if __name__ == '__main__':
    main()
