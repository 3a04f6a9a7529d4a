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
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.rules.wheel_odometry import odometry_of
from urdf_tools.doctor.wheel_drive import LEAST_SPANS
from urdf_tools.doctor.wheel_drive import LEAST_TURN
from urdf_tools.doctor.wheel_drive import path_of
from urdf_tools.doctor.wheel_drive import times_of
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import exp
from urdf_tools.model.pose import rpy_of

WARN = Severity.WARN
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


class Mounting(NamedTuple):
    """
    The mean acceleration that an IMU measures at rest.

    :param vector: in the frame of the IMU, shape (3,).
    :param errors: standard errors, likewise.
    """

    vector: Array
    errors: Array

    @property
    def size(self) -> float:
        """The length of the vector."""
        return float(np.linalg.norm(self.vector))

    @property
    def angle_error(self) -> float:
        """Standard error of the direction in rad."""
        across = 1 - np.square(self.vector / self.size)
        return float(np.sqrt(across @ np.square(self.errors))) / self.size


def _at_rest(seen: Observation) -> Iterator[tuple[StampedTrack, Array]]:
    """Yield each IMU that was at rest, with its values, shape (k, 6)."""
    for track in seen.stamped:
        begin, end = int(track.received[0]), int(track.received[-1])
        if track.kind != IMU or track.values is None or len(track.values) < LEAST_SAMPLES or (
                (end - begin) / SECOND < LEAST_SECONDS):
            continue
        moving = [(other.received, other.positions) for other in seen.joints]
        moving += [(other.received, other.values) for other in seen.stamped
                   if other.kind != IMU and other.values is not None]
        if all((np.ptp(values[inside], axis=0) <= STILL).all() for clock, values in moving
               if (inside := (clock >= begin) & (clock <= end)).any()):
            yield track, track.values


def mean_acceleration(values: Array) -> Mounting | None:
    """
    Return the mean acceleration of an IMU at rest, or None if it shakes or measures none.

    :param values: shape (k, 6).
    """
    accelerations = values[:, 3:]
    mean, scatter = accelerations.mean(axis=0), accelerations.std(axis=0, ddof=1)
    if not np.isfinite(mean).all() or not mean.any() or np.linalg.norm(scatter) > max(
            QUIET * np.linalg.norm(mean), QUIET):
        return None
    # Noise that changes slowly is seen in the means of parts.
    parts = np.array([part.mean(axis=0) for part in np.array_split(accelerations, 10)])
    return Mounting(mean, np.maximum(scatter / np.sqrt(len(values)),
                                     parts.std(axis=0, ddof=1) / np.sqrt(len(parts))))


