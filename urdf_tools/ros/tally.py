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

"""Counts of what goes wrong with data, each kind told to the user now and then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
import time

PERIOD = 60.0
"""Seconds between two mentions of one kind."""


class Tally:
    """
    Counts events by kind and mentions each kind at once, then at most once a :data:`PERIOD`.

    :param say: where mentions go, such as a logger's ``warning``.
    :param sentences: kind to what is said of it; a kind without a sentence is only counted.
    :ivar counts: number of events of each kind.
    """

    def __init__(
            self, say: Callable[[str], object] = lambda text: None,
            sentences: Mapping[str, str] | None = None,
            clock: Callable[[], float] = time.monotonic):
        self.counts: Counter[str] = Counter()
        self._say = say
        self._sentences = sentences or {}
        self._clock = clock
        self._due = {}

    def add(self, kind: str, count: int = 1, about: Callable[[], str] = lambda: '') -> None:
        """
        Count events.

        :param about: returns what to add to the sentence; called only when it is said.
        """
        self.counts[kind] += count
        sentence = self._sentences.get(kind)
        if sentence is None or self._clock() < self._due.get(kind, -1.0):
            return
        self._due[kind] = self._clock() + PERIOD
        detail = about()
        self._say(f'{sentence}: {detail}' if detail else sentence)
