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

"""The verb ``expand``."""

import io

import pytest

from urdf_tools.cli import main
import xacro

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with xacro files, which is the current one."""
    (tmp_path / 'robot.xacro').write_text(
        f'{HEAD}<xacro:include filename="part.xacro"/>\n<xacro:arg name="x" default="ä"/>\n'
        ' <xacro:part name="$(arg x)"/></robot>')
    (tmp_path / 'part.xacro').write_text(
        f'{HEAD}<xacro:macro name="part" params="name">\n  <link name="${{name}}" a="b"/>\n'
        '</xacro:macro></robot>')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def expected(folder):
    """Return the bytes that xacro itself makes."""
    return xacro.process_file('robot.xacro', mappings={}).toprettyxml(indent='  ').encode()


def test_the_text_is_the_one_of_xacro(folder, expected, capsysbinary):
    assert main(['expand', 'robot.xacro']) == 0
    assert capsysbinary.readouterr() == (expected, b'')
    assert main(['expand', 'robot.xacro', '-o', 'robot.urdf']) == 0
    assert (folder / 'robot.urdf').read_bytes() == expected
    assert main(['expand', 'robot.xacro', 'x:=y']) == 0
    assert b'<link a="b" name="y"/>' in capsysbinary.readouterr().out


@pytest.mark.parametrize('arguments, message', [
    (['plain.urdf'], "'plain.urdf' is not a xacro file"),
    (['-'], 'Standard input is not expanded; name the xacro file'),
    (['robot.xacro', '-o', 'no/robot.urdf'], "Cannot write 'no/robot.urdf': No such file"),
    (['gone.xacro'], "Cannot read 'gone.xacro'")])
def test_errors(folder, capsys, monkeypatch, arguments, message):
    monkeypatch.setattr('sys.stdin', io.TextIOWrapper(io.BytesIO(
        b'<robot name="r"><link name="a"/></robot>')))
    (folder / 'plain.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    assert main(['expand', *arguments]) == 2
    assert message in capsys.readouterr().err


def test_half_of_a_surrogate_pair(tmp_path, capsys):
    path = tmp_path / 'a.urdf.xacro'
    path.write_text('<robot name="r" xmlns:xacro="u"><link name="${\'\\ud83d\'}"/></robot>')
    assert main(['expand', str(path), '-o', str(tmp_path / 'a.urdf')]) == 2
    assert 'This is not UTF-8' in capsys.readouterr().err
    assert not (tmp_path / 'a.urdf').exists()
