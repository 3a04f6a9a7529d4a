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

"""The verb account: a table, what each program loses, and the same as JSON."""

from importlib import metadata
from importlib.util import find_spec
import json

import pytest

from urdf_tools.cli import main
from urdf_tools.findings.losses import refusal
from urdf_tools.programs import drake
from urdf_tools.programs.accounts import Account

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')

MASS = ('<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        '</inertial>')

ROBOT = f"""<robot name="cart">
  <link name="base">{MASS.format(10)}
    <visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="wheel">{MASS.format(1)}</link>
  <link name="caster">{MASS.format(1)}</link>
  <link name="mount"/>
  <joint name="spin" type="continuous"><parent link="base"/><child link="wheel"/>
    <limit effort="1" velocity="2"/></joint>
  <joint name="follow" type="continuous"><parent link="base"/><child link="caster"/>
    <limit effort="1" velocity="2"/><mimic joint="spin"/></joint>
  <joint name="rigid" type="fixed"><parent link="wheel"/><child link="mount"/></joint>
  <transmission name="t"/>
</robot>
"""


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / 'cart.urdf'
    path.write_text(ROBOT)
    return path


def test_the_table_has_a_column_for_each_program(urdf, capsys):
    assert main(['account', str(urdf), '--for', 'mujoco,mujoco-3.3']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f'{urdf}: cart'
    rows = {line[:19].strip(): line[19:].split() for line in lines[1:15]}
    assert lines[1].split() == ['description', 'mujoco', '4.0', 'mujoco', '3.3']
    assert rows['mass (kg)'] == ['12', '2', '2']
    assert rows['links'] == ['4', '2', '2']
    assert rows['mimic joints'] == ['1', '1', '0']
    assert rows['visual shapes, box'] == ['1', '0', '0']
    assert 'damping' not in rows


def test_the_worst_loss_comes_first_and_the_harmless_ones_are_one_line(urdf, capsys):
    assert main(['account', str(urdf), '--for', 'mujoco']) == 0
    lines = capsys.readouterr().out.split('\nmujoco 4.0\n')[1].splitlines()
    assert lines[0].startswith(
        "  dropped, 10 kg: The root link 'base' is fixed to the world, and the 10 kg of 'base' "
        'are lost. If the robot moves freely, add a link "world"')
    assert lines[1] == '      line 2'
    joints = next(index for index, line in enumerate(lines) if 'velocity' in line)
    assert lines[joints + 1] == '      lines 8, 10'
    assert '  without effect on motion: 1 transmission' in lines
    assert str(urdf) not in '\n'.join(lines)


def test_what_is_left_out_is_said_to_be_in_json(tmp_path, capsys):
    path = tmp_path / 'chain.urdf'
    path.write_text('<robot name="r"><link name="0"/>' + ''.join(
        f"""<link name="{n + 1}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0"
        iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j{n}" type="continuous">
        <parent link="{n}"/><child link="{n + 1}"/><limit effort="1" velocity="1"/></joint>"""
        for n in range(12)) + '</robot>')
    for verb in (['account', '--for', 'mujoco'], ['mjcf']):
        assert main([*verb, str(path)]) == 0
        assert 'and 2 more (--format json has all)' in capsys.readouterr().out


def test_json_has_the_numbers(urdf, capsys):
    assert main(['account', str(urdf), '--for', 'mujoco', '--format', 'json']) == 0
    account = json.loads(capsys.readouterr().out)['mujoco']
    assert (account['version'], account['loads'], account['cause']) == ('4.0', True, None)
    assert account['base'] == 'fixed'
    assert account['merged'] == 2, 'one of them into the world'
    assert account['links'] == {'in': 4, 'out': 2}
    assert account['moving_joints'] == {'in': 2, 'out': 2}
    assert account['mimic'] == {'in': 1, 'out': 1}
    assert account['mass'] == {'in': 12.0, 'out': 2.0}
    assert account['limits']['velocity'] == {'in': 2, 'out': 0}
    assert account['visuals'] == {'in': 1, 'out': 0, 'by_format': {'box': {'in': 1, 'out': 0}}}
    first = account['losses'][0]
    assert (first['of'], first['impact'], first['mass']) == ('base', 'drops', 10.0)
    assert (first['file'], first['line']) == (str(urdf), 2)


def test_a_program_that_refuses_the_robot(urdf, capsys):
    urdf.write_text(ROBOT.replace('<link name="mount"/>', (
        '<link name="mount"><collision><geometry>\n<mesh filename="package://p/a.dae"/>\n'
        '</geometry></collision></link>')))
    assert main(['account', str(urdf), '--for', 'mujoco']) == 1
    out = capsys.readouterr().out
    assert "  refused: Mesh 'package://p/a.dae' is a URI, which MuJoCo does not resolve." in out
    assert 'line 7' in out
    assert main(['account', str(urdf), '--for', 'mujoco', '--format', 'json']) == 1
    account = json.loads(capsys.readouterr().out)['mujoco']
    assert not account['loads']
    assert account['cause']['line'] == 7
    assert account['links'] == {'in': 4, 'out': 0}


@NEEDS_XACRO
def test_lines_are_those_of_the_xacro_files(urdf, tmp_path, capsys):
    urdf.rename(tmp_path / 'part.xacro')
    robot = tmp_path / 'robot.urdf.xacro'
    robot.write_text('<robot name="cart" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
                     '<xacro:include filename="part.xacro"/></robot>')
    assert main(['account', str(robot), '--for', 'mujoco']) == 0
    assert 'part.xacro:8, 10\n' in capsys.readouterr().out


def test_an_unknown_program(urdf, capsys):
    assert main(['account', str(urdf), '--for', 'mujocco']) == 2
    assert "Did you mean 'mujoco'?" in capsys.readouterr().err


TWO_ROOTS = '<robot name="r">\n<link name="a"/>\n<link name="b"/>\n</robot>'


def test_verdicts_of_what_the_loader_refuses(tmp_path, capsys):
    path = tmp_path / 'r.urdf'
    path.write_text(TWO_ROOTS)
    assert main(['account', str(path), '--for', 'pybullet,mujoco']) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"{path}:3:1: The robot has 2 root links: 'a', 'b' ")
    assert lines[1].endswith(' is not known in numbers')
    assert lines[3].split() == ['loads', 'no', 'yes']
    assert lines[4:6] == ['', 'pybullet 3.2.7'] and lines[6].startswith('  refused: ')
    assert main(['account', str(path), '--for', 'mujoco-3.3', '--format', 'json']) == 0
    account = json.loads(capsys.readouterr().out)['mujoco-3.3']
    assert (account['loads'], account['cause'], account['base']) == (True, None, None)
    assert account['mass'] == {'in': None, 'out': None}
    assert account['visuals'] == {'in': None, 'out': None, 'by_format': {}}
    assert account['remark'].endswith(' is not known in numbers')


@pytest.mark.parametrize('text, line', [('<robot name="r">\n<link></robot>', 2), ('<sdf/>', 1)])
def test_what_is_no_urdf_has_no_account(tmp_path, capsys, text, line):
    path = tmp_path / 'r.urdf'
    path.write_text(text)
    assert main(['account', str(path), '--format', 'json']) == 2
    assert f'{path}:{line}:' in capsys.readouterr().err


def test_a_file_that_does_not_exist_has_no_verdict(tmp_path, capsys):
    assert main(['account', str(tmp_path / 'r.urdf')]) == 2
    assert capsys.readouterr().out == ''


@pytest.mark.parametrize(('version', 'text'), [
    ('4.0.3', None), ('3.8.1', 'mujoco 3.8.1 is installed, whose account is --for mujoco-3.8'),
    ('5.1', 'mujoco 5.1 is installed, with which this one was not compared')])
def test_an_installed_release_that_the_account_is_not_of(
        urdf, capsys, monkeypatch, version, text):
    monkeypatch.setattr(metadata, 'version', lambda package: version)
    assert main(['account', str(urdf), '--for', 'mujoco']) == 0
    assert (f'another release: {text}\n' in capsys.readouterr().out) is (text is not None)
    assert main(['account', str(urdf), '--for', 'mujoco', '--format', 'json']) == 0
    assert json.loads(capsys.readouterr().out)['mujoco'].get('release') == text


@pytest.mark.parametrize('form', ['text', 'json'])
def test_a_model_that_raises_costs_no_other_account(urdf, capsys, monkeypatch, form):
    def fail(*arguments):
        raise KeyError('{zzz}')
    monkeypatch.setattr(drake, 'account', fail)
    arguments = ['account', str(urdf), '--for', 'mujoco,drake,urdfdom', '--format', form]
    assert main([*arguments, '--debug']) == 1
    shown = capsys.readouterr()
    if form == 'json':
        data = json.loads(shown.out)
        assert [*data] == ['mujoco', 'urdfdom', 'statics', 'internal-error']
        message, = data['internal-error']
    else:
        line = shown.out.splitlines()[1]
        message = line.removeprefix(f'{urdf}: error: ').removesuffix(' [internal-error]')
        assert 'mujoco 4.0' in shown.out and 'urdfdom' in shown.out
    assert message.startswith('The model of drake failed at models.py:')
    assert message.endswith(": KeyError: '{zzz}'")
    assert shown.err.splitlines()[-1] == "KeyError: '{zzz}'"
    assert main([*arguments, '--for', 'drake']) == 1
    assert 'Traceback' not in capsys.readouterr().err


def test_an_account_that_cannot_be_shown_costs_no_other(urdf, capsys, monkeypatch):
    loss = refusal(None, 'It lacks {nothing}')
    monkeypatch.setattr(drake, 'account', lambda source, context: Account(
        'drake', '1', None, causes=(loss,)))
    assert main(['account', str(urdf), '--for', 'drake,mujoco']) == 1
    out = capsys.readouterr().out
    assert f'{urdf}: error: The model of drake failed at message.py:' in out
    assert '\nmujoco 4.0\n' in out


MODELS = {
    'model.sdf': '<sdf version="1.9"><model name="m"><link name="a"/></model></sdf>',
    'model.xml': '<mujoco model="m"><worldbody><body name="a"><freejoint/>'
                 '<geom size="0.1"/></body></worldbody></mujoco>'}


@pytest.mark.parametrize('name, format, own', [
    ('model.sdf', 'SDF', 'gazebo and drake'), ('model.xml', 'MJCF', 'mujoco and drake')])
def test_what_reads_the_format_itself_is_not_judged_by_our_urdf(
        tmp_path, capsys, name, format, own):
    path = tmp_path / name
    path.write_text(MODELS[name])
    said = (f'{own} read the {format} itself; other programs are judged by the URDF that '
            'urdf-tools urdf writes')
    names = own.split(' and ')
    asked = ['account', str(path), '--for', ','.join([*names, 'urdfdom'])]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f'{path}: m', said]
    assert lines[2].split() == ['description', 'urdfdom', '4.0']
    assert not any(line.startswith(tuple(names)) for line in lines[2:])
    assert main([*asked, '--format', 'json']) == 0
    data = json.loads(capsys.readouterr().out)
    assert [*data] == ['urdfdom'] and data['urdfdom']['remark'] == said
    assert main(['account', str(path), '--for', names[0], '--format', 'json']) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {}
    assert output.err.startswith(f'{names[0]} reads the {format} itself; ')
