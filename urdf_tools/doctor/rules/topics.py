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

"""Rules about topics with stamped data, and about quality of service."""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Any

import numpy as np

from urdf_tools.doctor.frame_graph import is_above
from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import rotation_in_root
from urdf_tools.doctor.frame_graph import sensor_frames
from urdf_tools.doctor.frame_graph import suggested_frame
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import frame_spaces
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import is_static
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.robots import description_topics
from urdf_tools.doctor.stamped_sources import longest_pause
from urdf_tools.doctor.stamped_sources import offset_of_frames
from urdf_tools.doctor.stamped_sources import PERIODS
from urdf_tools.doctor.stamped_sources import SILENCE
from urdf_tools.doctor.stamped_sources import silent_sources
from urdf_tools.doctor.stamped_sources import with_ages
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.messages.headers import FRAMELESS
from urdf_tools.messages.headers import IMAGES
from urdf_tools.messages.headers import LEVEL
from urdf_tools.messages.headers import NEVER_SILENT
from urdf_tools.messages.headers import NEVER_WITHOUT
from urdf_tools.messages.headers import PLACED
from urdf_tools.messages.headers import STEADY
from urdf_tools.model.grouping import grouped
from urdf_tools.model.spelling import closest


rule = GRAPH_RULES.in_category('data')
timing = GRAPH_RULES.in_category('timing')

_LOOKS_UP = re.compile('ceiling|sky|up(?![a-z])', re.IGNORECASE)
"""Names of cameras that look upwards."""

LATE = 0.5
"""Age in seconds from which data are old when they arrive."""

AHEAD = 0.1
"""Seconds by which data may be stamped in the future."""

BUFFER = 10.0
"""Seconds for which tf keeps transforms."""

_ENOUGH = 3
_FEW = 5


def _users(observation: Observation, track: StampedTrack) -> list[str]:
    """Return the nodes that listen to data and to frames, so that they may transform the data."""
    if track.kind.startswith(FRAMELESS):
        return []
    return sorted(node for node in listeners(observation.graph, track.topic) - {track.publisher}
                  if frame_spaces(observation.graph, node, track.kind in PLACED))


