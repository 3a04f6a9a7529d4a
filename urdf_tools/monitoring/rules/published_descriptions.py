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

from urdf_tools.findings.finding import Severity
from urdf_tools.monitoring.graph import node_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import PublishedText
from urdf_tools.monitoring.robots import description_topics
from urdf_tools.monitoring.robots import difference
from urdf_tools.monitoring.robots import robot_of

ERROR, WARN = Severity.ERROR, Severity.WARN
rule = in_category('description')


@rule('description-not-published', ERROR,
      hint='Start a state publisher with the description, in the namespace of its subscribers',
      example='The state publisher ended at its start because of an error in the URDF.')
def description_not_published(seen: Observation) -> Iterator[Disorder]:
    """Check that a robot description is published, wherever a node subscribes to one."""
    graph = seen.graph
    topics = description_topics(graph)
    published = [topic for topic in topics if graph.publishers.get(topic)]
    if not topics:
        yield Disorder('/robot_description', 'No node publishes a robot description')
    for topic in topics:
        if topic not in published:
            waiting = [end.node for end in graph.subscribers.get(topic, ())]
            elsewhere = f'; one is published on {", ".join(published[:3])}' if published else ''
            yield Disorder(
                topic, f'No node publishes the description that {node_list(waiting)} '
                f'{"waits" if len(waiting) == 1 else "wait"} for{elsewhere}', tuple(waiting))
        elif not any(text.topic == topic for text in seen.texts) and any(
                end.qos.transient_local for end in graph.publishers[topic]):
            nodes = [end.node for end in graph.publishers[topic]]
            yield Disorder(
                topic, f'{node_list(nodes)} has a publisher of the description, but has not '
                'published one', tuple(nodes), severity=WARN)


@rule('description-unreadable', ERROR,
      hint='Check it with "urdf-tools check", which names every defect',
      example='A launch file passes the path of the URDF file as the description.')
def description_unreadable(seen: Observation) -> Iterator[Disorder]:
    """Check that the published text describes a robot."""
    for text in seen.texts:
        if text.robot is None:
            yield Disorder(
                text.topic, f'The description from {text.publisher} describes no robot: '
                f'{text.error}', (text.publisher,))


@rule('description-several-publishers', WARN,
      hint='Let one node publish the description, and the others subscribe',
      example='Two launch files start a state publisher each.')
def description_several_publishers(seen: Observation) -> Iterator[Disorder]:
    """
    Check that one node publishes a description.

    Each subscriber keeps whichever arrives last, so that a change reaches some nodes and not
    others.
    """
    for topic in description_topics(seen.graph):
        nodes = [end.node for end in seen.graph.publishers.get(topic, ())]
        if len(nodes) > 1:
            yield Disorder(
                topic, f'{len(nodes)} publishers publish the description: {node_list(nodes)}',
                tuple(nodes))


@rule('description-differs', ERROR,
      hint='Let one node publish the description, and the others subscribe',
      example='The simulation publishes the robot without its gripper, the driver with it.')
def description_differs(seen: Observation) -> Iterator[Disorder]:
    """Check that all descriptions on a topic are the same robot."""
    first: dict[str, PublishedText] = {}
    for text in seen.texts:
        other = first.setdefault(text.topic, text)
        if other.robot is None or text.robot is None or text.publisher == other.publisher:
            continue
        what = difference(other.robot, text.robot)
        if what:
            yield Disorder(
                text.topic, f'The description from {text.publisher} is not the one from '
                f'{other.publisher}: {what}', (other.publisher, text.publisher))


@rule('description-volatile', ERROR,
      hint='Publish it transient local and reliable, with depth 1',
      example='A script publishes the description with the default QoS.')
def description_volatile(seen: Observation) -> Iterator[Disorder]:
    """
    Check that descriptions are published transient local.

    A volatile publisher reaches only who has subscribed before, and never a transient local
    subscriber, which state publishers, RViz and controllers are.
    """
    for topic in description_topics(seen.graph):
        for end in seen.graph.publishers.get(topic, ()):
            if not end.qos.transient_local:
                unreached = [sub.node for sub in seen.graph.subscribers.get(topic, ())
                             if sub.qos.transient_local]
                who = f'; {node_list(unreached)} will never receive it' if unreached else ''
                yield Disorder(
                    topic, f'{end.node} publishes the description volatile{who}', (end.node,))


@rule('description-subscriber-volatile', WARN,
      hint='Subscribe transient local; in RViz, set "Durability Policy" of the RobotModel',
      example='A node subscribes with the default QoS and is started after the state publisher.')
def description_subscriber_volatile(seen: Observation) -> Iterator[Disorder]:
    """
    Check that who subscribes to a description receives it whenever it starts.

    A volatile subscriber receives only what is published after it has started.
    """
    for topic in description_topics(seen.graph):
        published = [end.qos for end in seen.graph.publishers.get(topic, ())]
        for end in seen.graph.subscribers.get(topic, ()):
            if not end.qos.transient_local and any(qos.transient_local for qos in published):
                yield Disorder(
                    topic, f'{end.node} subscribes volatile, so that it has not received a '
                    'description that was published before it started', (end.node,))


@rule('description-parameter-differs', ERROR,
      hint='Take the description from the topic everywhere, or from one file in one launch file',
      example='MoveIt was configured with an older URDF than the one that the driver publishes.')
def description_parameter_differs(seen: Observation) -> Iterator[Disorder]:
    """Check that the parameters robot_description of all nodes are a published robot."""
    robots = [(robot.topic, robot.robot) for robot in seen.robots]
    for node, parameters in seen.parameters.items():
        text = parameters.robot_description
        if not text or not robots or any(text == other.text for other in seen.texts):
            continue
        other = robot_of(text)[0]
        if other is None:
            yield Disorder(
                robots[0][0], f'The parameter robot_description of {node} describes no robot: '
                f'{robot_of(text)[1]}', (node,))
            continue
        differences = [(topic, difference(robot, other)) for topic, robot in robots]
        if all(what for _, what in differences):
            # With several robots, it is most likely the one of the same name.
            topic, what = min(differences, key=lambda pair: dict(robots)[pair[0]].name
                              != other.name)
            yield Disorder(
                topic, f'The parameter robot_description of {node} is not the published robot: '
                f'{what}', (node,))
