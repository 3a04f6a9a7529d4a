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

"""Expansion of xacro files."""

import pytest

from urdf_tools.formats.description_files import load
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro import expansion
from urdf_tools.xacro.errors import _HINTS as HINTS
from urdf_tools.xacro.files import NOT_FOUND
from urdf_tools.xacro.files import OUTSIDE

HEAD = '<?xml version="1.0"?>\n<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'


@pytest.fixture
def xacro_file(tmp_path):
    """Return a function that writes a xacro file and returns its path."""
    def write(content, name='robot.urdf.xacro'):
        path = tmp_path / name
        path.write_text(f'{HEAD}{content}\n</robot>\n')
        return path
    return write


def test_macros_arguments_and_includes(xacro_file):
    xacro_file('<xacro:macro name="part" params="name"><link name="${name}"/></xacro:macro>',
               'parts.xacro')
    path = xacro_file('<xacro:include filename="parts.xacro"/><xacro:arg name="x" default="a"/>'
                      '<xacro:part name="$(arg x)_link"/>')
    assert load(path).root == 'a_link'
    assert load(str(path), arguments={'x': 'b'}).root == 'b_link'
    assert load(path).root == 'a_link'


def test_upper_case_suffix(xacro_file):
    assert load(xacro_file('<link name="${1 + 1}"/>', 'ROBOT.XACRO')).root == '2'


def test_text_is_never_expanded():
    with pytest.raises(DescriptionError, match='no links') as raised:
        loads(f'{HEAD}<xacro:include filename="/etc/hostname"/></robot>')
    assert raised.value.hint == 'Line 3 has xacro that was not expanded: run xacro first'


def test_errors_are_not_printed(xacro_file, capfd):
    path = xacro_file('<link name="${1/0}"/>')
    with pytest.raises(DescriptionError, match='xacro cannot expand the file: division by zero'):
        load(path)
    assert capfd.readouterr() == ('', '')


def test_warnings_are_not_printed(xacro_file, capfd):
    path = xacro_file('<xacro:property name="pi" value="3"/><link name="a"/>')
    assert load(path).root == 'a'
    assert capfd.readouterr() == ('', '')


def test_missing_file():
    with pytest.raises(DescriptionError, match="^Cannot read 'gone.xacro': No such file"):
        load('gone.xacro')


def test_without_xacro(xacro_file, monkeypatch):
    monkeypatch.setitem(
        expansion._pools, True, WorkerPool('support.other_xacros:missing', 1))
    with pytest.raises(DescriptionError, match='"apt install .*xacro" or "'):
        load(xacro_file('<link name="a"/>'))


def test_environment_and_folder_are_those_of_the_call(xacro_file, tmp_path, monkeypatch):
    xacro_file('<link name="$(env LINK)"/>')
    (tmp_path / 'parts').mkdir()
    for name in 'a', 'b':
        monkeypatch.setenv('LINK', name)
        monkeypatch.chdir(tmp_path)
        assert load('robot.urdf.xacro').root == name
        monkeypatch.chdir('parts')
        assert load('../robot.urdf.xacro').root == name
    monkeypatch.delenv('LINK')
    with pytest.raises(DescriptionError, match='LINK'):
        load('../robot.urdf.xacro')


@pytest.mark.parametrize('fragment', [NOT_FOUND, OUTSIDE])
def test_messages_of_our_own_have_hints(fragment):
    assert fragment in HINTS
