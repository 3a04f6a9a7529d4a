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
"""Arrival times and stamps of data that refer to frames: sensors, and frames on ``tf``."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import ClockTrack
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.model.grouping import grouped
from urdf_tools.types import Times

SILENCE = 2.0
"""Seconds, or :data:`PERIODS` if that is longer, after which a source counts as dead."""

PERIODS = 10

FREEZE = 2.0
"""Seconds for which messages with the same stamp arrive when it is frozen."""

_BACK = 0.05
"""Seconds by which a stamp is before the previous one when the time jumps."""

_SEVERAL = 5

_AHEAD = 0.1
"""Seconds by which sources that stamp ahead differ from most others."""

NEAR, FAR = 10.0, 100.0
"""Ages in seconds up to which stamps are of a clock, and from which they are of another one."""

DAY = 86_400.0
"""Seconds beyond which stamps are of another clock, not of a wrong one."""


Source = TypeVar('Source', JointTrack, StampedTrack)


def times_of(track: JointTrack | StampedTrack) -> Times:
    """Return the stamps if they increase, or else when the messages arrived."""
    return track.stamps if (np.diff(track.stamps) > 0).all() else track.received


def rate_of(observation: Observation, track: StampedTrack | JointTrack) -> float:
    """Return the rate of messages in Hz of the clock in use; 0 if there are too few to tell."""
    period = _period(observation, track)
    return 1 / period if period else 0.0


def _period(observation: Observation, track: StampedTrack | JointTrack) -> float:
    """Return the median seconds between two messages by the clock in use, or 0 with only one."""
    if len(track.received) < 2:
        return 0.0
    return float(np.median(np.diff(track.received))) / SECOND * observation.pace(
        track.topic, track.publisher)


def silence(observation: Observation, track: StampedTrack | JointTrack) -> float:
    """
    Return the seconds for which a source has been silent, or 0 if that is usual for it.

    They are of the clock in use.
    """
    pace = observation.pace(track.topic, track.publisher)
    since = track.since if isinstance(track, StampedTrack) else 0
    seconds = max(observation.now - max(int(track.received[-1]), since), 0) / SECOND * pace
    return seconds if seconds > max(SILENCE, PERIODS * _period(observation, track)) else 0.0


def silent_sources(observation: Observation, tracks: Iterable[Source],
                   key: Callable[[Source], object]) -> list[tuple[Source, float]]:
    """
    Return the sources that have become silent, with the seconds since then.

    :param key: what the tracks of one source have in common; the one heard last counts.
    """
    latest = {key(track): track for track in sorted(
        tracks, key=lambda track: int(track.received[-1]))}
    return [(track, seconds) for track in latest.values()
            if (seconds := silence(observation, track))]


def timed_sources(observation: Observation) -> tuple[JointTrack | StampedTrack, ...]:
    """Return all stamped sources: joint states, moving frames and data."""
    return *observation.joints, *frame_sources(observation.frames), *observation.stamped


@lru_cache(maxsize=1)
def frame_sources(tracks: tuple[FrameTrack, ...]) -> list[StampedTrack]:
    """Return the moving frames by publisher, however they are grouped in messages."""
    parts = grouped(
        ((track.topic, track.source, child), (track, column)) for track in tracks
        if not track.static for column, child in enumerate(track.children))
    sources = []
    for (topic, source, child), of_child in parts.items():
        received: Times = np.concatenate([track.received for track, _ in of_child])
        stamps: Times = np.concatenate([track.stamps[:, column] for track, column in of_child])
        if len(of_child) > 1:
            order = np.argsort(received, kind='stable')
            received, stamps = received[order], stamps[order]
        sources.append(StampedTrack(
            topic, TF_MESSAGE, source, of_child[0][0].publisher, child, received, stamps))
    return sources


def frozen(received: Times, stamps: Times) -> npt.NDArray[np.bool_]:
    """Return which messages have the stamp of others for :data:`FREEZE` seconds, shape (k,)."""
    starts = np.concatenate(([0], np.flatnonzero(np.diff(stamps)) + 1))
    ends = np.append(starts[1:], len(stamps))
    return np.repeat((received[ends - 1] - received[starts] >= FREEZE * SECOND)
                     & (ends - starts >= _SEVERAL) & (stamps[starts] != 0), ends - starts)


def typical_age(observation: Observation, track: StampedTrack | JointTrack) -> float | None:
    """Return the median age of messages on arrival in seconds; frozen stamps have none."""
    stamped = (track.stamps != 0) & ~frozen(track.received, track.stamps)
    if not stamped.any():
        return None
    return float(np.median(observation.ages(track)[stamped]))


def with_ages(observation: Observation, tracks: Iterable[Source],
              minimum: int) -> Iterator[tuple[Source, float]]:
    """Yield tracks with their typical ages; few messages and those of another clock have none."""
    for track in tracks:
        if len(track.received) >= minimum and not has_other_clock(observation, track):
            age = typical_age(observation, track)
            if age is not None:
                yield track, age


def longest_pause(observation: Observation, track: Source, minimum: float,
                  periods: float) -> dict[str, float]:
    """
    Return the longest pause of a source in seconds, and its rate in Hz otherwise.

    :return: nothing if it is not longer than some seconds and some periods.
    """
    intervals = np.diff(track.received) / SECOND * observation.pace(track.topic, track.publisher)
    period, pause = float(np.median(intervals)), float(intervals.max())
    return {'pause': pause, 'rate': 1 / max(period, 1e-9)} if (
        pause > max(minimum, periods * period)) else {}


def jumps_back(times: Times) -> tuple[int, float]:
    """Return how often times went back, and by how many seconds at most."""
    steps = np.diff(times[times != 0]) / SECOND
    return int(np.count_nonzero(steps < -_BACK)), -float(steps.min(initial=0.0))


def offset_of_frames(observation: Observation) -> float:
    """
    Return how old all moving frames are, in seconds, if that is very long and the same for all.

    So they are in a recording that is played without its clock, and fit the data in it.
    """
    ages = [age for track in frame_sources(observation.frames)
            if (age := typical_age(observation, track)) is not None]
    if ages and min(ages) > FAR and max(ages) - min(ages) < NEAR:
        return float(np.median(ages))
    return 0.0


def has_other_clock(observation: Observation, track: StampedTrack | JointTrack) -> bool:
    """Return whether stamps are of another clock than that of the subscribers."""
    is_simulated = observation.is_simulated(track.topic, track.publisher)
    stamped = track.stamps != 0
    if observation.clock is None or is_simulated is None or not stamped.any():
        return False
    ages = observation.ages_by_clock(track.received, track.stamps)
    real, simulated = (float(np.median(np.abs(age[stamped]))) for age in ages)
    mine, other = (simulated, real) if is_simulated else (real, simulated)
    return other < NEAR < FAR < mine


def clock_of_stamps(observation: Observation) -> ClockTrack | None:
    """Return the clock that all sources but markers stamp with, if it is not the recorder's."""
    sources: list[tuple[Times, Times]] = []
    for track in timed_sources(observation):
        if isinstance(track, StampedTrack) and track.kind.startswith('visualization_msgs/'):
            continue
        stamped = (track.stamps != 0) & ~frozen(track.received, track.stamps)
        if stamped.any():
            sources.append((track.received[stamped], track.stamps[stamped]))
    offsets = [float(np.median(received - stamps)) / SECOND for received, stamps in sources]
    if not offsets or min(map(abs, offsets)) < DAY or max(offsets) - min(offsets) > NEAR:
        return None
    # Localisation stamps its frames ahead.
    minimum = float(np.median(offsets)) - _AHEAD
    received, stamps = map(np.concatenate, zip(*(
        source for source, offset in zip(sources, offsets) if offset >= minimum)))
    order = np.argsort(received, kind='stable')
    return ClockTrack(received[order], np.maximum.accumulate(stamps[order]))
