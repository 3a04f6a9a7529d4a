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

"""The command: arguments in, text and exit code out."""

import io
import json
import math
import os
import shlex
import subprocess
import sys

import pytest
from support.validation_cases import chain

from urdf_tools.cli import main
from urdf_tools.formats.description_files import load
from urdf_tools.installation import __version__

ROBOT = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>
    </inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="lower"><visual><geometry><sphere radius="0.5"/></geometry></visual></link>
  <link name="tool"><visual><geometry><mesh filename="tool.stl"/></geometry></visual></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="2 0 0"/><axis xyz="0 0 1"/>
    <mimic joint="shoulder" multiplier="-1"/>
  </joint>
  <joint name="flange" type="fixed"><parent link="upper"/><child link="tool"/></joint>
</robot>
"""

XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="link" default="base"/>
  <link name="$(arg link)"/>
</robot>
"""


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(ROBOT)
    return str(path)


@pytest.fixture
def run(capsys):
    def run(*arguments):
        code = main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err
    return run


def test_tree(run, urdf):
    code, out, err = run('tree', urdf)
    assert (code, err) == (0, '')
    assert out == (
        'arm: 4 links, 3 joints, 2 of them moving\n'
        'base\n'
        '└── upper  (shoulder: revolute, -1 to 2 rad)\n'
        '    ├── lower  (elbow: continuous, mimics -1 * shoulder)\n'
        '    └── tool  (flange: fixed)\n')


def test_tree_of_a_long_chain(run, tmp_path):
    path = tmp_path / 'chain.urdf'
    path.write_text(chain(1000))
    _, out, _ = run('tree', str(path))
    lines = out.splitlines()
    assert len(lines) == 1001
    assert max(map(len, lines)) < 500
    assert lines[50].endswith('└── l49  (j49: fixed)')
    assert lines[1000].endswith('└── l999  (j999: fixed, below l998)')


def test_tree_as_json(run, urdf):
    code, out, _ = run('tree', urdf, '--format', 'json')
    data = json.loads(out)
    assert code == 0
    assert data['links'] == ['base', 'upper', 'lower', 'tool']
    assert data['joints'][0]['limits'] == {
        'lower': -1.0, 'upper': 2.0, 'effort': 1.0, 'velocity': 1.0}
    assert data['joints'][1]['mimic'] == {
        'joint': 'shoulder', 'multiplier': -1.0, 'offset': 0.0}
    assert data['joints'][2] == {
        'name': 'flange', 'type': 'fixed', 'parent': 'upper', 'child': 'tool',
        'origin': {'xyz': [0, 0, 0], 'quaternion': [0, 0, 0, 1]}}


def test_fk(run, urdf):
    code, out, _ = run(
        'fk', urdf, '--joint', f'shoulder={math.pi / 2}', '--link', 'lower', '--format', 'json')
    assert code == 0
    data = json.loads(out)
    assert data['frame'] == 'base'
    pose, = data['poses']
    assert pose['link'] == 'lower'
    assert pose['xyz'] == pytest.approx([0, 2, 1], abs=1e-15)
    assert pose['quaternion'] == pytest.approx([0, 0, 0, 1], abs=1e-15)


@pytest.mark.parametrize('verb', ['fk', 'inertia'])
def test_a_floating_joint_without_a_rotation(run, tmp_path, verb):
    path = tmp_path / 'drone.urdf'
    path.write_text(
        '<robot name="drone"><link name="world"/><link name="body"/>'
        '<joint name="float" type="floating"><parent link="world"/><child link="body"/></joint>'
        '</robot>')
    assert run(verb, str(path), '--joint', 'float/rot_w=0') == (
        2, '', "urdf-tools: the quaternion of 'float' has the length 0; without rotation it is "
        '0 0 0 1\n')


