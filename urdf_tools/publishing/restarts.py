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

"""Which of the stamps that go back are those of a source that has started over."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.cdr import SECOND
from urdf_tools.publishing.joint_state_reader import SPARE_NAMES

REWIND = SECOND
"""A stamp older than the last one by this much, in ns, is no late message but another time."""

CONFIRMATION = SECOND // 2
"""How long only older stamps must arrive, in ns, before they count as a restarted source."""

MAX_CONFIRMATION = 4 * SECOND
"""The same after newer stamps have come between older ones again and again."""

MEMORY = 10 * SECOND
"""How long ago stamps, in ns, may have jumped forth when they go back again."""

REPEATED = 'repeated stamp'

BACKWARD = 'stamp went back'
"""Why the first joint states of a source that starts over are not published."""

TWO_SOURCES = 'two sources or clocks'

DROPS = {
    'no description': 'Joint states received before a robot description are not published',
    'malformed': 'Messages that are not joint states are skipped',
    'too many names':
        f'Joint states that name over {SPARE_NAMES} joints more than the robot has are skipped',
    'no moving joint': 'Joint states without any moving joint of the robot are not published',
    'zero stamp':
        'Joint states with a zero stamp are not published: stamp them, or set stamp_policy to '
        'now_if_zero',
    'negative stamp': 'Joint states with a negative stamp are not published',
    'stamp too large': 'Joint states with a stamp beyond the range of messages are not published',
    REPEATED: 'Joint states that repeat the last stamp are not published again',
    'old stamp': 'Joint states older than those already published are not published',
    BACKWARD:
        'The stamps of joint states went back; publishing resumes once only such stamps have '
        f'arrived for {CONFIRMATION / SECOND} s',
    TWO_SOURCES:
        'Stamps of joint states jump back and forth, as from two sources or two clocks; only the '
        'newer joint states are published',
}
"""Reason why a joint state is not published, and what is logged about it."""


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


class Restarts:
    """
    Judges stamps that are not after the last one.

    Stamps more than :data:`REWIND` before the last one start over, so that a looping bag or a
    restarted driver goes on, but only once they have gone on for :data:`CONFIRMATION` with no
    newer ones between them: those would be of another source or clock, and frames must not go
    back and forth between the two.

    :ivar older: such stamps; None if there are none, and nothing to :meth:`watch` for.
    """

    def __init__(self) -> None:
        self.older: _OlderStamps | None = None
        self._confirmation = CONFIRMATION
        self._interleaved_at: int | None = None

    def refusal(self, stamp: int, last: int) -> str:
        """Return why a stamp that is not after the last one is refused; empty if it is not."""
        if stamp == last:
            return REPEATED
        if stamp > last - REWIND:
            return 'old stamp'
        if self.older is None or stamp < self.older.last - REWIND:
            self.older = _OlderStamps(stamp, stamp, last)
        self.older.last = max(self.older.last, stamp)
        if stamp - self.older.first >= self._confirmation:
            self.older.followed = True
            return ''
        again = self._interleaved_at is not None and last - self._interleaved_at < MEMORY
        return TWO_SOURCES if again else BACKWARD

    def watch(self, stamp: int) -> None:
        """Find out from a stamp whether older ones still arrive alone."""
        older = self.older
        assert older is not None
        if stamp > older.newer - REWIND and stamp > older.last + (older.newer - older.first) // 2:
            self._interleaved_at = stamp
            if older.followed:
                self._confirmation = min(2 * self._confirmation, MAX_CONFIRMATION)
            self.older = None
        elif older.followed:
            older.last = max(older.last, stamp)
            if stamp - older.first > 2 * MAX_CONFIRMATION:
                self.older = None
                self._confirmation = CONFIRMATION

    def detail(self, refusal: str) -> str:
        """Return what to add to the message about a refusal."""
        if self.older is None or refusal not in (BACKWARD, TWO_SOURCES):
            return ''
        seconds = (self.older.newer - self.older.first) / SECOND
        return f'they differ by {seconds:.1f} s'
