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


"""The clock of a simulation, or of a recording that was played, which was not recorded."""

from __future__ import annotations

import numpy as np

from urdf_tools.monitoring.observation import ClockTrack
from urdf_tools.monitoring.observation import JointTrack
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import SECOND
from urdf_tools.monitoring.observation import StampedTrack
from urdf_tools.monitoring.observation import Times
from urdf_tools.monitoring.stamped_sources import frame_sources
from urdf_tools.monitoring.stamped_sources import NEAR

_FAR = 86_400.0
"""Seconds from which no computer's clock is wrong, but another one meant."""


def clock_of_stamps(seen: Observation) -> ClockTrack | None:
    """Return the clock that all sources stamp with, if it is not that of the recorder."""
    tracks: list[JointTrack | StampedTrack] = [
        *seen.joints, *frame_sources(seen.frames), *seen.stamped]
    sources: list[tuple[Times, Times]] = [
        (track.received[track.stamps != 0], track.stamps[track.stamps != 0]) for track in tracks]
    sources = [(received, stamps) for received, stamps in sources if len(stamps)]
    if not sources:
        return None
    offsets = [float(np.median(received - stamps)) / SECOND for received, stamps in sources]
    if min(map(abs, offsets)) < _FAR or max(offsets) - min(offsets) > NEAR:
        return None
    received, stamps = map(np.concatenate, zip(*sources))
    order = np.argsort(received, kind='stable')
    return ClockTrack(received[order], np.maximum.accumulate(stamps[order]))
