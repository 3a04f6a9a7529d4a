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

"""The proof of an MJCF model: what MuJoCo computes of it is what we compute of the robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.dynamics import MassMatrix
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.multi_dof import velocity_names
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Limits
from urdf_tools.model.robot import Robot
from urdf_tools.programs.mjcf.mjcf_conversion import MjcfConversion
from urdf_tools.programs.mjcf.mjcf_inertia import LEAST
from urdf_tools.programs.mjcf.mjcf_keyframe import joint_pose
from urdf_tools.programs.mjcf.mjcf_keyframe import joint_positions
from urdf_tools.programs.mjcf.mjcf_keyframe import with_mimic

TOLERANCE = 1e-9
"""Largest difference of a proved model, relative to the largest value of its kind."""

_COUNT = 100

_LEAST = 1e-12
"""Scale in kg, kg m^2 or N m below which nothing is compared."""


class Proof(NamedTuple):
    """
    What MuJoCo computes of a model, compared with what we compute of the robot.

    :ivar version: of MuJoCo.
    :ivar configurations: random ones that were compared, each with random velocities.
    :ivar differences: what was compared to the largest difference, relative to its largest value.
    """

    version: str
    configurations: int
    differences: dict[str, float]

    @property
    def holds(self) -> bool:
        """Whether all differences are within the tolerance."""
        return self.configurations > 0 and all(
            each <= TOLERANCE for each in self.differences.values())

    @property
    def text(self) -> str:
        """What is proved, as one line."""
        found = ', '.join(f'{name} {value:.2g}' for name, value in self.differences.items())
        if not self.configurations:
            return 'Not proved: no configuration was found in which the loops are closed'
        return (f'{"Proved" if self.holds else "Not proved"} with MuJoCo {self.version} at '
                f'{self.configurations} configurations; largest relative differences: {found}')


def prove(conversion: MjcfConversion, path: Path) -> Proof:
    """
    Load a written model in MuJoCo, and compare it with the robot.

    :raises ImportError: MuJoCo is not installed.
    :raises ValueError: MuJoCo does not load the model.
    """
    mujoco = import_module('mujoco')
    # It would print them, and write them into a file.
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
        with np.errstate(all='ignore'):
            return _Comparison(mujoco, model, conversion).proof()
    finally:
        mujoco.set_mju_user_warning(None)


class _Comparison:
    """
    The model in MuJoCo and the robot, in the same variables.

    Each joint of the description has variables of its own in both: what mimics and loops do is
    compared as the constraints that they are.
    """

    def __init__(self, mujoco: Any, model: Any, conversion: MjcfConversion):
        self._mujoco, self._model, self._conversion = mujoco, model, conversion
        self._data = mujoco.MjData(model)
        self._closed = replace(conversion.reference, loops=conversion.closed)
        self._tree = KinematicTree(_opened(self._closed))
        self._differences: dict[str, float] = {}
        self._mass, self._efforts = MassMatrix(self._tree), InverseDynamics(self._tree)
        self._forward, self._whole = ForwardKinematics(self._tree), CompositeInertia(self._tree)

    def proof(self) -> Proof:
        """Compare all, and return the differences."""
        rng = np.random.default_rng(0)
        compared: dict[str, list[tuple[Array, Array]]] = {}
        fastest, count = 1.0, 0
        for count, (q, motion) in enumerate(self._configurations(rng), 1):
            v = motion @ rng.standard_normal(motion.shape[1])
            fastest = max(fastest, float(np.abs(v).max(initial=0.0)))
            for name, both in self._at(q, v, motion).items():
                compared.setdefault(name, []).append(both)
        size, least = self._size(), self._least()
        for name, pairs in compared.items():
            found, expected = np.array(pairs).transpose(1, 0, *range(2, np.ndim(pairs)))
            scale: Any = size
            if name == 'mass matrix':
                inertia = np.diagonal(expected, axis1=1, axis2=2).max(axis=0)
                scale = np.maximum(np.sqrt(np.outer(inertia, inertia)), least)
            elif name == 'bias forces':
                scale = np.maximum(np.abs(expected).max(axis=0), np.maximum(
                    inertia * fastest**2, 10 * least))
            elif name == 'link poses':
                scale = [1.0, 1.0, 1.0, size]
            self._note(name, found, expected, scale)
        self._compare_inertias(least)
        mass = self._whole(self._tree.neutral()).mass
        if not mass:  # It has no centre.
            self._differences.pop('centre of mass', None)
        self._note('mass', np.sum(self._model.body_mass), mass, max(mass, least))
        self._compare_ranges()
        return Proof(self._mujoco.__version__, count, self._differences)

    def _at(self, q: Array, v: Array, motion: Array) -> dict[str, tuple[Array, Array]]:
        """Return what MuJoCo computes at a configuration, and what we compute."""
        matrix, turning = self._place(q, v)
        self._mujoco.mj_fwdPosition(self._model, self._data)
        self._mujoco.mj_fwdVelocity(self._model, self._data)
        if self._model.neq:
            self._compare_constraints(matrix @ motion)
        full = self._mass_matrix()
        return {
            'link poses': (self._poses(), self._forward(q)[:, :3]),
            'mass matrix': (matrix.T @ full @ matrix, self._mass(q)),
            'bias forces': (matrix.T @ (self._data.qfrc_bias + full @ turning),
                            self._efforts(q, v, np.zeros_like(v))),
            'centre of mass': (self._data.subtree_com[0].copy(), self._whole.center_of_mass(q))}

    def _mass_matrix(self) -> Array:
        full = np.zeros((self._model.nv, self._model.nv))
        for row, unit in zip(full, np.eye(self._model.nv)):
            self._mujoco.mj_mulM(self._model, self._data, row, unit)
        return full

    def _size(self) -> float:
        """Return a length in m that the robot is not larger than."""
        lengths = [np.linalg.norm(joint.origin.xyz) for joint in self._tree.robot.tree]
        return max(float(np.sum(lengths)), 1e-3)

    def _least(self) -> float:
        """Return the scale at which what links without mass get is within the tolerance."""
        given = sum(each.mass <= LEAST or min(each.moments) <= LEAST
                    for each in self._conversion.bodies.inertias.values())
        return max(10 * given * LEAST * (1 + self._size())**2 / TOLERANCE, _LEAST)

    def _note(self, name: str, found: Any, expected: Any, scale: Any = 1.0) -> None:
        """Note the largest difference of two arrays, relative to a scale."""
        first, second = np.asarray(found, float), np.asarray(expected, float)
        worst = np.inf if first.shape != second.shape else float(
            np.abs((first - second) / scale).max(initial=0.0))
        # A comparison with NaN proves nothing.
        self._differences[name] = max(np.inf if np.isnan(worst) else worst,
                                      self._differences.get(name, 0.0))

    def _poses(self) -> Array:
        """Return the poses of the links in MuJoCo, shape (L, 3, 4)."""
        bodies = [self._data.body(self._conversion.bodies.names[link])
                  for link in self._tree.link_names]
        return np.array([np.column_stack((body.xmat.reshape(3, 3), body.xpos)) for body in bodies])

    def _configurations(self, rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
        """
        Yield closed configurations of the open tree, and the velocities that loops leave.

        The latter are a basis of the velocities, shape (nv, k).
        """
        tree, opened = KinematicTree(self._closed), self._tree
        batch = tree.random_configuration(rng, _COUNT)
        bases = [np.eye(len(tree.velocity_names))] * len(batch)
        if self._closed.loops:
            mechanism = Mechanism(tree)
            closure = mechanism.close(batch)
            batch = closure.positions[
                closure.closed & ~mechanism.is_singular(closure.positions)]
            bases = [mechanism.derivatives(each) for each in batch]
        for q, basis in zip(batch, bases):
            positions = with_mimic(tree, tree.variable_names, q)
            rates = [with_mimic(tree, tree.velocity_names, each, 0.0) for each in basis.T]
            yield (np.array([positions[name] for name in opened.variable_names]),
                   np.array([[each[name] for each in rates] for name in opened.velocity_names]
                            ).reshape(len(opened.velocity_names), len(rates)))

    def _place(self, q: Array, v: Array) -> tuple[Array, Array]:
        """
        Set a configuration and velocities in MuJoCo.

        :return: the velocities in MuJoCo for unit ones of ours, shape (nv, nv), and their rates
            while ours are constant, shape (nv,).
        """
        model, tree, bodies = self._model, self._tree, self._conversion.bodies
        matrix, turning = np.zeros((model.nv, len(v))), np.zeros(model.nv)
        positions = dict(zip(tree.variable_names, q.tolist()))
        for joint in tree.robot.tree:
            names = [str(each['name']) for _, each in bodies.joints_of(joint)]
            if not names:
                continue
            first = model.joint(names[0])
            values = joint_positions(bodies, joint, positions)
            self._data.qpos[first.qposadr[0]:first.qposadr[0] + len(values)] = values
            rates, dof = [tree.velocity_index[name] for name in velocity_names(joint)], (
                first.dofadr[0])
            matrix[range(dof, dof + len(rates)), rates] = 1
            if joint.type is JointType.FLOATING:
                rotation = joint_pose(bodies, joint, positions)[:3, :3]
                matrix[dof:dof + 3, rates[:3]] = rotation
                turning[dof:dof + 3] = rotation @ np.cross(v[rates[3:]], v[rates[:3]])
        self._data.qvel[:] = matrix @ v
        return matrix, turning

    def _compare_constraints(self, motion: Array) -> None:
        """Check that constraints hold, and leave the motions that mimics and loops leave."""
        model, data, mujoco = self._model, self._data, self._mujoco
        rows = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        jacobian = np.zeros((len(rows), model.nv))
        if mujoco.mj_isSparse(model):
            mujoco.mju_sparse2dense(jacobian, data.efc_J.ravel(), data.efc_J_rownnz,
                                    data.efc_J_rowadr, data.efc_J_colind)
        else:
            jacobian[:] = data.efc_J.reshape(-1, model.nv)
        held = jacobian[rows]
        self._note('closure of mimics and loops', data.efc_pos[rows],
                   np.zeros(rows.sum()), max(self._size(), 1.0))
        self._note('motion left by them', held @ motion, np.zeros((len(held), motion.shape[1])),
                   float(np.abs(held).max(initial=0.0) * np.abs(motion).max(initial=1.0)))
        left = model.nv - np.linalg.matrix_rank(held, 1e-7) - np.linalg.matrix_rank(motion, 1e-7)
        self._note('number of independent joints', left, 0.0)

    def _compare_inertias(self, least: float) -> None:
        """Compare the inertias of links, also of those that nothing moves, in their frames."""
        model, names = self._model, self._conversion.bodies.names
        for link in self._conversion.reference.links.values():
            index = model.body(names[link.name]).id
            expected = link_inertia(link) or SpatialInertia.zero()
            axes = pose_of(np.concatenate((np.zeros(3), model.body_iquat[index][[1, 2, 3, 0]])))
            rotational = (axes[:3, :3] * model.body_inertia[index]) @ axes[:3, :3].T
            largest = np.abs(expected.rotational).max()
            for found, given, scale in (
                    (model.body_mass[index], expected.mass, max(expected.mass, least)),
                    (rotational, expected.rotational, max(largest, least)),
                    *([(model.body_ipos[index], expected.com, self._size())] if (
                        expected.mass) else [])):  # Without mass there is no centre.
                self._note('link inertias', found, given, scale)

    def _compare_ranges(self) -> None:
        """Compare limits and the ranges of actuators with those of the description."""
        model = self._model
        for joint in self._conversion.robot.tree:
            limits = joint.limits or Limits(-np.inf, np.inf)
            if joint.type.dof == 1:
                one, given = model.joint(joint.name), np.array([limits.lower, limits.upper])
                is_limited = bool(np.isfinite(given).any())
                self._note('limits', bool(one.limited[0]), is_limited)
                expected = given.clip(-1e10, 1e10) if is_limited else np.zeros(2)
                self._note('limits', one.range, expected, max(1.0, np.abs(expected).max()))
        for each in self._conversion.actuators:
            one, written = model.actuator(each.joint.name), each.joint.limits
            effort = written.effort if written is not None and written.effort else 0.0
            self._note('actuator ranges', one.ctrlrange if each.kind == 'effort' else
                       one.forcerange, [-effort, effort], max(1.0, abs(effort)))


def _opened(robot: Robot) -> Robot:
    """Return a robot in which each joint has variables of its own."""
    return replace(robot, loops=(), joints={
        name: replace(joint, mimic=None) for name, joint in robot.joints.items()})
