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

"""Models in MJCF, proved by MuJoCo in the environment of ``make oracle``."""

from __future__ import annotations

from collections.abc import Mapping
import json
import os
from pathlib import Path
import subprocess
from typing import Any

from support.program_oracles import PYTHON
from support.program_oracles import ROOT

_ENVIRONMENT = {**os.environ, 'PYTHONPATH': str(ROOT)}

_PROGRAM = """
import contextlib, io, json, sys
from urdf_tools.cli import main
found = {}
for name, argv in json.load(sys.stdin).items():
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main([sys.argv[1], *argv, '--prove', '--format', 'json'])
    found[name] = {'code': code, **json.loads(out.getvalue() or '{}')}
json.dump(found, sys.stdout)
"""

INERTIAL = ('<inertial><origin xyz="0.1 0.02 0.03" rpy="0.1 0.2 0.3"/><mass value="1.5"/>'
            '<inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="-0.001" izz="0.025"/>'
            '</inertial>')


def proofs(commands: Mapping[str, list[str]], folder: Path, verb: str = 'mjcf'
           ) -> dict[str, Any]:
    """Return what ``VERB --prove --format json`` says for each list of arguments."""
    done = subprocess.run(
        [PYTHON, '-c', _PROGRAM, verb], input=json.dumps(commands), capture_output=True, text=True,
        cwd=folder, timeout=600, env=_ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_with_mujoco(program: str, *arguments: str | Path) -> str:
    """Return what a program prints that imports mujoco."""
    return subprocess.run([PYTHON, '-c', program, *arguments], capture_output=True, text=True,
                          check=True, timeout=600, env=_ENVIRONMENT).stdout


def link(name: str, inertial: str = INERTIAL, content: str = '') -> str:
    """Return a link."""
    return f'<link name="{name}">{inertial}{content}</link>'


def joint(name: str, kind: str, parent: str, child: str, content: str = '',
          axis: str = '0.3 -0.5 0.7',
          limit: str = '<limit lower="-1" upper="2" effort="5" velocity="2"/>') -> str:
    """Return a joint with an oblique origin and axis."""
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><axis xyz="{axis}"/>{limit}{content}'
            '</joint>')


def robot(*parts: str) -> str:
    """Return a description."""
    return f'<robot name="r">{"".join(parts)}</robot>'
