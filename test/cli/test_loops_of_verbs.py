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

"""Loops in the verbs tree and fk."""

import json

import pytest
from support.mechanisms import four_bar

from urdf_tools.cli import main
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.saving import save

LENGTHS = (0.1, 0.35, 0.3, 0.4)
INITIAL = {'a': 0.5, 'b': 0.4, 'c': 1.5}


@pytest.fixture
def initial(tmp_path):
    path = tmp_path / 'initial.yaml'
    path.write_text(f'initial: {INITIAL}')
    return str(path)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / 'four_bar.urdf'
    save(four_bar(*LENGTHS), path)
    return str(path)


def test_tree_says_what_closes_onto_what(file, initial, capsys):
    assert main(['tree', file, '--loops', initial]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == [
        'loop pin: hinge of coupler and rocker', '    mobility 1: b, c follow from a',
        '    pin is open by 250 mm at position zero']
    assert main(['tree', file, '--format', 'json']) == 0
    loop, = json.loads(capsys.readouterr().out)['loops']
    assert (loop['name'], loop['type'], loop['parent']) == ('pin', 'hinge', 'coupler')


def test_what_can_be_assembled_in_several_ways_is_not_guessed(file, capsys):
    assert main(['tree', file]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith(
        'only measured or initial positions of b, c tell')
    assert main(['fk', file, '--joint', 'a=1']) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert 'give some of b, c in "initial" of a file for --loops' in captured.err


def test_fk_closes_loops(file, initial, capsys):
    file = [file, '--loops', initial]
    assert main(['fk', *file, '--joint', 'a=1', '--format', 'json']) == 0
    output = json.loads(capsys.readouterr().out)
    mechanism = Mechanism(four_bar(*LENGTHS), INITIAL)
    b, c = mechanism.close([1, 0, 0]).positions[1:]
    assert output['solved'] == pytest.approx({'b': b, 'c': c})
    assert main(['fk', *file, '--joint', 'a=1']) == 0
    assert 'Positions that close the loops:' in capsys.readouterr().out


def test_fk_refuses_what_cannot_be_closed(tmp_path, initial, capsys):
    path = tmp_path / 'four_bar.urdf'
    save(four_bar(0.3, 0.3, 0.35, 0.5), path)
    assert main(['fk', str(path), '--loops', initial, '--joint', 'a=3.14159265']) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert "Loop 'pin' cannot be closed at these positions: it stays open by 150 mm" in (
        captured.err)


def test_fk_keeps_positions_that_are_all_given(file, capsys):
    arguments = ['--joint', 'a=0', '--joint', 'b=0', '--joint', 'c=0', '--format', 'json']
    assert main(['fk', file, *arguments]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)['solved'] == {}
    assert captured.err == "Loop 'pin' is open by 250 mm\n"


def test_loops_in_a_file(tmp_path, capsys):
    path, loops = tmp_path / 'tree.urdf', tmp_path / 'loops.yaml'
    path.write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/></joint></robot>')
    loops.write_text('loops:\n- {name: brake, type: fixed, parent: {link: a}, child: {link: b}}')
    assert main(['tree', str(path), '--loops', str(loops)]) == 0
    assert capsys.readouterr().out.endswith(
        'loop brake: fixed of a and b\n    mobility 0: j cannot move\n')
    loops.write_text('loops:\n- {type: fixed, parent: {link: c}, child: {link: b}}')
    assert main(['tree', str(path), '--loops', str(loops)]) == 2
    assert f'{loops}:2' in capsys.readouterr().err
