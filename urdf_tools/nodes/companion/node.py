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

"""
Run several nodes beside the state publisher in one process.

They are the same as alone: names, topics, services, parameters. One process takes the memory of
Python and of the middleware once. An exception in one node leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import gc
from importlib import import_module
from threading import Event
from threading import Thread
import time
import traceback

from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import reason_of_bad_start
from urdf_tools.ros.process import StartError

NODES = {'model_validator': True, 'model_server': True, 'inertia_publisher': True,
         'joint_state_source': False, 'model_monitor': False}
"""Name of each node, and whether it runs by default."""

FIRST_DELAY = 1.0
"""Delay of the first restart after an exception, in s; it doubles with each further one."""

MAX_DELAY = 60.0
"""Longest delay of a restart, and shortest run after which a node counts as healthy, in s."""


class Companion(BaseNode):
    """
    Starts the nodes listed in its parameter, and reports their status.

    nodes --> HostedNode --> /diagnostics
    """

    def __init__(self) -> None:
        super().__init__('companion')
        self._hosted: list[HostedNode] = []
        self.at_end(self._end)
        names = Parameters(self).declare(
            'nodes', [name for name, default in NODES.items() if default],
            f'Nodes to run: {", ".join(NODES)}', read_only=True, check=_check_nodes)
        updater = Updater(self)
        found = {self.get_fully_qualified_name()}
        for name in names:
            hosted = HostedNode(self, name, partial(_make_node, name))
            self._hosted.append(hosted)
            updater.tasks[name] = hosted.run
            try:
                full_name = hosted.start()
                if full_name and full_name in found:
                    raise StartError(
                        f'Two nodes are called {full_name}; -r __node:=name renames all of them, '
                        f'-r {name}:__node:=name only {name}')
            except StartError:
                self._end()
                raise
            found.add(full_name)
        if all(hosted.refusal for hosted in self._hosted):
            raise StartError('No node could start')
        warn_of_unknown(self)

    def _end(self) -> None:
        for hosted in self._hosted:
            hosted.end()
        for hosted in self._hosted:
            hosted.join()


class HostedNode:
    """
    Runs a node in a thread until it is stopped; a diagnostic task.

    An exception ends only this node. It starts again, because a driver or a robot that relies on
    it is not watched by anybody, but later each time, because the same input may end it again. It
    gets the description again, which is transient local; parameters that were set meanwhile are
    lost.

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
        self._executor: SingleThreadedExecutor | None = None
        self._end: Future[None] = Future()
        self._ended = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._delay = FIRST_DELAY
        self._starts = 0
        self._started = 0.0
        self._error = ''

    def start(self) -> str:
        """
        Start, and return the full name of the node, or an empty string if it did not start.

        :raises StartError: there is no memory, which the other nodes need as well.
        """
        try:
            self._make()
        except Exception as error:
            self.refusal = reason_of_bad_start(error) or ''
            if is_lack_of_memory(error):
                raise StartError(f'{self.name} cannot start: {self.refusal}') from error
            if self.refusal:
                self._logger.fatal(printable(f'{self.name} cannot start: {self.refusal}'))
                return ''
            self._fail(error)
        name = '' if self._node is None else str(self._node.get_fully_qualified_name())
        self._thread.start()  # From now on, an exception may replace the node at any time.
        return name

    def end(self) -> None:
        """End the node."""
        self._ended.set()
        self._end.set_result(None)

    def join(self) -> None:
        """Wait until the node has ended."""
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> Status:
        """Return the status of the node."""
        values = {'Starts': self._starts, 'Last exception': self._error or 'none'}
        if self.refusal:
            return Status(Level.ERROR, f'Not started: {self.refusal}', values)
        if self._node is None:
            return Status(Level.ERROR, f'Ended with an exception: {self._error}', values)
        if self._error and not self._is_well():
            return Status(Level.WARN, f'Restarted after an exception: {self._error}', values)
        return Status(Level.OK, 'Running', values)

    def _run(self) -> None:
        while not self._ended.wait(self._delay if self._node is None else 0.0):
            try:
                if self._node is None:
                    # What a failed start has left would keep its name in the graph.
                    gc.collect()
                    self._make()
                else:
                    assert self._executor is not None
                    self._executor.spin_until_future_complete(self._end)
            except Exception as error:
                self._fail(error)
        self._destroy()

    def _make(self) -> None:
        self._starts += 1
        self._started = time.monotonic()
        self._node = self._make_node()
        # One a node, because an executor cannot tell of which node an exception is, and one a
        # start, without callbacks of the last one that wait for something.
        self._executor, self._end = SingleThreadedExecutor(context=self._context), Future()
        self._executor.add_node(self._node)

    def _fail(self, error: Exception) -> None:
        """Log an exception, and prepare for another start."""
        if self._ended.is_set():
            return
        self._delay = FIRST_DELAY if self._is_well() else min(2 * self._delay, MAX_DELAY)
        self._error = f'{type(error).__name__}: {error}'
        lines = ''.join(traceback.format_exception(error)).splitlines()
        self._logger.error('\n'.join(map(printable, (
            f'{self.name} ended with an exception and restarts in {self._delay:.0f} s',
            *lines))))
        self._destroy()

    def _destroy(self) -> None:
        node, self._node = self._node, None
        if node is None:
            return
        try:
            node.destroy_node()
        except Exception as error:
            self._logger.error(printable(f'{self.name} could not be destroyed: {error}'))

    def _is_well(self) -> bool:
        return not self._error or time.monotonic() - self._started > MAX_DELAY


def _make_node(name: str) -> Node:
    """Import and create a node, whose class is named after its package."""
    module = import_module(f'urdf_tools.nodes.{name}.node')
    node: Node = getattr(module, ''.join(map(str.capitalize, name.split('_'))))()
    return node


def _check_nodes(names: list[str]) -> None:
    for name in names:
        if name not in NODES:
            raise ValueError(f'{quote(name)} is not one of {", ".join(NODES)}')
        if names.count(name) > 1:
            raise ValueError(f'{quote(name)} is named more than once')
