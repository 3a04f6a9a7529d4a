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

"""Arguments that a xacro file does not have, and those that it lacks."""

import pytest

from urdf_tools import load
from urdf_tools.cli import main
from urdf_tools.model.errors import DescriptionError

pytest.importorskip('xacro')

FILES = {
    'robot.xacro': """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<!-- <xacro:arg name="old" default=""/> -->
<xacro:arg name="prefix" default=""/>
<xacro:include filename="inside/arms.xacro"/>
<xacro:property name="model" value="a"/>
<link name="$(arg prefix)base"/>
<xacro:if value="$(arg with_hand)"><xacro:include filename="hand.xacro"/></xacro:if>
</robot>""",
    'inside/arms.xacro': """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="with_hand" default="false"/>
<xacro:macro name="arm" params="side"><link name="${side}_${xacro.arg('length')}"/></xacro:macro>
<xacro:include filename="../robot.xacro"/>
</robot>""",
    'hand.xacro': """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="fingers" default="2"/><xacro:arg name="wide" default="$(eval stretch * 2)"/>
</robot>"""}

UNKNOWN_FILE = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="prefix" default=""/><link name="$(arg prefix)base"/>
<xacro:property name="file" value="hand.xacro"/>
<xacro:if value="WHETHER"><xacro:include filename="${file}"/></xacro:if></robot>"""

LACKING = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="$(arg side)_$(arg prefix)"/><link name="$(arg tool)"/></robot>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a robot in several files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'inside').mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.replace(
            '<xacro:include filename="../robot.xacro"/>', ''))
    return tmp_path


@pytest.mark.parametrize('name', ['prefix', 'with_hand', 'fingers', 'wide', 'length', 'stretch'])
def test_arguments_of_all_files_that_may_be_included(folder, name):
    assert [*load('robot.xacro', arguments={name: 'false'}).links]


@pytest.mark.parametrize('name, near', [
    ('prefx', 'prefix'), ('finger', 'fingers'), ('old', None), ('side', None), ('model', None)])
def test_others_are_errors(folder, name, near):
    with pytest.raises(DescriptionError) as caught:
        load('robot.xacro', arguments={name: '1'})
    error = caught.value
    assert str(error).startswith(f'robot.xacro: The file has no xacro argument {name!r}. ')
    assert (f'Did you mean {near!r}?' in error.hint) == (near is not None)
    assert error.hint.endswith('It has prefix, with_hand, fingers, wide, length')


def test_all_of_them_at_once(folder, capsys):
    assert main(['tree', 'robot.xacro', 'prefx:=a', 'with_hands:=true', 'prefix:=b']) == 2
    assert capsys.readouterr().err == (
        "urdf-tools: robot.xacro: The file has no xacro argument 'prefx' or 'with_hands'. Did you "
        "mean 'prefix'? Did you mean 'with_hand'? It has prefix, with_hand, fingers, wide, "
        'length\n')


def test_a_circle_of_includes(folder):
    (folder / 'hand.xacro').write_text(FILES['inside/arms.xacro'].replace('../', ''))
    with pytest.raises(DescriptionError, match="Did you mean 'prefix'"):
        load('robot.xacro', arguments={'prefx': ''})


def test_an_include_that_is_not_known(folder):
    (folder / 'some.xacro').write_text(UNKNOWN_FILE.replace('WHETHER', 'false'))
    assert load('some.xacro', arguments={'anything': ''}).root == 'base'
    (folder / 'some.xacro').write_text(UNKNOWN_FILE.replace('WHETHER', 'true'))
    assert load('some.xacro', arguments={'fingers': '3', 'stretch': '1'}).root == 'base'
    with pytest.raises(DescriptionError, match="Did you mean 'fingers'"):
        load('some.xacro', arguments={'fingres': '3', 'stretch': '1'})


def test_a_misspelt_argument_beside_an_include_that_is_not_known(folder):
    """As of TIAGo: what differs by a letter is not an argument of the other file."""
    (folder / 'some.xacro').write_text(UNKNOWN_FILE.replace('WHETHER', 'false').replace(
        'default=""/>', 'default=""/><xacro:arg name="arm_1" default=""/>'))
    assert load('some.xacro', arguments={'prefix': 'a', 'arm_2': ''}).root == 'abase'
    with pytest.raises(DescriptionError, match="argument 'prefx'. Did you mean 'prefix'"):
        load('some.xacro', arguments={'prefx': 'a'})


def test_a_missing_argument_of_eval(folder):
    (folder / 'eval.xacro').write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<link name="$(eval size * 2)"/></robot>')
    with pytest.raises(DescriptionError, match="eval.xacro:1:.*name 'size' is not defined"):
        load('eval.xacro')


def test_an_argument_without_default(folder):
    (folder / 'bare.xacro').write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="size"/><link name="$(arg size)"/></robot>')
    for given in ({}, {'size': 'a'}):  # xacro itself does not take it.
        with pytest.raises(DescriptionError, match='bare.xacro:1:.*Write default="", which xacro'):
            load('bare.xacro', arguments=given)


def test_all_missing_arguments_at_once(folder, capsys):
    (folder / 'lacking.xacro').write_text(LACKING)
    assert main(['tree', 'lacking.xacro', 'prefix:=a']) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        'Type: urdf-tools tree lacking.xacro prefix:=a side:=VALUE tool:=VALUE')
    # The misspelt name is why one is missing.
    assert main(['tree', 'lacking.xacro', 'prefix:=a', 'sied:=b', 'tool:=c']) == 2
    assert "Did you mean 'side'?" in capsys.readouterr().err


def test_of_several_files_each_takes_its_own(folder, capsys):
    (folder / 'other.urdf').write_text(
        '<robot name="o" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="size" default="1"/><link name="o$(arg size)"/></robot>')
    assert main(['check', '.', 'size:=2', 'prefix:=b_']) == 0
    assert main(['check', '.', 'size:=2', 'prefx:=b_']) == 2
    assert capsys.readouterr().err.endswith("No description has the xacro argument 'prefx'\n")
    assert main(['check', 'other.urdf', 'prefix:=b_']) == 2
    assert "The file has no xacro argument 'prefix'" in capsys.readouterr().out
    (folder / 'urdf-tools.toml').write_text("""[[roots]]
file = "other.urdf"
[[roots]]
file = "robot.xacro"
arguments = {prefx = "a"}""")
    assert main(['check', 'size:=2']) == 2
    out = capsys.readouterr().out
    assert "robot.xacro: error: The file has no xacro argument 'prefx'" in out
    assert out.count('has no xacro argument') == 1