@rule('imu-acceleration', WARN)
def imu_acceleration(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU at rest measures 9.81 m/s2, the acceleration of gravity.

    It may differ by 0.5 m/s2, which is usual without calibration.

    Fix: Calibrate the accelerometer

    Example: A driver publishes the acceleration in g.
    """
    for track, values in _at_rest(seen):
        found = mean_acceleration(values)
        if found is None or abs(found.size - STANDARD_GRAVITY) <= BIAS:
            continue
        hint = next((hint for size, hint in (
            (1.0, 'It looks like g: let the driver multiply it by 9.80665'),
            (1000.0, 'It looks like mg: let the driver multiply it by 0.00980665'),
            (9810.0, 'It looks like mm/s2: let the driver divide it by 1000'),
        ) if abs(found.size / size - 1) < 0.1), '')
        severity = None
        if not hint and found.size < 1.0:
            hint = ('Gravity seems to be removed: let the driver publish it (REP 145), or do not '
                    'let the localisation remove it once more')
            severity = Severity.INFO
        yield defect_of(
            track, 'At rest, {nodes} measures {acceleration:.4g} ± {error:.2g} m/s2 instead of '
            '9.81', subject=track.frame, acceleration=found.size, severity=severity, hint=hint,
            error=float(np.linalg.norm(found.vector * found.errors)) / found.size)


@rule('imu-mounting', WARN)
def imu_mounting(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the acceleration of an IMU at rest points up, as the frames of the robot have it.

    At rest, an accelerometer measures what holds it up (REP 145). The robot is taken to stand
    level, within 10 degrees.

    Fix: Correct the mounting in the model

    Example: The IMU is mounted upside down, but its joint has no rotation.
    """
    for track, values in _at_rest(seen):
        found = mean_acceleration(values)
        if found is None or found.size < 0.5:
            continue
        for edges in trees(seen).values():
            if track.frame not in names_of(edges):
                continue
            _, rotation, _ = rotation_in_root(track.frame, edges)
            up = rotation @ found.vector / found.size
            tilt = degrees(atan2(float(np.hypot(*up[:2])), float(up[2])))
            if tilt > TILT:
                yield _mounted(seen, track, edges, found, up, tilt)
            break


def _mounted(seen: Observation, track: StampedTrack, edges: Edges, found: Mounting, up: Array,
             tilt: float) -> GraphDefect:
    details: dict[str, Any] = {
        'axis': ('-x', '-y', '-z', 'x', 'y', 'z')[
            int(np.argmax(np.append(-found.vector, found.vector)))], 'tilt': tilt}
    hint = 'Name a frame that is turned as the IMU is mounted'
    of_child = edges.get(track.frame)
    if of_child:
        roll, pitch, yaw = (round(angle, 4) + 0.0
                            for angle in explaining_rpy(track.frame, edges, up))
        # The steeper the pitch, the less is known of the roll.
        details |= {'roll': roll, 'pitch': pitch, 'yaw': yaw, 'parent': Name(of_child[-1].parent),
                    'error': found.angle_error / max(cos(pitch), 0.01)}
        joint = next((joint.name for robot in seen.robots for joint in robot.robot.tree
                      if robot.frame(joint.child) == track.frame), '')
        hint = ('Write rpy="{roll:.4f} {pitch:.4f} {yaw:.4f}" (± {error:.2g} rad) into ' + (
            'joint {joint}' if joint else 'the transform from {parent}')
            + '; gravity does not tell the turn about the vertical. Or correct the sign or the '
            'axes in the driver')
        if joint:
            details['joint'] = Name(joint)
    return defect_of(
        track, 'At rest, the acceleration that {nodes} measures in {frame} points along {axis}, '
        '{tilt:.3g} degrees from where up is by the frames of the robot', subject=track.frame,
        frame=Name(track.frame), hint=hint, **details)


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
    _, parent, _ = rotation_in_root(edges[frame][-1].parent, edges)
    _, rotation, _ = rotation_in_root(frame, edges)
    return rpy_of(parent.T @ turn @ rotation)


@rule('imu-turn-rate', WARN)
def imu_turn_rate(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU does not turn at rest, and otherwise turns as the odometry does.

    The drift may be 0.05 rad/s, the difference 20 %, because wheels slip.

    Fix: Correct the unit or the sign in the driver of the IMU, or wheel_separation in the
    parameters of the odometry

    Example: A driver publishes the angular velocity in degrees per second.
    """
    resting = {id(track) for track, _ in _at_rest(seen)}
    for track in seen.stamped:
        if track.kind != IMU or track.values is None or not np.isfinite(track.values[:, :3]).all():
            continue
        if id(track) in resting:
            drift = track.values[:, :3].mean(axis=0)
            if np.linalg.norm(drift) > DRIFT:
                yield defect_of(
                    track, 'At rest, {nodes} measures a turn rate of {drift:.3g} rad/s',
                    subject=track.frame, drift=float(np.linalg.norm(drift)),
                    hint='Calibrate the gyroscope at rest; if this is its drift in degrees per '
                    'second, correct the unit in the driver')
            continue
        for edges in trees(seen).values():
            if track.frame in names_of(edges):
                yield from _turning(seen, track, rotation_in_root(track.frame, edges)[1])
                break


def _turning(seen: Observation, track: StampedTrack, rotation: Array) -> Iterator[GraphDefect]:
    for odometry in {id(each): each for robot in seen.robots
                     for each in odometry_of(seen, robot)}.values():
        found = turn_ratio(track, odometry, rotation)
        if found is None or abs(found[0] - 1) <= max(RATE, 3 * found[1]) or (
                found[1] > 0.1 * max(abs(found[0]), 1.0)):
            continue
        ratio, error = found
        hint = ''
        if abs(abs(ratio) / degrees(1) - 1) < RATE:
            hint = 'It looks like degrees per second: let the driver convert it to rad/s'
        elif abs(ratio + 1) < RATE:
            hint = ('Correct the sign in the driver, or the mounting in the model: an IMU that is '
                    'upside down turns the other way')
        elif ratio > 0:
            hint = ('If the wheels do not slip, multiply wheel_separation of the odometry by '
                    '{factor:.4g}; otherwise correct the scale of the gyroscope')
        yield defect_of(
            track, 'According to {nodes}, the robot turned {ratio:.4g} ± {error:.2g} times as far '
            'as according to {odometry}', subject=track.frame, ratio=ratio, error=error,
            odometry=odometry.topic, hint=hint,
            **({'factor': 1 / ratio} if '{factor' in hint else {}))
        return


def turn_ratio(imu: StampedTrack, odometry: StampedTrack,
               rotation: Array) -> tuple[float, float] | None:
    """
    Return how many times as far as by odometry a robot turned by its IMU, and its standard error.

    :param rotation: of the frame of the IMU, shape (3, 3).
    :return: None if too little was observed.
    """
    if imu.values is None or len(imu.values) < LEAST_SAMPLES:
        return None
    times, _, turned = path_of(odometry)
    clock = times_of(imu)
    rates = imu.values[:, :3] @ rotation[2]
    seconds = np.diff(clock) / SECOND
    angles = np.append(0.0, np.cumsum((rates[1:] + rates[:-1]) / 2 * seconds))
    inside = (times >= clock[0]) & (times <= clock[-1])
    spans = inside[1:] & inside[:-1]
    if np.count_nonzero(spans) < LEAST_SPANS or np.abs(turned[spans]).sum() < LEAST_TURN:
        return None
    measured = np.diff(np.interp(times - clock[0], clock - clock[0], angles))[spans]
    # A gyroscope drifts.
    fit = least_squares(np.column_stack([turned[spans], np.diff(times)[spans] / SECOND]), measured)
    return float(fit.values[0]), float(fit.errors[0])