@rule('data-frame-unknown', ERROR)
def data_frame_unknown(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that data refer to frames that exist.

    Nodes that transform the data drop each message, and many say so only in their log. It is a
    warning while no node listens to data that are meaningless without their frame.

    Example: Gazebo names the frame of a lidar "robot/base_link/lidar", the model "lidar_link".
    """
    published = {space: names_of(edges) for space, edges in trees(observation).items()}
    graph, of_source = observation.graph, grouped(
        ((track.topic, track.publisher), track) for track in observation.stamped)
    is_bare = not observation.recorded and TF_MESSAGE not in {
        graph.kinds.get(topic) for topic, ends in graph.publishers.items() if ends}
    restless = [tracks[0] for tracks in of_source.values() if len(tracks) > _FEW and all(
        len(track.stamps) == 1 for track in tracks) and len(
            {track.frame for track in tracks}) == len(tracks)]
    for track in restless:
        yield defect_of(
            track, 'Each message from {nodes} refers to another frame, such as {frame}',
            frame=Name(track.frame), hint='Let the node name one frame in all messages')
    for track in observation.stamped:
        if any((track.topic, track.publisher) == (other.topic, other.publisher)
               for other in restless):
            continue
        users = _users(observation, track)
        spaces = {space for user in users for space in frame_spaces(observation.graph, user)
                  if space in published}
        is_unheard = not listeners(observation.graph, track.topic) - {track.publisher}
        if (observation.recorded or is_unheard) and track.kind in PLACED:
            spaces = {*published}
        known = {frame for space in spaces for frame in published[space]}
        if (known or users and is_bare) and track.frame not in known and (
                track.frame or track.kind in NEVER_WITHOUT):
            yield _unknown(track, users, known, [
                in_namespace(space, 'tf') for space, frames in published.items()
                if track.frame in frames], _mounts(observation, track.kind),
                           WARN if is_unheard and not observation.recorded else None)
    frames = {each.frame for each in observation.stamped if each.kind in (*STEADY, *IMAGES)} - {''}
    if observation.recorded and frames and not any(published.values()):
        yield GraphDefect('/tf', 'The recording has no transforms, so that nodes to which it is '
                          'played do not know {frames:frame}: {frames}', frames=sorted(frames),
                          severity=WARN, hint='Record /tf and /tf_static, too')


def _mounts(observation: Observation, kind: str) -> set[str]:
    """
    Return the frames at which a sensor may be mounted: fixed, and without children and mass.

    Those of cameras have x to the right and y down, the plane of a laser scanner is level.
    """
    upright = 1 if kind in IMAGES else 2
    bodies = {robot.frame(name) for robot in observation.robots
              for name, link in robot.robot.links.items() if link.inertial is not None}
    roots = {robot.frame(robot.robot.root) for robot in observation.robots}
    found = set()
    for edges in trees(observation).values():
        for frame in edges.keys() - bodies - roots - {
                edge.parent for of_child in edges.values() for edge in of_child}:
            rotation, is_fixed = rotation_in_root(frame, edges, roots)
            if is_fixed and (kind not in LEVEL or abs(rotation[2, upright]) > 0.7):
                found.add(frame)
    return found


def _unknown(track: StampedTrack, users: list[str], known: set[str], elsewhere: list[str],
             mounts: set[str], severity: Severity | None) -> GraphDefect:
    clause = ', so that {users:and} cannot transform them' if users else ''
    if not track.frame:
        return defect_of(
            track, 'Messages from {nodes} have an empty frame_id' + clause, users=users,
            severity=severity,
            hint='Set the frame in the parameters of the node that publishes them')
    suggestion = None if elsewhere else suggested_frame(track.frame, known)
    hint, frames = '', [] if elsewhere or suggestion else sensor_frames(
        track.frame, track.topic, track.kind, known, mounts & known)
    if len(frames) == 1:
        suggestion = frames[0]
    elif 1 < len(frames) <= _FEW:
        hint = 'Did you mean one of {candidates}? Let the node name a frame that exists'
    if suggestion and track.frame.count('/') > 1:
        hint = 'Did you mean {suggestion}? Set it as <gz_frame_id> of the sensor'
    elif elsewhere:
        hint = 'Remap tf and tf_static of the node that publishes the frame, or of the others'
    where = 'is only published on {published:and}' if elsewhere else 'no node publishes'
    if track.frame[:1] == '/' and (bare := track.frame[1:]) in known:
        suggestion, hint, where = bare, '', 'has a slash at its beginning, and tf2 refuses those'
    return defect_of(
        track, 'Messages from {nodes} refer to the frame {frame}, which ' + where + clause,
        hint=hint, suggestion=suggestion, subject=track.frame, frame=Name(track.frame),
        severity=severity, users=users, **({'published': elsewhere} if elsewhere else {}), **(
            {'candidates': tuple(map(Name, frames))} if '{candidates' in hint else {}))


@rule('data-child-frame-unknown', ERROR)
def data_child_frame_unknown(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the child frame of odometry exists.

    Its velocities are in that frame: robot_localization drops messages that it cannot transform.

    Example: The odometry names "base_linkk" as its child frame.
    """
    known = {frame for edges in trees(observation).values() for frame in names_of(edges)}
    for track in observation.stamped:
        if known and track.child and track.child not in known:
            yield defect_of(
                track, 'Messages from {nodes} have the child_frame_id {frame}, which no node '
                'publishes', subject=track.child, frame=Name(track.child),
                suggestion=suggested_frame(track.child, known))


@rule('image-frame-not-optical', WARN)
def image_frame_not_optical(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that images are stamped in an optical frame, with z forward and x to the right.

    In the frame of the housing, with x forward, whatever is seen is displaced by a quarter turn
    (REP 103).

    Example: A camera of Gazebo names the frame of its link, since it has no optical_frame_id.
    """
    roots = {robot.frame(robot.robot.root) for robot in observation.robots}
    for track in observation.stamped:
        if track.kind not in IMAGES or 'optical' in track.frame.lower():
            continue
        for edges in trees(observation).values():
            optical = [frame for frame in edges if 'optical' in frame.lower()
                       and is_above(track.frame, frame, edges)]
            rotation, is_fixed = rotation_in_root(track.frame, edges, roots)
            turned = [frame for frame in optical if not np.allclose(
                rotation, rotation_in_root(frame, edges, roots)[0], atol=0.1)]
            is_upright = rotation[2, 2] > 0.7 and abs(rotation[2, 1]) < 0.1 and (
                is_fixed and track.frame in edges.keys() - roots) and not (
                    _LOOKS_UP.search(track.frame + track.topic))
            if turned or is_upright:
                yield defect_of(
                    track, 'Images from {nodes} are stamped in the frame {frame}, which is not '
                    'optical' + ('' if turned else ': its z axis points up'), subject=track.frame,
                    frame=Name(track.frame), **(
                        {'suggestion': closest(track.topic, turned, 0.0)} if turned else
                        _not_turned(optical)))
                break


def _not_turned(optical: list[str]) -> dict[str, Any]:
    """Return the hint about optical frames that are not turned; nothing without such."""
    return {'names': [*map(Name, sorted(optical))],
            'hint': 'Turn {names:and}, whose z axis points up, too, by rpy="-1.5708 0 -1.5708", '
                    'and let the driver name it'} if optical else {}


def _measured(observation: Observation) -> Iterator[tuple[StampedTrack, float]]:
    """Yield measurements with their median age on arrival in seconds."""
    offset = offset_of_frames(observation)
    steady = (track for track in observation.stamped if track.kind in STEADY)
    return ((track, age - offset) for track, age in with_ages(observation, steady, _ENOUGH))


@timing('data-stamps-old', WARN)
def data_stamps_old(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that measurements are at most 0.5 s old when they arrive.

    tf keeps transforms for 10 s; what is older than those cannot be transformed at all. In a
    recording that is played without its clock, everything is old alike.

    Example: A lidar stamps with its own clock, which starts at zero.
    """
    for track, age in _measured(observation):
        if age > LATE:
            yield defect_of(track, 'Messages from {nodes} are {age:.4g} s old when they arrive',
                            severity=ERROR if age > BUFFER else None, subject=track.frame, age=age)


@timing('data-stamps-future', ERROR)
def data_stamps_future(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that measurements are not stamped in the future.

    Nodes wait for transforms at that time, and drop the messages.

    Example: The clock of the computer in the lidar is 2 s ahead.
    """
    for track, age in _measured(observation):
        if -age > AHEAD:
            yield defect_of(track, 'Messages from {nodes} are stamped {ahead:.4g} s in the future',
                            subject=track.frame, ahead=-age)


@rule('data-stopped', ERROR)
def data_stopped(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that measurements keep arriving from each publisher.

    Example: The cable of the lidar broke, and its driver waits.
    """
    if observation.is_clock_stopped:
        return
    steady = [track for track in observation.stamped if track.kind in STEADY]
    for track, seconds in silent_sources(
            observation, steady, lambda track: (track.topic, track.publisher)):
        yield defect_of(track, '{nodes} stopped publishing {silence:.1f} s ago',
                        severity=None if track.kind in NEVER_SILENT else WARN, subject=track.frame,
                        silence=seconds)


@timing('data-gap', WARN)
def data_gap(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that measurements do not pause for 2 s, or for 10 periods if that is longer.

    Example: The connector of the lidar is loose, and its driver connects again.
    """
    for track in observation.stamped:
        if track.kind in STEADY and len(track.received) > _ENOUGH:
            pause = longest_pause(observation, track, SILENCE, PERIODS)
            if pause:
                yield defect_of(
                    track, 'Messages from {nodes} paused for {pause:.1f} s, at a rate of '
                    '{rate:.3g} Hz otherwise', subject=track.frame, **pause)


@rule('data-silent', WARN)
def data_silent(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that something arrives on topics of measurements that other nodes listen to.

    Odometry counts without a listener, too.

    Example: The driver of the lidar could not open its port, and tries again and again.
    """
    if observation.is_clock_stopped:
        return
    for topic, seconds in observation.silent.items():
        nodes = sorted({*observation.graph.publishing(topic)})
        users = sorted(listeners(observation.graph, topic) - {*nodes})
        pace = observation.pace(topic, nodes[0]) if nodes else 1.0
        kind = observation.graph.kinds.get(topic)
        # In a recording, the fault lasts as long.
        details: dict[str, Any] = {'silence': seconds} if observation.recorded else {}
        if nodes and (users or kind == ODOMETRY) and kind in NEVER_SILENT and seconds * pace > 2:
            yield GraphDefect(
                topic, '{nodes:and} published nothing in {seconds:.1f} s'
                + (' for {users:and}' if users else ''), nodes, users=users, seconds=seconds,
                **details)


qos_rule = GRAPH_RULES.in_category('qos')


@qos_rule('message-unreadable', Severity.ERROR)
def message_unreadable(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the messages on a topic can be read.

    Example: The publisher was built with another version of the message.
    """
    for topic, number in observation.unreadable.items():
        yield GraphDefect(topic, '{messages:message} from {nodes:and} cannot be read',
                          sorted(observation.graph.publishing(topic)), messages=number)


@GRAPH_RULES.in_category('description')('names-too-many', Severity.WARN)
def names_too_many(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the joints and frames of a topic are few enough to be evaluated.

    Each counts once for every combination in which messages have it.

    Example: A detector publishes each detection as a new frame, and forgets none.
    """
    for topic, number in observation.crowded.items():
        yield GraphDefect(topic, 'More than {maximum} names of joints or frames from {nodes:and} '
                          'are too many to be evaluated',
                          sorted(observation.graph.publishing(topic)), maximum=number)


@qos_rule('tf-static-volatile', Severity.ERROR)
def tf_static_volatile(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that static transforms are published transient local (latched).

    A volatile publisher sends them to nobody who starts later, and never to a transient local
    subscriber, as listeners of tf are.

    Example: A recording was played back with QoS overrides that leave out the durability.
    """
    for topic in filter(is_static, frame_topics(observation.graph)):
        subscribers = sorted({end.node for end in observation.graph.subscribers.get(topic, ())
                              if end.qos.transient_local})
        nodes = sorted({end.node for end in observation.graph.publishers.get(topic, ())
                        if end.qos.transient_local is False})
        if nodes:
            yield GraphDefect(
                topic, '{nodes:and} publishes static transforms with volatile durability'
                + ('; {subscribers:and} will never receive them' if subscribers else ''), nodes,
                subscribers=subscribers, hint='Publish them transient local; when the recording '
                'is played, override the durability of {topic} in the file that ros2 bag play '
                'takes with --qos-profile-overrides-path' if observation.recorded else '')


@qos_rule('qos-mismatch', Severity.ERROR)
def qos_mismatch(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each subscriber receives what is published on its topic.

    A subscriber receives nothing from a publisher that offers less than it requests, and only the
    logs of both nodes say so. Descriptions and volatile static transforms have their own rules.

    Example: A driver publishes joint states best effort, but a controller subscribes reliable.
    """
    descriptions = description_topics(observation.graph)
    for topic, publishers in observation.graph.publishers.items():
        if topic in descriptions:
            continue
        found = grouped(
            ((publisher.node, mismatch), subscriber.node) for publisher in publishers
            for subscriber in observation.graph.subscribers.get(topic, ())
            for mismatch in publisher.qos.mismatches(subscriber.qos)
            if not (is_static(topic) and mismatch.policy == 'durability'))
        for (node, mismatch), nodes in found.items():
            subscribers = sorted({*nodes})
            yield GraphDefect(
                topic, 'No message from {publisher} reaches {subscribers:and}: the {policy} '
                'offered is {offered}, the one requested {requested}', (node, *subscribers),
                publisher=node, subscribers=subscribers, **mismatch._asdict())


_AWAITED = ('geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped',
            'trajectory_msgs/msg/JointTrajectory', JOINT_STATE)


@rule('topic-name-differs', WARN)
def topic_name_differs(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that nobody waits for commands or joint states that are published on another topic.

    It is one topic of the type that nobody listens to, and one that nobody publishes. Nodes that
    publish such a topic that is heard are left out, and so are those that hear another one, such
    as those that select one of several commands. Measurements that nobody publishes are on a topic
    of the same last name: a name without a slash is one in the namespace of the node.

    Example: teleop_twist_keyboard publishes /cmd_vel, and the controller reads /drive/cmd_vel.
    """
    graph = observation.graph
    for kind in _AWAITED if not observation.recorded else ():
        ends = {topic: ({*graph.publishing(topic)}, listeners(graph, topic))
                for topic in graph.topics(kind)}
        heard, fed = ({node for each in ends.values() if all(each) for node in each[side]}
                      for side in (0, 1))
        unheard = [(topic, nodes) for topic, (nodes, users) in ends.items()
                   if nodes and not (users or nodes & heard)]
        awaited = [(topic, users) for topic, (nodes, users) in ends.items()
                   if users and not nodes and (kind == JOINT_STATE or not users & fed)]
        for (topic, nodes), (other, users) in zip(unheard, awaited):
            if len(unheard) == len(awaited) == 1 and not nodes & users:
                yield GraphDefect(
                    topic, '{nodes:and} publishes what nobody receives, and {users:and} listens '
                    'to {other}, which nobody publishes', sorted(nodes), users=sorted(users),
                    other=Name(other))
    for topic, kind in graph.kinds.items() if not observation.recorded else ():
        users, others = listeners(graph, topic), [each for each in graph.topics(kind) if (
            graph.publishing(each) and each.rpartition('/')[2] == topic.rpartition('/')[2])]
        if users and others and not graph.publishing(topic) and (
                kind in PLACED and kind in STEADY or kind == JOINT_STATE and len(others) > 1):
            yield GraphDefect(topic, 'No data reach {nodes:and}, as no node publishes them here, '
                              'but some do on {others:and}', sorted(users), others=others)


@qos_rule('topic-types-differ', Severity.ERROR)
def topic_types_differ(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that what a node listens to is published with the type that it expects.

    Nothing arrives otherwise, and neither node says so.

    Example: teleop_twist_keyboard publishes Twist, and diff_drive_controller reads TwistStamped.
    """
    graph = observation.graph
    for topic, publishers in graph.publishers.items():
        offered = {publisher.kind for publisher in publishers}
        subscribed = [end for end in graph.subscribers.get(topic, ())
                      if end.kind and '' not in offered]
        users = listeners(graph, topic) - {end.node for end in subscribed if end.kind in offered}
        found = grouped(
            ((publisher.node, publisher.kind, subscriber.kind), subscriber.node)
            for publisher in publishers for subscriber in subscribed if subscriber.node in users)
        for (node, kind, expected), nodes in found.items():
            subscribers = sorted({*nodes})
            yield GraphDefect(
                topic, 'No message from {publisher} reaches {subscribers:and}: it is published '
                'as {kind}, and expected as {expected}', (node, *subscribers), publisher=node,
                subscribers=subscribers, kind=kind, expected=expected)
