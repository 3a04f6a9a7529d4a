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

"""Faults in received data, counted by kind and logged at a limited rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
import time
from types import MappingProxyType

from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable

PERIOD = 60.0
"""Seconds between two log messages about one kind of fault."""


class FaultLog:
    """
    Counts faults by kind; logs each kind at its first fault, then at most once a :data:`PERIOD`.

    :param log: where messages go, such as a logger's ``warning``.
    :param sentences: kind to the sentence that is logged; a kind without one is only counted.
    :ivar counts: number of faults of each kind.
    """

    def __init__(
            self, log: Callable[[str], object] = lambda text: None,
            sentences: Mapping[str, str] = MappingProxyType({})):
        self.counts: Counter[str] = Counter()
        self._log = log
        self._sentences = sentences
        self._due: dict[str, float] = {}

    def add(self, kind: str, count: int = 1, detail: Callable[[], str] = lambda: '') -> None:
        """
        Count faults.

        :param detail: returns what to add to the sentence; called only when it is logged.
        """
        self.counts[kind] += count
        sentence = self._sentences.get(kind)
        if sentence is None or time.monotonic() < self._due.get(kind, -1.0):
            return
        self._due[kind] = time.monotonic() + PERIOD
        text = printable(detail())
        self._log(f'{sentence}: {text}' if text else sentence)

    def add_names(self, kind: str, names: Sequence[str]) -> None:
        """Count a fault for each of some names, and add those that are not empty to the log."""
        if names:
            self.add(kind, len(names), lambda: name_list(tuple(filter(None, names))))
