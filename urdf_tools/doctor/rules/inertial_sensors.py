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
"""Rules about IMUs: gravity at rest and turning, against the model and the odometry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import atan2
from math import cos
from math import degrees
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.frame_graph import Edges
from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import rotation_in_root
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import INFO
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.rules.wheel_odometry import odometry_of
from urdf_tools.doctor.stamped_sources import times_of
from urdf_tools.doctor.wheel_drive import increments
from urdf_tools.doctor.wheel_drive import integral
from urdf_tools.doctor.wheel_drive import LEAST_SPANS
from urdf_tools.doctor.wheel_drive import LEAST_TURN
from urdf_tools.doctor.wheel_drive import Path
from urdf_tools.doctor.wheel_drive import path_of
from urdf_tools.doctor.wheel_drive import Value
from urdf_tools.doctor.wheel_drive import value_of
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.transforms import exp
from urdf_tools.model.pose import rpy_of
from urdf_tools.types import Array

rule = GRAPH_RULES.in_category('data')

STANDARD_GRAVITY = 9.81

LEAST_SECONDS, LEAST_SAMPLES = 0.9, 20
"""How long an IMU must be at rest, and how many messages there must be."""

STILL, QUIET = 0.01, 0.1
"""
Motion of joints and odometry, in rad and m, and scatter of the acceleration as a share of itself,
up to which a robot is at rest.
"""

BIAS = 0.5
"""Difference from gravity in m/s^2 that is usual without calibration."""

TILT = 10.0
"""Degrees by which a robot may stand on a slope."""

DRIFT = 0.05
"""Turn rate at rest in rad/s that is usual without calibration."""

RATE = 0.2
"""Share by which an IMU and odometry may disagree about how far a robot turned: wheels slip."""


class Acceleration(NamedTuple):
    """
    The mean acceleration that an IMU measures at rest, in its frame, shape (3,), and its size.

    :param size_error: standard error of the size in m/s^2.
    :param angle_error: that of the direction in rad.
    """

    vector: Array
    size: float
    size_error: float
    angle_error: float


class Imu(NamedTuple):
    """
    An IMU.

    :param values: angular velocity and linear acceleration, shape (k, 6).
    :param robots: those with frames in the same namespace.
    :param edges: the frames there, none if its own is not among them.
    :param found: what it measures at rest.
    """

    track: StampedTrack
    values: Array
    robots: list[ObservedRobot]
    edges: Edges
    found: Acceleration | None


@lru_cache(maxsize=1)
def _imus(seen: Observation) -> list[Imu]:
    """Return the IMUs that sent enough messages."""
    published, imus = trees(seen), []
    for track in seen.stamped:
        if track.kind != IMU or track.values is None or len(track.values) < LEAST_SAMPLES or (
                track.received[-1] - track.received[0] < LEAST_SECONDS * SECOND):
            continue
        space = next((name for name, edges in published.items()
                      if track.frame in names_of(edges)), '')
        robots = [robot for robot in seen.robots if robot.tree == space]
        moving = [(each.received, each.positions)
                  for robot in robots for each in seen.joints_of(robot)]
        moving += [(each.received, values) for robot in robots
                   for each, values in odometry_of(seen, robot)]
        begin, end = track.received[[0, -1]]
        parts = [values[(clock >= begin) & (clock <= end)] for clock, values in moving]
        rests = all((np.ptp(part, axis=0) <= STILL).all() for part in parts if len(part))
        imus.append(Imu(track, track.values, robots, published.get(space, {}),
                        mean_acceleration(track.values[:, 3:]) if rests else None))
    return imus


def mean_acceleration(values: Array) -> Acceleration | None:
    """
    Return the mean acceleration of an IMU at rest, or None if it shakes or measures none.

    :param values: in m/s^2, shape (k, 3).
    """
    mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
    size = float(np.linalg.norm(mean))
    if not 0 < size < np.inf or np.linalg.norm(scatter) > QUIET * max(size, 1.0):
        return None
    # Noise that changes slowly is seen in the means of parts.
    parts = np.array([part.mean(axis=0) for part in np.array_split(values, 10)])
    variances = np.maximum(scatter ** 2 / len(values), parts.var(axis=0, ddof=1) / len(parts))
    along = np.square(mean / size)
    return Acceleration(mean, size, float(np.sqrt(along @ variances)),
                        float(np.sqrt((1 - along) @ variances)) / size)


@rule('imu-acceleration', WARN, fix='Calibrate the accelerometer',
      example='A driver publishes the acceleration in g.')
def imu_acceleration(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU at rest measures 9.81 m/s2, the acceleration of gravity.

    It may differ by 0.5 m/s2, which is usual without calibration.
    """
    for track, _, _, _, found in _imus(seen):
        if found is None or abs(found.size - STANDARD_GRAVITY) <= BIAS:
            continue
        hint, severity = '', None
        if abs(found.size - 1) < 0.1:
            hint = 'It looks like g: let the driver multiply it by 9.80665'
        elif found.size < 1:
            hint = ('Gravity seems to be removed: let the driver publish it (REP 145), or do not '
                    'let the localisation remove it once more')
            severity = INFO
        yield defect_of(
            track, 'At rest, {nodes} measures {acceleration:.4g} ± {error:.2g} m/s2 instead of '
            '9.81', subject=track.frame, acceleration=found.size, error=found.size_error,
            severity=severity, hint=hint)


