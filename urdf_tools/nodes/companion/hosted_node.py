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

"""A node in a thread of a process that others share, and its start again after an exception."""

from __future__ import annotations

from collections.abc import Callable
import gc
from threading import Event
from threading import Thread
import time
import traceback

from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from urdf_tools.model.messages import printable
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.process import GRACE
from urdf_tools.ros.process import reason_of_bad_start

FIRST_DELAY = 1.0
"""Seconds from an exception to the next start of the node; twice as many after each further."""

MAX_DELAY = 60.0
"""Most seconds to the next start, and fewest that a node runs until it counts as well again."""


class HostedNode:
    """
    Runs a node until it is ended; a task of the diagnostics.

    An exception ends only this node. It starts again, because a driver or a robot that relies on
    it is not watched by anybody, but later each time, because the same input may end it again. It
    gets the description anew, which is latched; parameters that were set meanwhile are lost.

    A start that fails because of a parameter is not repeated.

    :param host: logs what happens.
    :param name: of the node.
    :param make_node: the class of the node.
    :ivar refusal: why the node could not start, or an empty string.
    """

    def __init__(self, host: Node, name: str, make_node: Callable[[], Node]):
        self.name = name
        self.refusal = ''
        self._logger = host.get_logger()
        self._context = host.context
        self._make_node = make_node
        self._node: Node | None = None
        self._executor = SingleThreadedExecutor(context=host.context)
        self._ended = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._delay = FIRST_DELAY
        self._running = False
        self._starts = 0
        self._started = 0.0
        self._error = ''

    def start(self) -> str:
        """Start, and return the full name of the node, or an empty string if it did not start."""
        try:
            self._make()
        except Exception as error:
            reason = reason_of_bad_start(error)
            if reason is not None:
                self.refusal = reason
                self._logger.fatal(printable(f'{self.name} cannot start: {reason}'))
                return ''
            if not self._context.ok():
                raise  # A signal has shut the context down.
            self._fail(error)
        self._thread.start()
        return '' if self._node is None else str(self._node.get_fully_qualified_name())

    def end(self) -> None:
        """End the node, and wait for a moment for what it does."""
        self._ended.set()
        if self._thread.is_alive():
            self._executor.wake()
            self._thread.join(GRACE)

    def run(self) -> Status:
        """Return the status of the node."""
        values = {'Starts': self._starts, 'Last exception': self._error or 'none'}
        if self.refusal:
            return Status(Level.ERROR, f'Not started: {self.refusal}', values)
        if not self._running:
            return Status(Level.ERROR, f'Ended by an exception: {self._error}', values)
        if self._error and not self._is_well():
            return Status(Level.WARN, f'Started again after an exception: {self._error}', values)
        return Status(Level.OK, 'Running', values)

    def _run(self) -> None:
        while not self._ended.wait(0.0 if self._running else self._delay):
            try:
                if self._node is None:
                    # What a failed start has left would keep its name in the graph.
                    gc.collect()
                    self._make()
                self._spin()
            except Exception as error:
                # A signal shuts the context down, and whatever still uses it raises an exception.
                if self._ended.is_set() or not self._context.ok():
                    break
                self._fail(error)
        self._destroy()

    def _make(self) -> None:
        self._starts += 1
        self._node = self._make_node()
        self._started = time.monotonic()
        self._running = True

    def _spin(self) -> None:
        node = self._node
        assert node is not None
        self._executor.add_node(node)
        while self._context.ok() and not self._ended.is_set():
            self._executor.spin_once()
        self._ended.set()

    def _fail(self, error: Exception) -> None:
        """Log an exception, and prepare for another start."""
        self._delay = FIRST_DELAY if self._is_well() else min(2 * self._delay, MAX_DELAY)
        self._running = False
        self._error = f'{type(error).__name__}: {error}'
        lines = ''.join(traceback.format_exception(error)).splitlines()
        self._logger.error('\n'.join(map(printable, (
            f'{self.name} was ended by an exception and starts again in {self._delay:.0f} s',
            *lines))))
        self._destroy()

    def _destroy(self) -> None:
        node, self._node = self._node, None
        if node is None:
            return
        self._executor.remove_node(node)
        try:
            node.destroy_node()
        except Exception as error:
            if self._context.ok():
                self._logger.error(printable(f'{self.name} could not be destroyed: {error}'))

    def _is_well(self) -> bool:
        return not self._error or time.monotonic() - self._started > MAX_DELAY
