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
Time of inverse kinematics for many targets, beside Pinocchio's CLIK in a loop in Python.

CLIK is the loop of Pinocchio's documentation with joint limits: a step is clipped to them. It
takes full steps, ten times as long as there, and starts again from a random configuration after
20 iterations, up to 144 times: what was found to be its fastest. Both have the same targets, poses
of random configurations, and the same start and tolerance, and take turns on one core.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
import sys
from time import process_time

os.environ['OPENBLAS_NUM_THREADS'] = '1'

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from urdf_tools import load  # noqa: E402
from urdf_tools.kinematics import ForwardKinematics  # noqa: E402
from urdf_tools.kinematics import InverseKinematics  # noqa: E402
from urdf_tools.kinematics import KinematicTree  # noqa: E402

TOLERANCE = 1e-6


class Clik:
    """
    Pinocchio's CLIK for one link.

    :param step: part of a step of Newton's method that is taken.
    :param starts: most starts for a target, each of so many iterations.
    """

    def __init__(self, path: Path, tree: KinematicTree, link: str, step: float, starts: int,
                 iterations: int):
        import pinocchio

        from support.pinocchio_robot import PinocchioRobot
        self._pinocchio, self._tree = pinocchio, tree
        self._robot = PinocchioRobot(path, tree)
        self._frame = self._robot.frames[link]
        self._step, self._starts, self._iterations = step, starts, iterations

    def __call__(self, pose: np.ndarray, start: np.ndarray, rng: np.random.Generator) -> bool:
        """Return whether a pose is reached."""
        target = self._pinocchio.SE3(pose)
        for number in range(self._starts):
            if self._reaches(target, start if number == 0 else (
                    self._robot.configurations(self._tree.random_configuration(rng, 1))[0])):
                return True
        return False

    def _reaches(self, target: object, q: np.ndarray) -> bool:
        pinocchio, model, data = self._pinocchio, self._robot.model, self._robot.data
        damping = 1e-12 * np.eye(6)
        for _ in range(self._iterations):
            pinocchio.framesForwardKinematics(model, data, q)
            apart = data.oMf[self._frame].actInv(target)
            error = pinocchio.log6(apart).vector
            if np.linalg.norm(error) < TOLERANCE:
                return True
            jacobian = pinocchio.computeFrameJacobian(model, data, q, self._frame)
            jacobian = -pinocchio.Jlog6(apart.inverse()) @ jacobian
            rate = -jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping, error)
            q = np.clip(pinocchio.integrate(model, q, self._step * rate),
                        model.lowerPositionLimit, model.upperPositionLimit)
        return False


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('file', nargs='?', default=ROOT / 'urdf' / 'arm.urdf', type=Path)
    parser.add_argument('--link', help='default: the last')
    parser.add_argument('--targets', type=int, default=10000, help='default: 10000')
    parser.add_argument('--theirs', type=int, default=500,
                        help='targets for Pinocchio, whose time is in proportion; default: 500')
    parser.add_argument('--rounds', type=int, default=3, help='default: 3')
    arguments = parser.parse_args()
    tree = KinematicTree(load(arguments.file))
    link = arguments.link or tree.link_names[-1]
    poses = ForwardKinematics(tree, [link])(tree.random_configuration(
        np.random.default_rng(0), arguments.targets))[:, 0].copy()
    inverse = InverseKinematics(tree, link)
    start = np.clip(tree.neutral(), tree.position_lower, tree.position_upper)
    try:
        theirs = {
            'CLIK': Clik(arguments.file, tree, link, 1.0, 144, 20),
            'CLIK, as documented': Clik(arguments.file, tree, link, 0.1, 1, 1000)}
    except ImportError:
        theirs = {}
    times: dict[str, list[float]] = {name: [] for name in ('batch', *theirs)}
    reached = {}
    for _ in range(arguments.rounds):
        began = process_time()
        found = inverse.batch(poses, start, TOLERANCE)
        times['batch'].append((process_time() - began) / len(poses))
        reached['batch'] = found.success.mean()
        for name, clik in theirs.items():
            rng, few = np.random.default_rng(1), poses[:arguments.theirs]
            began_at = clik._robot.configurations(start[None])[0]
            began = process_time()
            reached[name] = np.mean([clik(pose, began_at, rng) for pose in few])
            times[name].append((process_time() - began) / len(few))
    print(f'{tree.robot.name}: {link}, {len(poses)} targets, CPU time of one in microseconds, '
          f'median of {arguments.rounds} rounds')
    print(f'{"":22}{"us":>10}{"ratio":>8}{"reached %":>11}')
    for name, each in times.items():
        ratio = np.median(np.array(each) / times['batch'])
        print(f'{name:22}{1e6 * np.median(each):10.1f}{ratio:8.1f}{100 * reached[name]:11.2f}')


if __name__ == '__main__':
    main()
