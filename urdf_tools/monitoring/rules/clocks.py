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
from urdf_tools.monitoring.graph import node_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import Observation

ERROR, WARN = Severity.ERROR, Severity.WARN
rule = in_category('clock')

TOPIC = '/clock'

_LAUNCH = re.compile(r'/launch_ros_\d+$')


def _nodes(seen: Observation, simulated: bool) -> list[str]:
    """
    Return the nodes with or without use_sim_time.

    Who publishes the clock does not count, and neither does ``ros2 launch``, whose node nobody
    can give a parameter.
    """
    sources = {end.node for end in seen.graph.publishers.get(TOPIC, ())}
    return sorted(node for node, parameters in seen.parameters.items()
                  if parameters.use_sim_time is simulated and node not in sources
                  and not _LAUNCH.search(node))


@rule('clock-mixed', WARN,
      hint='Give all nodes the same use_sim_time',
      example='RViz was started by hand, without use_sim_time, beside a simulation.')
def clock_mixed(seen: Observation) -> Iterator[Disorder]:
    """
    Check that either all nodes take their time from /clock, or none.

    Transforms with the stamps of one clock cannot be looked up at the time of the other.
    """
    simulated, real = _nodes(seen, True), _nodes(seen, False)
    if simulated and real:
        yield Disorder(
            TOPIC, f'use_sim_time is true for {node_list(simulated)}, and false for '
            f'{node_list(real)}',
            tuple(simulated if len(simulated) < len(real) else real))


@rule('clock-stands', ERROR,
      hint='Start the simulation or the bag, or its bridge for /clock; or set use_sim_time false',
      example='The simulation is paused, or use_sim_time was left true on the real robot.')
def clock_stands(seen: Observation) -> Iterator[Disorder]:
    """
    Check that /clock advances if a node takes its time from it.

    The timers of those nodes stand, and all that they publish has the same stamp.
    """
    waiting = _nodes(seen, True)
    if not waiting:
        return
    sources = [end.node for end in seen.graph.publishers.get(TOPIC, ())]
    who = f'{node_list(waiting)} {"takes" if len(waiting) == 1 else "take"} the time from it'
    if not sources:
        yield Disorder(TOPIC, f'No node publishes /clock; {who}', tuple(waiting))
    elif seen.clock is None:
        yield Disorder(
            TOPIC, f'{node_list(sources)} published no /clock in {seen.seconds:.1f} s; {who}',
            tuple(sources))
    elif seen.clock.stands:
        yield Disorder(
            TOPIC, f'/clock from {node_list(sources)} stands at '
            f'{int(seen.clock.times[-1]) / 1e9:.9g} s; {who}', tuple(sources))


@rule('clock-several-publishers', ERROR,
      hint='Stop all but one of them',
      example='A bag with /clock is played while a simulation runs.')
def clock_several_publishers(seen: Observation) -> Iterator[Disorder]:
    """
    Check that one node publishes /clock.

    Time would jump back and forth between the two.
    """
    sources = [end.node for end in seen.graph.publishers.get(TOPIC, ())]
    if len(sources) > 1:
        yield Disorder(TOPIC, f'{len(sources)} publishers publish /clock: {node_list(sources)}',
                       tuple(sources))
