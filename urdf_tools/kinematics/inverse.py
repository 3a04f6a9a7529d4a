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

Arrays of many configurations have these last here, as those of Jacobians.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import rigid
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import NamedEnum
from urdf_tools.model.spelling import Suggesting
from urdf_tools.model.spelling import UnknownNameError
from urdf_tools.types import Array
from urdf_tools.types import Indices


@dataclass(frozen=True)
class InverseKinematicsResult(Suggesting):
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


@dataclass(frozen=True)
class InverseKinematicsBatch:
    """
    Configurations for B targets; one of them is an :class:`InverseKinematicsResult`.

    :param positions: the configurations, shape (B, n).
    :param position_errors: largest position error of a link, in m, shape (B,).
    :param rotation_errors: largest orientation error of a link, in rad, shape (B,).
    :param iterations: evaluations for each target, shape (B,).
    :param reasons: why there is no solution; empty where there is one.
    """

    positions: Array
    position_errors: Array
    rotation_errors: Array
    iterations: Indices
    reasons: tuple[str, ...]

    @property
    def success(self) -> npt.NDArray[np.bool_]:
        """Return which are solutions, shape (B,)."""
        return np.array([not reason for reason in self.reasons], dtype=bool)

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, row: int) -> InverseKinematicsResult:
        return InverseKinematicsResult(
            self.positions[row], float(self.position_errors[row]),
            float(self.rotation_errors[row]), int(self.iterations[row]), self.reasons[row])


class Search:
    """
    The best configurations so far for B targets.

    :param targets: name of a link to its poses, shape (4, 4, B).
    :param far: why they are out of reach, or empty texts.
    :param given: the starts, shape (B, n).
    :param positions: the same within the limits.
    :ivar distances: largest errors in m and rad, shape (B, 2).
    :ivar iterations: evaluations for each target, shape (B,).
    """

    def __init__(self, targets: dict[str, Array], far: list[str], given: Array, positions: Array,
                 tolerance: float):
        self.targets, self.far, self.positions = targets, far, positions
        self._given, self._tolerance = given, tolerance
        self.distances = np.full((len(given), 2), np.inf)
        self.iterations = np.zeros(len(given), dtype=np.intp)

    def is_solved(self) -> npt.NDArray[np.bool_]:
        """Return which targets are reached, shape (B,)."""
        return np.asarray(self.distances.max(axis=1) <= self._tolerance)

    def keep(self, rows: Indices, positions: Array, distances: Array) -> npt.NDArray[np.bool_]:
        """
        Keep what is better; of those within the tolerance, the nearest to the start.

        :param rows: of targets, shape (T,).
        :param positions: as many for each of them, shape (T * S, n).
        :return: whether they are reached, shape (T,).
        """
        worst = np.fmin(distances.max(axis=1), np.inf).reshape(len(rows), -1)
        count = worst.shape[1]
        if count > 1:
            apart = np.linalg.norm(positions - self._given[rows].repeat(count, axis=0), axis=1)
            fits = worst <= self._tolerance
            worst = np.where(fits, -1 / (1 + apart.reshape(worst.shape)), worst)
        best = worst.argmin(axis=1) + count * np.arange(len(rows))
        found = distances[best]
        better = np.flatnonzero(found.max(axis=1) < self.distances[rows].max(axis=1))
        self.distances[rows[better]] = found[better]
        self.positions[rows[better]] = positions[best[better]]
        self.iterations[rows] += 1
        return np.asarray(found.max(axis=1) <= self._tolerance)


_FIRST_ITERATIONS = 5
"""Iterations from the given start alone before other starts are added."""

_NEARBY = 1.0
"""Maximum distance of a nearby start, in rad and in quarters of the reach."""

_ITERATIONS = 30
_STARTS = 12
_MOST_STARTS = 144
"""Starts that are tried at once, and in all; the first solution ends them."""

_AT_ONCE = 512
"""Configurations below which a target gets several starts at once."""

_CHUNK = 1000
"""Targets at a time."""

_MAX_STEP = 1.0
"""Largest step of a variable in an iteration, in rad or m, but for those that slide."""

_AT_LIMIT = 1e-6


class Constraint(NamedEnum):
    """What of a pose is wanted: all, the position, the orientation, or position and an axis."""

    POSE = 'pose'
    POSITION = 'position'
    ORIENTATION = 'orientation'
    X = 'x'
    Y = 'y'
    Z = 'z'


_ROWS: dict[Constraint, slice | list[int]] = {
    Constraint.POSE: slice(6), Constraint.POSITION: slice(3), Constraint.ORIENTATION: slice(3, 6),
    Constraint.X: [0, 1, 2, 4, 5], Constraint.Y: [0, 1, 2, 3, 5], Constraint.Z: [0, 1, 2, 3, 4]}
