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

from collections.abc import Iterator
import os
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import LaunchFile
from urdf_tools.check.launch_files import Place
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.messages import location

_SUSPECT = re.compile(r':(?:\s|\Z)| #|\t')
"""What may end a plain text in YAML."""


@RULES.in_category('assets')('launch-description-as-yaml', ERROR)
def launch_description_as_yaml(description: Description) -> Iterator[Defect]:
    """
    Check that launch files hand the robot_description over as a text.

    Without ParameterValue(..., value_type=str), launch reads the output of a Command as YAML. A
    colon before a space, or a space before a #, in a comment of the description ends its text in
    YAML, and the launch file fails. It is noted where the description has no such comment yet.
    gazebo_ros2_control and ign_ros2_control hand it over in the same way.

    Example: parameters=[{'robot_description': Command(['xacro ', path])}]
    """
    files = package_files(description)
    found = [(file, place) for file in launch_files(description)
             if file.path in files.launching for place in [*_commands(file)][:1]]
    for file, place in found:
        reason = _not_yaml(description, is_expanded='xacro' in file.text)
        element = file.element(place, 'parameter')
        if reason is None:
            yield Defect(element, 'Launch reads robot_description as YAML, and fails at the first '
                         'comment in {file} with a colon or a # in it', severity=INFO,
                         consequences=(), file=FreeText(os.path.basename(files.source)))
        else:
            where, excerpt = reason
            yield Defect(element, 'Launch reads robot_description as YAML, which it is not, '
                         'because of {text:60} at {position}', text=Name(excerpt),
                         position=FreeText(where))
    # Some launch files take the comments out first.
    takes_out = any('<!--' in text for text in files.launching.values())
    for plugin in description.plugins:
        name = re.search('(gazebo|ign)_ros2_control', plugin.get('filename', ''))
        if name and not takes_out and (
                reason := _not_yaml(description, description.document.xacro is not None)):
            yield Defect(plugin, '{plugin} hands the description over as YAML, which it is not, '
                         'because of {text:60} at {position}', consequences=(), text=Name(
                             reason[1]), position=FreeText(reason[0]), plugin=FreeText(name[0]))


def _commands(file: LaunchFile) -> Iterator[Place]:
    """Yield where robot_description is the output of a command that launch reads as YAML."""
    for value in file.script.descriptions():
        if called(file.script.value(value)) == 'Command':
            yield file.script.offset(value)
    for entry in file.entries:
        given = entry.attrib
        if given.get('name') == 'robot_description' and 'type' not in given and (
                '$(command' in given.get('value', '')):
            yield entry


def _not_yaml(description: Description, is_expanded: bool) -> tuple[str, str] | None:
    """Return where the text that launch gets ends in YAML, and the text there, or None."""
    document = description.document
    text = document.data.decode('utf-8', 'replace')
    if is_expanded:  # xacro keeps the tabs in comments alone.
        text = re.sub('(?s)(<!--.*?-->)|\t', lambda match: match[1] or ' ', text)
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
