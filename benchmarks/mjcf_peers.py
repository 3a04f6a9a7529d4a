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
What converters to MJCF keep of robots, measured in MuJoCo: ours and others.

Run it with a Python that has mujoco and numpy. A peer is a command with ``{urdf}`` and ``{mjcf}``,
run in a folder of its own, with the parents of packages in ``ROS_PACKAGE_PATH``::

    python -m benchmarks.mjcf_peers --peer 'NAME=convert {urdf} -o {mjcf}' r.urdf

Each model is loaded as it is. What the description has is compared with what joints and bodies of
the same names have in MuJoCo; links may be merged, as the mass matrix is that of all joints.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from collections.abc import Mapping
import json
import os
from pathlib import Path
import shlex
import subprocess
import sys
import tempfile
from typing import Any

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from urdf_tools import ForwardKinematics  # noqa: E402
from urdf_tools import KinematicTree  # noqa: E402
from urdf_tools import load  # noqa: E402
from urdf_tools import Robot  # noqa: E402
from urdf_tools.dynamics import CompositeInertia  # noqa: E402
from urdf_tools.dynamics import MassMatrix  # noqa: E402
from urdf_tools.programs.robot_parts import driven_joints  # noqa: E402

CLOSE = 1e-4
"""Relative difference that counts as kept; numbers are often written with few digits."""

OURS = f'{sys.executable} -m urdf_tools.cli mjcf {{urdf}} -o {{mjcf}} {{packages}}'


