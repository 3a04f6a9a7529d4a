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

"""The inertia of a whole robot at its current configuration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.dynamics import CompositeInertia
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics import link_inertia
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics import Verdict
from urdf_tools.model.messages import name_list
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.robot_state.live_robot import Configuration
from urdf_tools.ros.robot_state.live_robot import LiveRobot
from urdf_tools.types import Array


@dataclass(frozen=True, eq=False)
class InertiaState:
    """
    The inertia of a robot as one rigid body at some time.

    :ivar robot: what computed it.
    :ivar body: in the frame of the root link; None if it is not finite.
    :ivar configuration: the joint positions.
    """

    robot: RobotInertia
    body: SpatialInertia | None
    configuration: Configuration


class RobotInertia:
    """
    Computes the inertia of a robot as one rigid body, on demand and only if joints have moved.

    :param live: the robot and its joint positions.
    :ivar composite: computes it, and knows the mass and the links that have no inertia.
    :ivar links: inertia of each link that has one, in its own frame.
    :ivar verdicts: name of such a link to whether its inertia is physically consistent.
        Inconsistent ones count as they are.
    :ivar computed: how often it was computed.
    :ivar finite: whether the last result was finite.
    """

    def __init__(self, live: LiveRobot):
        self.live = live
        with np.errstate(all='ignore'):
            self.composite = CompositeInertia(live.tree)
            inertias = {link.name: link_inertia(link) for link in live.robot.links.values()}
        self.links = {name: body for name, body in inertias.items() if body is not None}
        self.verdicts = {name: body.consistency().verdict for name, body in self.links.items()}
        self.computed = 0
        self.finite = True
        self._state: InertiaState | None = None

    def state(self) -> InertiaState:
        """Return the current state; the same object while no joint moves."""
        configuration = self.live.configuration()
        if self._state is None or not np.array_equal(
                configuration.positions, self._state.configuration.positions):
            self.computed += 1
            with np.errstate(all='ignore'):
                body = self.composite(configuration.positions)
                self.finite = body.consistency().verdict is not Verdict.NOT_FINITE
            self._state = InertiaState(self, body if self.finite else None, configuration)
        return self._state

    @property
    def held_joints(self) -> list[str]:
        """The joints of one degree of freedom that follow no other."""
        return [name for name in self.live.tree.velocity_names
                if name in self.live.tree.variable_index and name in self.live.robot.joints]

    def gravity_efforts(self, positions: Array) -> Array | None:
        """Return the efforts that hold these joints against gravity, or None if not finite."""
        tree = self.live.tree
        with np.errstate(all='ignore'):
            efforts = self._dynamics(positions)[
                [tree.velocity_index[name] for name in self.held_joints]]
        return efforts if np.isfinite(efforts).all() else None

    @cached_property
    def _dynamics(self) -> InverseDynamics:
        return InverseDynamics(self.live.tree)


def inertia_status(robot: RobotInertia | None) -> Status:
    """Return whether an inertia can be trusted; there is none before the first description."""
    if robot is None:
        return Status(Level.WARN, NO_DESCRIPTION)
    massless = tuple(
        name for name, verdict in robot.verdicts.items() if verdict is Verdict.MASSLESS)
    inconsistent = tuple(
        f'{name} ({verdict.value})' for name, verdict in robot.verdicts.items()
        if verdict not in (Verdict.CONSISTENT, Verdict.MASSLESS))
    configuration = robot.live.configuration()
    missing = configuration.missing
    values = {
        'Computed': robot.computed,
        'Mass (kg)': f'{robot.composite.mass:.6g}',
        'Without inertial': name_list(robot.composite.without_inertial),
        'Massless': name_list(massless),
        'Inconsistent': name_list(inconsistent),
        'Taken as zero': name_list(missing)}
    complaints = [text for applies, text in (
        (not robot.composite.mass > 0, 'the robot has no mass'),
        (not robot.finite, 'the inertia of the whole robot is not finite'),
        (inconsistent, f'links with a physically inconsistent inertia: {len(inconsistent)}'),
        (configuration.open, configuration.open),
        (missing, f'positions never received, so taken as zero: {len(missing)}')) if applies]
    if complaints:
        return Status(Level.WARN, 'Inertia: ' + ', '.join(complaints), values)
    return Status(Level.OK, 'All inertias are consistent', values)
