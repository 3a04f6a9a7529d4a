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

"""Rules about laser scans of a moving robot, compared with its odometry."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from functools import lru_cache
from math import atan2
from math import degrees
from math import pi
from math import radians
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.collected_messages import BEARINGS
from urdf_tools.doctor.frame_graph import Edges
from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import pose_in_root
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import SCAN
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import wrapped
from urdf_tools.doctor.rules.motion_sensors import odometry_of
from urdf_tools.doctor.stamped_sources import times_of
from urdf_tools.findings.message import Name
from urdf_tools.model.pose import rpy_of
from urdf_tools.types import Array

rule = GRAPH_RULES.in_category('data')

_PATH, _TURN = 0.1, 0.3
"""Metres or radians that the robot moves from one scan to the next that counts."""

_STEPS = 3
"""The most such motions between two scans that are compared."""

_MINIMUM, _MAXIMUM = 4, 16
"""How many pairs of scans are compared."""

_MINIMUM_PATH = 0.5
"""Metres that the robot drives in all of them; a turn on the spot does not tell the yaw."""

_CLIPPED = 0.3
"""Metres that a range may be wrong by, as behind a corner."""

_WORSE, _SHARE = 1.5, 0.8
"""Ratio of the errors of two explanations of scans, and the share of pairs that agree on it."""

_ANGLE = 10.0
"""Degrees by which the yaw of a lidar may differ: odometry drifts."""

_DRIVEN, _TURNED = 0.07, 0.2
"""Shares by which a robot may drive and turn farther than by its odometry: wheels slip."""


class Mounting(NamedTuple):
    """
    How a lidar is mounted that is level.

    :param yaw: of its x axis, in rad in the frame of the odometry.
    :param sign: -1 if it is upside down, or else 1.
    """

    yaw: float
    sign: int


class Drive(NamedTuple):
    """
    Pairs of scans, and the motion between them.

    :param before: ranges in m, shape (k, 180).
    :param after: likewise.
    :param driven: motion in m in the frame of the odometry before it, shape (k, 2).
    :param turned: in rad, shape (k,).
    """

    before: Array
    after: Array
    driven: Array
    turned: Array

    def errors(self, mounting: Mounting, place: Array, drives: float = 1.0, turns: float = 1.0
               ) -> Array:
        """
        Return how far the scans of each pair are apart in m, by some mounting, shape (k,).

        :param place: of the lidar in m, shape (2,).
        :param drives: factor on the motion.
        :param turns: factor on the turn.
        """
        angles = mounting.yaw + mounting.sign * BEARINGS
        x = place[0] + self.before * np.cos(angles) - drives * self.driven[:, :1]
        y = place[1] + self.before * np.sin(angles) - drives * self.driven[:, 1:]
        cos, sin = np.cos(turns * self.turned)[:, None], np.sin(turns * self.turned)[:, None]
        x, y = cos * x + sin * y - place[0], cos * y - sin * x - place[1]
        bearings = mounting.sign * (np.arctan2(y, x) - mounting.yaw)
        positions = np.mod(bearings - BEARINGS[0], 2 * pi) / (BEARINGS[1] - BEARINGS[0])
        positions = np.nan_to_num(positions)
        rows, low = np.arange(len(x))[:, None], positions.astype(int)
        one, other = (self.after[rows, (low + step) % len(BEARINGS)] for step in (0, 1))
        expected = one + (positions - low) * (other - one)
        apart = np.minimum(np.abs(np.hypot(x, y) - expected), _CLIPPED)
        known = ~np.isnan(apart)
        errors: Array = np.where(known, apart, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        return errors


class ScanFit(NamedTuple):
    """
    What scans say about a lidar and the odometry.

    :param modelled: the mounting by the frames of the robot.
    :param found: that of the scans.
    :param error: of its yaw in rad.
    :param drives: how many times as far as by the odometry the robot drove, and
    :param turns: turned; NaN if that is unknown.
    """

    modelled: Mounting
    found: Mounting
    error: float
    drives: float
    turns: float


def fit_scans(scans: StampedTrack, odometry: StampedTrack, pose: Array) -> ScanFit | None:
    """
    Return how a lidar must be mounted for its scans to agree with the odometry.

    :param pose: of the lidar in the frame of the odometry, by the frames of the robot, shape
        (4, 4).
    :return: None if too little was observed.
    """
    drive = _drive(scans, odometry)
    if drive is None:
        return None
    place = pose[:2, 3]
    modelled = Mounting(atan2(pose[1, 0], pose[0, 0]), 1 if pose[2, 2] > 0 else -1)
    as_modelled = drive.errors(modelled, place)
    candidates = [Mounting(modelled.yaw + angle, sign) for sign in (1, -1)
                  for angle in np.radians(np.arange(-180, 180, 10))]
    best = min(candidates, key=lambda each: float(drive.errors(each, place).mean()))
    for step in (3.0, 1.0, 0.3):
        near = [best._replace(yaw=best.yaw + radians(step * k)) for k in range(-4, 5)]
        best = min(near, key=lambda each: float(drive.errors(each, place).mean()))
    apart = degrees(abs(wrapped(best.yaw - modelled.yaw)))
    if best.sign != modelled.sign or apart > _ANGLE:
        if not _is_better(drive.errors(best, place), as_modelled):
            best = modelled
        halves = [min(near, key=lambda each: float(drive.errors(each, place)[half].mean())).yaw
                  for half in (slice(0, None, 2), slice(1, None, 2))]
        return ScanFit(modelled, best, max(abs(halves[0] - halves[1]) / 2, radians(0.5)), 1, 1)
    drives = turns = 1.0
    for _ in range(2):
        drives = _factor(lambda value: drive.errors(best, place, value, turns))
        turns = _factor(lambda value: drive.errors(best, place, drives, value))
    is_sure = _is_better(drive.errors(best, place, drives, turns), as_modelled)
    return ScanFit(modelled, modelled, 0.0, drives if is_sure else 1.0, turns if is_sure else 1.0)


def _factor(errors: Callable[[float], Array]) -> float:
    """Return the factor from 0.5 to 1.5 with the smallest mean error."""
    best = 1.0
    for step in (0.05, 0.01):
        near = best + step * np.arange(-10, 11)
        best = float(min(near, key=lambda value: float(errors(float(value)).mean())))
    return best


def _is_better(one: Array, other: Array) -> bool:
    """Return whether the errors of one explanation are clearly less than those of another."""
    return _WORSE * float(one.mean()) < float(other.mean()) and (
        float((one < other).mean()) >= _SHARE)


def _drive(scans: StampedTrack, odometry: StampedTrack) -> Drive | None:
    clock, times = times_of(odometry), times_of(scans)
    if times[-1] < clock[0] or times[0] > clock[-1]:
        clock, times = odometry.received, scans.received
    inside = np.flatnonzero((times >= clock[0]) & (times <= clock[-1]))
    x, y, _, qx, qy, qz, qw = odometry.values.T
    heading = np.unwrap(np.arctan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))
    poses = np.array([np.interp(times[inside] - clock[0], clock - clock[0], values)
                      for values in (x, y, heading)]).T
    chosen: list[int] = []
    for row, pose in enumerate(poses):
        if not chosen:
            chosen.append(row)
            continue
        moved = pose - poses[chosen[-1]]
        if np.hypot(*moved[:2]) >= _PATH or abs(moved[2]) >= _TURN:
            chosen.append(row)
    if len(chosen) <= _MINIMUM:
        return None
    apart = min(len(chosen) // _MINIMUM, _STEPS)
    pairs = np.unique(np.linspace(0, len(chosen) - 1 - apart, _MAXIMUM).astype(int))
    first, second = (np.array(chosen)[pairs + step] for step in (0, apart))
    moved = poses[second] - poses[first]
    cos, sin = np.cos(poses[first, 2]), np.sin(poses[first, 2])
    driven = np.column_stack([cos * moved[:, 0] + sin * moved[:, 1],
                              cos * moved[:, 1] - sin * moved[:, 0]])
    if np.hypot(*driven.T).sum() < _MINIMUM_PATH:
        return None
    ranges = scans.values[inside]
    return Drive(ranges[first], ranges[second], driven, moved[:, 2])


@lru_cache(maxsize=1)
def _fits(observation: Observation
          ) -> list[tuple[StampedTrack, StampedTrack, ObservedRobot, Edges, ScanFit]]:
    """Return the lidars that are level, on a robot that drives, and what their scans say."""
    found = []
    for track in observation.stamped:
        for robot in observation.robots if track.kind == SCAN and len(track.values) else ():
            edges = trees(observation).get(robot.tree, {})
            for odometry in odometry_of(observation, robot)[:1] if (
                    track.frame in names_of(edges)) else ():
                pose, _ = pose_in_root(track.frame, edges, {
                    odometry.child or robot.frame(robot.robot.root)})
                fit = fit_scans(track, odometry, pose) if abs(pose[2, 2]) > _LEVEL else None
                if fit is not None:
                    found.append((track, odometry, robot, edges, fit))
    return found


_AROUND, _EQUAL = 0.9, 1e-6
"""Share of all directions with ranges, and metres between these, of a lidar that sees itself."""

_LEVEL = 0.95
"""Cosine of the least angle of a lidar to the ground that is not level."""


@rule('scan-empty', WARN)
def scan_empty(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that a lidar sees something.

    All its ranges are infinite, or not between range_min and range_max, or one and the same.

    Example: A lidar in Gazebo is inside a shape of the robot, and all its ranges are -inf.
    """
    for track in observation.stamped:
        if track.kind != SCAN or len(track.values) <= _MINIMUM:
            continue
        seen = track.values[~np.isnan(track.values)]
        if not len(seen):
            yield defect_of(track, 'No range of {nodes} is between range_min and range_max, in '
                            '{number} scans', subject=track.frame, number=len(track.values))
        elif (seen < 0).all():
            yield defect_of(track, 'The range_max of {nodes} is 0 m or less, in {number} scans',
                            subject=track.frame, number=len(track.values))
        elif len(seen) > _AROUND * track.values.size and np.ptp(seen) < _EQUAL:
            yield defect_of(track, 'All ranges of {nodes} are {same:.4g} m, in {number} scans',
                            subject=track.frame, number=len(track.values), same=float(seen[0]))


