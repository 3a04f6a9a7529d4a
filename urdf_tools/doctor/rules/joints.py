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

"""Rules about the joint states that arrive, and those that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import together
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.robots import effort_unit_of
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.robots import wrapped
from urdf_tools.doctor.stamped_sources import silent_sources
from urdf_tools.doctor.stamped_sources import times_of
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.model.grouping import grouped
from urdf_tools.model.records import Limits
from urdf_tools.model.records import NO_LIMITS
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.spelling import closest
from urdf_tools.types import Array

if TYPE_CHECKING:
    from urdf_tools.dynamics.dynamics import InverseDynamics
    from urdf_tools.dynamics.static_efforts import EffortCause

rule = GRAPH_RULES.in_category('joints')

MINIMUM_SECONDS = 2.0
"""How long joints must stand still; what was moving may still swing before."""

MINIMUM_SAMPLES = 10

STILL = 0.002
"""Radians or metres by which positions may differ at rest."""

SLOW = 0.01
"""Speed (rad/s, m/s) that an encoder may report at rest."""


@rule('joint-effort-gravity', Severity.WARN)
def joint_effort_gravity(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the efforts of a robot at rest are those that hold it against gravity.

    Controllers that compensate gravity and plans within limits of effort rely on the masses of the
    model. It is reported only if one payload, one mass or the sign of some efforts explains the
    efforts of all joints and nothing else does, so friction, contacts, other units and other
    mountings are not. The z axis of the root link must point up.

    Example: The arm holds a workpiece of 2 kg that the model does not have.
    """
    for robot in observation.robots:
        tracks = observation.joints_of(robot)
        found = posture_at_rest(robot, tracks)
        if found is None:
            continue
        # Most drivers report no efforts, so this is not loaded before.
        from urdf_tools.dynamics.static_efforts import explain
        cause = explain(*found)
        if cause is not None:
            sources = [track for track in tracks if set(track.names) & set(cause.joints)]
            yield _defect(robot, cause, sources)


def posture_at_rest(robot: ObservedRobot, tracks: list[JointTrack]
                    ) -> tuple[InverseDynamics, Array, dict[str, float]] | None:
    """
    Return the dynamics of a robot, its configuration, and the median efforts of its joints.

    :return: None if it moves, no joint reports finite efforts, or a position is unknown.
    """
    efforts = {name: float(np.median(values)) for track in tracks
               for name, values in track.of_joints(track.efforts).items()
               if np.isfinite(values).all()}
    if not efforts or not all(map(_is_at_rest, tracks)):
        return None
    inverse = _dynamics_of(robot.text)
    positions = {name: float(values[-1]) for track in tracks
                 for name, values in track.of_joints(track.positions).items()}
    names = inverse.tree.variable_names
    if any(name not in positions for name in names):
        return None
    return inverse, inverse.tree.configuration({name: positions[name] for name in names}), efforts


@lru_cache(maxsize=4)
def _dynamics_of(text: str) -> InverseDynamics:
    """Return the dynamics of the robot of a description."""
    from urdf_tools.dynamics.dynamics import InverseDynamics
    robot, _ = robot_of(text)
    assert robot is not None
    return InverseDynamics(robot)


def _is_at_rest(track: JointTrack) -> bool:
    """Return whether joints stood still all the time, and long enough."""
    if len(track.received) < MINIMUM_SAMPLES or (
            track.received[-1] - track.received[0]) / SECOND < MINIMUM_SECONDS:
        return False
    return bool(np.isfinite(track.positions).all()
                and (np.ptp(track.positions, axis=0) <= STILL).all()
                and (np.nan_to_num(np.abs(track.velocities)) <= SLOW).all())


