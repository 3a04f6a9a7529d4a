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

"""The option --ask of the verb account: what a program has, beside what its account says."""

from dataclasses import replace
import json
import sys

import pytest
from support.program_oracles import NEEDS_PROGRAMS
from support.program_oracles import PYTHON

from urdf_tools.cli import main
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.mujoco import account
from urdf_tools.programs.oracles import oracle
from urdf_tools.programs.oracles.oracle import Comparison
from urdf_tools.programs.robot_parts import Parts

INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" '
            'izz="2"/></inertial>')
ROBOT = f"""<robot name="cart">
<link name="base">{INERTIAL}</link><link name="wheel">{INERTIAL}</link>
<joint name="drive" type="continuous"><parent link="base"/><child link="wheel"/></joint>
</robot>"""


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / 'cart.urdf'
    path.write_text(ROBOT)
    return str(path)


def misled(source, context):
    """Return an account of MuJoCo with a link and a joint too many."""
    found = account(source, context)
    return replace(found, kept=replace(found.kept, links=found.kept.links + 1, moving_joints=2))


def without_numbers(source, context):
    return Account('mujoco', '4.0', None)


def ask(urdf, *options):
    return main(['account', urdf, '--python', str(PYTHON), '--ask', *options])


@NEEDS_PROGRAMS
def test_programs_that_agree_with_their_accounts(urdf, capsys):
    assert ask(urdf, 'mujoco,pinocchio') == 0
    out = capsys.readouterr().out
    assert out.startswith(f'{urdf}: cart\n')
    rows = [line.split() for line in out.splitlines()]
    assert ['ixx', 'iyy', 'izz', '(kg', 'm^2)', '1', '2', '2', '1', '2', '2'] in rows
    assert rows[2][:2] == ['mujoco', '4.0.0'] and 'differs' not in out


@NEEDS_PROGRAMS
def test_packages_that_only_the_resolver_finds(urdf, tmp_path, capsys):
    meshes = tmp_path / 'elsewhere' / 'shapes'
    meshes.mkdir(parents=True)
    (meshes / 'a.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
                                  'f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n')
    shape = '<geometry><mesh filename="package://shapes/a.obj"/></geometry>'
    (tmp_path / 'cart.urdf').write_text(ROBOT.replace(
        INERTIAL, f'{INERTIAL}<collision>{shape}</collision>', 1))
    assert ask(urdf, 'drake', '--package', f'shapes={meshes}') == 0
    assert ask(urdf, 'drake') == 1
    assert 'differs' not in capsys.readouterr().out


@NEEDS_PROGRAMS
def test_a_difference_is_an_error(urdf, capsys, monkeypatch):
    monkeypatch.setitem(MODELS, 'mujoco', f'{__name__}:misled')
    assert ask(urdf, 'mujoco') == 1
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines() if line.endswith('differs')] == [
        ['links', '1', '2', 'differs'], ['moving', 'joints', '1', '2', 'differs']]
    assert 'Please report it' in out
    assert ask(urdf, 'mujoco', '--format', 'json') == 1
    found = json.loads(capsys.readouterr().out)['mujoco']
    assert (found['account'], found['compared'], found['different']) == (
        '4.0', True, ['links', 'moving_joints'])
    assert (found['program']['links'], found['model']['links']) == (1, 2)


@NEEDS_PROGRAMS
def test_a_description_that_a_program_refuses(urdf, tmp_path, capsys, monkeypatch):
    (tmp_path / 'cart.urdf').write_text(ROBOT.replace('"continuous"', '"screw"'))
    assert ask(urdf, 'mujoco') == 1
    out = capsys.readouterr().out
    assert 'differs' not in out
    assert '\nmujoco: ' in out and "\naccount: The type 'screw' of joint 'drive'" in out
    monkeypatch.setitem(MODELS, 'mujoco', f'{__name__}:without_numbers')
    assert ask(urdf, 'mujoco') == 1
    assert ['loads', 'no', 'yes', 'differs'] in [
        line.split() for line in capsys.readouterr().out.splitlines()]


def test_a_program_that_is_not_installed(urdf, capsys):
    assert main(['account', urdf, '--ask', 'usd']) == 2
    assert "No module named 'pxr'" in capsys.readouterr().err
    assert main(['account', urdf, '--ask', 'mujoco', '--python', '/nowhere/python']) == 2
    assert 'mujoco gives no answer: No such file' in capsys.readouterr().err


@pytest.mark.parametrize(('arguments', 'text'), [
    (['-', '--ask', 'mujoco'], 'needs a URDF file'),
    (['cart.urdf', '--ask', 'mujocco'], "Did you mean 'mujoco'?")])
def test_what_cannot_be_asked(urdf, tmp_path, capsys, monkeypatch, arguments, text):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'stdin', open(urdf))
    assert main(['account', *arguments]) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(('version', 'release'), [
    ('4.0.1', '4.0'), ('4.1.0', '4.0'), ('3.9.0', '3.8'), ('3.8.1', '3.8'), ('3.5.0', '3.3'),
    ('2.0', '4.0')])
def test_the_account_of_a_release(version, release):
    found = [Account('mujoco', each, Parts()) for each in ('4.0', '3.8', '3.3')]
    if version == '2.0':
        found = found[:1]
    assert oracle.account_of_release(found, version).version == release


@pytest.mark.parametrize(('name', 'theirs', 'equal'), [
    ('links', 0, True), ('links', 1, False), ('base', 'free', False), ('mass', 1e-9, False),
    ('centre_of_mass', None, True), ('collisions', {'box': 1}, False)])
def test_numbers_that_differ(name, theirs, equal):
    found = Account('mujoco', '4.0', Parts(), Parts())
    comparison = Comparison(
        '4.0.0', found, {'loads': True, name: theirs}, oracle.numbers_of(found))
    assert (comparison.different == ()) is equal


@pytest.mark.parametrize(('version', 'text'), [
    ('4.0.3', None), ('3.8.1', 'mujoco 3.8.1 is installed, whose account is --for mujoco-3.8'),
    ('5.1', 'mujoco 5.1 is installed, with which this one was not compared')])
def test_an_installed_release_that_the_account_is_not_of(
        urdf, capsys, monkeypatch, version, text):
    monkeypatch.setattr(oracle.metadata, 'version', lambda package: version)
    assert main(['account', urdf, '--for', 'mujoco']) == 0
    assert (f'another release: {text}\n' in capsys.readouterr().out) is (text is not None)
    assert main(['account', urdf, '--for', 'mujoco', '--format', 'json']) == 0
    assert json.loads(capsys.readouterr().out)['mujoco'].get('release') == text
