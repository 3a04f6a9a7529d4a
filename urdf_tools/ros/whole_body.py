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

"""A whole robot as one body, as its joints stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from urdf_tools.inertia import CompositeInertia
from urdf_tools.inertia import link_inertia
from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia import Verdict
from urdf_tools.model.messages import name_list
from urdf_tools.ros.configuration import Configuration
from urdf_tools.ros.configuration import LiveRobot
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status


@dataclass(frozen=True, eq=False)
class BodyState:
    """
    What is known of the robot as one body at some time.

    :ivar body: in the frame of the root link; None where its numbers are not finite.
    :ivar configuration: where the joints stand.
    """

    body: SpatialInertia | None
    configuration: Configuration


class WholeBody:
    """
    A robot as one body, computed when it is asked for and its joints have moved.

    :param live: the robot and what is received of its joints.
    :ivar mass: in kg.
    :ivar links: the inertias of the links that have one, in their own frames.
    :ivar verdicts: whether a body can have those inertias, by the name of the link, too. They
        count as they are.
    :ivar without_inertial: names of the links that have none and count for nothing.
    :ivar computed: how many times it was computed.
    :ivar finite: whether its numbers were finite the last time.
    """

    def __init__(self, live: LiveRobot):
        self.live = live
        with np.errstate(all='ignore'):
            self._composite = CompositeInertia(live.robot)
            inertias = {link.name: link_inertia(link) for link in live.robot.links.values()}
        self.mass = self._composite.mass
        self.links = {name: body for name, body in inertias.items() if body is not None}
        self.verdicts = {name: body.consistency().verdict for name, body in self.links.items()}
        self.without_inertial = self._composite.without_inertial
        self.computed = 0
        self.finite = True
        self._state: BodyState | None = None

    def state(self) -> BodyState:
        """Return the present state, the same one as long as no joint moves."""
        configuration = self.live.configuration()
        if self._state is None or not np.array_equal(
                configuration.positions, self._state.configuration.positions):
            self._state = BodyState(self._weigh(configuration.positions), configuration)
        return self._state

    def _weigh(self, positions):
        self.computed += 1
        with np.errstate(all='ignore'):
            body = self._composite(positions)
            self.finite = body.consistency().verdict is not Verdict.NOT_FINITE
        return body if self.finite else None


class WholeBodyTask:
    """
    Whether the robot as one body is what it seems to be.

    :param whole: returns the robot, or None while there is no model.
    """

    name = 'Inertia'

    def __init__(self, whole: Callable[[], WholeBody | None]):
        self._whole = whole

    def run(self) -> Status:
        """Return the status of the robot as one body."""
        whole = self._whole()
        if whole is None:
            return Status(Level.WARN, 'No robot description yet')
        massless = tuple(
            name for name, verdict in whole.verdicts.items() if verdict is Verdict.MASSLESS)
        faults = {
            name: verdict for name, verdict in whole.verdicts.items()
            if verdict not in (Verdict.CONSISTENT, Verdict.MASSLESS)}
        missing = whole.live.configuration().missing
        values = {
            'Computed': whole.computed,
            'Mass (kg)': f'{whole.mass:.6g}',
            'Without inertial': name_list(whole.without_inertial),
            'Massless': name_list(massless),
            'Impossible': name_list(tuple(
                f'{name} ({verdict.value})' for name, verdict in faults.items())),
            'At rest': name_list(missing)}
        complaints = []
        if not whole.mass > 0:
            complaints.append('the robot has no mass')
        if not whole.finite:
            complaints.append('the numbers of the robot as one body are not finite')
        if faults:
            complaints.append(f'links that no body can be: {len(faults)}')
        if missing:
            complaints.append(f'positions never received, so at rest: {len(missing)}')
        if complaints:
            return Status(Level.WARN, 'Inertia: ' + ', '.join(complaints), values)
        return Status(Level.OK, 'Every link with an inertial counts', values)
