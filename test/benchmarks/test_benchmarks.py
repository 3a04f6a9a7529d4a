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

"""Tests that the benchmarks run; what they measure is not evaluated."""

from importlib import import_module
import os
from pathlib import Path

import benchmarks
from benchmarks import soak
from benchmarks import start_up
from benchmarks.__main__ import main
from benchmarks.check_folder import print_table
from benchmarks.check_folder import write_samples
import numpy as np
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize('name', [
    path.stem for path in Path(benchmarks.__file__).parent.glob('[a-z]*.py')])
def test_each_benchmark_finds_what_it_imports(name):
    try:
        import_module(f'benchmarks.{name}')
    except ModuleNotFoundError as error:
        assert not error.name.startswith(('benchmarks', 'support', 'urdf_tools')), error
        pytest.skip(f'{error.name} is not installed')


def test_table(capsys):
    main(['--joints', '7', '--rate', '100', '--seconds', '0.5', '--rounds', '1',
          '--only', 'state_publisher'])
    cells = [[cell.strip() for cell in line.split('|')[1:-1]]
             for line in capsys.readouterr().out.splitlines() if line.startswith('|')]
    assert cells[0][:3] == ['joints', 'node', 'CPU us']
    (row,) = cells[2:]
    assert row[:2] == ['7', 'state_publisher']
    assert row[-2:] == ['1.00', '1.00']
    assert min(map(float, row[2:6])) > 0


def test_check_of_a_folder(tmp_path, capsys):
    pytest.importorskip('xacro')
    write_samples(tmp_path, 12)
    print_table(str(tmp_path), 2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == '12 files, 4 of them robots'
    assert [line.split()[0] for line in lines[2:]] == ['xacro', 'check', 'check']


def test_idle(capsys):
    main(['--joints', '7', '--seconds', '0.5', '--rounds', '1', '--only', 'state_publisher',
          '--idle', '--pin', str(min(os.sched_getaffinity(0)))])
    output = capsys.readouterr().out
    assert 'each node pinned to core' in output
    assert output.splitlines()[-1].startswith('| 7 | state_publisher | ')


def test_start_up(capsys):
    start_up.main(['--rounds', '1'])
    names = [line.split(' | ')[0] for line in capsys.readouterr().out.splitlines()]
    assert '| urdf-tools check arm.urdf' in names
    assert '| state_publisher, first /tf_static' in names


def test_longest_pause():
    sent = np.array([0, 10, 20, 30, 40]) * 1_000_000
    received = np.array([(0, 1), (10, 12), (40, 43)]) * 1_000_000
    assert soak.longest_pause(sent, received) == (23_000_000, 20_000_000)
