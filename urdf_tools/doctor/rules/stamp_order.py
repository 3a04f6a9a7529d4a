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

"""Rules about stamps and times that stand still or go back."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.rules.clocks import TOPIC
from urdf_tools.doctor.stamped_sources import FAR
from urdf_tools.doctor.stamped_sources import frame_sources
from urdf_tools.doctor.stamped_sources import frozen
from urdf_tools.doctor.stamped_sources import jumps_back
from urdf_tools.messages.headers import STEADY

rule = GRAPH_RULES.in_category('timing')


@rule('clock-set-back', WARN,
      fix='Restart the nodes when a simulation is reset; play a bag once, not in a loop',
      example='A bag is played with --loop --clock.')
def clock_set_back(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that /clock does not go back.

    Nodes drop the transforms that they remember, and what is stamped before the jump is refused.
    """
    sources = seen.graph.publishing(TOPIC)
    if seen.clock is not None and len(sources) < 2:
        jumps, jump = jumps_back(seen.clock.times)
        if jumps:
            yield GraphDefect(TOPIC, '/clock from {nodes:and} was set back by up to {jump:.2f} s',
                              sources, jump=jump)


@rule('joint-stamps-jump', WARN,
      fix='Stamp joint states by a clock that is not set back, and publish them in order',
      example='NTP sets the clock of the robot back by 0.2 s while it drives.')
def joint_stamps_jump(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the stamps of joint states increase.

    State publishers drop a joint state that is older than the one before it.
    """
    if seen.clock is not None and jumps_back(seen.clock.times)[0]:
        return
    for track in seen.joints:
        # Publishers that cannot be told apart need not agree, nor use the same clock.
        jumps, jump = jumps_back(track.stamps)
        if jumps and jump < FAR and (track.source or len(seen.graph.publishing(track.topic)) < 2):
            yield defect_of(track, 'Stamps of joint states from {nodes} jumped back {jumps:time}, '
                            'by up to {jump:.2f} s', jumps=jumps, jump=jump)


@rule('stamps-frozen', WARN,
      fix='Stamp each message when it is measured; see whether the source of the stamp still runs',
      example='The node publishes its last measurement again and again while its device hangs.')
def stamps_frozen(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms and measurements do not keep one stamp for 2 s.

    They look older and older, though nothing is late.
    """
    if seen.clock is not None and frozen(seen.clock.received, seen.clock.times).any():
        return
    together: dict[tuple[str, str], dict[str, float]] = {}
    for track in (*frame_sources(seen.frames), *(
            track for track in seen.stamped if track.kind in STEADY)):
        rows = frozen(track.received, track.stamps)
        if rows.any():
            same = track.received[track.stamps == track.stamps[rows][-1]]
            together.setdefault((track.topic, track.publisher), {})[track.frame] = float(
                same[-1] - same[0]) / SECOND
    for (topic, publisher), found in together.items():
        yield GraphDefect(
            topic, 'Messages from {nodes} had the same stamp for {seconds:.1f} s, in '
            '{frames:frame}: {frames}', (publisher,), frames=tuple(found),
            seconds=max(found.values()))
