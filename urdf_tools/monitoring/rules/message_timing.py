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


"""Rules about when messages arrive, and about their stamps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from urdf_tools.findings.finding import Severity
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import JointTrack
from urdf_tools.monitoring.observation import NodeParameters
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import SECOND

WARN = Severity.WARN
rule = in_category('timing')

LEAST_RATE = 5.0
"""Joint states a second (Hz) below which motion is not smooth any more."""

LEAST_GAP = 0.25
"""Seconds that joint states may pause at any rate."""

PERIODS = 5
"""Periods that joint states may pause."""

OLD = 0.5
"""Age in seconds from which a stamp is old when it arrives."""

OLD_FRAME = 1.0

FUTURE = 0.1
"""Seconds by which a stamp may be in the future."""

FUTURE_FRAME = 2.0
"""The same of frames of no model: localisation publishes ahead, so that others can look it up."""

_ENOUGH = 5


def _tracks(seen: Observation, least: int = _ENOUGH) -> Iterator[JointTrack]:
    """
    Yield the joint states that belong to robots, or all if there is no robot.

    :param least: number of messages from which a publisher is judged.
    """
    topics = {topic for robot in seen.robots for topic in robot.joint_topics}
    for track in seen.joints:
        if (track.topic in topics or not topics) and len(track.received) >= least:
            yield track


@rule('joint-states-slow', WARN,
      hint='Raise the rate of the driver or of joint_state_broadcaster',
      example='joint_state_broadcaster runs at the default rate of a controller manager in test.')
def joint_states_slow(seen: Observation) -> Iterator[Disorder]:
    """Check that joint states arrive at 5 Hz or more."""
    for track in _tracks(seen, 2):
        rate = SECOND / max(float(np.median(np.diff(track.received))), 1.0)
        if rate < LEAST_RATE:
            yield Disorder(track.topic, f'{track.publisher} publishes joint states at '
                                        f'{rate:.2g} Hz', (track.publisher,))


@rule('joint-states-jitter', WARN,
      hint='See what delays the publisher: load, the network, or a callback that takes long',
      example='The driver writes a log file in the loop that reads the motors.')
def joint_states_jitter(seen: Observation) -> Iterator[Disorder]:
    """Check that joint states do not pause for more than 5 periods and 0.25 s."""
    for track in _tracks(seen):
        intervals = np.diff(track.received) / SECOND
        period, gap = float(np.median(intervals)), float(intervals.max())
        if gap > max(LEAST_GAP, PERIODS * period):
            yield Disorder(
                track.topic, f'Joint states of {track.publisher} paused for {gap:.2f} s, with '
                f'{1 / max(period, 1e-9):.3g} Hz otherwise', (track.publisher,))


@rule('joint-stamps-zero', WARN,
      hint='Stamp joint states with the time of the measurement',
      example='A script publishes joint states without filling the header.')
def joint_stamps_zero(seen: Observation) -> Iterator[Disorder]:
    """
    Check that joint states have a stamp.

    State publishers take a zero stamp for a time long past, and publish no frames for it.
    """
    for track in _tracks(seen):
        number = int(np.count_nonzero(track.stamps == 0))
        if number:
            yield Disorder(
                track.topic, f'{number} of {len(track.stamps)} joint states of {track.publisher} '
                'have the stamp 0', (track.publisher,))


@rule('joint-stamps-repeated', WARN,
      hint='Publish a measurement once, or stamp each one with its own time',
      example='The driver publishes its last message again while the robot does not answer.')
def joint_stamps_repeated(seen: Observation) -> Iterator[Disorder]:
    """
    Check that each joint state has a stamp of its own.

    State publishers publish the frames of a stamp once.
    """
    for track in _tracks(seen):
        simulated = seen.parameters.get(track.publisher, NodeParameters()).use_sim_time
        if seen.clock is not None and seen.clock.stands and simulated is not False:
            # A rule about the clock tells the reason.
            continue
        same = int(np.count_nonzero((np.diff(track.stamps) == 0) & (track.stamps[1:] != 0)))
        if same > len(track.stamps) // 2:
            yield Disorder(
                track.topic, f'{same} of {len(track.stamps)} joint states of {track.publisher} '
                'have the stamp of the one before', (track.publisher,))


@rule('joint-stamps-old', WARN,
      hint='Synchronize the clocks (chrony), or give both sides the same use_sim_time',
      example='The clock of the robot and that of the workstation are not synchronized.')
def joint_stamps_old(seen: Observation) -> Iterator[Disorder]:
    """Check that joint states are at most 0.5 s old when they arrive."""
    for track, age in _joint_ages(seen):
        if age > OLD:
            yield Disorder(
                track.topic, f'Joint states of {track.publisher} are {age:.4g} s old when they '
                'arrive', (track.publisher,))


@rule('joint-stamps-future', WARN,
      hint='Synchronize the clocks (chrony), or give both sides the same use_sim_time',
      example='The clock of the robot and that of the workstation are not synchronized.')
def joint_stamps_future(seen: Observation) -> Iterator[Disorder]:
    """Check that the stamps of joint states are not in the future."""
    for track, age in _joint_ages(seen):
        if age < -FUTURE:
            yield Disorder(
                track.topic, f'Joint states of {track.publisher} have stamps {-age:.4g} s in the '
                'future', (track.publisher,))


def _joint_ages(seen: Observation) -> Iterator[tuple[JointTrack, float]]:
    """Yield joint states with their median age in seconds; those without stamps have none."""
    for track in _tracks(seen):
        stamped = track.stamps != 0
        if stamped.any():
            ages = seen.ages(track.publisher, track.received, track.stamps)[stamped]
            yield track, float(np.median(ages))


@rule('frame-stamps-old', WARN,
      hint='Synchronize the clocks (chrony), or give both sides the same use_sim_time',
      example='The node that publishes the frame takes a second for each camera image.')
def frame_stamps_old(seen: Observation) -> Iterator[Disorder]:
    """Check that the transforms on tf are at most 1 s old when they arrive."""
    for topic, publisher, frames, age in _frame_ages(seen):
        if age > OLD_FRAME:
            yield Disorder(
                topic, f'{count(len(frames), "frame")} from {publisher} '
                f'{"is" if len(frames) == 1 else "are"} {age:.4g} s old when they arrive: '
                f'{name_list(frames)}', (publisher,))


@rule('frame-stamps-future', WARN,
      hint='Synchronize the clocks (chrony), or give both sides the same use_sim_time',
      example='A frame is published with the wall clock, while the robot is simulated.')
def frame_stamps_future(seen: Observation) -> Iterator[Disorder]:
    """
    Check that the stamps of transforms on tf are not in the future.

    Frames that no model has may be 2 s ahead, because localisation publishes them so.
    """
    models = {(robot.tree, robot.frame(link)) for robot in seen.robots
              for link in robot.robot.links if link != robot.robot.root}
    for topic, publisher, frames, age in _frame_ages(seen):
        space = topic.rpartition('/')[0] or '/'
        limit = FUTURE if any((space, frame) in models for frame in frames) else FUTURE_FRAME
        if age < -limit:
            yield Disorder(
                topic, f'{count(len(frames), "frame")} from {publisher} '
                f'{"has stamps" if len(frames) == 1 else "have stamps"} {-age:.4g} s in the '
                f'future: {name_list(frames)}', (publisher,))


def _frame_ages(seen: Observation) -> Iterator[tuple[str, str, list[str], float]]:
    """Yield the moving frames of a publisher that have the same age, and this in seconds."""
    for track in seen.frames:
        if track.static or len(track.received) < _ENOUGH:
            continue
        together: dict[float, list[str]] = {}
        ages = np.median(
            seen.ages(track.publisher, track.received[:, None], track.stamps), axis=0)
        for age, child in zip(ages.round(1).tolist(), track.children):
            together.setdefault(age, []).append(child)
        for age, children in together.items():
            yield track.topic, track.publisher, children, age
