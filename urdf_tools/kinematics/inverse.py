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
Inverse kinematics: configurations that bring links to poses.

Damped least squares with the damping of Chan and Lawrence (1988), proportional to the error, from
many starts at once. Joints stay within their limits. For redundancy, collisions or continuous
paths there are Pink, Pinocchio and MoveIt.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import TURNING
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import NamedEnum
from urdf_tools.model.spelling import UnknownNameError

_FIRST_ITERATIONS = 5
"""Iterations from the given start alone before other starts are added."""

_NEARBY = 1.0
"""Maximum distance of a nearby start, in rad and in quarters of the reach."""

_ITERATIONS = 30
_STARTS = 12
_ROUNDS = 12
"""Maximum number of rounds of starts, and iterations of each; the first solution ends them."""

_MAX_STEP = 1.0
"""Largest step of a variable in an iteration, in rad or m."""

_AT_LIMIT = 1e-6


class Constraint(NamedEnum):
    """The constrained part of a link's pose: all, the position, or position and an axis."""

    POSE = 'pose'
    POSITION = 'position'
    X = 'x'
    Y = 'y'
    Z = 'z'

    @property
    def rows(self) -> slice | list[int]:
        """The constrained components of a twist in the frame of the link."""
        if self in (Constraint.POSE, Constraint.POSITION):
            return slice(6 if self is Constraint.POSE else 3)
        axis = 'xyz'.index(self.value)
        return [0, 1, 2, *(row for row in (3, 4, 5) if row != 3 + axis)]


@dataclass(frozen=True)
class InverseKinematicsResult:
    """
    A configuration, and how well it fits.

    :param positions: the configuration, the best one found if there is no solution, shape (n,).
    :param position_error: largest position error of a link, in m.
    :param rotation_error: largest orientation error of a link, in rad.
    :param iterations: evaluations of batches of configurations.
    :param reason: why there is no solution; empty if there is one.
    """

    positions: Array
    position_error: float
    rotation_error: float
    iterations: int
    reason: str = ''

    @property
    def success(self) -> bool:
        """Return whether it is a solution."""
        return not self.reason


