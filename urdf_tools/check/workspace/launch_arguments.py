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

from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import Script

_TAKING = ('robot_description', 'robot_description_semantic', 'process_file')
"""What takes xacro arguments as a table: MoveItConfigsBuilder and xacro."""


def launch_arguments(text: str) -> dict[str, str]:
    """
    Return the xacro arguments in the text of a launch file, those with a known value.

    They are in tables for MoveItConfigsBuilder and xacro, or in lists for ``Command``, after
    ``name:=``. An argument of the launch file has its default.
    """
    try:
        script = Script(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    defaults = {_literal(script, node.args[0]): _literal(script, each.value)
                for node in script.nodes if called(node) == 'DeclareLaunchArgument'
                and isinstance(node, ast.Call) and node.args
                for each in node.keywords if each.arg == 'default_value'}
    found = {}
    for name, node in _given(script.nodes):
        value = script.value(node)
        if called(value) == 'perform' and isinstance(value, ast.Call) and (
                isinstance(value.func, ast.Attribute)):
            value = script.value(value.func.value)
        if called(value) == 'LaunchConfiguration' and isinstance(value, ast.Call) and value.args:
            given = defaults.get(_literal(script, value.args[0]))
        else:
            given = _literal(script, value)
        if given is not None:
            # In a command, a shell takes the quotes of an empty text away.
            found[name] = given.strip('"\'')
    return found


def _given(nodes: list[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the arguments that are given, with what their value is."""
    for node in nodes:
        if isinstance(node, ast.Call) and called(node) in _TAKING:
            for table in (*node.args, *(each.value for each in node.keywords)):
                if isinstance(table, ast.Dict):
                    yield from ((key.value, value) for key, value in zip(table.keys, table.values)
                                if isinstance(key, ast.Constant) and isinstance(key.value, str))
        elif isinstance(node, ast.List):
            for part, value in zip(node.elts, node.elts[1:]):
                if isinstance(part, ast.Constant) and str(part.value).endswith(':='):
                    yield str(part.value)[:-2].rpartition(' ')[2], value


def _literal(script: Script, node: ast.expr) -> str | None:
    """Return the text that is written, or that of the variable; None if it is computed."""
    value = script.value(node)
    return value.value if isinstance(value, ast.Constant) and isinstance(
        value.value, str) else None
