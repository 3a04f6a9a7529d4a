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

"""Packages that the command line or the settings of the project name, in all verbs."""

import pytest

from urdf_tools.cli import main

VERBS = ('account', 'check', 'expand', 'fk', 'inertia', 'sdf', 'tree', 'urdf')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a robot that includes a file of a package elsewhere."""
    (tmp_path / 'far/parts').mkdir(parents=True)
    (tmp_path / 'far/parts/part.xacro').write_text(
        '<robot><link name="base"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
    robot = tmp_path / 'robot'
    robot.mkdir()
    (robot / 'robot.urdf.xacro').write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:include filename="$(find my_parts)/part.xacro"/></robot>')
    monkeypatch.chdir(robot)
    return robot


@pytest.mark.parametrize('verb', VERBS)
def test_packages_of_the_command_line(verb, folder, capsys):
    assert main([verb, 'robot.urdf.xacro']) == 2
    captured = capsys.readouterr()
    assert '--package NAME=FOLDER' in captured.out + captured.err
    assert main([verb, 'robot.urdf.xacro', '--package', 'my_parts=../far/parts']) == 0


@pytest.mark.parametrize('verb', VERBS)
def test_packages_of_the_settings(verb, folder):
    (folder / 'urdf-tools.toml').write_text('[packages]\nmy_parts = "../far/parts"\n')
    assert main([verb, 'robot.urdf.xacro']) == 0


def test_packages_of_two_robots(folder, capsys):
    robots = ['robot.urdf.xacro'] * 2
    assert main(['diff', *robots]) == 2
    assert main(['diff', *robots, '--package', 'my_parts=../far/parts']) == 0
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(['diff', *robots, '--package', 'my_parts'])
    assert 'NAME=FOLDER' in capsys.readouterr().err
