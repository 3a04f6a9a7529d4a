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
Python and of the middleware once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import json
from pathlib import Path
from pkgutil import resolve_name
from threading import Thread

from rclpy.executors import SingleThreadedExecutor
from rclpy.task import Future

from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import describe
from urdf_tools.ros.base_node import spin
from urdf_tools.ros.diagnostics import fault_status
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import reason_of_bad_start
from urdf_tools.ros.process import StartError

NODES: dict[str, str] = json.loads(Path(__file__).with_name('companion.json').read_bytes())
"""Name of each node that the companion can run, to its class."""

DEFAULT = ('model_validator', 'model_server', 'inertia_publisher')
"""The nodes that it runs by default."""


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
            'nodes', list(DEFAULT),
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

    :param host: logs why the node cannot start.
    :param name: of the node.
    :param make_node: the class of the node.
    :ivar refusal: why the node could not start, or an empty string.
    """

    def __init__(self, host: BaseNode, name: str, make_node: Callable[[], BaseNode]):
        self.name = name
        self.refusal = ''
        self._host = host
        self._make_node = make_node
        self._node: BaseNode | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._end: Future[None] = Future()

    def start(self) -> str:
        """
        Start, and return the full name of the node, or an empty string if it did not start.

        :raises StartError: memory is exhausted, which the other nodes need as well.
        """
        try:
            self._node = self._make_node()
        except Exception as error:
            reason = reason_of_bad_start(error)
            if reason is None:
                self._host.faults.add(error)
            self.refusal = reason or describe(error)
            if is_lack_of_memory(error):
                raise StartError(f'{self.name} cannot start: {self.refusal}') from error
            self._host.get_logger().fatal(printable(f'{self.name} cannot start: {self.refusal}'))
            return ''
        self._thread.start()
        return str(self._node.get_fully_qualified_name())

    def end(self) -> None:
        """End the node."""
        self._end.set_result(None)

    def join(self) -> None:
        """Wait until the node has ended."""
        if self._thread.is_alive():
            self._thread.join()

    def run(self) -> Status:
        """Return the status of the node."""
        if self._node is None:
            return Status(Level.ERROR, f'Not started: {self.refusal}')
        return fault_status(self._node.faults)

    def _run(self) -> None:
        node = self._node
        assert node is not None
        # One executor per node, so that no node waits for the callbacks of another.
        executor = SingleThreadedExecutor(context=node.context)
        executor.add_node(node)
        try:
            spin(executor, node, self._end)
        finally:
            node.destroy_node()
            executor.shutdown()


def _make_node(name: str) -> BaseNode:
    node: BaseNode = resolve_name(NODES[name])()
    return node


def _check_nodes(names: list[str]) -> None:
    for name in names:
        if name not in NODES:
            raise ValueError(f'{quote(name)} is not one of {", ".join(NODES)}')
        if names.count(name) > 1:
            raise ValueError(f'{quote(name)} is named more than once')
