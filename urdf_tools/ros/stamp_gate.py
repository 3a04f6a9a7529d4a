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

"""Which joint states are published, judged by their stamps."""

from __future__ import annotations

import numpy as np

from urdf_tools.ros.cdr import SECOND

REWIND = SECOND
"""A stamp so much older than the last, in ns, is of a source that began anew."""

DROPS = {
    'no description': 'Joint states that come before a robot description are not published',
    'malformed': 'Messages that are no joint states are skipped',
    'no moving joint': 'Joint states without any moving joint of the robot are not published',
    'zero stamp':
        'Joint states with a zero stamp are not published: stamp them, or set stamp_policy to '
        'now_if_zero',
    'repeated stamp': 'Joint states that repeat the last stamp are not published again',
    'old stamp': 'Joint states older than those already published are not published',
}
"""Why a joint state is not published, and what is said of it."""

THROTTLED = 'throttled'
"""Why a joint state is not published where that is what publish_frequency asks for."""

_NEVER = -2**62


class StampGate:
    """
    Lets a joint state pass when one of its joints is due.

    A joint is due once a period after it was published, as in robot_state_publisher. It may
    be half a period early or late without a change to when it is due next: a source that is about
    as fast as the limit keeps all its messages, however its stamps jitter, and a faster one is
    thinned to the limit and not to the next whole part of its own rate.

    Stamps count, not arrival. A stamp that lies more than :data:`REWIND` before the last one
    starts anew, so that a bag that loops or a simulation that is reset goes on.

    Stamps are integers in nanoseconds.

    :param names: the joints, in the order of their rows.
    :ivar ignore_timestamp: whether everything passes but what repeats the last stamp, which
        receivers would refuse.
    """

    def __init__(self, names: tuple[str, ...]):
        self.ignore_timestamp = False
        self._period = 0
        self._names = names
        self._last = np.empty(len(names), dtype=np.int64)
        self._due = np.empty(len(names), dtype=np.int64)
        self.reset()

    def set_frequency(self, frequency: float) -> None:
        """Limit joints to so many messages a second from now on; 0 is no limit."""
        self._period = round(SECOND / frequency) if frequency else 0
        np.add(self._last, self._period, out=self._due)

    def reset(self) -> None:
        """Forget all stamps, so that every joint is due."""
        self._last.fill(_NEVER)
        self._due.fill(_NEVER)

    def adopt(self, previous: StampGate) -> None:
        """Keep the settings, and the stamps of the joints that another description had, too."""
        self.ignore_timestamp = previous.ignore_timestamp
        self._period = previous._period
        old = {name: row for row, name in enumerate(previous._names)}
        for row, name in enumerate(self._names):
            if name in old:
                self._last[row] = previous._last[old[name]]
                self._due[row] = previous._due[old[name]]

    def admit(self, joints: np.ndarray, stamp: int) -> str:
        """
        Tell whether to publish a message, which is then taken as published.

        :param joints: rows of the joints of the message, shape (k,).
        :return: why not, or an empty string.
        """
        if not len(joints):
            return 'no moving joint'
        last = int(self._last[joints].min())
        if self.ignore_timestamp:
            if stamp and stamp == last:
                return 'repeated stamp'
        elif not stamp:
            return 'zero stamp'
        elif stamp == last:
            return 'repeated stamp'
        elif stamp > last - REWIND:
            if stamp < last:
                return 'old stamp'
            if stamp < self._due[joints].min() - self._period // 2:
                return THROTTLED
        self._pass(joints, stamp)
        return ''

    def _pass(self, joints, stamp):
        period = self._period
        due = self._due[joints]
        due = np.where(due < stamp - period // 2, stamp, due) + period
        self._due[joints] = np.minimum(due, stamp + period + period // 2)
        self._last[joints] = stamp
