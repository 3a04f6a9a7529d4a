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
"""Rules about frames that nodes wait for, and the namespaces of their listeners."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.doctor.frame_graph import names_of
from urdf_tools.doctor.frame_graph import trees
from urdf_tools.doctor.frame_names import suggested_frame
from urdf_tools.doctor.graph import frame_spaces
from urdf_tools.doctor.graph import frame_topics
from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import listeners
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import Observation
from urdf_tools.findings.message import Name
from urdf_tools.messages.headers import PLACED

rule = GRAPH_RULES.in_category('frames')

_MAPS = ('global_frame_id', 'map_frame', 'map_frame_id', 'world_frame')
_ODOMETRY = ('odom_frame', 'odom_frame_id')
"""Parameters that name the frames that localisation and odometry publish."""


@rule('frame-awaited', ERROR,
      fix='Start the node that publishes the frame, or correct the parameter',
      example='The localisation waits for its initial pose, and the planner for the frame "map".')
def frame_awaited(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that frames that parameters name are published.

    A node that waits for a frame does nothing else, and says so only in its log.
    """
    published = trees(seen)
    publishing = {node for topic in frame_topics(seen.graph)
                  for node in seen.graph.publishing(topic)}
    for (space, frame), named in _named(seen).items():
        known = names_of(published.get(space, {}))
        if frame in known or any(frame in names_of(edges) for edges in published.values()):
            continue
        # Recordings do not tell who publishes what.
        sources = [node for node, parameter in named.items()
                   if (seen.recorded or node in publishing)
                   and _is_root(parameter, seen.parameters[node].frames)]
        waiting = [node for node in named if node not in sources]
        yield _awaited(seen, space, frame, sources, waiting, named, known)


def _awaited(seen: Observation, space: str, frame: str, sources: list[str], waiting: list[str],
             named: dict[str, str], known: Collection[str]) -> GraphDefect:
    idle = [node for node in sources if seen.states.get(node, 'active') != 'active']
    template = ('{waiting:and} waits for the frame {frame} ({parameter}), which no node publishes'
                if waiting else 'No node publishes the frame {frame} ({parameter})')
    if len(waiting) > 1:
        template = template.replace('waits', 'wait')
    hint, suggestion, state = '', None, ''
    if idle:
        state = seen.states[idle[0]]
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
        if not suggestion:
            hint = _HINTS.get(frame.rpartition('/')[2], '')
    node = (waiting or sources)[0]
    return GraphDefect(in_namespace(space, 'tf'), template, waiting or sources, hint=hint,
                       suggestion=suggestion, severity=None if waiting else WARN, subject=frame,
                       frame=Name(frame), waiting=waiting, sources=idle or sources,
                       source=(idle or sources or [''])[0], parameter=named[node], state=state)


_HINTS = {
    'map': 'Start a localisation (amcl, slam_toolbox), or correct the parameter',
    'odom': 'Let the odometry publish odom -> base_link (a drive controller with '
            'enable_odom_tf, or robot_localization), or correct the parameter'}
"""Hints on what to start for the usual frames."""


def _named(seen: Observation) -> dict[tuple[str, str], dict[str, str]]:
    """Return the namespace and name of frames to the nodes that need them, and the parameter."""
    named: dict[tuple[str, str], dict[str, str]] = {}
    for node, parameters in seen.parameters.items():
        uses_placed_data = any(kind in PLACED and node in seen.graph.subscribing(topic)
                               for topic, kind in seen.graph.kinds.items())
        spaces = frame_spaces(seen.graph, node, uses_placed_data)
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


@rule('frame-other-topic', ERROR,
      fix='Remap tf and tf_static of all nodes of a robot to the same topics',
      example='A steering controller of ros2_control publishes odom -> base_link on its own '
              'topic tf_odometry, which was not remapped to /tf.')
def frame_other_topic(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the pose of a robot is published on the topic of its other frames.

    Otherwise the robot has no pose for the nodes that listen to either of them.
    """
    published = trees(seen)
    others = sorted(published.keys() - {robot.tree for robot in seen.robots})
    for robot in seen.robots:
        links, own = {*map(robot.frame, robot.robot.links)}, published.get(robot.tree, {})
        for child, edges in ((child, published[space][child]) for space in others if own
                             for child in links & published[space].keys() - own.keys()):
            track, parent = edges[-1].track, edges[-1].parent
            if parent not in links:
                yield GraphDefect(
                    track.topic, '{nodes} publishes frame {frame} of robot {robot} on {topic}, '
                    'but the other frames of the robot are on {published}', (track.publisher,),
                    subject=child, frame=Name(child), robot=Name(robot.robot.name),
                    published=in_namespace(robot.tree, 'tf_static' if track.static else 'tf'),
                    hint='Start {nodes} with -r {topic}:={published}')


@rule('frame-other-namespace', ERROR,
      fix='Remap tf and tf_static of the listeners to the namespace of the robot',
      example='The robot publishes in the namespace /a200, and RViz was started without it.')
def frame_other_namespace(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that nodes listen to frames in a namespace where some are published.

    ``/tf`` is not part of a namespace unless it is remapped, and then it must be in all nodes.
    """
    published = trees(seen)
    other = max(published, key=lambda space: len(published[space]), default=None)
    deaf: dict[str, set[str]] = {}
    for topic in frame_topics(seen.graph):
        space = topic.rpartition('/')[0] or '/'
        if space not in published:
            deaf.setdefault(space, set()).update(
                node for node in listeners(seen.graph, topic)
                if not frame_spaces(seen.graph, node) & published.keys())
    for space, nodes in deaf.items():
        if other is not None and nodes:
            yield GraphDefect(
                in_namespace(space, 'tf'), 'No frames arrive on {topic} for {nodes:and}; '
                '{frames:frame} are on {published}', sorted(nodes),
                hint='Start them with {remappings}', frames=tuple(sorted(published[other])),
                published=in_namespace(other, 'tf'), remappings=' '.join(
                    f'-r {in_namespace(space, name)}:={in_namespace(other, name)}'
                    for name in ('tf', 'tf_static')))
