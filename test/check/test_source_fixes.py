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

"""Fixes of the xacro files that a description is expanded from."""

import pytest

from urdf_tools.check.validator import validate
from urdf_tools.cli import main

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'

ROBOT = """\
<xacro:include filename="parts/leg.xacro"/>
<link name="base_link"/>
<xacro:leg name="left" kind="Revolute"/>
<xacro:leg name="right" kind="Revolute"/>"""

LEG = """\
<xacro:macro name="leg" params="name kind axis:='0 0 1'">
  <link name="${name}"/>
  <joint name="${name}_joint" type="revolute">
    <origin xyz="0,0,1" rpy="0,0,0"/><!-- keep -->
    <parent link="base_link"/>
    <child link="${name}"/>
    <axis xyz="${axis}"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
</xacro:macro>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with xacro files, which is the current one."""
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'robot.xacro').write_text(f'{HEAD}{ROBOT}\n</robot>\n')
    (tmp_path / 'parts' / 'leg.xacro').write_bytes(
        f'{HEAD}<!-- ü -->{LEG}\n</robot>\n'.replace('\n', '\r\n').encode())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(folder, old, new):
    path = folder / 'parts' / 'leg.xacro'
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))
    return path.read_bytes()


def test_a_literal_is_fixed_for_all_instances_and_no_other_byte(folder, capsys):
    before = (folder / 'parts' / 'leg.xacro').read_bytes()
    robot = (folder / 'robot.xacro').read_bytes()
    assert main(['check', '--fix', 'robot.xacro']) == 0
    assert (folder / 'parts' / 'leg.xacro').read_bytes() == before.replace(
        b'"0,0,1"', b'"0 0 1"').replace(b'"0,0,0"', b'"0 0 0"')
    assert (folder / 'robot.xacro').read_bytes() == robot
    assert capsys.readouterr().err == (
        'parts/leg.xacro: fixed 2 findings: number-locale-comma (2)\n')
    after = (folder / 'parts' / 'leg.xacro').read_bytes()
    assert main(['check', '--fix', 'robot.xacro']) == 0
    assert (folder / 'parts' / 'leg.xacro').read_bytes() == after


def test_diff_is_of_the_source(folder, capsys):
    before = (folder / 'parts' / 'leg.xacro').read_bytes()
    assert main(['check', '--diff', 'robot.xacro']) == 0
    out = capsys.readouterr().out
    assert out.startswith('--- parts/leg.xacro\n+++ parts/leg.xacro (fixed)\n')
    assert '+    <origin xyz="0 0 1" rpy="0 0 0"/><!-- keep -->' in out
    assert (folder / 'parts' / 'leg.xacro').read_bytes() == before


def fixed(folder, capsys):
    """Fix the robot, and return whether the files changed, and what was left alone."""
    paths = [folder / 'robot.xacro', folder / 'parts' / 'leg.xacro']
    before = [path.read_bytes() for path in paths]
    main(['check', '--fix', '--select', 'number-locale-comma', 'robot.xacro'])
    return [path.read_bytes() for path in paths] != before, capsys.readouterr().err


def test_an_expression_is_left_alone(folder, capsys):
    change(folder, b'"0,0,1" rpy="0,0,0"', b'"${1 - 1},0,1"')
    assert fixed(folder, capsys) == (
        False, 'parts/leg.xacro:5:13: not fixed, xyz comes from ${1 - 1},0,1 '
               '[number-locale-comma]\n')


def test_elements_that_only_some_instances_would_change_are_left_alone(folder, capsys):
    """The second leg is not among those that have the finding, as a comment ignores it there."""
    robot = folder / 'robot.xacro'
    robot.write_text(robot.read_text().replace(
        '<xacro:leg name="right"',
        '<!-- urdf-tools: ignore number-locale-comma --><xacro:leg name="right"'))
    assert fixed(folder, capsys) == (
        False, 2 * 'parts/leg.xacro:5:5: not fixed, only 1 of 2 instances need the same change '
                   '[number-locale-comma]\n')


def test_files_of_another_package_are_left_alone(folder, capsys):
    (folder / 'robot').mkdir()
    (folder / 'robot' / 'package.xml').write_text('<package><name>robot</name></package>')
    (folder / 'robot' / 'robot.xacro').write_text(
        (folder / 'robot.xacro').read_text().replace('parts/', '../parts/'))
    before = (folder / 'parts' / 'leg.xacro').read_bytes()
    main(['check', '--fix', 'robot/robot.xacro'])
    assert (folder / 'parts' / 'leg.xacro').read_bytes() == before
    assert 'not fixed, the file is outside the package' in capsys.readouterr().err


def test_a_fix_of_the_outermost_file(folder):
    robot = folder / 'robot.xacro'
    robot.write_text(f'{HEAD}<link name="a"/><material name="m"><color rgba="1,0,0,1"/></material>'
                     '</robot>')
    assert main(['check', '--fix', 'robot.xacro']) == 0
    assert '<color rgba="1 0 0 1"/>' in robot.read_text()
    assert 'number-locale-comma' not in {
        finding.code for finding in validate('robot.xacro').findings}


def test_names_and_elements_are_corrected_in_the_macro(folder, capsys):
    before = (folder / 'parts' / 'leg.xacro').read_bytes()
    change(folder, b'<limit lower="0" upper="1" effort="1" velocity="1"/>',
           b'<limit lower="0" upper="1" efort="1" velocity="1"/>\r\n'
           b'    <joint_properties damping="${1 / 2}"></joint_properties>')
    assert main(['check', '--fix', 'robot.xacro']) == 0
    after = (folder / 'parts' / 'leg.xacro').read_bytes()
    assert b'upper="1" effort="1"' in after
    assert b'<dynamics damping="${1 / 2}"></dynamics>' in after
    assert before.count(b'\n') + 1 == after.count(b'\n')


def test_a_name_whose_value_is_an_expression_is_left_alone(folder, capsys):
    change(folder, b'effort="1"', b'efort="${1 + 1}"')
    main(['check', '--fix', '--select', 'limit-no-effort', 'robot.xacro'])
    assert b'efort="${1 + 1}"' in (folder / 'parts' / 'leg.xacro').read_bytes()
    assert 'efort comes from ${1 + 1}' in capsys.readouterr().err


def test_the_check_says_how_much_is_fixable(folder, capsys):
    main(['check', 'robot.xacro'])
    assert 'fixable with --fix; --diff shows how' in capsys.readouterr().out.splitlines()[-1]
    main(['check', '--fix', 'robot.xacro'])
    assert 'fixable' not in capsys.readouterr().out
    main(['check', '--fix', 'robot.xacro'])
    assert capsys.readouterr().err == 'robot.xacro: nothing to fix\n'
