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


"""
The nodes of a recording, as far as they are recorded.

Nodes publish each parameter on ``/parameter_events`` when they declare it, and those with a life
cycle their state. That was recorded if the recorder was there first. Who sent a message is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace

from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import node_parameters
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import parameter_matters
from urdf_tools.doctor.robots import description_topics
from urdf_tools.messages.cdr import align
from urdf_tools.messages.cdr import HEADER
from urdf_tools.messages.cdr import NUMBER
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import read_count
from urdf_tools.messages.cdr import read_string
from urdf_tools.model.grouping import grouped

EVENT, TRANSITION = 'rcl_interfaces/msg/ParameterEvent', 'lifecycle_msgs/msg/TransitionEvent'

MAX_NODES = 1000
"""Maximum number of nodes."""

_LOOKED_UP = {'fixed_frame', 'global_frame', 'global_frame_id', 'map_frame', 'robot_base_frame',
              'target_frame', 'world_frame'}
"""Parameters of nodes that look up frames; others may only put theirs into messages."""

_BOOLEAN, _DOUBLE, _STRING = 1, 3, 4
_ARRAYS = (1, 1, 8, 8)
"""Bytes of an element of the arrays of a value: of bytes, booleans, integers and floats."""


class RecordedNodes:
    """
    The recorded parameters and states of nodes.

    :ivar states: full name of each node with a life cycle to its state.
    """

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self._values: dict[str, dict[str, object]] = {}

    def add(self, topic: str, kind: str, data: bytes) -> None:
        """Add a message of one of the two types; one that cannot be read tells nothing."""
        if not data.startswith(PLAIN_CDR) or len(self._values) + len(self.states) >= MAX_NODES:
            return
        try:
            if kind == EVENT:
                self._add_event(data)
            else:
                label, offset = '', HEADER + 8
                for _ in ('transition', 'start', 'goal'):
                    label, offset = read_string(data, offset + 1)
                self.states[parent_of(topic)] = label
        except (ValueError, IndexError):
            return

    def _add_event(self, data: bytes) -> None:
        node, offset = read_string(data, HEADER + 8)
        for _ in ('new', 'changed'):
            count, offset = read_count(data, offset)
            for _ in range(count):
                name, value, offset = _parameter(data, offset)
                if parameter_matters(name):
                    self._values.setdefault(node, {})[name] = value

    def parameters(self, has_clock: bool) -> dict[str, NodeParameters]:
        """
        Return the parameters of each node.

        :param has_clock: whether ``/clock`` was recorded, without which nobody can tell its use.
        """
        found = {node: node_parameters(values) for node, values in self._values.items()}
        return found if has_clock else {
            node: replace(each, use_sim_time=None) for node, each in found.items()}

    def graph(self, graph: Graph) -> Graph:
        """Return a graph with these nodes: those that look up frames or publish a description."""
        names = dict.fromkeys((*graph.nodes, *self._values, *self.states))
        subscribers = grouped(
            (topic, Endpoint(node)) for node, values in self._values.items()
            if not _LOOKED_UP.isdisjoint(values) for topic in {
                in_namespace(parent_of(node), 'tf'), '/tf'} & {*graph.topics(TF_MESSAGE)})
        return replace(graph, nodes=tuple(names),
                       publishers={**graph.publishers, **self._describers(graph)},
                       subscribers={topic: tuple(ends) for topic, ends in subscribers.items()})

    def _describers(self, graph: Graph) -> Mapping[str, tuple[Endpoint, ...]]:
        """Return the only publisher of descriptions, named as the only node that has one."""
        named = {}
        for topic in description_topics(graph):
            ends: Sequence[Endpoint] = graph.publishers[topic]
            nodes = [node for node, values in self._values.items()
                     if 'robot_description' in values and parent_of(node) == parent_of(topic)]
            if len(ends) == len(nodes) == 1:
                named[topic] = (replace(ends[0], node=nodes[0]),)
        return named


def _parameter(data: bytes, offset: int) -> tuple[str, object, int]:
    """Return name and value of a ``Parameter``, and the offset after it."""
    name, offset = read_string(data, offset)
    kind, boolean = data[offset], data[offset + 1]
    offset = align(offset + 2, 8) + 16
    number = NUMBER.unpack_from(data, offset - 8)[0] if offset <= len(data) else 0.0
    text, offset = read_string(data, offset)
    for size in _ARRAYS:
        count, offset = read_count(data, offset)
        if count:
            offset = align(offset, size) + count * size
    count, offset = read_count(data, offset)
    for _ in range(count):
        _, offset = read_string(data, offset)
    return name, {_BOOLEAN: bool(boolean), _DOUBLE: number, _STRING: text}.get(kind), offset
