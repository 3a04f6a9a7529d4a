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

"""Rules about IMUs and the odometry of wheels, compared with the model."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import lru_cache
from math import atan2
from math import cos
from math import degrees
from math import nan
from statistics import fmean
from typing import Any
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.doctor.frame_graph import Edges
from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import rotation_in_root
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import INFO
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.stamped_sources import times_of
from urdf_tools.dynamics.least_squares import Fit
from urdf_tools.dynamics.least_squares import least_squares
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import exp
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.robot import JointType
from urdf_tools.types import Array
from urdf_tools.types import Times


Mask = npt.NDArray[np.bool_]

STEP = 0.2
"""Seconds over which motions are compared."""

MINIMUM_SPANS = 10

MINIMUM_PATH, MINIMUM_TURN = 0.1, 0.3
"""Metres and radians, back and forth, below which a robot stands, or drives straight on."""

_SIDEWAYS = 0.9
"""Least part of an axis along y, from which a continuous joint is a wheel that drives."""

_MINIMUM_OFFSET = 0.02


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
        if abs(axis) >= _SIDEWAYS and abs(side) > _MINIMUM_OFFSET:
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
    if len(driven) < MINIMUM_SPANS or np.abs(driven).sum() < MINIMUM_PATH:
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
        np.abs(turned).sum() >= MINIMUM_TURN) else np.inf
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


joint_rule = GRAPH_RULES.in_category('joints')

MODELLED = {'radius': 0.08, 'separation': 0.15}
"""Shares by which an estimate may differ from the model: wheels touch the ground somewhere."""

CONFIGURED = 0.05
"""The same for the parameters of a controller."""

_SURE, _SMALL = 5.0, 0.01
"""Standard errors, and a radius in m, from which a wheel turns the wrong way."""


@joint_rule('wheel-odometry', Severity.WARN)
def wheel_odometry(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the wheels of a differential drive roll as the robot moves by its odometry.

    Sign, radius and separation are fitted to the motion, if that determines them: a robot that
    only drives straight on tells nothing about the separation of its wheels. They are compared
    with the model and the parameters of the controller; with more than two wheels, which slip,
    the separation only with the latter.

    Example: The controller has the diameter of the wheels as their wheel_radius.
    """
    for robot in observation.robots:
        wheels = wheels_of(robot.text)
        for joints in observation.joints_of(robot) if wheels else ():
            if not all(wheel.joint in joints.columns for wheel in wheels) or not (
                    np.isfinite(joints.positions).all() and len(joints.received) > 1):
                continue
            for odometry in odometry_of(observation, robot):
                fit = fit_drive(wheels, joints, odometry)
                if fit is not None:
                    yield from _defects(observation, wheels, fit, joints, odometry)


def odometry_of(observation: Observation, robot: ObservedRobot) -> list[StampedTrack]:
    """Return the odometry of a robot that has poses."""
    frames = {'', *map(robot.frame, robot.robot.links)}
    return [track for track in observation.stamped
            if track.kind == ODOMETRY and track.child in frames and len(track.values)
            and np.isfinite(track.values).all()]


def _defects(observation: Observation, wheels: tuple[Wheel, ...], fit: DriveFit,
             joints: JointTrack, odometry: StampedTrack) -> Iterator[GraphDefect]:
    reversed_sides = [is_left for is_left, side in ((True, fit.left), (False, fit.right))
                      if side.value < -max(_SMALL, _SURE * side.error)]
    if reversed_sides:
        names = [wheel.joint for wheel in wheels if (wheel.side > 0) in reversed_sides]
        yield defect_of(
            joints, 'According to {odometry}, the wheels of {joints} from {nodes} turn '
            'backwards as the robot drives forwards', joints=tuple(map(Name, names)),
            subject=names[0] if len(names) == 1 else '', odometry=odometry.topic)
        return
    radii = [wheel.radius for wheel in wheels if not np.isnan(wheel.radius)]
    yield from _compared(observation, odometry, 'radius', fit.radius,
                         float(np.mean(radii)) if radii else None)
    if fit.radius.is_known and fit.separation.is_known and fit.separation.value < 0:
        yield defect_of(
            odometry, '{nodes} turns to the right as the wheels turn the robot to the left')
    elif fit.radius.is_known:
        yield from _compared(observation, odometry, 'separation', fit.separation,
                             abs(wheels[0].side - wheels[1].side) if len(wheels) == 2 else None)


