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
Time of kinematics and mass properties at a single configuration, as a service answers with them.

The kinematic tree of a robot is built once. Every other computation includes the selection of
the links and of the frame, as a request makes it. Times are wall-clock times on one core.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
import sys
from time import perf_counter

# Numpy reads this once, when it is imported.
os.environ['OPENBLAS_NUM_THREADS'] = '1'

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from urdf_tools import load  # noqa: E402
from urdf_tools.dynamics import CompositeInertia  # noqa: E402
from urdf_tools.kinematics import ForwardKinematics  # noqa: E402
from urdf_tools.kinematics import Jacobian  # noqa: E402
from urdf_tools.kinematics import KinematicTree  # noqa: E402


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('file', nargs='?', default=ROOT / 'urdf' / 'arm.urdf', type=Path)
    parser.add_argument('--link', help='root of the subtree; default: one in the middle')
    parser.add_argument('--frame', help='link of the other frame; default: the last')
    parser.add_argument('--runs', type=int, default=2000, help='default: 2000')
    arguments = parser.parse_args()
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    robot = load(arguments.file)
    tree = KinematicTree(robot)
    link = arguments.link or robot.tree[len(robot.tree) // 2].child
    frame = arguments.frame or tree.link_names[-1]
    positions = tree.random_configuration(np.random.default_rng(0))
    cases = {
        'kinematic tree': lambda: KinematicTree(robot),
        'poses of all links': lambda: ForwardKinematics(tree)(positions),
        f'Jacobian of {frame}': lambda: Jacobian(tree, frame)(positions),
        'inertia of the robot': lambda: CompositeInertia(tree)(positions),
        f'inertia of the subtree of {link}, in {frame}':
            lambda: CompositeInertia(tree, robot.subtree(link), frame)(positions)}
    print(f'{robot.name}: {len(robot.links)} links, {len(tree.variable_names)} variables, '
          f'{len(robot.subtree(link))} links in the subtree; {arguments.runs} runs, milliseconds')
    print(f'{"":60}{"p50":>8}{"p99":>8}')
    for name, case in cases.items():
        case()
        times = []
        for _ in range(arguments.runs):
            start = perf_counter()
            case()
            times.append((perf_counter() - start) * 1e3)
        middle, high = np.percentile(times, (50, 99))
        print(f'{name:60}{middle:8.3f}{high:8.3f}', flush=True)


if __name__ == '__main__':
    main()
