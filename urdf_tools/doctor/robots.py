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

"""The robots of a running graph: which topics and frames belong to which description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import atan2
from math import degrees
from math import inf
from math import pi
from typing import TypeVar

import numpy as np

from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.findings.message import Clause
from urdf_tools.findings.message import Name
from urdf_tools.formats.loader import shared_robot
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array


_MAX_GUESSES = 50
_MAX_ROBOTS = 50


@lru_cache(_MAX_ROBOTS)
def robot_of(text: str) -> tuple[Robot | None, str]:
    """Return the robot of a description, or why there is none."""
    try:
        return shared_robot(text), ''
    except DescriptionError as error:
        return None, error.message


def description_topics(graph: Graph) -> list[str]:
    """Return the topics that are robot descriptions by their type and name."""
    return [topic for topic in graph.topics(STRING) if topic.endswith('description')]


def joint_topics(graph: Graph) -> list[str]:
    """Return the topics of joint states: by their name, or used by a robot's state publisher."""
    used = {topic for description in description_topics(graph)
            for topic in _joint_topics(graph, description)}
    return [topic for topic in graph.topics(JOINT_STATE)
            if topic in used or topic.rpartition('/')[2] == 'joint_states']


def observed_robots(graph: Graph, texts: Iterable[PublishedText], frames: Iterable[FrameTrack],
                    parameters: Mapping[str, NodeParameters]) -> tuple[ObservedRobot, ...]:
    """Return the robots whose descriptions were published, with the topics and frames of each."""
    latest = {text.topic: (text, text.robot) for text in texts if text.robot is not None}
    frames = list(frames)
    robots = []
    for topic, (text, robot) in latest.items():
        tree = _tree(graph, topic, robot, frames)
        robots.append(ObservedRobot(
            topic, robot, text.text, _joint_topics(graph, topic), tree,
            _prefix(text, robot, tree, frames, parameters.get(text.publisher))))
    return tuple(replace(each, neighbours=frozenset(
        name for other in robots
        if other is not each and set(other.joint_topics) & set(each.joint_topics)
        for name in other.robot.joints)) for each in robots)


def _joint_topics(graph: Graph, description: str) -> tuple[str, ...]:
    # One of those that publish the description is its state publisher.
    nodes = {*graph.publishing(description)}
    beside = in_namespace(parent_of(description), 'joint_states')
    used = [topic for topic in graph.topics(JOINT_STATE)
            if not nodes.isdisjoint(graph.subscribing(topic))]
    if len(used) > 1 and beside in used:
        # One process may publish the frames of several robots.
        return (beside,)
    return tuple(used) or (beside,)


def _tree(graph: Graph, description: str, robot: Robot, frames: Iterable[FrameTrack]) -> str:
    nodes = {*graph.publishing(description)}
    own = parent_of(description)
    spaces = {topic: parent_of(topic) for topic in frame_topics(graph)}
    candidates = [space for topic, space in spaces.items()
                  if not nodes.isdisjoint(graph.publishing(topic))]
    if not candidates:
        # Recordings do not tell who publishes what.
        links = [link for link in robot.links if link != robot.root][:_MAX_GUESSES]
        used = {parent_of(track.topic) for track in frames for child in track.children
                if not any(nodes) and any(child.endswith(link) for link in links)}
        candidates = [space for space in (own, '/', *sorted(used)) if space in used] or [
            space for space in (own, '/') if space in spaces.values()]
    return own if own in candidates else (candidates or ['/'])[0]


def _prefix(text: PublishedText, robot: Robot, tree: str, frames: Iterable[FrameTrack],
            parameters: NodeParameters | None) -> str:
    """Return the prefix of a robot's frames: its publisher's parameter, or the most likely one."""
    name = parent_of(text.topic).rpartition('/')[2]
    given = parameters.frame_prefixes if parameters is not None else {}
    for parameter in (f'{name}.frame_prefix', 'frame_prefix'):
        if parameter in given:
            return given[parameter]
    in_tree = [track for track in frames if parent_of(track.topic) == tree]
    own = [track for track in in_tree if track.publisher == text.publisher]
    links = [link for link in robot.links if link != robot.root][:_MAX_GUESSES]
    guesses = Counter(
        child.removesuffix(link) for track in own or in_tree for child in track.children
        for link in links if child.endswith(link))
    # Where it is unknown who publishes what, as in recordings, robots are distinguished by their
    # namespace.
    return max(guesses, key=lambda prefix: (
        not own and prefix.strip('/_') == name, guesses[prefix], -len(prefix)), default='')