def main() -> None:
    """Print a table with a row for what is kept, and a column for each converter."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='+', type=Path)
    parser.add_argument('--peer', action='append', default=[], metavar='NAME=COMMAND')
    parser.add_argument('--package', action='append', default=[], metavar='NAME=FOLDER')
    parser.add_argument('--timeout', type=float, default=300, help='seconds; default: %(default)s')
    parser.add_argument('--json', type=Path, help='file for what was found of each robot')
    arguments = parser.parse_args()
    commands = {'urdf-tools': OURS} | dict(each.split('=', 1) for each in arguments.peer)
    found: dict[str, dict[str, dict[str, bool]]] = {name: {} for name in commands}
    for file in arguments.files:
        for name, command in commands.items():
            found[name][str(file)] = kept_by(command, file.absolute(), arguments)
            print(name, file.name, [key for key, good in found[name][str(file)].items()
                                    if not good], file=sys.stderr, flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    for line in table(found):
        print(line)


def kept_by(command: str, file: Path, arguments: argparse.Namespace) -> dict[str, bool]:
    """Return whether each property of a robot is kept; only ``loads`` if there is no model."""
    robot = load(file)
    folders = {os.path.dirname(os.path.abspath(each.partition('=')[2]))
               for each in arguments.package}
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, 'model.xml')
        packages = ' '.join(f'--package {shlex.quote(each)}' for each in arguments.package)
        line = command.format(urdf=file, mjcf=model, packages=packages)
        try:
            subprocess.run(
                shlex.split(line), cwd=folder, capture_output=True, timeout=arguments.timeout,
                check=False, env={**os.environ, 'PYTHONPATH': str(ROOT),
                                  'ROS_PACKAGE_PATH': os.pathsep.join(sorted(folders))})
            loaded = mujoco.MjModel.from_xml_path(str(model))
        except (subprocess.TimeoutExpired, ValueError, OSError):
            return {'loads': False}
    return {'loads': True, **{name: bool(kept) for name, kept in properties(robot, loaded)}}


def properties(robot: Robot, model: Any) -> Iterator[tuple[str, bool]]:
    """Yield what a robot has, and whether the model has it, too."""
    bodies = {model.body(index).name: index for index in range(model.nbody)}
    joints = {model.joint(index).name: index for index in range(model.njnt)}
    moving = [joint for joint in robot.tree if joint.type.dof == 1]
    yield 'all links by name', all(
        name in bodies or name == robot.root == 'world' for name in robot.links)
    yield 'all moving joints by name', all(joint.name in joints for joint in moving)
    tree = KinematicTree(robot)
    data = mujoco.MjData(model)
    mass = CompositeInertia(tree)(tree.neutral()).mass
    yield 'mass', close(model.body_mass.sum(), mass)
    if all(joint.name in joints for joint in moving) and len(moving) == sum(
            joint.type.dof > 0 for joint in robot.tree):
        yield from of_motion(robot, model, data, bodies, joints)
    limited = [joint for joint in moving if joint.limits is not None and np.isfinite(
        [joint.limits.lower, joint.limits.upper]).all() and (
            joint.limits.lower < joint.limits.upper)]
    if limited:
        yield 'limits', all(joint.name in joints and close(
            model.jnt_range[joints[joint.name]], [joint.limits.lower, joint.limits.upper])
            for joint in limited if joint.limits)
    damped = [joint for joint in moving if joint.dynamics is not None and joint.dynamics.damping]
    if damped:
        yield 'damping', all(joint.name in joints and close(
            model.dof_damping[model.jnt_dofadr[joints[joint.name]]], joint.dynamics.damping)
            for joint in damped if joint.dynamics)
    yield from of_actuators(robot, model, joints)
    mimic = [joint for joint in moving if joint.mimic is not None]
    if mimic:
        yield 'mimic', sum(model.eq_type == mujoco.mjtEq.mjEQ_JOINT) >= len(mimic)
    seen = model.geom_contype == 0
    for name, number, shapes in (
            ('visual shapes', seen.sum(), [each for link in robot.links.values()
                                           for each in link.visuals]),
            ('collision shapes', (~seen).sum(), [each for link in robot.links.values()
                                                 for each in link.collisions])):
        if shapes:
            yield name, bool(number >= len(shapes))


def of_actuators(robot: Robot, model: Any, joints: Mapping[str, int]
                 ) -> Iterator[tuple[str, bool]]:
    """Yield whether joints that something drives have actuators, and their limits."""
    driven = [joint for joint in robot.tree
              if joint.name in driven_joints(robot) and joint.type.dof == 1]
    of_joint = {int(model.actuator_trnid[index, 0]): index for index in range(model.nu)}
    if driven:
        yield 'actuators', all(joints.get(joint.name) in of_joint for joint in driven)
    strong = [joint for joint in driven if joint.limits is not None and joint.limits.effort]
    if strong:
        yield 'limits on efforts', all(any(close(given, [-effort, effort]) for given in (
            model.jnt_actfrcrange[index], *(
                (model.actuator_forcerange[of_joint[index]],
                 model.actuator_ctrlrange[of_joint[index]]) if index in of_joint else ())))
            for joint in strong if joint.limits and (effort := joint.limits.effort or 0.0)
            for index in [joints.get(joint.name, -1)])


def of_motion(robot: Robot, model: Any, data: Any, bodies: Mapping[str, int],
              joints: Mapping[str, int]) -> Iterator[tuple[str, bool]]:
    """Yield whether poses and the mass matrix are kept, at random configurations."""
    tree = KinematicTree(robot)
    forward, matrix, rng = ForwardKinematics(tree), MassMatrix(tree), np.random.default_rng(0)
    names = [name for name in tree.link_names if name in bodies]
    moved, inertia = True, True
    for q in tree.random_configuration(rng, 10):
        values = dict(zip(tree.variable_names, q.tolist()))
        for name, mimic in tree.mimic.items():
            values[name] = mimic.multiplier * values[mimic.joint] + mimic.offset
        for name, index in joints.items():
            if name in values:
                data.qpos[model.jnt_qposadr[index]] = values[name]
        mujoco.mj_forward(model, data)
        expected = forward(q)[tree.links(names)]
        root = np.eye(4)
        if robot.root in bodies:
            root[:3, :3] = data.xmat[bodies[robot.root]].reshape(3, 3)
            root[:3, 3] = data.xpos[bodies[robot.root]]
        places = np.array([data.xpos[bodies[name]] for name in names])
        moved &= close(places - root[:3, 3], expected[:, :3, 3] @ root[:3, :3].T, 0.1)
        spread = np.zeros((model.nv, len(tree.velocity_names)))
        for name, index in joints.items():
            leader = tree.mimic[name].joint if name in tree.mimic else name
            if leader in tree.velocity_index:
                spread[model.jnt_dofadr[index], tree.velocity_index[leader]] = (
                    tree.mimic[name].multiplier if name in tree.mimic else 1.0)
        full = np.zeros((model.nv, model.nv))
        for row, unit in zip(full, np.eye(model.nv)):
            mujoco.mj_mulM(model, data, row, unit)
        inertia &= close(spread.T @ full @ spread, matrix(q))
    yield 'poses of links', moved
    yield 'mass matrix', inertia


def close(found: Any, expected: Any, least: float = 1e-9) -> bool:
    """Return whether numbers are equal within the tolerance, relative to the largest."""
    scale = max(float(np.abs(expected).max(initial=0.0)), least)
    return bool((np.abs(np.subtract(found, expected)) <= CLOSE * scale).all())


def table(found: Mapping[str, Mapping[str, Mapping[str, bool]]]) -> Iterator[str]:
    """Yield the lines of a table: of how many robots something is kept, of those that have it."""
    rows = dict.fromkeys(key for robots in found.values() for kept in robots.values()
                         for key in kept)
    yield f'| kept | {" | ".join(found)} |'
    yield '|---' * (1 + len(found)) + '|'
    for row in rows:
        # What a converter does not write is lost, so the number of robots is that of all.
        files = {file for robots in found.values() for file, kept in robots.items() if row in kept}
        cells = [f'{sum(robots[file].get(row, False) for file in files)} of {len(files)}'
                 for robots in found.values()]
        yield f'| {row} | {" | ".join(cells)} |'


if __name__ == '__main__':
    main()
