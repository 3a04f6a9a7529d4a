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

"""Diagnostics of the model and of the joint states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
import time
from typing import TYPE_CHECKING

from urdf_tools.model.messages import name_list
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.robot_state.current_model import CurrentModel

if TYPE_CHECKING:  # The state publisher has static frames to publish before it imports numpy.
    from urdf_tools.ros.robot_state.joint_states import JointStates

REJECTION_SHOWN = 60.0
"""Seconds for which a rejected value of the parameter robot_description is reported."""


def model_status(model: CurrentModel) -> Status:
    """
    Return which model is in use, and whether the newest description was refused.

    A refused value of the parameter is forgotten after :data:`REJECTION_SHOWN`, because the
    parameter still has its last good one; a refused message is the latest on its topic, so that
    is an error until a good one follows.
    """
    robot, rejection, error = model.robot, model.rejection, model.error
    values: dict[str, object] = {}
    level, message = Level.OK, 'Model loaded'
    if robot is None:
        level, message = Level.WARN, NO_DESCRIPTION
    else:
        values = {
            'Robot': robot.name, 'Root link': robot.root,
            'Links': len(robot.links), 'Joints': len(robot.joints),
            'SHA-256': model.digest}
        if robot.problems:
            worst = robot.problems[0]
            level, message = Level.WARN, f'The model was repaired: {worst.message}'
            values['Repairs'] = len(robot.problems)
            values['First repair'] = f'line {worst.line}: {worst.message}'
    if rejection is not None and time.monotonic() - model.rejected_at <= REJECTION_SHOWN:
        level = Level.WARN
        message = f'A new description was rejected: {rejection.message}'
        values['Rejected because'] = rejection
    if error is not None:
        level = Level.ERROR
        message = f'The newest description was refused: {error.message}'
        values['Refused because'] = error
        values['Refused at line'] = error.line or 'unknown'
    return Status(level, message, values)


class JointStatesTask:
    """
    Diagnostics of the received joint states: their rate and their faults.

    :param joints: returns the present joint states, or None before the first description.
    :param timeout: returns the age in seconds beyond which a joint is stale; 0 is never.
    :param publishers: returns the number of publishers of joint states.
    """

    def __init__(
            self, joints: Callable[[], JointStates | None],
            timeout: Callable[[], float], publishers: Callable[[], int]):
        self._joints = joints
        self._timeout = timeout
        self._publishers = publishers
        self._rate = Rate()
        self._faults: Counter[str] = Counter()
        self._messages = 0

    def run(self) -> Status:
        """Return the status of the joint states."""
        joints = self._joints()
        if joints is None:
            return Status(Level.WARN, NO_DESCRIPTION)
        now = time.monotonic()
        lists = {
            'Missing': joints.missing(),
            'Stale': joints.stale(now, self._timeout()),
            'Beyond limits': joints.beyond_limits()}
        values = {
            'Publishers': self._publishers(),
            'Messages': joints.messages,
            'Rate (Hz)': f'{self._rate(joints.messages):.2f}',
            'Age (s)': f'{now - joints.last_time:.3f}' if joints.messages else 'none',
            **{key: name_list(names) for key, names in lists.items()},
            'Unknown': name_list(tuple(joints.reader.unknown)),
            **{f'Values skipped: {reason}': n for reason, n in sorted(joints.faults.items())}}
        fresh = joints.faults - self._faults
        self._faults = Counter(joints.faults)
        status = Status(*self._verdict(joints, lists, fresh, now - joints.last_time), values)
        self._messages = joints.messages
        return status

    def _verdict(
            self, joints: JointStates, lists: Mapping[str, Sequence[str]],
            fresh: Counter[str], age: float) -> tuple[Level, str]:
        if not joints.names:
            return Level.OK, (
                'The robot has only planar and floating joints, which joint_states cannot move'
                if joints.multi_dof else 'The robot has no moving joints')
        if not joints.messages:
            return Level.WARN, f'No joint states received yet; publishers: {self._publishers()}'
        if 0 < self._timeout() < age:
            return Level.WARN, f'No joint states for {age:.1f} s'
        complaints = [f'{len(names)} {key.lower()}' for key, names in lists.items() if names]
        complaints += [
            f'{count} values skipped ({reason})' for reason, count in sorted(fresh.items())
            if reason != 'unknown']
        if complaints:
            return Level.WARN, 'Joints: ' + ', '.join(complaints)
        if joints.messages == self._messages:
            return Level.OK, f'The last joint states arrived {age:.1f} s ago'
        return Level.OK, 'Receiving joint states'
