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

"""What nodes tell about their health: model, joint states, transforms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
import time

from urdf_tools.model.messages import name_list
from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.stamp_gate import THROTTLED


MIN_AGE = -1.0
MAX_AGE = 5.0
"""Ages of stamps in seconds that need no attention, as of diagnostic_updater's TimeStampStatus."""


class ModelTask:
    """Which model is in use, and whether the newest description was refused."""

    name = 'Model'

    def __init__(self, model: CurrentModel):
        self._model = model

    def run(self) -> Status:
        """Return the status of the model."""
        model = self._model
        values = {}
        level, message = Level.OK, 'Model loaded'
        if model.robot is None:
            level, message = Level.WARN, 'No robot description yet'
        else:
            values = {
                'Robot': model.robot.name, 'Root link': model.robot.root,
                'Links': len(model.robot.links), 'Joints': len(model.robot.joints),
                'SHA-256': model.digest}
            if model.robot.problems:
                worst = model.robot.problems[0]
                level, message = Level.WARN, f'The model was repaired: {worst.message}'
                values['Repairs'] = len(model.robot.problems)
                values['First repair'] = f'line {worst.line}: {worst.message}'
        if model.error is not None:
            level = Level.ERROR
            message = f'The newest description was refused: {model.error.message}'
            values['Refused because'] = model.error
            values['Refused at line'] = model.error.line or 'unknown'
        return Status(level, message, values)


class JointStatesTask:
    """
    Whether joint states come, how fast, and what is wrong with them.

    :param joints: returns the present joint states, or None while there is no model.
    :param timeout: returns the age in seconds beyond which a joint is stale; 0 is never.
    :param publishers: returns how many publishers of joint states are connected.
    :param clock: the clock of the joint states' times.
    """

    name = 'Joint states'

    def __init__(
            self, joints: Callable[[], JointStates | None],
            timeout: Callable[[], float] = lambda: 0.0,
            *, publishers: Callable[[], int],
            clock: Callable[[], float] = time.monotonic):
        self._joints = joints
        self._timeout = timeout
        self._publishers = publishers
        self._clock = clock
        self._rate = Rate(clock)
        self._faults = Counter()

    def run(self) -> Status:
        """Return the status of the joint states."""
        joints = self._joints()
        if joints is None:
            return Status(Level.WARN, 'No robot description yet')
        now = self._clock()
        lists = {
            'Missing': joints.missing(),
            'Stale': joints.stale(now, self._timeout()) if self._timeout() else (),
            'Beyond limits': joints.beyond_limits()}
        values = {
            'Publishers': self._publishers(),
            'Messages': joints.messages,
            'Rate (Hz)': f'{self._rate(joints.messages):.2f}',
            'Age (s)': f'{now - joints.last_time:.3f}' if joints.messages else 'none',
            **{key: name_list(names) for key, names in lists.items()},
            'Unknown': name_list(tuple(joints.unknown)),
            **{f'Values skipped: {reason}': n for reason, n in sorted(joints.faults.items())}}
        fresh = joints.faults - self._faults
        self._faults = Counter(joints.faults)
        return Status(*self._verdict(joints, lists, fresh), values)

    def _verdict(self, joints, lists, fresh):
        if not joints.names:
            return Level.OK, 'The robot has no moving joint'
        if not joints.messages:
            return Level.WARN, f'No joint states received from {self._publishers()} publishers'
        complaints = [
            f'{len(names)} {key.lower()}' for key, names in lists.items() if names]
        complaints += [
            f'{count} values skipped ({reason})' for reason, count in sorted(fresh.items())
            if reason != 'unknown']
        if complaints:
            return Level.WARN, 'Joints: ' + ', '.join(complaints)
        return Level.OK, 'Joint states arrive'


class TransformsTask:
    """
    How many transforms are published, and why others were not.

    :param dropped: joint states that gave no transform, by reason; the owner counts.
    :param now: returns the time of the node's clock in nanoseconds.
    :ivar published: messages sent on ``/tf``; the owner counts.
    :ivar stamp: stamp of the last of them in nanoseconds; the owner sets it.
    :ivar static: transforms on ``/tf_static``; the owner counts.
    :ivar waiting: joints that the owner knows no transform of yet.
    """

    name = 'Transforms'

    def __init__(self, dropped: Counter[str], now: Callable[[], int],
                 clock: Callable[[], float] = time.monotonic):
        self.published = 0
        self.stamp = 0
        self.static = 0
        self.waiting: tuple[str, ...] = ()
        self._dropped = dropped
        self._now = now
        self._rate = Rate(clock)
        self._seen = Counter(dropped)

    def run(self) -> Status:
        """Return the status of the transforms."""
        rate = self._rate(self.published)
        age = (self._now() - self.stamp) / 1e9 if rate else None
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{rate:.2f}',
            'Age of stamps (s)': 'none' if age is None else f'{age:.3f}',
            'Static': self.static,
            'Waiting for': name_list(self.waiting),
            **{f'Dropped: {reason}': count for reason, count in sorted(self._dropped.items())}}
        fresh = self._dropped - self._seen
        self._seen = Counter(self._dropped)
        # What the user's own limit holds back is no reason to warn.
        del fresh[THROTTLED]
        return Status(*self._verdict(fresh, age), values)

    def _verdict(self, fresh, age):
        if fresh:
            reason, count = fresh.most_common(1)[0]
            return Level.WARN, f'{count} joint states dropped: {reason}'
        if age is not None and not MIN_AGE <= age <= MAX_AGE:
            return Level.WARN, (
                f'Stamps are {abs(age):.1f} s {"ahead of" if age < 0 else "behind"} the clock')
        if self.waiting:
            return Level.WARN, f'No transforms yet of {name_list(self.waiting)}'
        return Level.OK, 'Transforms are published'


class Rate:
    """Events a second between two looks at a count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._last = (clock(), 0)

    def __call__(self, count: int) -> float:
        """Return the rate since the last call."""
        time_then, count_then = self._last
        self._last = (self._clock(), count)
        elapsed = self._last[0] - time_then
        return (count - count_then) / elapsed if elapsed > 0 else 0.0
