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

"""Starts of a node that fail, as forks of one process: its imports take longer than the rest."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
import json
from pathlib import Path
import subprocess
import sys

_PROGRAM = """
import json
import os
from pkgutil import resolve_name
import sys

from urdf_tools.nodes.main import NODES
from urdf_tools.ros.process import run

name, starts = sys.argv[1], json.loads(sys.argv[2])
make_node = resolve_name(NODES[name])
for arguments in starts:
    if not os.fork():
        sys.argv[1:] = arguments
        sys.exit(run(name, make_node, max_arguments=name == 'state_publisher'))
    print('exit code', os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


def failed_starts(
        name: str, folder: Path, starts: Sequence[tuple[Mapping, Sequence[str]]]) -> list[str]:
    """
    Return what a node writes at starts with parameters and arguments, each with exit code 1.

    :param folder: for the files of the parameters.
    """
    commands = []
    for number, (parameters, arguments) in enumerate(starts):
        file = folder / f'{number}.yaml'
        # JSON is YAML in which strings are unambiguous.
        file.write_text(json.dumps({'/**': {'ros__parameters': parameters}}))
        commands.append([*arguments, '--ros-args', '--params-file', str(file)])
    *outputs, rest = subprocess.run(
        [sys.executable, '-W', 'ignore:This process', '-c', _PROGRAM, name, json.dumps(commands)],
        text=True, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.split(
            'exit code 1\n')
    assert (rest, len(outputs)) == ('', len(starts)), outputs
    return outputs
