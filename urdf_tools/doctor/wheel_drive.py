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
"""The wheels of a robot with a differential drive, and what its odometry says about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.stamped_sources import times_of
from urdf_tools.dynamics.least_squares import Fit
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.robot import JointType
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere
from urdf_tools.types import Array
from urdf_tools.types import Times

Mask = npt.NDArray[np.bool_]

STEP = 0.2
"""Seconds over which motions are compared."""

LEAST_SPANS = 10

LEAST_PATH, LEAST_TURN = 0.1, 0.3
"""Metres and radians, back and forth, below which a robot stands, or drives straight on."""

_SIDEWAYS = 0.9
"""Least part of an axis along y, from which a continuous joint is a wheel that drives."""

_LEAST_OFFSET = 0.02


class Wheel(NamedTuple):
    """
    A wheel.

    :param sign: 1 if its joint turns in the positive direction as the robot drives forwards.
    :param side: its coordinate to the left in m.
    :param radius: of its cylinder or sphere in m, or NaN if it has none.
    """

    joint: str
    sign: float
    side: float
    radius: float


class Value(NamedTuple):
    """An estimate, and its standard error."""

    value: float
    error: float

    @property
    def is_known(self) -> bool:
        """Whether the motion determines it."""
        return self.error < 0.1 * abs(self.value)


class DriveFit(NamedTuple):
    """
    Radii and separation of wheels in m, according to odometry.

    :param left: of the left wheels; negative if they turn the wrong way.
    :param right: likewise.
    :param radius: of all.
    :param separation: negative if the sides are interchanged.
    """

    left: Value
    right: Value
    radius: Value
    separation: Value


class Path(NamedTuple):
    """
    The motion of a robot over spans of 0.2 s.

    :param times: when the spans begin and end in ns, shape (k + 1,).
    :param driven: how far it drove forwards in m, shape (k,).
    :param turned: how far it turned to the left in rad, shape (k,).
    """

    times: Times
    driven: Array
    turned: Array


@lru_cache(maxsize=4)
def wheels_of(text: str) -> tuple[Wheel, ...]:
    """Return the wheels of a description that do not steer, none if not on both sides."""
    robot, _ = robot_of(text)
    assert robot is not None
    joints = [joint for joint in robot.tree
              if joint.type is JointType.CONTINUOUS and joint.mimic is None and all(
                  each.type is JointType.FIXED for each in robot.path(robot.root, joint.parent))]
    if not joints:
        return ()
    tree, found = KinematicTree.of(robot), []
    poses = ForwardKinematics(tree, [joint.child for joint in joints])(tree.configuration({}))
    for joint, pose in zip(joints, poses):
        axis, side = float((pose[:3, :3] @ joint.axis)[1]), float(pose[1, 3])
        if abs(axis) >= _SIDEWAYS and abs(side) > _LEAST_OFFSET:
            link = robot.links[joint.child]
            shapes = [each.geometry for each in link.collisions]
            shapes += [each.geometry for each in link.visuals]
            found.append(Wheel(joint.name, float(np.sign(axis)), side, next((
                shape.radius for shape in shapes if isinstance(shape, (Cylinder, Sphere))), nan)))
    return tuple(found) if len({wheel.side > 0 for wheel in found}) == 2 else ()


def integral(values: Array, times: Times) -> Array:
    """Return the integral over time since the first one, shape (k,)."""
    return np.append(0.0, np.cumsum((values[1:] + values[:-1]) / 2 * np.diff(times) / SECOND))


def increments(times: Times, clock: Times, *values: Array) -> tuple[Mask, list[Array]]:
    """
    Return by how much values changed over those spans of time in which they are known.

    :param clock: times of the values.
    :return: these spans, shape (k,), and the changes of each value in them.
    """
    inside = (times >= clock[0]) & (times <= clock[-1])
    spans = inside[1:] & inside[:-1]
    return spans, [np.diff(np.interp(times - clock[0], clock - clock[0], value))[spans]
                   for value in values]


def path_of(odometry: StampedTrack) -> Path:
    """Return the path of odometry that has poses."""
    times = times_of(odometry)
    _, ends = np.unique((times - times[0]) // round(STEP * SECOND), return_index=True)
    assert odometry.values is not None
    x, y, _, qx, qy, qz, qw = odometry.values[ends].T
    heading = np.unwrap(np.arctan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))
    turned, middle = np.diff(heading), (heading[1:] + heading[:-1]) / 2
    chord = np.diff(x) * np.cos(middle) + np.diff(y) * np.sin(middle)
    return Path(times[ends], chord / np.sinc(turned / 2 / np.pi), turned)


def fit_drive(wheels: Sequence[Wheel], joints: JointTrack,
              odometry: StampedTrack) -> DriveFit | None:
    """
    Return what the odometry says about the wheels, by least squares.

    It drives by the mean of what the wheels roll, and turns by their difference.

    :return: None if too little was observed.
    """
    path = path_of(odometry)
    spans, rolled = increments(path.times, times_of(joints), *(
        wheel.sign * _angles(joints, wheel.joint) for wheel in wheels))
    driven, turned = path.driven[spans], path.turned[spans]
    if len(driven) < LEAST_SPANS or np.abs(driven).sum() < LEAST_PATH:
        return None
    left, right = (np.mean([each for each, wheel in zip(rolled, wheels)
                            if (wheel.side > 0) is is_left], axis=0) for is_left in (True, False))
    columns = np.column_stack([(left + right) / 2, right - left])
    drive, turn = (least_squares(columns, moved, is_series=True) for moved in (driven, turned))
    radius, rate = value_of(drive, 0), value_of(turn, 1)
    # On a straight line with wheels that turn against each other, only the difference is known.
    mean = radius.value if radius.is_known else 0.0
    errors = np.hypot(radius.error if radius.is_known else 0.0, 2 * drive.errors[1])
    sides = [Value(float(mean + factor * drive.values[1]), float(errors)) for factor in (-2, 2)]
    error = np.hypot(radius.error, radius.value / (rate.value or np.inf) * rate.error) if (
        np.abs(turned).sum() >= LEAST_TURN) else np.inf
    return DriveFit(sides[0], sides[1], radius, Value(
        radius.value / (rate.value or np.inf), float(error / abs(rate.value or 1e-300))))


def value_of(fit: Fit, row: int) -> Value:
    """Return one of the values of a fit."""
    return Value(float(fit.values[row]), float(fit.errors[row]))


def _angles(track: JointTrack, joint: str) -> Array:
    """Return the angles of a wheel, shape (k,), which may be reported within one turn."""
    positions = track.of_joint(joint, track.positions)
    if positions is not None and np.ptp(positions):
        return np.unwrap(positions) if np.abs(positions).max() <= np.pi + 0.01 else positions
    velocities = track.of_joint(joint, track.velocities)
    if velocities is None:
        return np.zeros(len(track.stamps))
    return integral(velocities, times_of(track))
