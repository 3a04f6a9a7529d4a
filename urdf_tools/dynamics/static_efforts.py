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
What the efforts of a robot at rest say: a payload, a wrong mass, a reversed sign.

Friction hides much, units may be wrong, and a robot may be mounted otherwise than its description
says, or touch something. So a cause is named only if it explains every joint, and nothing else
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.dynamics.dynamics import GRAVITY
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.types import Array

_LOADED = 0.02
"""Share of the largest gravity effort that a joint must be able to have to count."""

_RELATIVE, _ABSOLUTE = 0.15, 0.05
"""Error of an effort as a share of itself, and of the greatest one that gravity can cause."""

_CONTRADICTION = 2.0
"""By how many such errors efforts contradict each other."""

_LEAST_JOINTS = 3
_BETTER, _MARGIN = 2.0, 0.5
"""Factor and difference by which every other explanation must fit worse."""

_PARALLEL = 0.99
"""Cosine from which the effects of two masses are indistinguishable."""

_LEAST_CHANGE = 0.3
"""Relative error from which a link's mass counts as wrong."""


class Cause(Enum):
    """What is different from the model."""

    PAYLOAD = 'payload'
    MASS = 'mass'
    SIGN = 'sign'


@dataclass(frozen=True)
class EffortCause:
    """
    The cause of efforts that do not balance gravity.

    :param joints: those that contradict the model.
    :param measured: their efforts in N m and N.
    :param expected: the efforts that hold them according to the model, likewise.
    :param link: the link that carries the payload, or whose mass is wrong.
    :param mass: of the payload, or that the link must have, in kg.
    """

    cause: Cause
    joints: tuple[str, ...]
    measured: tuple[float, ...]
    expected: tuple[float, ...]
    link: str = ''
    mass: float = 0.0


def explain(inverse: InverseDynamics, positions: Array,
            efforts: Mapping[str, float]) -> EffortCause | None:
    """
    Return why efforts at rest do not balance gravity.

    :param positions: in radians and metres, shape (n,).
    :param efforts: name of a joint to its effort in N m or N.
    :return: None if they are, or if there is not exactly one explanation.
    """
    if any(joint.type is JointType.FLOATING for joint in inverse.tree.robot.tree):
        return None  # Neither its supports nor the direction of gravity are known.
    loads = _Loads.of(inverse, positions, efforts)
    if loads is None or not loads.contradicts.any():
        return None
    candidates = sorted(_candidates(inverse.tree, positions, loads), key=lambda each: each.misfit)
    is_reversed = loads.contradicts & (np.abs(loads.measured + loads.expected) <= loads.errors())
    if is_reversed.any():
        return _reversed(loads, is_reversed, candidates)
    if not candidates or candidates[0].misfit > 1 or np.count_nonzero(loads.contradicts) < 2:
        return None
    return _misplaced_mass(loads, candidates)