def test_fk_in_another_frame_as_text(run, urdf):
    code, out, _ = run('fk', urdf, '--joint', 'shoulder=-0.5', '--frame', 'upper')
    assert code == 0
    lines = {line.split()[0]: line.split()[1:] for line in out.splitlines()[2:]}
    assert list(lines) == ['base', 'upper', 'lower', 'tool']
    assert lines['base'] == [
        '0.000000', '0.000000', '-1.000000', '0.000000', '0.000000', '0.247404', '0.968912']
    assert lines['lower'][:3] == ['2.000000', '0.000000', '0.000000']


def test_inertia(run, urdf):
    code, out, err = run('inertia', urdf)
    assert code == 0
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    assert 'no inertial' in rows['base']
    assert 'principal moments break the triangle inequality' in rows['upper']
    assert rows['upper'].split()[-3:] == ['0.3333'] * 3
    assert 'tool: ' in out and 'tool.stl' in out
    assert 'Total 2 kg, centre of mass at 0 0 1 m in base' in out


def test_inertia_as_json(run, urdf):
    code, out, _ = run('inertia', urdf, '--format', 'json')
    data = json.loads(out)
    assert code == 0
    base, upper, lower, _ = data['links']
    assert base['inertial'] is None and base['margin'] is None and base['volume'] is None
    assert upper['verdict'] == 'principal moments break the triangle inequality'
    assert upper['margin'] == pytest.approx(-1 / 3)
    assert upper['inertial']['inertia'] == [[1, 0, 0], [0, 1, 0], [0, 0, 3]]
    assert upper['by_shape']['principal_moments'] == pytest.approx([1 / 3] * 3)
    assert lower['volume'] == pytest.approx(math.pi / 6)
    assert data['total']['mass'] == 2
    assert data['without_inertial'] == ['base', 'lower', 'tool']


def test_total_at_joint_positions(run, urdf):
    _, out, _ = run('inertia', urdf, '--compute', 'all', '--density', '1', '--joint',
                    f'shoulder={math.pi / 2}', '--format', 'json')
    com = json.loads(out)['total']['com']
    assert com == pytest.approx([0, 2 * (math.pi / 6) / (1 + math.pi / 6), 1])


def test_links_that_cannot_be_computed_are_reported(run, urdf):
    code, out, err = run('inertia', urdf, '--compute', 'missing', '--density', '1000')
    assert code == 1
    assert 'tool: not computed: ' in err
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    assert rows['lower'][1:3] == ['consistent', '523.6']


def test_diff_does_not_change_the_file(run, urdf):
    code, out, err = run('inertia', urdf, '--compute', 'invalid', '--diff')
    assert (code, err) == (0, '')
    assert '-      <mass value="2"/><inertia ixx="1"' in out
    assert '+      <mass value="2"/>' in out
    assert open(urdf).read() == ROBOT


def test_write(run, urdf):
    os.chmod(urdf, 0o640)
    code, out, err = run(
        'inertia', urdf, '--compute', 'invalid', '--mass', 'lower=3', '--write')
    assert (code, err) == (0, '')
    assert out == f'2 links written to {urdf}\n'
    robot = load(urdf)
    assert robot.links['upper'].inertial.izz == pytest.approx(1 / 3)
    assert robot.links['lower'].inertial.mass == 3
    assert os.stat(urdf).st_mode & 0o777 == 0o640
    assert os.listdir(os.path.dirname(urdf)) == ['arm.urdf']


def test_write_follows_symbolic_links(run, urdf, tmp_path):
    link = tmp_path / 'link.urdf'
    link.symlink_to(urdf)
    assert run('inertia', str(link), '--compute', 'invalid', '--write')[0] == 0
    assert link.is_symlink()
    assert load(urdf).links['upper'].inertial.izz == pytest.approx(1 / 3)


def test_xacro_with_arguments(run, tmp_path):
    pytest.importorskip('xacro')
    path = tmp_path / 'arm.urdf.xacro'
    path.write_text(XACRO)
    assert run('tree', str(path), 'link:=trunk')[1].splitlines()[1] == 'trunk'


