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

"""The command ends quietly on a signal, whatever it is doing."""

import signal
import subprocess
import sys

import pytest

COMMAND = """
import os
import signal
import sys

class SignalAtImport:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, SignalAtImport())
sys.argv = ['urdf-tools', 'check', '-']
from urdf_tools.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('module', ['urdf_tools.cli.command', 'numpy', 'urdf_tools.check'])
def test_while_it_imports(module, number):
    result = subprocess.run(
        [sys.executable, '-c', COMMAND.format(module=module, number=int(number))],
        input='<robot name="r"/>', capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (128 + number, '', '')


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_while_it_works(number):
    """The signal comes while the command reads its standard input."""
    process = subprocess.Popen(
        [sys.executable, '-c', 'import io, os, signal, sys\n'
         'class Input(io.BytesIO):\n'
         '    def read(self, size):\n'
         f'        os.kill(os.getpid(), {int(number)})\n'
         '        signal.pause()\n'
         'sys.stdin = io.TextIOWrapper(Input())\n'
         'sys.argv = ["urdf-tools", "tree", "-"]\n'
         'from urdf_tools.cli import main\n'
         'sys.exit(main())'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.communicate(timeout=60) == ('', '')
    assert process.returncode == 128 + number
