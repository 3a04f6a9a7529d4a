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

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
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
from urdf_tools.installation import how_to_install
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.multi_dof import velocity_names
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.programs.mjcf.bodies import joint_pose
from urdf_tools.programs.mjcf.bodies import joint_positions
from urdf_tools.programs.mjcf.bodies import MINIMUM
from urdf_tools.programs.mjcf.bodies import ranges
from urdf_tools.programs.mjcf.bodies import with_mimic
from urdf_tools.programs.mjcf.conversion import MjcfConversion
from urdf_tools.programs.robot_parts import opened
from urdf_tools.types import Array

TOLERANCE = 1e-9
"""Largest difference of a proved model, relative to the largest value of its kind."""

_COUNT = 100

_MIN_SCALE = 1e-12
"""Scale in kg, kg m^2 or N m below which nothing is compared."""


class Proof(NamedTuple):
    """
    What another program makes of a model, compared with what we compute of the robot.

    :ivar program: its name and version.
    :ivar configurations: random ones that were compared.
    :ivar differences: what was compared to the largest difference, relative to its largest value.
    :ivar tolerance: of the differences.
    """

    program: str
    configurations: int
    differences: dict[str, float]
    tolerance: float = TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether all differences are within the tolerance."""
        return self.configurations > 0 and all(
            each <= self.tolerance for each in self.differences.values())

    @property
    def text(self) -> str:
        """What is proved, as one line."""
        found = ', '.join(f'{name} {value:.2g}' for name, value in self.differences.items())
        if not self.configurations:
            return 'Not proved: no configuration was found in which the loops are closed'
        return (f'{"Proved" if self.holds else "Not proved"} with {self.program} at '
                f'{self.configurations} configurations; largest relative differences: {found}')


def attempted(prove: Callable[[], Proof], program: str = 'MuJoCo', install: str = ''
              ) -> dict[str, object]:
    """
    Return what a proof says as data, also if there is none.

    :param program: the one that proves it.
    :param install: the command that installs it; by default that for MuJoCo.
    """
    try:
        proof = prove()
    except (ImportError, ValueError) as error:
        reason = f'{program} refuses the model: {error}' if isinstance(error, ValueError) else (
            f'{program} is not installed; install it with '
            f'{install or how_to_install("mujoco")}')
        return {'text': f'Not proved: {reason}', 'holds': False}
    return {'text': proof.text, 'holds': proof.holds, **proof._asdict()}


def prove(conversion: MjcfConversion, path: Path) -> Proof:
    """
    Load a written model in MuJoCo, and compare it with the robot.

    :raises ImportError: MuJoCo is not installed.
    :raises ValueError: MuJoCo does not load the model.
    """
    with loaded(path) as (mujoco, model), np.errstate(all='ignore'):
        return _OfWritten(mujoco, model, conversion).proof()


@contextmanager
def loaded(path: Path) -> Iterator[tuple[Any, Any]]:
    """
    Load a model in MuJoCo, without its warnings, and return the module and the model.

    :raises ImportError: MuJoCo is not installed.
    :raises ValueError: MuJoCo does not load the model.
    """
    mujoco = import_module('mujoco')
    # It would print them, and write them into a file.
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
        yield mujoco, model
    finally:
        mujoco.set_mju_user_warning(None)


class Comparison:
    """
    A model in MuJoCo and a robot, in the same variables.

    Each joint of the description has variables of its own in both: what mimics and loops do is
    compared as the constraints that they are.

    :param robot: the robot with the loops that the model closes.
    :param objects: name of each link to the kind and the name or number of what it is in MuJoCo,
        a body or a site; links without any are not compared.
    :param min_scale: scale in kg, kg m^2 or N m below which nothing is compared.
    """

    def __init__(self, mujoco: Any, model: Any, robot: Robot,
                 objects: Mapping[str, tuple[str, str | int]], min_scale: float = _MIN_SCALE):
        self._mujoco, self._model, self._closed = mujoco, model, robot
        self._data = mujoco.MjData(model)
        self._tree = KinematicTree(opened(robot))
        self._objects = objects
        self._differences: dict[str, float] = {}
        self._size, self._min_scale = size_of(robot), min_scale
        self._armature = np.zeros(model.nv)

    def proof(self) -> Proof:
        """Compare all, and return the differences."""
        rng = np.random.default_rng(0)
        configurations = list(self._configurations(rng))
        if configurations:
            motions = [motion for _, motion in configurations]
            self._compare_motions(np.array([q for q, _ in configurations]), np.array([
                motion @ self._rates(rng, motion.shape[1]) for motion in motions]), motions)
        self._compare_inertias()
        return Proof(f'MuJoCo {self._mujoco.__version__}', len(configurations), self._differences)

    def _rates(self, rng: np.random.Generator, number: int) -> Array:
        """Return the rates of so many independent joints, shape (number,)."""
        return rng.standard_normal(number)

    def _compare_constraints(self, motion: Array) -> None:
        """Check that the constraints of the model hold."""

    def _compare_motions(self, q: Array, v: Array, motions: Sequence[Array]) -> None:
        """
        Compare what depends on configurations and velocities.

        :param motions: bases of the velocities that loops leave.
        """
        found = [self._at(*each) for each in zip(q, v, motions)]
        matrices = MassMatrix(self._tree)(q)
        efforts = InverseDynamics(self._tree)(q, v, np.zeros_like(v))
        inertia = np.diagonal(matrices, axis1=1, axis2=2).max(axis=0)
        fastest = max(1.0, float(np.abs(v).max(initial=0.0)))
        whole = CompositeInertia(self._tree)
        compared = [name in self._objects for name in self._tree.link_names]
        expected = {
            'link poses': (ForwardKinematics(self._tree)(q)[:, compared, :3],
                           (1, 1, 1, self._size)),
            'mass matrix': (matrices, np.maximum(
                np.sqrt(np.outer(inertia, inertia)), self._min_scale)),
            'bias forces': (efforts, np.maximum(np.abs(efforts).max(axis=0), np.maximum(
                inertia * fastest**2, 10 * self._min_scale))),
            'centre of mass': (whole.center_of_mass(q), self._size)}
        mass = whole(q[0]).mass
        for (name, (values, scale)), measured in zip(expected.items(), zip(*found)):
            if mass or name != 'centre of mass':
                self._note(name, measured, values, scale)
        self._note('mass', np.sum(self._model.body_mass), mass, max(mass, self._min_scale))

    def _at(self, q: Array, v: Array, motion: Array) -> tuple[Array, Array, Array, Array]:
        """Return poses, mass matrix, bias forces and centre of mass of MuJoCo."""
        model, data, mujoco = self._model, self._data, self._mujoco
        matrix, turning = self._place(q, v)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        self._compare_constraints(matrix @ motion)
        full = np.zeros((model.nv, model.nv))
        for row, unit in zip(full, np.eye(model.nv)):
            mujoco.mj_mulM(model, data, row, unit)
        full -= np.diag(self._armature)
        found = [self._objects[link] for link in self._tree.link_names if link in self._objects]
        placed = [getattr(data, kind)(name) for kind, name in found]
        poses = [np.column_stack((each.xmat.reshape(3, 3), each.xpos)) for each in placed]
        return (np.array(poses), matrix.T @ full @ matrix,
                matrix.T @ (data.qfrc_bias + full @ turning), data.subtree_com[0].copy())

    def _note(self, name: str, found: Any, expected: Any, scale: Any = 1.0) -> None:
        """Note the largest difference of two arrays, relative to a scale."""
        first, second = np.asarray(found, float), np.asarray(expected, float)
        worst = np.inf if first.shape != second.shape else float(
            np.abs((first - second) / scale).max(initial=0.0))
        # A comparison with NaN proves nothing.
        self._differences[name] = max(np.inf if np.isnan(worst) else worst,
                                      self._differences.get(name, 0.0))

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
        raise NotImplementedError

    def _compare_inertias(self) -> None:
        """Compare the inertias of links, also of those that nothing moves, in their frames."""
        for link in self._closed.links.values():
            kind, name = self._objects.get(link.name, ('', ''))
            if kind != 'body':
                continue
            body = self._model.body(name)
            expected = link_inertia(link) or SpatialInertia.zero()
            axes = quaternion_to_matrix(body.iquat[[1, 2, 3, 0]])
            scale = max(np.abs(expected.rotational).max(), self._min_scale)
            self._note('link inertias', (axes * body.inertia) @ axes.T, expected.rotational, scale)
            self._note('link inertias', body.mass[0], expected.mass,
                       max(expected.mass, self._min_scale))
            if expected.mass:  # Without mass there is no centre.
                self._note('link inertias', body.ipos, expected.com, self._size)


def size_of(robot: Robot) -> float:
    """Return a length in metres that a robot does not exceed."""
    return max(float(sum(np.linalg.norm(joint.origin.xyz) for joint in robot.tree)), 1e-3)


class _OfWritten(Comparison):
    """A model that was written, and the robot that it was written for."""

    def __init__(self, mujoco: Any, model: Any, conversion: MjcfConversion):
        self._conversion = conversion
        bodies = conversion.bodies
        massless = sum(each.mass <= MINIMUM or np.diag(each.matrix).min() <= MINIMUM
                       for each in bodies.inertias.values())
        robot = replace(conversion.reference, loops=conversion.closed)
        # What links without mass get is within the tolerance of this.
        super().__init__(
            mujoco, model, robot, {link: ('body', name) for link, name in bodies.names.items()},
            max(10 * massless * MINIMUM * (1 + size_of(robot))**2 / TOLERANCE, _MIN_SCALE))
        for name, own in conversion.settings.joints.items():
            self._armature[model.joint(name).dofadr[0]] = own.get('armature', 0.0)

    def proof(self) -> Proof:
        """Compare all, and return the differences."""
        self._compare_ranges()
        return super().proof()

    def _place(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Set a configuration and velocities; see the base class."""
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
        if not model.neq:
            return
        rows = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        held = data.efc_J.reshape(-1, model.nv)[rows]
        self._note('closure of mimics and loops', data.efc_pos[rows],
                   np.zeros(rows.sum()), max(self._size, 1.0))
        self._note('motion left by them', held @ motion, np.zeros((len(held), motion.shape[1])),
                   float(np.abs(held).max(initial=0.0) * np.abs(motion).max(initial=1.0)))
        left = model.nv - np.linalg.matrix_rank(held, 1e-7) - np.linalg.matrix_rank(motion, 1e-7)
        self._note('number of independent joints', left, 0.0)

    def _compare_ranges(self) -> None:
        """Compare limits and the ranges of actuators with those of the description."""
        for joint in self._conversion.robot.tree:
            if joint.type.dof == 1:
                one = self._model.joint(joint.name)
                self._note_range('limits', one.limited, one.range, ranges(joint)['position'])
        for each in self._conversion.actuators:
            one, limits = self._model.actuator(each.joint.name), ranges(each.joint)
            self._note_range('control ranges', one.ctrllimited, one.ctrlrange, limits[each.kind])
            if each.kind != 'effort':
                self._note_range(
                    'force ranges', one.forcelimited, one.forcerange, limits['effort'])

    def _note_range(self, name: str, is_limited: Array, found: Array,
                    expected: tuple[float, float] | None) -> None:
        self._note(name, bool(is_limited[0]), expected is not None)
        bounds = np.array(expected or (0.0, 0.0))
        self._note(name, found, bounds, max(1.0, np.abs(bounds).max()))
