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

"""The verb ``check``."""

import io
import json
import re

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT
from support.validation_cases import VISUAL

from urdf_tools.check.fixes import Fixes
from urdf_tools.check.rules import RULES
from urdf_tools.check.workspace import checking
from urdf_tools.cli import main
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.rules import Rule
from urdf_tools.programs import drake

GOOD = ROBOT.format(
    '<link name="base_link"/><link name="a"><inertial><mass value="1"/>'
    '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>'
    '<joint name="j" type="fixed"><parent link="base_link"/><child link="a"/></joint>')

WARNED = GOOD.replace('type="fixed">', 'type="fixed"><parent link="base_link"/>')

WRONG = REVOLUTE.format('<axis xyz="0 0 0"/>')


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a text to a file and returns the name of the file."""
    monkeypatch.chdir(tmp_path)

    def write(text, name='robot.urdf'):
        (tmp_path / name).write_text(text)
        return name
    return write


@pytest.mark.parametrize('text, options, code', [
    (GOOD, [], 0), (WARNED, [], 0), (WARNED, ['--strict'], 1), (WRONG, [], 1),
    (WRONG, ['--ignore', 'axis-zero,limit-missing'], 0),
    (WRONG, ['--select', 'names'], 0), (WRONG, ['--select', 'names,axis-zero'], 1),
    (WRONG, ['--select', 'joints', '--ignore', 'axis-zero,limit-missing'], 0),
    (WRONG, ['--ignore', 'joints'], 0),
    (WRONG, ['--ignore', 'joints', '--select', 'axis-zero'], 1),
    ('<robot', ['--select', 'names', '--ignore', 'xml'], 1),
    ('<robot', ['--ignore', 'xml-malformed'], 0),
    (WRONG, ['--for', 'rviz', '--ignore', 'axis-zero'], 1),
    (WRONG, ['--for', 'rviz,drake', '--ignore', 'limit-missing'], 1),
    (WRONG, ['--for', 'tesseract'], 0),
    (VISUAL.format('<geometry><box size="-1 1 1"/></geometry>'), ['--for', 'gazebo'], 1),
    (VISUAL.format('<geometry><box size="-1 1 1"/></geometry>'), ['--for', 'mujoco'], 0)])
def test_exit_code(write, text, options, code):
    assert main(['check', write(text), *options]) == code


@pytest.mark.parametrize('options, errors, code, first', [
    ([], 0, 0, 'no errors, 4 warnings'),
    (['--strict'], 0, 1, 'fails, 4 warnings'),
    (['--for', 'rviz'], 0, 0, 'passes for rviz, 3 warnings'),
    (['--for', 'rviz,drake'], 2, 1, 'fails, 2 errors, 2 warnings'),
    (['--for', 'urdf_parser_py,usd', '--level', 'note'], 0, 0,
     'passes for urdf_parser_py, usd, 4 warnings'),
    (['--for', 'urdf_parser_py', '--level', 'info'], 0, 0,
     'passes for urdf_parser_py, 1 warning')])
def test_the_first_line_says_what_the_exit_code_does(
        write, capsys, options, errors, code, first):
    robot = write(ROBOT.format(
        '<link name="a"><visual><geometry><mesh filename="no.stl"/></geometry></visual></link>'
        '<link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
        '<calibration/></joint>'))
    assert main(['check', robot, *options]) == code
    lines = capsys.readouterr().out.splitlines()
    # Tesseract refuses it because of what is only a note.
    assert lines[0] == f'robot.urdf: {first}'
    assert ('  refused by ' in lines[1]) == ('passes' not in first)
    if 'fixable with --fix' in lines[-1]:
        lines.pop()
    assert lines[-1].startswith(f'robot.urdf: {errors} error')


def test_a_robot_without_a_defect_has_a_first_line(write, capsys):
    robot = write(GOOD)
    assert main(['check', robot]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        'robot.urdf: passes',
        '  changed by mujoco (-1 kg), pybullet (+1 kg), pinocchio (-1 kg), usd (base)']
    assert main(['check', robot, '--for', 'mujoco', '--format', 'json']) == 0
    programs = json.loads(capsys.readouterr().out)['reports'][0]['programs']
    assert programs['mujoco'] == 'keeps 0 of 1 kg, welds the base to the world'
    assert 'usd' not in programs


def test_a_model_that_fails_is_a_finding_for_those_who_ask_for_it(write, capsys, monkeypatch):
    def fail(source, context):
        raise ArithmeticError('{of} drake')

    monkeypatch.setattr(drake, 'account', fail)
    robot = write(GOOD)
    assert main(['check', robot, '--for', 'mujoco']) == 0
    capsys.readouterr()
    assert main(['check', robot, '--for', 'drake']) == 1
    assert re.search(r'error: The model of drake failed at \w+\.py:\d+: ArithmeticError: '
                     r'{of} drake \[internal-error\]', capsys.readouterr().out)


def test_the_worst_of_several_combinations_is_told(write, capsys):
    inertial = ('<inertial><mass value="{}"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" '
                'iyz="0" izz="0.02"/></inertial>')
    write('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="mass" '
          f'default="1"/><link name="a">{inertial.format("$(arg mass)")}</link>'
          f'<link name="b">{inertial.format(1)}</link><joint name="j" type="continuous">'
          '<parent link="a"/><child link="b"/></joint></robot>', 'r.urdf.xacro')
    write('[[roots]]\nfile = "r.urdf.xacro"\narguments = {mass = [1, 9, 4]}\n',
          'urdf-tools.toml')
    assert main(['check', '--for', 'mujoco']) == 0
    assert '  changed by mujoco (-9 kg)\n' in capsys.readouterr().out


def test_mesh_limits(write, tmp_path, capsys):
    (tmp_path / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    robot = write(VISUAL.format('<geometry><mesh filename="cube.stl"/></geometry>'))
    options = ['check', robot, '--select', 'mesh-over-limit', '--strict']
    assert main(options) == 0
    assert main([*options, '--mesh-limits', 'triangles=3,time=9']) == 1
    assert "'cube.stl' was not read: it has more than 3 triangles" in capsys.readouterr().out
    assert main(options) == 0
    with pytest.raises(SystemExit):
        main([*options, '--mesh-limits', 'cpu=3'])
    assert "'cpu=3' is not of the form NAME=VALUE" in capsys.readouterr().err


def test_the_reason_is_in_the_words_of_the_finding(write, capsys):
    main(['check', write('<robot name="r"><link name="l"><inertial><mass value="1"/><inertia '
                         'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision>'
                         '<geometry><mesh filename="a.stl"/></geometry></collision></link>'
                         '</robot>')])
    assert ("refused by mujoco, drake, pybullet: file 'a.stl' does not exist"
            in capsys.readouterr().out.splitlines()[1])


def test_text(write, capsys):
    main(['check', write(WRONG), '--ignore', 'inertial-missing,program-changes'])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith('robot.urdf: fails, 2 errors')
    assert lines[1].startswith('  refused by ') and 'has no <limit> (1 of ' in lines[1]
    assert lines[2].startswith('robot.urdf:4:1: error: ')
    assert lines[2].endswith(' [limit-missing]')
    assert lines[-1].startswith('robot.urdf: 2 errors, ')
    assert 'note:' not in '\n'.join(lines)


def test_level(write, capsys):
    main(['check', write(GOOD), '--level', 'info'])
    assert '[no-geometry-at-all]' in capsys.readouterr().out


def test_several_files_and_json(write, capsys):
    assert main(['check', write(GOOD), write(WRONG, 'b.urdf'), '--format', 'json']) == 1
    data = json.loads(capsys.readouterr().out)
    assert [report['source'] for report in data['reports']] == ['robot.urdf', 'b.urdf']
    assert [report['valid'] for report in data['reports']] == [True, False]


def test_total_of_several_files(write, capsys):
    assert main(['check', write(GOOD), '--strict', write(WRONG, 'b.urdf'), 'missing.urdf']) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith('--level info)') or '0 notes' in line] == [
        'robot.urdf: 0 errors, 0 warnings, 1 note (shown with --level info)',
        'b.urdf: 2 errors, 1 warning, 2 notes (shown with --level info)',
        'missing.urdf: 1 error, 0 warnings, 0 notes',
        '3 files: 3 errors, 1 warning, 3 notes (shown with --level info)']


def test_reports_come_one_by_one(write, monkeypatch, capsys):
    write(GOOD)
    write(WRONG, 'b.urdf')
    before = []
    validate = checking.validate
    monkeypatch.setattr(checking, 'validate', lambda source, **options: (
        before.append(capsys.readouterr().out), validate(source, **options))[1])
    main(['check', 'robot.urdf', 'b.urdf'])
    assert before[0] == ''
    assert before[1].startswith('robot.urdf: ')


def test_verbose(write, capsys):
    text = ROBOT.format('\n'.join(f'<link name="a b{i}"/>' for i in range(70)))
    main(['check', write(text), '--select', 'name-bad-characters'])
    assert capsys.readouterr().out.count('[name-bad-characters]') == 1
    main(['check', '-v', write(text), '--select', 'name-bad-characters'])
    assert capsys.readouterr().out.count('[name-bad-characters]') == 70


def test_file_whose_name_looks_like_an_argument(write, capsys):
    write(GOOD, 'a:=b.urdf')
    assert main(['check', './a:=b.urdf']) == 0
    assert capsys.readouterr().out.startswith('./a:=b.urdf: passes\n')
    assert main(['tree', './a:=b.urdf']) == 0


def test_sarif(write, capsys):
    main(['check', write(WRONG), '--format', 'sarif'])
    results = json.loads(capsys.readouterr().out)['runs'][0]['results']
    assert 'axis-zero' in [result['ruleId'] for result in results]


def test_github(write, capsys):
    main(['check', write(WRONG), '--format', 'github', '--level', 'error'])
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(' ')[0] for line in lines] == ['::error', '::error']
    assert main(['check', write(GOOD), '--format', 'github']) == 0
    assert capsys.readouterr().out == ''


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr('sys.stdin', io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    assert main(['check', '-']) == 1
    assert capsys.readouterr().out.startswith('<stdin>:')


def test_unreadable_file(write, capsys):
    assert main(['check', 'missing.urdf', write(WRONG)]) == 2
    out = capsys.readouterr().out
    assert 'missing.urdf: error: Cannot read' in out
    assert '[axis-zero]' in out


def test_packages(write, tmp_path, capsys):
    (tmp_path / 'parts').mkdir()
    file = write(GOOD.replace(
        '</inertial>', '</inertial><collision><geometry><mesh '
                       'filename="package://bolts/no.stl"/></geometry></collision>'))
    main(['check', file])
    assert '[package-not-found]' in capsys.readouterr().out
    main(['check', file, '--package', f'bolts={tmp_path}/parts'])
    assert '[mesh-not-found]' in capsys.readouterr().out


def test_xacro(write, capsys):
    pytest.importorskip('xacro')
    file = write('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                 '<xacro:arg name="base" default="a b"/><link name="$(arg base)"/></robot>',
                 'robot.urdf.xacro')
    main(['check', file])
    assert 'robot.urdf.xacro:1:105: warning: ' in capsys.readouterr().out
    assert main(
        ['check', file, 'base:=base_link', '--strict', '--ignore', 'program-changes']) == 0
    assert main(['check', file, '--fix']) == 0


@pytest.mark.parametrize('options, words', [
    ([], 'Name a file'),
    (['robot.urdf', '--ignore', 'axis-zer'], "Did you mean 'axis-zero'?"),
    (['robot.urdf', '--select', 'joint'], "Did you mean 'joints'?"),
    (['robot.urdf', '--for', 'gazbo'], "Did you mean 'gazebo'?"),
    (['robot.urdf', '--ignore', 'zzz'], 'Categories: xml, names, structure, '),
    (['robot.urdf', '--for', 'zzz'], 'Known are gazebo, moveit, rviz, mujoco, isaac, drake, '),
    (['--explain', 'axis'], "Rule 'axis' does not exist"),
    (['--explain', 'zzz'], '"urdf-tools check --explain" lists them'),
    (['-', '--fix'], 'Cannot write to standard input')])
def test_errors_are_one_line(write, capsys, options, words):
    write(GOOD)
    assert main(['check', *options]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count('\n') == 1


@pytest.mark.parametrize('package', ['parts', 'parts=', '=parts'])
def test_invalid_package(package):
    with pytest.raises(SystemExit):
        main(['check', 'robot.urdf', '--package', package])


def test_explain(monkeypatch, capsys):
    monkeypatch.setitem(RULES._rules, 'example', Rule(
        'example', Severity.WARN, 'joints',
        'Joints have limits.\n\nA reason.', 'Write limits', consequences=(
            *changes('urdfdom', of='limit', how='assumes 0'), *ignores('mujoco', of='limit'))))
    assert main(['check', '--explain', 'example']) == 0
    assert capsys.readouterr().out == """\