@dataclass(frozen=True)
class _Loads:
    """
    The joints loaded by gravity: measured and expected efforts, shape (k,).

    :param directions: expected efforts for gravity of 1 m/s^2 along each axis, shape (k, 3).
    :param scales: greatest effort that gravity can cause in any joint of the same kind, or the
        limit of the joint if that is lower.
    :param frictions: that the description states.
    """

    names: tuple[str, ...]
    rows: npt.NDArray[np.intp]
    measured: Array
    expected: Array
    directions: Array
    scales: Array
    frictions: Array

    @classmethod
    def of(cls, inverse: InverseDynamics, positions: Array,
           efforts: Mapping[str, float]) -> _Loads | None:
        """Return the loads of a robot, or None if too few joints have any."""
        tree, joints = inverse.tree, inverse.tree.robot.joints
        leaders = {mimic.joint for mimic in tree.mimic.values()}
        names = [name for name in tree.velocity_names if name in joints and name not in leaders]
        rows = np.array([tree.velocity_index[name] for name in names], dtype=np.intp)
        directions = np.array([inverse(positions, gravity=axis)[rows] for axis in np.eye(3)]).T
        possible = np.linalg.norm(GRAVITY) * np.linalg.norm(directions, axis=1)
        slides = np.array([joints[name].type is JointType.PRISMATIC for name in names], bool)
        # Friction grows with the size of an actuator.
        scales = np.minimum(
            np.array([possible[slides == kind].max() for kind in slides]),
            tree.effort_limit[rows])
        expected = directions @ GRAVITY
        # A joint without a sensor reports zero.
        felt = [
            index for index, name in enumerate(names)
            if possible[index] >= _LOADED * scales[index] > 0 and name in efforts
            and (efforts[name] or abs(expected[index]) <= _ABSOLUTE * scales[index])]
        if len(felt) < _LEAST_JOINTS:
            return None
        names = [names[index] for index in felt]
        dynamics = [joints[name].dynamics for name in names]
        return cls(
            tuple(names), rows[felt], np.array([efforts[name] for name in names]),
            expected[felt], directions[felt], scales[felt],
            np.array([each.friction if each else 0.0 for each in dynamics]))

    def errors(self, efforts: Array | None = None) -> Array:
        """Return the tolerance of measured efforts around some, by default the expected ones."""
        efforts = self.expected if efforts is None else efforts
        return np.asarray(_RELATIVE * np.abs(efforts) + _ABSOLUTE * self.scales + self.frictions)

    @property
    def contradicts(self) -> npt.NDArray[np.bool_]:
        """Mask of the measured efforts that contradict the expected ones."""
        return np.asarray(np.abs(self.measured - self.expected) > _CONTRADICTION * self.errors())

    def misfit(self, efforts: Array) -> float:
        """Return the largest difference from the measured efforts, as a share of its error."""
        return float(np.max(np.abs(self.measured - efforts) / self.errors(efforts)))

    def fitted(self, columns: Array, start: Array) -> tuple[Array, Array]:
        """Return the factors of columns, shape (k, c), that fit best, and efforts with them."""
        weights = 1 / self.errors()
        factors = np.asarray(np.linalg.lstsq(
            columns * weights[:, None], (self.measured - start) * weights, rcond=None)[0], float)
        return factors, start + columns @ factors

    def misfit_of_unit_or_mounting(self) -> float:
        """Return how badly other units of efforts, or another direction of gravity, fit."""
        zero = np.zeros_like(self.expected)
        _, scaled = self.fitted(self.expected[:, None], zero)
        gravity, turned = self.fitted(self.directions, zero)
        share = np.linalg.norm(gravity) / np.linalg.norm(GRAVITY)
        return min(self.misfit(scaled), (
            self.misfit(turned) if abs(share - 1) <= _RELATIVE else np.inf))

    def cause(self, cause: Cause, chosen: npt.NDArray[np.bool_], link: str = '',
              mass: float = 0.0) -> EffortCause:
        """Return a cause with the data of some of the joints."""
        return EffortCause(
            cause, tuple(compress(self.names, chosen)), tuple(self.measured[chosen].tolist()),
            tuple(self.expected[chosen].tolist()), link, mass)


@dataclass(frozen=True)
class _Candidate:
    """A link with another mass, and how well that explains the efforts."""

    cause: Cause
    link: Link
    column: Array
    change: float
    misfit: float

    @property
    def mass(self) -> float:
        """Mass of the payload, or that the link must have."""
        own = self.link.inertial.mass if self.link.inertial else 0.0
        return self.change if self.cause is Cause.PAYLOAD else own + self.change


def _reversed(loads: _Loads, is_reversed: npt.NDArray[np.bool_],
              candidates: list[_Candidate]) -> EffortCause | None:
    """Return the cause that some efforts have the wrong sign, if others are right."""
    efforts = np.where(is_reversed, -loads.expected, loads.expected)
    is_sure = ~is_reversed & (np.abs(loads.expected) > _CONTRADICTION * loads.errors())
    if loads.misfit(efforts) > 1 or not is_sure.any() or any(
            each.misfit <= 1 for each in candidates):
        return None
    return loads.cause(Cause.SIGN, is_reversed)


def _misplaced_mass(loads: _Loads, candidates: list[_Candidate]) -> EffortCause | None:
    """Return the mass that explains the efforts best, if it is clearly the best."""
    best = candidates[0]
    like_best = [each for each in candidates if _cosine(each, best) > _PARALLEL]
    worse = max(_BETTER * best.misfit, best.misfit + _MARGIN)
    efforts = loads.expected + best.change * best.column
    if np.count_nonzero(np.abs(efforts) > loads.errors()) < _LEAST_JOINTS or (
            loads.misfit_of_unit_or_mounting() < worse) or any(
            each.misfit < worse and each not in like_best for each in candidates):
        return None
    # A tip that is pushed up touches something.
    chosen = next((each for each in like_best if each.cause is Cause.PAYLOAD), like_best[0])
    if chosen.mass <= 0 or chosen.cause is Cause.MASS and (
            abs(chosen.change) <= _LEAST_CHANGE * (chosen.mass - chosen.change)):
        return None
    return loads.cause(chosen.cause, loads.contradicts, chosen.link.name, chosen.mass)


