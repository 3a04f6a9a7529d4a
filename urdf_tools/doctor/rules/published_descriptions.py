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


"""Rules about who publishes the robot description, and who receives it."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.robots import difference
from urdf_tools.doctor.robots import robot_of
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name

rule = GRAPH_RULES.in_category('description')

_PATH = re.compile(r'(?:file://|package://)?[^<>\s]+\.(?:urdf|xacro|xml|sdf)', re.IGNORECASE)


@rule('description-not-published', ERROR,
      fix='Start a state publisher with the description in the namespace of its subscribers',
      example='The state publisher exited at startup because of an error in the URDF.')
def description_not_published(seen: Observation) -> Iterator[GraphDefect]:
    """Check that a robot description is published wherever a node subscribes to one."""
    graph = seen.graph
    topics = description_topics(graph)
    published = tuple(topic for topic in topics if graph.publishers.get(topic))
    if not topics:
        yield GraphDefect('/robot_description', 'No node publishes a robot description')
    for topic in topics:
        publishers = graph.publishers.get(topic, ())
        if not publishers:
            yield GraphDefect(
                topic, 'No node publishes a description for {nodes:and}'
                + ('; there is one on {published:and}' if published else ''),
                sorted(graph.subscribing(topic)), published=published[:3])
        elif not any(text.topic == topic for text in seen.texts) and any(
                end.qos.transient_local for end in publishers):
            yield GraphDefect(
                topic, '{nodes:and} advertised a description, but did not publish it',
                sorted(graph.publishing(topic)), severity=WARN)


@rule('description-unreadable', ERROR,
      fix='Check it with "urdf-tools check", which lists every defect',
      example='A launch file passes the path of the URDF file instead of its content.')
def description_unreadable(seen: Observation) -> Iterator[GraphDefect]:
    """Check that the published text describes a robot."""
    for text in seen.texts:
        path = text.text.strip()
        if text.robot is None and _PATH.fullmatch(path):
            yield GraphDefect(
                text.topic, '{nodes} publishes the path {path} instead of the description in '
                'that file', (text.publisher,), path=Name(path), hint=(
                    'Let the launch file expand it: ParameterValue(Command(["xacro ", path]), '
                    'value_type=str); "urdf-tools check" tells whether the file is sound'))
        elif text.robot is None:
            yield GraphDefect(
                text.topic, 'The text from {nodes} is not a robot description: {error}',
                (text.publisher,), error=FreeText(text.error))


@rule('description-several-publishers', WARN,
      fix='Let one node publish the description, and the others subscribe',
      example='Two launch files start a state publisher each.')
def description_several_publishers(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one node publishes a description.

    Each subscriber keeps the description that arrives last, so that a change reaches some nodes
    and not others. The same description from all of them, such as from move_group, does no harm.
    """
    for topic in description_topics(seen.graph):
        nodes = seen.graph.publishing(topic)
        robots = {text.publisher: text.robot for text in seen.texts if text.topic == topic}
        found = [robots.get(node) for node in nodes]
        same = bool(found) and found[0] is not None and all(robot == found[0] for robot in found)
        if len(nodes) > 1 and not (same and len({*nodes}) == len(nodes)):
            yield GraphDefect(topic, 'The description has {number} publishers, in {nodes:and}',
                              sorted(nodes), number=len(nodes))


@rule('description-differs', ERROR,
      fix='Let one node publish the description, and the others subscribe',
      example='The simulation publishes the robot without its gripper, the driver with it.')
def description_differs(seen: Observation) -> Iterator[GraphDefect]:
    """Check that all descriptions on a topic describe the same robot."""
    first: dict[str, PublishedText] = {}
    for text in seen.texts:
        other = first.setdefault(text.topic, text)
        if other.robot is None or text.robot is None or text.publisher == other.publisher:
            continue
        clause = difference(other.robot, text.robot)
        if clause.template:
            yield GraphDefect(
                text.topic, 'The description from {publisher} is not the one from {other}: '
                + clause.template, (other.publisher, text.publisher), publisher=text.publisher,
                other=other.publisher, **clause.values)


@rule('description-volatile', ERROR, fix='Publish it transient local and reliable, with depth 1',
      example='A script publishes the description with the default QoS.')
def description_volatile(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that descriptions are published transient local (latched).

    A volatile publisher only reaches nodes that have subscribed before, and never a transient
    local subscriber, such as state publishers, RViz and controllers.
    """
    for topic in description_topics(seen.graph):
        subscribers = sorted(end.node for end in seen.graph.subscribers.get(topic, ())
                             if end.qos.transient_local)
        for end in seen.graph.publishers.get(topic, ()):
            if end.qos.transient_local is False:
                yield GraphDefect(
                    topic, '{nodes} publishes the description with volatile durability'
                    + ('; {subscribers:and} will never receive it' if subscribers else ''),
                    (end.node,), subscribers=subscribers)


@rule('description-subscriber-volatile', WARN,
      fix='Subscribe transient local; in RViz, set "Durability Policy" of the RobotModel',
      example='A node subscribes with the default QoS, and starts after the state publisher.')
def description_subscriber_volatile(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that subscribers receive the description whenever they start.

    A volatile subscriber only receives what is published after it has started.
    """
    for topic in description_topics(seen.graph):
        published = [end.qos for end in seen.graph.publishers.get(topic, ())]
        for end in seen.graph.subscribers.get(topic, ()):
            if not end.qos.transient_local and any(qos.transient_local for qos in published):
                yield GraphDefect(
                    topic, '{nodes} subscribes with volatile durability, and misses a description '
                    'that was published before it started', (end.node,))


@rule('description-parameter-differs', ERROR,
      fix='Take the description from the topic in all nodes, or from one file in one launch file',
      example='MoveIt was configured with an older URDF than the one that the driver publishes.')
def description_parameter_differs(seen: Observation) -> Iterator[GraphDefect]:
    """Check that every parameter robot_description is a published description."""
    robots = [(robot.topic, robot.robot) for robot in seen.robots]
    for node, parameters in seen.parameters.items():
        text = parameters.robot_description
        if not text or not robots or any(text == other.text for other in seen.texts):
            continue
        if _PATH.fullmatch(text.strip()):
            # Drivers of simulators, such as Webots, take a file; nodes that cannot, have exited.
            continue
        other, error = robot_of(text)
        if other is None:
            yield GraphDefect(
                robots[0][0], 'Parameter robot_description of {nodes} is not a robot description: '
                '{error}', (node,), error=FreeText(error))
            continue
        differences = [(robot.name != other.name, topic, difference(robot, other))
                       for topic, robot in robots]
        if all(clause.template for _, _, clause in differences):
            # With several robots, it is most likely the one of the same name.
            _, topic, clause = min(differences, key=lambda found: found[0])
            yield GraphDefect(
                topic, 'Parameter robot_description of {nodes} is not the published description: '
                + clause.template, (node,), **clause.values)