def difference(robot: Robot, other: Robot) -> Clause:
    """Return how a second robot differs from the first; an empty clause if it does not."""
    if robot == other:
        return Clause('')
    for kind, template, names, known in (
            ('link', 'it has no link {link}', robot.links, other.links),
            ('link', 'it has the additional link {link}', other.links, robot.links),
            ('joint', 'it has no joint {joint}', robot.joints, other.joints),
            ('joint', 'it has the additional joint {joint}', other.joints, robot.joints)):
        for name in names:
            if name not in known:
                return Clause(template, {kind: Name(name)})
    for name, joint in robot.joints.items():
        twin = other.joints[name]
        for field in ('type', 'parent', 'child', 'origin', 'axis', 'limits', 'mimic'):
            if getattr(joint, field) != getattr(twin, field):
                return Clause('joint {joint} differs in its {field}', {
                    'joint': Name(name), 'field': field})
    for name, link in robot.links.items():
        if link != other.links[name]:
            return Clause('link {link} differs', {'link': Name(name)})
    if robot.name != other.name:
        return Clause('its name is {robot}', {'robot': Name(other.name)})
    return Clause('its materials or transmissions differ')


_TOLERANCE = 1e-3
_CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


def effort_unit_of(joint: Joint) -> str:
    """Return the unit of a joint's efforts."""
    return 'N' if joint.type is JointType.PRISMATIC else 'N m'


def deviation(joint: Joint, transform: Array) -> tuple[float, float, float]:
    """
    Compare the transform from parent to child link with the joint between them.

    :param transform: ``x y z qx qy qz qw``, shape (7,).
    :return: the distance in metres and the angle in radians to the closest transform that the
        joint can make, and the position of the joint there; infinity if the transform is invalid.
        A planar or floating joint can make any.
    """
    length = float(np.linalg.norm(transform[3:]))
    if not np.isfinite(transform).all() or length < 1e-6:
        return inf, inf, 0.0
    if joint.type.dof > 1:
        return 0.0, 0.0, 0.0
    start = np.array(joint.origin.quaternion)
    offset = quaternion_to_matrix(start).T @ (transform[:3] - np.array(joint.origin.xyz))
    turn = quaternion_product(start * _CONJUGATE, transform[3:] / length)
    axis = np.array(joint.axis)
    position = 0.0
    if joint.type is JointType.PRISMATIC:
        position = float(axis @ offset)
        offset = offset - position * axis
    elif joint.type is not JointType.FIXED and axis.any():
        along = float(axis @ turn[:3])
        position = wrapped(2 * atan2(along, float(turn[3])))
        turn = np.append(turn[:3] - along * axis, np.hypot(along, turn[3]))
    angle = 2 * atan2(float(np.linalg.norm(turn[:3])), abs(float(turn[3])))
    return float(np.linalg.norm(offset)), angle, position


def usual_error(joint: Joint, transform: Array) -> str:
    """Return the hint on how a transform came about, or an empty text if that is unknown."""
    if joint.type is not JointType.FIXED:
        return ''
    origin, found = joint.origin.matrix, pose_of(transform)
    turned = Pose(joint.origin.xyz, quaternion_from_rpy(
        *map(degrees, rpy_of(joint.origin.rotation))))
    scaled = origin.copy()
    scaled[:3, 3] *= 1000
    for wrong, hint in (
            (invert(origin), 'It is the inverse of what the model has: tf expects the pose of the '
             'child in its parent'),
            (scaled, 'The translation looks like millimetres; it must be in metres'),
            (turned.matrix, 'The rotation looks like degrees; it must be in radians')):
        if np.allclose(found, wrong, atol=_TOLERANCE):
            return hint
    return ''


Angle = TypeVar('Angle', float, Array)


def wrapped(angle: Angle) -> Angle:
    """Return the same angle between minus pi and pi, or the same angles of any shape."""
    return (angle + pi) % (2 * pi) - pi
