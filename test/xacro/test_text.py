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


"""Which files are xacro, by name and by text, for everybody who reads them."""

import os

import pytest

from urdf_tools import load
from urdf_tools.check.workspace.descriptions import find_descriptions
from urdf_tools.cli import main
from urdf_tools.model.errors import DescriptionError
from urdf_tools.xacro.text import is_xacro

ROBOT = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">{}</robot>'
ARGUMENT = ROBOT.format('<xacro:arg name="side" default="left"/><link name="$(arg side)_arm"/>')
PLAIN = '<robot name="r"><link name="arm"/></robot>'


@pytest.mark.parametrize('name, text, expected', [
    ('r.urdf', PLAIN, False), ('r.urdf.xacro', PLAIN, True), ('r.XACRO', '', True),
    ('r.xacro.urdf', PLAIN.replace('arm', '$(arg a)'), True),
    ('r.urdf', ARGUMENT, True), ('r.urdf', ARGUMENT.encode('utf-16'), False),
    ('r.urdf', ROBOT.format('<xacro:include filename="a.xacro"/>'), True),
    ('r.urdf', ROBOT.format('<link name="a"><visual><origin xyz="0 0 ${1/2}"/></visual></link>'),
     True),
    ('r.urdf', ROBOT.format('<xacro:include filename="a.xacro"/><link name="a"/><xacro:arm/>'),
     True),
    ('r.urdf', ROBOT.format('<xacro:include filename="a.xacro"/><link name="a"/>'
                            '<joint name="j" type="fixed"><parent link="a"/><child link=\'b\'/>'
                            '</joint>'), True),
    # What xacro or a hand has left over in a file that every program reads.
    ('r.urdf', ROBOT.format('<xacro:include filename="$(find a)/b.xacro"/><link name="a"/>'
                            '<xacro:arg name="c"/>'), False),
    ('r.urdf', ROBOT.format('<link name="a"/>'), False),
    ('r.urdf', ROBOT.format('<xacro:property name="width" value=".2"/><link name="a"/>'), False),
    ('r.urdf', ROBOT.format('<xacro:sensor name="imu"/><link name="a"/>'), False),
    ('r.urdf', ROBOT.format('<!-- <xacro:include filename="${a}"/> --><link name="a"/>'), False),
    ('r.urdf', ROBOT.format('<gazebo><file>$(find a)/b.yaml</file></gazebo>'), False),
    ('r.urdf', PLAIN.replace('arm', '${arm}'), False),
    ('r.urdf', f'<!-- {ARGUMENT} -->{PLAIN.replace("arm", "${arm}")}', False)])
