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

"""Named pipes as files."""

from contextlib import suppress
import os
import signal
import subprocess
import sys

import pytest

from urdf_tools.cli import fixing
from urdf_tools.cli import main

pytestmark = pytest.mark.slow

ROBOT = (
    '<robot name="r"><link name="a"><inertial><mass value="1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>')


@pytest.fixture
def pipe(tmp_path):
    """Return the path of a pipe that nobody has opened, with a description beside it."""
    os.mkfifo(tmp_path / 'pipe.urdf')
    (tmp_path / 'robot.urdf').write_text(ROBOT)
    return tmp_path / 'pipe.urdf'


def start(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, '-c', 'import sys; from urdf_tools.cli import main; sys.exit(main())',
         *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize('arguments', [
    ('check',), ('check', '--jobs', '2', 'robot.urdf'), ('tree',), ('fk',), ('inertia',),
    ('sdf',), ('diff', 'robot.urdf'), ('check', 'robot.urdf', '--loops')], ids=' '.join)
def test_a_named_pipe_is_not_waited_for(pipe, arguments):
    output, error = start(pipe.parent, *arguments, pipe.name).communicate(timeout=60)
    assert (output + error).count('It is a named pipe') == 1
    assert 'Redirect it to standard input' in output + error or '--loops' in arguments


@pytest.mark.parametrize('arguments', [
    ('check',), ('check', '--jobs', '2', 'robot.urdf'), ('tree',), ('fk',), ('inertia',),
    ('sdf',)], ids=' '.join)
def test_the_pipe_of_another_command_is_read(pipe, arguments):
    """As ``check <(xacro robot.xacro)`` names it."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, '-m', 'urdf_tools.cli', *arguments, f'/dev/fd/{reader}'], cwd=pipe.parent,
        pass_fds=[reader])
    os.close(reader)
    with open(writer, 'w') as file:
        file.write(ROBOT)
    assert process.wait(60) == 0


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait(number):
    process = subprocess.Popen(
        [sys.executable, '-m', 'urdf_tools.cli', 'check', '/dev/stdin'], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write(' ' * 2**20)  # This waits until the command reads.
    process.stdin.flush()
    # Python notices a signal between two reads only after the second one.
    for _ in range(600):
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
            break
    assert (process.stdout.read(), process.stderr.read()) == ('', '')
    assert process.returncode == 128 + number


def test_pipes_among_the_files_of_a_package_are_left_alone(tmp_path):
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'urdf' / 'robot.urdf').write_text(ROBOT)
    (tmp_path / 'package.xml').write_text('<package><name>arm</name></package>')
    for name in ('launch/a.launch.py', 'launch/b.launch.xml', 'launch/c.launch.yaml',
                 'config/d.yaml', 'config/e.srdf', 'rviz/f.rviz', 'urdf/g.urdf.xacro',
                 'CMakeLists.txt', 'setup.py', 'urdf-tools.toml'):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / name)
    for target in ('.', 'urdf/robot.urdf'):
        process = start(tmp_path, 'check', target)
        output, error = process.communicate(timeout=60)
        assert process.returncode == 0, output + error
        assert 'urdf/robot.urdf: 0 errors' in output


def test_a_fix_does_not_wait_for_a_pipe_that_took_the_place_of_its_file(
        tmp_path, monkeypatch, capsys):
    file = tmp_path / 'robot.urdf'
    file.write_text('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="Fixed">'
                    '<parent link="a"/><child link="b"/></joint></robot>')
    read = fixing._fixes

    def replaced(target):
        fixes = read(target)
        assert fixes.after
        file.unlink()
        os.mkfifo(file)
        return fixes

    monkeypatch.setattr(fixing, '_fixes', replaced)
    handler = signal.signal(signal.SIGALRM, lambda *_: pytest.fail('it waits'))
    signal.alarm(20)
    try:
        assert main(['check', '--fix', str(file)]) == 2
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
    assert capsys.readouterr().err == (
        f"urdf-tools: Cannot write '{file}': It is not a regular file any more\n")
    assert file.is_fifo()