def _compared(observation: Observation, odometry: StampedTrack, what: str, found: Value,
              modelled: float | None) -> Iterator[GraphDefect]:
    """Yield a defect if an estimate differs from the model or from a parameter."""
    references: list[tuple[str, float | None, float]] = [
        (node, _configured(parameters.numbers, what), CONFIGURED)
        for node, parameters in observation.parameters.items()
        if node == odometry.publisher or observation.recorded]
    for node, reference, share in (*references, ('', modelled, MODELLED[what])):
        if reference and found.is_known and abs(found.value - reference) > max(
                3 * found.error, share * reference):
            yield defect_of(
                odometry, 'According to {nodes} and the joint states, the {what} of the wheels is '
                '{value:.4g} ± {error:.2g} m, but ' + (
                    '{configured} has {reference:.4g} m' if node else
                    'the model has {reference:.4g} m'), subject=what, what=what, value=found.value,
                error=found.error, reference=reference, **({'configured': node} if node else {}))


def _configured(numbers: Mapping[str, float], what: str) -> float:
    """Return the radius or separation of wheels that a controller uses, or 0."""
    factors = ['wheel_separation_multiplier'] if what == 'separation' else [
        'left_wheel_radius_multiplier', 'right_wheel_radius_multiplier']
    return numbers.get(f'wheel_{what}', numbers.get(f'wheels.{what}', 0.0)) * fmean(
        numbers.get(factor, 1.0) for factor in factors)


rule = GRAPH_RULES.in_category('data')

STANDARD_GRAVITY = 9.81

MINIMUM_SECONDS, MINIMUM_SAMPLES = 0.9, 20
"""How long an IMU must be at rest, and how many messages there must be."""

CELL = 0.1
"""Seconds in which it is known whether a robot rests."""

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

    :param robots: those with frames in the same namespace.
    :param edges: the frames there, none if its own is not among them.
    :param found: what it measures at rest.
    :param at_rest: the messages while the robot rests, in the longest rest.
    :param moves: whether the robot does not rest all the time.
    """

    track: StampedTrack
    robots: list[ObservedRobot]
    edges: Edges
    found: Acceleration | None
    at_rest: Array
    moves: bool


@lru_cache(maxsize=1)
def _imus(observation: Observation) -> list[Imu]:
    """Return the IMUs that sent enough messages."""
    published, imus = trees(observation), []
    for track in observation.stamped:
        if track.kind != IMU or len(track.values) < MINIMUM_SAMPLES or (
                track.received[-1] - track.received[0] < MINIMUM_SECONDS * SECOND):
            continue
        space = next((name for name, edges in published.items()
                      if track.frame in names_of(edges)), '')
        robots = [robot for robot in observation.robots if robot.tree == space]
        moving = [(each.received, each.positions)
                  for robot in robots for each in observation.joints_of(robot)]
        moving += [(each.received, each.values)
                   for robot in robots for each in odometry_of(observation, robot)]
        begin, end = longest_rest(moving, int(track.received[0]), int(track.received[-1]))
        at_rest = track.values[(track.received >= begin) & (track.received <= end)]
        is_enough = len(at_rest) >= MINIMUM_SAMPLES and end - begin >= MINIMUM_SECONDS * SECOND
        imus.append(Imu(track, robots, published.get(space, {}),
                        mean_acceleration(at_rest[:, 3:]) if is_enough else None, at_rest,
                        end - begin < track.received[-1] - track.received[0]))
    return imus


def longest_rest(moving: Sequence[tuple[Times, Array]], begin: int, end: int) -> tuple[int, int]:
    """
    Return when the longest rest between two times began and ended, in nanoseconds.

    A little is left out where the robot stops and starts, which shakes it.

    :param moving: times, and positions of what rests then, shapes (k,) and (k, n).
    """
    grid = np.linspace(begin, end, max(round((end - begin) / (CELL * SECOND)), 1) + 1)
    cells = len(grid) - 1
    low: list[Array] = []
    high: list[Array] = []
    for clock, values in moving:
        rows = np.searchsorted(grid, clock, side='right') - 1
        rows[clock == end] = cells - 1
        inside = (rows >= 0) & (rows < cells)
        for ends, pick, nothing in ((low, np.minimum, np.inf), (high, np.maximum, -np.inf)):
            of_cells = np.full((cells, values.shape[1]), nothing)
            pick.at(of_cells, rows[inside], values[inside])
            ends.append(of_cells)
    lows, highs = (np.hstack([np.zeros((cells, 1)), *ends]) for ends in (low, high))
    best = 0, 0
    for first in range(cells):
        if cells - first <= best[1] - best[0]:
            break
        spread = (np.maximum.accumulate(highs[first:]) - np.minimum.accumulate(lows[first:]))
        moves = (spread > STILL).any(axis=1) | np.isnan(spread).any(axis=1)
        count = int(np.argmax(moves)) if moves.any() else cells - first
        if count > best[1] - best[0]:
            best = first, first + count
    first, last = best
    margin = CELL * SECOND
    return (int(grid[first] + (margin if first else 0)),
            int(grid[last] - (margin if last < cells else 0)))


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


@rule('imu-acceleration', WARN)
def imu_acceleration(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU at rest measures 9.81 m/s2, the acceleration of gravity.

    It may differ by 0.5 m/s2, which is usual without calibration.

    Example: A driver publishes the acceleration in g.
    """
    for track, _, _, found, *_ in _imus(observation):
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


