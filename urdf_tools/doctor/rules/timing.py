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

"""Rules about stamps and rates."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

import numpy as np

from urdf_tools.doctor.frame_graph import frames_above
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import parent_of
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
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.rules.descriptions import TOPIC
from urdf_tools.doctor.stamped_sources import FAR
from urdf_tools.doctor.stamped_sources import frame_sources
from urdf_tools.doctor.stamped_sources import frozen
from urdf_tools.doctor.stamped_sources import has_other_clock
from urdf_tools.doctor.stamped_sources import jumps_back
from urdf_tools.doctor.stamped_sources import longest_pause
from urdf_tools.doctor.stamped_sources import offset_of_frames
from urdf_tools.doctor.stamped_sources import rate_of
from urdf_tools.doctor.stamped_sources import silence
from urdf_tools.doctor.stamped_sources import silent_sources
from urdf_tools.doctor.stamped_sources import typical_age
from urdf_tools.doctor.stamped_sources import with_ages
from urdf_tools.messages.headers import STEADY
from urdf_tools.model.grouping import grouped


rule = GRAPH_RULES.in_category('timing')

OLD, OLD_MARKER = 0.5, 1.0
"""Age in seconds from which a stamp is old: of joint states and frames in use, of other frames."""

FUTURE = 0.1
"""Seconds by which a stamp may be in the future."""

FUTURE_FRAME = 2.0
"""The same for frames of no model: localisation stamps them ahead, so that lookups succeed."""

MINIMUM_RATE = 5.0
"""Rate (Hz) below which motion is no longer smooth, and lookups of frames wait or fail."""

MINIMUM_PAUSE = 0.25
"""Seconds that joint states may pause at any rate."""

PERIODS = 5
"""Periods that joint states may pause."""

_YEAR = 365 * 86_400 * SECOND
_ENOUGH = 5
_JUMPS = 3
_REPEATED = 0.1
"""Share of transforms with the stamp of the one before from which they are reported."""


def _of_robots(robots: Iterable[ObservedRobot]) -> set[tuple[str, str]]:
    """Return the namespaces and names of the frames that joints move."""
    return {(robot.tree, robot.frame(joint.child))
            for robot in robots for joint in robot.robot.tree}


def _above_robots(observation: Observation) -> set[tuple[str, str]]:
    """Return the namespaces and names of the frames above robots, and their roots."""
    return {(space, frame) for space, edges in trees(observation).items()
            for frame in frames_above(observation, edges, space)}


def _near(observation: Observation) -> set[tuple[str, str]]:
    """Return the roots of robots and their parents, such as base_footprint and odom."""
    published = trees(observation)
    roots = {(robot.tree, robot.frame(robot.robot.root)) for robot in observation.robots}
    return roots | {(space, edge.parent) for space, root in roots
                    for edge in published.get(space, {}).get(root, ())}


def _key(track: StampedTrack) -> tuple[str, str]:
    return parent_of(track.topic), track.frame


def _aged(observation: Observation) -> Iterator[tuple[StampedTrack, float]]:
    """Yield the moving frames with the median age of their transforms in seconds."""
    for track, age in with_ages(observation, frame_sources(observation.frames), _ENOUGH):
        yield track, round(age, 1)


@rule('frame-stamps-old', WARN)
def frame_stamps_old(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms on tf are at most 0.5 s old when they arrive.

    Navigation stops on older ones of the frames that the robot hangs on. Frames that nothing hangs
    on, such as those of detected objects, may be 1 s old.

    Example: The node that publishes the frame takes a second for each camera image.
    """
    bears, models = _above_robots(observation), _of_robots(observation.robots)
    for track, age, frames in together(
            (track, age, track.frame) for track, age in _aged(observation)
            if age > (OLD if _key(track) in bears | models else OLD_MARKER)):
        yield defect_of(
            track, 'Transforms of {frames:frame} from {nodes} are {age:.4g} s old when they '
            'arrive: {frames}', frames=frames, age=age, severity=ERROR if not (
                offset_of_frames(observation)) and any(
                    (parent_of(track.topic), frame) in bears for frame in frames) else None)


