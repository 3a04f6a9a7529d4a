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
from collections.abc import Sequence
from importlib import import_module
import sys

from rclpy.node import Node

from urdf_tools.model.messages import quote
from urdf_tools.nodes.companion.hosted_node import HostedNode
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import run
from urdf_tools.ros.process import StartError

NODES = {
    'model_validator': True,
    'model_server': True,
    'inertia_publisher': True,
    'joint_state_source': False,
    'model_monitor': False,
}
"""Name of a node to whether it runs if the parameter names none."""


class Companion(Node):
    """
    Starts the nodes that its parameter names, and reports on them.

    nodes --> HostedNode --> /diagnostics
    """

    def __init__(self) -> None:
        super().__init__('companion')
        self._hosted: list[HostedNode] = []
        names = Parameters(self).declare(
            'nodes', [name for name, default in NODES.items() if default],
            f'Nodes to run: {", ".join(NODES)}', read_only=True, check=_check_nodes)
        updater = Updater(self)
        found = {self.get_fully_qualified_name()}
        for name in names:
            hosted = HostedNode(self, name, _class_of(name))
            self._hosted.append(hosted)
            updater.add(hosted)
            full_name = hosted.start()
            if full_name in found:
                self._end()
                raise StartError(
                    f'Two nodes are called {full_name}; -r __node:=name renames all of them, '
                    f'-r {name}:__node:=name only {name}')
            found.add(full_name)
        if all(hosted.refusal for hosted in self._hosted):
            raise StartError('No node could start')
        warn_of_unknown(self)

    def destroy_node(self) -> None:
        self._end()
        super().destroy_node()

    def _end(self) -> None:
        for hosted in self._hosted:
            hosted.end()


def _class_of(name: str) -> Callable[[], Node]:
    """Return what imports and makes a node: it is named after its package."""
    def make() -> Node:
        module = import_module(f'urdf_tools.nodes.{name}.node')
        node: Node = getattr(module, ''.join(map(str.capitalize, name.split('_'))))()
        return node
    return make


def _check_nodes(names: list[str]) -> None:
    for name in names:
        if name not in NODES:
            raise ValueError(f'{quote(name)} is not one of {", ".join(NODES)}')
        if names.count(name) > 1:
            raise ValueError(f'{quote(name)} is named more than once')


def main(args: Sequence[str] | None = None) -> int:
    """Run the nodes until a signal."""
    return run('companion', Companion, args)


if __name__ == '__main__':
    sys.exit(main())