@rule('imu-mounting', WARN)
def imu_mounting(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the acceleration of an IMU at rest points up, as the frames of the robot have it.

    At rest, an accelerometer measures what holds it up (REP 145). The robot is taken to stand
    level, within 10 degrees.

    Example: The IMU is mounted upside down, but its joint has no rotation.
    """
    for imu in _imus(observation):
        track, found, tilt = imu.track, imu.found, _tilt(imu)
        if found is None or tilt <= TILT:
            continue
        up = rotation_in_root(track.frame, imu.edges)[0] @ found.vector / found.size
        axis = ('-x', '-y', '-z', 'x', 'y', 'z')[
            int(np.argmax(np.append(-found.vector, found.vector)))]
        hint, details = _remedy(imu, found, up)
        yield defect_of(
            track, 'At rest, the acceleration that {nodes} measures in {frame} points along '
            '{axis}, {tilt:.3g} degrees from where up is by the frames of the robot',
            subject=track.frame, frame=Name(track.frame), axis=axis, tilt=tilt, hint=hint,
            **details)


def _tilt(imu: Imu) -> float:
    """Return the degrees by which the acceleration at rest does not point up; 0 if unknown."""
    if imu.found is None or imu.found.size < 0.5 or not imu.edges:
        return 0.0
    up = rotation_in_root(imu.track.frame, imu.edges)[0] @ imu.found.vector
    return degrees(atan2(float(np.hypot(*up[:2])), float(up[2])))


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

    The frame is turned by the least angle that does so, or about the x axis of the parent first if
    it is upside down.

    :param up: the measured direction along the axes of the topmost frame, shape (3,).
    """
    parent, child = (rotation_in_root(each, edges)[0]
                     for each in (edges[frame][-1].parent, frame))
    first = parent @ np.diag([1.0, -1.0, -1.0]) @ parent.T if up[2] < -0.9 else np.eye(3)
    axis = np.cross(first @ up, (0.0, 0.0, 1.0))
    sine = float(np.linalg.norm(axis))
    angle = atan2(sine, float((first @ up)[2]))
    turn = exp(np.append(np.zeros(3), axis * angle / (sine or 1.0)))[:3, :3] @ first
    return rpy_of(parent.T @ turn @ child)


@rule('imu-turn-rate', WARN)
def imu_turn_rate(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that an IMU does not turn at rest, and otherwise turns as the odometry does.

    The drift may be 0.05 rad/s, the difference 20 %, because wheels slip. One that imu-mounting
    reports is not compared.

    Example: A driver publishes the angular velocity in degrees per second.
    """
    for imu in _imus(observation):
        rates = imu.track.values[:, :3]
        drift = 0.0 if imu.found is None else float(np.linalg.norm(
            imu.at_rest[:, :3].mean(axis=0)))
        if drift > DRIFT:
            yield defect_of(
                imu.track, 'At rest, {nodes} measures a turn rate of {drift:.3g} rad/s',
                subject=imu.track.frame, drift=drift)
        odometry = [each for robot in imu.robots for each in odometry_of(observation, robot)]
        if (imu.moves or imu.found is None) and _tilt(imu) <= TILT and odometry and (
                np.isfinite(rates).all()):
            ratio = turn_ratio(imu.track, path_of(odometry[0]),
                               rotation_in_root(imu.track.frame, imu.edges)[0])
            if abs(ratio.value - 1) > max(RATE, 3 * ratio.error) and (
                    ratio.error < 0.1 * max(abs(ratio.value), 1.0)):
                yield defect_of(
                    imu.track, 'According to {nodes}, the robot turned {ratio:.4g} ± {error:.2g} '
                    'times as far as according to {odometry}', subject=imu.track.frame,
                    ratio=ratio.value, error=ratio.error, odometry=odometry[0].topic,
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
    clock = times_of(imu)
    spans, (measured,) = increments(path.times, clock, integral(
        imu.values[:, :3] @ rotation[2], clock))
    turned = path.turned[spans]
    if len(turned) < MINIMUM_SPANS or np.abs(turned).sum() < MINIMUM_TURN:
        return Value(1.0, np.inf)
    # A gyroscope drifts.
    return value_of(least_squares(np.column_stack([
        turned, np.diff(path.times)[spans] / SECOND]), measured), 0)