def test_name_and_namespace(name, text, expected):
    assert is_xacro(name, text) is is_xacro(name, text.encode() if isinstance(
        text, str) else text) is expected


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a robot, a part and a plain robot, all called .urdf."""
    pytest.importorskip('xacro')
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'robot.urdf').write_text(ARGUMENT)
    (tmp_path / 'part.urdf').write_text(
        ROBOT.replace(' name="r"', '').format('<xacro:macro name="arm"/>'))
    (tmp_path / 'plain.urdf').write_text(PLAIN)
    return tmp_path


def test_a_urdf_file_that_is_xacro_is_expanded(folder):
    assert load('robot.urdf', arguments={'side': 'right'}).root == 'right_arm'
    with pytest.raises(DescriptionError, match="takes no arguments such as 'side:=right'"):
        load('plain.urdf', arguments={'side': 'right'})


def test_a_folder_is_searched_for_it(folder):
    found = find_descriptions(folder)
    assert [os.path.basename(path) for path in found.roots] == ['plain.urdf', 'robot.urdf']
    assert [os.path.basename(path) for path in found.parts] == ['part.urdf']
    pytest.importorskip('pygls')
    from support.editor import project_in
    assert {os.path.basename(path) for path in project_in(folder).files()} == {
        'part.urdf', 'robot.urdf'}


@pytest.mark.parametrize('command, code, message', [
    (['check', '.', 'side:=right'], 0, ''),
    (['check', 'robot.urdf', 'side:=right'], 0, ''),
    (['check', 'plain.urdf', 'side:=right'], 2, 'takes no arguments'),
    (['tree', 'plain.urdf', 'side:=right'], 2, 'takes no arguments'),
    (['tree', '-', 'side:=right'], 2, 'which takes no xacro arguments'),
    (['check', '-', 'side:=right'], 2, 'which takes no xacro arguments'),
    (['expand', 'robot.urdf', 'side:=right'], 0, '<link name="right_arm"/>'),
    (['inertia', 'robot.urdf', '--compute', 'all', '--write'], 0, '0 links written')])
def test_arguments_are_for_xacro_only(folder, capsys, command, code, message):
    assert main(command) == code
    assert message in ''.join(capsys.readouterr())
    assert (folder / 'robot.urdf').read_text() == ARGUMENT


def test_an_expression_that_fails_is_reported_with_its_values(tmp_path, monkeypatch, capsys):
    """The default of an argument may be of another type than the expression needs."""
    pytest.importorskip('xacro')
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'a.xacro').write_text("""<robot name="a" xmlns:xacro="http://ros.org/wiki/xacro">
<xacro:arg name="at" default="false"/>
<xacro:property name="place" value="$(arg at)"/>
<xacro:macro name="part" params="where"><link name="${where[0]}"/></xacro:macro>
<xacro:part where="${place}"/>
</robot>""")
    assert main(['tree', 'a.xacro']) == 2
    assert "a.xacro:4:47: xacro cannot expand the file: 'bool' object is not subscriptable" in (
        error := capsys.readouterr().err)
    assert 'where is ${place} at a.xacro:5, place is $(arg at) at a.xacro:3' in error


UR = """<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="name" default="ur"/>
<xacro:arg name="type" default="ur5x"/>
<xacro:arg name="file" default="config/$(arg type).yaml"/>
<link name="${xacro.load_yaml('CONFIG/$(arg type).yaml')['link']}"/>
</robot>"""


@pytest.mark.parametrize('given, argument, hint', [
    ([], 'name:=ur type:=ur5e', 'give one of which there is a file, as in type:=ur5e: ur3, ur5e'),
    (['type:=ur3'], 'name:=ur', 'Give it a value as name:=ur or in urdf-tools.toml, because'),
    (['name:=a'], 'type:=ur5e', "Argument 'type' is 'ur5x'; give one of which there is a file, as "
     'in type:=ur5e: ur3, ur5e')])
def test_the_line_to_type_has_the_missing_argument(
        tmp_path, monkeypatch, capsys, given, argument, hint):
    pytest.importorskip('xacro')
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'ur.xacro').write_text(UR.replace('CONFIG', str(tmp_path)))
    for name in ('ur3', 'ur5e'):
        (tmp_path / f'{name}.yaml').write_text('link: a')
    for verb in ('tree', 'view'):
        assert main([verb, 'ur.xacro', *given]) == 2
        error = capsys.readouterr().err
        assert hint in error
        command = ' '.join(['urdf-tools', verb, 'ur.xacro', *given, argument])
        assert error.splitlines()[-1] == f'Type: {command}'
    assert main(['check', '--untrusted', 'ur.xacro', *given]) == 2
    assert hint in capsys.readouterr().out


@pytest.mark.parametrize('given, named', [
    ('', "Argument 'dof' is ''; give one of which there is a file, as in dof:=6: 6, 7"),
    ('8', "Argument 'dof' is '8'; give one of which there is a file, as in dof:="),
    ('7', 'Correct the path, or the values in it')])
def test_the_argument_that_is_a_part_of_a_path(tmp_path, monkeypatch, capsys, given, named):
    """As in ros2_kortex, whose arms are in the folders 6dof and 7dof."""
    pytest.importorskip('xacro')
    monkeypatch.chdir(tmp_path)
    for name in ('6dof', '7dof'):
        (tmp_path / 'arms' / name).mkdir(parents=True)
    (tmp_path / 'package.xml').write_text('<package><name>kortex</name></package>')
    (tmp_path / 'arm.xacro').write_text("""\
<robot name="a" xmlns:xacro="http://ros.org/wiki/xacro">
<xacro:arg name="gripper" default=""/><xacro:arg name="dof" default=""/>
<xacro:macro name="arm" params="dof">
<xacro:include filename="$(find kortex)/arms/${dof}dof/arm.xacro"/></xacro:macro>
<xacro:arm dof="$(arg dof)"/></robot>""")
    assert main(['tree', 'arm.xacro', f'dof:={given}']) == 2
    error = capsys.readouterr().err
    assert named in error
    assert 'Write a path that begins' not in error
