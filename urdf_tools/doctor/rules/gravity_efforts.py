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


"""The rule about the efforts that hold a robot against gravity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.robots import effort_unit_of
from urdf_tools.doctor.robots import robot_of
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.types import Array

if TYPE_CHECKING:
    from urdf_tools.dynamics.dynamics import InverseDynamics
    from urdf_tools.dynamics.static_efforts import EffortCause

rule = GRAPH_RULES.in_category('joints')

MINIMUM_SECONDS = 2.0
"""How long joints must stand still; what was moving may still swing before."""

MINIMUM_SAMPLES = 10

STILL = 0.002
"""Radians or metres by which positions may differ at rest."""

SLOW = 0.01
"""Speed (rad/s, m/s) that an encoder may report at rest."""


@rule('joint-effort-gravity', Severity.WARN,
      fix='Correct the masses in the model, or the efforts in the driver')
def joint_effort_gravity(observation: Observation) -> Iterator[GraphDefect]:
    """
    Check that the efforts of a robot at rest are those that hold it against gravity.

    Controllers that compensate gravity and plans within limits of effort rely on the masses of the
    model. It is reported only if one payload, one mass or the sign of some efforts explains the
    efforts of all joints and nothing else does, so friction, contacts, other units and other
    mountings are not. The z axis of the root link must point up.

    Example: The arm holds a workpiece of 2 kg that the model does not have.
    """
    for robot in observation.robots:
        tracks = observation.joints_of(robot)
        found = posture_at_rest(robot, tracks)
        if found is None:
            continue
        # Most drivers report no efforts, so this is not loaded before.
        from urdf_tools.dynamics.static_efforts import explain
        cause = explain(*found)
        if cause is not None:
            sources = [track for track in tracks if set(track.names) & set(cause.joints)]
            yield _defect(robot, cause, sources)


def posture_at_rest(robot: ObservedRobot, tracks: list[JointTrack]
                    ) -> tuple[InverseDynamics, Array, dict[str, float]] | None:
    """
    Return the dynamics of a robot, its configuration, and the median efforts of its joints.

    :return: None if it moves, no joint reports finite efforts, or a position is unknown.
    """
    efforts = {name: float(np.median(values)) for track in tracks
               for name, values in track.of_joints(track.efforts).items()
               if np.isfinite(values).all()}
    if not efforts or not all(map(_is_at_rest, tracks)):
        return None
    inverse = _dynamics_of(robot.text)
    positions = {name: float(values[-1]) for track in tracks
                 for name, values in track.of_joints(track.positions).items()}
    names = inverse.tree.variable_names
    if any(name not in positions for name in names):
        return None
    return inverse, inverse.tree.configuration({name: positions[name] for name in names}), efforts


@lru_cache(maxsize=4)
def _dynamics_of(text: str) -> InverseDynamics:
    """Return the dynamics of the robot of a description."""
    from urdf_tools.dynamics.dynamics import InverseDynamics
    robot, _ = robot_of(text)
    assert robot is not None
    return InverseDynamics(robot)


def _is_at_rest(track: JointTrack) -> bool:
    """Return whether joints stood still all the time, and long enough."""
    if len(track.received) < MINIMUM_SAMPLES or (
            track.received[-1] - track.received[0]) / SECOND < MINIMUM_SECONDS:
        return False
    return bool(np.isfinite(track.positions).all()
                and (np.ptp(track.positions, axis=0) <= STILL).all()
                and (np.nan_to_num(np.abs(track.velocities)) <= SLOW).all())


def _defect(robot: ObservedRobot, cause: EffortCause, tracks: list[JointTrack]) -> GraphDefect:
    from urdf_tools.dynamics.static_efforts import Cause
    publishers = [track.publisher for track in tracks]
    common = {'joints': tuple(map(Name, cause.joints))}
    if cause.cause is Cause.SIGN:
        joint = robot.robot.joints[cause.joints[0]]
        return GraphDefect(
            tracks[0].topic, 'At rest, {nodes:and} reports efforts with the opposite sign for '
            '{joints:joint}: {joints}; {joint} takes {expected:.3g} {unit} against gravity, and '
            '{measured:.3g} {unit} is reported', publishers, joint=Name(joint.name),
            subject=joint.name if len(cause.joints) == 1 else '',
            expected=cause.expected[0], measured=cause.measured[0], unit=effort_unit_of(joint),
            hint='Invert the sign in the driver, or the axis of the joint in the model', **common)
    of_link: dict[str, Any] = {
        'subject': cause.link, 'link': Name(cause.link), 'mass': cause.mass, **common}
    if cause.cause is Cause.PAYLOAD:
        return GraphDefect(
            tracks[0].topic, 'At rest, the efforts of {joints} from {nodes:and} are those of '
            'about {mass:.2g} kg more at link {link} than the model has', publishers,
            hint='Attach the payload to the model (urdf-tools attach), or correct the masses near '
            'link {link}', **of_link)
    inertial = robot.robot.links[cause.link].inertial
    assert inertial is not None
    return GraphDefect(
        tracks[0].topic, 'At rest, the efforts of {joints} from {nodes:and} are those of '
        'a link {link} with about {mass:.2g} kg, not {modelled:.3g} kg', publishers,
        hint='Weigh link {link}, or compute its inertia from its meshes (urdf-tools inertia)',
        modelled=inertial.mass, **of_link)
