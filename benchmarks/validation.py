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
Time to validate descriptions, beside check_urdf.

Ours is timed in this process, on the text and without the files that it refers to; check_urdf,
where it is installed (``apt install liburdfdom-tools``), is timed as the process that it is.
Robots made of 500 to 4,000 links show how the time grows. Give URDF files as arguments; without
any, the sample robots of this repository are taken.
"""

from __future__ import annotations

import argparse
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.timing import duration  # noqa: E402
from urdf_tools import validates  # noqa: E402

CHECK_URDF = shutil.which('check_urdf')


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', type=Path, default=sorted(
        (ROOT / 'urdf').glob('*.urdf')))
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    arguments = parser.parse_args()
    print(f'medians of {arguments.runs} runs, milliseconds')
    print(f'{"":40}{"links":>8}{"kB":>8}{"findings":>10}{"urdf_tools":>12}{"check_urdf":>12}')
    for file in arguments.files:
        print_row(file.name, file.read_bytes(), arguments.runs)
    for links in (500, 1000, 2000, 4000):
        print_row('chain', chain(links), arguments.runs)


def print_row(name: str, text: bytes, runs: int) -> None:
    """Measure one description."""
    report = validates(text)
    links = 0 if report.document is None else len(report.document.root.findall('link'))
    ours = 1e3 * duration(lambda: validates(text), runs)
    theirs = ''
    if CHECK_URDF:
        with tempfile.NamedTemporaryFile(suffix='.urdf') as file:
            file.write(text)
            file.flush()
            theirs = f'{1e3 * duration(lambda: run_check_urdf(file.name), runs):.1f}'
    print(f'{name:40}{links:8}{len(text) // 1000:8}{sum(report.counts.values()):10}{ours:12.1f}'
          f'{theirs:>12}', flush=True)


def run_check_urdf(file: str) -> None:
    """Run check_urdf, whatever it says."""
    subprocess.run([CHECK_URDF, file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def chain(links: int) -> bytes:
    """Return a robot of so many links, each with what a link of an arm has."""
    link = """<link name="link_{0}">
  <inertial><origin xyz="0 0 0.05" rpy="0 0 0"/><mass value="1.5"/>
    <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.002"/></inertial>
  <visual><geometry><cylinder radius="0.05" length="0.1"/></geometry></visual>
  <collision><geometry><cylinder radius="0.05" length="0.1"/></geometry></collision>
</link>"""
    joint = """<joint name="joint_{1}" type="revolute">
  <origin xyz="0 0 0.1" rpy="0 0 0"/><parent link="link_{0}"/><child link="link_{1}"/>
  <axis xyz="0 0 1"/><limit lower="-3.1" upper="3.1" effort="100" velocity="2"/>
</joint>"""
    parts = [link.format(index) for index in range(links)]
    parts += [joint.format(index, index + 1) for index in range(links - 1)]
    return '\n'.join(('<robot name="chain">', *parts, '</robot>')).encode()


if __name__ == '__main__':
    main()
