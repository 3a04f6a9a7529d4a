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

"""Rules about the frames that are published, needed and ignored."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from math import inf
from typing import Any

import numpy as np

from urdf_tools.doctor.frame_graph import components
from urdf_tools.doctor.frame_graph import Edge
from urdf_tools.doctor.frame_graph import Edges
from urdf_tools.doctor.frame_graph import is_above
from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import pose_in_root
from urdf_tools.doctor.frame_graph import publishers_of
from urdf_tools.doctor.frame_graph import root_of
from urdf_tools.doctor.frame_graph import suggested_frame
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.graph import frame_spaces
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import together
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import TABLES
from urdf_tools.doctor.robots import deviation
from urdf_tools.doctor.robots import usual_error
from urdf_tools.doctor.robots import wrapped
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Clause
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.messages.headers import PLACED
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.grouping import grouped
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic


rule = GRAPH_RULES.in_category('frames')

TOLERANCE = 1e-3
"""Metres or radians by which a transform may differ from the model."""


@rule('frame-two-publishers', ERROR)
def frame_two_publishers(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one publisher publishes each frame.

    Otherwise tf uses whichever transform arrived last, and the frame jumps. Static transforms
    that agree do no harm.

    Example: Both the simulation and the localisation publish odom -> base_link.
    """
    for space, edges in trees(observation).items():
        prefixes = [robot.prefix for robot in observation.robots if robot.tree == space]
        for keys, children in grouped(_contested(edges)).items():
            publishers = {edge.track.source: edge.track for edge in edges[children[0]]}
            nodes = sorted({publishers[key].publisher for key in keys})
            is_fleet = len({*prefixes}) < len(prefixes) or len(
                {node.rpartition('/')[2] for node in nodes}) < len(nodes)
            yield GraphDefect(
                publishers[keys[0]].topic,
                '{nodes:and} publish the same {frames:frame}: {frames}' if len(nodes) > 1 else
                '{nodes} publishes {frames:frame} from {number} publishers: {frames}', nodes,
                frames=tuple(sorted(children)), number=len(keys),
                hint='Give each robot a frame_prefix of its own in its state publisher, or a '
                     'namespace with its own tf' if is_fleet else '')


def _contested(edges: Edges) -> Iterator[tuple[tuple[bytes, ...], str]]:
    """Yield the sources of each frame that has several, and the frame."""
    for child, of_child in edges.items():
        for static in (False, True):
            alike = [edge for edge in of_child if edge.track.static is static]
            sources = {edge.track.source for edge in _overlapping(alike)}
            if len(sources) > 1 and len({edge.parent for edge in of_child}) == 1 and not (
                    static and _agree(alike)):
                yield tuple(sorted(sources)), child


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


