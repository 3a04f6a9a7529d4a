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

"""Log messages about descriptions at a limited rate."""

from __future__ import annotations

from collections.abc import Iterator
import time

from rclpy.impl.rcutils_logger import RcutilsLogger

from urdf_tools.model.messages import count

PERIOD = 10.0
"""Seconds until a message is logged again."""

MAX_LINES = 200
"""Most messages that are logged in a :data:`PERIOD`."""


class LimitedLog:
    """
    Logs each message at once, and again only after a :data:`PERIOD`, with the number in between.

    Of very many different ones, as descriptions that change all the time cause them, only the
    first in a period are logged, and the others counted.

    :param logger: the node's.
    """

    def __init__(self, logger: RcutilsLogger):
        self._logger = logger
        self._begin = time.monotonic()
        self._last: dict[str, int] = {}
        self._repeated: dict[str, int] = {}
        self._left_out = 0

    # An rclpy logger allows one severity for each line of code that calls it.

    def error(self, text: str) -> None:
        """Log an error."""
        for line in self._due(text):
            self._logger.error(line)

    def warning(self, text: str) -> None:
        """Log a warning."""
        for line in self._due(text):
            self._logger.warning(line)

    def info(self, text: str) -> None:
        """Log a remark."""
        for line in self._due(text):
            self._logger.info(line)

    def _due(self, text: str) -> Iterator[str]:
        """Yield what is to be logged now."""
        now = time.monotonic()
        if now >= self._begin + PERIOD:
            self._begin = now
            self._last, self._repeated = self._repeated, {}
            if self._left_out:
                yield f'... and {count(self._left_out, "other message")} about descriptions'
            self._left_out = 0
        if text in self._repeated:
            self._repeated[text] += 1
        elif len(self._repeated) >= MAX_LINES:
            self._left_out += 1
        else:
            self._repeated[text] = 0
            before = self._last.get(text, 0)
            yield f'{text} ({count(before, "more time")} before)' if before else text
