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


"""The nodes of a running graph, and what they publish and subscribe to."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from math import inf

from urdf_tools.model.messages import name_list

STRING = 'std_msgs/msg/String'
JOINT_STATE = 'sensor_msgs/msg/JointState'
TF_MESSAGE = 'tf2_msgs/msg/TFMessage'
CLOCK = 'rosgraph_msgs/msg/Clock'


@dataclass(frozen=True)
class Qos:
    """
    Quality of service of a publisher or subscriber, as far as it decides who hears whom.

    :param deadline: longest time in seconds between two messages.
    :param manual: whether liveliness is asserted for each topic.
    :param lease: seconds after which it is lost.
    """

    reliable: bool = True
    transient_local: bool = False
    deadline: float = inf
    manual: bool = False
    lease: float = inf

    def refusals(self, wanted: Qos) -> list[str]:
        """Return why a subscriber that wants this quality of service hears no such publisher."""
        reasons = []
        if wanted.reliable and not self.reliable:
            reasons.append('it publishes best effort, which a reliable subscriber refuses')
        if wanted.transient_local and not self.transient_local:
            reasons.append('it publishes volatile, which a transient local subscriber refuses')
        if wanted.deadline < self.deadline:
            reasons.append(f'it promises no message within {wanted.deadline:g} s')
        if wanted.manual and not self.manual:
            reasons.append('it does not assert its liveliness by topic')
        if wanted.lease < self.lease:
            reasons.append(f'it does not renew its liveliness within {wanted.lease:g} s')
        return reasons


@dataclass(frozen=True)
class Endpoint:
    """
    A publisher or subscriber.

    :param node: full name of its node.
    :param gid: what messages carry to tell who published them.
    """

    node: str
    topic: str
    qos: Qos = Qos()
    gid: bytes = b''


@dataclass(frozen=True)
class Graph:
    """
    A running graph at one moment, without the node that observes it.

    :param nodes: full names of the nodes; a name may occur twice.
    :param kinds: name of each topic to its type.
    :param publishers: name of a topic to its publishers.
    :param subscribers: name of a topic to its subscribers.
    """

    nodes: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    publishers: Mapping[str, tuple[Endpoint, ...]] = field(default_factory=dict)
    subscribers: Mapping[str, tuple[Endpoint, ...]] = field(default_factory=dict)

    def topics(self, kind: str) -> list[str]:
        """Return the topics of a type, in alphabetical order."""
        return sorted(topic for topic, other in self.kinds.items() if other == kind)

    def publisher(self, topic: str, gid: bytes) -> str:
        """Return the node that published a message, or all that may have."""
        publishers = self.publishers.get(topic, ())
        for endpoint in publishers:
            if gid and endpoint.gid == gid:
                return endpoint.node
        if gid:
            return 'a node that has ended'
        return ' or '.join(dict.fromkeys(endpoint.node for endpoint in publishers))


def parent_of(name: str) -> str:
    """Return the namespace of a topic or node, such as ``/left`` of ``/left/tf``."""
    return name.rpartition('/')[0] or '/'


def in_namespace(namespace: str, name: str) -> str:
    """Return the full name of a topic or node in a namespace."""
    return f'{namespace.rstrip("/")}/{name}'


def node_list(nodes: Iterable[str]) -> str:
    """Return names of nodes as text, such as ``/a and /b`` or ``/a (twice)``."""
    nodes = sorted(nodes)
    counts = {node: nodes.count(node) for node in nodes}
    texts = [node if number == 1 else f'{node} ({number} publishers)'
             for node, number in counts.items()]
    if len(texts) == 2:
        return ' and '.join(texts)
    return name_list(texts)
