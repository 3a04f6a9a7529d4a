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
Cost of kinematics and mass properties per configuration, beside Pinocchio.

Ours are computed for a whole batch at once, Pinocchio's one after the other, which is how each
is used from Python; on one core. The results are compared, too. Give URDF files as arguments;
without any, the sample robots of this repository are taken. Pinocchio is ``pip install pin``.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median
import sys
from time import perf_counter

# Numpy reads this once, when it is imported.
os.environ['OPENBLAS_NUM_THREADS'] = '1'

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from urdf_tools import load  # noqa: E402
from urdf_tools.inertia import CompositeInertia  # noqa: E402
from urdf_tools.kinematics import ForwardKinematics  # noqa: E402
from urdf_tools.kinematics import resolve_mimic  # noqa: E402

try:
    import pinocchio
except ImportError:
    pinocchio = None


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', default=sorted((ROOT / 'urdf').glob('*.urdf')))
    parser.add_argument('--batch', type=int, default=10_000, help='default: 10000')
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    arguments = parser.parse_args()
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f'{arguments.batch} configurations at once, medians of {arguments.runs} interleaved '
          'runs, microseconds per configuration')
    print(f'{"":40}{"urdf_tools":>12}{"Pinocchio":>12}{"ratio":>8}')
    for file in arguments.files:
        measure(Path(file), arguments.batch, arguments.runs)


def measure(file: Path, batch: int, runs: int) -> None:
    """Measure one robot."""
    robot = load(file)
    kinematics = ForwardKinematics(robot)
    composite = CompositeInertia(robot)
    count = len(kinematics.tree.variable_names)
    positions = np.random.default_rng(0).uniform(-1, 1, (batch, count))
    print(f'{robot.name}: {len(robot.links)} links, {count} variables')
    poses = kinematics(positions)
    ours = {
        'poses of all links': lambda: kinematics(positions, out=poses),
        'centre of mass': lambda: composite.center_of_mass(positions),
        'centre of mass and inertia about it': lambda: composite(positions),
    }
    theirs = {} if pinocchio is None else pinocchio_cases(file, robot, kinematics, positions)
    for name, ours_case in ours.items():
        cases = [ours_case] + ([theirs[name]] if theirs else [])
        times = [[] for _ in cases]
        for _ in range(runs):
            for case, measured in zip(cases, times):
                start = perf_counter()
                case()
                measured.append((perf_counter() - start) / batch * 1e6)
        numbers = [median(measured) for measured in times]
        line = f'  {name:38}{numbers[0]:12.3f}'
        if theirs:
            line += f'{numbers[1]:12.3f}{numbers[0] / numbers[1]:8.2f}'
        print(line, flush=True)


def pinocchio_cases(file, robot, kinematics, positions):
    """Return the same computations by Pinocchio, after a comparison of the results."""
    model = pinocchio.buildModelFromUrdf(str(file))
    data = model.createData()
    configurations = pinocchio_configurations(model, robot, kinematics, positions)
    speed = np.zeros(model.nv)

    def each(function, *more):
        for configuration in configurations:
            function(model, data, configuration, *more)

    compare(model, data, robot, kinematics, positions, configurations)
    return {
        'poses of all links': lambda: each(pinocchio.framesForwardKinematics),
        'centre of mass': lambda: each(pinocchio.centerOfMass),
        'centre of mass and inertia about it': lambda: each(pinocchio.ccrba, speed),
    }


def pinocchio_configurations(model, robot, kinematics, positions):
    """Translate configurations: Pinocchio has mimic joints apart and wheels by cosine and sine."""
    mimic = resolve_mimic(robot)
    configurations = np.zeros((len(positions), model.nq))
    for name, index in ((joint, model.getJointId(joint)) for joint in robot.joints):
        if index == model.njoints:
            continue
        joint = model.joints[index]
        leader = mimic.get(name)
        column = positions[:, kinematics.tree.variable_index[leader.joint if leader else name]]
        if leader:
            column = leader.multiplier * column + leader.offset
        columns = [column] if joint.nq == 1 else [np.cos(column), np.sin(column)]
        configurations[:, joint.idx_q:joint.idx_q + joint.nq] = np.column_stack(columns)
    return list(configurations)


def compare(model, data, robot, kinematics, positions, configurations):
    """Raise AssertionError where the results differ by more than 1e-9 of their size."""
    poses = kinematics(positions[:100])
    body = CompositeInertia(robot)(positions[:100])
    for row, configuration in enumerate(configurations[:100]):
        pinocchio.framesForwardKinematics(model, data, configuration)
        for link, pose in zip(kinematics.link_names, poses[row]):
            frame = data.oMf[model.getFrameId(link, pinocchio.FrameType.BODY)].homogeneous
            np.testing.assert_allclose(pose, frame, atol=1e-9)
        if body.mass:
            # Pinocchio keeps what is fixed to the world apart from the bodies that move.
            pinocchio.ccrba(model, data, configuration, np.zeros(model.nv))
            total = model.inertias[0] + pinocchio.Inertia(
                data.Ig.mass, data.com[0], data.Ig.inertia)
            np.testing.assert_allclose(body.mass, total.mass, rtol=1e-9)
            np.testing.assert_allclose(body.com[row], total.lever, atol=1e-9)
            np.testing.assert_allclose(
                body.rotational[row], total.inertia, atol=1e-9 * np.abs(total.inertia).max())


if __name__ == '__main__':
    main()
