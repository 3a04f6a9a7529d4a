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

"""Rules about descriptions and clocks that nodes disagree on."""

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
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.robots import difference
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.stamped_sources import has_other_clock
from urdf_tools.doctor.stamped_sources import timed_sources
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped


rule = GRAPH_RULES.in_category('description')

_PATH = re.compile(r'(?:file://|package://)?[^<>\s]+\.(?:urdf|xacro|xml|sdf)', re.IGNORECASE)


@rule('description-not-published', ERROR)
def description_not_published(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that a robot description is published wherever a node subscribes to one.

    Example: The state publisher exited at startup because of an error in the URDF.
    """
    graph = observation.graph
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
        elif not any(text.topic == topic for text in observation.texts) and any(
                end.qos.transient_local for end in publishers):
            yield GraphDefect(
                topic, '{nodes:and} advertised a description, but did not publish it',
                sorted(graph.publishing(topic)), severity=WARN)


@rule('description-unreadable', ERROR)
def description_unreadable(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the published text describes a robot.

    Example: A launch file passes the path of the URDF file instead of its content.
    """
    for text in observation.texts:
        path = text.text.strip()
        if text.robot is None and _PATH.fullmatch(path):
            yield GraphDefect(
                text.topic, '{nodes} publishes the path {path} instead of the description in '
                'that file', (text.publisher,), path=Name(path))
        elif text.robot is None:
            yield GraphDefect(
                text.topic, 'The text from {nodes} is not a robot description: {error}',
                (text.publisher,), error=FreeText(text.error))


@rule('description-several-publishers', WARN)
def description_several_publishers(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one node publishes a description.

    Each subscriber keeps the description that arrives last, so that a change reaches some nodes
    and not others. The same description from all of them, such as from move_group, does no harm.

    Example: Two launch files start a state publisher each.
    """
    for topic in description_topics(observation.graph):
        nodes = observation.graph.publishing(topic)
        robots = {text.publisher: text.robot for text in observation.texts if text.topic == topic}
        found = [robots.get(node) for node in nodes]
        same = bool(found) and found[0] is not None and all(robot == found[0] for robot in found)
        if len(nodes) > 1 and not (same and len({*nodes}) == len(nodes)):
            yield GraphDefect(topic, 'The description has {number} publishers, in {nodes:and}',
                              sorted(nodes), number=len(nodes))


@rule('description-differs', ERROR)
def description_differs(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that all descriptions on a topic describe the same robot.

    Example: The simulation publishes the robot without its gripper, the driver with it.
    """
    first: dict[str, PublishedText] = {}
    for text in observation.texts:
        other = first.setdefault(text.topic, text)
        if other.robot is None or text.robot is None or text.publisher == other.publisher:
            continue
        clause = difference(other.robot, text.robot)
        if clause.template:
            yield GraphDefect(
                text.topic, 'The description from {publisher} is not the one from {other}: '
                + clause.template, (other.publisher, text.publisher), publisher=text.publisher,
                other=other.publisher, **clause.values)


@rule('description-volatile', ERROR)
def description_volatile(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that descriptions are published transient local (latched).

    A volatile publisher only reaches nodes that have subscribed before, and never a transient
    local subscriber, such as state publishers, RViz and controllers.

    Example: A script publishes the description with the default QoS.
    """
    for topic in description_topics(observation.graph):
        subscribers = sorted(end.node for end in observation.graph.subscribers.get(topic, ())
                             if end.qos.transient_local)
        for end in observation.graph.publishers.get(topic, ()):
            if end.qos.transient_local is False:
                yield GraphDefect(
                    topic, '{nodes} publishes the description with volatile durability'
                    + ('; {subscribers:and} will never receive it' if subscribers else ''),
                    (end.node,), subscribers=subscribers)


@rule('description-subscriber-volatile', WARN)
def description_subscriber_volatile(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that subscribers receive the description whenever they start.

    A volatile subscriber only receives what is published after it has started.

    Example: A node subscribes with the default QoS, and starts after the state publisher.
    """
    for topic in description_topics(observation.graph):
        published = [end.qos for end in observation.graph.publishers.get(topic, ())]
        for end in observation.graph.subscribers.get(topic, ()):
            if not end.qos.transient_local and any(qos.transient_local for qos in published):
                yield GraphDefect(
                    topic, '{nodes} subscribes with volatile durability, and misses a description '
                    'that was published before it started', (end.node,))


@rule('description-parameter-differs', ERROR)
def description_parameter_differs(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that every parameter robot_description is a published description.

    Example: MoveIt was configured with an older URDF than the one that the driver publishes.
    """
    robots = [(robot.topic, robot.robot) for robot in observation.robots]
    published = {text.text for text in observation.texts}
    for node, parameters in observation.parameters.items():
        text = parameters.robot_description
        # Drivers of simulators, such as Webots, take a file; nodes that cannot, have exited.
        if not text or not robots or text in published or _PATH.fullmatch(text.strip()):
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


clock_rule = GRAPH_RULES.in_category('clock')

TOPIC = '/clock'

_LAUNCH = re.compile(r'/launch_ros_\d+$')


def _nodes(observation: Observation, simulated: bool) -> list[str]:
    """
    Return the nodes with or without use_sim_time.

    Those that publish the clock are left out, and so are that of ``ros2 launch``, whose parameters
    cannot be set, and those that neither stamp nor transform anything, such as joysticks.
    """
    sources = observation.graph.publishing(TOPIC)
    concerned = timed_nodes(observation.graph)
    return sorted(node for node, parameters in observation.parameters.items()
                  if parameters.use_sim_time is simulated and node not in sources
                  and not _LAUNCH.search(node) and (simulated or node in concerned))


@clock_rule('clock-mixed', WARN)
def clock_mixed(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that all nodes use the same clock, either /clock or that of the system.

    Transforms stamped with one clock cannot be looked up at the time of the other.

    Example: RViz was started by hand, without use_sim_time, beside a simulation.
    """
    simulated, real = _nodes(observation, True), _nodes(observation, False)
    stamping = {track.publisher for track in _of_other_clock(observation)}
    real = [node for node in real if node not in stamping]
    if simulated and real:
        yield GraphDefect(
            TOPIC, 'use_sim_time is true for {simulated:and}, but false for {real:and}',
            min(real, simulated, key=len), simulated=simulated, real=real)


def _of_other_clock(observation: Observation) -> Iterator[JointTrack | StampedTrack]:
    """Yield the sources that stamp with another clock than that of their subscribers."""
    return (track for track in timed_sources(observation) if has_other_clock(observation, track))


@clock_rule('clock-of-stamps', ERROR)
def clock_of_stamps(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that stamps are of the clock that the subscribers use.

    Otherwise they are decades apart, and nothing can be transformed.

    Example: The odometry (EKF) of a simulated robot runs without use_sim_time.
    """
    found = grouped(
        ((track.publisher, observation.is_simulated(track.topic, track.publisher)), track.topic)
        for track in _of_other_clock(observation))
    for (publisher, is_simulated), topics in found.items():
        agreeing = {node for node, parameters in observation.parameters.items()
                    if parameters.use_sim_time is is_simulated and node != publisher}
        users = sorted({node for topic in topics for node in listeners(observation.graph, topic)
                        if node in agreeing} or agreeing)
        mine, other = ('the system', '/clock') if is_simulated else ('/clock', 'the system')
        yield GraphDefect(
            min(topics), '{nodes} stamps {topics:and} with the time of {mine}, but that of '
            '{users:and} is {other}', (publisher,), topics=tuple(dict.fromkeys(topics)),
            users=users, mine=mine, other=other, hint='Set use_sim_time to true for {nodes}'
            if is_simulated else 'Set use_sim_time to true for {users:and}')


@clock_rule('clock-stands', ERROR)
def clock_stands(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that /clock advances while nodes use it.

    Otherwise their timers do not fire, and all that they publish has the same stamp.

    Example: The simulation is paused, or use_sim_time is still true on the real robot.
    """
    simulated, sources = _nodes(observation, True), observation.graph.publishing(TOPIC)
    if not simulated:
        return
    if not sources:
        yield GraphDefect(TOPIC, 'No node publishes /clock, the time source of {nodes:and}',
                          simulated, simulated=simulated)
    elif observation.clock is None:
        yield GraphDefect(
            TOPIC, 'Nothing arrived on /clock from {nodes:and} in {seconds:.1f} s; it is the time '
            'source of {simulated:and}', sources, simulated=simulated, seconds=observation.seconds)
    elif observation.is_clock_stopped:
        yield GraphDefect(
            TOPIC, '/clock from {nodes:and} has stopped at {time:.9g} s; it is the time source of '
            '{simulated:and}', sources, simulated=simulated,
            time=int(observation.clock.times[-1]) / 1e9)


@clock_rule('clock-several-publishers', ERROR)
def clock_several_publishers(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one node publishes /clock.

    Otherwise time jumps back and forth between them.

    Example: A bag with /clock is played while a simulation is running.
    """
    sources = observation.graph.publishing(TOPIC)
    if len(sources) > 1:
        yield GraphDefect(TOPIC, '/clock has {number} publishers, in {nodes:and}', sorted(sources),
                          number=len(sources))
