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

"""The proof of a URDF: it is the robot that MuJoCo or libsdformat makes of its source."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
import os
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.multi_dof import velocity_names
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.loader import build_robot
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.mjcf.proof import attempted
from urdf_tools.programs.mjcf.proof import Comparison
from urdf_tools.programs.mjcf.proof import loaded
from urdf_tools.programs.mjcf.proof import Proof
from urdf_tools.programs.mjcf.proof import size_of
from urdf_tools.programs.robot_parts import opened
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.types import Array

TOLERANCE = 1e-6
"""Largest difference of a proved URDF, relative to the largest value of its kind."""

_LIMITS = Limits(memory=16384, time=600, wall=1200)

_pool = WorkerPool('urdf_tools.programs.urdf.proof:job', 1)

_BINDINGS = ('sdformat', *(f'sdformat{number}' for number in range(16, 11, -1)))
"""The modules of libsdformat in Python, the newest first."""

_SLIDE_OR_HINGE = (2, 3)
_BALL = 1


def prove(text: bytes, path: str, format: str, model: str = '') -> dict[str, object]:
    """
    Return what the proof of a URDF says, as data; it is made in another process.

    :param text: the URDF.
    :param path: the file that it was made of, in its format: ``MJCF`` or ``SDF``.
    :param model: the model in the file, or empty for the only one.
    """
    request = {'path': os.path.abspath(path), 'format': format, 'model': model}
    try:
        answer: dict[str, object] = _pool.run(request, _LIMITS, text, shape={str: object})[0]
        return answer
    except SandboxError as error:
        return {'text': f'Not proved: {error}', 'holds': False}


def job(request: Any, text: bytes) -> tuple[object, bytes]:
    """Make a proof, in the other process."""
    robot, path = build_robot(read_document(text)), request['path']
    with np.errstate(all='ignore'):
        if request['format'] == 'MJCF':
            return attempted(lambda: _of_mjcf(robot, path)), b''
        return attempted(lambda: _of_sdf(robot, path, request['model']), 'libsdformat',
                         '"apt install python3-sdformat14"'), b''


def _of_mjcf(robot: Robot, path: str) -> Proof:
    """Compare poses, masses, the mass matrix and the forces of gravity with those of MuJoCo."""
    with loaded(Path(path)) as (mujoco, model):
        return _OfRead(mujoco, model, robot).proof()._replace(tolerance=TOLERANCE)


class _OfRead(Comparison):
    """A model that was read, and the robot that it became, without armature and constraints."""

    def __init__(self, mujoco: Any, model: Any, robot: Robot):
        bodies = [model.body(number).name or f'body{number}' for number in range(model.nbody)]
        bodies[0] = 'world'
        sites = [model.site(number).name for number in range(model.nsite)]
        objects: dict[str, tuple[str, str | int]] = {}
        for kind, names in (('body', bodies), ('site', sites)):
            for number, name in enumerate(names):
                if name in robot.links:
                    objects.setdefault(name, (kind, number))
        super().__init__(mujoco, model, opened(robot), objects)
        for name in dir(model):
            if name.endswith('armature'):
                getattr(model, name)[...] = 0
        # For simple ones, MuJoCo takes the mass that it has computed with armature.
        model.body_simple[:], model.dof_simplenum[:] = 0, 0
        disabled = mujoco.mjtDisableBit
        model.opt.disableflags = int(disabled.mjDSBL_CONTACT) | int(disabled.mjDSBL_CONSTRAINT)
        model.opt.gravity[:] = (0.0, 0.0, -9.81)
        self._joints = []
        for number, body in enumerate(model.jnt_bodyid):
            index = number - model.body_jntadr[body]
            self._joints.append(model.joint(number).name or (
                f'{bodies[body]}_joint{index + 1 if index else ""}'))
        self._note('bodies without a link', len({*bodies[1:]} - {*robot.links}), 0.0)

    def _rates(self, rng: np.random.Generator, number: int) -> Array:
        """Return rates of zero: three joints in place of a ball turn in another way."""
        return np.zeros(number)

    def _place(self, q: Array, v: Array) -> tuple[Array, Array]:
        """Set a configuration; see the base class."""
        model, tree, data = self._model, self._tree, self._data
        matrix = np.zeros((model.nv, len(v)))
        values = dict(zip(tree.variable_names, q.tolist()))
        data.qpos[:], data.qvel[:] = model.qpos0, 0.0
        for number, name in enumerate(self._joints):
            at, row = model.jnt_qposadr[number], model.jnt_dofadr[number]
            kind = model.jnt_type[number]
            if kind in _SLIDE_OR_HINGE:
                data.qpos[at] = values[name]
                matrix[row, tree.velocity_index[name]] = 1
            elif kind == _BALL:
                turned = np.eye(3)
                for letter, axis in zip('zyx', np.eye(3)[::-1]):
                    column = tree.velocity_index[f'{name}_{letter}']
                    matrix[row:row + 3, column] = turned.T @ axis
                    half = values[f'{name}_{letter}'] / 2
                    turned = quaternion_to_matrix(
                        (*(np.sin(half) * axis).tolist(), np.cos(half))) @ turned
                data.qpos[at:at + 4] = matrix_to_quaternion(turned)[[3, 0, 1, 2]]
            elif name not in tree.robot.joints:  # The root of the robot moves freely.
                data.qpos[at:at + 7] = (0, 0, 0, 1, 0, 0, 0)
            else:
                joint = tree.robot.joints[name]
                pose = joint.origin.matrix @ pose_of(
                    np.array([values[each] for each in variable_names(joint)]))
                data.qpos[at:at + 7] = (
                    *pose[:3, 3], *matrix_to_quaternion(pose[:3, :3])[[3, 0, 1, 2]])
                columns = [tree.velocity_index[each] for each in velocity_names(joint)]
                matrix[row:row + 3, columns[:3]] = pose[:3, :3]
                matrix[row + 3:row + 6, columns[3:]] = np.eye(3)
        return matrix, np.zeros(model.nv)


def _of_sdf(robot: Robot, path: str, name: str) -> Proof:
    """Compare frames of joints, axes and the inertias of links with those of libsdformat."""
    sdformat = _bindings()
    links: dict[str, SpatialInertia] = {}
    joints: dict[str, tuple[Array, Array | None]] = {}
    root_frame = _collect(_model(sdformat, path, name), '', np.eye(4), links, joints, robot.root)
    tree = KinematicTree(opened(robot))
    frames = dict(zip(tree.link_names, ForwardKinematics(tree)(tree.neutral())))
    if root_frame is None:  # The world: where one joint is, which is compared with itself.
        first = next(joint for joint in robot.tree if joint.name in joints)
        root_frame = joints[first.name][0] @ invert(frames[first.child])
    kept = {*robot.joints, *(loop.name for loop in robot.loops)}
    worst: dict[str, float] = {'links and joints that are missing': float(
        len(links.keys() - robot.links.keys()) + len(joints.keys() - kept))}

    def note(what: str, difference: Any, scale: float = 1.0) -> None:
        worst[what] = max(worst.get(what, 0.0), float(np.abs(difference).max()) / scale)

    for joint in robot.tree:
        pose, axis = joints.get(joint.name, (None, None))
        if pose is not None:
            found = root_frame @ frames[joint.child]
            note('frames of joints', found - pose, max(1.0, size_of(robot)))
            if axis is not None and joint.type.dof == 1:
                note('axes', found[:3, :3] @ joint.axis - axis)
    for link, expected in links.items():
        if link in robot.links:
            own = link_inertia(robot.links[link]) or SpatialInertia.zero()
            own = own.transformed(root_frame @ frames[link])
            note('masses', own.mass - expected.mass, max(expected.mass, 1e-12))
            note('centres of mass', own.com - expected.com, max(1.0, size_of(robot)))
            note('inertias', own.rotational - expected.rotational,
                 max(float(np.abs(expected.rotational).max()), 1e-12))
    return Proof(f'libsdformat ({sdformat.__name__})', 1, worst, TOLERANCE)


def _bindings() -> Any:
    """
    Return the module of libsdformat in Python.

    :raises ImportError: there is none.
    """
    for name in _BINDINGS:
        try:
            return import_module(name)
        except ImportError as error:
            reason = error
    raise reason


def _model(sdformat: Any, path: str, name: str) -> Any:
    """
    Return a model of a file.

    :raises ValueError: libsdformat does not load it.
    """
    config, root = sdformat.ParserConfig(), sdformat.Root()
    for variable in ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH'):
        for folder in filter(None, os.environ.get(variable, '').split(':')):
            config.add_uri_path('model://', folder)
    try:
        root.load(path, config)
    except sdformat.SDFErrorsException as error:
        raise ValueError(str(error)) from error
    models = [root.model(), *(
        world.model_by_index(number)
        for world in map(root.world_by_index, range(root.world_count()))
        for number in range(world.model_count()))]
    for model in models:
        if model is not None and name in ('', model.name()):
            return model
    raise ValueError('there is no such model')


def _collect(model: Any, prefix: str, placed: Array, links: dict[str, SpatialInertia],
             joints: dict[str, tuple[Array, Array | None]], root: str) -> Array | None:
    """
    Collect the links and joints of a model and those in it, all in the frame of the outermost one.

    :param placed: the pose of the model.
    :return: the pose of the root link, if it is one of them.
    """
    found: Array | None = None
    for link in _each(model, 'link'):
        pose = placed @ _matrix(link.semantic_pose().resolve('__model__'))
        inertial = link.inertial()
        mass = inertial.mass_matrix()
        xx, yy, zz, xy, xz, yz = (getattr(mass, name)() for name in (
            'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'))
        links[prefix + link.name()] = SpatialInertia(
            mass.mass(), np.zeros(3), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            ).transformed(pose @ _matrix(inertial.pose()))
        if prefix + link.name() == root:
            found = pose
    for joint in _each(model, 'joint'):
        axis = joint.axis(0)
        vector = None if axis is None else axis.resolve_xyz('__model__')
        joints[prefix + joint.name()] = (
            placed @ _matrix(joint.semantic_pose().resolve('__model__')),
            None if vector is None else placed[:3, :3] @ (vector.x(), vector.y(), vector.z()))
    for nested in _each(model, 'model'):
        inner = placed @ _matrix(nested.semantic_pose().resolve('__model__'))
        below = _collect(nested, f'{prefix}{nested.name()}::', inner, links, joints, root)
        found = below if found is None else found
    return found


def _each(model: Any, kind: str) -> Iterator[Any]:
    """Yield the links, joints or models of a model."""
    return map(getattr(model, f'{kind}_by_index'), range(getattr(model, f'{kind}_count')()))


def _matrix(pose: Any) -> Array:
    """Return a pose of Gazebo as a homogeneous matrix."""
    at, turned = pose.pos(), pose.rot()
    return homogeneous(quaternion_to_matrix((turned.x(), turned.y(), turned.z(), turned.w())),
                       (at.x(), at.y(), at.z()))
