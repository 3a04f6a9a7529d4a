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
"""The verbs about two robots: diff and attach."""

import json

import pytest

from urdf_tools.cli import main
from urdf_tools.formats.description_files import load

ARM = """<robot name="arm">
  <!-- kept -->
  <link name="base"/>
  <link name="tool"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="tool"/><origin xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""

XACRO = """<robot name="hand" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="name" default="palm"/>
  <link name="$(arg name)"/>
</robot>
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.urdf').write_text(ARM)
    (tmp_path / 'other.urdf').write_text(ARM.replace('upper="1"', 'upper="2"').replace(
        '0 0 1"', '0 0 1.0025"'))
    (tmp_path / 'hand.urdf').write_text('<robot name="hand"><link name="palm"/></robot>')
    (tmp_path / 'hand.urdf.xacro').write_text(XACRO)

    def run(*arguments):
        code = main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err
    return run


def test_diff(run):
    assert run('diff', 'arm.urdf', 'other.urdf') == (1, (
        "joint 'turn': moved by 2.5 mm, 0 mrad\n"
        "joint 'turn': limits.upper 1 -> 2\n"
        'at zero: 1 frame moved, by up to 2.5 mm (tool) and 0 mrad\n'), '')
    assert run('diff', 'arm.urdf', 'arm.urdf') == (0, 'The robots are the same\n', '')
    code, out, _ = run('diff', 'arm.urdf', 'hand.urdf')
    assert code == 1
    assert "robot 'hand': name 'arm' -> 'hand'\n" in out
    assert "link 'tool': removed\n" in out
    assert "link 'palm': renamed from 'base'\n" in out


def test_diff_as_json(run):
    code, out, _ = run('diff', 'arm.urdf', 'other.urdf', '--format', 'json')
    assert code == 1
    moved, upper, frame = json.loads(out)['differences']
    assert moved['after'] == {'distance': pytest.approx(0.0025), 'angle': 0}
    assert upper == {'part': 'joint', 'name': 'turn', 'what': 'limits.upper',
                     'before': 1.0, 'after': 2.0}
    assert (frame['part'], frame['name']) == ('frame', 'tool')
    assert json.loads(run('diff', 'arm.urdf', 'arm.urdf', '--format', 'json')[1]) == {
        'differences': []}
    code, out, _ = run('diff', 'arm.urdf', 'hand.urdf', '--format', 'json')
    assert code == 1
    assert {'part': 'link', 'name': 'tool', 'what': 'removed', 'before': None,
            'after': None} in json.loads(out)['differences']


def test_diff_of_the_arguments_of_a_xacro_file(run):
    pytest.importorskip('xacro')
    file = 'hand.urdf.xacro'
    assert run('diff', file, 'hand.urdf')[0] == 0
    assert run('diff', file, file, 'name:=fist')[1] == "link 'fist': renamed from 'palm'\n"
    assert run('diff', 'name:=fist', file, file)[0] == 0


@pytest.mark.parametrize('arguments, message', [
    (['diff', 'arm.urdf'], "Two files are needed, of which one may be -. Given: 'arm.urdf'"),
    (['diff', '-', '-'], "Two files are needed, of which one may be -. Given: '-', '-'"),
    (['diff', 'side:=left'], 'Two files are needed, of which one may be -. Given: none'),
    (['diff', 'arm.urdf', 'hand.urdf', 'other.urdf'], 'Two files are needed'),
    (['diff', 'arm.urdf', 'nowhere.urdf'], 'No such file'),
    (['attach', 'arm.urdf', 'hand.urdf', '--link', 'tol'], "Did you mean 'tool'?"),
    (['attach', 'arm.urdf', 'arm.urdf', '--link', 'tool'], 'Give a prefix'),
    (['attach', 'arm.urdf', 'hand.urdf', '--link', 'tool', '-o', 'hand.urdf'], 'is an input'),
    (['attach', 'hand.urdf.xacro', 'arm.urdf', '--link', 'palm', '-o', 'hand.urdf.xacro'],
     'is an input')])
def test_errors(run, arguments, message):
    if any(argument.endswith('.xacro') for argument in arguments):
        pytest.importorskip('xacro')
    code, out, err = run(*arguments)
    assert (code, out) == (2, '')
    assert message in err


def test_attach(run, tmp_path):
    pytest.importorskip('xacro')
    assert run(
        'attach', 'arm.urdf', '--link', 'tool', 'hand.urdf.xacro', 'name:=fist', '--prefix',
        'left_', '--xyz', '0', '0', '-0.5', '--rpy', '0', '0', '1.5', '-o', 'out.urdf',
    ) == (0, '', 'wrote out.urdf\n')
    made = load(tmp_path / 'out.urdf')
    assert [*made.links] == ['base', 'tool', 'left_fist']
    mount = made.joints['tool_to_left_fist']
    assert mount.origin.xyz == (0, 0, -0.5)
    assert (tmp_path / 'out.urdf').read_text() == ARM.replace('</robot>\n', """\
  <link name="left_fist"/>
  <joint name="tool_to_left_fist" type="fixed">
    <origin xyz="0 0 -0.5" rpy="0 0 1.5"/>
    <parent link="tool"/>
    <child link="left_fist"/>
  </joint>
</robot>
""")


def test_a_link_world_is_not_attached_silently(run, tmp_path):
    (tmp_path / 'hand.urdf').write_text('<robot name="hand"><link name="world"/></robot>')
    arguments = 'attach', 'arm.urdf', '--link', 'tool', 'hand.urdf', '-o', 'both.urdf'
    code, _, err = run(*arguments)
    assert (code, 'Simulators refuse a link world' in err) == (0, True)
    assert 'world' not in run(*arguments, '--prefix', 'left_')[2]


def test_attach_in_place(run, tmp_path):
    assert run('attach', 'arm.urdf', 'hand.urdf', '--link', 'tool', '-o', 'arm.urdf')[0] == 0
    assert run('diff', 'other.urdf', 'arm.urdf')[0] == 1
    assert 'palm' in load(tmp_path / 'arm.urdf').links
    code, out, _ = run('attach', 'arm.urdf', 'hand.urdf', '--link', 'palm', '--prefix', 'b_')
    assert code == 0 and '<link name="b_palm"/>' in out
