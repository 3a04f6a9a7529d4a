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
"""When data that refer to frames arrived: sensors, and each frame on ``tf``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from urdf_tools.monitoring.graph import TF_MESSAGE
from urdf_tools.monitoring.observation import FrameTrack
from urdf_tools.monitoring.observation import JointTrack
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import SECOND
from urdf_tools.monitoring.observation import StampedTrack
from urdf_tools.monitoring.observation import Times

SILENCE = 2.0
"""Seconds, or :data:`PERIODS` if that is longer, after which a source counts as dead."""

PERIODS = 10

NEAR, FAR = 10.0, 100.0
"""Ages in seconds up to which stamps are of a clock, and from which they are of another one."""


@dataclass(frozen=True)
class Arrivals:
    """
    What is told of the messages of a source.

    :param first: when the first one arrived by the system's clock, in nanoseconds.
    :param rate: of the clock in use, in Hz; 0 if there are too few messages or only samples.
    :param gap: longest time between two of them by the system's clock, in seconds.
    :param ages: least, median and greatest age on arrival in seconds, of those with a stamp.
    """

    count: int
    first: int
    last: int
    rate: float = 0.0
    gap: float = 0.0
    ages: tuple[float, float, float] | None = None


def arrivals(seen: Observation, track: StampedTrack) -> Arrivals:
    """Return what is told of the messages of a source."""
    received, stamps = track.received, track.stamps
    rate = gap = 0.0
    if len(received) > 1 and not track.sampled:
        gap = float(np.diff(received).max()) / SECOND
        pace = seen.pace(track.topic, track.publisher)
        period = max(float(np.median(np.diff(received))) / SECOND, 1e-9) * pace
        rate = 1 / period if period else 0.0
    ages = seen.ages(track.topic, track.publisher, received, stamps)[stamps != 0]
    return Arrivals(
        len(received), int(received[0]), int(received[-1]), rate, gap,
        (float(ages.min()), float(np.median(ages)), float(ages.max())) if len(ages) else None)


def silence(seen: Observation, track: StampedTrack | JointTrack) -> float:
    """
    Return for how many seconds a source that was heard is silent, or 0 if that is usual for it.

    They are of the clock in use.
    """
    pace = seen.pace(track.topic, track.publisher)
    since = track.since if isinstance(track, StampedTrack) else 0
    seconds = max(seen.now - max(int(track.received[-1]), since), 0) / SECOND * pace
    period = float(np.median(np.diff(track.received))) / SECOND * pace if (
        len(track.received) > 1) else 0.0
    return seconds if seconds > max(SILENCE, PERIODS * period) else 0.0


@lru_cache(maxsize=1)
def frame_sources(tracks: tuple[FrameTrack, ...]) -> list[StampedTrack]:
    """Return the moving frames by publisher, whatever messages they came in together."""
    parts: dict[tuple[str, bytes, str], list[tuple[FrameTrack, int]]] = {}
    for track in tracks:
        if not track.static:
            for column, child in enumerate(track.children):
                parts.setdefault((track.topic, track.source, child), []).append((track, column))
    return [_merged(topic, source, child, of_child)
            for (topic, source, child), of_child in parts.items()]


def _merged(
        topic: str, source: bytes, child: str,
        of_child: list[tuple[FrameTrack, int]]) -> StampedTrack:
    received: Times = np.concatenate([track.received for track, _ in of_child])
    stamps: Times = np.concatenate([track.stamps[:, column] for track, column in of_child])
    if len(of_child) > 1:
        order = np.argsort(received, kind='stable')
        received, stamps = received[order], stamps[order]
    return StampedTrack(
        topic, TF_MESSAGE, source, of_child[0][0].publisher, child, received, stamps)


def typical_age(seen: Observation, track: StampedTrack) -> float | None:
    """Return the median age of messages on arrival in seconds, or None without stamps."""
    stamped = track.stamps != 0
    if not stamped.any():
        return None
    ages = seen.ages(track.topic, track.publisher, track.received, track.stamps)
    return float(np.median(ages[stamped]))


def offset_of_frames(seen: Observation) -> float:
    """
    Return how old all moving frames are, in seconds, if that is very long and the same for all.

    So they are in a recording that is played without its clock, and fit the data in it.
    """
    ages = [age for track in frame_sources(seen.frames)
            if (age := typical_age(seen, track)) is not None]
    if ages and min(ages) > FAR and max(ages) - min(ages) < NEAR:
        return float(np.median(ages))
    return 0.0


def has_other_clock(seen: Observation, track: StampedTrack | JointTrack) -> bool:
    """Return whether stamps are of another clock than the one that those who listen use."""
    is_simulated = seen.is_simulated(track.topic, track.publisher)
    stamped = track.stamps != 0
    if seen.clock is None or is_simulated is None or not stamped.any():
        return False
    real, simulated = (float(np.median(np.abs(ages[stamped]))) for ages in seen.ages_by_clock(
        track.received, track.stamps))
    mine, other = (simulated, real) if is_simulated else (real, simulated)
    return other < NEAR < FAR < mine
