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
Time to check a folder of 1,000 files, beside xacro and the XML parser of Python on the same ones.

Without an argument the folder is made from the sample robots of this repository: as in public
repositories, one file in four is a robot, and most robots are xacro files that include others.
Meshes are not read. CPU time is that of all processes; elapsed time depends on what else runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import redirect_stderr
from contextlib import redirect_stdout
import gc
import io
import os
from pathlib import Path
import shutil
import sys
import tempfile
from time import perf_counter
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.process_usage import CpuTimeOfAll  # noqa: E402
from urdf_tools.check.workspace.checking import check_targets  # noqa: E402
from urdf_tools.check.workspace.descriptions import find_descriptions  # noqa: E402
from urdf_tools.check.workspace.settings import ProjectSettings  # noqa: E402
from urdf_tools.check.workspace.settings import Settings  # noqa: E402
from urdf_tools.check.workspace.target_selection import find_targets  # noqa: E402
import xacro  # noqa: E402


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('folder', nargs='?', type=Path, help='default: copies of the samples')
    parser.add_argument('--files', type=int, default=1000, help='number of copies; default: 1000')
    parser.add_argument('--jobs', type=int, default=2, help='default: 2')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.folder or Path(made)
        if arguments.folder is None:
            write_samples(folder, arguments.files)
        print_table(str(folder), arguments.jobs)


def write_samples(folder: Path, number: int) -> None:
    """Write packages of twelve files, four of them robots."""
    samples = ROOT / 'urdf'
    for package in range((number + 11) // 12):
        urdf = folder / f'robot_{package}' / 'urdf'
        urdf.mkdir(parents=True)
        for name in os.listdir(samples):
            shutil.copy(samples / name, urdf)
        for index in range(12 - len(os.listdir(urdf))):
            if index:
                shutil.copy(samples / 'solids.xacro', urdf / f'part_{index}.xacro')
            else:
                shutil.copy(samples / 'arm.urdf.xacro', urdf / 'second_arm.urdf.xacro')


def print_table(folder: str, jobs: int) -> None:
    """Measure the checks of a folder, with one process and with several."""
    found = find_descriptions(folder)
    project = ProjectSettings(Settings(ignore=('assets',)))
    print(f'{len(found.roots) + len(found.parts)} files, {len(found.roots)} of them robots')
    print(f'{"":30}{"CPU s":>9}{"elapsed s":>11}{"CPU ratio":>11}')
    alone, elapsed = measured(lambda: expand_all(found.roots))
    print(f'{"xacro and ElementTree alone":30}{alone:9.2f}{elapsed:11.2f}{1:11.2f}', flush=True)
    for number in (1, jobs):
        def check() -> None:
            for _ in check_targets(find_targets([folder], project=project).targets, number):
                pass
        taken, elapsed = measured(check)
        print(f'{f"check --jobs {number}":30}{taken:9.2f}{elapsed:11.2f}{taken / alone:11.2f}',
              flush=True)


def expand_all(files: tuple[str, ...]) -> None:
    """Expand and parse descriptions, with nothing else done; errors are left to the check."""
    for file in files:
        try:
            if file.endswith('.xacro'):
                with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                    text = xacro.process_file(file, mappings={}).toprettyxml(indent='  ')
                ElementTree.fromstring(text.encode())
            else:
                ElementTree.parse(file)
        except Exception:  # xacro raises whatever an expression does.
            continue


def measured(work: Callable[[], None]) -> tuple[float, float]:
    """Return the CPU time of all processes, and elapsed time."""
    gc.collect()
    start = perf_counter()
    with CpuTimeOfAll() as cpu:
        work()
    return cpu.seconds, perf_counter() - start


if __name__ == '__main__':
    main()
