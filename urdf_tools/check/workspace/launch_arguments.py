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
"""The xacro arguments that launch files in Python give, as far as their text shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_TAKING = ('robot_description', 'robot_description_semantic', 'process_file')
"""What takes xacro arguments as a table: MoveItConfigsBuilder and xacro."""


def launch_arguments(text: str) -> dict[str, str]:
    """
    Return the xacro arguments in the text of a launch file, those with a known value.

    They are in tables for MoveItConfigsBuilder and xacro, or in lists for ``Command``, after
    ``name:=``. An argument of the launch file has its default.
    """
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    values = _Values(nodes)
    # In a command, a shell takes the quotes of an empty text away.
    return {name: value.strip('"\'') for name, node in _given(nodes)
            if (value := values.of(node)) is not None}


def _given(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the arguments that are given, with what their value is."""
    for node in nodes:
        if isinstance(node, ast.Call) and _name(node) in _TAKING:
            for table in (*node.args, *(each.value for each in node.keywords)):
                if isinstance(table, ast.Dict):
                    yield from ((key.value, value) for key, value in zip(table.keys, table.values)
                                if isinstance(key, ast.Constant) and isinstance(key.value, str))
        elif isinstance(node, ast.List):
            for part, value in zip(node.elts, node.elts[1:]):
                if isinstance(part, ast.Constant) and str(part.value).endswith(':='):
                    yield str(part.value)[:-2].rpartition(' ')[2], value


class _Values:
    """The values of names and of launch arguments in a launch file."""

    def __init__(self, nodes: list[ast.AST]):
        self._assigned = {
            target.id: node.value for node in nodes if isinstance(node, ast.Assign)
            for target in node.targets if isinstance(target, ast.Name)}
        self._defaults = {
            self._literal(node.args[0]): self._literal(each.value) for node in nodes
            if isinstance(node, ast.Call) and _name(node) == 'DeclareLaunchArgument' and node.args
            for each in node.keywords if each.arg == 'default_value'}

    def of(self, node: ast.expr) -> str | None:
        """Return the value of an expression, or None if it is not known."""
        if isinstance(node, ast.Name):
            node = self._assigned.get(node.id, node)
        if isinstance(node, ast.Call) and _name(node) == 'perform' and (
                isinstance(node.func, ast.Attribute)):
            node = node.func.value
        if isinstance(node, ast.Call) and _name(node) == 'LaunchConfiguration' and node.args:
            return self._defaults.get(self._literal(node.args[0]))
        return self._literal(node)

    def _literal(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            node = self._assigned.get(node.id, node)
        return node.value if isinstance(node, ast.Constant) and isinstance(
            node.value, str) else None


def _name(call: ast.Call) -> str:
    """Return the last name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else (
        call.func.attr if isinstance(call.func, ast.Attribute) else '')