def _defect(robot: ObservedRobot, cause: EffortCause, tracks: list[JointTrack]) -> GraphDefect:
    from urdf_tools.dynamics.static_efforts import Cause
    publishers = [track.publisher for track in tracks]
    common = {'joints': tuple(map(Name, cause.joints))}
    if cause.cause is Cause.SIGN:
        joint = robot.robot.joints[cause.joints[0]]
        return GraphDefect(
            tracks[0].topic, 'At rest, {nodes:and} reports efforts with the opposite sign for '
            '{joints:joint}: {joints}; {joint} takes {expected:.3g} {unit} against gravity, and '
            '{measured:.3g} {unit} is reported', publishers, joint=Name(joint.name),
            subject=joint.name if len(cause.joints) == 1 else '', unit=effort_unit_of(joint),
            expected=cause.expected[0], measured=cause.measured[0], **common)
    of_link: dict[str, Any] = {
        'subject': cause.link, 'link': Name(cause.link), 'mass': cause.mass, **common}
    if cause.cause is Cause.PAYLOAD:
        return GraphDefect(
            tracks[0].topic, 'At rest, the efforts of {joints} from {nodes:and} are those of '
            'about {mass:.2g} kg more at link {link} than the model has', publishers, **of_link)
    inertial = robot.robot.links[cause.link].inertial
    assert inertial is not None
    return GraphDefect(
        tracks[0].topic, 'At rest, the efforts of {joints} from {nodes:and} are those of '
        'a link {link} with about {mass:.2g} kg, not {modelled:.3g} kg', publishers,
        modelled=inertial.mass, **of_link)


Column = tuple[Joint, JointTrack, Array]
Mask = npt.NDArray[np.bool_]

STEP = 0.2
"""Seconds over which positions and velocities are compared."""

MINIMUM_SPEED = 0.05
"""Speed (rad/s, m/s) below which a difference between them is noise."""

SHARE = 0.5
"""Share of the speed by which they may differ."""

MOVING = 0.02
"""Speed (rad/s, m/s) from which a velocity counts as motion."""

PERIODS = 5
"""Periods after which joint states have paused."""

_PLAY, _PLAY_LINEAR = 0.05, 0.005
_TOLERANCE = 1e-6
_FAR = 7.0
"""Position in rad that no joint with limits has."""
_MARGIN = 1.01


def _columns(observation: Observation, what: str) -> Iterator[Column]:
    """Yield each moving joint with the values that a publisher reports, shape (k,)."""
    for robot in observation.robots:
        for track in observation.joints_of(robot):
            for joint in moving_joints(robot.robot):
                values = track.of_joint(joint.name, getattr(track, what))
                if values is not None:
                    yield joint, track, values


