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

"""Gains of actuators, from the largest inertia and the largest load over the ranges of joints."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence

import numpy as np

from urdf_tools.dynamics.dynamics import GRAVITY
from urdf_tools.dynamics.dynamics import MassMatrix
from urdf_tools.dynamics.holding import holding
from urdf_tools.dynamics.holding import postures
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.programs.mjcf.limbs import Foot
from urdf_tools.programs.robot_parts import opened

_BANDWIDTH = 50.0
"""Smallest natural frequency in rad/s that gains give a joint with what moves with it."""

_ERRORS = {True: 0.001, False: 0.01}
"""Whether a joint slides to its largest error at rest, in m or rad."""

_MARGIN = 1.02
"""Factor on the largest load that was found, also for gains that are rounded."""

_MIN_GAIN = 1e-6

_SHARE = 0.5
"""Share of the weight of a robot that a foot carries."""


def gains_of(robot: Robot, joints: Sequence[Joint], standing: Sequence[Foot], timestep: float,
             given: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """
    Return the settings of joints with ``kp`` and ``kv`` of actuators, in SI units.

    The stiffness holds the largest load that was found over the ranges, up to the limit on the
    effort, with an error of at most 0.01 rad or 1 mm, and the damping is critical for the largest
    inertia. Such gains are stable in each posture at a time step h that is implicit in velocities,
    as 4 M + 2 h D - h^2 K is positive definite, for 2 h D - h^2 K is. Only constraints put on a
    joint what those that mimic it carry, and they do not see its damping: with too little inertia
    of its own, it gets an ``armature`` of h D / 2.

    :param standing: the feet that carry the robot.
    :param timestep: in s.
    :param given: settings of joints by name.
    """
    found = {name: dict(own) for name, own in given.items()}
    if not joints:
        return found
    tree = KinematicTree(robot)
    names = [joint.name for joint in joints]
    rows = [tree.velocity_index[name] for name in names]
    statics = holding(tree, moving=names)
    configurations = np.concatenate((postures(tree, moving=names), statics.configurations[rows]))
    inertias = np.diagonal(MassMatrix(tree)(configurations), axis1=1, axis2=2).max(axis=0)
    loads = statics.largest
    mass = _SHARE * sum(link.inertial.mass for link in robot.links.values() if link.inertial)
    for foot in standing:
        motions = Jacobian(tree, foot.link, 'local_world_aligned', foot.tip)(
            configurations)[:, :3]
        loads = loads + mass * np.abs(np.einsum('i,bij->bj', GRAVITY, motions)).max(axis=0)
        inertias = inertias + mass * np.square(motions).sum(axis=1).max(axis=0)
    alone = KinematicTree(opened(robot))
    masses = MassMatrix(alone)(alone.neutral()).diagonal()
    leaders = {mimic.joint for mimic in tree.mimic.values()}
    for joint, row in zip(joints, rows):
        own, limit = found.setdefault(joint.name, {}), tree.effort_limit[row]
        inertia = max(float(inertias[row]), 0.0) + own.get('armature', 0.0)
        load = float(min(_MARGIN * loads[row], limit if limit > 0 else np.inf))
        needed = max(inertia * _BANDWIDTH**2, load / _ERRORS[joint.type is JointType.PRISMATIC])
        # No more than the time step resolves.
        kp = own.get('kp', _rounded(max(
            min(needed, inertia * (2 / timestep)**2), _MIN_GAIN)))
        kv = own.get('kv', _rounded(max(
            2 * own.pop('dampratio', 1.0) * (kp * inertia)**0.5, kp * timestep / 2,
            _MIN_GAIN)))
        own |= {'kp': kp, 'kv': kv}
        lacking = timestep * kv / 2 - float(masses[alone.velocity_index[joint.name]])
        if joint.name in leaders and lacking > own.get('armature', 0.0):
            own.setdefault('armature', _rounded(lacking))
    return found


def _rounded(gain: float) -> float:
    """Return a gain with three digits, not a smaller one."""
    nearest = float(f'{gain:.3g}')
    return nearest if nearest >= gain else float(f'{gain * 1.005:.3g}')


def unstable(robot: Robot, joints: Sequence[Joint], timestep: float,
             given: Mapping[str, Mapping[str, float]]) -> str | None:
    """
    Return the joint whose gains are too high for the time step in some posture; None without one.

    It looks for the eigenvalues of what has to be positive definite, see :func:`gains_of`.

    :param timestep: in s.
    :param given: settings of joints by name, with gains.
    """
    margins = np.array([
        4 * given[joint.name].get('armature', 0.0) + 2 * timestep * given[joint.name]['kv']
        - timestep**2 * given[joint.name]['kp'] for joint in joints])
    if (margins >= 0).all():
        return None
    tree, names = KinematicTree(robot), [joint.name for joint in joints]
    rows = [tree.velocity_index[name] for name in names]
    masses = MassMatrix(tree)(postures(tree, moving=names))[:, rows][:, :, rows]
    values, vectors = np.linalg.eigh(4 * masses + np.diag(margins))
    posture, worst = np.unravel_index(int(values.argmin()), values.shape)
    return None if values[posture, worst] >= 0 else names[
        int(np.abs(vectors[posture, :, worst]).argmax())]