@rule('imu-mounting', WARN, fix='Correct the mounting in the model',
      example='The IMU is mounted upside down, but its joint has no rotation.')
def imu_mounting(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the acceleration of an IMU at rest points up, as the frames of the robot have it.

    At rest, an accelerometer measures what holds it up (REP 145). The robot is taken to stand
    level, within 10 degrees.
    """
    for imu in _imus(seen):
        track, found = imu.track, imu.found
        if found is None or found.size < 0.5 or not imu.edges:
            continue
        up = rotation_in_root(track.frame, imu.edges)[0] @ found.vector / found.size
        tilt = degrees(atan2(float(np.hypot(*up[:2])), float(up[2])))
        if tilt > TILT:
            axis = ('-x', '-y', '-z', 'x', 'y', 'z')[
                int(np.argmax(np.append(-found.vector, found.vector)))]
            hint, details = _remedy(imu, found, up)
            yield defect_of(
                track, 'At rest, the acceleration that {nodes} measures in {frame} points along '
                '{axis}, {tilt:.3g} degrees from where up is by the frames of the robot',
                subject=track.frame, frame=Name(track.frame), axis=axis, tilt=tilt, hint=hint,
                **details)


def _remedy(imu: Imu, found: Acceleration, up: Array) -> tuple[str, dict[str, Any]]:
    """Return the hint on how an IMU is mounted, and its arguments."""
    frame, of_child = imu.track.frame, imu.edges.get(imu.track.frame)
    joint = next((joint.name for robot in imu.robots for joint in robot.robot.tree
                  if robot.frame(joint.child) == frame), None)
    if not of_child or not joint and not of_child[-1].track.static:
        return 'Name a frame that is turned as the IMU is mounted', {}
    angles = [round(angle, 4) + 0.0 for angle in explaining_rpy(frame, imu.edges, up)]
    return ('Write rpy="{roll:.4f} {pitch:.4f} {yaw:.4f}" (± {error:.2g} rad) into ' + (
        'joint {joint}' if joint else 'the transform from {parent}') + '; gravity does not tell '
        'the turn about the vertical. Or correct the sign or the axes in the driver'), {
            **dict(zip(('roll', 'pitch', 'yaw'), angles)), 'parent': Name(of_child[-1].parent),
            # The steeper the pitch, the less is known of the roll.
            'error': found.angle_error / max(cos(angles[1]), 0.01),
            **({'joint': Name(joint)} if joint else {})}


def explaining_rpy(frame: str, edges: Edges, up: Array) -> tuple[float, float, float]:
    """
    Return roll, pitch and yaw in the parent frame with which an acceleration points up.

    The frame is turned by the least angle that does so, or about x first if it is upside down.

    :param up: the measured direction along the axes of the topmost frame, shape (3,).
    """
    first = np.diag([1.0, -1.0, -1.0]) if up[2] < -0.9 else np.eye(3)
    axis = np.cross(first @ up, (0.0, 0.0, 1.0))
    sine = float(np.linalg.norm(axis))
    angle = atan2(sine, float((first @ up)[2]))
    turn = exp(np.append(np.zeros(3), axis * angle / (sine or 1.0)))[:3, :3] @ first
    parent, child = (rotation_in_root(each, edges)[0]
                     for each in (edges[frame][-1].parent, frame))
    return rpy_of(parent.T @ turn @ child)


@rule('imu-turn-rate', WARN,
      fix='Correct the unit or the sign in the driver of the IMU, or wheel_separation in the '
          'parameters of the odometry',
      example='A driver publishes the angular velocity in degrees per second.')
def imu_turn_rate(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU does not turn at rest, and otherwise turns as the odometry does.

    The drift may be 0.05 rad/s, the difference 20 %, because wheels slip.
    """
    for imu in _imus(seen):
        rates = imu.values[:, :3]
        drift = float(np.linalg.norm(rates.mean(axis=0)))
        if imu.found is not None and drift > DRIFT:
            yield defect_of(
                imu.track, 'At rest, {nodes} measures a turn rate of {drift:.3g} rad/s',
                subject=imu.track.frame, drift=drift, hint='Calibrate the gyroscope at rest; if '
                'this is its drift in degrees per second, correct the unit in the driver')
        odometry = next((each for robot in imu.robots
                         for each, _ in odometry_of(seen, robot)), None)
        if imu.found is None and odometry is not None and np.isfinite(rates).all():
            ratio = turn_ratio(imu.track, path_of(odometry),
                               rotation_in_root(imu.track.frame, imu.edges)[0])
            if abs(ratio.value - 1) > max(RATE, 3 * ratio.error) and (
                    ratio.error < 0.1 * max(abs(ratio.value), 1.0)):
                yield defect_of(
                    imu.track, 'According to {nodes}, the robot turned {ratio:.4g} ± {error:.2g} '
                    'times as far as according to {odometry}', subject=imu.track.frame,
                    ratio=ratio.value, error=ratio.error, odometry=odometry.topic,
                    hint=_turn_hint(ratio.value))


def _turn_hint(ratio: float) -> str:
    if abs(abs(ratio) / degrees(1) - 1) < RATE:
        return 'It looks like degrees per second: let the driver convert it to rad/s'
    if abs(ratio + 1) < RATE:
        return ('Correct the sign in the driver, or the mounting in the model: an IMU that is '
                'upside down turns the other way')
    return ('If the wheels do not slip, multiply wheel_separation of the odometry by '
            f'{1 / ratio:.4g}; otherwise correct the scale of the gyroscope') if ratio > 0 else ''


def turn_ratio(imu: StampedTrack, path: Path, rotation: Array) -> Value:
    """
    Return how many times as far as by odometry a robot turned by its IMU.

    :param rotation: of the frame of the IMU, shape (3, 3).
    """
    assert imu.values is not None
    clock = times_of(imu)
    spans, (measured,) = increments(path.times, clock, integral(
        imu.values[:, :3] @ rotation[2], clock))
    turned = path.turned[spans]
    if len(turned) < LEAST_SPANS or np.abs(turned).sum() < LEAST_TURN:
        return Value(1.0, np.inf)
    # A gyroscope drifts.
    return value_of(least_squares(np.column_stack([
        turned, np.diff(path.times)[spans] / SECOND]), measured), 0)