"""The constrained components of a twist in the frame of the link."""


class InverseKinematics(Suggesting):
    """
    Finds configurations that bring one or several links to poses, within the limits of joints.

    Mimic joints follow. Variables that do not move the links keep the values of the start.

    :param robot: the robot or its kinematic tree.
    :param links: name of the link, or of each link to what of its pose is wanted: a
        :class:`Constraint` or its value.
    :param tool: pose in the frame of the link of what is brought to the target instead of it, as
        a homogeneous matrix, shape (4, 4), or by the name of the link.
    :raises KeyError: a link does not exist.
    :raises ValueError: a constraint is none of the six, there is no link, or a pose is none.
    :ivar tree: the kinematic tree, with the names of the variables.
    """

    def __init__(self, robot: Robot | KinematicTree, links: str | Mapping[str, Constraint | str],
                 tool: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None):
        self.tree = KinematicTree.of(robot)
        wanted = {links: Constraint.POSE} if isinstance(links, str) else links
        if not wanted:
            raise ValueError('There is no link to bring to a pose')
        self._constraints = {link: Constraint(constraint) for link, constraint in wanted.items()}
        tools = self._of_links(tool)
        self._jacobians = {link: Jacobian(self.tree, link, tool=tools.get(link))
                           for link in self._constraints}
        self._velocities = np.unique(np.concatenate([
            jacobian.moving for jacobian in self._jacobians.values()]))
        frames = self.tree.frames
        self._bounded = ~np.isin(self._velocities, frames.velocities[frames.of_kinds[SLIDING]])
        # Variables of floating joints have no limits and no random starts.
        self._plain = np.isin(self._velocities, self.tree.plain_velocities)
        self._variables = self.tree.plain_variables[
            np.isin(self.tree.plain_velocities, self._velocities)]
        self._lower = self.tree.position_lower[self._variables, None]
        self._upper = self.tree.position_upper[self._variables, None]
        self._reaches = {link: jacobian.reach() for link, jacobian in self._jacobians.items()}
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
        :raises TypeError: an array has other than real numbers.
        :raises ValueError: an array has another shape, a number is not finite, or a pose scales,
            shears or reflects.
        """
        return self._solved(self._targets(poses, 2), start, tolerance, seed)[0]

    def batch(self, poses: npt.ArrayLike | Mapping[str, npt.ArrayLike],
              starts: npt.ArrayLike | None = None, tolerance: float = 1e-6,
              seed: int = 0) -> InverseKinematicsBatch:
        """
        Return configurations for B targets at once; thousands take little time for each.

        :param poses: homogeneous matrices, shape (B, 4, 4), or of each link by name.
        :param starts: configurations, shape (n,) or (B, n); neutral by default.
        :param tolerance: as for one, as are the seed and the errors.
        """
        return self._solved(self._targets(poses, 3), starts, tolerance, seed)

    def _of_links(self, given: object) -> Mapping[str, npt.ArrayLike]:
        """Return what is given for each link by name, or once for all of them."""
        if not isinstance(given, Mapping):
            return dict.fromkeys(self._constraints, given)  # type: ignore[arg-type]
        for name in given:
            if name not in self._constraints:
                raise UnknownNameError(name, tuple(self._constraints), 'link to bring to a pose')
        return given

    def _targets(self, poses: npt.ArrayLike | Mapping[str, npt.ArrayLike],
                 dimensions: int) -> dict[str, Array]:
        """Return the targets of links, shape (4, 4, B)."""
        given = self._of_links(poses)
        targets = {}
        for link in self._constraints:
            if link not in given:
                raise UnknownNameError(link, tuple(given), 'pose of link')
            pose = rigid(given[link], f'the pose of {link!r}', dimensions)
            targets[link] = np.moveaxis(pose.reshape(-1, 4, 4), 0, -1)
        if len({target.shape for target in targets.values()}) > 1:
            raise ValueError('The links have different numbers of poses')
        return targets

    def _solved(self, targets: dict[str, Array], start: npt.ArrayLike | None, tolerance: float,
                seed: int) -> InverseKinematicsBatch:
        count = next(iter(targets.values())).shape[2]
        given = self.tree.batch(self.tree.neutral() if start is None else start)
        if len(given) not in (1, count) or not np.isfinite(given).all():
            raise ValueError(f'start is not one configuration{f" or {count}" * (count > 1)} of '
                             'finite numbers')
        given, rng = np.broadcast_to(given, (count, given.shape[1])), np.random.default_rng(seed)
        searches = []
        for first in range(0, count, _CHUNK):
            rows = slice(first, first + _CHUNK)
            own = {link: target[..., rows] for link, target in targets.items()}
            searches.append(Search(own, self._too_far(own, len(given[rows])), given[rows],
                                   self._clipped(given[rows].copy()), tolerance))
            self._search(searches[-1], rng)
        if not searches:
            raise ValueError('There is no pose')
        reasons = tuple('' if is_solved else search.far[row] or self._why_none(search, row)
                        for search in searches
                        for row, is_solved in enumerate(search.is_solved().tolist()))
        positions, distances, iterations = (
            np.concatenate([getattr(search, name) for search in searches])
            for name in ('positions', 'distances', 'iterations'))
        return InverseKinematicsBatch(
            positions, distances[:, 0], distances[:, 1], iterations, reasons)

    def _search(self, search: Search, rng: np.random.Generator) -> None:
        """Improve the configurations of a search from the start, then from others."""
        starts, tried = search.positions.copy(), 0
        is_far = np.array([bool(reason) for reason in search.far])
        self._improve(search, np.arange(len(starts)), starts, _FIRST_ITERATIONS)
        while tried < _MOST_STARTS:
            # Without variables that have random starts there is only the given one.
            rows = np.flatnonzero(~search.is_solved() & ~(
                (is_far | (not len(self._variables))) & (tried > 0)))
            if not len(rows):
                break
            count = min(_STARTS, max(1, _AT_ONCE // len(rows)))
            first = int(count > 1 or not tried)
            candidates = starts[rows, None].repeat(count, axis=1)
            random = self.tree.random_configuration(rng, len(rows) * (count - first))
            candidates[:, first:, self._variables] = random[:, self._variables].reshape(
                len(rows), count - first, len(self._variables))
            self._improve(search, rows, candidates.reshape(-1, starts.shape[1]), _ITERATIONS)
            tried += count

    def _improve(self, search: Search, rows: Indices, candidates: Array, maximum: int) -> None:
        """
        Improve configurations of some targets until one of them fits.

        :param rows: of the targets, shape (T,).
        :param candidates: as many for each of them, shape (T * S, n).
        """
        count = len(candidates) // len(rows)
        for _ in range(maximum):
            errors, jacobians, distances = self._evaluate(
                candidates, {link: target.take(rows.repeat(count), axis=2)
                             for link, target in search.targets.items()})
            going = ~search.keep(rows, candidates, distances)
            if maximum == _FIRST_ITERATIONS:
                going &= (distances <= (_NEARBY * self._length, _NEARBY)).all(axis=1)
            if not going.all():
                each = going.repeat(count)
                rows, candidates, errors = rows[going], candidates[each], errors[:, each]
                jacobians = jacobians[..., each]
            if not len(rows):
                break
            candidates = self._improved(candidates, errors, jacobians)

    def _evaluate(
            self, positions: Array, targets: Mapping[str, Array]) -> tuple[Array, Array, Array]:
        """
        Return the errors of configurations, with rotations as lengths.

        :return: shape (m, B); their Jacobians, shape (m, moving variables, B); the largest errors
            in m and in rad, shape (B, 2).
        """
        errors, jacobians = [], []
        distances = np.zeros((2, len(positions)))
        for link, constraint in self._constraints.items():
            poses, jacobian = self._jacobians[link].with_poses(positions)
            error = _error(poses.transpose(1, 2, 0), targets[link], constraint)
            np.maximum(distances, np.linalg.norm(error.reshape(2, 3, -1), axis=1), out=distances)
            error[3:] *= self._length
            moving = jacobian.transpose(1, 2, 0).take(self._velocities, axis=1)
            moving[3:] *= self._length
            errors.append(error[_ROWS[constraint]])
            jacobians.append(moving[_ROWS[constraint]])
        return np.concatenate(errors), np.concatenate(jacobians), distances.T

    def _improved(self, positions: Array, errors: Array, jacobians: Array) -> Array:
        """Return configurations after a step that reduces the errors."""
        at = positions[:, self._variables].T
        plain = np.einsum('ivb,ib->vb', jacobians[:, self._plain], errors)
        blocked = ((at <= self._lower + _AT_LIMIT) & (plain < 0)) | (
            (at >= self._upper - _AT_LIMIT) & (plain > 0))
        if blocked.any():
            jacobians[:, self._plain] *= ~blocked
        # Beyond the reach of an arm the error is that of what slides, and says little about turns.
        damping = 0.05 * np.minimum(
            np.einsum('ib,ib->b', errors, errors), 100 * self._length**2) + 1e-12
        steps = _damped(jacobians, errors, damping)
        largest = np.abs(steps[self._bounded]).max(axis=0, initial=0)
        steps[self._bounded] *= _MAX_STEP / np.maximum(largest, _MAX_STEP)
        velocities = np.zeros((len(positions), len(self.tree.velocity_names)))
        velocities[:, self._velocities] = steps.T
        return self._clipped(self.tree.integrate(positions, velocities))

    def _clipped(self, positions: Array) -> Array:
        positions[:, self._variables] = np.minimum(
            np.maximum(positions[:, self._variables], self._lower.T), self._upper.T)
        return positions

    def _too_far(self, targets: Mapping[str, Array], count: int) -> list[str]:
        """Return why poses are out of reach, or empty strings."""
        reasons = [''] * count
        for link, (reach, shoulder) in self._reaches.items():
            if self._constraints[link] is Constraint.ORIENTATION:
                continue
            distances = np.linalg.norm(targets[link][:3, 3] - shoulder[:, None], axis=0)
            for row in np.flatnonzero(distances > reach * (1 + _AT_LIMIT) + _AT_LIMIT).tolist():
                reasons[row] = reasons[row] or (
                    f'the pose of {link} is {distances[row]:.3g} m from its first joint, and its '
                    f'reach is at most {reach:.3g} m')
        return reasons

    def _why_none(self, search: Search, row: int) -> str:
        tree, variables = self.tree, self._variables
        at, distances = search.positions[row, variables, None], search.distances[row]
        names = [tree.variable_names[variable] for variable in variables[
            ((at <= self._lower + _AT_LIMIT) | (at >= self._upper - _AT_LIMIT))[:, 0]]]
        limits = f'; at their limits there: {name_list(names)}' if names else ''
        return (f'the nearest of {search.iterations[row]} iterations is '
                f'{distances[0] * 1000:.3g} mm and {distances[1]:.3g} rad away{limits}')


def _damped(jacobians: Array, errors: Array, damping: Array) -> Array:
    """
    Return the steps of damped least squares, shape (k, B).

    The smaller one of the two squares is eliminated, for all configurations at once.

    :param jacobians: shape (m, k, B).
    :param errors: shape (m, B).
    """
    is_tall = len(jacobians) > jacobians.shape[1]
    if is_tall:
        errors = np.einsum('ijb,ib->jb', jacobians, errors)
    squares = np.einsum('kib,kjb->ijb' if is_tall else 'ikb,jkb->ijb', jacobians, jacobians)
    size = len(squares)
    # Rounding of a matrix that is singular is below this.
    np.einsum('iib->ib', squares)[:] += np.maximum(damping, 1e-15 * np.einsum('iib->b', squares))
    solved = errors.copy()
    for pivot in range(size):
        factors = squares[pivot + 1:, pivot] / squares[pivot, pivot]
        squares[pivot + 1:, pivot + 1:] -= factors[:, None] * squares[pivot, pivot + 1:]
        solved[pivot + 1:] -= factors * solved[pivot]
    for pivot in reversed(range(size)):
        solved[pivot] /= squares[pivot, pivot]
        solved[:pivot] -= squares[:pivot, pivot] * solved[pivot]
    return solved if is_tall else np.einsum('ijb,ib->jb', jacobians, solved)


def _error(poses: Array, targets: Array, constraint: Constraint) -> Array:
    """
    Return the twists from a link to its targets.

    :param poses: of the link, shape (4, 4, B), as the targets.
    :return: in the frame of the link, shape (6, B).
    """
    error = np.zeros((6, poses.shape[2]))
    if constraint is not Constraint.ORIENTATION:
        np.einsum('ijb,ib->jb', poses[:3, :3], targets[:3, 3] - poses[:3, 3], out=error[:3])
    if constraint is Constraint.POSITION:
        return error
    turns = np.einsum('kib,kjb->ijb', poses[:3, :3], targets[:3, :3])
    if len(constraint.value) > 1:
        axis = 0
        normal = (turns[(2, 0, 1), (1, 2, 0)] - turns[(1, 2, 0), (2, 0, 1)]) / 2
        cosine = (np.einsum('iib->b', turns) - 1) / 2
    else:
        axis = 'xyz'.index(constraint.value)
        normal = cross(np.broadcast_to(np.eye(3)[axis, :, None], turns[:, axis].shape),
                       turns[:, axis])
        cosine = turns[axis, axis]
    sine = np.linalg.norm(normal, axis=0)
    straight = sine == 0
    if straight.any():
        # At half a turn the axis is ambiguous: any will do.
        normal[:, straight] = np.eye(3)[axis - 1, :, None]
        sine[straight] = 1
        cosine[straight] *= np.inf
    error[3:] = normal * (np.arctan2(sine, cosine) / sine)
    return error