@rule('joint-not-finite', ERROR)
def joint_not_finite(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that positions, velocities and efforts are finite.

    Example: An encoder without power reads NaN.
    """
    for quantity in ('positions', 'velocities', 'efforts'):
        # joint_state_broadcaster reports interfaces that a joint does not have as NaN.
        bad = grouped(
            ((track.topic, track.publisher), (joint.name, values))
            for joint, track, values in _columns(observation, quantity)
            if not np.isfinite(values).all() and (
                quantity == 'positions' or not np.isnan(values).all()))
        for (topic, publisher), found in bad.items():
            joints = dict(found)
            every = np.concatenate([*joints.values()])
            yield GraphDefect(
                topic, '{number} of {total} {quantity} of {joints} from {nodes} are not finite',
                (publisher,), number=int(np.count_nonzero(~np.isfinite(every))),
                total=len(every), quantity=quantity, joints=tuple(joints))


@rule('joint-position-limit', WARN)
def joint_position_limit(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that positions are within the limits of the model.

    MoveIt does not plan a motion that starts beyond a limit.

    Example: The zero position of a motor is not that of the model.
    """
    for joint, track, values in _columns(observation, 'positions'):
        limits = joint.limits or NO_LIMITS
        for bound, limit, excess in (('lower', limits.lower, limits.lower - values),
                                     ('upper', limits.upper, values - limits.upper)):
            yield from _beyond(joint, track, excess, bound, limit, joint.type.unit,
                               _unit_hint(joint, limits, values))


def _unit_hint(joint: Joint, limits: Limits, values: Array) -> str:
    """Return the hint that positions have another unit, if they are far too large otherwise."""
    lower, upper = limits.lower, limits.upper
    slides = joint.type is JointType.PRISMATIC
    scaled = values / 1000 if slides else np.radians(values)
    if np.abs(values).max() < (20 * max(abs(lower), abs(upper)) if slides else _FAR) or not (
            (scaled >= lower - _PLAY) & (scaled <= upper + _PLAY)).all():
        return ''
    return (f'The positions look like {"millimetres" if slides else "degrees"}: let the driver '
            f'convert them to {"metres" if slides else "radians"}')


@rule('joint-mimic-contradicts', WARN)
def joint_mimic_contradicts(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joints that mimic another one are reported where the model puts them.

    They may differ by 0.05 rad or 5 mm, because real ones have play.

    Example: The driver reports the second finger of a gripper with the wrong sign.
    """
    for robot in observation.robots:
        mimic = resolve_mimic(robot.robot)
        for joint, track, values in _columns(replace(observation, robots=(robot,)), 'positions'):
            leader = mimic.get(joint.name, Mimic(joint.name))
            positions = track.of_joint(leader.joint, track.positions)
            if positions is None or leader.joint == joint.name:
                continue
            expected = leader.multiplier * positions + leader.offset
            error = np.abs(values - expected)
            if joint.type is not JointType.PRISMATIC:
                error = np.abs(wrapped(error))
            if np.isfinite(error).all() and float(np.median(error)) > _play(joint):
                worst = int(np.argmax(error))
                yield defect_of(
                    track, '{nodes} reports joint {joint} at {position:.4g} {unit}, but it mimics '
                    '{leader}, which puts it at {expected:.4g} {unit}', subject=joint.name,
                    joint=Name(joint.name), leader=Name(leader.joint), unit=joint.type.unit,
                    position=float(values[worst]), expected=float(expected[worst]))


@rule('joint-velocity-limit', WARN)
def joint_velocity_limit(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that velocities are within the limits of the model.

    Example: The driver reports degrees or encoder ticks per second.
    """
    for column in _columns(observation, 'velocities'):
        yield from _too_large(column, 'velocity', f'{column[0].type.unit}/s')


@rule('joint-effort-limit', WARN)
def joint_effort_limit(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that efforts are within the limits of the model.

    Example: The driver reports the current of the motor in mA.
    """
    for column in _columns(observation, 'efforts'):
        yield from _too_large(column, 'effort', effort_unit_of(column[0]))


def _too_large(column: Column, bound: str, unit: str) -> Iterator[GraphDefect]:
    joint, track, values = column
    limit: float = getattr(joint.limits, bound, 0.0)
    if limit:
        yield from _beyond(joint, track, np.abs(values) - limit * _MARGIN, bound, limit, unit)


def _beyond(joint: Joint, track: JointTrack, excess: Array, bound: str, limit: float,
            unit: str, hint: str = '') -> Iterator[GraphDefect]:
    """
    Yield a defect if a joint is beyond a limit.

    :param excess: amount by which it is beyond, negative within it, shape (k,).
    :param bound: which limit it is, such as ``lower`` or ``velocity``.
    """
    beyond = (excess > _TOLERANCE) & np.isfinite(excess)
    if beyond.any():
        # Each message counts until the next one.
        intervals = np.diff(track.received)
        last = np.median(intervals) if len(intervals) else 0.0
        yield defect_of(
            track, 'Joint {joint} was up to {excess:.3g} {unit} beyond its {bound} limit of '
            '{limit:.6g} {unit} for {seconds:.1f} s, according to {nodes}', subject=joint.name,
            joint=Name(joint.name), excess=float(excess[beyond].max()), bound=bound, limit=limit,
            unit=unit, hint=hint, seconds=float(np.append(intervals, last)[beyond].sum()) / SECOND)


@rule('joint-position-jumps', WARN)
def joint_position_jumps(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that no position jumps further than the joint can move between two messages.

    It must have been three times as fast as the velocity limit, or half as fast again if it jumped
    back at once. Without a limit, only jumps there and back count.

    Example: A damaged cable of an encoder flips a bit now and then.
    """
    for joint, track, positions in _columns(observation, 'positions'):
        if len(positions) < MINIMUM_SAMPLES or not np.isfinite(positions).all():
            continue
        steps, seconds = _steps(joint, track, positions)
        limit, jumps = _speed_limit(joint), _jumps(joint, steps, seconds)
        if jumps.any():
            worst = int(np.argmax(np.where(jumps, np.abs(steps), 0.0)))
            yield defect_of(
                track, 'Joint {joint} jumped by {jump:.3g} {unit} within {step:.2g} s, according '
                'to {nodes}' + ('; its velocity limit is {limit:.4g} {unit}/s' if limit else ''),
                subject=joint.name, joint=Name(joint.name), jump=float(abs(steps[worst])),
                unit=joint.type.unit, step=float(seconds[worst]), limit=limit,
                number=int(np.count_nonzero(jumps)))


def _jumps(joint: Joint, steps: Array, seconds: Array) -> Mask:
    """Return which steps are further than the joint can move."""
    limit = _speed_limit(joint)
    speeds = np.abs(steps) / seconds
    jumps = _spikes(joint, steps) & (speeds > 1.5 * limit)
    if limit:
        jumps |= (speeds > 3 * limit) & (np.abs(steps) > _play(joint))
    # Of a driver with other units, all are too large.
    return jumps if np.count_nonzero(jumps) <= max(2, len(steps) / 5) else np.zeros_like(jumps)


def _speed_limit(joint: Joint) -> float:
    return (joint.limits.velocity if joint.limits else 0.0) or 0.0


def _play(joint: Joint) -> float:
    """Return the play of a joint in rad or m."""
    return _PLAY_LINEAR if joint.type is JointType.PRISMATIC else _PLAY


def _steps(joint: Joint, track: JointTrack, positions: Array) -> tuple[Array, Array]:
    """Return how far a joint moved from message to message, and the seconds, shape (k - 1,)."""
    steps, times = np.diff(positions), times_of(track)
    if joint.type is JointType.CONTINUOUS:
        steps = wrapped(steps)
    seconds = np.diff(times) / SECOND
    # Messages that come together were not measured together.
    return steps, np.maximum(seconds, max(float(np.median(seconds)), 1e-3))


def _isolated(joint: Joint, steps: Array) -> Mask:
    """Return which steps are far larger than nearly all others."""
    sizes = np.abs(steps)
    found: Mask = sizes > max(_play(joint), 20 * float(np.percentile(sizes, 90)))
    return found if np.count_nonzero(found) <= max(4, len(steps) // 50) else (
        np.zeros_like(found))


def _spikes(joint: Joint, steps: Array) -> Mask:
    """Return which steps are isolated and lead back at once."""
    spikes, isolated = np.zeros(len(steps), bool), np.flatnonzero(_isolated(joint, steps))
    for one, other in zip(isolated, isolated[1:]):
        if other - one <= 3 and abs(steps[one] + steps[other]) < 0.2 * abs(steps[one]):
            spikes[[one, other]] = True
    return spikes


@rule('joint-velocity-contradicts', WARN)
def joint_velocity_contradicts(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that velocities agree with the change of the positions.

    Both are compared over spans of 0.2 s, so that noise and jitter do not matter. Pauses of the
    joint states and jumps are left out.

    Example: The direction of a motor is inverted for its position, but not for its velocity.
    """
    for joint, track, positions in _columns(observation, 'positions'):
        velocities = _velocities(joint, track)
        if velocities is None or not np.isfinite(positions).all() or (
                positions == positions[0]).all():
            continue
        spans = _spans(joint, track, positions, velocities)
        if len(spans) < 2:
            continue
        moved, expected, seconds = spans.T
        error = _rms((moved - expected) / seconds)
        speed = max(_rms(moved / seconds), _rms(expected / seconds))
        if error > max(MINIMUM_SPEED, SHARE * speed):
            worst = int(np.argmax(np.abs(moved - expected)))
            yield defect_of(
                track, 'Joint {joint} moved at {measured:.3g} {unit} according to its positions, '
                'but {nodes} reports {reported:.3g} {unit}', subject=joint.name,
                joint=Name(joint.name), unit=f'{joint.type.unit}/s',
                measured=float(moved[worst] / seconds[worst]),
                reported=float(expected[worst] / seconds[worst]))


def _velocities(joint: Joint, track: JointTrack) -> Array | None:
    """Return the velocities of a joint if there are enough and all are finite, shape (k,)."""
    velocities = track.of_joint(joint.name, track.velocities)
    if velocities is None or len(track.received) < MINIMUM_SAMPLES:
        return None
    return velocities if np.isfinite(velocities).all() else None


def _spans(joint: Joint, track: JointTrack, positions: Array, velocities: Array) -> Array:
    """Return how far a joint moved and should have moved, and the seconds, shape (s, 3)."""
    seconds = (times_of(track) - times_of(track)[0]) / SECOND
    steps, periods = _steps(joint, track, positions)
    jumps = _isolated(joint, steps) | _jumps(joint, steps, periods)
    counts = ~jumps & (periods <= max(STEP, PERIODS * np.median(periods)))
    travel = (velocities[1:] + velocities[:-1]) / 2 * np.diff(seconds)
    moved, expected = (np.append(0.0, np.cumsum(part * counts)) for part in (steps, travel))
    ends = [0]
    for index, second in enumerate(seconds):
        if second - seconds[ends[-1]] >= STEP:
            ends.append(index)
    table: Array = np.diff(np.column_stack((moved, expected, seconds))[ends], axis=0)
    return table


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


@rule('joint-frozen', WARN)
def joint_frozen(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the position of a joint changes while its velocity is not zero.

    Example: The driver repeats the last position of a motor that no longer responds.
    """
    for track, _, names in together(
            (track, None, joint.name)
            for joint, track, positions in _columns(observation, 'positions')
            if (velocities := _velocities(joint, track)) is not None
            and (positions == positions[0]).all() and (np.abs(velocities) > MOVING).all()):
        yield defect_of(
            track, '{nodes} reports a velocity for {joints:joint} whose position did not change '
            'in {seconds:.1f} s: {joints}', joints=names, seconds=observation.seconds)


def _wanted(robot: ObservedRobot) -> list[str]:
    """Return the joints whose positions must be reported: those that move and mimic no other."""
    return [joint.name for joint in moving_joints(robot.robot) if joint.mimic is None]


@rule('joint-states-silent', ERROR)
def joint_states_silent(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states keep arriving from each publisher.

    It is only a warning while joint states arrive from another one.

    Example: The driver lost its connection to the robot, but is still running.
    """
    for robot in filter(_wanted, observation.robots):
        tracks = observation.joints_of(robot)
        for topic in robot.joint_topics:
            nodes = observation.graph.publishing(topic)
            if not nodes and not tracks:
                yield GraphDefect(topic, 'No node publishes the joint states of robot {robot}',
                                  robot=Name(robot.robot.name))
            heard = {track.source: track.publisher for track in tracks if track.topic == topic}
            # Without gids, a message is from any of the nodes that publish on its topic.
            silent = [] if b'' in heard else [node for node in nodes if node not in heard.values()]
            if silent and topic not in observation.unreadable:
                yield GraphDefect(
                    topic, '{nodes:and} published no joint states in {seconds:.1f} s',
                    sorted(silent), severity=WARN if heard else None, seconds=observation.seconds)
        # One publisher may report different joints in turn.
        for track, seconds in silent_sources(observation, tracks, lambda track: track.source):
            yield defect_of(track, '{nodes} stopped publishing joint states {silence:.1f} s ago',
                            silence=seconds)


@rule('joint-not-reported', WARN)
def joint_not_reported(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the joint states contain each joint that moves and mimics no other.

    The frames below an unreported joint are not published.

    Example: The gripper has its own driver, which is not running.
    """
    for robot in observation.robots:
        tracks = observation.joints_of(robot)
        # Controllers that are not set up publish names that are empty.
        reported = {name for track in tracks
                    for name in track.names[:track.positions.shape[1]] if name}
        missing = tuple(name for name in _wanted(robot) if name not in reported)
        if missing and tracks:
            yield GraphDefect(
                robot.joint_topics[0],
                'The joint states from {publishers:and} have {reported:joint}'
                + ('' if any(any(track.names) for track in tracks)
                   else ', as they are without names')
                + ', but lack {joints:joint} of robot {robot}: {joints}',
                publishers=tuple(sorted({track.publisher for track in tracks})),
                reported=len(reported), joints=missing, robot=Name(robot.robot.name))


@rule('joint-values-missing', WARN)
def joint_values_missing(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states have as many velocities and efforts as joints, or none.

    Nodes that look for those of a joint read beyond the end of the list, and some crash.

    Example: A driver reports five joints, and the velocities of the two wheels.
    """
    for track in observation.joints:
        for kind in ('velocities', 'efforts'):
            if 0 < (number := getattr(track, kind).shape[1]) < len(track.names):
                yield defect_of(
                    track, 'The joint states from {nodes} name {joints:joint}, and give {kind} '
                    'of {number}', joints=len(track.names), number=number, kind=FreeText(kind))


@rule('joint-unknown', WARN)
def joint_unknown(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the joint states only have joints of the model.

    Example: The driver reports "shoulder", but the model calls the joint "left_shoulder".
    """
    for robot in observation.robots:
        known = robot.robot.joints.keys() | robot.neighbours
        unknown = grouped((track.publisher, name) for track in observation.joints_of(robot)
                          for name in track.names if name and name not in known)
        for publisher, names in unknown.items():
            yield GraphDefect(
                robot.joint_topics[0], '{nodes} reports {joints:joint} that robot {robot} does '
                'not have: {joints}', (publisher,), joints=tuple(dict.fromkeys(names)),
                robot=Name(robot.robot.name), suggestion=closest(
                    names[0], [joint.name for joint in moving_joints(robot.robot)]))


@rule('joint-two-publishers', ERROR)
def joint_two_publishers(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one publisher reports each joint.

    Otherwise the frames of the robot jump between two positions. One that reports only velocities
    or efforts does not count.

    Example: A joint_state_publisher from an old launch file still runs beside the driver.
    """
    for robot in observation.robots:
        tracks = observation.joints_of(robot)
        sources: dict[str, dict[bytes, JointTrack]] = {}
        for track in tracks:
            for name in track.names[:track.positions.shape[1]]:
                sources.setdefault(name, {})[track.source] = track
        together = grouped(
            (tuple(of_joint), name) for name, of_joint in sources.items()
            if len(of_joint) > 1 and _at_the_same_time(list(of_joint.values())))
        for keys, names in together.items():
            nodes = sorted({sources[names[0]][key].publisher for key in keys})
            yield GraphDefect(
                sources[names[0]][keys[0]].topic,
                '{nodes:and} report the same {joints:joint}: {joints}' if len(nodes) > 1 else
                '{nodes} reports {joints:joint} from {number} publishers: {joints}', nodes,
                joints=tuple(names), number=len(keys))


def _at_the_same_time(tracks: list[JointTrack]) -> bool:
    """Return whether one starts before another has ended; a restarted driver does not."""
    tracks.sort(key=lambda track: int(track.received[0]))
    return any(int(later.received[0]) < int(earlier.received[-1])
               for earlier, later in zip(tracks, tracks[1:]))
