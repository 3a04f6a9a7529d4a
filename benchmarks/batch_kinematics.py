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
on one core. The results are compared, too. Give URDF files as arguments; the default is the
sample robots of this repository. Pinocchio is ``pip install pin``.
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
sys.path.insert(0, str(ROOT))

from urdf_tools import load  # noqa: E402
from urdf_tools.dynamics import CentreOfMassJacobian  # noqa: E402
from urdf_tools.dynamics import CompositeInertia  # noqa: E402
from urdf_tools.dynamics import InverseDynamics  # noqa: E402
from urdf_tools.dynamics import MassMatrix  # noqa: E402
from urdf_tools.kinematics import ForwardKinematics  # noqa: E402
from urdf_tools.kinematics import Jacobian  # noqa: E402
from urdf_tools.kinematics import KinematicTree  # noqa: E402
from urdf_tools.kinematics import moving_frames  # noqa: E402

try:
    import pinocchio
    from benchmarks.pinocchio_robot import PinocchioRobot
except ImportError:
    pinocchio = None


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', default=sorted((ROOT / 'urdf').glob('*.urdf')))
    parser.add_argument('--batch', type=int, default=10_000, help='default: 10000')
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    parser.add_argument('--chunk', type=int, default=moving_frames.CHUNK,
                        help='configurations of poses and dynamics that are computed together; '
                             f'default: {moving_frames.CHUNK}')
    parser.add_argument('--keep', action='store_true',
                        help="keep Pinocchio's results for all configurations, as ours are; by "
                             'default each replaces the last')
    arguments = parser.parse_args()
    moving_frames.CHUNK = arguments.chunk
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f'{arguments.batch} configurations at once, medians of {arguments.runs} interleaved '
          f'runs, {arguments.chunk} together, microseconds of CPU time per configuration')
    print(f'{"":40}{"urdf_tools":>12}{"Pinocchio":>12}{"ratio":>8}')
    for file in arguments.files:
        measure(Path(file), arguments.batch, arguments.runs, arguments.keep)


def measure(file: Path, batch: int, runs: int, keeps: bool) -> None:
    """Measure one robot."""
    robot = load(file)
    tree = KinematicTree(robot)
    kinematics = ForwardKinematics(tree)
    composite = CompositeInertia(tree)
    tip = max(robot.links, key=lambda link: len(robot.path(robot.root, link)))
    jacobian = Jacobian(tree, tip, 'local_world_aligned')
    dynamics = InverseDynamics(tree), MassMatrix(tree), CentreOfMassJacobian(tree)
    inverse, mass_matrix, centre = dynamics
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
        PinocchioRobot(file, tree), kinematics, jacobian, composite, dynamics, positions, keeps)
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


def pinocchio_cases(robot, kinematics, jacobian, composite, dynamics, positions, keeps):
    """Return the same computations by Pinocchio, after a comparison of the results."""
    configurations = robot.configurations(positions)
    compare(robot, kinematics, jacobian, composite, positions[:100], configurations[:100])
    compare_dynamics(robot, *dynamics, positions[:100], configurations[:100])
    tip = robot.frames[jacobian.link]
    frame = pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED
    speed = np.zeros(robot.model.nv)

    def each(function, *more):
        def run():
            for configuration in configurations:
                function(robot.model, robot.data, configuration, *more)

        def keep():
            for result, configuration in zip(results, configurations):
                result[...] = function(robot.model, robot.data, configuration, *more)

        first = function(robot.model, robot.data, configurations[0], *more)
        if not keeps or not isinstance(first, np.ndarray):
            return run
        results = np.zeros((len(configurations), *first.shape))
        return keep

    return (
        each(pinocchio.framesForwardKinematics),
        each(pinocchio.computeFrameJacobian, tip, frame),
        each(pinocchio.centerOfMass),
        each(pinocchio.ccrba, speed),
        each(pinocchio.rnea, speed, speed),
        each(pinocchio.computeGeneralizedGravity),
        each(pinocchio.crba),
        each(pinocchio.jacobianCenterOfMass))


def compare_dynamics(robot, inverse, mass_matrix, centre, positions, configurations):
    """
    Raise AssertionError likewise.

    Pinocchio's efforts of mimic joints are added to those of the joints that they follow.
    """
    rng, model, data = np.random.default_rng(1), robot.model, robot.data
    fixed = model.inertias[0].mass
    moving = sum(body.mass for body in model.inertias) - fixed
    for ours, theirs in zip(positions, configurations):
        ratio = robot.velocity_matrix(ours)
        velocities, accelerations = rng.standard_normal((2, ratio.shape[1]))
        if not any(name.endswith('/theta') for name in inverse.tree.variable_names):
            # The axes of Pinocchio's planar velocities turn, so rates of ours are others.
            efforts = ratio.T @ pinocchio.rnea(
                model, data, theirs, ratio @ velocities, ratio @ accelerations)
            close(inverse(ours, velocities, accelerations), efforts)
        close(inverse(ours), ratio.T @ pinocchio.computeGeneralizedGravity(model, data, theirs))
        matrix = np.triu(pinocchio.crba(model, data, theirs))
        close(mass_matrix(ours), ratio.T @ (matrix + np.triu(matrix, 1).T) @ ratio)
        if moving:
            jacobian = pinocchio.jacobianCenterOfMass(model, data, theirs) @ ratio
            close(centre(ours), jacobian * moving / (moving + fixed))


def close(ours, theirs):
    """Raise AssertionError where results differ by more than 1e-9 of their size."""
    np.testing.assert_allclose(ours, theirs, atol=1e-9 * max(np.abs(theirs).max(initial=0), 1))


def compare(robot, kinematics, jacobian, composite, positions, configurations):
    """Raise AssertionError where the results differ by more than 1e-9 of their size."""
    poses = kinematics(positions)
    jacobians = jacobian(positions)
    body = composite(positions)
    model, data = robot.model, robot.data
    for row, configuration in enumerate(configurations):
        pinocchio.framesForwardKinematics(model, data, configuration)
        for link, pose in zip(kinematics.link_names, poses[row]):
            np.testing.assert_allclose(
                pose, data.oMf[robot.frames[link]].homogeneous, atol=1e-9)
        expected = robot.jacobian(jacobian.link, jacobian.reference_frame.value, configuration)
        np.testing.assert_allclose(
            jacobians[row], expected @ robot.velocity_matrix(positions[row]), atol=1e-9)
        if body.mass:
            # Pinocchio keeps bodies that are fixed to the world apart from those that move.
            pinocchio.ccrba(model, data, configuration, np.zeros(model.nv))
            total = model.inertias[0] + pinocchio.Inertia(
                data.Ig.mass, data.com[0], data.Ig.inertia)
            np.testing.assert_allclose(body.mass, total.mass, rtol=1e-9)
            np.testing.assert_allclose(body.com[row], total.lever, atol=1e-9)
            np.testing.assert_allclose(
                body.rotational[row], total.inertia, atol=1e-9 * np.abs(total.inertia).max())


if __name__ == '__main__':
    main()
