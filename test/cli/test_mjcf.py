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

"""The verb mjcf: a model for MuJoCo, what is lost, and the exit code."""

import json
import sys

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mjcf_proofs import INERTIAL
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import robot

from urdf_tools import DescriptionError
from urdf_tools import load
from urdf_tools.cli import main
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.programs.mjcf import proof
from urdf_tools.programs.mjcf import to_mjcf

MESH = '<visual><geometry><mesh filename="cube.stl"/></geometry></visual>'


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / 'r.urdf'
    (tmp_path / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    path.write_text(robot('\n', link('a', INERTIAL, MESH), link('b'),
                          '\n', joint('q', 'revolute', 'a', 'b')))
    return path


def test_a_loss_is_accepted_or_fails(urdf, tmp_path, capsys):
    model = tmp_path / 'out' / 'r.xml'
    model.parent.mkdir()
    wrote = f'wrote {model}, 1 file in {model.parent}/assets/\n'
    assert main(['mjcf', str(urdf), '-o', str(model), '--strict']) == 1
    output = capsys.readouterr()
    assert output.err == f'{wrote}Not accepted: limit. With --accept limit they are\n'
    assert output.out.splitlines()[:3] == [
        'r: MJCF of 2 of 2 links and 1 of 1 moving joints, base fixed',
        '  ignored: MuJoCo has no velocity limits: those of 1 joint are left out. The controllers '
        'have to keep to them', '      line 3']
    assert main(['mjcf', str(urdf), '-o', str(model), '--accept', 'mesh']) == 1
    capsys.readouterr()
    for options in ([], ['--accept', 'limit'], ['--strict', '--accept', 'limit']):
        assert main(['mjcf', str(urdf), '-o', str(model), *options]) == 0
        assert capsys.readouterr().err == wrote
    assert sorted(path.name for path in model.parent.rglob('*.*')) == ['cube.stl', 'r.xml']


def test_a_full_disk(urdf, capsys):
    urdf.write_text(urdf.read_text().replace(MESH, ''))
    assert main(['mjcf', str(urdf), '-o', '/dev/full']) == 2
    assert "urdf-tools: Cannot write '/dev/full': No space left" in capsys.readouterr().err


def test_json(urdf, capsys):
    assert main(['mjcf', str(urdf), '--format', 'json', '--base', 'free']) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data['base'], data['files'], data['proof']) == ('free', ['cube.stl'], {})
    assert data['links'] == {'in': 2, 'out': 2}


def test_inputs_are_not_overwritten(urdf, tmp_path, capsys):
    (tmp_path / 'assets').mkdir()
    (tmp_path / 'cube.stl').rename(tmp_path / 'assets' / 'cube.stl')
    urdf.write_text(urdf.read_text().replace('cube.stl', 'assets/cube.stl'))
    before = (tmp_path / 'assets' / 'cube.stl').read_bytes()
    assert main(['mjcf', str(urdf), '-o', str(tmp_path / 'r.xml')]) == 2
    assert 'is an input' in capsys.readouterr().err
    assert main(['mjcf', str(urdf), '-o', str(urdf)]) == 2
    assert (tmp_path / 'assets' / 'cube.stl').read_bytes() == before
    assert not (tmp_path / 'r.xml').exists()


def test_a_model_is_written_again(urdf, tmp_path):
    package = tmp_path / 'some_robot'
    package.mkdir()
    (tmp_path / 'cube.stl').rename(package / 'cube.stl')
    urdf.write_text(urdf.read_text().replace('cube.stl', 'package://some/cube.stl'))
    command = ['mjcf', str(urdf), '-o', str(tmp_path / 'r.xml'), '--accept', 'limit',
               '--package', f'some={package}']
    assert main(command) == main(command) == 0
    assert (tmp_path / 'assets' / 'cube.stl').is_file()


def test_standard_output_takes_no_meshes(urdf, capsys):
    assert main(['mjcf', str(urdf), '-o', '-']) == 2
    assert 'has meshes' in capsys.readouterr().err
    urdf.write_text(urdf.read_text().replace(MESH, ''))
    assert main(['mjcf', str(urdf), '-o', '-', '--accept', 'limit']) == 0
    output = capsys.readouterr()
    assert output.out.startswith('<mujoco model="r">')
    assert output.err.startswith('r: MJCF of 2 of 2 links')


def test_without_mujoco_nothing_is_proved(urdf, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, 'mujoco', None)
    assert main(['mjcf', str(urdf), '--prove', '--accept', 'limit']) == 1
    assert 'Not proved: MuJoCo is not installed' in capsys.readouterr().out


