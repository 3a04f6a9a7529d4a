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
Time to check robots with large meshes, and what hostile meshes cost.

``urdf-tools check`` is timed as the process that it is, on a robot with 54 MB of meshes, and again
in this process, where each mesh is known. The baseline is the time to hash the same files with
SHA-256. Give URDF files as arguments to check them as well. Hostile meshes are small files that
describe huge ones, and a large one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
import hashlib
from pathlib import Path
from statistics import median
import subprocess
import sys
import tempfile
from time import perf_counter
import zipfile

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.mesh_files import binary_stl  # noqa: E402,I100
from support.mesh_files import collada  # noqa: E402
from support.mesh_files import CORNERS  # noqa: E402
from support.mesh_files import CUBE  # noqa: E402
from support.mesh_files import gltf  # noqa: E402
from support.mesh_files import mesh_data  # noqa: E402
from support.mesh_files import nested_collada  # noqa: E402

from urdf_tools import validate  # noqa: E402

SUFFIXES = ('.stl',) * 18 + ('.obj', '.dae')
"""Formats of the meshes of the robot, one for each of its links."""

MEGABYTES = 54

READ = """
import resource, sys
from pathlib import Path
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import processes
try:
    answer = f'{mesh_facts(Path(sys.argv[1])).faces:,} triangles'
except ValueError as error:
    answer = str(error)
processes().end()
print(f'{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:6.0f}  {answer}')
"""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', type=Path, help='descriptions to check as well')
    parser.add_argument('--runs', type=int, default=5, help='default: 5')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(f'medians of {arguments.runs} runs, seconds; a ratio is the process to SHA-256')
        print(f'{"":32}{"MB":>6}{"process":>9}{"known":>8}{"SHA-256":>9}{"ratio":>7}')
        for path in (large_robot(Path(folder)), *arguments.files):
            print_robot(path, arguments.runs)
        print(f'\n{"hostile mesh":24}{"bytes":>12}{"seconds":>9}{"MB":>6}')
        for path in hostile_meshes(Path(folder)):
            print_mesh(path)


def print_robot(path: Path, runs: int) -> None:
    """Measure one description with the meshes in its folder."""
    meshes = [mesh for mesh in path.parent.rglob('*')
              if mesh.suffix.lower() in ('.stl', '.obj', '.dae', '.glb')]
    size = sum(mesh.stat().st_size for mesh in meshes) / 2**20
    process = duration(lambda: run('-m', 'urdf_tools.cli', 'check', str(path)), runs)
    validate(path)
    known = duration(lambda: validate(path), runs)
    baseline = duration(lambda: [hashlib.sha256(mesh.read_bytes()) for mesh in meshes], runs)
    print(f'{path.name:32}{size:6.0f}{process:9.2f}{known:8.3f}{baseline:9.2f}'
          f'{process / baseline:7.1f}', flush=True)


def print_mesh(path: Path) -> None:
    """Read one mesh in a process of its own, and print what it took and what came of it."""
    start = perf_counter()
    answer = run('-c', READ, str(path)).rstrip()
    seconds = perf_counter() - start
    print(f'{path.name:24}{path.stat().st_size:12,}{seconds:9.2f}{answer}', flush=True)


def duration(work: Callable[[], object], runs: int) -> float:
    """Return the median time of some runs in seconds."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def run(*arguments: str) -> str:
    """Run Python in the root of the clone, and return what it prints."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True).stdout


def large_robot(folder: Path) -> Path:
    """Write a robot with :data:`MEGABYTES` of meshes, and return its description."""
    parts = ['<link name="base_link"/>']
    steps = int(np.sqrt(MEGABYTES * 2**20 / len(SUFFIXES) / 50 / 2))
    fine, coarse = ball(steps), ball(steps // 2)  # Text takes more space.
    for number, suffix in enumerate(SUFFIXES):
        (folder / f'part_{number}{suffix}').write_bytes(
            mesh_data(suffix, (fine if suffix == '.stl' else coarse) + number))
        parts.append(
            f'<joint name="joint_{number}" type="continuous"><parent link="base_link"/>'
            f'<child link="link_{number}"/></joint><link name="link_{number}">'
            f'<visual><geometry><mesh filename="part_{number}{suffix}"/></geometry></visual>'
            f'<collision><geometry><mesh filename="part_{number}{suffix}"/></geometry></collision>'
            f'<inertial><origin xyz="{number} {number} {number}"/><mass value="500"/><inertia '
            'ixx="50" ixy="0" ixz="0" iyy="50" iyz="0" izz="50"/></inertial></link>')
    path = folder / 'large_meshes.urdf'
    path.write_text('<robot name="large">\n' + '\n'.join(parts) + '\n</robot>\n')
    return path


def ball(steps: int) -> np.ndarray:
    """Return the 2 steps^2 triangles of a ball, shape (T, 3, 3)."""
    heights, angles = np.mgrid[-np.pi / 2:np.pi / 2:(steps + 1) * 1j,
                               0:2 * np.pi:(steps + 1) * 1j]
    points = 0.5 * np.stack([np.cos(heights) * np.cos(angles), np.cos(heights) * np.sin(angles),
                             np.sin(heights)], -1)
    points[:, -1] = points[:, 0]
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.concatenate(
        [np.stack([a, b, c], 2), np.stack([a, c, d], 2)]).reshape(-1, 3, 3)


def hostile_meshes(folder: Path) -> list[Path]:
    """Write meshes that are expensive to read for others, and return them."""
    nested = folder / 'nested_instances.dae'
    nested.write_text(nested_collada(8))
    corners = folder / 'vcount.dae'
    corners.write_text(collada(CORNERS, CUBE, primitive=(
        '<polylist count="1"><input semantic="VERTEX" source="#vertices" offset="0"/>'
        '<vcount>99999999</vcount><p>0 1 2</p></polylist>')))
    accessor = folder / 'accessor.gltf'
    accessor.write_text(
        gltf(400_000_000, {'byteLength': 0}).replace('"bufferView": 0, ', ''))
    archive = folder / 'zip.dae'
    with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED) as file:
        file.writestr('a.dae', bytes(2**28))
    groups = folder / 'groups.obj'
    groups.write_text(''.join(
        f'g g{n}\nv {n} 0 0\nv {n} 1 0\nv {n} 0 1\nf -3 -2 -1\n' for n in range(100_000)))
    large = folder / 'large.stl'
    large.write_bytes(binary_stl(ball(1095)))
    return [nested, corners, accessor, archive, groups, large]


if __name__ == '__main__':
    main()
