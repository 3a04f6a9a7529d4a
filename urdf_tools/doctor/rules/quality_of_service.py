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

from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.robots import description_topics
from urdf_tools.findings.finding import Severity
from urdf_tools.model.grouping import grouped

rule = GRAPH_RULES.in_category('qos')


@rule('message-unreadable', Severity.ERROR,
      fix='Build the publisher and this workspace with the same interface packages',
      example='The publisher was built with another version of the message.')
def message_unreadable(seen: Observation) -> Iterator[GraphDefect]:
    """Check that the messages on a topic can be read."""
    for topic, number in seen.unreadable.items():
        yield GraphDefect(topic, '{messages:message} from {nodes:and} cannot be read',
                          sorted(seen.graph.publishing(topic)), messages=number)


@rule('qos-mismatch', Severity.ERROR,
      fix='Publish reliable, or subscribe best effort; likewise for durability',
      example='A driver publishes joint states best effort, but a controller subscribes reliable.')
def qos_mismatch(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that each subscriber receives what is published on its topic.

    A subscriber receives nothing from a publisher that offers less than it requests, and only the
    logs of both nodes say so. Descriptions have rules of their own.
    """
    descriptions = description_topics(seen.graph)
    for topic, publishers in seen.graph.publishers.items():
        if topic in descriptions:
            continue
        found = grouped(
            ((publisher.node, mismatch), subscriber.node) for publisher in publishers
            for subscriber in seen.graph.subscribers.get(topic, ())
            for mismatch in publisher.qos.mismatches(subscriber.qos))
        for (node, mismatch), nodes in found.items():
            subscribers = sorted({*nodes})
            yield GraphDefect(
                topic, 'No message from {publisher} reaches {subscribers:and}: the {policy} '
                'offered is {offered}, the one requested {requested}', (node, *subscribers),
                publisher=node, subscribers=subscribers, **mismatch._asdict())
