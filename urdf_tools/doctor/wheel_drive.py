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

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.observation import Times
from urdf_tools.doctor.robots import robot_of
from urdf_tools.dynamics.least_squares import Fit
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.robot import JointType
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere

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
    :param difference: radius of the right wheels minus that of the left ones.
    :param separation: negative if the sides are interchanged.
    """

    left: Value
    right: Value
    radius: Value
    difference: Value
    separation: Value


@lru_cache(maxsize=4)
def wheels_of(text: str) -> tuple[Wheel, ...]:
    """Return the wheels of a description that do not steer, none if not on both sides."""
    robot, _ = robot_of(text)
    assert robot is not None
    fixed = {robot.root}
    found = []
    for joint in robot.tree:
        if joint.type is JointType.FIXED and joint.parent in fixed:
            fixed.add(joint.child)
    joints = [joint for joint in robot.tree if joint.type is JointType.CONTINUOUS
              and joint.parent in fixed and joint.mimic is None]
    if not joints:
        return ()
    tree = KinematicTree.of(robot)
    links = [joint.child for joint in joints]
    poses = ForwardKinematics(tree, links)(tree.configuration({}))
    for joint, pose in zip(joints, poses):
        axis, side = float((pose[:3, :3] @ joint.axis)[1]), float(pose[1, 3])
        if abs(axis) >= _SIDEWAYS and abs(side) > _LEAST_OFFSET:
            link = robot.links[joint.child]
            radii = [shape.geometry.radius for shape in (*link.collisions, *link.visuals)
                     if isinstance(shape.geometry, (Cylinder, Sphere))]
            found.append(Wheel(joint.name, float(np.sign(axis)), side,
                               radii[0] if radii else float('nan')))
    sides = {wheel.side > 0 for wheel in found}
    return tuple(found) if len(sides) == 2 else ()


def separation_of(wheels: Iterable[Wheel]) -> float:
    """Return the distance of the wheels on the left from those on the right in m."""
    left, right = (np.mean([abs(wheel.side) for wheel in wheels if (wheel.side > 0) is is_left])
                   for is_left in (True, False))
    return float(left + right)


def times_of(track: JointTrack | StampedTrack) -> Times:
    """Return the stamps if they increase, or else when the messages arrived."""
    return track.stamps if (np.diff(track.stamps) > 0).all() else track.received


def path_of(odometry: StampedTrack) -> tuple[Array, Array, Array]:
    """
    Return the motion of a robot over spans of 0.2 s.

    :param odometry: with poses.
    :return: when the spans begin and end in ns, shape (k + 1,), how far it drove forwards in m and
        turned to the left in rad, shape (k,).
    """
    times = times_of(odometry)
    _, ends = np.unique((times - times[0]) // round(STEP * SECOND), return_index=True)
    assert odometry.values is not None
    x, y, _, qx, qy, qz, qw = odometry.values[ends].T
    heading = np.unwrap(np.arctan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))
    turned, middle = np.diff(heading), (heading[1:] + heading[:-1]) / 2
    chord = np.diff(x) * np.cos(middle) + np.diff(y) * np.sin(middle)
    return times[ends], chord / np.sinc(turned / 2 / np.pi), turned


def fit_drive(wheels: Iterable[Wheel], joints: JointTrack, odometry: StampedTrack,
              ) -> DriveFit | None:
    """
    Return what the odometry says about the wheels, by least squares.

    It drives by the mean of what the wheels roll, and turns by their difference.

    :return: None if too little was observed.
    """
    times, driven, turned = path_of(odometry)
    clock = times_of(joints)
    inside = (times >= clock[0]) & (times <= clock[-1])
    spans = inside[1:] & inside[:-1]
    if np.count_nonzero(spans) < LEAST_SPANS or np.abs(driven[spans]).sum() < LEAST_PATH:
        return None
    angles = {wheel: _angles(joints, wheel.joint) for wheel in wheels}
    left, right = (np.mean([
        np.diff(np.interp(times - clock[0], clock - clock[0], wheel.sign * angle))[spans]
        for wheel, angle in angles.items() if (wheel.side > 0) is is_left], axis=0)
        for is_left in (True, False))
    columns = np.column_stack([(left + right) / 2, right - left])
    drive, turn = least_squares(columns, driven[spans]), least_squares(columns, turned[spans])
    radius, rate = _value(drive, 0), _value(turn, 1)
    if np.abs(turned[spans]).sum() < LEAST_TURN:
        rate = rate._replace(error=np.inf)
    sides = [Value(float(radius.value + factor * drive.values[1]), float(np.sqrt(
        np.array([1, factor]) @ drive.covariance @ np.array([1, factor]))) if np.isfinite(
            drive.errors).all() else np.inf) for factor in (-2, 2)]
    separation = radius.value / (rate.value or np.inf)
    error = float(np.hypot(radius.error, separation * rate.error)) / abs(rate.value or 1e-300) if (
        np.isfinite(rate.error)) else np.inf
    return DriveFit(*sides, radius, _value(drive, 1, 4.0), Value(separation, error))


def _value(fit: Fit, row: int, factor: float = 1.0) -> Value:
    return Value(factor * float(fit.values[row]), factor * float(fit.errors[row]))


def _angles(track: JointTrack, joint: str) -> Array:
    """Return the angles of a wheel, shape (k,), which may be reported within one turn."""
    positions = track.of_joint(joint, track.positions)
    if positions is not None and np.ptp(positions):
        return np.unwrap(positions) if np.abs(positions).max() <= np.pi + 0.01 else positions
    velocities = track.of_joint(joint, track.velocities)
    if velocities is None:
        return np.zeros(len(track.stamps))
    seconds = np.diff(times_of(track)) / SECOND
    return np.append(0.0, np.cumsum((velocities[1:] + velocities[:-1]) / 2 * seconds))