@rule('frame-stamps-zero', WARN)
def frame_stamps_zero(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms on tf have a stamp.

    Those with a zero stamp are of 1970, so that data of now cannot be transformed with them.

    Example: A bridge publishes the frames of sensors on tf without filling in the header.
    """
    for track, _, frames in together((track, 0, track.frame) for track in frame_sources(
            observation.frames) if not track.stamps.any()):
        yield defect_of(track, 'Transforms of {frames:frame} from {nodes} have a zero stamp: '
                        '{frames}', frames=frames)


@rule('frame-stamps-future', WARN)
def frame_stamps_future(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms on tf are not stamped in the future.

    Frames that no model has may be 2 s ahead, because localisation stamps them so.

    Example: The clock of the computer that runs the odometry is ahead.
    """
    models = _of_robots(observation.robots)
    for track, ahead, frames in together(
            (track, -age, track.frame) for track, age in _aged(observation)
            if -age > (FUTURE if _key(track) in models else FUTURE_FRAME)):
        yield defect_of(
            track, 'Transforms of {frames:frame} from {nodes} are stamped {ahead:.4g} s in '
            'the future: {frames}', frames=frames, ahead=ahead)


@rule('frame-stamps-jump', WARN)
def frame_stamps_jump(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the stamps of a frame increase.

    Otherwise the frame jumps between two places in time.

    Example: The odometry publishes from a timer and, with an older stamp, for each message of the
    IMU.
    """
    found = [(track, number, jump) for track in frame_sources(observation.frames)
             for number, jump in [jumps_back(track.stamps)]
             if number >= _JUMPS and (track.stamps != 0).all()]
    worst = max((jump for _, _, jump in found), default=0.0)
    for track, jumps, frames in together(
            (track, jumps, track.frame) for track, jumps, _ in found):
        yield defect_of(
            track, 'Stamps of {frames:frame} from {nodes} jumped back {jumps} times, by up to '
            '{jump:.2f} s: {frames}', frames=frames, jumps=jumps, jump=worst)


@rule('frame-stamps-repeated', WARN)
def frame_stamps_repeated(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that a publisher does not send a frame twice with the same stamp.

    tf ignores the second one and, in most releases, warns each time of TF_REPEATED_DATA. It is
    reported from a tenth of the transforms and five stamps on, unless one is frozen.

    Example: The odometry publishes from a timer at 50 Hz what it measures at 20 Hz, with the stamp
    of the measurement.
    """
    if observation.is_clock_stopped or _is_clock_frozen(observation):
        return
    found = []
    for track in frame_sources(observation.frames):
        same = np.diff(track.stamps) == 0
        share = int(np.count_nonzero(same)) / len(track.stamps)
        if share >= _REPEATED and len({*track.stamps[1:][same].tolist()}) >= _ENOUGH and not (
                frozen(track.received, track.stamps).any()):
            found.append((track, round(100 * share), track.frame))
    for track, share, frames in together(found):
        yield defect_of(
            track, '{nodes} sent {share} % of its transforms of {frames:frame} with the stamp of '
            'the one before, which tf ignores (TF_REPEATED_DATA): {frames}', frames=frames,
            share=share)


@rule('frame-slow', ERROR)
def frame_slow(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the frames that a robot hangs on arrive at 5 Hz or more.

    Lookups at the time of a scan wait for the next transform. One that is stamped ahead, as
    localisation does, may be slower.

    Example: The odometry publishes odom -> base_link only once per second.
    """
    bears = _above_robots(observation)
    for track in frame_sources(observation.frames):
        rate = rate_of(observation, track)
        if _key(track) not in bears or len(track.received) < 3 or not 0 < rate < MINIMUM_RATE or (
                has_other_clock(observation, track)):
            continue
        if 1 / rate + (typical_age(observation, track) or 0.0) > 1 / MINIMUM_RATE:
            yield defect_of(
                track, 'Transforms of {frames:frame} from {nodes} arrive at {rate:.2g} Hz: '
                '{frames}', subject=track.frame, frames=(track.frame,), rate=rate,
                severity=None if _key(track) in _near(observation) else WARN)


@rule('frame-stopped', ERROR)
def frame_stopped(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the frames of a robot, and those it hangs on, keep arriving.

    Those whose joint states have stopped are not counted. Other frames may come and go, such as
    those of detected objects.

    Example: The odometry hangs, while the driver goes on to report its joints.
    """
    if observation.is_clock_stopped:
        return
    heard = [robot for robot in observation.robots
             if any(not silence(observation, track) for track in observation.joints_of(robot))]
    wanted = _above_robots(observation) | _of_robots(heard)
    sources = [track for track in frame_sources(observation.frames) if _key(track) in wanted]
    silent = silent_sources(observation, sources, _key)
    since = grouped(((track.topic, track.publisher), seconds) for track, seconds in silent)
    for track, _, frames in together((track, None, track.frame) for track, _ in silent):
        yield defect_of(
            track, '{nodes} stopped publishing {frames:frame} {silence:.1f} s ago: {frames}',
            frames=frames, silence=min(since[track.topic, track.publisher]))


@rule('clock-set-back', WARN)
def clock_set_back(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that /clock does not go back.

    Nodes drop the transforms that they remember, and what is stamped before the jump is refused.

    Example: A bag is played with --loop --clock.
    """
    sources = observation.graph.publishing(TOPIC)
    if observation.clock is not None and len(sources) < 2:
        jumps, jump = jumps_back(observation.clock.times)
        if jumps:
            yield GraphDefect(TOPIC, '/clock from {nodes:and} was set back by up to {jump:.2f} s',
                              sources, jump=jump)


@rule('joint-stamps-jump', WARN)
def joint_stamps_jump(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the stamps of joint states increase.

    State publishers drop a joint state that is older than the one before it.

    Example: NTP sets the clock of the robot back by 0.2 s while it drives.
    """
    if observation.clock is not None and jumps_back(observation.clock.times)[0]:
        return
    for track in observation.joints:
        # Publishers that cannot be distinguished need not agree, nor use the same clock.
        jumps, jump = jumps_back(track.stamps)
        if jumps and jump < FAR and (
                track.source or len(observation.graph.publishing(track.topic)) < 2):
            yield defect_of(track, 'Stamps of joint states from {nodes} jumped back {jumps:time}, '
                            'by up to {jump:.2f} s', jumps=jumps, jump=jump)


def _is_clock_frozen(observation: Observation) -> bool:
    clock = observation.clock
    return clock is not None and bool(frozen(clock.received, clock.times).any())


@rule('stamps-frozen', WARN)
def stamps_frozen(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms and measurements do not keep one stamp for 2 s.

    They look older and older, though nothing is late.

    Example: The node publishes its last measurement again and again while its device hangs.
    """
    if _is_clock_frozen(observation):
        return
    steady = (track for track in observation.stamped if track.kind in STEADY)
    tracks = [track for track in (*frame_sources(observation.frames), *steady)
              if frozen(track.received, track.stamps).any()]
    durations = grouped(((track.topic, track.publisher), _frozen_for(track)) for track in tracks)
    for track, _, frames in together((track, None, track.frame) for track in tracks):
        yield defect_of(
            track, 'Messages from {nodes} had the same stamp for {seconds:.1f} s' + (
                ', of 1970' if observation.clock is None and track.stamps[-1] < _YEAR else '')
            + ', in {frames:frame}: {frames}', frames=frames,
            seconds=max(durations[track.topic, track.publisher]))


def _frozen_for(track: StampedTrack) -> float:
    """Return for how many seconds the last frozen stamp of a track was received."""
    stamp = track.stamps[frozen(track.received, track.stamps)][-1]
    return float(np.ptp(track.received[track.stamps == stamp])) / SECOND


def _tracks(observation: Observation, minimum: int = _ENOUGH) -> Iterator[JointTrack]:
    """
    Yield the joint states that belong to robots, or all if there is no robot.

    :param minimum: number of messages from which a publisher is evaluated.
    """
    topics = {topic for robot in observation.robots for topic in robot.joint_topics}
    return (track for track in observation.joints
            if (track.topic in topics or not topics) and len(track.received) >= minimum)


@rule('joint-states-slow', WARN)
def joint_states_slow(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states arrive at 5 Hz or more, by the clock in use.

    Example: The update rate of the controller manager was lowered for a test.
    """
    for track in _tracks(observation, 2):
        rate = rate_of(observation, track)
        if 0 < rate < MINIMUM_RATE:
            yield defect_of(track, '{nodes} publishes joint states at {rate:.2g} Hz', rate=rate)


@rule('joint-states-jitter', WARN)
def joint_states_jitter(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states do not pause for more than 5 periods, or 0.25 s if that is more.

    Example: The driver writes a log file in the loop that reads the motors.
    """
    for track in _tracks(observation):
        pause = longest_pause(observation, track, MINIMUM_PAUSE, PERIODS)
        if pause:
            yield defect_of(
                track, 'Joint states from {nodes} paused for {pause:.2f} s, at a rate of '
                '{rate:.3g} Hz otherwise', **pause)


@rule('joint-stamps-zero', WARN)
def joint_stamps_zero(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states have a stamp.

    State publishers take a zero stamp for a time in the distant past, and publish no frames.

    Example: A script publishes joint states without filling in the header.
    """
    for track in _tracks(observation):
        number = int(np.count_nonzero(track.stamps == 0))
        if number:
            yield defect_of(
                track, '{number} of {total} joint states from {nodes} have a zero stamp',
                number=number, total=len(track.stamps))


@rule('joint-stamps-repeated', WARN)
def joint_stamps_repeated(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each joint state has a stamp of its own.

    State publishers publish the frames of a stamp only once. It is reported if most joint states
    have the stamp of another one, or if a stamp lasts for 2 s.

    Example: The driver publishes its last message again while the robot does not respond.
    """
    stands = observation.is_clock_stopped or _is_clock_frozen(observation)
    for track in _tracks(observation):
        if stands and observation.is_simulated(track.topic, track.publisher) is not False:
            # That is reported as a defect of the clock.
            continue
        same = int(np.count_nonzero((np.diff(track.stamps) == 0) & (track.stamps[1:] != 0)))
        if same > len(track.stamps) // 2 or frozen(track.received, track.stamps).any():
            yield defect_of(
                track, '{number} of {total} joint states from {nodes} have the stamp of the '
                'previous one', number=same, total=len(track.stamps))


@rule('joint-stamps-old', WARN)
def joint_stamps_old(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states are at most 0.5 s old when they arrive.

    Example: The clocks of the robot and the workstation are not synchronized.
    """
    for track, age in with_ages(observation, _tracks(observation), _ENOUGH):
        if age > OLD:
            yield defect_of(
                track, 'Joint states from {nodes} are {age:.4g} s old when they arrive', age=age)


@rule('joint-stamps-future', WARN)
def joint_stamps_future(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states are not stamped in the future.

    Example: The clocks of the robot and the workstation are not synchronized.
    """
    for track, age in with_ages(observation, _tracks(observation), _ENOUGH):
        if age < -FUTURE:
            yield defect_of(
                track, 'Joint states from {nodes} are stamped {ahead:.4g} s in the future',
                ahead=-age)