WEIGHED = """\
<robot name="weighed" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="m" value="2"/>
  <xacro:macro name="leg" params="name size">
    <link name="${name}">
      <!-- of steel -->
      <collision><geometry><box size="${size}"/></geometry></collision>
    </link>
    <joint name="${name}_joint" type="fixed"><parent link="base"/><child link="${name}"/></joint>
  </xacro:macro>
  <link name="base">
    <inertial>  <!-- weighed -->
      <mass value="3"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>
    </inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <xacro:leg name="left" size="1 1 1"/>
  <xacro:leg name="right" size="1 1 RIGHT"/>
</robot>
"""


@pytest.mark.parametrize('right, mass, reasons', [
    ('1', '3', []),
    ('2', '3', [f'{leg}: not written to xacro, only 1 of 2 instances need the same change'
                for leg in ('left', 'right')]),
    ('1', '${m}', ['base: not written to xacro, value comes from ${m}'])])
def test_inertias_are_written_to_xacro_where_they_have_one_source(
        run, tmp_path, right, mass, reasons):
    pytest.importorskip('xacro')
    path = tmp_path / 'weighed.xacro'
    before = WEIGHED.replace('RIGHT', right).replace('value="3"', f'value="{mass}"')
    path.write_text(before)
    command = ['inertia', str(path), '--compute', 'all', '--density', '6']
    code, shown, err = run(*command, '--diff')
    assert (code, err.splitlines(), path.read_text()) == (bool(reasons), reasons, before)
    assert ('(expanded)' in shown) == bool(reasons)
    code, out, err = run(*command, '--write')
    assert (code, err.splitlines()) == (bool(reasons), reasons)
    assert out == f'{3 - len(reasons)} links written to {path}\n'.replace('1 links', '1 link')
    assert '<!-- of steel -->' in path.read_text() and '<!-- weighed -->' in path.read_text()
    links = load(path).links
    unwritten = {reason.partition(':')[0] for reason in reasons}
    for name in {*links} - unwritten:
        assert links[name].inertial.ixx == pytest.approx(1)
        assert '+      <inertia ixx="1"' in shown


def test_standard_input(run, monkeypatch):
    for arguments in (['tree', '-'], ['fk', '-'], ['inertia', '-']):
        monkeypatch.setattr('sys.stdin', io.TextIOWrapper(io.BytesIO(ROBOT.encode())))
        assert run(*arguments)[0] == 0


@pytest.mark.parametrize('part', [
    '<xacro:macro name="part" params="n"><link name="${n}"/></xacro:macro>',
    '<xacro:include filename="arm.xacro"/>'])
