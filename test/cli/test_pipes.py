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

import os
import signal
import subprocess
import sys

import pytest

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
    ('sdf',)], ids=' '.join)
def test_it_waits_for_a_description(pipe, arguments):
    process = start(pipe.parent, *arguments, pipe.name)
    pipe.write_text(ROBOT)
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait(pipe, number):
    process = start(pipe.parent, 'check', pipe.name)
    with pipe.open('w'):  # This waits until the command has opened the pipe.
        process.send_signal(number)
        assert process.communicate(timeout=60) == ('', '')
    assert process.returncode == 128 + number
