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

"""The plugin of pytest, in runs of their own."""

from importlib.metadata import entry_points
import subprocess
import sys

import pytest
from support.workspaces import DIFFERENCE
from support.workspaces import GRIPPER
from support.workspaces import PALM
from support.workspaces import write_pair

pytestmark = pytest.mark.slow

MATRIX = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="radius" default="1"/>
  <xacro:include filename="macros.xacro"/>
  <xacro:base radius="$(arg radius)"/>
</robot>
"""

MACROS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="base" params="radius">
    <link name="base_link">
      <collision><geometry><sphere radius="${radius}"/></geometry></collision>
    </link>
  </xacro:macro>
</robot>
"""

SETTINGS = """\
[[roots]]
file = "matrix.urdf.xacro"
arguments = {radius = [0.1, -0.2]}
"""

FILES = {
    'arm/package.xml': '<package/>', 'arm/urdf-tools.toml': SETTINGS,
    'arm/matrix.urdf.xacro': MATRIX, 'arm/macros.xacro': MACROS,
    'gripper/package.xml': '<package/>', 'gripper/gripper.urdf': GRIPPER,
    'macros/package.xml': '<package/>', 'macros/macros.xacro': MACROS,
    'palm.URDF': PALM, 'test_other.py': 'def test_other():\n    pass\n'}


@pytest.fixture
def folder(tmp_path):
    """Return a folder with descriptions in packages and outside of them."""
    if 'urdf_tools' not in entry_points(group='pytest11').names:
        pytest.skip('the plugin is not installed; make setup or colcon build does that')
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder, *options, code):
    """Run pytest in a folder, and return the outcome of each test and all of the output."""
    result = subprocess.run(
        [sys.executable, '-m', 'pytest', '-rA', '-p', 'no:cacheprovider', *options], cwd=folder,
        capture_output=True, text=True, timeout=300)
    assert result.returncode == code, result.stdout + result.stderr
    lines = (line.split(' ', 1) for line in result.stdout.splitlines()
             if line.startswith(('PASSED ', 'FAILED ', 'ERROR ')))
    return {rest.split(' - ')[0]: outcome for outcome, rest in lines}, result.stdout


def test_descriptions_are_tests(folder):
    outcomes, output = run(folder, '--urdf', code=1)
    assert outcomes == {
        'arm/matrix.urdf.xacro::urdf[radius:=0.1]': 'PASSED',
        'arm/matrix.urdf.xacro::urdf[radius:=-0.2]': 'FAILED',
        'gripper/gripper.urdf::urdf': 'FAILED',
        'palm.URDF::urdf': 'PASSED',
        'test_other.py::test_other': 'PASSED'}
    lines = output.splitlines()
    assert any(line.startswith('arm/macros.xacro:4:') for line in lines)
    assert '    7 |     <limit lower="0.04" upper="0" effort="10" velocity="0.1"/>' in lines
    assert 'Traceback' not in output


def test_the_file_that_has_to_be_the_same_robot(folder):
    write_pair(folder)
    outcomes, output = run(folder, '--urdf', 'urdf', code=1)
    assert outcomes == {'urdf/pair.urdf::urdf': 'FAILED'}
    assert DIFFERENCE in output


def test_the_key_in_the_configuration_file(folder):
    (folder / 'pytest.ini').write_text('[pytest]\nurdf = true\n')
    outcomes, _ = run(folder, 'palm.URDF', 'macros', code=0)
    assert outcomes == {'palm.URDF::urdf': 'PASSED'}


def test_settings_that_are_not_valid(folder):
    (folder / 'arm' / 'urdf-tools.toml').write_text('stric = true')
    outcomes, output = run(folder, '--urdf', 'arm/matrix.urdf.xacro', code=2)
    assert outcomes == {'arm/matrix.urdf.xacro': 'ERROR'}
    assert "urdf-tools.toml:1: Key 'stric' does not exist" in output
    assert 'Traceback' not in output


def test_other_runs_do_not_notice_the_plugin(folder):
    (folder / 'test_other.py').write_text("""
import sys
def test_other(request):
    assert request.config.pluginmanager.has_plugin('urdf_tools')
    assert not {'numpy', 'urdf_tools.model', 'urdf_tools.check.workspace'} & sys.modules.keys()
""")
    outcomes, _ = run(folder, '.', code=0)
    assert outcomes == {'test_other.py::test_other': 'PASSED'}
