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

"""The diagnostics that several nodes give: model, joint states, transforms, validation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
import time

from urdf_tools.ros.description import CurrentModel
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.joint_states import JointStates
from urdf_tools.ros.stamp_gate import THROTTLED
from urdf_tools.ros.tally import name_list
from urdf_tools.validation.finding import Severity


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
    :param clock: the clock of the joint states' times.
    """

    name = 'Joint states'

    def __init__(
            self, joints: Callable[[], JointStates | None],
            timeout: Callable[[], float] = lambda: 0.0,
            clock: Callable[[], float] = time.monotonic):
        self._joints = joints
        self._timeout = timeout
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
            return Level.WARN, 'No joint states received yet'
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
    :ivar published: messages sent on ``/tf``; the owner counts.
    :ivar static: transforms on ``/tf_static``; the owner counts.
    """

    name = 'Transforms'

    def __init__(self, dropped: Counter[str], clock: Callable[[], float] = time.monotonic):
        self.published = 0
        self.static = 0
        self._dropped = dropped
        self._rate = Rate(clock)
        self._seen = Counter(dropped)

    def run(self) -> Status:
        """Return the status of the transforms."""
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{self._rate(self.published):.2f}',
            'Static': self.static,
            **{f'Dropped: {reason}': count for reason, count in sorted(self._dropped.items())}}
        fresh = self._dropped - self._seen
        self._seen = Counter(self._dropped)
        # What the user's own limit holds back is no reason to warn.
        del fresh[THROTTLED]
        if fresh:
            reason, count = fresh.most_common(1)[0]
            return Status(Level.WARN, f'{count} joint states dropped: {reason}', values)
        return Status(Level.OK, 'Transforms are published', values)


class ValidationTask:
    """
    What the validator found in the newest description.

    :param report: returns the newest report, or None before the first.
    """

    name = 'Validation'

    def __init__(self, report: Callable[[], object | None]):
        self._report = report

    def run(self) -> Status:
        """Return the status of the description."""
        report = self._report()
        if report is None:
            return Status(Level.WARN, 'No robot description yet')
        counts = report.counts
        worst = sorted(report.findings, key=lambda finding: -finding.severity)
        codes = tuple(dict.fromkeys(finding.code for finding in worst))
        values = {
            'Errors': counts[Severity.ERROR], 'Warnings': counts[Severity.WARN],
            'Notes': counts[Severity.INFO], 'First codes': name_list(codes)}
        message = f'{counts[Severity.ERROR]} errors, {counts[Severity.WARN]} warnings'
        if counts[Severity.ERROR]:
            return Status(Level.ERROR, message, values)
        return Status(Level.WARN if counts[Severity.WARN] else Level.OK, message, values)


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