@rule('frame-two-parents', ERROR)
def frame_two_parents(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each frame has one parent.

    tf keeps the parent that arrived last, so the tree keeps changing.

    Example: The localisation publishes map -> base_link beside odom -> base_link.
    """
    for edges in trees(observation).values():
        for child, of_child in edges.items():
            of_child = of_child if len(of_child) < 2 else _overlapping(of_child)
            parents: dict[str, Edge] = {edge.parent: edge for edge in of_child}
            if len(parents) > 1:
                yield GraphDefect(
                    of_child[0].track.topic, 'Frame {frame} has {parents:parent}: {parents:and}, '
                    'published by {nodes:and}',
                    [parents[parent].track.publisher for parent in sorted(parents)],
                    subject=child, frame=Name(child), parents=tuple(map(Name, sorted(parents))))


@rule('frame-loop', ERROR)
def frame_loop(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that frames do not form a loop.

    Nothing can be looked up in the frames of a loop.

    Example: The localisation publishes base_link -> odom, and the driver odom -> base_link.
    """
    for space, edges in trees(observation).items():
        # A frame that is its own parent does not count: tf ignores it.
        following = {child: edge.parent for child, of_child in edges.items()
                     for edge in of_child if edge.parent != child}
        for loop in find_cycles(following):
            start = loop.index(min(loop))
            names = [*loop[start:], *loop[:start]]
            yield GraphDefect(
                in_namespace(space, 'tf'), '{frames:frame} from {nodes:and} form a loop: {frames}',
                publishers_of(names, edges), subject=names[0], frames=tuple(names))


@rule('frame-static-and-moving', ERROR)
def frame_static_and_moving(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each frame is published either on tf_static or on tf.

    tf forgets how the frame moved as soon as a static transform arrives.

    Example: A calibration is published as static, but a joint of the model moves that frame.
    """
    for edges in trees(observation).values():
        for child, of_child in edges.items():
            static = {edge.track.publisher for edge in of_child if edge.track.static}
            moving = {edge.track.publisher for edge in of_child if not edge.track.static}
            if static and moving:
                topic = next(edge.track.topic for edge in of_child if not edge.track.static)
                yield GraphDefect(
                    topic, 'Frame {frame} is published on tf_static by {static:and}, and on tf by '
                    '{moving:and}', sorted(static | moving), subject=child, frame=Name(child),
                    static=sorted(static), moving=sorted(moving))


@rule('frame-missing', ERROR)
def frame_missing(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that each frame of the model is published.

    Example: No node publishes the joint states of the gripper.
    """
    published = trees(observation)
    for robot in observation.robots:
        edges = published.get(robot.tree, {})
        expected = [robot.frame(joint.child) for joint in robot.robot.tree]
        missing = tuple(frame for frame in expected if frame not in edges)
        if not missing:
            continue
        publishers = publishers_of(edges, edges)
        silent = _silent(observation, robot, whole=len(missing) == len(expected))
        template = 'Robot {robot} has {frames:frame} that no node publishes: {frames}'
        if len(missing) == len(expected):
            template = 'No frame of robot {robot} is published' + (
                '; {publishers:and} only published other frames' if publishers else '')
        if silent:
            template += '; nothing arrived from {nodes:and}'
        are_fixed = observation.recorded and {*missing} <= {
            robot.frame(joint.child) for joint in robot.robot.tree
            if joint.type is JointType.FIXED}
        yield GraphDefect(
            in_namespace(robot.tree, 'tf'), template, silent, robot=Name(robot.robot.name),
            frames=missing, publishers=publishers,
            hint='See what {nodes:and} waits for: joint states, a description, or /clock if it '
            'has use_sim_time' if silent else 'Record tf_static as transient local, with what was '
            'published before' if are_fixed else '')


def _silent(observation: Observation, robot: ObservedRobot, whole: bool) -> list[str]:
    """
    Return the nodes that have a publisher for frames of a robot, but have not published any.

    :param whole: whether no frame of the robot is published; otherwise only its state publisher
        counts.
    """
    heard = {(track.topic, track.publisher) for track in observation.frames}
    silent = {node for topic in ('tf', 'tf_static')
              for node in observation.graph.publishing(in_namespace(robot.tree, topic))
              if (in_namespace(robot.tree, topic), node) not in heard}
    own = silent & {*observation.graph.publishing(robot.topic)}
    return sorted(own or silent if whole else own)


@rule('frame-prefix-without-slash', WARN)
def frame_prefix_without_slash(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the prefix of the frames of a robot ends with a slash, or another separator.

    It is put before each name as it is.

    Example: The state publisher has the frame_prefix "robot0", so that odometry and the
    navigation look for robot0/base_link.
    """
    for robot in observation.robots:
        prefix, root = robot.prefix, robot.robot.root
        if not _lacks_slash(prefix):
            continue
        links = {f'{prefix}/{link}' for link in robot.robot.links}
        named = {frame for edges in trees(observation).values() for frame in names_of(edges)}
        named |= {name for track in observation.stamped for name in (track.frame, track.child)}
        named |= {value.removeprefix('/') for parameters in observation.parameters.values()
                  for value in parameters.frames.values()}
        used = tuple(map(Name, sorted(links & named)))
        yield GraphDefect(
            in_namespace(robot.tree, 'tf'), 'The frames of robot {robot} are named {frame} and so '
            'on: the prefix {prefix} lacks a slash at its end'
            + ('; others refer to {used}' if used else ''),
            sorted({*observation.graph.publishing(robot.topic)}),
            severity=ERROR if used else None, robot=Name(robot.robot.name),
            frame=Name(robot.frame(root)), prefix=Name(prefix), used=used,
            hint='Write frame_prefix: {with_slash}', with_slash=Name(f'{prefix}/'))


def _lacks_slash(prefix: str) -> bool:
    return prefix[-1:] not in ('', *'/_-.:')


_COMPARED = 1000
"""Frames of a namespace, in pieces, whose names are compared with each other for a hint."""


@rule('frame-tree-in-pieces', WARN)
def frame_tree_in_pieces(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that all frames are connected to a robot.

    Nothing can be transformed between trees that are not connected.

    Example: The camera driver publishes its frames without a transform to the robot.
    """
    for space, edges in trees(observation).items():
        found = components(edges)
        robots = [robot for robot in observation.robots if robot.tree == space]
        roots = {robot.frame(robot.robot.root) for robot in robots}
        # A robot that is in pieces lacks frames, which is reported as frame-missing.
        links = {robot.frame(link) for robot in robots for link in robot.robot.links}
        # Those are reported as frame-prefix-without-slash.
        misnamed = {f'{robot.prefix}/{link}' for robot in robots if _lacks_slash(robot.prefix)
                    for link in robot.robot.links}
        whole = [piece for piece in found if piece & roots] or found[:1]
        top = root_of(whole[0], edges)
        parents = {edge.parent for of_child in edges.values() for edge in of_child}
        for piece in found:
            if piece & links or piece in whole or not piece.isdisjoint(misnamed):
                continue
            root = root_of(piece, edges)
            lost = _lost(observation, space, piece)
            # A node may have parameters for frames in both pieces.
            awaited = {node: named for node, parameters in observation.parameters.items()
                       if (named := {*parameters.frames.values()}) & piece and named & whole[0]}
            joined = {}
            if len(edges) <= _COMPARED:
                joined = _joined(piece, whole[0], edges, parents) or _between(
                    piece - parents, top, awaited)
            yield GraphDefect(
                in_namespace(space, 'tf'), 'The tree of {frames:frame} below {root} from '
                '{nodes:and} is not connected to {other}' + (
                    ', so that data on {topics:and} cannot be transformed' if lost else ''),
                publishers_of(piece, edges),
                severity=ERROR if lost or awaited or joined.get('suggestion') in roots else None,
                subject=root, frames=tuple(sorted(piece)), root=Name(root),
                other=Name(top), topics=lost, **joined)


def _lost(observation: Observation, space: str, piece: set[str]) -> list[str]:
    """Return the topics of data in a piece, for nodes that transform them."""
    return sorted({track.topic for track in observation.stamped if track.frame in piece and any(
        space in frame_spaces(observation.graph, node)
        for node in listeners(observation.graph, track.topic) - {track.publisher})})


def _joined(piece: set[str], whole: set[str], edges: Edges, parents: set[str]) -> dict[str, Any]:
    """Return the hint that a frame at an end of a piece has the wrong name, if it may have."""
    for frame in sorted(piece):
        is_loose = frame not in edges or frame not in parents
        near = suggested_frame(frame, whole) if is_loose else None
        if near:
            return {'hint': 'Did you mean {suggestion} by {wrong}? Otherwise publish the '
                            'transform that connects them', 'suggestion': near,
                    'wrong': Name(frame)}
    return {}


def _between(ends: set[str], root: str, awaited: Mapping[str, set[str]]) -> dict[str, Any]:
    """
    Return the hint which transform connects a piece, if that is known.

    It is from a frame without children, named as odometry or by a node, to the root of the others.

    :param ends: the frames of the piece without children.
    :param root: that of the others.
    :param awaited: each node with parameters for frames in both pieces, and these frames.
    """
    named = {frame: node for node, frames in awaited.items() for frame in frames}
    for frame in sorted(ends):
        node = named.get(frame, '') if root in named else ''
        if node or frame.rpartition('/')[2] == 'odom':
            return {'hint': 'Publish the transform from {parent} to {child}'
                    + (', which {node} waits for' if node else ', as the odometry should'),
                    'parent': Name(frame), 'child': Name(root), 'node': node}
    return {}


@rule('frame-contradicts-model', ERROR)
def frame_contradicts_model(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms agree with the model and the joint states.

    They may differ by a millimetre or a milliradian. The frame of a fixed joint is at its origin.
    That of another joint is moved along or about its axis by the position in the joint state with
    the same stamp.

    Example: A second state publisher has a description with the camera mounted elsewhere.
    """
    published = trees(observation)
    for robot in observation.robots:
        edges = published.get(robot.tree, {})
        mimic = resolve_mimic(robot.robot)
        # Two robots with the same frames are reported as frame-two-publishers.
        of_others = {other.frame(link) for other in observation.robots if other is not robot
                     and other.tree == robot.tree for link in other.robot.links}
        for joint in robot.robot.tree:
            frame, parent = robot.frame(joint.child), robot.frame(joint.parent)
            for edge in edges.get(parent, ()):
                if edge.parent == frame and frame not in edges:
                    yield defect_of(edge.track, 'Frame {frame} from {nodes} is the parent of '
                                    '{parent}, not its child', subject=frame, frame=Name(frame),
                                    parent=Name(parent))
            for edge in () if frame in of_others else edges.get(frame, ()):
                clause = _contradiction(observation, robot, joint, edge, mimic) if (
                    edge.parent == parent) else _other_parent(joint, frame, parent, edge, edges)
                if clause:
                    yield defect_of(edge.track, 'Frame {frame} from {nodes} ' + clause.template,
                                    subject=frame, frame=Name(frame), **clause.values)


def _other_parent(joint: Joint, frame: str, parent: str, edge: Edge, edges: Edges
                  ) -> Clause | None:
    """Return that a frame has another parent than in the model."""
    # Several parents are reported as frame-two-parents. What floats may be published through
    # other frames, such as odom.
    if len({other.parent for other in edges[frame]}) > 1 or (
            joint.type.dof > 1 and is_above(parent, frame, edges)):
        return None
    return Clause('has the parent {parent} instead of {expected}', {
        'parent': Name(edge.parent), 'expected': Name(parent)})


def _contradiction(observation: Observation, robot: ObservedRobot, joint: Joint, edge: Edge,
                   mimic: dict[str, Mimic]) -> Clause | None:
    """Return how a transform disagrees with the joint between its frames."""
    transform = edge.track.transforms[-1, edge.column]
    distance, angle, position = deviation(joint, transform)
    # An invalid transform is reported as frame-ignored.
    if distance < inf and max(distance, angle) > TOLERANCE:
        return Clause(
            'is {distance:.4g} m and {angle:.4g} rad away from what joint {joint} allows', {
                'joint': Name(joint.name), 'distance': distance, 'angle': angle,
                'hint': usual_error(joint, transform)})
    # Which of several sources the frame follows is unknown; reported as joint-two-publishers.
    sources = {track.source for track in observation.joints_of(robot)
               if joint.name in track.columns}
    if joint.type.dof != 1 or edge.track.static or distance == inf or len(sources) > 1:
        return None
    # A state publisher may use the reported position of a joint that mimics another one, too.
    pairs = [pair for leader in {Mimic(joint.name), mimic.get(joint.name, Mimic(joint.name))}
             for pair in _positions_at_one_time(observation, robot, joint, edge, leader)]
    errors = [abs(reported - position) if joint.type is JointType.PRISMATIC else
              abs(wrapped(reported - position)) for position, reported in pairs]
    if not pairs or min(errors) <= TOLERANCE:
        return None
    position, reported = pairs[-1]
    return Clause('puts joint {joint} at {position:.4g} {unit}, but the joint state with the same '
                  'stamp has {reported:.4g} {unit}', {
                      'joint': Name(joint.name), 'position': position, 'reported': reported,
                      'unit': joint.type.unit})


def _positions_at_one_time(observation: Observation, robot: ObservedRobot, joint: Joint,
                           edge: Edge, leader: Mimic) -> Iterator[tuple[float, float]]:
    """Yield the positions in a transform and in a joint state with its stamp."""
    for track in observation.joints_of(robot):
        positions = track.of_joint(leader.joint, track.positions)
        stamps, rows, messages = np.intersect1d(
            track.stamps, edge.track.stamps[:, edge.column], return_indices=True)
        # A stamp of zero is none.
        if positions is not None and stamps.any() and np.isfinite(positions[rows[-1]]):
            yield (deviation(joint, edge.track.transforms[messages[-1], edge.column])[2],
                   leader.multiplier * float(positions[rows[-1]]) + leader.offset)


_MAPS = ('global_frame_id', 'map_frame', 'map_frame_id', 'world_frame')
_ODOMETRY = ('odom_frame', 'odom_frame_id')
"""Parameters that name the frames that localisation and odometry publish."""


@rule('frame-awaited', ERROR)
def frame_awaited(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that frames that parameters name are published.

    A node that waits for a frame does nothing else, and says so only in its log.

    Example: The localisation waits for its initial pose, and the planner for the frame "map".
    """
    published = trees(observation)
    publishing = {node for topic in frame_topics(observation.graph)
                  for node in observation.graph.publishing(topic)}
    for (space, frame), named in _named(observation).items():
        known = names_of(published.get(space, {}))
        if frame in known or any(frame in names_of(edges) for edges in published.values()):
            continue
        # Recordings do not tell who publishes what.
        sources = [node for node, parameter in named.items()
                   if (observation.recorded or node in publishing)
                   and _is_root(parameter, observation.parameters[node].frames)]
        waiting = [node for node in named if node not in sources]
        yield _awaited(observation, space, frame, sources, waiting, named, known)


def _awaited(observation: Observation, space: str, frame: str, sources: list[str],
             waiting: list[str], named: dict[str, str], known: Collection[str]) -> GraphDefect:
    idle = [node for node in sources if observation.states.get(node, 'active') != 'active']
    template = 'No node publishes the frame {frame} ({parameter})'
    if waiting:
        template = '{waiting:and} wait' + ('' if len(waiting) > 1 else 's') + (
            ' for the frame {frame} ({parameter}), which no node publishes')
    hint, suggestion, state = '', None, observation.states[idle[0]] if idle else ''
    if idle:
        template += '; {sources:and} should, but is {state}'
        hint = ('Activate it, for example with "ros2 lifecycle set {source} activate"'
                if state == 'inactive' else
                'Configure and activate it, for example with "ros2 lifecycle set {source} '
                'configure"; see why its lifecycle manager did not')
    elif sources:
        template += '; {sources:and} should'
        hint = ('See what {source} waits for: an initial pose, a map, or data of its sensors, in '
                'frames that exist')
    else:
        longer = [name for name in known if name.startswith(f'{frame}_')]
        suggestion = suggested_frame(frame, known) or (longer[0] if len(longer) == 1 else None)
        hint = '' if suggestion else _HINTS.get(frame.rpartition('/')[2], '')
    nodes, sources = waiting or sources, idle or sources
    return GraphDefect(in_namespace(space, 'tf'), template, nodes, hint=hint,
                       suggestion=suggestion, severity=None if waiting else WARN, subject=frame,
                       frame=Name(frame), waiting=waiting, sources=sources,
                       source=(sources or [''])[0], parameter=named[nodes[0]], state=state)


@rule('frame-parameters-equal', ERROR)
def frame_parameters_equal(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that no node has one frame for the odometry and the base, or two fixed to each other.

    It looks up a motion that is always zero, and no map is made of it.

    Example: odom_frame and base_frame of slam_toolbox are both base_link.
    """
    for node, parameters in observation.parameters.items():
        frames = parameters.frames
        for one, other in (('odom_frame', 'base_frame'), ('odom_frame_id', 'base_frame_id')):
            if frames.get(one) and frames.get(one) == frames.get(other):
                yield GraphDefect('/tf', '{one} of {nodes} is {frame}, as is its {other}', (node,),
                                  subject=frames[one], frame=Name(frames[one]), one=one,
                                  other=other)
            base, frame = frames.get(other, ''), frames.get(one, '')
            for space, edges in trees(observation).items():
                if is_above(frame, base, edges) and pose_in_root(base, edges, {frame})[1]:
                    yield GraphDefect(
                        in_namespace(space, 'tf_static'), 'Static transforms fix {base} to '
                        '{frame}, so that the robot never moves for {node}, which has them as '
                        '{other} and {one}', publishers_of((base,), edges), subject=base, one=one,
                        other=other, base=Name(base), frame=Name(frame), node=node)


_HINTS = TABLES['hints for frames']
"""Hints on what to start for the usual frames."""


def _named(observation: Observation) -> dict[tuple[str, str], dict[str, str]]:
    """Return the namespace and name of frames to the nodes that need them, and the parameter."""
    named: dict[tuple[str, str], dict[str, str]] = {}
    for node, parameters in observation.parameters.items():
        uses_placed_data = any(kind in PLACED and node in observation.graph.subscribing(topic)
                               for topic, kind in observation.graph.kinds.items())
        spaces = frame_spaces(observation.graph, node, uses_placed_data)
        for parameter, frame in _needed(parameters.frames).items():
            for space in sorted(spaces)[:1]:
                named.setdefault((space, frame.removeprefix('/')), {}).setdefault(node, parameter)
    return named


def _needed(frames: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that name frames which the node looks up."""
    if {*frames} == {'base_frame_id'}:
        # Alone it belongs to an option, such as one of octomap_server to filter the ground.
        return {}
    if 'world_frame' in frames:
        # robot_localization has parameters for both maps and odometry, and uses one of them.
        used = {'world_frame', 'base_link_frame'}
        if frames['world_frame'] == frames.get('map_frame'):
            used.add('odom_frame')
        frames = {name: value for name, value in frames.items() if name in used}
    return {name: value for name, value in frames.items() if value.strip('/')}


def _is_root(parameter: str, frames: Mapping[str, str]) -> bool:
    """Return whether a node with some parameters publishes transforms from the frame of one."""
    return parameter in _MAPS or parameter in _ODOMETRY and not any(
        name in frames for name in _MAPS)


@rule('frame-other-topic', ERROR)
def frame_other_topic(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the pose of a robot is published on the topic of its other frames.

    Otherwise the robot has no pose for the nodes that listen to either of them.

    Example: A steering controller of ros2_control publishes odom -> base_link on its own topic
    tf_odometry, which was not remapped to /tf.
    """
    published = trees(observation)
    others = sorted(published.keys() - {robot.tree for robot in observation.robots})
    for robot in observation.robots:
        links, own = {*map(robot.frame, robot.robot.links)}, published.get(robot.tree, {})
        for edge, child in ((published[space][child][-1], child) for space in others if own
                            for child in links & published[space].keys() - own.keys()):
            track = edge.track
            if edge.parent not in links:
                yield GraphDefect(
                    track.topic, '{nodes} publishes frame {frame} of robot {robot} on {topic}, '
                    'but the other frames of the robot are on {published}', (track.publisher,),
                    subject=child, frame=Name(child), robot=Name(robot.robot.name),
                    published=in_namespace(robot.tree, 'tf_static' if track.static else 'tf'))


@rule('frame-other-namespace', ERROR)
def frame_other_namespace(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that nodes listen to frames in a namespace where some are published.

    ``/tf`` is not part of a namespace unless it is remapped, and then it must be in all nodes.

    Example: The robot publishes in the namespace /a200, and RViz was started without it.
    """
    graph, published = observation.graph, trees(observation)
    deaf = grouped(
        (parent_of(topic), node) for topic in frame_topics(graph)
        if published and parent_of(topic) not in published for node in listeners(graph, topic)
        if not frame_spaces(graph, node) & published.keys())
    for space, nodes in deaf.items():
        other = max(published, key=lambda space: len(published[space]))
        yield GraphDefect(
            in_namespace(space, 'tf'), 'No frames arrive on {topic} for {nodes:and}; '
            '{frames:frame} are on {published}', sorted(nodes),
            frames=tuple(sorted(published[other])), published=in_namespace(other, 'tf'),
            remappings=' '.join(f'-r {in_namespace(space, name)}:={in_namespace(other, name)}'
                                for name in ('tf', 'tf_static')))


_CHANGE = 0.01
"""How far the squared length of a quaternion may be from 1: ``BufferCore`` of tf2."""

_Reason = tuple[str, float | None]
"""Why tf ignores a transform, and the length of its quaternion if that is why."""


@rule('frame-ignored', Severity.ERROR)
def frame_ignored(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms are finite, with a unit quaternion, between two frames with names.

    tf ignores others, and each node that listens logs an error.

    Example: A driver leaves the rotation of a transform at 0 0 0 0.
    """
    for track, (reason, length), frames in together(
            (track, why, frame) for track in observation.frames
            for frame, why in (*_misnamed(track), *_not_usable(track))):
        details: dict[str, Any] = {} if length is None else {'length': length}
        yield defect_of(
            track, 'tf ignores {frames:frame} from {nodes}, because of {reason}'
            + (' {length:g}: {frames}' if details else ': {frames}'), reason=reason,
            frames=frames, **details)


def _misnamed(track: FrameTrack) -> Iterator[tuple[str, _Reason]]:
    for parent, child in zip(track.parents, track.children):
        if not child:
            yield parent, ('an empty child_frame_id under the parent', None)
        elif not parent:
            yield child, ('an empty frame_id', None)
        elif parent == child:
            yield child, ('a frame that is its own parent', None)


def _not_usable(track: FrameTrack) -> Iterator[tuple[str, _Reason]]:
    rotations = track.transforms[:, :, 3:]
    lengths = np.einsum('knc,knc->kn', rotations, rotations)
    unit = np.abs(lengths - 1.0) < _CHANGE
    if np.isfinite(track.transforms).all() and unit.all():
        return
    for column, frame in enumerate(track.children):
        if not np.isfinite(track.transforms[:, column]).all():
            yield frame, ('a number that is not finite', None)
        elif not unit[:, column].all():
            worst = lengths[np.argmax(np.abs(lengths[:, column] - 1.0)), column]
            yield frame, ('a quaternion of length', float(f'{np.sqrt(worst):.3g}'))
