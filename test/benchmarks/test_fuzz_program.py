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

"""Tests of the program that fuzzes for as long as one likes."""

import subprocess
import sys

from benchmarks import fuzz
import pytest


@pytest.mark.slow
def test_fuzz():
    command = [sys.executable, '-m', 'benchmarks.fuzz', '--count', '200', '--kind', 'trees']
    process = subprocess.run([*command, '--seed', 'a'], capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout.startswith('seed a\ntrees: 200 inputs, ')
    assert ', 0 faults' in process.stdout


def test_fuzz_saves_what_fails(tmp_path, capsys, monkeypatch):
    def fail(given, folder):
        raise KeyError(given.suffix)
    trees = fuzz.KINDS['trees']
    monkeypatch.setattr(fuzz, 'KINDS', {'trees': trees._replace(check=fail)})
    run = fuzz.Run('a', tmp_path)
    given = trees.make(fuzz.Random('a trees 7'))
    run.check('trees', 7, given, tmp_path)
    saved, = tmp_path.iterdir()
    assert saved.read_bytes() == given.data
    assert f'{saved}: "KeyError at' in capsys.readouterr().out
    assert '1 inputs' in run.summary()
    assert '1 faults' in run.summary()
