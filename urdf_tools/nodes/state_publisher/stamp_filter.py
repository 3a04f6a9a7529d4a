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

"""Which joint states are published, decided by their stamps."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.kinematics.transforms import Indices
from urdf_tools.ros.serialized_topics import SECOND

REWIND = SECOND
"""A stamp older than the last one by this much, in ns, is no late message but another time."""

CONFIRMATION = SECOND // 2
"""How long only older stamps must arrive, in ns, before they count as a restarted source."""

MAX_CONFIRMATION = 4 * SECOND
"""The same after newer stamps have come between older ones again and again."""

REPEATED = 'repeated stamp'

THROTTLED = 'throttled'
"""Why a joint state is not published where publish_frequency asks for that."""

DROPS = {
    'no description': 'Joint states received before a robot description are not published',
    'malformed': 'Messages that are not joint states are skipped',
    'no moving joint': 'Joint states without any moving joint of the robot are not published',
    'zero stamp':
        'Joint states with a zero stamp are not published: stamp them, or set stamp_policy to '
        'now_if_zero',
    'negative stamp': 'Joint states with a negative stamp are not published',
    'stamp too large': 'Joint states with a stamp beyond the range of messages are not published',
    REPEATED: 'Joint states that repeat the last stamp are not published again',
    'old stamp': 'Joint states older than those already published are not published',
}
"""Reason why a joint state is not published, and what is logged about it."""

BACKWARD = 'stamp went back'
"""Why the first joint states of a source that starts over are not published."""

TWO_SOURCES = 'two sources or clocks'

DROPS.update({
    BACKWARD:
        'The stamps of joint states went back; publishing resumes once only such stamps have '
        f'arrived for {CONFIRMATION / SECOND} s',
    TWO_SOURCES:
        'Stamps of joint states jump back and forth, as from two sources or two clocks; only the '
        'newer joint states are published'})

MEMORY = 10 * SECOND
"""How long ago stamps, in ns, may have jumped forth when they go back again."""

_NEVER = -2**62

_END = 2**31 * SECOND
"""The first stamp that no message can have."""

_LONGEST = 2**60
"""Longest period in ns; 36 years."""

_MAX_WINDOW = 100
"""Most stamps that are kept of each joint."""


@dataclass
class _OlderStamps:
    """
    Stamps far before the last one, in nanoseconds.

    :ivar first: the first of them.
    :ivar last: the newest of them.
    :ivar newer: the last stamp before them.
    :ivar followed: whether joint states with such stamps are published.
    """

    first: int
    last: int
    newer: int
    followed: bool = False


class StampFilter:
    """
    Passes a joint state if one of its joints is due.

    A joint is due one period after it was due before, even if it came late by up to two periods:
    a source faster than the limit is thinned to the limit, not to an integer fraction of its own
    rate as by robot_state_publisher. It is never due more often in a second than the limit says,
    or, above 100 Hz, in :data:`_MAX_WINDOW` periods. So a source as fast as the limit, whose
    stamps jitter, loses about one message in fifteen.

    Stamps count, not arrival times. Stamps more than :data:`REWIND` before the last one start
    over, so that a looping bag or a restarted driver goes on, but only once they have gone on for
    :data:`CONFIRMATION` with no newer ones between them: those would be of another source or
    clock, and frames must not go back and forth between the two.

    Stamps are integers in nanoseconds.

    :param names: the joints, in the order of their rows.
    :ivar ignore_timestamp: whether everything passes, as in robot_state_publisher.
    """

    def __init__(self, names: Sequence[str] = ()):
        self.ignore_timestamp = False
        self._period = self._window = 0
        self._names = names
        self._lasts = np.full(len(names), _NEVER)
        self._dues = np.full(len(names), _NEVER)
        self._last = self._due = _NEVER
        self._joints: Indices | None = None
        self._passed = False
        self.set_frequency(0.0)
        self.reset()

    def set_frequency(self, frequency: float) -> None:
        """Limit the rate of each joint in Hz from now on; 0 is no limit."""
        self._select(None)
        count = min(max(int(frequency), 1), _MAX_WINDOW)
        self._window = round(min(count * SECOND / frequency, _LONGEST)) if frequency else 0
        # Cut, not rounded, so that a source exactly at the limit is never early.
        self._period = self._window // count
        np.add(self._lasts, self._period, out=self._dues)
        # The last stamps that passed, the oldest first: of each joint, and of the selected ones.
        self._stamps = np.full((len(self._names), count), _NEVER)
        self._stamps[:, -1] = self._lasts
        self._recent = deque([_NEVER] * count, count)

    def reset(self) -> None:
        """Forget all stamps, so that every joint is due."""
        self._older: _OlderStamps | None = None
        self._confirmation = CONFIRMATION
        self._interleaved_at = _NEVER
        self._joints = None
        self._passed = False
        for stamps in (self._lasts, self._dues, self._stamps):
            stamps.fill(_NEVER)

    def adopt(self, previous: StampFilter) -> None:
        """Take over the settings, and the stamps of the joints with the same names."""
        previous._select(None)
        self.ignore_timestamp = previous.ignore_timestamp
        self._period = previous._period
        self._window = previous._window
        self._stamps = np.full((len(self._names), previous._stamps.shape[1]), _NEVER)
        self._recent = previous._recent.copy()
        old = {name: row for row, name in enumerate(previous._names)}
        for row, name in enumerate(self._names):
            if name in old:
                self._lasts[row] = previous._lasts[old[name]]
                self._dues[row] = previous._dues[old[name]]
                self._stamps[row] = previous._stamps[old[name]]

    def admit(self, joints: Indices, stamp: int) -> str:
        """
        Decide whether to publish a message, which is then regarded as published.

        :param joints: rows of the joints of the message, shape (k,). It is fastest when
            consecutive messages pass the same array object.
        :return: the reason not to publish it, or an empty string.
        """
        if not 0 <= stamp < _END:
            return 'negative stamp' if stamp < 0 else 'stamp too large'
        if joints is not self._joints:
            if not len(joints):
                return 'no moving joint'
            self._select(joints)
        if self._older is not None and not self.ignore_timestamp:
            self._watch(stamp)
        if stamp <= self._last or not stamp:
            refusal = self._refusal(stamp)
        elif self.ignore_timestamp or (
                stamp >= self._due and stamp >= self._recent[0] + self._window):
            refusal = ''
        else:
            refusal = THROTTLED
        if not refusal:
            on_schedule = self._due <= stamp <= self._due + 2 * self._period
            self._due = self._period + (self._due if on_schedule else stamp)
            if stamp <= self._last:  # Time has started over.
                self._recent.extend([_NEVER] * len(self._recent))
            self._recent.append(stamp)
            self._last = stamp
            self._passed = True
        return refusal

    def _refusal(self, stamp: int) -> str:
        """Return what :meth:`admit` returns for a stamp that is zero or not after the last."""
        if self.ignore_timestamp:
            return ''
        if not stamp:
            return 'zero stamp'
        if stamp == self._last:
            return REPEATED
        if stamp > self._last - REWIND:
            return 'old stamp'
        if self._older is None or stamp < self._older.last - REWIND:
            self._older = _OlderStamps(stamp, stamp, self._last)
        self._older.last = max(self._older.last, stamp)
        if stamp - self._older.first >= self._confirmation:
            self._older.followed = True
            return ''
        return TWO_SOURCES if self._last - self._interleaved_at < MEMORY else BACKWARD

    def _watch(self, stamp: int) -> None:
        """Find out from a stamp whether older ones still arrive alone."""
        older = self._older
        assert older is not None
        if stamp > older.newer - REWIND and stamp > older.last + (older.newer - older.first) // 2:
            self._interleaved_at = stamp
            if older.followed:
                self._confirmation = min(2 * self._confirmation, MAX_CONFIRMATION)
            self._older = None
        elif older.followed:
            older.last = max(older.last, stamp)
            if stamp - older.first > 2 * MAX_CONFIRMATION:
                self._older = None
                self._confirmation = CONFIRMATION

    def detail(self, refusal: str) -> str:
        """Return what to add to the message about a refusal."""
        if self._older is None or refusal not in (BACKWARD, TWO_SOURCES):
            return ''
        seconds = (self._older.newer - self._older.first) / SECOND
        return f'they differ by {seconds:.1f} s'

    def _select(self, joints: Indices | None) -> None:
        """
        Store the stamps of the selected joints and select others.

        The joints of one message share one due time, so that the same joints again, which is the
        usual case, take integers instead of arrays.
        """
        if self._passed:
            self._lasts[self._joints] = self._last
            self._dues[self._joints] = self._due
            self._stamps[self._joints] = self._recent
        self._passed = False
        self._joints = joints
        if joints is not None:
            self._last = int(self._lasts[joints].min())
            self._due = int(self._dues[joints].min())
            self._recent.extend(self._stamps[joints].min(axis=0).tolist())
