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
Time of kinematics, mass properties and dynamics per configuration, beside Pinocchio.

Ours are computed for a whole batch at once, Pinocchio's in a loop, as each is used from Python,
on one core; test/kinematics compares the results. Give URDF files as arguments; the default is
the sample robots of this repository. Pinocchio is ``pip install pin``.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median
import sys
from time import process_time

# Numpy reads this once, when it is imported.
os.environ['OPENBLAS_NUM_THREADS'] = '1'

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from urdf_tools import load  # noqa: E402
from urdf_tools.dynamics import CentreOfMassJacobian  # noqa: E402
from urdf_tools.dynamics import CompositeInertia  # noqa: E402
from urdf_tools.dynamics import InverseDynamics  # noqa: E402
from urdf_tools.dynamics import MassMatrix  # noqa: E402
from urdf_tools.kinematics import ForwardKinematics  # noqa: E402
from urdf_tools.kinematics import Jacobian  # noqa: E402
from urdf_tools.kinematics import KinematicTree  # noqa: E402

try:
    import pinocchio
    from support.pinocchio_robot import PinocchioRobot
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
          'runs, microseconds of CPU time per configuration')
    print(f'{"":40}{"urdf_tools":>12}{"Pinocchio":>12}{"ratio":>8}')
    for file in arguments.files:
        measure(Path(file), arguments.batch, arguments.runs)


def measure(file: Path, batch: int, runs: int) -> None:
    """Measure one robot."""
    robot = load(file)
    tree = KinematicTree(robot)
    kinematics = ForwardKinematics(tree)
    composite = CompositeInertia(tree)
    tip = max(robot.links, key=lambda link: len(robot.path(robot.root, link)))
    jacobian = Jacobian(tree, tip, 'local_world_aligned')
    inverse, mass_matrix = InverseDynamics(tree), MassMatrix(tree)
    centre = CentreOfMassJacobian(tree)
    rng = np.random.default_rng(0)
    positions = tree.random_configuration(rng, batch)
    rates = rng.standard_normal((2, batch, len(tree.velocity_names)))
    print(f'{robot.name}: {len(robot.links)} links, {len(tree.variable_names)} variables')
    poses, jacobians = kinematics(positions), jacobian(positions)
    matrices, centres = mass_matrix(positions), centre(positions)
    ours = {
        'poses of all links': lambda: kinematics(positions, out=poses),
        f'Jacobian of {tip}': lambda: jacobian(positions, out=jacobians),
        'centre of mass': lambda: composite.center_of_mass(positions),
        'centre of mass and inertia about it': lambda: composite(positions),
        'efforts for a motion': lambda: inverse(positions, *rates),
        'efforts against gravity': lambda: inverse(positions),
        'mass matrix': lambda: mass_matrix(positions, out=matrices),
        'Jacobian of the centre of mass': lambda: centre(positions, out=centres)}
    theirs = () if pinocchio is None else pinocchio_cases(
        PinocchioRobot(file, tree), tip, positions)
    for (name, ours_case), *their_case in zip(ours.items(), *([theirs] if theirs else [])):
        cases = [ours_case, *their_case]
        times = [[] for _ in cases]
        for _ in range(runs):
            for case, measured in zip(cases, times):
                start = process_time()
                case()
                measured.append((process_time() - start) / batch * 1e6)
        numbers = [median(measured) for measured in times]
        line = f'  {name:38}{numbers[0]:12.3f}'
        if theirs:
            line += f'{numbers[1]:12.3f}{numbers[0] / numbers[1]:8.2f}'
        print(line, flush=True)


def pinocchio_cases(robot, link, positions):
    """Return the same computations by Pinocchio, each of which replaces its last result."""
    configurations = robot.configurations(positions)
    frame = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    speed = np.zeros(robot.model.nv)

    def each(function, *more):
        def run():
            for configuration in configurations:
                function(robot.model, robot.data, configuration, *more)
        return run

    return (
        each(pinocchio.framesForwardKinematics),
        each(pinocchio.computeFrameJacobian, robot.frames[link], frame),
        each(pinocchio.centerOfMass),
        each(pinocchio.ccrba, speed),
        each(pinocchio.rnea, speed, speed),
        each(pinocchio.computeGeneralizedGravity),
        each(pinocchio.crba),
        each(pinocchio.jacobianCenterOfMass))


if __name__ == '__main__':
    main()
