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
from typing import Any

import numpy as np

from urdf_tools.doctor.frame_graph import components
from urdf_tools.doctor.frame_graph import Edge
from urdf_tools.doctor.frame_graph import Edges
from urdf_tools.doctor.frame_graph import is_above
from urdf_tools.doctor.frame_graph import publishers_of
from urdf_tools.doctor.frame_graph import root_of
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.frame_names import suggested_frame
from urdf_tools.doctor.graph import frame_spaces
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.joint_motion import deviation
from urdf_tools.doctor.joint_motion import usual_error
from urdf_tools.doctor.joint_motion import wrapped
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.findings.message import Clause
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.model.cycles import find_cycles
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic

rule = GRAPH_RULES.in_category('frames')

TOLERANCE = 1e-3
"""Metres or radians by which a transform may differ from the model."""

"""The rest of a template and its arguments; empty if nothing is wrong."""

_NOTHING = Clause('')


@rule('frame-two-publishers', ERROR, fix='Stop one of them, or start it with publish_tf:=false',
      example='Both the simulation and the localisation publish odom -> base_link.')
def frame_two_publishers(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one publisher publishes each frame.

    Otherwise tf uses whichever transform arrived last, and the frame jumps. Static transforms
    that agree do no harm.
    """
    for space, edges in trees(seen).items():
        prefixes = [robot.prefix for robot in seen.robots if robot.tree == space]
        together: dict[tuple[bytes, ...], list[str]] = {}
        for child, of_child in edges.items():
            if len(of_child) < 2 or len({edge.parent for edge in of_child}) > 1:
                continue
            for static in (False, True):
                alike = [edge for edge in of_child if edge.track.static is static]
                sources = {edge.track.source for edge in _overlapping(alike)}
                if len(sources) > 1 and not (static and _agree(alike)):
                    together.setdefault(tuple(sorted(sources)), []).append(child)
        for keys, children in together.items():
            publishers = {edge.track.source: edge.track for edge in edges[children[0]]}
            nodes = sorted({publishers[key].publisher for key in keys})
            yield GraphDefect(
                publishers[keys[0]].topic,
                '{nodes:and} publish the same {frames:frame}: {frames}' if len(nodes) > 1 else
                '{nodes} publishes {frames:frame} from {number} publishers: {frames}', nodes,
                frames=tuple(sorted(children)), number=len(keys),
                hint='Give each robot a frame_prefix of its own in its state publisher, or a '
                     'namespace with its own tf' if len({*prefixes}) < len(prefixes) else '')


def _agree(edges: list[Edge]) -> bool:
    """Return whether transforms are the same within the tolerance."""
    rows = np.array([edge.track.transforms[-1, edge.column] for edge in edges])
    # A quaternion and its negative are the same rotation.
    rows[:, 3:] *= np.where(rows[:, 3:] @ rows[0, 3:] < 0, -1.0, 1.0)[:, None]
    return bool((np.abs(rows - rows[0]) <= TOLERANCE).all())


def _overlapping(edges: list[Edge]) -> list[Edge]:
    """Return the edges of publishers that publish at the same time; a restarted one does not."""
    edges = sorted(edges, key=lambda edge: int(edge.track.received[0]))
    return [edge for edge in edges if any(
        other.track.source == edge.track.source or other.track.static or edge.track.static
        or (other.track.received[0] < edge.track.received[-1]
            and edge.track.received[0] < other.track.received[-1])
        for other in edges if other is not edge)]


@rule('frame-two-parents', ERROR, fix='Let one of them publish another child frame, or stop it',
      example='The localisation publishes map -> base_link beside odom -> base_link.')
def frame_two_parents(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that each frame has one parent.

    tf keeps the parent that arrived last, so the tree keeps changing.
    """
    for edges in trees(seen).values():
        for child, of_child in edges.items():
            of_child = of_child if len(of_child) < 2 else _overlapping(of_child)
            parents: dict[str, Edge] = {edge.parent: edge for edge in of_child}
            if len(parents) > 1:
                yield GraphDefect(
                    of_child[0].track.topic, 'Frame {frame} has {parents:parent}: {parents:and}, '
                    'published by {nodes:and}',
                    [parents[parent].track.publisher for parent in sorted(parents)],
                    subject=child, frame=Name(child), parents=tuple(map(Name, sorted(parents))))


@rule('frame-loop', ERROR,
      fix='Invert one of the transforms: tf expects the pose of the child in its parent',
      example='The localisation publishes base_link -> odom, and the driver odom -> base_link.')
def frame_loop(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that frames do not form a loop.

    Nothing can be looked up in the frames of a loop.
    """
    for space, edges in trees(seen).items():
        # A frame that is its own parent does not count: tf ignores it.
        following = {child: edge.parent for child, of_child in edges.items()
                     for edge in of_child if edge.parent != child}
        for loop in find_cycles(following):
            start = loop.index(min(loop))
            names = [*loop[start:], *loop[:start]]
            yield GraphDefect(
                in_namespace(space, 'tf'), '{frames:frame} from {nodes:and} form a loop: {frames}',
                publishers_of(names, edges), subject=names[0], frames=tuple(names))


@rule('frame-static-and-moving', ERROR, fix='Publish it on only one of the two topics',
      example='A calibration is published as static, but a joint of the model moves that frame.')
def frame_static_and_moving(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that each frame is published either on tf_static or on tf.

    tf forgets how the frame moved as soon as a static transform arrives.
    """
    for edges in trees(seen).values():
        for child, of_child in edges.items():
            static = {edge.track.publisher for edge in of_child if edge.track.static}
            moving = {edge.track.publisher for edge in of_child if not edge.track.static}
            if static and moving:
                topic = next(edge.track.topic for edge in of_child if not edge.track.static)
                yield GraphDefect(
                    topic, 'Frame {frame} is published on tf_static by {static:and}, and on tf by '
                    '{moving:and}', sorted(static | moving), subject=child, frame=Name(child),
                    static=sorted(static), moving=sorted(moving))


@rule('frame-missing', ERROR,
      fix='Start a state publisher for the model, and make sure that all its joints are reported',
      example='No node publishes the joint states of the gripper.')
def frame_missing(seen: Observation) -> Iterator[GraphDefect]:
    """Check that each frame of the model is published."""
    published = trees(seen)
    for robot in seen.robots:
        edges = published.get(robot.tree, {})
        expected = [robot.frame(joint.child) for joint in robot.robot.tree]
        missing = tuple(frame for frame in expected if frame not in edges)
        if not missing:
            continue
        publishers = publishers_of(edges, edges)
        silent = _silent(seen, robot, whole=len(missing) == len(expected))
        template = 'Robot {robot} has {frames:frame} that no node publishes: {frames}'
        if len(missing) == len(expected):
            template = 'No frame of robot {robot} is published' + (
                '; {publishers:and} only published other frames' if publishers else '')
        if silent:
            template += '; nothing arrived from {nodes:and}'
        yield GraphDefect(
            in_namespace(robot.tree, 'tf'), template, silent, robot=Name(robot.robot.name),
            frames=missing, publishers=publishers, hint=silent and (
                'See what {nodes:and} waits for: joint states, a description, or /clock if it has '
                'use_sim_time'))


def _silent(seen: Observation, robot: ObservedRobot, whole: bool) -> list[str]:
    """
    Return the nodes that have a publisher for frames of a robot, but have not published any.

    :param whole: whether no frame of the robot is published; otherwise only its state publisher
        counts.
    """
    heard = {(track.topic, track.publisher) for track in seen.frames}
    silent = {node for topic in ('tf', 'tf_static')
              for node in seen.graph.publishing(in_namespace(robot.tree, topic))
              if (in_namespace(robot.tree, topic), node) not in heard}
    own = silent & {*seen.graph.publishing(robot.topic)}
    return sorted(own or silent if whole else own)


@rule('frame-tree-in-pieces', WARN,
      fix='Publish the transform that connects them, or stop the publisher of the other tree',
      example='The camera driver publishes its frames without a transform to the robot.')
def frame_tree_in_pieces(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that all frames are connected to a robot.

    Nothing can be transformed between trees that are not connected.
    """
    for space, edges in trees(seen).items():
        found = components(edges)
        robots = [robot for robot in seen.robots if robot.tree == space]
        roots = {robot.frame(robot.robot.root) for robot in robots}
        # A robot that is in pieces lacks frames, which is reported as frame-missing.
        links = {robot.frame(link) for robot in robots for link in robot.robot.links}
        whole = [piece for piece in found if piece & roots] or found[:1]
        for piece in found:
            if piece & links or piece in whole:
                continue
            root = root_of(piece, edges)
            lost = _lost(seen, space, piece)
            joined = _joined(piece, whole[0], edges)
            # A node may have parameters for frames in both pieces.
            awaited = any(named & piece and named & whole[0] for named in (
                {*parameters.frames.values()} for parameters in seen.parameters.values()))
            yield GraphDefect(
                in_namespace(space, 'tf'), 'The tree of {frames:frame} below {root} from '
                '{nodes:and} is not connected to {other}' + (
                    ', so that data on {topics:and} cannot be transformed' if lost else ''),
                publishers_of(piece, edges),
                severity=ERROR if lost or awaited or joined.get('suggestion') in roots else None,
                subject=root, frames=tuple(sorted(piece)), root=Name(root),
                other=Name(root_of(whole[0], edges)), topics=lost, **joined)


def _lost(seen: Observation, space: str, piece: set[str]) -> list[str]:
    """Return the topics of data in a piece, for nodes that transform them."""
    return sorted({track.topic for track in seen.stamped if track.frame in piece and any(
        space in frame_spaces(seen.graph, node)
        for node in listeners(seen.graph, track.topic) - {track.publisher})})


def _joined(piece: set[str], whole: set[str], edges: Edges) -> dict[str, Any]:
    """Return the hint that a frame at an end of a piece has the wrong name, if it may have."""
    parents = {edge.parent for of_child in edges.values() for edge in of_child}
    for frame in sorted(piece):
        is_loose = frame not in edges or frame not in parents
        near = suggested_frame(frame, whole) if is_loose else None
        if near:
            return {'hint': 'Did you mean {suggestion} by {wrong}? Otherwise publish the '
                            'transform that connects them', 'suggestion': near,
                    'wrong': Name(frame)}
    return {}


@rule('frame-contradicts-model', ERROR, fix='Start all state publishers with the same description',
      example='A second state publisher has a description with the camera mounted elsewhere.')
def frame_contradicts_model(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms agree with the model and the joint states.

    They may differ by a millimetre or a milliradian. The frame of a fixed joint is at its origin.
    That of another joint is moved along or about its axis by the position in the joint state with
    the same stamp.
    """
    published = trees(seen)
    for robot in seen.robots:
        edges = published.get(robot.tree, {})
        mimic = resolve_mimic(robot.robot)
        of_others = {other.frame(link) for other in seen.robots for link in other.robot.links
                     if other is not robot and other.tree == robot.tree}
        for joint in robot.robot.tree:
            frame, parent = robot.frame(joint.child), robot.frame(joint.parent)
            for edge in edges.get(parent, ()) if frame not in edges else ():
                if edge.parent == frame:
                    yield defect_of(
                        edge.track, 'Frame {frame} from {nodes} is the parent of {parent}, '
                        'not its child', subject=frame, frame=Name(frame),
                        parent=Name(parent), hint='Interchange them, and publish the inverse '
                        'transform: tf expects the pose of the child in its parent')
            for edge in edges.get(frame, ()):
                if frame in of_others:
                    # Two robots with the same frames are reported as frame-two-publishers.
                    continue
                if edge.parent != parent:
                    # Several parents are reported as frame-two-parents. What floats may be
                    # published through other frames, such as odom.
                    if len({other.parent for other in edges[frame]}) > 1 or (
                            joint.type.dof > 1 and is_above(parent, frame, edges)):
                        continue
                    clause = Clause('has the parent {parent} instead of {expected}', {
                        'parent': Name(edge.parent), 'expected': Name(parent)})
                else:
                    clause = _contradiction(seen, robot, joint, edge, mimic)
                if clause.template:
                    yield defect_of(edge.track, 'Frame {frame} from {nodes} ' + clause.template,
                                    subject=frame, frame=Name(frame), **clause.values)


def _contradiction(seen: Observation, robot: ObservedRobot, joint: Joint, edge: Edge,
                   mimic: dict[str, Mimic]) -> Clause:
    """Return how a transform disagrees with the joint between its frames."""
    distance, angle, position = deviation(joint, edge.track.transforms[-1, edge.column])
    # An invalid transform is reported as frame-ignored.
    if distance < inf and not (distance <= TOLERANCE and angle <= TOLERANCE):
        return Clause(
            'is {distance:.4g} m and {angle:.4g} rad away from what joint {joint} allows', {
                'joint': Name(joint.name), 'distance': distance, 'angle': angle,
                'hint': usual_error(joint, edge.track.transforms[-1, edge.column])})
    # Which of several sources the frame follows is unknown; reported as joint-two-publishers.
    sources = {track.source for track in seen.joints_of(robot) if joint.name in track.columns}
    if joint.type.dof != 1 or edge.track.static or distance == inf or len(sources) > 1:
        return _NOTHING
    # A state publisher may use the reported position of a joint that mimics another one, too.
    pairs = [pair for leader in {Mimic(joint.name), mimic.get(joint.name, Mimic(joint.name))}
             if (pair := _positions_at_one_time(seen, robot, joint, edge, leader))]
    errors = [reported - position for position, reported in pairs]
    if joint.type is not JointType.PRISMATIC:
        errors = [wrapped(error) for error in errors]
    if not pairs or any(abs(error) <= TOLERANCE for error in errors):
        return _NOTHING
    position, reported = pairs[-1]
    return Clause('puts joint {joint} at {position:.4g} {unit}, but the joint state with the same '
                  'stamp has {reported:.4g} {unit}', {
                      'joint': Name(joint.name), 'position': position, 'reported': reported,
                      'unit': joint.type.unit})


def _positions_at_one_time(seen: Observation, robot: ObservedRobot, joint: Joint, edge: Edge,
                           leader: Mimic) -> tuple[float, float] | None:
    """Return the positions in a transform and in the joint state with its stamp, if any."""
    for track in seen.joints_of(robot):
        positions = track.of_joint(leader.joint, track.positions)
        if positions is None:
            continue
        common, rows, messages = np.intersect1d(
            track.stamps, edge.track.stamps[:, edge.column], return_indices=True)
        # A stamp of zero is none.
        rows, messages = rows[common != 0], messages[common != 0]
        if len(rows):
            reported = float(positions[rows[-1]])
            if not np.isfinite(reported):
                continue
            position = deviation(joint, edge.track.transforms[messages[-1], edge.column])[2]
            return position, leader.multiplier * reported + leader.offset
    return None
