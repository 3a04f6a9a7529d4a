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

"""Loops in the verbs."""

import json

import pytest
from support.mechanisms import four_bar
from support.mechanisms import slider_crank

from urdf_tools.cli import main
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.loader import save

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


def test_fk_guesses_no_way_from_a_dead_centre(tmp_path, capsys):
    save(slider_crank(0.05, 0.15), tmp_path / 'slider.urdf')
    (tmp_path / 'beside.yaml').write_text('initial: {crank_joint: -0.1}')
    command = ['fk', str(tmp_path / 'slider.urdf'), '--format', 'json', '--joint', 'slide=0.05']
    assert main(command) == 2
    assert capsys.readouterr().err == (
        'urdf-tools: The loops start where branches meet (a singular configuration), and these '
        'positions do not tell on which to go on; give some of crank_joint, rod_joint in '
        '"initial" of a file for --loops\n')
    assert main([*command, '--loops', str(tmp_path / 'beside.yaml')]) == 0
    assert json.loads(capsys.readouterr().out)['solved']['crank_joint'] < -1


def test_fk_reports_joints_that_contradict_a_loop(tmp_path, capsys):
    save(slider_crank(0.05, 0.15), tmp_path / 'slider.urdf')
    assert main(['fk', str(tmp_path / 'slider.urdf'), '--joint', 'crank_joint=1',
                 '--joint', 'rod_joint=-1', '--link', 'rod']) == 0
    captured = capsys.readouterr()
    assert captured.err == "Loop 'pin' is open by 42.1 mm\n"
    assert 'rod   0.027015  0.042074  0.000000  0.000000  0.000000  0.000000' in captured.out


def test_what_can_be_assembled_in_several_ways_is_not_guessed(file, capsys):
    assert main(['tree', file]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith(
        'only measured or initial positions of b, c tell')
    assert main(['fk', file, '--joint', 'a=1']) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert 'give some of b, c in "initial" of a file for --loops' in captured.err


def test_what_cannot_be_closed_anywhere_is_said(tmp_path, capsys):
    path = tmp_path / 'four_bar.urdf'
    save(four_bar(0.1, 0.35, 0.3, 2.0), path)
    assert main(['tree', str(path)]) == 0
    lines = capsys.readouterr().out
    assert 'several ways' not in lines
    assert 'pin stays open by 1250 mm: no positions were found that close it' in lines
    assert main(['fk', str(path), '--joint', 'a=1']) == 2
    assert 'No positions were found that close loops pin' in capsys.readouterr().err


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


CLOSED = """loops:
- name: pin
  type: ball
  parent: {link: coupler, xyz: [0.3, 0, 0]}
  child: {link: rocker}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    # The settings name a file of loops for the only description.
    monkeypatch.chdir(tmp_path)
    mass = ('<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" '
            'izz="0.1"/></inertial>')
    links = ''.join(
        f'<link name="{name}">{mass}</link>' for name in ('base', 'crank', 'coupler', 'rocker'))
    joints = ''.join(
        f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint>' for name, parent, child, x in (
            ('a', 'base', 'crank', 0), ('b', 'crank', 'coupler', 0.1),
            ('c', 'base', 'rocker', 0.4)))
    (tmp_path / 'robot.urdf').write_text(f'<robot name="r">\n{links}{joints}</robot>')
    (tmp_path / 'loops.yaml').write_text(CLOSED)
    (tmp_path / 'urdf-tools.toml').write_text(
        '[[roots]]\nfile = "robot.urdf"\nloops = "loops.yaml"\n')
    return tmp_path


def findings(capsys, *arguments):
    code = main(['check', '--format', 'json', *arguments])
    return code, [
        (found['code'], found.get('source', {}).get('file'), found['line'],
         found['message'])
        for each in json.loads(capsys.readouterr().out)['reports'] for found in each['findings']
        if found['code'].startswith('loop-')]


def test_check_reads_the_loops_that_settings_name(project, capsys):
    expected = ('loop-undecided', str(project / 'loops.yaml'), 2)
    code, (found,) = findings(capsys)
    assert (code, found[:3]) == (0, expected)
    assert findings(capsys, 'robot.urdf')[1] == [found]
    (project / 'urdf-tools.toml').unlink()
    assert findings(capsys, 'robot.urdf') == (0, [])
    assert findings(capsys, 'robot.urdf', '--loops', 'loops.yaml')[1][0][:3] == (
        'loop-undecided', 'loops.yaml', 2)


@pytest.mark.parametrize(('text', 'line', 'message'), [
    (CLOSED.replace('coupler', 'couple'), 4, "Link 'couple' does not exist"),
    ('loops: [', 1, 'not YAML'), (None, None, 'Cannot read')])
def test_check_names_what_cannot_be_read_in_a_file_of_loops(
        project, capsys, text, line, message):
    path = project / 'loops.yaml'
    path.unlink()
    if text is not None:
        path.write_text(text)
    code, (found,) = findings(capsys)
    assert (code, found[0], found[2]) == (1, 'loop-unreadable', line)
    assert message in found[3]
    if text is not None:
        assert found[1] == str(path)
    assert findings(capsys, '--ignore', 'loop-unreadable') == (0, [])


def test_an_untrusted_project_reads_no_loops_from_elsewhere(project, tmp_path_factory, capsys):
    other = tmp_path_factory.mktemp('other') / 'loops.yaml'
    other.write_text(CLOSED)
    (project / 'loops.yaml').unlink()
    (project / 'loops.yaml').symlink_to(other)
    (project / 'package.xml').write_text('<package/>')
    assert main(['check', '--untrusted']) == 2
    assert "loops 'loops.yaml' leads out of the project" in capsys.readouterr().err


def test_a_root_has_one_file_of_loops_in_the_project(project, capsys):
    root = '[[roots]]\nfile = "robot.urdf"\nloops = "loops.yaml"\n'
    settings = project / 'urdf-tools.toml'
    settings.write_text(root.replace('loops.yaml', '../loops.yaml'))
    assert main(['check']) == 2
    assert 'urdf-tools.toml:3: loops ' in capsys.readouterr().err
    settings.write_text(root + root.replace('loops.yaml', 'other.yaml'))
    assert main(['check']) == 2
    assert 'urdf-tools.toml:6: The root has two files of loops' in capsys.readouterr().err
    settings.write_text(root + root)
    assert findings(capsys)[0] == 0


def test_tree_and_sdf_read_the_loops_that_settings_name(project, capsys):
    assert main(['tree', 'robot.urdf']) == 0
    assert 'loop pin: ball of coupler and rocker' in capsys.readouterr().out
    assert main(['sdf', 'robot.urdf', '-o', 'robot.sdf']) == 0
    text = (project / 'robot.sdf').read_text()
    assert '<joint name="pin" type="ball">' in text.replace('type="ball" name="pin"', (
        'name="pin" type="ball"'))
    assert main(['sdf', 'robot.urdf', '-o', 'loops.yaml']) == 2
    assert (project / 'loops.yaml').read_text() == CLOSED


def test_sdf_says_which_loops_it_cannot_keep(project, capsys):
    (project / 'loops.yaml').write_text(CLOSED.replace('0.3', '0.2'))
    assert main(['sdf', 'robot.urdf', '--format', 'json']) == 0
    report = json.loads(capsys.readouterr().out)
    loss, = (each for each in report['losses'] if each['of'] == 'loop')
    assert (loss['file'], loss['line']) == (str(project / 'loops.yaml'), 2)
    assert 'open by 100 mm' in loss['message']
