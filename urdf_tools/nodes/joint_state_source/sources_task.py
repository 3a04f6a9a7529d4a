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

"""Diagnostics of the joint states that are published, and of the topics they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence
import time

from urdf_tools.model.messages import name_list
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Rate
from urdf_tools.ros.diagnostics import Status

SILENCE = 5.0
"""Seconds without a message after which a topic is reported as silent."""

FAULTS = {
    'wrong length': 'Joint states have different numbers of names and values, and are skipped',
    'non-finite': 'Joint states have values that are not finite; these are skipped'}
"""Kind of fault in a received joint state to what is logged about it."""


class SourcesTask:
    """
    Whether joint states are published, and whether the source topics are alive.

    :param topics: the topics that joint states are merged from.
    :param faults: number of faults in them, by the kinds of :data:`FAULTS`.
    :ivar error: why the newest description has no joint states, or an empty string.
    :ivar published: number of messages published.
    :ivar joints: number of joints with a state to publish; None before the first description.
    """

    def __init__(
            self, topics: Sequence[str], faults: Counter[str],
            clock: Callable[[], float] = time.monotonic):
        self.name = 'Joint sources'
        self.error = ''
        self.published = 0
        self.joints: int | None = None
        self._faults = faults
        self._clock = clock
        self._last: dict[str, float | None] = dict.fromkeys(topics)
        self._rate = Rate(clock)
        self._seen: Counter[str] = Counter()

    def received(self, topic: str) -> None:
        """Note a message on a topic."""
        self._last[topic] = self._clock()

    def run(self) -> Status:
        """Return the status of the topics."""
        now = self._clock()
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{self._rate(self.published):.2f}',
            **{f'Age of {topic} (s)': 'none' if last is None else f'{now - last:.3f}'
               for topic, last in self._last.items()},
            **{f'Skipped: {kind}': count for kind, count in sorted(self._faults.items())}}
        fresh = self._faults - self._seen
        self._seen = Counter(self._faults)
        silent = tuple(
            topic for topic, last in self._last.items() if last is None or now - last > SILENCE)
        if self.error:
            return Status(Level.ERROR, self.error, values)
        if self.joints is None:
            return Status(Level.WARN, NO_DESCRIPTION, values)
        if silent:
            return Status(Level.WARN, f'No joint states from {name_list(silent)}', values)
        if fresh:
            kind, count = fresh.most_common(1)[0]
            return Status(Level.WARN, f'{count} skipped: {kind}', values)
        if not self.joints:
            return Status(Level.OK, 'There is no joint state to publish', values)
        return Status(Level.OK, 'Joint states are published', values)
