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

"""The verb sdf: a model for Gazebo, and the report of what is lost."""

import json

import pytest

from urdf_tools.cli import main
from urdf_tools.formats.description_files import load
from urdf_tools.programs.gazebo import convert

MASS = ('<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        '</inertial>')

ROBOT = f"""<robot name="arm">
  <link name="base">{MASS}</link>
  <link name="tool">{MASS}</link>
  <link name="finger"/>
  <joint name="flange" type="fixed"><parent link="base"/><child link="tool"/></joint>
  <joint name="grip" type="continuous"><parent link="tool"/><child link="finger"/></joint>
  <transmission name="t"/>
</robot>
"""


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(ROBOT)
    return path


def test_the_report_begins_with_what_remains(urdf, capsys):
    assert main(['sdf', str(urdf)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ('arm: Gazebo loads 1 of 3 links (1 lumped into others), 0 of 1 moving '
                        'joints and 4 of 4 kg (libsdformat 14)')
    assert lines[1:3] == [
        "  dropped: Gazebo drops link 'finger', which has no mass. Give the link a mass",
        '      line 4']
    assert lines[4] == '      line 7'
    assert str(urdf) not in '\n'.join(lines)


def test_a_base_that_moves_freely(urdf, tmp_path, capsys):
    said = '  the base moves freely in Gazebo{}; a fixed joint from a link world to it holds it\n'
    assert main(['sdf', str(urdf)]) == 0
    assert said.format('') in capsys.readouterr().out
    urdf.write_text(ROBOT.replace('<transmission name="t"/>', """<link name="world"/>
        <joint name="w" type="fixed"><parent link="world"/><child link="base"/></joint>"""))
    assert main(['sdf', str(urdf)]) == 0
    assert 'freely' not in capsys.readouterr().out
    model = tmp_path / 'arm.xml'
    for base, was in ('', ', though MJCF fixes it'), ('<freejoint/>', ''):
        model.write_text('<mujoco model="m"><worldbody><body name="a">'
                         f'{base}<geom size="1"/></body></worldbody></mujoco>')
        assert main(['sdf', str(model)]) == 0
        assert said.format(was) in capsys.readouterr().out


def test_the_model_is_written(urdf, tmp_path, capsys):
    model = tmp_path / 'arm.sdf'
    assert main(['sdf', str(urdf), '-o', str(model), '--target', '15']) == 0
    assert model.read_text() == convert(load(urdf), '15').text
    assert 'Gazebo loads 1 of 3 links' in capsys.readouterr().err
    assert main(['sdf', str(urdf), '-o', '-']) == 0
    output = capsys.readouterr()
    assert output.out == convert(load(urdf)).text
    assert 'Gazebo loads 1 of 3 links' in output.err


def test_mass_that_is_lost_is_said_first_and_harmless_differences_last(tmp_path, capsys):
    path = tmp_path / 'r.urdf'
    path.write_text(f"""<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
<link name="base">{MASS}<visual><geometry><sphere radius="1"/></geometry><material name="red">
<color rgba="1 0 0 1"/></material></visual></link>
<link name="torso"/>
<link name="chest">{MASS}</link>
<joint name="a" type="continuous"><parent link="base"/><child link="torso"/></joint>
<joint name="b" type="continuous"><parent link="torso"/><child link="chest"/></joint>
<transmission name="t"/></robot>""")
    assert main(['sdf', str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert '2 of 4 kg' in lines[0]
    assert lines[1:3] == [
        "  dropped, 2 kg: Gazebo drops link 'torso', which has no mass, with 1 link and 2 joints "
        'at and below it. Give the link a mass', '      line 4']
    assert lines[3].startswith('  ignored: <transmission>: libsdformat does not read')
    assert lines[-2] == '  without effect on motion: 1 attribute, 1 name'


def test_the_report_is_printed_beside_the_model(urdf, tmp_path, capsys):
    model = tmp_path / 'arm.sdf'
    assert main(['sdf', str(urdf), '-o', str(model), '--format', 'json']) == 0
    assert model.read_text() == convert(load(urdf)).text
    assert json.loads(capsys.readouterr().out)


def test_fixed_joints_are_preserved(urdf, capsys):
    assert main(['sdf', str(urdf), '--preserve-fixed-joints']) == 0
    headline = capsys.readouterr().out
    assert 'Gazebo loads 2 of 3 links, 0 of 1 moving joints and 4 of 4 kg' in headline


def test_the_report_as_json(urdf, capsys):
    assert main(['sdf', str(urdf), '--format', 'json']) == 0
    data = json.loads(capsys.readouterr().out)
    assert data['headline'].startswith('Gazebo loads 1 of 3 links')
    assert data['loads'] and data['causes'] == [] and data['version'] == 'libsdformat 14'
    assert data['moving_joints'] == {'in': 1, 'out': 0} and data['mass'] == {'in': 4, 'out': 4}
    assert data['links'] == {'in': 3, 'out': 1} and data['merged'] == 1
    finger = next(loss for loss in data['losses'] if loss['line'] == 4)
    assert finger['impact'] == 'drops' and finger['file'] == str(urdf)


def test_a_model_that_gazebo_does_not_load_is_an_error(tmp_path, capsys):
    path = tmp_path / 'empty.urdf'
    path.write_text('<robot name="r"><link name="a"/></robot>')
    assert main(['sdf', str(path), '-o', str(tmp_path / 'empty.sdf')]) == 1
    assert capsys.readouterr().err.startswith(
        'r: Gazebo refuses the model (libsdformat 14)\n'
        "  refused: Link 'a' has no mass, so Gazebo drops it, and no link is left. Give "
        'the link a mass\n      line 1\n')


def test_a_description_that_sdformat_refuses_gives_no_model(tmp_path, capsys):
    path, model = tmp_path / 'bad.urdf', tmp_path / 'bad.sdf'
    path.write_text(f'<robot name="r"><link name="a">{MASS}</link><link name="b">{MASS}</link>\n'
                    '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'
                    '</robot>')
    assert main(['sdf', str(path), '-o', str(model)]) == 1
    assert not model.exists()
    assert capsys.readouterr().err == (
        'r: Gazebo refuses the model (libsdformat 14)\n'
        "  refused: Joint 'j' is revolute and has no <limit>. Write "
        '<limit lower="..." upper="..." effort="..." velocity="..."/>\n      line 2\n')


def test_a_file_that_cannot_be_written_is_one_error(urdf, tmp_path, capsys):
    target = tmp_path / 'missing' / 'arm.sdf'
    assert main(['sdf', str(urdf), '-o', str(target)]) == 2
    assert capsys.readouterr().err == (
        f"urdf-tools: Cannot write '{target}': No such file or directory\n")