@pytest.mark.parametrize('verb', ['tree', 'expand', 'account'])
def test_xacro_on_standard_input(run, monkeypatch, verb, part):
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>'
            f'{part}</robot>')
    monkeypatch.setattr('sys.stdin', io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, err = run(verb, '-')
    assert (code, out) == (2, '')
    assert 'Standard input is xacro' in err
    assert 'pipe the output of "urdf-tools expand FILE"' in err


@pytest.mark.parametrize('arguments, words', [
    (['tree', 'nothing.urdf'], "Cannot read 'nothing.urdf': No such file"),
    (['fk', '{urdf}', '--joint', 'sholder=1'],
     "Variable 'sholder' does not exist. Did you mean 'shoulder'?"),
    (['fk', '{urdf}', '--joint', 'elbow=1'], "'elbow' mimics 'shoulder'"),
    (['fk', '{urdf}', '--link', 'louwer'], "Link 'louwer' does not exist. Did you mean 'lower'?"),
    (['fk', '{urdf}', '--frame', 'world'], 'Known are base, upper, lower, tool'),
    (['fk', '{urdf}', '--joint', 'flange=1'],
     "Variable 'flange' does not exist. Known are shoulder"),
    (['inertia', '{urdf}', '--density', '1'], '--density requires --compute'),
    (['inertia', '{urdf}', '--write'], '--write requires --compute'),
    (['inertia', '{urdf}', '--compute', 'all', '--mass', 'x=1'], "Link 'x' does not exist"),
    (['inertia', '{urdf}', '--compute', 'missing', '--total-mass', '1'], 'does not exceed'),
    (['inertia', '-', '--compute', 'all', '--write'], 'Cannot write to standard input')])
def test_errors_are_one_line(run, urdf, arguments, words):
    code, out, err = run(*(argument.format(urdf=urdf) for argument in arguments))
    assert (code, out) == (2, '')
    assert err.startswith('urdf-tools: ')
    assert words in err
    assert err.count('\n') == 1


@pytest.mark.parametrize('arguments, words', [
    ([], 'VERB'),
    (['fly'], 'invalid choice'),
    (['chek', 'a.urdf'], "invalid choice: 'chek'. Did you mean 'check'? Choose from check, "),
    (['tree', 'a.urdf', '--format', 'jsn'], "Did you mean 'json'?"),
    (['tree', 'a.urdf', '--formt=json'],
     "unrecognized argument '--formt=json'. Did you mean '--format'?"),
    (['fk', 'a.urdf', '--joint', 'a'], "'a' is not of the form NAME=VALUE"),
    (['fk', 'a.urdf', '--joint', 'a=nan'], 'nan'),
    (['tree', 'a.xacro', 'a=b'], 'NAME:=VALUE'),
    (['inertia', 'a.urdf', '--density', '-1'], 'not positive'),
    (['inertia', 'a.urdf', '--mass', 'a=0'], 'not positive'),
    (['inertia', 'a.urdf', '--density', '1', '--total-mass', '1'], 'not allowed with')])
def test_invalid_arguments(capsys, arguments, words):
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert words in capsys.readouterr().err


def test_ignored_elements_are_reported(run, tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(ROBOT.replace('joint="shoulder"', 'joint="nothing"'))
    code, out, err = run('tree', str(path))
    assert code == 0
    assert err.startswith(f'{path}:17: ') and 'nothing' in err


def test_overflow(run, tmp_path):
    path = tmp_path / 'huge.urdf'
    path.write_text(
        ROBOT.replace('value="2"', 'value="1e308"').replace('izz="3"', 'izz="1e308"')
        .replace('ixx="1" ixy="0"', 'ixx="1e308" ixy="1e308"')
        .replace('iyy="1"', 'iyy="1e308"').replace('xyz="0 0 1"', 'xyz="0 0 1e200"')
        .replace('size="1 1 1"', 'size="1e49 1e49 1e49"').replace('"0.5"', '"1e-120"'))
    for arguments, verdict in (
            ([], 'not finite'), (['--compute', 'all', '--density', '1'], 'consistent')):
        code, out, err = run('inertia', str(path), *arguments, '--format', 'json')
        assert json.loads(out)['links'][1]['verdict'] == verdict
        assert 'Warning' not in err
        assert run('inertia', str(path), *arguments)[0] == code
    assert run('fk', str(path))[1].splitlines()[-1].split()[3] == '1e+200'


def test_positions_outside_limits_are_remarked(run, urdf):
    code, out, err = run('fk', urdf, '--joint', 'shoulder=2.5')
    assert code == 0
    assert err == "Position 2.5 of joint 'shoulder' is outside its limits -1 to 2 rad\n"
    assert run('inertia', urdf, '--joint', 'shoulder=-2')[2] == (
        "Position -2 of joint 'shoulder' is outside its limits -1 to 2 rad\n")
    assert run('fk', urdf, '--joint', 'shoulder=2')[2] == ''


def test_followers_outside_limits_are_remarked(run, tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(ROBOT.replace('"continuous">', '"prismatic"><limit lower="0" upper="1" '
                                  'effort="1" velocity="1"/>'))
    assert run('fk', str(path), '--joint', 'shoulder=1')[2] == (
        "Position -1 of joint 'elbow' is outside its limits 0 to 1 m\n")
    assert run('fk', str(path))[2] == ''


def test_robot_without_masses(run, tmp_path):
    path = tmp_path / 'r.urdf'
    path.write_text('<robot name="r"><link name="a"/></robot>')
    assert run('inertia', str(path)) == (
        0, '1 of 1 link has no <inertial>\nThe robot has no mass\n', '')


def test_rounding_errors_are_shown_as_zero(run, urdf, tmp_path):
    path = tmp_path / 'r.urdf'
    path.write_text(ROBOT.replace('<inertial>', '<inertial><origin xyz="1e-17 0.3 0"/>').replace(
        'ixx="1"', 'ixx="1e-15"'))
    row = next(line for line in run('inertia', str(path))[1].splitlines()
               if line.startswith('upper'))
    assert row.split()[-9:-3] == ['0', '0.3', '0', '0', '1', '3']


def test_interrupted(run, monkeypatch, urdf):
    def interrupt(_):
        raise KeyboardInterrupt
    monkeypatch.setattr('urdf_tools.cli.tree.load_robot', interrupt)
    assert run('tree', urdf) == (130, '', '')


def test_version(capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(['--version'])
    assert not exit_info.value.code
    assert capsys.readouterr().out == f'urdf-tools {__version__}\n'


@pytest.mark.parametrize('arguments', [
    ['tree', '--format', 'json', '{file}', 'link:=1'],
    ['tree', '{file}', '--format', 'json', 'link:=1'],
    ['tree', '{file}', 'link:=1', '--format', 'json'], ['tree', '--format=json', '--', '{file}']])
def test_options_stand_anywhere(run, tmp_path, arguments):
    pytest.importorskip('xacro')
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(XACRO)
    code, out, _ = run(*(argument.format(file=file) for argument in arguments))
    assert code == 0
    assert json.loads(out)['name'] == 'arm'


def test_after_two_hyphens_are_only_files(run, urdf, monkeypatch):
    monkeypatch.chdir(os.path.dirname(urdf))
    os.rename(urdf, '--help')
    assert run('tree', '--', '--help')[0] == 0


@pytest.mark.slow
def test_completion_in_bash(urdf, tmp_path):
    pytest.importorskip('argcomplete', reason='argcomplete is not installed')
    completed = {
        'urdf-tools tr': 'tree',
        'urdf-tools inertia arm.urdf --comp': '--compute',
        'urdf-tools inertia --compute in': 'invalid',
        'urdf-tools check --for gazebo,moveit,pin': 'gazebo,moveit,pinocchio',
        'urdf-tools check --ignore limit-in': 'limit-in-degrees limit-inverted',
        'urdf-tools tree arm.u': 'arm.urdf',
        'urdf-tools fk arm.urdf --link up': 'upper',
        'urdf-tools fk arm.xacro link:=trunk --frame t': 'trunk',
        'urdf-tools fk arm.urdf --joint sh': 'shoulder=',
        'urdf-tools check arm.xacro l': 'lower.urdf',
        'urdf-tools tree nowhere.xacro pre': '',
        'urdf-tools --vers': '--version'}
    (tmp_path / 'lower.urdf').touch()
    (tmp_path / 'arm.xacro').write_text(XACRO)
    program = tmp_path / 'bin' / 'urdf-tools'
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urdf_tools.cli "$@"\n')
    program.chmod(0o755)
    register = f'{sys.executable} -m argcomplete.scripts.register_python_argcomplete urdf-tools'
    script = (f'eval "$({register})"; for COMP_LINE in "$@"; do '
              'COMP_POINT=${#COMP_LINE}; _python_argcomplete urdf-tools; '
              'echo ${COMPREPLY[@]}; done')
    result = subprocess.run(
        ['bash', '-c', script, 'bash', *completed], cwd=os.path.dirname(urdf),
        env={**os.environ, 'PATH': f'{program.parent}:{os.environ["PATH"]}'},
        capture_output=True, text=True, check=True)
    assert [{*line.split()} for line in result.stdout.splitlines()] == [
        {*words.split()} for words in completed.values()]
