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

"""Launch files played through without starting a process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

LAUNCH_FILES = Path(__file__).resolve().parents[2] / 'launch'


@dataclass(frozen=True)
class PlannedNode:
    """A node as the command line of its process would start it; its name is absolute."""

    executable: str
    name: str
    parameters: dict


@dataclass(frozen=True)
class Plan:
    """
    What a launch file would start, and the exit code that launch would give.

    ``files`` are the contents of the files of parameters of each process, ``commands`` their
    command lines.
    """

    exit_code: int
    nodes: dict[str, PlannedNode]
    files: list[list[dict]]
    commands: list[list[str]]


@pytest.fixture
def plan(launch_system, monkeypatch) -> Callable[..., Plan]:
    """Return what plays a launch file through, given its name and arguments."""
    import launch
    commands = []

    def note(action, context):
        action.prepare(context)
        commands.append(action.process_details['cmd'])

    monkeypatch.setattr(launch.actions.ExecuteLocal, 'execute', note)

    def play(file, **arguments):
        service = launch.LaunchService(
            argv=[f'{name}:={value}' for name, value in arguments.items()], noninteractive=True)
        service.include_launch_description(launch.LaunchDescription([
            launch.actions.IncludeLaunchDescription(
                str(LAUNCH_FILES / file), launch_arguments=arguments.items())]))
        exit_code = service.run()
        nodes = [node for command in commands for node in _planned(command)]
        return Plan(
            exit_code, {node.name: node for node in nodes}, list(map(_parameter_files, commands)),
            commands)

    return play


def _parameter_files(command) -> list[dict]:
    texts = [Path(file).read_text()
             for option, file in zip(command, command[1:]) if option == '--params-file']
    # The parser of rcl refuses aliases.
    tokens = [token for text in texts for token in yaml.scan(text)]
    assert not any(isinstance(token, yaml.AliasToken) for token in tokens)
    return list(map(yaml.safe_load, texts))


def _planned(command) -> list[PlannedNode]:
    """Return the nodes of a process: those that the companion runs, too."""
    options = list(zip(command, command[1:]))
    remaps = dict(value.split(':=') for option, value in options if option == '-r')
    executable = Path(command[0]).name
    namespace = remaps.get('__ns', '').rstrip('/')
    files = _parameter_files(command)

    def planned(node):
        parameters = {}
        for file in files:
            for pattern, section in file.items():
                if pattern in (f'{namespace}/{node}', '/**', f'/**/{node}'):
                    parameters.update(section['ros__parameters'])
        return PlannedNode(executable, f'{namespace}/{node}', parameters)

    first = planned(remaps.get('__node', executable))
    return [first, *map(planned, first.parameters.get('nodes', ()))]
