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

"""Diagnostics and log messages of nodes."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextlib import nullcontext
from dataclasses import dataclass
from dataclasses import field
from enum import IntEnum
from functools import cached_property
import time
from types import MappingProxyType

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.msg import KeyValue
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node
from rclpy.publisher import Publisher

from urdf_tools.model.messages import printable
from urdf_tools.model.messages import shortened
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import describe
from urdf_tools.ros.base_node import Faults
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.topics import DIAGNOSTICS

NO_DESCRIPTION = 'No robot description yet'
"""Message of a status before the first description."""

FAULT_SHOWN = 60.0
"""Seconds for which an exception in a callback is an error."""


class Level(IntEnum):
    """Levels of ``diagnostic_msgs/DiagnosticStatus``; ERROR needs a person."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(frozen=True)
class Status:
    """The result of a task; values are published as text."""

    level: Level
    message: str
    values: Mapping[str, object] = field(default_factory=dict)


Task = Callable[[], Status]
"""Returns the current status of a diagnostic task."""


def fault_status(faults: Faults) -> Status:
    """Return whether callbacks have raised exceptions lately; the node goes on after each."""
    values = {'Exceptions': faults.count, 'Last exception': faults.last or 'none'}
    age = time.monotonic() - faults.last_time
    if faults.count and age <= FAULT_SHOWN:
        return Status(Level.ERROR, f'A callback raised an exception: {faults.last}', values)
    return Status(Level.OK, 'Running', values)


class Rate:
    """Events per second between two readings of a counter."""

    def __init__(self) -> None:
        self._last = (time.monotonic(), 0)

    def __call__(self, count: int) -> float:
        """Return the rate since the last call."""
        last_time, last_count = self._last
        self._last = (time.monotonic(), count)
        elapsed = self._last[0] - last_time
        return (count - last_count) / elapsed if elapsed > 0 else 0.0


class Updater:
    """
    Publishes the status of tasks as ``diagnostic_updater`` does: same topic, names, parameters.

    From the first exception in a callback of the node on, a status ``Exceptions`` is added.

    :param lock: held while the tasks read what another thread may change.
    :ivar tasks: the tasks by the name of their status; others may be added.
    """

    def __init__(self, node: BaseNode, tasks: Mapping[str, Task] = MappingProxyType({}),
                 lock: AbstractContextManager[object] = nullcontext()):
        self.tasks = dict(tasks)
        self._node = node
        self._lock = lock
        self._parameters = Parameters(node, self._reschedule)
        self._parameters.declare_table('diagnostics')
        # Health is reported in real time, even while simulated time is paused.
        self._timer = node.create_timer(
            self._parameters['diagnostic_updater.period'], self.publish,
            clock=Clock(clock_type=ClockType.STEADY_TIME))

    @cached_property
    def _publisher(self) -> Publisher[DiagnosticArray]:
        """The publisher, which takes time that the first frames of a robot do not wait for."""
        return self._node.create_publisher(DiagnosticArray, '/diagnostics', DIAGNOSTICS)

    def publish(self) -> None:
        """Publish now; for changes that should not wait for the timer, never per message."""
        with self._lock:
            statuses = [self._message(name, self._run(task)) for name, task in self.tasks.items()]
        if self._node.faults.count:
            statuses.append(self._message('Exceptions', fault_status(self._node.faults)))
        self._publisher.publish(to_array(self._node, statuses))

    def _run(self, task: Task) -> Status:
        """Return the status of a task; an exception in one leaves the others alone."""
        try:
            return task()
        except Exception as error:
            self._node.faults.add(error)
            return Status(Level.ERROR, f'The status is unknown: {describe(error)}')

    def _reschedule(self, names: set[str]) -> None:
        if 'diagnostic_updater.period' in names:
            self._timer.timer_period_ns = round(
                self._parameters['diagnostic_updater.period'] * 1e9)

    def _message(self, name: str, status: Status) -> DiagnosticStatus:
        node = self._node
        owner = (node.get_fully_qualified_name()
                 if self._parameters['diagnostic_updater.use_fqn'] else node.get_name())
        return DiagnosticStatus(
            level=bytes([status.level]), name=f'{owner}: {name}',
            message=printable(status.message), hardware_id='none',
            values=to_key_values(status.values))


def to_array(node: Node, statuses: Sequence[DiagnosticStatus]) -> DiagnosticArray:
    """Return the message of statuses at the present time of a node's clock."""
    array = DiagnosticArray(status=statuses)
    array.header.stamp = node.get_clock().now().to_msg()
    return array


def to_key_values(values: Mapping[str, object]) -> list[KeyValue]:
    """Return the values of a status as messages that are safe to show."""
    return [KeyValue(key=shown(key), value=shown(str(value))) for key, value in values.items()]


MAX_VALUE = 10_000
"""Maximum length of a text in a status, as a name may have any length."""


def shown(text: str) -> str:
    """Return a text from elsewhere as a status has it, printable and of bounded length."""
    return printable(shortened(text, MAX_VALUE))


PERIOD = 10.0
"""Seconds until a message is logged again."""

MAX_LINES = 200
"""Maximum number of messages that are logged in a :data:`PERIOD`."""


class LimitedLog:
    """
    Logs each message at once, and the same one again only after a :data:`PERIOD`.

    Of very many different ones, as descriptions that change all the time cause them, only the
    first in a period are logged.

    :param logger: the node's.
    """

    def __init__(self, logger: RcutilsLogger):
        self._logger = logger
        self._begin = time.monotonic()
        self._logged: set[str] = set()

    # An rclpy logger allows one severity for each line of code that calls it.

    def error(self, text: str) -> None:
        """Log an error."""
        if self._is_due(text):
            self._logger.error(text)

    def warning(self, text: str) -> None:
        """Log a warning."""
        if self._is_due(text):
            self._logger.warning(text)

    def info(self, text: str) -> None:
        """Log a remark."""
        if self._is_due(text):
            self._logger.info(text)

    def _is_due(self, text: str) -> bool:
        now = time.monotonic()
        if now >= self._begin + PERIOD:
            self._begin, self._logged = now, set()
        if text in self._logged or len(self._logged) >= MAX_LINES:
            return False
        self._logged.add(text)
        return True
