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


"""Rules about the clocks of the nodes."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph import timed_nodes
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.stamped_sources import has_other_clock
from urdf_tools.doctor.stamped_sources import timed_sources
from urdf_tools.model.grouping import grouped

rule = GRAPH_RULES.in_category('clock')

TOPIC = '/clock'

_LAUNCH = re.compile(r'/launch_ros_\d+$')


def _nodes(seen: Observation, simulated: bool) -> list[str]:
    """
    Return the nodes with or without use_sim_time.

    Those that publish the clock are left out, and so are that of ``ros2 launch``, whose parameters
    cannot be set, and those that neither stamp nor transform anything, such as joysticks.
    """
    sources = seen.graph.publishing(TOPIC)
    concerned = timed_nodes(seen.graph)
    return sorted(node for node, parameters in seen.parameters.items()
                  if parameters.use_sim_time is simulated and node not in sources
                  and not _LAUNCH.search(node) and (simulated or node in concerned))


@rule('clock-mixed', WARN, fix='Set use_sim_time to the same value for all nodes',
      example='RViz was started by hand, without use_sim_time, beside a simulation.')
def clock_mixed(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that all nodes use the same clock, either /clock or that of the system.

    Transforms stamped with one clock cannot be looked up at the time of the other.
    """
    simulated, real = _nodes(seen, True), _nodes(seen, False)
    stamping = {track.publisher for track in _of_other_clock(seen)}
    real = [node for node in real if node not in stamping]
    if simulated and real:
        yield GraphDefect(
            TOPIC, 'use_sim_time is true for {simulated:and}, but false for {real:and}',
            min(real, simulated, key=len), simulated=simulated, real=real)


def _of_other_clock(seen: Observation) -> Iterator[JointTrack | StampedTrack]:
    """Yield the sources that stamp with another clock than that of their subscribers."""
    return (track for track in timed_sources(seen) if has_other_clock(seen, track))


@rule('clock-of-stamps', ERROR, fix='Set use_sim_time to the same value for all nodes',
      example='The odometry (EKF) of a simulated robot runs without use_sim_time.')
def clock_of_stamps(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that stamps are of the clock that the subscribers use.

    Otherwise they are decades apart, and nothing can be transformed.
    """
    found = grouped(
        ((track.publisher, bool(seen.is_simulated(track.topic, track.publisher))), track.topic)
        for track in _of_other_clock(seen))
    for (publisher, is_simulated), topics in found.items():
        agreeing = {node for node, parameters in seen.parameters.items()
                    if parameters.use_sim_time is is_simulated and node != publisher}
        users = sorted({node for topic in topics for node in listeners(seen.graph, topic)
                        if node in agreeing} or agreeing)
        mine, other = ('the system', '/clock') if is_simulated else ('/clock', 'the system')
        yield GraphDefect(
            min(topics), '{nodes} stamps {topics:and} with the time of {mine}, but that of '
            '{users:and} is {other}', (publisher,), topics=tuple(dict.fromkeys(topics)),
            users=users, mine=mine, other=other, hint='Set use_sim_time to true for {nodes}'
            if is_simulated else 'Set use_sim_time to true for {users:and}')


@rule('clock-stands', ERROR,
      fix='Start or resume the simulation or the bag, or its bridge for /clock; or set '
          'use_sim_time to false',
      example='The simulation is paused, or use_sim_time is still true on the real robot.')
def clock_stands(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that /clock advances while nodes use it.

    Otherwise their timers do not fire, and all that they publish has the same stamp.
    """
    simulated, sources = _nodes(seen, True), seen.graph.publishing(TOPIC)
    if not simulated:
        return
    if not sources:
        yield GraphDefect(TOPIC, 'No node publishes /clock, the time source of {nodes:and}',
                          simulated, simulated=simulated)
    elif seen.clock is None:
        yield GraphDefect(
            TOPIC, 'Nothing arrived on /clock from {nodes:and} in {seconds:.1f} s; it is the time '
            'source of {simulated:and}', sources, simulated=simulated, seconds=seen.seconds)
    elif seen.clock.is_stopped:
        yield GraphDefect(
            TOPIC, '/clock from {nodes:and} has stopped at {time:.9g} s; it is the time source of '
            '{simulated:and}', sources, simulated=simulated, time=int(seen.clock.times[-1]) / 1e9)


@rule('clock-several-publishers', ERROR, fix='Stop all but one of them',
      example='A bag with /clock is played while a simulation is running.')
def clock_several_publishers(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one node publishes /clock.

    Otherwise time jumps back and forth between them.
    """
    sources = seen.graph.publishing(TOPIC)
    if len(sources) > 1:
        yield GraphDefect(TOPIC, '/clock has {number} publishers, in {nodes:and}', sorted(sources),
                          number=len(sources))
