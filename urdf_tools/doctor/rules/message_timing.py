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

from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.stamped_sources import frozen
from urdf_tools.doctor.stamped_sources import longest_pause
from urdf_tools.doctor.stamped_sources import rate_of
from urdf_tools.doctor.stamped_sources import with_ages

rule = GRAPH_RULES.in_category('timing')

LEAST_RATE = 5.0
"""Rate of joint states (Hz) below which motion is no longer smooth."""

LEAST_GAP = 0.25
"""Seconds that joint states may pause at any rate."""

PERIODS = 5
"""Periods that joint states may pause."""

OLD = 0.5
"""Age in seconds from which a stamp is old when it arrives."""

FUTURE = 0.1
"""Seconds by which a stamp may be in the future."""

_ENOUGH = 5


def _tracks(seen: Observation, least: int = _ENOUGH) -> Iterator[JointTrack]:
    """
    Yield the joint states that belong to robots, or all if there is no robot.

    :param least: number of messages from which a publisher is evaluated.
    """
    topics = {topic for robot in seen.robots for topic in robot.joint_topics}
    return (track for track in seen.joints
            if (track.topic in topics or not topics) and len(track.received) >= least)


@rule('joint-states-slow', WARN, fix='Raise the rate of the driver or of joint_state_broadcaster',
      example='The update rate of the controller manager was lowered for a test.')
def joint_states_slow(seen: Observation) -> Iterator[GraphDefect]:
    """Check that joint states arrive at 5 Hz or more, by the clock in use."""
    for track in _tracks(seen, 2):
        rate = rate_of(seen, track)
        if 0 < rate < LEAST_RATE:
            yield defect_of(track, '{nodes} publishes joint states at {rate:.2g} Hz', rate=rate)


@rule('joint-states-jitter', WARN,
      fix='Find what delays the publisher: load, the network, or a slow callback',
      example='The driver writes a log file in the loop that reads the motors.')
def joint_states_jitter(seen: Observation) -> Iterator[GraphDefect]:
    """Check that joint states do not pause for more than 5 periods, or 0.25 s if that is more."""
    for track in _tracks(seen):
        pause = longest_pause(seen, track, LEAST_GAP, PERIODS)
        if pause:
            yield defect_of(
                track, 'Joint states from {nodes} paused for {pause:.2f} s, at a rate of '
                '{rate:.3g} Hz otherwise', **pause)


@rule('joint-stamps-zero', WARN, fix='Stamp joint states with the time of the measurement',
      example='A script publishes joint states without filling in the header.')
def joint_stamps_zero(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states have a stamp.

    State publishers take a zero stamp for a time in the distant past, and publish no frames.
    """
    for track in _tracks(seen):
        number = int(np.count_nonzero(track.stamps == 0))
        if number:
            yield defect_of(
                track, '{number} of {total} joint states from {nodes} have a zero stamp',
                number=number, total=len(track.stamps))


@rule('joint-stamps-repeated', WARN,
      fix='Publish each measurement once, or stamp each one with its own time',
      example='The driver publishes its last message again while the robot does not respond.')
def joint_stamps_repeated(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that each joint state has a stamp of its own.

    State publishers publish the frames of a stamp only once. It is reported if most joint states
    have the stamp of another one, or if a stamp lasts for 2 s.
    """
    stands = seen.clock is not None and (
        seen.clock.is_stopped or frozen(seen.clock.received, seen.clock.times).any())
    for track in _tracks(seen):
        if stands and seen.is_simulated(track.topic, track.publisher) is not False:
            # That is reported as a defect of the clock.
            continue
        same = int(np.count_nonzero((np.diff(track.stamps) == 0) & (track.stamps[1:] != 0)))
        if same > len(track.stamps) // 2 or frozen(track.received, track.stamps).any():
            yield defect_of(
                track, '{number} of {total} joint states from {nodes} have the stamp of the '
                'previous one', number=same, total=len(track.stamps))


@rule('joint-stamps-old', WARN,
      fix='Synchronize the clocks (chrony), or set the same use_sim_time on both sides',
      example='The clocks of the robot and the workstation are not synchronized.')
def joint_stamps_old(seen: Observation) -> Iterator[GraphDefect]:
    """Check that joint states are at most 0.5 s old when they arrive."""
    for track, age in with_ages(seen, _tracks(seen), _ENOUGH):
        if age > OLD:
            yield defect_of(
                track, 'Joint states from {nodes} are {age:.4g} s old when they arrive', age=age)


@rule('joint-stamps-future', WARN,
      fix='Synchronize the clocks (chrony), or set the same use_sim_time on both sides',
      example='The clocks of the robot and the workstation are not synchronized.')
def joint_stamps_future(seen: Observation) -> Iterator[GraphDefect]:
    """Check that joint states are not stamped in the future."""
    for track, age in with_ages(seen, _tracks(seen), _ENOUGH):
        if age < -FUTURE:
            yield defect_of(
                track, 'Joint states from {nodes} are stamped {ahead:.4g} s in the future',
                ahead=-age)
