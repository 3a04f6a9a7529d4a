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

"""The kinematic tree: a robot as arrays, built once for all computations."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.joint_transforms import in_tree
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.moving_frames import moving_frames
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.multi_dof import velocity_names
from urdf_tools.kinematics.transforms import exp
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import log
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import numbers
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import rotations
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.records import FAR
from urdf_tools.model.records import NO_LIMITS
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import NamedMapping
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array
from urdf_tools.types import Indices


class KinematicTree(Suggesting):
    """
    A robot as arrays, read-only: links, joints, variables, limits and moving frames.

    A configuration is an array of the n independent variables. A joint of one degree of freedom
    has a variable of its own name; planar joints have ``<joint>/x``, ``y`` and ``theta``, floating
    joints ``<joint>/trans_x`` to ``rot_w`` (see :mod:`urdf_tools.kinematics.multi_dof`). Mimic
    joints have no variables. The nv velocity variables are the rates of the variables, except for
    a floating joint: the twist of the child link in its own frame, ``<joint>/linear_x`` to
    ``angular_z``, as in Pinocchio.

    Build it once per robot and pass it to :class:`~urdf_tools.kinematics.ForwardKinematics`,
    :class:`~urdf_tools.kinematics.Jacobian` and :class:`~urdf_tools.dynamics.CompositeInertia`.

    :ivar link_names: names of the L links, in the order of the description.
    :ivar link_index: name of a link to its index.
    :ivar link_parents: index of each link's parent, -1 for the root link, shape (L,).
    :ivar joint_names: names of the joints of the tree, in the order of the description.
    :ivar joint_index: name of a joint of the tree to its index.
    :ivar mimic: name of a mimic joint to the joint that it follows in the end.
    :ivar variable_names: names of the variables, in the order of the description.
    :ivar variable_index: name of a variable to its index.
    :ivar velocity_names: names of the velocity variables, in the order of the description.
    :ivar velocity_index: name of a velocity variable to its index.
    :ivar position_lower: lower limits of the variables in radians or metres; minus infinity for
        those without limits, among them all of planar and floating joints, shape (n,).
    :ivar position_upper: upper limits, likewise, shape (n,).
    :ivar velocity_limit: largest absolute values of the velocity variables, in rad/s or m/s;
        infinity where there is no limit, shape (nv,).
    :ivar effort_limit: largest absolute efforts along the velocity variables, in N m or N,
        likewise, shape (nv,).
    :ivar quaternions: name of a floating joint to where its quaternion is in a configuration.
    :ivar frames: the frames that joints move.
    :ivar link_frames: index of the frame that each link is fixed to, shape (L,).
    :ivar link_placements: pose of each link in that frame, shape (L, 4, 4).
    """

    def __init__(self, robot: Robot):
        if not isinstance(robot, Robot):
            raise TypeError(
                f'A kinematic tree is of a Robot, not of {robot!r:.80}; load one first: '
                f"urdf_tools.load('robot.urdf')")
        joints = [joint for joint in robot.joints.values() if in_tree(robot, joint)]
        self.robot = robot
        self.link_names = tuple(robot.links)
        self.link_index = _index(self.link_names, 'link')
        parents = {joint.child: self.link_index[joint.parent] for joint in joints}
        self.link_parents = np.array([parents.get(link, -1) for link in self.link_names])
        self.joint_names = tuple(joint.name for joint in joints)
        self.joint_index = _index(self.joint_names, 'joint')
        self.mimic: Mapping[str, Mimic] = NamedMapping(resolve_mimic(robot), 'mimic joint')

        leaders = [joint for joint in joints if joint.name not in self.mimic]
        self.variable_names = tuple(name for joint in leaders for name in variable_names(joint))
        reasons = {
            name: f'Joint {quote(name)} mimics {quote(mimic.joint)}; set the position of that '
            'joint' for name, mimic in self.mimic.items()}
        self.variable_index = _index(self.variable_names, 'variable', reasons)
        self.velocity_names = tuple(name for joint in leaders for name in velocity_names(joint))
        self.velocity_index = _index(self.velocity_names, 'velocity variable')
        self._set_limits(leaders)

        self.frames, placements = moving_frames(
            robot, self.mimic, self.variable_index, self.velocity_index)
        frames, poses = zip(*(placements[link] for link in self.link_names))
        self.link_frames, self.link_placements = np.array(frames), np.array(poses)
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    @classmethod
    def of(cls, robot: Robot | KinematicTree) -> KinematicTree:
        """Return the kinematic tree of a robot; a tree is returned unchanged."""
        return robot if isinstance(robot, cls) else cls(robot)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return (f'<KinematicTree of {quote(self.robot.name)}: '
                f'{count(len(self.link_names), "link")}, '
                f'{count(len(self.variable_names), "variable")}>')

    def _set_limits(self, leaders: Iterable[Joint]) -> None:
        """Set the limits, the neutral configuration and the range of random ones."""
        n = len(self.variable_names)
        self._neutral, self._reach = np.zeros(n), np.ones(n)
        self._is_angle = np.zeros(n, dtype=bool)
        self._floating: list[tuple[slice, slice]] = []
        self.quaternions: dict[str, slice] = {}
        self.position_lower, self.position_upper = np.full(n, -np.inf), np.full(n, np.inf)
        self.velocity_limit, self.effort_limit = np.full((2, len(self.velocity_names)), np.inf)
        for joint in leaders:
            names = variable_names(joint)
            if joint.type is JointType.FLOATING:
                first = self.variable_index[names[0]]
                twist = self.velocity_index[velocity_names(joint)[0]]
                self._floating.append((slice(first, first + 7), slice(twist, twist + 6)))
                self.quaternions[joint.name] = slice(first + 3, first + 7)
                self._neutral[first + 6] = 1
            elif names and joint.type is not JointType.PRISMATIC:
                self._reach[self.variable_index[names[-1]]] = np.pi
                self._is_angle[self.variable_index[names[-1]]] = True
            if joint.type.dof == 1:
                limits = joint.limits or NO_LIMITS
                index = self.variable_index[joint.name]
                self.position_lower[index] = limits.lower
                self.position_upper[index] = limits.upper
                index = self.velocity_index[joint.name]
                self.velocity_limit[index] = np.inf if limits.velocity is None else limits.velocity
                self.effort_limit[index] = np.inf if limits.effort is None else limits.effort
        plain = [name for name in self.variable_names if name in self.velocity_index]
        self.plain_variables = np.array([self.variable_index[name] for name in plain], np.intp)
        self.plain_velocities = np.array([self.velocity_index[name] for name in plain], np.intp)

    def neutral(self) -> Array:
        """Return the configuration without translation or rotation of any joint, shape (n,)."""
        return self._neutral.copy()

    def configuration(self, positions: Mapping[str, float] | npt.ArrayLike, *,
                      degrees: bool = False) -> Array:
        """
        Return a configuration, of which some variables may be given by name.

        :param positions: name of a variable to its value in radians or metres, the others are
            neutral; or a configuration of shape (n,) or a batch (B, n).
        :param degrees: whether angles are in degrees.
        :raises KeyError: a name is not one of the variables; a mimic joint has none.
        :raises ValueError: an array has another shape.
        """
        if not isinstance(positions, Mapping):
            given = self._checked(positions, 'positions', 2)
            return given * np.where(self._is_angle, np.pi / 180, 1) if degrees else given
        configuration = self.neutral()
        for name, position in positions.items():
            index = self.variable_index[name]
            is_degrees = degrees and self._is_angle[index]
            configuration[index] = np.radians(position) if is_degrees else position
        return configuration

    def random_configuration(self, rng: np.random.Generator | None = None,
                             count: int | None = None) -> Array:
        """
        Return configurations uniformly distributed within the limits of the variables.

        Variables without limits are within half a turn or one metre of zero; the orientation of a
        floating joint is uniformly distributed. A mimic joint may exceed limits of its own.

        :param rng: the source of the numbers; by default a new one.
        :param count: number of configurations; a single one by default.
        :return: shape (n,) or (count, n).
        """
        (lower, upper), rng = self.ranges(), rng or np.random.default_rng()
        shape = (len(lower),) if count is None else (count, len(lower))
        configurations: Array = lower + (upper - lower) * rng.random(shape)
        for part in self.quaternions.values():
            quaternions = rng.standard_normal((*shape[:-1], 4))
            configurations[..., part] = quaternions / np.linalg.norm(
                quaternions, axis=-1, keepdims=True)
        return configurations

    def ranges(self) -> tuple[Array, Array]:
        """
        Return finite ranges of the variables for display and sampling.

        These are the limits; variables without limits, or with ones beyond a million, are
        within half a turn or one metre of zero, or of the one limit that they have.

        :return: in radians and metres, each of shape (n,).
        """
        is_above, is_below = self.position_lower > -FAR, self.position_upper < FAR
        lower = np.where(is_above, self.position_lower, np.where(
            is_below, self.position_upper - 2 * self._reach, -self._reach))
        return lower, np.where(is_below, self.position_upper, lower + 2 * self._reach)

    def integrate(self, positions: npt.ArrayLike, velocities: npt.ArrayLike) -> Array:
        """
        Return the configurations after unit time at constant velocities.

        :param positions: in radians and metres, shape (..., n).
        :param velocities: of the velocity variables in rad/s and m/s, shape (..., nv).
        :return: shape (..., n), quaternions of unit length.
        """
        positions = self._checked(positions, 'positions')
        velocities = numbers(velocities, 'velocities')
        shape = np.broadcast_shapes(positions.shape[:-1], velocities.shape[:-1])
        moved = np.empty((*shape, len(self.variable_names)))
        moved[:] = positions
        moved[..., self.plain_variables] += velocities[..., self.plain_velocities]
        for variables, twist in self._floating:
            pose = pose_of(positions[..., variables]) @ exp(velocities[..., twist])
            moved[..., variables] = np.concatenate(
                (pose[..., :3, 3], matrix_to_quaternion(pose[..., :3, :3])), axis=-1)
        return moved

    def difference(self, start: npt.ArrayLike, end: npt.ArrayLike) -> Array:
        """
        Return the velocities that :meth:`integrate` takes from one configuration to another.

        :param start: in radians and metres, shape (..., n), like the end.
        :return: shape (..., nv).
        """
        start, end = self._checked(start, 'start'), self._checked(end, 'end')
        shape = np.broadcast_shapes(start.shape[:-1], end.shape[:-1])
        velocities = np.empty((*shape, len(self.velocity_names)))
        plain = self.plain_variables
        velocities[..., self.plain_velocities] = end[..., plain] - start[..., plain]
        for variables, twist in self._floating:
            velocities[..., twist] = log(
                invert(pose_of(start[..., variables])) @ pose_of(end[..., variables]))
        return velocities

    def batch(self, positions: npt.ArrayLike) -> Array:
        """
        Return configurations as an array of shape (B, n); a single one becomes a batch of one.

        :raises TypeError: they are not real numbers.
        :raises ValueError: they have neither that shape nor (n,), or a quaternion is zero.
        """
        return np.atleast_2d(self._checked(positions, 'positions', 2))

    def _checked(self, positions: npt.ArrayLike, what: str, dimensions: int = 99) -> Array:
        """
        Return configurations as an array of shape (..., n), or raise what :meth:`batch` does.

        :param dimensions: most dimensions of the array.
        """
        number = len(self.variable_names)
        if isinstance(positions, Mapping):
            positions = self.configuration(positions)
        try:
            configurations = numbers(positions, what)
        except TypeError:
            raise TypeError(
                f'{what} are an array of {count(number, "real number")}, or a dict such as '
                f'{{{self._example()}}}, not {positions!r:.80}; the variables are '
                f'{name_list(self.variable_names)}') from None
        shape = configurations.shape
        if shape[-1:] != (number,) or len(shape) > dimensions:
            raise ValueError(f'{what} have the shape {shape}; expected ({number},) or '
                             f'(B, {number}), of {name_list(self.variable_names)}')
        for joint, part in self.quaternions.items():
            rotations(configurations[..., part], f'the quaternion of {joint!r}')
        return configurations

    def evaluated(self, positions: npt.ArrayLike, out: Array | None,
                  evaluate: Callable[[Array, Array | None], Array]) -> Array:
        """
        Return the result of a function for one configuration or a batch.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param out: array for the result of the same number of dimensions.
        :param evaluate: takes a batch and an array for the result, and returns it.
        :raises ValueError: the positions have another shape, or a quaternion is zero.
        """
        batch = self.batch(positions)
        if np.ndim(positions) == 2:
            return evaluate(batch, out)
        return np.asarray(evaluate(batch, None if out is None else out[None])[0])

    def _example(self) -> str:
        return f'{self.variable_names[0]!r}: 0.5' if self.variable_names else ''

    def links(self, names: Iterable[str]) -> Indices:
        """
        Return the indices of links, shape (len(names),).

        :raises KeyError: a link does not exist.
        """
        return np.array([self.link_index[name] for name in several(names)], dtype=np.intp)


def several(names: Iterable[str]) -> tuple[str, ...]:
    """Return several names; a single one is one of them."""
    return (names,) if isinstance(names, str) else tuple(names)


def _index(
        names: tuple[str, ...], what: str, reasons: Mapping[str, str] = {}) -> Mapping[str, int]:
    return NamedMapping({name: index for index, name in enumerate(names)}, what, reasons)
