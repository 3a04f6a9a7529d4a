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

from urdf_tools.findings.finding import Severity
from urdf_tools.monitoring.graph_rules import GRAPH_RULES
from urdf_tools.monitoring.graph_rules import GraphDefect
from urdf_tools.monitoring.observation import Observation

ERROR, WARN = Severity.ERROR, Severity.WARN
rule = GRAPH_RULES.in_category('clock')

TOPIC = '/clock'

_LAUNCH = re.compile(r'/launch_ros_\d+$')


def _sources(seen: Observation) -> list[str]:
    return [end.node for end in seen.graph.publishers.get(TOPIC, ())]


def _nodes(seen: Observation, simulated: bool) -> list[str]:
    """
    Return the nodes with or without use_sim_time.

    Those that publish the clock are left out, and so is that of ``ros2 launch``, whose parameters
    cannot be set.
    """
    sources = _sources(seen)
    return sorted(node for node, parameters in seen.parameters.items()
                  if parameters.use_sim_time is simulated and node not in sources
                  and not _LAUNCH.search(node))


@rule('clock-mixed', WARN,
      hint='Set use_sim_time to the same value for all nodes',
      example='RViz was started by hand, without use_sim_time, beside a simulation.')
def clock_mixed(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that all nodes use the same clock, either /clock or that of the system.

    Transforms stamped with one clock cannot be looked up at the time of the other.
    """
    simulated, real = _nodes(seen, True), _nodes(seen, False)
    if simulated and real:
        yield GraphDefect(
            TOPIC, 'use_sim_time is true for {simulated:and}, but false for {real:and}',
            min(real, simulated, key=len), simulated=simulated, real=real)


@rule('clock-stands', ERROR,
      hint='Start or resume the simulation or the bag, or its bridge for /clock; or set '
           'use_sim_time to false',
      example='The simulation is paused, or use_sim_time is still true on the real robot.')
def clock_stands(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that /clock advances while nodes use it.

    Otherwise their timers do not fire, and all that they publish has the same stamp.
    """
    simulated, sources = _nodes(seen, True), _sources(seen)
    if not simulated:
        return
    if not sources:
        yield GraphDefect(
            TOPIC, 'No node publishes /clock, the time source of {nodes:and}', simulated,
            simulated=simulated)
    elif seen.clock is None:
        yield GraphDefect(
            TOPIC, 'Nothing arrived on /clock from {nodes:and} in {seconds:.1f} s; it is the time '
            'source of {simulated:and}', sources, simulated=simulated, seconds=seen.seconds)
    elif seen.clock.is_stopped:
        yield GraphDefect(
            TOPIC, '/clock from {nodes:and} has stopped at {time:.9g} s; it is the time source of '
            '{simulated:and}', sources, simulated=simulated,
            time=int(seen.clock.times[-1]) / 1e9)


@rule('clock-several-publishers', ERROR,
      hint='Stop all but one of them',
      example='A bag with /clock is played while a simulation is running.')
def clock_several_publishers(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one node publishes /clock.

    Otherwise time jumps back and forth between them.
    """
    sources = _sources(seen)
    if len(sources) > 1:
        yield GraphDefect(
            TOPIC, '/clock has {number} publishers, in {nodes:and}', sorted(sources),
            number=len(sources))