@rule('lidar-mounting', WARN)
def lidar_mounting(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the scans of a lidar agree with the odometry as the robot drives.

    Each scan is compared with the next one, moved by the odometry in between, for all yaws of the
    lidar, and upside down. The yaw of the model may be wrong by 10 degrees.

    Example: The lidar is mounted turned by 180 degrees, but its joint has no rotation.
    """
    for track, odometry, robot, edges, fit in _fits(observation):
        if fit.found == fit.modelled or track.frame not in edges:
            continue
        angle = degrees(wrapped(fit.found.yaw - fit.modelled.yaw))
        is_turned = abs(angle) > _ANGLE
        joint = next((joint.name for joint in robot.robot.tree
                      if robot.frame(joint.child) == track.frame), None)
        roll, pitch, yaw = _rpy(track.frame, edges, fit)
        details: dict[str, Any] = {
            'angle': abs(angle), 'roll': roll, 'pitch': pitch, 'yaw': yaw, 'error': fit.error,
            'odometry': odometry.topic, 'frame': Name(track.frame)}
        hint = 'Write rpy="{roll:.4f} {pitch:.4f} {yaw:.4f}" (± {error:.2g} rad) into ' + (
            'joint {joint}' if joint else 'the transform to {frame}')
        if fit.found.sign != fit.modelled.sign:
            hint += '; or else {odometry} turns the wrong way'
        yield defect_of(
            track, 'As the robot drives, the scans of {nodes} turn against {odometry}: they agree '
            'with it if {frame} is ' + ('turned by {angle:.3g} degrees' if is_turned else '')
            + (' and ' if is_turned and fit.found.sign != fit.modelled.sign else '')
            + ('upside down' if fit.found.sign != fit.modelled.sign else ''),
            subject=track.frame, hint=hint, **details,
            **({'joint': Name(joint)} if joint else {}))


def _rpy(frame: str, edges: Edges, fit: ScanFit) -> tuple[float, ...]:
    """Return the angles in the parent frame with which a lidar is mounted as scans say."""
    base, _ = pose_in_root(edges[frame][-1].parent, edges)
    own, _ = pose_in_root(frame, edges)
    flip = np.diag([1.0, -1.0, -1.0]) if fit.found.sign != fit.modelled.sign else np.eye(3)
    turn = fit.found.yaw - fit.modelled.yaw
    cos, sin = np.cos(turn), np.sin(turn)
    about = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    roll, pitch, yaw = rpy_of(base[:3, :3].T @ about @ own[:3, :3] @ flip)
    # Minus 180 degrees is 180 degrees.
    return tuple(round(pi if each < 0.001 - pi else each, 4) + 0.0 for each in (roll, pitch, yaw))


@rule('scan-odometry', WARN)
def scan_odometry(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the robot moves as far by the scans of its lidar as by its odometry.

    It may drive 7 % farther or less far, and turn 20 %, because wheels slip. Where there is an
    IMU, imu-turn-rate compares the turn.

    Example: The odometry computes with a wheel radius that is 10 % too large.
    """
    has_imu = any(track.kind == IMU for track in observation.stamped)
    for track, odometry, _, _, fit in _fits(observation):
        for ratio, share, verb, what in (
                (fit.drives, _DRIVEN, 'drives', 'the radius of the wheels'),
                (fit.turns, _TURNED, 'turns', 'the separation of the wheels')):
            factor = ratio if verb == 'drives' else fit.drives / ratio
            if abs(ratio - 1) > share and not (verb == 'turns' and has_imu):
                yield defect_of(
                    odometry, 'According to the scans of {scanner}, the robot {verb} {ratio:.3g} '
                    'times as far as according to {nodes}', subject=verb, scanner=track.publisher,
                    verb=verb, ratio=ratio, factor=factor, what=what)