example (warning, joints)
Joints have limits.
A reason.
Fix: Write limits.
urdfdom: assumes 0
mujoco: ignores the limit
"""


def test_explain_lists_all(capsys):
    assert main(['check', '--explain']) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(RULES)


def test_fix(write, tmp_path, capsys):
    file = write(WRONG.replace('0 0 0', '0 0 2'))
    (tmp_path / file).chmod(0o640)
    assert main(['check', file, '--diff']) == 0
    diff = capsys.readouterr().out.splitlines()
    assert diff[:2] == ['--- robot.urdf', '+++ robot.urdf (fixed)']
    assert [line for line in diff if line[0] in '-+'][2:] == [
        '-<axis xyz="0 0 2"/>', '+<axis xyz="0 0 1"/>']
    assert main(['check', file, '--fix']) == 1
    printed = capsys.readouterr()
    assert '[axis-not-unit]' not in printed.out
    assert printed.err == 'robot.urdf: fixed 1 finding: axis-not-unit (1)\n'
    assert (tmp_path / file).read_text() == WRONG.replace('0 0 0', '0 0 1')
    assert (tmp_path / file).stat().st_mode & 0o777 == 0o640
    assert main(['check', file, '--diff']) == 0
    assert capsys.readouterr().out == ''


def test_fix_of_malformed_xml(write, capsys):
    file = write('<robot')
    assert main(['check', file, '--fix']) == 1
    assert main(['check', file, '--diff']) == 2


def test_change_of_what_cannot_be_read(write, capsys):
    file = write('<robot')
    assert main(['check', file, '--diff']) == 2
    assert capsys.readouterr().err.startswith('urdf-tools: robot.urdf:1:')
    assert main(['check', file, '--diff', '--ignore', 'xml-malformed']) == 2
    assert capsys.readouterr().err.startswith('urdf-tools: robot.urdf:1:')


def test_fix_that_cannot_be_written(write, tmp_path, monkeypatch, capsys):
    """No temporary file is left behind, and the file is as before."""
    def fails(*_arguments):
        raise OSError(28, 'No space left on device')
    monkeypatch.setattr('os.replace', fails)
    file = write(WRONG)
    monkeypatch.setattr('urdf_tools.cli.fixing.autofix',
                        lambda *_: Fixes({file: WRONG.encode()}, {file: GOOD.encode()}, (), ()))
    assert main(['check', file, '--fix']) == 2
    assert "Cannot write 'robot.urdf': No space left on device" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ['robot.urdf']
    assert (tmp_path / file).read_text() == WRONG
