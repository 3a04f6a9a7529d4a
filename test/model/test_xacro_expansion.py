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

import builtins
import os
import resource
import signal
import sys
import time

import pytest

from urdf_tools.model import xacro_bounds
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import load
from urdf_tools.model.loader import loads

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
    assert load(str(path), mappings={'x': 'b'}).root == 'b_link'
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


BOMB = ''.join(f'<xacro:macro name="m{i}">{f"<xacro:m{i + 1}/>" * 10}</xacro:macro>'
               for i in range(9))


@pytest.mark.skipif(not hasattr(signal, 'setitimer'), reason='needs setitimer')
@pytest.mark.parametrize(('content', 'message'), [
    (f'{BOMB}<xacro:macro name="m9"><link name="x"/></xacro:macro>\n<xacro:m0/>',
     'it takes longer than 0.5 s'),
    ('\n<xacro:include filename="fifo"/>', 'it takes longer than 0.5 s'),
    ('\n<link name="${xacro.load_yaml(\'fifo\')}"/>', 'it takes longer than 0.5 s'),
    ('\n<link name="${\'a\' * (2 * 10**9)}"/>', 'when evaluating'),
    ('<xacro:macro name="m"><xacro:m/></xacro:macro>\n<xacro:m/>', 'recursion depth'),
    ('\n<xacro:include filename="robot.urdf.xacro"/>', 'recursion depth'),
    ('\n<xacro:include filename="/dev/zero"/>', 'more than 33554432 characters'),
])
def test_time_and_memory_are_bounded(xacro_file, tmp_path, monkeypatch, content, message):
    if not message.startswith('recursion'):
        monkeypatch.setattr(xacro_bounds, 'MAX_SECONDS', 0.5)
    os.mkfifo(tmp_path / 'fifo')
    limits = [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    with pytest.raises(DescriptionError, match=message) as raised:
        load(xacro_file(content))
    assert raised.value.source.endswith(('robot.urdf.xacro', 'zero'))
    assert limits == [
        resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.skipif(sys.platform != 'linux', reason='only bounded on Linux')
def test_overtime_that_a_finalizer_swallows_is_raised_again(monkeypatch):
    class Finalized:
        def __del__(self):
            time.sleep(60)

    swallowed = []
    monkeypatch.setattr(sys, 'unraisablehook', swallowed.append)
    monkeypatch.setattr(xacro_bounds, 'MAX_SECONDS', 0.1)
    with pytest.raises(xacro_bounds.Overtime), xacro_bounds.bounded():
        Finalized()
        time.sleep(60)
    assert len(swallowed) == 1


def test_missing_file():
    with pytest.raises(DescriptionError, match="^Cannot read 'gone.xacro': No such file"):
        load('gone.xacro')


def test_without_xacro(xacro_file, monkeypatch):
    def refuse(name, *args, **kwargs):
        if name == 'xacro':
            raise ImportError(name)
        return original(name, *args, **kwargs)
    original = builtins.__import__
    path = xacro_file('<link name="a"/>')
    monkeypatch.setattr(builtins, '__import__', refuse)
    with pytest.raises(DescriptionError, match='apt install .*xacro.* or "pip install xacro"'):
        load(path)
