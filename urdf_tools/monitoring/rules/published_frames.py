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


"""Rules about the frames on ``tf`` and ``tf_static``."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np

from urdf_tools.findings.finding import Severity
from urdf_tools.kinematics.mimic import resolve_mimic
from urdf_tools.model.cycles import find_cycles
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.monitoring.frame_graph import Edge
from urdf_tools.monitoring.frame_graph import Edges
from urdf_tools.monitoring.frame_graph import pieces
from urdf_tools.monitoring.frame_graph import root_of
from urdf_tools.monitoring.frame_graph import trees
from urdf_tools.monitoring.graph import in_namespace
from urdf_tools.monitoring.graph import node_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.joint_motion import deviation
from urdf_tools.monitoring.joint_motion import wrapped
from urdf_tools.monitoring.observation import Observation
from urdf_tools.monitoring.observation import ObservedRobot

ERROR, WARN = Severity.ERROR, Severity.WARN
rule = in_category('frames')

TOLERANCE = 1e-3
"""Metres or radians by which a transform may differ from the model."""


@rule('frame-two-publishers', ERROR,
      hint='Stop one of them, or set publish_tf:=false for it',
      example='The simulation publishes odom -> base_link, and so does the localisation.')
def frame_two_publishers(seen: Observation) -> Iterator[Disorder]:
    """
    Check that one publisher publishes each frame.

    Otherwise tf has whichever arrived last, and the frame jumps.
    """
    for space, edges in trees(seen).items():
        together: dict[tuple[bytes, ...], list[str]] = {}
        for child, of_child in edges.items():
            if len(of_child) < 2 or len({edge.parent for edge in of_child}) > 1:
                continue
            for static in (False, True):
                sources = {edge.track.source for edge in _overlapping(
                    [edge for edge in of_child if edge.track.static is static])}
                if len(sources) > 1:
                    together.setdefault(tuple(sorted(sources)), []).append(child)
        for keys, children in together.items():
            publishers = {edge.track.source: edge.track for edge in edges[children[0]]}
            nodes = tuple(publishers[key].publisher for key in keys)
            yield Disorder(
                publishers[keys[0]].topic, f'{node_list(nodes)} publish the same '
                f'{count(len(children), "frame")}: {name_list(sorted(children))}', nodes)


def _overlapping(edges: list[Edge]) -> list[Edge]:
    """Return the edges of publishers that publish at the same time; a restarted one does not."""
    edges = sorted(edges, key=lambda edge: int(edge.track.received[0]))
    return [edge for edge in edges if any(
        other.track.source == edge.track.source or other.track.static or edge.track.static
        or (other.track.received[0] < edge.track.received[-1]
            and edge.track.received[0] < other.track.received[-1])
        for other in edges if other is not edge)]


@rule('frame-two-parents', ERROR,
      hint='Let one of them publish another frame, or stop it; a frame has one parent',
      example='The localisation publishes map -> base_link beside odom -> base_link.')
def frame_two_parents(seen: Observation) -> Iterator[Disorder]:
    """
    Check that each frame has one parent.

    tf keeps the parent that arrived last, so the tree changes its shape all the time.
    """
    for edges in trees(seen).values():
        for child, of_child in edges.items():
            of_child = of_child if len(of_child) < 2 else _overlapping(of_child)
            parents: dict[str, Edge] = {edge.parent: edge for edge in of_child}
            if len(parents) > 1:
                texts = [f'{quote(parent)} from {edge.track.publisher}'
                         for parent, edge in sorted(parents.items())]
                yield Disorder(
                    of_child[0].track.topic, f'Frame {quote(child)} has {len(parents)} parents: '
                    f'{" and ".join(texts)}',
                    tuple(dict.fromkeys(edge.track.publisher for edge in of_child)),
                    subject=child)


@rule('frame-loop', ERROR,
      hint='Publish one of them the other way round: tf wants the pose of the child in its parent',
      example='The localisation publishes base_link -> odom, and the driver odom -> base_link.')
def frame_loop(seen: Observation) -> Iterator[Disorder]:
    """
    Check that the parents of a frame lead to a root.

    Nothing can be looked up in frames that are parents of each other.
    """
    for space, edges in trees(seen).items():
        # A frame that is its own parent does not count: tf ignores it.
        following = {child: edge.parent for child, of_child in edges.items()
                     for edge in of_child if edge.parent != child}
        for loop in find_cycles(following):
            start = loop.index(min(loop))
            names = [*loop[start:], *loop[:start]]
            nodes = tuple(dict.fromkeys(
                edge.track.publisher for child in names for edge in edges[child]))
            yield Disorder(
                in_namespace(space, 'tf'), f'{count(len(names), "frame")} from '
                f'{node_list(nodes)} are parents of each other: {name_list(names)}', nodes,
                subject=names[0])


@rule('frame-static-and-moving', ERROR,
      hint='Publish it on one of the two topics only',
      example='A calibration is published static, and a joint of the model has the same frame.')
def frame_static_and_moving(seen: Observation) -> Iterator[Disorder]:
    """
    Check that a frame is published either on tf_static or on tf.

    tf forgets how the frame moved as soon as a static transform arrives.
    """
    for edges in trees(seen).values():
        for child, of_child in edges.items():
            static = {edge.track.publisher for edge in of_child if edge.track.static}
            moving = {edge.track.publisher for edge in of_child if not edge.track.static}
            if static and moving:
                topic = next(edge.track.topic for edge in of_child if not edge.track.static)
                yield Disorder(
                    topic, f'Frame {quote(child)} is published static by {node_list(static)} and '
                    f'moving by {node_list(moving)}', tuple(sorted(static | moving)),
                    subject=child)


@rule('frame-missing', ERROR,
      hint='Start a state publisher for the model, and see that all its joints are reported',
      example='Nobody publishes the joint states of the gripper.')
def frame_missing(seen: Observation) -> Iterator[Disorder]:
    """Check that each frame of the model arrives."""
    published = trees(seen)
    for robot in seen.robots:
        edges = published.get(robot.tree, {})
        expected = [robot.frame(joint.child) for joint in robot.robot.tree]
        missing = [frame for frame in expected if frame not in edges]
        if not missing:
            continue
        topic = in_namespace(robot.tree, 'tf')
        if len(missing) == len(expected):
            nodes = sorted({edge.track.publisher for of_child in edges.values()
                            for edge in of_child})
            others = f'; {node_list(nodes)} publish other frames' if nodes else ''
            yield Disorder(topic, f'No frame of robot {quote(robot.robot.name)} is published'
                                  f'{others}')
        else:
            yield Disorder(
                topic, f'{count(len(missing), "frame")} of robot {quote(robot.robot.name)} '
                f'{"is" if len(missing) == 1 else "are"} never published: {name_list(missing)}')


@rule('frame-tree-in-pieces', WARN,
      hint='Publish the transform that connects them, or stop who publishes the other piece',
      example='The camera driver publishes its frames without a transform to the robot.')
def frame_tree_in_pieces(seen: Observation) -> Iterator[Disorder]:
    """
    Check that all frames are connected with a robot.

    Nothing can be transformed from one piece to another.
    """
    for space, edges in trees(seen).items():
        found = pieces(edges)
        robots = [robot for robot in seen.robots if robot.tree == space]
        roots = {robot.frame(robot.robot.root) for robot in robots}
        # A robot that is in pieces lacks frames, of which another rule tells.
        links = {robot.frame(link) for robot in robots for link in robot.robot.links}
        whole = [piece for piece in found if piece & roots] or found[:1]
        for piece in found:
            if piece & links or piece in whole:
                continue
            nodes = sorted({edge.track.publisher for child in piece if child in edges
                            for edge in edges[child]})
            yield Disorder(
                in_namespace(space, 'tf'),
                f'{count(len(piece), "frame")} below {quote(root_of(piece, edges))} from '
                f'{node_list(nodes)} are not connected with {quote(root_of(whole[0], edges))}',
                tuple(nodes))


@rule('frame-contradicts-model', ERROR,
      hint='Start all state publishers with the same description',
      example='A second state publisher has a description with another mounting of the camera.')
def frame_contradicts_model(seen: Observation) -> Iterator[Disorder]:
    """
    Check that transforms are what the model makes of the joint states.

    They may differ by a millimetre or a milliradian. The frame of a fixed joint is its origin,
    that of another one is moved along or about its axis by the position that the joint states
    with the same stamp have.
    """
    published = trees(seen)
    for robot in seen.robots:
        edges = published.get(robot.tree, {})
        mimic = resolve_mimic(robot.robot)
        for joint in robot.robot.tree:
            for edge in edges.get(robot.frame(joint.child), ()):
                text = _contradiction(seen, robot, joint, edge, edges, mimic)
                if text:
                    yield Disorder(
                        edge.track.topic, f'{text}, as {edge.track.publisher} publishes it',
                        (edge.track.publisher,), subject=robot.frame(joint.child))


def _contradiction(
        seen: Observation, robot: ObservedRobot, joint: Joint, edge: Edge, edges: Edges,
        mimic: dict[str, Mimic]) -> str:
    frame = robot.frame(joint.child)
    if edge.parent != robot.frame(joint.parent):
        parents = {other.parent for other in edges[frame]}
        return '' if len(parents) > 1 else (
            f'The parent of frame {quote(frame)} is {quote(edge.parent)} and not '
            f'{quote(robot.frame(joint.parent))}')
    distance, angle, position = deviation(joint, edge.track.transforms[-1, edge.column])
    # A transform that is none is the matter of another rule.
    if distance < inf and not (distance <= TOLERANCE and angle <= TOLERANCE):
        return (f'Frame {quote(frame)} is {distance:.4g} m and {angle:.4g} rad away from what '
                f'joint {quote(joint.name)} allows')
    if joint.type.dof != 1 or edge.track.static or distance == inf:
        return ''
    pair = _positions_at_one_time(seen, robot, joint, edge, mimic)
    if pair is None:
        return ''
    position, reported = pair
    error = reported - position
    slides = joint.type is JointType.PRISMATIC
    if abs(error if slides else wrapped(error)) <= TOLERANCE:
        return ''
    unit = 'm' if slides else 'rad'
    return (f'Frame {quote(frame)} is at {position:.4g} {unit} of joint {quote(joint.name)}, and '
            f'the joint states of the same time have {reported:.4g} {unit}')


def _positions_at_one_time(
        seen: Observation, robot: ObservedRobot, joint: Joint, edge: Edge,
        mimic: dict[str, Mimic]) -> tuple[float, float] | None:
    """Return the positions by a transform and by the joint states with its stamp, if any."""
    leader = mimic.get(joint.name, Mimic(joint.name))
    for track in seen.joints_of(robot):
        column = track.columns.get(leader.joint)
        if column is None or column >= track.positions.shape[1]:
            continue
        common, rows, messages = np.intersect1d(
            track.stamps, edge.track.stamps[:, edge.column], return_indices=True)
        if len(common):
            reported = float(track.positions[rows[-1], column])
            if not np.isfinite(reported):
                continue
            position = deviation(joint, edge.track.transforms[messages[-1], edge.column])[2]
            return position, leader.multiplier * reported + leader.offset
    return None
