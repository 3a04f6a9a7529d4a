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
Time and memory to validate 10 MB of each kind of element and of each kind of defect.

Each description is validated in a process of its own. A description with more elements than are
read is cut to so many; most kinds reach that limit before 10 MB. The growth is the CPU time for
40,000 elements divided by that for 10,000: 4 is linear, 16 quadratic.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
import json
from pathlib import Path
import resource
import subprocess
import sys
import tempfile
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.large_descriptions import DEFECTS  # noqa: E402
from support.large_descriptions import ELEMENTS  # noqa: E402
from urdf_tools.check.registry import CATEGORIES  # noqa: E402
from urdf_tools.check.validator import validates  # noqa: E402
from urdf_tools.model.resources import ResourceResolver  # noqa: E402
from urdf_tools.model.xml.xml_parser import MAX_ELEMENTS  # noqa: E402

KINDS = {**ELEMENTS, **DEFECTS}
MEMORY = 2 * 2**30
MAX_GROWTH = 8.0
COUNTS = (10_000, 40_000)


def main(args: list[str] | None = None) -> int:
    """Print a row for each kind; fail if one grows faster than linearly."""
    parser = argparse.ArgumentParser(
        prog='benchmarks.large_descriptions', description=__doc__.strip().split('\n')[0])
    parser.add_argument('--megabytes', type=float, default=10.0, help='default: 10')
    parser.add_argument('--kind', action='append', choices=KINDS, help='default: all')
    parser.add_argument('--growth', action='store_true', help='measure the growth, too')
    parser.add_argument('--file', help=argparse.SUPPRESS)
    arguments = parser.parse_args(args)
    if arguments.file:
        print(json.dumps(validate(Path(arguments.file))))
        return 0
    print(f'{"kind":45}{"number":>9}{"MB":>7}{"findings":>10}{"s":>8}{"peak MB":>9}'
          + ('  growth' if arguments.growth else ''))
    fast = []
    for kind in arguments.kind or KINDS:
        text, count = largest(KINDS[kind], arguments.megabytes * 1e6)
        result = measure(text)
        row = (f'{kind:45}{count:9}{len(text) / 1e6:7.1f}{result["findings"]:10}'
               f'{result["seconds"]:8.2f}{result["megabytes"]:9.0f}')
        if arguments.growth:
            few, many = (measure(KINDS[kind](count))['seconds'] for count in COUNTS)
            row += f'{many / few:8.1f}'
            if many / few > MAX_GROWTH:
                fast.append(kind)
        print(row, flush=True)
    if fast:
        print(f'Faster than linear: {", ".join(fast)}')
    return 1 if fast else 0


def largest(text: Callable[[int], str], size: float) -> tuple[str, int]:
    """Return the text of about so many bytes, or so many elements as are read, and its number."""
    few, more = len(text(100)), len(text(200))
    count = 200 if more == few else max(200, int(100 * size / (more - few)))
    tags = text(200).count('<') - text(200).count('</')
    count = min(count, int(200 * 0.99 * MAX_ELEMENTS / tags))
    made = text(count)
    return made, count


def measure(text: str) -> dict[str, float]:
    """Validate a text in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'robot.urdf')
        path.write_text(text)
        process = subprocess.run(
            [sys.executable, '-m', 'benchmarks.large_descriptions', '--file', str(path)],
            stdout=subprocess.PIPE, check=True, cwd=ROOT)
    result: dict[str, float] = json.loads(process.stdout)
    return result


def validate(path: Path) -> dict[str, float]:
    """Validate a file with a limit on the memory, and return CPU time and peak memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    data = path.read_bytes()
    start = process_time()
    report = validates(
        data, categories=CATEGORIES, resources=ResourceResolver(path.parent, environment={}))
    return {
        'seconds': process_time() - start, 'findings': sum(report.counts.values()),
        'megabytes': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == '__main__':
    sys.exit(main())