def test_a_kind_of_loss_that_does_not_exist(urdf, capsys):
    assert main(['mjcf', str(urdf), '--accept', 'limits']) == 2
    assert "Did you mean 'limit'?" in capsys.readouterr().err


def test_a_robot_without_model(urdf, tmp_path, capsys):
    urdf.write_text(urdf.read_text().replace('0.3 -0.5 0.7', '0 0 0'))
    assert main(['mjcf', str(urdf), '-o', str(tmp_path / 'r.xml')]) == 1
    output = capsys.readouterr()
    assert output.out.startswith('r: no MJCF of')
    assert 'zero axis' in output.out
    assert not (tmp_path / 'r.xml').exists()


FIXED = '  the base is fixed to the world; --base free lets it move'


def test_that_the_base_is_fixed_is_said_unless_it_was_chosen(urdf, capsys):
    for options, is_said in (([], True), (['--base=fixed'], False), (['--base=free'], False)):
        assert main(['mjcf', str(urdf), *options]) == 0
        assert (FIXED in capsys.readouterr().out.splitlines()) is is_said
    urdf.write_text(urdf.read_text().replace('"a"', '"world"').replace(INERTIAL, '', 1))
    assert main(['mjcf', str(urdf)]) == 0
    assert FIXED not in capsys.readouterr().out.splitlines()


BODY = ('<mujoco model="m"><worldbody><body name="a"><freejoint/><geom size="0.1"/></body>'
        '</worldbody></mujoco>')
SDF = '<sdf version="1.9"><model name="m">{}<link name="a"/></model></sdf>'


@pytest.mark.parametrize('text, base', [
    (SDF.format(''), 'free'),
    (SDF.format('<static>true</static>'), 'fixed'),
    (SDF.format('<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>'),
     'fixed')])
def test_the_base_of_sdf_is_as_it_says(tmp_path, capsys, text, base):
    path = tmp_path / 'model.xml'
    path.write_text(text)
    assert main(['mjcf', str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(f', base {base}')
    assert main(['mjcf', str(path), '--base', 'fixed']) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(', base fixed')


@pytest.mark.parametrize('options', [[], ['--prove']])
def test_mjcf_is_mjcf_already(tmp_path, capsys, options):
    path, output = tmp_path / 'model.xml', tmp_path / 'out.xml'
    path.write_text(BODY)
    assert main(['mjcf', str(path), '-o', str(output), *options]) == 1
    assert not output.exists()
    headline, refused, *others = capsys.readouterr().out.splitlines()
    assert headline.startswith('m: no MJCF of ')
    assert refused.startswith('  refused: The description is MJCF already, which MuJoCo loads as '
                              'it is. To make another model ')
    assert not [line for line in others if 'left out' in line or 'Proved' in line]
    with pytest.raises(DescriptionError, match='is MJCF already'):
        to_mjcf(load(path), output)


def test_what_sdf_loses_on_the_way_to_mjcf_is_not_accepted(tmp_path, capsys):
    path = tmp_path / 'model.sdf'
    path.write_text(SDF.format('').replace(
        '<link name="a"/>', '<link name="a"><collision name="c"><geometry><ellipsoid><radii>1 2 3'
        '</radii></ellipsoid></geometry></collision></link>'))
    lost = [each for each in losses_of(load(path)) if not each.is_harmless]
    assert lost
    assert main(['mjcf', str(path)]) == 0
    output = capsys.readouterr()
    assert str(lost[0].message) in output.out and str(lost[0].message) not in output.err
    assert main(['mjcf', str(path), '--strict']) == 1


def test_actuators_that_are_added_are_said_and_not_counted_as_lost(urdf, capsys):
    assert main(['mjcf', str(urdf), '--accept', 'limit']) == 0
    out = capsys.readouterr().out
    assert ('  added: 1 actuator that the description does not ask for; --actuators none leaves '
            'them out\n') in out
    assert 'actuator' not in out.partition('without effect on motion')[2].partition('\n')[0]


def test_a_proof_without_mujoco_names_the_extra(urdf, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, 'mujoco', None)
    monkeypatch.setattr(proof, 'how_to_install', lambda extra: f'[{extra}]')
    assert main(['mjcf', str(urdf), '--prove']) == 1
    assert 'Not proved: MuJoCo is not installed; install it with [mujoco]\n' in (
        capsys.readouterr().out)


def test_a_model_without_actuators_is_said_to_be_one(urdf, capsys):
    for options, is_said in (([], False), (['--actuators', 'none'], True)):
        assert main(['mjcf', str(urdf), *options]) == 0
        said = '  the model has no actuator' in capsys.readouterr().out.splitlines()
        assert said is is_said
