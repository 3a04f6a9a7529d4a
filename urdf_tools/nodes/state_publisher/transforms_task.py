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

"""Diagnostics of the published transforms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
import time
from typing import Any
from typing import TYPE_CHECKING

from urdf_tools.messages.stamp_filter import THROTTLED
from urdf_tools.model.messages import name_list
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status

if TYPE_CHECKING:  # Only robots with loops need the solver.
    from urdf_tools.nodes.state_publisher.mechanism_reader import MechanismReader

MIN_AGE = -1.0
MAX_AGE = 5.0
"""Normal ages of stamps in seconds, as in diagnostic_updater's TimeStampStatus."""

SILENCE = 15.0
"""Seconds without a transform after which that is reported; the lowest usual rate is 0.1 Hz."""


class TransformsTask:
    """
    Diagnostics: how many transforms are published, and why others are not.

    :param dropped: number of joint states that gave no transform, by reason.
    :param now: returns the time of the node's clock in nanoseconds.
    :ivar published: number of messages published on ``/tf``.
    :ivar stamp: stamp of the last of them in nanoseconds.
    :ivar static: number of transforms on ``/tf_static``.
    :ivar waiting: joints whose transform is not known yet.
    :ivar moving: whether the robot has moving joints; None before the first description.
    :ivar rewinds: how often the clock has jumped back.
    :ivar off: whether the user has turned the transforms off.
    :ivar loops: tells of the loops of the robot, if it has any.
    """

    def __init__(self, dropped: Counter[str], now: Callable[[], int]):
        self.published = 0
        self.stamp = 0
        self.static = 0
        self.waiting: tuple[str, ...] = ()
        self.moving: bool | None = None
        self.rewinds = 0
        self.off = False
        self.loops: MechanismReader[Any] | None = None
        self._active = (time.monotonic(), 0)
        self._dropped = dropped
        self._now = now
        self._rate = Rate()
        self._seen = Counter(dropped)
        self._seen_rewinds = 0

    def run(self) -> Status:
        """Return the status of the transforms."""
        rate = self._rate(self.published)
        age = (self._now() - self.stamp) / 1e9 if rate else None
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{rate:.2f}',
            'Age of stamps (s)': 'none' if age is None else f'{age:.3f}',
            'Static': self.static,
            'Clock jumped back': self.rewinds,
            'Waiting for': name_list(self.waiting),
            **{f'Dropped: {reason}': count for reason, count in sorted(self._dropped.items())}}
        if self.loops is not None:
            values.update(self.loops.report())
        fresh = self._dropped - self._seen
        self._seen = Counter(self._dropped)
        rewound = self.rewinds > self._seen_rewinds
        self._seen_rewinds = self.rewinds
        # What the user's own limit holds back is no reason to warn.
        del fresh[THROTTLED]
        if self.published != self._active[1]:
            self._active = time.monotonic(), self.published
        return Status(*self._verdict(rewound, fresh, age), values)

    def _verdict(self, rewound: bool, fresh: Counter[str], age: float | None) -> tuple[Level, str]:
        dropped = [f'{count} joint states dropped: {why}' for why, count in fresh.most_common(1)]
        age = age or 0.0
        fault = '' if self.loops is None else self.loops.fault()
        silence = time.monotonic() - self._active[0]
        cases = (
            (self.moving is None, Level.WARN, NO_DESCRIPTION),
            (self.off, Level.OK, 'Transforms are turned off by the parameter publish_tf'),
            (rewound, Level.WARN, 'The clock jumped back, and every joint is published again'),
            (dropped, Level.WARN, ''.join(dropped)),
            (not MIN_AGE <= age <= MAX_AGE, Level.WARN,
             f'Stamps are {abs(age):.1f} s {"ahead of" if age < 0 else "behind"} the clock'),
            (fault, Level.WARN, fault),
            (self.waiting, Level.WARN, f'No transforms yet for {name_list(self.waiting)}'),
            (not self.moving, Level.OK,
             'Static transforms are published; the robot has no moving joints'),
            (silence > SILENCE, Level.WARN,
             f'No transforms of moving joints for {silence:.0f} s'),
            (True, Level.OK, 'Transforms are published'))
        return next((level, text) for applies, level, text in cases if applies)
