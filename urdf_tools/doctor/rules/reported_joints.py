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


"""Rules about which joints are reported, and by whom."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import ERROR
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import WARN
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.stamped_sources import silent_sources
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.grouping import grouped
from urdf_tools.model.spelling import closest

rule = GRAPH_RULES.in_category('joints')


def _wanted(robot: ObservedRobot) -> list[str]:
    """Return the joints whose positions must be reported: those that move and mimic no other."""
    return [joint.name for joint in moving_joints(robot.robot) if joint.mimic is None]


@rule('joint-states-silent', ERROR,
      fix='Start the driver or joint_state_broadcaster, or find out why it stopped publishing',
      example='The driver lost its connection to the robot, but is still running.')
def joint_states_silent(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that joint states keep arriving from each publisher.

    It is only a warning while joint states arrive from another one.
    """
    for robot in seen.robots:
        if not _wanted(robot):
            continue
        tracks = seen.joints_of(robot)
        for topic in robot.joint_topics:
            nodes = seen.graph.publishing(topic)
            if not nodes and not tracks:
                yield GraphDefect(topic, 'No node publishes the joint states of robot {robot}',
                                  robot=Name(robot.robot.name))
            heard = {track.source: track.publisher for track in tracks if track.topic == topic}
            # Without gids, a message is from any of the nodes that publish on its topic.
            silent = [] if b'' in heard else [node for node in nodes if node not in heard.values()]
            if silent and topic not in seen.unreadable:
                yield GraphDefect(
                    topic, '{nodes:and} published no joint states in {seconds:.1f} s',
                    sorted(silent), severity=WARN if heard else None, seconds=seen.seconds)
        # One publisher may report different joints in turn.
        for track, seconds in silent_sources(seen, tracks, lambda track: track.source):
            yield defect_of(track, '{nodes} stopped publishing joint states {silence:.1f} s ago',
                            silence=seconds)


@rule('joint-not-reported', WARN,
      fix='Let the driver report them, or joint_state_source publish default positions',
      example='The gripper has its own driver, which is not running.')
def joint_not_reported(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the joint states contain each joint that moves and mimics no other.

    The frames below an unreported joint are not published.
    """
    for robot in seen.robots:
        tracks = seen.joints_of(robot)
        reported = {name for track in tracks for name in track.names[:track.positions.shape[1]]}
        missing = tuple(name for name in _wanted(robot) if name not in reported)
        if missing and tracks:
            yield GraphDefect(
                robot.joint_topics[0],
                'The joint states from {publishers:and} have {reported:joint}, but lack '
                '{joints:joint} of robot {robot}: {joints}',
                publishers=tuple(sorted({track.publisher for track in tracks})),
                reported=len(reported), joints=missing, robot=Name(robot.robot.name))


@rule('joint-unknown', WARN,
      fix='Rename them in the driver or in the model; a prefix may be missing',
      example='The driver reports "shoulder", but the model calls the joint "left_shoulder".')
def joint_unknown(seen: Observation) -> Iterator[GraphDefect]:
    """Check that the joint states only have joints of the model."""
    for robot in seen.robots:
        known = robot.robot.joints.keys() | robot.neighbours
        unknown = grouped((track.publisher, name) for track in seen.joints_of(robot)
                          for name in track.names if name not in known)
        for publisher, names in unknown.items():
            yield GraphDefect(
                robot.joint_topics[0],
                '{nodes} reports {joints:joint} that robot {robot} does not have: {joints}',
                (publisher,), suggestion=closest(names[0], robot.robot.joints),
                joints=tuple(dict.fromkeys(names)), robot=Name(robot.robot.name))


@rule('joint-two-publishers', ERROR,
      fix='Stop one of them, or remap it and merge both with joint_state_source (source_list)',
      example='A joint_state_publisher from an old launch file still runs beside the driver.')
def joint_two_publishers(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that only one publisher reports each joint.

    Otherwise the frames of the robot jump between two positions. One that reports only velocities
    or efforts does not count.
    """
    for robot in seen.robots:
        tracks = seen.joints_of(robot)
        sources: dict[str, dict[bytes, JointTrack]] = {}
        for track in tracks:
            for name in track.names[:track.positions.shape[1]]:
                sources.setdefault(name, {})[track.source] = track
        together = grouped(
            (tuple(of_joint), name) for name, of_joint in sources.items()
            if len(of_joint) > 1 and _at_the_same_time(list(of_joint.values())))
        for keys, names in together.items():
            nodes = sorted({sources[names[0]][key].publisher for key in keys})
            yield GraphDefect(
                sources[names[0]][keys[0]].topic,
                '{nodes:and} report the same {joints:joint}: {joints}' if len(nodes) > 1 else
                '{nodes} reports {joints:joint} from {number} publishers: {joints}', nodes,
                joints=tuple(names), number=len(keys))


def _at_the_same_time(tracks: list[JointTrack]) -> bool:
    """Return whether one starts before another has ended; a restarted driver does not."""
    tracks.sort(key=lambda track: int(track.received[0]))
    return any(int(later.received[0]) < int(earlier.received[-1])
               for earlier, later in zip(tracks, tracks[1:]))
