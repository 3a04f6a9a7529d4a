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
"""What the command says to who types what other programs take, or names another file."""

import builtins
from pathlib import Path
import re

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools.cli import main
from urdf_tools.cli.command import _OTHER_VERBS
from urdf_tools.cli.command import VERBS

ARM = Path(__file__).resolve().parents[2] / 'urdf' / 'arm.urdf'


@pytest.fixture
def arm(tmp_path, monkeypatch):
    """Return the name of a robot in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.urdf').write_text(ARM.read_text())
    return 'arm.urdf'


def said(argv, capsys):
    """Return the exit code, and what was said on standard error."""
    try:
        code = main(argv)
    except SystemExit as error:
        code = error.code
    return code, capsys.readouterr().err


def test_a_file_alone_is_checked(arm, capsys):
    assert main([arm]) == main(['check', arm]) == 0
    first, second = capsys.readouterr().out.split('note (shown with --level info)\n')[:2]
    assert first == second and first.startswith('arm.urdf: passes\n  changed by mujoco')
    assert main(['gone.urdf']) == 2
    assert 'Cannot read' in capsys.readouterr().out


@pytest.mark.parametrize('argv, shown', [
    (['help'], 'usage: urdf-tools [-h]'), (['help', 'fk'], 'usage: urdf-tools fk [-h]')])
def test_help_is_a_verb(argv, shown, capsys):
    with pytest.raises(SystemExit, match='0'):
        main(argv)
    assert capsys.readouterr().out.startswith(shown)


@pytest.mark.parametrize('word, meant', [
    ('info', "'tree'"), ('validate', "'check'"), ('convert', "'urdf' or 'sdf' or 'mjcf'"),
    ('tre', "'tree'")])
def test_verbs_of_other_programs(word, meant, capsys):
    code, text = said([word], capsys)
    assert code == 2 and f"invalid choice: '{word}'. Did you mean " in text
    assert f'{meant}? Choose from check' in text


def test_other_verbs_lead_to_verbs():
    assert not {*_OTHER_VERBS} & {*VERBS}
    assert all({*names.split()} & {*VERBS} for names in _OTHER_VERBS.values()
               if not names.endswith('.'))


def test_what_no_verb_does(capsys):
    code, text = said(['ik', 'arm.urdf'], capsys)
    assert code == 2
    assert "'ik'. Inverse kinematics is in Python: from urdf_tools import Inver" in text


@pytest.mark.parametrize('verb', ['sdf', 'mjcf', 'urdf'])
def test_what_was_not_written_is_said(verb, arm, capsys):
    code, text = said([verb, arm], capsys)
    assert (code, text) == (0, 'the model was not written; -o FILE writes it\n')
    assert said([verb, arm, '--format', 'json'], capsys)[1] == ''


def test_numbers_are_plain(tmp_path, capsys):
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="a"/><link name="b"><inertial><origin xyz="-3.9e-19 0 0"/>'
        '<mass value="20000"/><inertia ixx="30000" ixy="0" ixz="0" iyy="30000" iyz="0" izz="30000"'
        '/></inertial></link><joint name="j" type="prismatic"><parent link="a"/><child link="b"/>'
        '<limit lower="-0" upper="1000000" effort="1" velocity="1"/></joint></robot>')
    shown = ''
    for verb in ('tree', 'inertia', 'check', 'account'):
        main([verb, str(tmp_path / 'r.urdf')])
        shown += capsys.readouterr().out
    assert '0 to 1000000 m' in shown and 'Total 20000 kg' in shown
    shown = shown.replace('-3.9e-19', '').replace('"-0"', '')  # Of the excerpt of the file.
    assert not re.search(r'\de[+-]\d|-0\b(?!\.)', shown)


@pytest.mark.parametrize('options, more', [
    ([], '; give --mass b=KG, or --density or --total-mass'), (['--mass', 'b=2'], None)])
def test_a_mass_that_is_not_known(tmp_path, capsys, options, more):
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="b"><collision><geometry><sphere radius="1"/></geometry>'
        '</collision></link></robot>')
    _, text = said(['inertia', str(tmp_path / 'r.urdf'), '--compute', 'all', *options], capsys)
    assert text == ('' if more is None else f'b: not computed: its mass is not known{more}\n')


@pytest.mark.parametrize('argv, message', [
    (['fk', 'arm.urdf', 'elbow_joint=1'], 'write --joint elbow_joint=1 for the position of a'),
    (['tree', 'arm.urdf', 'elbow_joint=1'], "'elbow_joint=1' is not of the form NAME:=VALUE\n"),
    (['tree', 'arm.urdf', 'arm.urdf'], "'arm.urdf' is a second file, and one is taken"),
    (['fk', 'arm.urdf', 'arm.urdf'], "'arm.urdf' is a second file, and one is taken"),
    (['tree', 'https://example.org/arm.urdf'],
     "'https://example.org/arm.urdf': No such file or directory. Nothing is fetched: download the "
     'file'),
    (['tree', 'package://arm/urdf/arm.urdf'], 'URIs are not looked up here: name the file'),
    (['tree', 'amr.urdf'], "No such file or directory. Did you mean 'arm.urdf'?"),
    (['tree', '../{}/arm.xacro'], "/arm.urdf'?"),
    (['tree', 'gripper.urdf'], 'Give the path of a URDF'),
    (['tree', '.'], 'Name a file in this folder; only check takes folders')])
def test_what_is_no_file(argv, message, arm, tmp_path, capsys):
    for other in ('arm_b.xacro', 'arm.yaml', 'arm.rviz'):
        (tmp_path / other).touch()
    code, text = said([word.format(tmp_path.name) for word in argv], capsys)
    assert code == 2 and message in text


@pytest.mark.parametrize('content, message', [
    (b'from launch import LaunchDescription\n', 'This is Python, such as a launch file'),
    (b'# Copyright\n# All.\n\nimport os\n', 'This is Python, such as a launch file'),
    (b'#!/usr/bin/env python3\nimport os\n', 'This is Python, such as a launch file'),
    (binary_stl(CORNERS[CUBE]), 'This is a binary STL mesh'),
    (b'\x7fELF\x02\x01\x01\x00\x00', 'This is a binary file'),
    (b'<robot name="a"><link name="l"/></robot>\n<robot name="b"><link name="l"/></robot>',
     'The file has two <robot>: write each into a file of its own'),
    (b'<robot name="a"><link name="l"/></robot>\n<gazebo/>', 'only one outermost element')])
def test_what_is_no_description(content, message, tmp_path, capsys):
    (tmp_path / 'it').write_bytes(content)
    code, text = said(['tree', str(tmp_path / 'it')], capsys)
    assert code == 2 and message in text


def test_a_file_that_may_not_be_read(arm, monkeypatch, capsys):
    def refused(*_arguments, **_options):
        raise PermissionError(13, 'Permission denied')
    with monkeypatch.context() as patch:
        patch.setattr(builtins, 'open', refused)
        code, text = said(['tree', arm], capsys)
    assert code == 2 and 'Permission denied. Make it readable, as with chmod u+r' in text


def test_links_of_the_same_kind_are_proposed(arm, tmp_path, capsys):
    Path(arm).write_text(ARM.read_text().replace('"flange"', '"rplidar_base"'))
    code, text = said(['fk', arm, '--link', 'lidar_link'], capsys)
    assert code == 2 and "Did you mean 'rplidar_base'?" in text
    assert "Did you mean 'wrist_1_link'?" in said(['fk', arm, '--link', 'wrst_1_link'], capsys)[1]


def test_positions_in_degrees(arm, capsys):
    main(['fk', arm, '--joint', 'elbow_joint=90', '--joint', 'left_finger_joint=0.01',
          '--degrees'])
    in_degrees = capsys.readouterr().out.splitlines()
    main(['fk', arm, '--joint', 'elbow_joint=1.5707963267948966',
          '--joint', 'left_finger_joint=0.01'])
    in_radians = capsys.readouterr().out.splitlines()
    assert in_degrees[1].split() == 'link x y z roll pitch yaw'.split()
    assert [line.split()[:4] for line in in_radians[2:]] == [
        line.split()[:4] for line in in_degrees[2:]]
    main(['fk', arm, '--joint', 'elbow_joint=200', '--degrees'])
    assert 'Position 200 of joint' in capsys.readouterr().err
    main(['tree', arm, '--degrees'])
    assert 'left_finger_joint: prismatic, 0 to 0.' in (tree := capsys.readouterr().out)
    assert re.search(r'elbow_joint: revolute, -\d{2,3}\S* to \d{2,3}\S* deg', tree)


@pytest.mark.parametrize('argv, wrote', [
    (['sdf', 'arm.urdf', '-o', 'arm.sdf'], 'wrote arm.sdf\n'),
    (['mjcf', 'arm.urdf', '-o', 'arm.xml'], 'wrote arm.xml\n'),
    (['attach', 'arm.urdf', '--link', 'tool0', 'arm.urdf', '--prefix', 'b_', '-o', 'two.urdf'],
     'wrote two.urdf\n'),
    (['attach', 'arm.urdf', '--link', 'tool0', 'arm.urdf', '--prefix', 'b_'], '')])
def test_what_was_written_is_said(argv, wrote, arm, capsys):
    code, text = said(argv, capsys)
    assert code == 0 and text.endswith(wrote) and ('wrote' in text) == bool(wrote)
    assert not wrote or Path(argv[-1]).is_file()
