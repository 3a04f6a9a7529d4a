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

"""The examples in the help of the verbs run."""

import os
from pathlib import Path
import shlex
import shutil
import subprocess
import sys

from node_processes import Process
import pytest
from support.verb_examples import EXAMPLES

from urdf_tools.cli import main

SAMPLES = Path(__file__).resolve().parents[2] / 'urdf'

ELSEWHERE = {
    'drive.mcap': 'in test_identify.py', 'view robot.urdf': 'ends on a signal',
    'doctor --seconds': 'needs a graph', 'lsp': 'reads standard input'}
"""Examples that other tests run."""

COMMANDS = [command for examples in EXAMPLES.values() for command in examples]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with the files of the examples."""
    folder = tmp_path_factory.mktemp('examples')
    shutil.copytree(SAMPLES, folder / 'src')
    for name in ('robot.urdf', 'old.urdf', 'gripper.urdf'):
        shutil.copy(SAMPLES / 'arm.urdf', folder / name)
    shutil.copy(SAMPLES / 'arm.urdf.xacro', folder / 'robot.urdf.xacro')
    (folder / 'robot.xml').write_text(
        '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>')
    (folder / 'model.sdf').write_text(
        '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>')
    for path in SAMPLES.glob('*.xacro'):
        shutil.copy(path, folder)
    return folder


def test_each_verb_has_two():
    assert all(len(examples) == 2 for examples in EXAMPLES.values())
    assert all(command.split()[0] == verb for verb, examples in EXAMPLES.items()
               for command in examples)


@pytest.mark.parametrize('command', [
    pytest.param(command, marks=[pytest.mark.slow] * ('--matrix' in command))
    for command in COMMANDS
    if command == COMMANDS[-1] or not any(each in command for each in ELSEWHERE)
    or '--screenshot' in command])
def test_examples_run(folder, monkeypatch, capsys, command):
    if 'xacro' in command or ' src' in command:
        pytest.importorskip('xacro')
    if command.startswith('collide'):
        pytest.importorskip('scipy')
        pytest.importorskip('coal')
    monkeypatch.chdir(folder)
    if '--screenshot' in command or command.startswith('lsp'):
        pytest.importorskip('viser' if command.startswith('view') else 'pygls')
        if command.startswith('view') and not shutil.which('chromium'):
            pytest.skip('Chromium is not installed')
        result = subprocess.run(
            [sys.executable, '-m', 'urdf_tools.cli', *shlex.split(command)], cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
        assert result.returncode in (0, 1), result.stderr
        return
    assert main(shlex.split(command)) in (0, 1), capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([command.split()[0], '--help'])
    assert f'  urdf-tools {command}\n' in capsys.readouterr().out


def test_view_shows_an_address(folder):
    pytest.importorskip('viser')
    process = Process('view', [
        sys.executable, '-m', 'urdf_tools.cli', 'view', str(folder / 'robot.urdf'),
        '--no-browser'])
    try:
        process.wait_for_line('http://127.0.0.1:')
    finally:
        process.close()


@pytest.mark.slow
def test_doctor_observes_a_graph(nodes):
    node = nodes.start('state_publisher', {
        'robot_description': '<robot name="tested"><link name="a"/></robot>'})
    node.wait_for_line('tested')
    result = subprocess.run(
        [sys.executable, '-m', 'urdf_tools.cli', *EXAMPLES['doctor'][0].split()],
        capture_output=True, text=True, env={
            **os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert result.returncode in (0, 1), result.stderr
