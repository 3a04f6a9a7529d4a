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
Time of the conversion to SDFormat in process, as a ratio to loading the same description.

``ign sdf -p``, where ``make oracle`` has installed it, is measured as a whole process. Give URDF
files as arguments; the default is the sample robots of this repository.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
import shutil
from statistics import median
import subprocess
import sys
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from urdf_tools import load  # noqa: E402
from urdf_tools.programs.gazebo import convert  # noqa: E402
from urdf_tools.programs.gazebo.conversion_report import ConversionReport  # noqa: E402


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', default=sorted((ROOT / 'urdf').glob('*.urdf')))
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    arguments = parser.parse_args()
    print(f'Medians of {arguments.runs} interleaved runs, in milliseconds')
    print(f'{"":32}{"load":>9}{"convert":>9}{"ratio":>7}{"report":>9}{"ign sdf":>9}')
    for file in arguments.files:
        measure(Path(file), arguments.runs)


def measure(file: Path, runs: int) -> None:
    """Measure one robot."""
    robot = load(file)
    conversion = convert(robot)
    times: dict[str, list[float]] = {'load': [], 'convert': [], 'report': [], 'ign': []}
    for _ in range(runs):
        times['load'].append(milliseconds(lambda: load(file)))
        times['convert'].append(milliseconds(lambda: convert(robot).text))
        times['report'].append(milliseconds(lambda: ConversionReport(conversion)))
        if shutil.which('ign'):
            times['ign'].append(milliseconds(lambda: subprocess.run(
                ['ign', 'sdf', '-p', str(file)], capture_output=True)))
    middle = {name: median(values) for name, values in times.items() if values}
    ign = f'{middle["ign"]:9.1f}' if 'ign' in middle else f'{"-":>9}'
    print(f'{file.name:32}{middle["load"]:9.1f}{middle["convert"]:9.1f}'
          f'{middle["convert"] / middle["load"]:7.2f}{middle["report"]:9.1f}{ign}')


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = perf_counter()
    call()
    return 1e3 * (perf_counter() - start)


if __name__ == '__main__':
    main()
