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

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from urdf_tools.monitoring.graph import TF_MESSAGE
from urdf_tools.monitoring.observation import FrameTrack
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import SECOND
from urdf_tools.monitoring.observation import StampedTrack
from urdf_tools.monitoring.observation import Times


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
        pace = seen.pace(track.publisher)
        period = max(float(np.median(np.diff(received))) / SECOND, 1e-9) * pace
        rate = 1 / period if period else 0.0
    ages = seen.ages(track.publisher, received, stamps)[stamps != 0]
    return Arrivals(
        len(received), int(received[0]), int(received[-1]), rate, gap,
        (float(ages.min()), float(np.median(ages)), float(ages.max())) if len(ages) else None)


def silence(seen: Observation, track: StampedTrack) -> float:
    """Return for how many seconds a source was listened to at the end without a message."""
    return max(seen.now - max(int(track.received[-1]), track.since), 0) / SECOND


def frame_sources(tracks: Iterable[FrameTrack]) -> list[StampedTrack]:
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