class InverseKinematics:
    """
    Finds configurations that bring one or several links to poses, within the limits of joints.

    Mimic joints follow. Variables that do not move the links keep the values of the start.

    :param robot: the robot or its kinematic tree.
    :param links: name of the link, or of each link to what of its pose is wanted: a
        :class:`Constraint` or its value.
    :raises KeyError: a link does not exist.
    :raises ValueError: a constraint is none of the five, or there is no link.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree, links: str | Mapping[str, Constraint | str]):
        self.tree = KinematicTree.of(robot)
        wanted = {links: Constraint.POSE} if isinstance(links, str) else links
        if not wanted:
            raise ValueError('There is no link to bring to a pose')
        self._constraints = {link: Constraint(constraint) for link, constraint in wanted.items()}
        self._jacobians = {link: Jacobian(self.tree, link) for link in self._constraints}
        self._velocities = np.unique(np.concatenate([
            jacobian.moving for jacobian in self._jacobians.values()]))
        names = [self.tree.velocity_names[velocity] for velocity in self._velocities]
        # Variables of floating joints have no limits and no random starts.
        self._plain = np.array([name in self.tree.variable_index for name in names], dtype=bool)
        self._variables = np.array(
            [self.tree.variable_index[name] for name in names if name in self.tree.variable_index],
            dtype=np.intp)
        self._lower = self.tree.position_lower[self._variables]
        self._upper = self.tree.position_upper[self._variables]
        self._reaches = {link: _reach(self.tree, link) for link in self._constraints}
        longest = max(reach for reach, _ in self._reaches.values())
        self._length = longest / 4 if 0 < longest < np.inf else 0.25

    def __call__(self, poses: npt.ArrayLike | Mapping[str, npt.ArrayLike],
                 start: npt.ArrayLike | None = None, tolerance: float = 1e-6,
                 seed: int = 0) -> InverseKinematicsResult:
        """
        Return the configuration found that is nearest to the start.

        :param poses: homogeneous matrix of the link in the frame of the root link, shape (4, 4),
            or of each link by name.
        :param start: configuration in radians and metres, shape (n,); neutral by default.
        :param tolerance: largest error in m and rad.
        :param seed: of the other starts, so that the same question has the same answer.
        :raises KeyError: the pose of a link is missing.
        :raises ValueError: an array has another shape, or a number is not finite.
        """
        targets = self._targets(poses)
        tree = self.tree
        given = tree.batch(tree.neutral() if start is None else start)
        if len(given) != 1 or not np.isfinite(given).all():
            raise ValueError('start is not one configuration of finite numbers')
        starts = self._clipped(given.copy())
        best, iterations = _Best(), 0
        too_far = self._too_far(targets)
        rounds = 1 if too_far else _ROUNDS
        for candidates, most in self._starts(starts, np.random.default_rng(seed), rounds):
            for _ in range(most):
                errors, jacobians, distances = self._evaluate(candidates, targets)
                iterations += 1
                best.keep(candidates, distances, given, tolerance)
                if best.distances.max() <= tolerance:
                    return self._result(best, iterations, '')
                if most == _FIRST_ITERATIONS and (
                        distances > (_NEARBY * self._length, _NEARBY)).any():
                    break
                candidates = self._improved(candidates, errors, jacobians)
        return self._result(best, iterations, too_far or self._why_none(best, iterations))

    def _targets(self, poses: npt.ArrayLike | Mapping[str, npt.ArrayLike]) -> dict[str, Array]:
        given = poses if isinstance(poses, Mapping) else dict.fromkeys(self._constraints, poses)
        for name in given:
            if name not in self._constraints:
                raise UnknownNameError(name, tuple(self._constraints), 'link to bring to a pose')
        for link in self._constraints:
            if link not in given:
                raise UnknownNameError(link, tuple(given), 'pose of link')
        targets = {link: np.asarray(given[link], dtype=float) for link in self._constraints}
        for link, pose in targets.items():
            if pose.shape != (4, 4) or not np.isfinite(pose).all():
                raise ValueError(
                    f'the pose of {link!r} is no homogeneous matrix of finite numbers, of shape '
                    '(4, 4)')
        return targets

    def _starts(self, given: Array, rng: np.random.Generator,
                rounds: int) -> Iterator[tuple[Array, int]]:
        """Yield batches of configurations to improve, and how often."""
        yield given, _FIRST_ITERATIONS
        if not len(self._variables):
            return
        for _ in range(rounds):
            starts = np.repeat(given, _STARTS, axis=0)
            starts[1:, self._variables] = self.tree.random_configuration(
                rng, _STARTS - 1)[:, self._variables]
            yield starts, _ITERATIONS

    def _evaluate(
            self, positions: Array, targets: Mapping[str, Array]) -> tuple[Array, Array, Array]:
        """
        Return the errors of configurations, with rotations as lengths.

        :return: shape (B, m); their Jacobians, shape (B, m, moving variables); the largest errors
            in m and in rad, shape (B, 2).
        """
        errors, jacobians = [], []
        distances = np.zeros((len(positions), 2))
        for link, constraint in self._constraints.items():
            poses, jacobian = self._jacobians[link].with_poses(positions)
            error, rows = _error(poses, targets[link], constraint), constraint.rows
            for column, part in enumerate((error[:, :3], error[:, 3:])):
                distances[:, column] = np.maximum(
                    distances[:, column], np.sqrt(np.einsum('bi,bi->b', part, part)))
            error[:, 3:] *= self._length
            jacobian = jacobian.take(self._velocities, axis=2)
            jacobian[:, 3:] *= self._length
            errors.append(error[:, rows])
            jacobians.append(jacobian[:, rows])
        if len(errors) == 1:
            return errors[0], jacobians[0], distances
        return np.concatenate(errors, axis=1), np.concatenate(jacobians, axis=1), distances

    def _improved(self, positions: Array, errors: Array, jacobians: Array) -> Array:
        """Return configurations after a step that reduces the errors."""
        gradient = (jacobians.swapaxes(1, 2) @ errors[..., None])[..., 0]
        at, plain = positions[:, self._variables], gradient[:, self._plain]
        blocked = ((at <= self._lower + _AT_LIMIT) & (plain < 0)) | (
            (at >= self._upper - _AT_LIMIT) & (plain > 0))
        if blocked.any():
            held = np.zeros(gradient.shape, dtype=bool)
            held[:, self._plain] = blocked
            jacobians = np.where(held[:, None], 0.0, jacobians)
            gradient[held] = 0
        damping = 0.05 * np.einsum('bm,bm->b', errors, errors) + 1e-12
        matrices = jacobians.swapaxes(1, 2) @ jacobians
        np.einsum('bii->bi', matrices)[:] += damping[:, None]
        steps = np.linalg.solve(matrices, gradient[..., None])[..., 0]
        largest = np.abs(steps).max(axis=1, initial=0)
        steps *= (_MAX_STEP / np.maximum(largest, _MAX_STEP))[:, None]
        velocities = np.zeros((len(positions), len(self.tree.velocity_names)))
        velocities[:, self._velocities] = steps
        return self._clipped(self.tree.integrate(positions, velocities))

    def _clipped(self, positions: Array) -> Array:
        positions[:, self._variables] = np.minimum(
            np.maximum(positions[:, self._variables], self._lower), self._upper)
        return positions

    def _result(self, best: _Best, iterations: int, reason: str) -> InverseKinematicsResult:
        return InverseKinematicsResult(
            best.positions, float(best.distances[0]), float(best.distances[1]), iterations, reason)

    def _too_far(self, targets: Mapping[str, Array]) -> str:
        """Return why a pose is out of reach, or an empty string."""
        for link, (reach, shoulder) in self._reaches.items():
            distance = float(np.linalg.norm(targets[link][:3, 3] - shoulder))
            if distance > reach * (1 + _AT_LIMIT) + _AT_LIMIT:
                return (f'the pose of {link} is {distance:.3g} m from its first joint, and its '
                        f'reach is at most {reach:.3g} m')
        return ''

    def _why_none(self, best: _Best, iterations: int) -> str:
        tree, variables = self.tree, self._variables
        at = best.positions[variables]
        names = [tree.variable_names[variable] for variable in variables[
            (at <= self._lower + _AT_LIMIT) | (at >= self._upper - _AT_LIMIT)]]
        limits = f'; at their limits there: {name_list(names)}' if names else ''
        return (f'the nearest of {iterations} iterations is {best.distances[0] * 1000:.3g} mm and '
                f'{best.distances[1]:.3g} rad away{limits}')


class _Best:
    """
    The best configuration so far.

    :ivar distances: its largest errors in m and rad.
    """

    positions: Array

    def __init__(self) -> None:
        self.distances = np.full(2, np.inf)

    def keep(self, positions: Array, distances: Array, start: Array, tolerance: float) -> None:
        """Keep one that is better; of those within the tolerance, the nearest to the start."""
        worst = distances.max(axis=1)
        best = int(np.argmin(worst))
        if worst[best] <= tolerance:
            far = np.linalg.norm(positions - start, axis=1)
            best = int(np.argmin(np.where(worst <= tolerance, far, np.inf)))
        if worst[best] < self.distances.max():
            self.positions, self.distances = positions[best].copy(), distances[best]


def _reach(tree: KinematicTree, link: str) -> tuple[float, Array]:
    """Return how far a link gets from the first joint that moves it, in m, and where that is."""
    frames, (row,) = tree.frames.branch(tree.link_frames[[tree.link_index[link]]])
    length = float(np.linalg.norm(tree.link_placements[tree.link_index[link]][:3, 3]))
    while frames.parents[row]:
        length += float(np.linalg.norm(frames.offsets[row, :3, 3]))
        row = frames.parents[row]
    is_bounded = np.isin(frames.kinds[1:], TURNING).all()
    return length if is_bounded else np.inf, frames.offsets[row, :3, 3]


def _error(poses: Array, target: Array, constraint: Constraint) -> Array:
    """
    Return the twists from a link to its target.

    :param poses: of the link, shape (B, 4, 4).
    :return: in the frame of the link, shape (B, 6).
    """
    back = poses[:, :3, :3].swapaxes(1, 2)
    error = np.zeros((len(poses), 6))
    error[:, :3] = (back @ (target[:3, 3] - poses[:, :3, 3])[..., None])[..., 0]
    if constraint is Constraint.POSITION:
        return error
    to_target = back @ target[:3, :3]
    if constraint is Constraint.POSE:
        axis = 0
        normal = (to_target[:, (2, 0, 1), (1, 2, 0)] - to_target[:, (1, 2, 0), (2, 0, 1)]) / 2
        cosine = (np.einsum('bii->b', to_target) - 1) / 2
    else:
        axis = 'xyz'.index(constraint.value)
        normal = np.cross(np.eye(3)[axis], to_target[:, :, axis])
        cosine = to_target[:, axis, axis]
    sine = np.sqrt(np.einsum('bi,bi->b', normal, normal))
    straight = sine == 0
    if straight.any():
        # At half a turn the axis is ambiguous: any will do.
        normal[straight] = np.eye(3)[axis - 1]
        sine[straight] = 1
        cosine[straight] *= np.inf
    error[:, 3:] = normal * (np.arctan2(sine, cosine) / sine)[:, None]
    return error
