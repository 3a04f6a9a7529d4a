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

"""Standard output that is full, closed or read no more: not a traceback, and never exit code 1."""

from __future__ import annotations

import os
from pathlib import Path
import subprocess
import sys

import pytest
from support.recordings import KINDS
from support.recordings import string
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.cli.command import VERBS

pytestmark = pytest.mark.slow

COMMAND = (sys.executable, '-m', 'urdf_tools.cli')
ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <link name="a"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><sphere radius="1"/></geometry></visual></link>
</robot>
"""
COMMANDS = {
    'check': ['check', 'r.xacro', 'r.urdf', '--jobs', '2'],
    'check as JSON': ['check', 'r.urdf', '--format', 'json'],
    'check of a difference': ['check', 'wrong.urdf', '--diff'],
    'check with a rule': ['check', '--explain', 'mass-negative'],
    'doctor': ['doctor', '--explain'],
    'doctor of a recording': ['doctor', 'r.mcap'],
    'doctor of recordings': ['doctor', 'r.mcap', 'r.mcap', '--format', 'json'],
    'bag': ['bag', 'frames', 'r.mcap', '--model', 'r.urdf', '-o', 'out.mcap'],
    'tree': ['tree', 'r.urdf'],
    'fk': ['fk', 'r.urdf'],
    'inertia': ['inertia', 'r.urdf'],
    'collide': ['collide', 'r.urdf'],
    'account': ['account', 'r.urdf'],
    'diff': ['diff', 'r.urdf', 'wrong.urdf'],
    'attach': ['attach', 'r.urdf', '--link', 'a', 'wrong.urdf', '--prefix', 'b_', '-o', '-'],
    'sdf': ['sdf', 'r.urdf'],
    'sdf to standard output': ['sdf', 'r.urdf', '-o', '-'],
    'urdf': ['urdf', 'r.urdf', '-o', '-'],
    'mjcf': ['mjcf', 'r.urdf', '-o', 'out.xml'],
    'view': ['view', 'r.urdf', '--no-browser'],
    'expand': ['expand', 'r.xacro'],
    'help': ['--help'],
    'version': ['--version'],
    'help of a verb': ['fk', '--help'],
}
WRITTEN = {'mjcf': 'wrote out.xml\n'}
"""What verbs say that wrote their file before."""

BY_VERB = pytest.mark.parametrize('arguments', COMMANDS.values(), ids=COMMANDS)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the current folder, with a robot."""
    for name in ('r.urdf', 'r.xacro'):
        (tmp_path / name).write_text(ROBOT)
    (tmp_path / 'wrong.urdf').write_text(ROBOT.replace('</robot>', (
        '<link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
        '<axis xyz="0 0 2"/></joint></robot>')))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(arguments, **streams):
    """Return the exit code and the messages of the command."""
    if 'r.mcap' in arguments:
        pytest.importorskip('mcap', reason='mcap is not installed')
        write_mcap(Path('r.mcap'), [Written('/robot_description', 10**18, string(ROBOT))],
                   {'/robot_description': KINDS['/robot_description']})
    if arguments[0] == 'view':
        pytest.importorskip('viser', reason='viser is not installed')
    result = subprocess.run(
        [*COMMAND, *arguments], timeout=120, text=True,
        **{'stderr': subprocess.PIPE, 'stdin': subprocess.DEVNULL, **streams})
    return result.returncode, result.stderr


def test_each_verb_is_tested():
    assert {arguments[0] for arguments in COMMANDS.values()} >= {*VERBS} - {'lsp'}


@BY_VERB
def test_a_full_output_is_one_error(arguments):
    with open('/dev/full', 'wb') as full:
        assert run(arguments, stdout=full) == (
            2, WRITTEN.get(arguments[0], '')
            + 'urdf-tools: Cannot write to standard output: No space left on device\n')


@BY_VERB
def test_a_closed_output_is_one_error(arguments):
    assert run(arguments, preexec_fn=lambda: os.close(1)) == (
        2, WRITTEN.get(arguments[0], '')
        + 'urdf-tools: Cannot write to standard output: Bad file descriptor\n')


@BY_VERB
def test_a_reader_that_has_gone_ends_the_command_quietly(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, 'wb') as gone:
        assert run(arguments, stdout=gone) == (141, WRITTEN.get(arguments[0], ''))


@pytest.mark.parametrize('arguments', [['check', 'wrong.urdf'], ['tree', 'missing.urdf']])
def test_messages_that_cannot_be_written_are_no_finding(arguments):
    with open('/dev/full', 'wb') as full:
        assert run(arguments, stdout=full, stderr=full)[0] == 2


def test_messages_do_not_go_to_the_output_if_standard_error_is_closed(folder):
    with open('out', 'wb') as out:
        code, _ = run(['tree', 'missing.urdf'], stdout=out, stderr=None,
                      preexec_fn=lambda: os.close(2))
    assert (code, (folder / 'out').read_bytes()) == (2, b'')


@pytest.mark.parametrize('closed', [(0,), (1,), (0, 1, 2)])
def test_a_file_that_is_written_does_not_take_the_place_of_a_closed_stream(folder, closed):
    def close():
        for number in closed:
            os.close(number)
    code, _ = run(['expand', 'r.xacro', '-o', 'r.out'], preexec_fn=close, stdin=None, stderr=None)
    assert code == 0
    assert (folder / 'r.out').read_text().startswith('<?xml')


def test_closed_input_is_empty():
    code, error = run(['tree', '-'], stdin=None, preexec_fn=lambda: os.close(0))
    assert code == 2
    assert 'The description is empty' in error


def test_head_gets_the_first_line(folder):
    links = ''.join(
        f'<link name="l{number}"/><joint name="j{number}" type="fixed"><parent link="a"/>'
        f'<child link="l{number}"/></joint>' for number in range(20_000))
    (folder / 'large.urdf').write_text(ROBOT.replace('</robot>', f'{links}</robot>'))
    result = subprocess.run(
        ['bash', '-c', '"$@" | head -1; exit ${PIPESTATUS[0]}', 'bash', *COMMAND, 'tree',
         'large.urdf'], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (141, '')
    assert result.stdout == 'r: 20001 links, 20000 joints, 0 of them moving\n'
