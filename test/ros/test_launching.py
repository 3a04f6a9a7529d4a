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

"""What launch files do with their arguments, without launch."""

from pathlib import Path
import subprocess
import sys
from types import SimpleNamespace

import pytest

from urdf_tools.ros.launching import argument
from urdf_tools.ros.launching import boolean
from urdf_tools.ros.launching import misspelt
from urdf_tools.ros.launching import number
from urdf_tools.ros.launching import readable
from urdf_tools.ros.launching import xacro_arguments

PROGRAM = """
from urdf_tools.ros.launching import parameter_file
print(parameter_file({'/**': {'ros__parameters': {'nodes': ['a']}}}))
"""


@pytest.mark.parametrize('read, text, value', [
    (boolean, 'yes', True), (boolean, '0', False), (number, '8', 8.0), (number, '1e-3', 0.001),
    (xacro_arguments, "a:=1 b:='x y' c:= d:=e:=f", {'a': '1', 'b': 'x y', 'c': '', 'd': 'e:=f'}),
    (xacro_arguments, '', {})])
def test_values(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize('read, text', [
    (boolean, 'perhaps'), (boolean, ''), (number, 'fast'), (xacro_arguments, 'a=1'),
    (xacro_arguments, ':=1'), (xacro_arguments, 'a:="1'), (readable, 'missing.file'),
    (readable, 'package://no_such_package/robot.urdf')])
def test_errors_name_the_argument(read, text):
    context = SimpleNamespace(launch_configurations={'name': text})
    with pytest.raises(RuntimeError, match='^Launch argument name:='):
        with argument(context, 'name') as value:
            read(value)


def test_misspelt_arguments(monkeypatch):
    context = SimpleNamespace(
        argv=['modell:=a', 'x:=1', 'namespace:=b', 'nothing:=c', 'word'],
        locals=SimpleNamespace(current_launch_file_path='/ours/launch/bringup.launch.py'))
    names = ['model', 'namespace', 'x', 'y']
    monkeypatch.setattr(sys, 'argv', ['ros2', 'launch', '/ours/launch/bringup.launch.py'])
    assert list(misspelt(context, names)) == [
        "Launch argument 'modell' has no effect. Did you mean 'model'?"]
    monkeypatch.setattr(sys, 'argv', ['ros2', 'launch', '/theirs/launch/robot.launch.py'])
    assert not list(misspelt(context, names))


@pytest.mark.slow
def test_files_of_parameters_are_gone_at_the_end():
    found = subprocess.run(
        [sys.executable, '-c', PROGRAM], capture_output=True, text=True, check=True)
    assert found.stdout.endswith('.yaml\n')
    assert not Path(found.stdout.strip()).exists()
