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


"""Rules about the quality of service of publishers and subscribers."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.model.messages import count
from urdf_tools.monitoring.graph import node_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.robots import description_topics

rule = in_category('qos')


@rule('message-unreadable', Severity.ERROR,
      hint='Build the publisher and this workspace with the same interface packages',
      example='The publisher was built with another version of the message.')
def message_unreadable(seen: Observation) -> Iterator[Disorder]:
    """Check that the messages on a topic can be read."""
    for topic, number in seen.unreadable.items():
        nodes = tuple(end.node for end in seen.graph.publishers.get(topic, ()))
        yield Disorder(
            topic, f'{count(number, "message")} from {node_list(nodes)} cannot be read', nodes)


@rule('qos-mismatch', Severity.ERROR,
      hint='Publish reliable, or subscribe best effort; durability likewise',
      example='A driver publishes joint states best effort, and a controller subscribes reliable.')
def qos_mismatch(seen: Observation) -> Iterator[Disorder]:
    """
    Check that each subscriber receives what is published on its topic.

    A subscriber receives nothing from a publisher that offers less than it asks for, and only
    both nodes' logs say so. Rules of their own look at descriptions.
    """
    descriptions = description_topics(seen.graph)
    for topic, publishers in seen.graph.publishers.items():
        if topic in descriptions:
            continue
        refused: dict[tuple[str, str], list[str]] = {}
        for publisher in publishers:
            for subscriber in seen.graph.subscribers.get(topic, ()):
                for reason in publisher.qos.refusals(subscriber.qos):
                    refused.setdefault((publisher.node, reason), []).append(subscriber.node)
        for (node, reason), subscribers in refused.items():
            subscribers = sorted(set(subscribers))
            yield Disorder(
                topic, f'{node_list(subscribers)} {"hears" if len(subscribers) == 1 else "hear"} '
                f'nothing from {node}: {reason}', (node, *subscribers))
