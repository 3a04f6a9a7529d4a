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

"""Rules about the launch files that start a robot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Mapping
import os
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.messages import location

_PARAMETER = re.compile(
    r'<param\b(?=[^>]*\bname=["\']robot_description["\'])(?=[^>]*\$\(command\b)'
    r'(?![^>]*\btype=["\'])')

_SIMULATED = re.compile('(?:gazebo|gz|ign)_ros2_control/')

_SUSPECT = re.compile(r':(?:\s|\Z)| #|\t')
"""What may end a plain text in YAML."""


@RULES.in_category('assets')(
    'launch-description-as-yaml', ERROR,
    refuses('robot_state_publisher', how='is not started, because the launch file fails'),
    fix='Wrap the command: ParameterValue(Command(...), value_type=str); in XML write type="str"',
    source='launch_ros `evaluate_parameters.py`')
def launch_description_as_yaml(description: Description) -> Iterator[Defect]:
    """
    Check that launch files hand the robot_description over as a text.

    Without ParameterValue(..., value_type=str), launch reads the output of a Command as YAML. A
    colon before a space, or a space before a #, in a comment of the description ends its text in
    YAML, and the launch file fails. It is noted where the description has no such comment yet.

    Example: parameters=[{'robot_description': Command(['xacro ', path])}]
    """
    files = package_files(description)
    found = [(path, text, offset) for path, text in files.launching.items()
             for offset in [*(_in_xml if '<launch' in text else _in_python)(text)][:1]]
    reason = _not_yaml(description) if found else None
    for path, text, offset in found:
        element = element_in(path, text, offset, 'parameter')
        if reason is None:
            yield Defect(element, 'Launch reads robot_description as YAML, and fails at the first '
                         'comment in {file} with a colon or a # in it', severity=INFO,
                         consequences=(), file=FreeText(os.path.basename(files.source)))
        else:
            where, excerpt = reason
            yield Defect(element, 'Launch reads robot_description as YAML, which it is not, '
                         'because of {text:60} at {position}', text=Name(excerpt),
                         position=FreeText(where))


_CONDITION = re.compile(r'(?:Unless|If)Condition|\b(?:if|unless)=|:=')


@RULES.in_category('assets')(
    'launch-simulated-control-node', WARN,
    refuses('ros2_control', how='does not load the system, which is one of Gazebo'),
    fix='Leave ros2_control_node out: the plugin in <gazebo> has a controller manager of its own',
    source='gz_ros2_control `gz_ros2_control_plugin.cpp`')
def launch_simulated_control_node(description: Description) -> Iterator[Defect]:
    """
    Check that no ros2_control_node is launched for a robot whose system is one of Gazebo.

    Launch files with conditions or arguments of xacro are left out, as they may start it for the
    real robot only.

    Example: Node(package='controller_manager', executable='ros2_control_node'), and the plugin
        gz_ros2_control/GazeboSimSystem
    """
    systems = [name for plugin in description.robot.iterfind('ros2_control/hardware/plugin')
               if _SIMULATED.match(name := (plugin.text or '').strip())]
    for path, text in package_files(description).launching.items() if systems else ():
        start = text.find('ros2_control_node')
        if start >= 0 and not _CONDITION.search(text):
            yield Defect(element_in(path, text, start, 'node'), 'ros2_control_node cannot load '
                         '{system}, which only Gazebo does', system=Name(systems[0]))


def _in_xml(text: str) -> Iterator[int]:
    return (match.start() for match in _PARAMETER.finditer(text))


def _in_python(text: str) -> Iterator[int]:
    """Yield the offset of each robot_description that is the output of a Command."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # It may be a template, or is not a launch file.
    assigned: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned[node.targets[0].id] = node.value
    starts = [0, *(match.end() for match in re.finditer('\n', text))]
    for node in ast.walk(tree):
        for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and key.value == 'robot_description' and (
                    _is_command(value, assigned)):
                yield starts[key.lineno - 1] + key.col_offset


def _is_command(value: ast.expr, assigned: Mapping[str, ast.expr]) -> bool:
    """Return whether a value is a Command, or a variable of one."""
    for _ in range(3):
        value = assigned.get(value.id, value) if isinstance(value, ast.Name) else value
    called = value.func if isinstance(value, ast.Call) else None
    return (called.id if isinstance(called, ast.Name) else
            called.attr if isinstance(called, ast.Attribute) else '') == 'Command'


def _not_yaml(description: Description) -> tuple[str, str] | None:
    """Return where the text that launch gets ends in YAML, and the text there, or None."""
    document = description.document
    text = document.data.decode('utf-8', 'replace')
    if _SUSPECT.search(text) is None:
        return None
    import yaml  # It takes long, and few launch files need it.
    try:
        if isinstance(yaml.safe_load(text), str):
            return None
        line = 1
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = 1 if mark is None else mark.line + 1
        if (comment := text.find(' #')) >= 0:  # It ends the text, and only what follows fails.
            line = min(line, text.count('\n', 0, comment) + 1)
    excerpt = ' '.join(text.split('\n')[line - 1].split())
    if document.xacro is None:
        return location(document.source, line), excerpt
    for file in document.xacro.files:
        for number, written in enumerate(file.lines, 1):
            if excerpt and excerpt == ' '.join(written.split()):
                return location(file.path, number), excerpt
    return location(document.source, None), excerpt
