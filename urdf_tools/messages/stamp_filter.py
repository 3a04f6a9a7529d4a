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

"""Which joints of a joint state are published, and how stamps that go back are handled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from urdf_tools.messages.cdr import SECOND
from urdf_tools.messages.joint_state_reader import SPARE_NAMES
from urdf_tools.messages.joint_state_reader import TEXTS
from urdf_tools.types import Indices

RESTART_THRESHOLD = SECOND
"""A stamp older than the last one by this much, in ns, is a restart, not a late message."""

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
    reason: text.format(spare_names=SPARE_NAMES, confirmation=CONFIRMATION / SECOND)
    for reason, text in TEXTS['drops'].items()}
"""Reason why a joint state is not published, and what is logged about it."""

THROTTLED = 'throttled'
"""Why a joint state is not published where publish_frequency asks for that."""

_NEVER = -2**62

_END = 2**31 * SECOND
"""The first stamp that no message can have."""


class StampFilter:
    """
    Limits the rate of each joint.

    Each joint has a slot, which moves on by one period whenever the joint is published, or to its
    stamp if that is later. A message is published if one of its joints is half a period past its
    slot: so a source as fast as the limit loses nothing to jitter. With it go the joints that have
    at least reached theirs, so that joints come together that began at other times; the rest is
    left out. In any second no joint is published more often than the limit, rounded up, plus one.

    Stamps count, not arrival times; :class:`Restarts` says what becomes of those that go back.
    Stamps are integers in nanoseconds.

    :param names: the joints, in the order of their rows.
    :ivar ignore_timestamp: whether everything passes, as in robot_state_publisher.
    :ivar part: mask of the joints of the last message that are published, None for all.
    """

    def __init__(self, names: Sequence[str] = ()):
        self.ignore_timestamp = False
        self.part: npt.NDArray[np.bool_] | None = None
        self.restarts = Restarts()
        self._names = names
        self._period = 0
        self._lasts = np.full(len(names), _NEVER)
        self._slots = np.full(len(names), _NEVER)
        self._joints: Indices | None = None
        # Of the selected joints; integers if they are the same for all of them.
        self._last: Any = _NEVER
        self._slot: Any = _NEVER

    def set_frequency(self, frequency: float) -> None:
        """Limit the rate of each joint in Hz from now on; 0 is unlimited."""
        self._select(None)
        # Cut, not rounded, so that a source exactly at the limit is never early.
        self._period = int(SECOND / frequency) if frequency else 0
        self._slots = self._lasts.copy()

    def reset(self) -> None:
        """Forget all stamps, so that every joint is due."""
        self.restarts = Restarts()
        self._joints = None
        self._lasts.fill(_NEVER)
        self._slots.fill(_NEVER)

    def successor(self, names: Sequence[str]) -> StampFilter:
        """Return a filter of other joints with the same settings, and the stamps of these."""
        self._select(None)
        successor = StampFilter(names)
        successor.ignore_timestamp, successor._period = self.ignore_timestamp, self._period
        old = {name: row for row, name in enumerate(self._names)}
        for row, name in enumerate(names):
            if name in old:
                successor._lasts[row] = self._lasts[old[name]]
                successor._slots[row] = self._slots[old[name]]
        return successor

    def admit(self, joints: Indices, stamp: int) -> str:
        """
        Decide whether to publish a message, which is then regarded as published.

        :param joints: rows of the joints of the message, shape (k,). It is fastest when
            consecutive messages pass the same array object.
        :return: the reason not to publish it, or an empty string: then see :attr:`part`.
        """
        if not 0 <= stamp < _END:
            return 'negative stamp' if stamp < 0 else 'stamp too large'
        if joints is not self._joints:
            if not len(joints):
                return 'no moving joint'
            self._select(joints)
        if self.ignore_timestamp:
            self.part = None
            self._last, self._slot = stamp, _NEVER
            return ''
        if not stamp:
            return 'zero stamp'
        if self.restarts.older is not None:
            self.restarts.watch(stamp)
        if not isinstance(self._last, int):
            return self._admit_each(stamp)
        if stamp <= self._last:
            refusal = self.restarts.refusal(stamp, self._last)
            if refusal:
                return refusal
            self._slot = _NEVER
        elif stamp < self._slot + self._period // 2:
            return THROTTLED
        self._slot = max(self._slot + self._period, stamp)
        self._last = stamp
        return ''

    def _admit_each(self, stamp: int) -> str:
        """Decide likewise for joints that have not been published together."""
        self.part = None
        late = stamp <= self._last
        if late.any():
            refusal = self.restarts.refusal(stamp, int(self._last.max()))
            if not refusal:
                self._slot[late] = _NEVER
                late[:] = False
            elif late.all():
                return refusal
        chosen = ~late & (stamp >= self._slot)
        if not (chosen & (stamp >= self._slot + self._period // 2)).any():
            return THROTTLED
        self._slot[chosen] = np.maximum(self._slot[chosen] + self._period, stamp)
        self._last[chosen] = stamp
        if chosen.all():
            self._select(self._joints)
        else:
            self.part = chosen
        return ''

    def _select(self, joints: Indices | None) -> None:
        """Store the stamps of the selected joints and select others."""
        if self._joints is not None:
            self._lasts[self._joints] = self._last
            self._slots[self._joints] = self._slot
        self._joints = joints
        self.part = None
        if joints is not None:
            self._last, self._slot = self._lasts[joints], self._slots[joints]
            if (self._last == self._last[0]).all() and (self._slot == self._slot[0]).all():
                self._last, self._slot = int(self._last[0]), int(self._slot[0])


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
    Handles stamps that are not after the last one.

    Stamps more than :data:`RESTART_THRESHOLD` before the last one start over, so that a looping
    bag or a restarted driver goes on, but only once they have gone on for :data:`CONFIRMATION`
    with no newer ones between them: those would be of another source or clock, and frames must
    not go back and forth between the two.

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
        if stamp > last - RESTART_THRESHOLD:
            return 'old stamp'
        if self.older is None or stamp < self.older.last - RESTART_THRESHOLD:
            self.older = _OlderStamps(stamp, stamp, last)
        self.older.last = max(self.older.last, stamp)
        if stamp - self.older.first >= self._confirmation:
            self.older.followed = True
            return ''
        again = self._interleaved_at is not None and last - self._interleaved_at < MEMORY
        return TWO_SOURCES if again else BACKWARD

    def watch(self, stamp: int) -> None:
        """Check by a stamp whether only older stamps still arrive."""
        older = self.older
        assert older is not None
        middle = older.last + (older.newer - older.first) // 2
        if stamp > older.newer - RESTART_THRESHOLD and stamp > middle:
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