def _candidates(tree: KinematicTree, positions: Array, loads: _Loads) -> Iterator[_Candidate]:
    """Yield payloads at the tips of the robot, and other masses of its links."""
    robot = tree.robot
    parents = {joint.parent for joint in robot.tree}
    for link in robot.links.values():
        poses, jacobians = Jacobian(tree, link.name).with_poses(positions[None])
        jacobian = jacobians[0][:, loads.rows]
        up = -np.array(GRAVITY) @ poses[0, :3, :3]
        points = []
        if link.name not in parents:
            points.append((Cause.PAYLOAD, np.zeros(3)))
        if link.inertial is not None and link.inertial.mass > 0:
            points.append((Cause.MASS, np.array(link.inertial.origin.xyz)))
        for cause, point in points:
            column = up @ (jacobian[:3] - np.cross(point, jacobian[3:].T).T)
            if not column.any():
                continue
            (change,), efforts = loads.fitted(column[:, None], loads.expected)
            yield _Candidate(cause, link, column, float(change), loads.misfit(efforts))


def _cosine(one: _Candidate, other: _Candidate) -> float:
    return float(one.column @ other.column / (
        np.linalg.norm(one.column) * np.linalg.norm(other.column)))


_PRIOR = 3.0
"""
Postures in which a joint is taken to fit as well as all, besides those that were observed.

Otherwise those that fit by chance would count most, and the errors would be too small.
"""


class Payload(NamedTuple):
    """
    A mass at a link, besides those of the model.

    :param link: name of the link.
    :param mass: in kg.
    :param centre: its centre of mass in the frame of the link, in m, shape (3,).
    :param mass_error: standard error of the mass; infinite if the postures do not determine it.
    :param centre_errors: those of the centre, likewise, shape (3,).
    :param rest: name of a joint to the root mean square of the efforts that are left over.
    """

    link: str
    mass: float
    centre: Array
    mass_error: float
    centre_errors: Array
    rest: dict[str, float]


def identify_payload(inverse: InverseDynamics, link: str, names: Sequence[str], positions: Array,
                     efforts: Array) -> Payload:
    """
    Return the payload at a link that explains the efforts at rest best.

    Gravity moves a joint by what is linear in the mass and its first moment (Atkeson, An and
    Hollerbach, 1986). Joints that fit worse, because of their friction, count less.

    :param names: joints that report efforts.
    :param positions: of still postures, in rad and m, shape (B, n).
    :param efforts: of these joints, in N m and N, shape (B, k).
    """
    rows = [inverse.tree.velocity_index[name] for name in names]
    poses, jacobians = Jacobian(inverse.tree, link).with_poses(positions)
    up = -np.array(GRAVITY) @ poses[:, :3, :3]
    linear, angular = jacobians[:, :3, rows], jacobians[:, 3:, rows]
    columns = np.concatenate([
        np.einsum('bi,bij->bj', up, linear)[..., None],
        np.cross(up[:, None], angular.transpose(0, 2, 1))], axis=2)
    target = efforts - np.atleast_2d(inverse(positions))[:, rows]
    weights = np.ones(len(names))
    for _ in range(2):
        fit = least_squares((columns * weights[:, None]).reshape(-1, 4),
                            (target * weights).reshape(-1))
        squares = np.square(target - columns @ fit.values)
        weights = 1 / np.sqrt(squares.sum(axis=0) + _PRIOR * squares.mean() + 1e-18)
    # The weight of a joint is known from as many values as there are postures.
    covariance = fit.covariance * (1 + len(names) / len(positions))
    mass, centre = float(fit.values[0]), fit.values[1:] / (fit.values[0] or 1.0)
    slopes = np.column_stack([-centre, np.eye(3)]) / (mass or 1.0)
    errors = np.sqrt(np.einsum('ij,jk,ik->i', slopes, covariance, slopes))
    errors[np.isinf(fit.errors[1:]) | np.isinf(fit.errors[0])] = np.inf
    mass_error = float(np.sqrt(covariance[0, 0])) if np.isfinite(fit.errors[0]) else np.inf
    return Payload(link, mass, centre, mass_error, errors, dict(zip(
        names, np.sqrt(squares.mean(axis=0)).tolist())))
