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

The runs take turns, each begins after a garbage collection, and the CPU time of the fastest of
each counts, with that of the process that expands. Give xacro files as arguments, of which those
that xacro cannot expand are left out; without any, the sample robots of this repository are taken.
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

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.process_usage import CpuTimeOfAll  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.model.package_lookup import PackageLookup  # noqa: E402
from urdf_tools.xacro.expansion import expand_document  # noqa: E402
import xacro  # noqa: E402

PACKAGES = PackageLookup(None, {}, {})
"""Finds none, so that xacro's own ones are taken."""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', type=Path, default=sorted(
        (ROOT / 'urdf').glob('*.urdf.xacro')))
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    arguments = parser.parse_args()
    print(f'fastest of {arguments.runs} runs, milliseconds')
    print(f'{"":40}{"elements":>10}{"xacro":>8}{"tracked":>9}{"ratio":>7}')
    total = [0.0, 0.0]
    for file in arguments.files:
        for index, time in enumerate(print_row(str(file), file.name, arguments.runs)):
            total[index] += time
    print(f'{"sum":50}{total[0]:8.1f}{total[1]:9.1f}{total[1] / total[0]:7.2f}')


def print_row(path: str, name: str, runs: int) -> tuple[float, float]:
    """Measure one file, and return the two times."""
    try:
        document = expand_document(path, {}, {}, PACKAGES)
    except DescriptionError:
        return 0.0, 0.0
    if document.data.decode() != plain(path):
        raise SystemExit(f'{path}: the expansion differs from that of xacro')
    alone, tracked = [], []
    for _ in range(runs):
        alone.append(duration(lambda: plain(path)))
        tracked.append(duration(lambda: expand_document(path, {}, {}, PACKAGES)))
    print(f'{name:40}{sum(1 for _ in document.root.iter()):10}{min(alone):8.1f}{min(tracked):9.1f}'
          f'{min(tracked) / min(alone):7.2f}', flush=True)
    return min(alone), min(tracked)


def plain(path: str) -> str:
    """Return the expansion of xacro alone."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return str(xacro.process_file(path, mappings={}).toprettyxml(indent='  '))


def duration(work: Callable[[], object]) -> float:
    """Return the CPU time of a run in milliseconds."""
    gc.collect()
    with CpuTimeOfAll() as cpu:
        work()
    return cpu.seconds * 1e3


if __name__ == '__main__':
    main()
