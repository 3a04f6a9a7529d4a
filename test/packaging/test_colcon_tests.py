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

"""``colcon test`` checks the descriptions of packages of both build types."""

from __future__ import annotations

import os
from pathlib import Path
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from support.workspaces import block_of_docs
from support.workspaces import DIFFERENCE
from support.workspaces import GRIPPER
from support.workspaces import PALM
from support.workspaces import write_cmake_package
from support.workspaces import write_pair
from support.workspaces import write_python_package

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

LINT = block_of_docs('if(BUILD_TESTING)')

OPTIONS = """
urdf_tools_lint(urdf/palm.urdf TESTNAME only_palm)
urdf_tools_lint(urdf/palm.urdf TESTNAME strict STRICT SELECT inertial-missing unknown-attribute)
urdf_tools_lint(TESTNAME without_arm EXCLUDE urdf/arm.urdf.xacro urdf/gripper.urdf)
urdf_tools_lint(TESTNAME ignored IGNORE limit-inverted size-not-positive FOR rviz)
urdf_tools_lint(TESTNAME configured CONFIG lenient.toml LEVEL error TIMEOUT 120)
"""
"""Tests with other options, in a package with two more descriptions."""

HOOK = """
find_package(ament_cmake_urdf_tools REQUIRED)
ament_execute_extensions(ament_lint_auto)
"""
"""What ament_lint_auto does in the end, where it is not installed."""

LINT_AUTO = """
if(BUILD_TESTING)
  find_package(ament_lint_auto REQUIRED)
  set(AMENT_LINT_AUTO_FILE_EXCLUDE urdf/gripper.urdf)
  ament_lint_auto_find_test_dependencies()
endif()
"""


def is_installed(package: str) -> bool:
    """Return whether a ROS package is installed."""
    index = pytest.importorskip('ament_index_python', reason='ament_index_python is not installed')
    return bool(index.has_resource('packages', package))


def colcon(folder: Path, *arguments: str | Path, code: int = 0) -> str:
    """Run colcon in a workspace, and return its output."""
    # What is sourced stays, but not the settings of colcon.
    environment = {**os.environ, 'COLCON_HOME': str(folder / 'home')}
    result = subprocess.run(
        ['colcon', *arguments], cwd=folder, text=True, capture_output=True, timeout=900,
        env=environment)
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout


def build_and_test(folder: Path) -> str:
    """Build and test a workspace whose tests fail, and return the output of test-result."""
    generator = ['-GNinja'] if shutil.which('ninja') else []
    colcon(folder, 'build', '--cmake-args', *generator, f'-DPython3_EXECUTABLE={sys.executable}')
    colcon(folder, 'test')
    return colcon(folder, 'test-result', '--verbose', code=1)


@pytest.fixture(scope='module')
def packages(tmp_path_factory) -> Path:
    """Return a workspace that has only the CMake functions."""
    if not shutil.which('colcon'):
        pytest.skip('colcon is not installed')
    if not is_installed('ament_cmake'):
        pytest.skip('ament_cmake is not installed')
    if ' ' in sys.executable:
        pytest.skip("colcon's scripts do not work with a Python whose path has spaces")
    folder = tmp_path_factory.mktemp('workspace')
    folder.joinpath('src').mkdir()
    folder.joinpath('src', 'ament_cmake_urdf_tools').symlink_to(ROOT / 'ament_cmake_urdf_tools')
    return folder


@pytest.fixture(scope='module')
def output(packages) -> str:
    """Return the output of ``colcon test-result --verbose`` for packages of both build types."""
    source = packages / 'src'
    write_cmake_package(source / 'arm_description', LINT)
    write_cmake_package(source / 'options', LINT + OPTIONS, name='options')
    for name, text in (('gripper', GRIPPER), ('palm', PALM)):
        (source / 'options' / 'urdf' / f'{name}.urdf').write_text(text)
    (source / 'options' / 'lenient.toml').write_text(
        'ignore = ["limit-inverted", "size-not-positive"]\n')
    write_cmake_package(source / 'hook', HOOK, name='hook')
    write_cmake_package(source / 'macros', HOOK, name='macros')
    (source / 'macros' / 'urdf' / 'arm.urdf.xacro').unlink()
    write_cmake_package(source / 'pair', LINT, name='pair')
    for name in ('arm.urdf.xacro', 'wheel.xacro'):
        (source / 'pair' / 'urdf' / name).unlink()
    write_pair(source / 'pair')
    write_python_package(
        source / 'gripper_description', block_of_docs('from urdf_tools.testing'))
    return build_and_test(packages)


def result(output: str, package: str, name: str) -> str:
    """Return what test-result says of a result file with failures, or an empty text."""
    path = f'build/{package}/test_results/{package}/{name}.xunit.xml: '
    return ''.join(text for text in re.split(r'^(?=build/|Summary)', output, flags=re.MULTILINE)
                   if text.startswith(path)).removeprefix(path)


def number_of_tests(workspace: Path, package: str, name: str) -> int:
    """Return the number of tests in a result file without failures."""
    path = workspace / 'build' / package / 'test_results' / package / f'{name}.xunit.xml'
    root = ElementTree.parse(path).getroot()
    assert root.get('failures') == root.get('errors') == '0'
    return int(root.get('tests'))


def test_cmake_package(output):
    lines = result(output, 'arm_description', 'urdf_tools').splitlines()
    assert lines[0] == '1 test, 0 errors, 1 failure, 0 skipped'
    assert any(line.startswith('    urdf/wheel.xacro:6:19: error: ') for line in lines)
    assert '        6 |           <sphere radius="${radius * 2}"/>' in lines
    assert any('called at urdf/arm.urdf.xacro:5' in line for line in lines)


def test_python_package(output):
    text, = re.findall(
        r'^build/gripper_description/pytest.xml: (.*?)^(?=build/|Summary)', output,
        re.MULTILINE | re.DOTALL)
    lines = text.splitlines()
    assert lines[0] == '2 tests, 0 errors, 1 failure, 0 skipped'
    assert any('urdf/gripper.urdf:7:5: error: ' in line for line in lines)
    assert '        7 |     <limit lower="0.04" upper="0" effort="10" velocity="0.1"/>' in lines


def test_options(output, packages):
    assert result(output, 'options', 'urdf_tools').startswith('3 tests, 0 errors, 2 failures')
    assert number_of_tests(packages, 'options', 'only_palm') == 1
    strict = result(output, 'options', 'strict')
    assert strict.startswith('1 test, 0 errors, 1 failure')
    assert 'urdf/palm.urdf: 0 errors, ' in strict
    assert number_of_tests(packages, 'options', 'without_arm') == 1
    assert number_of_tests(packages, 'options', 'ignored') == 3
    assert number_of_tests(packages, 'options', 'configured') == 3


def test_hook_of_ament_lint_auto(output, packages):
    assert 'urdf/wheel.xacro:6:19: error: ' in result(output, 'hook', 'urdf_tools')
    # Macros are checked where a description uses them, and here only their package.
    assert number_of_tests(packages, 'macros', 'urdf_tools') == 1


def test_the_file_that_has_to_be_the_same_robot(output):
    assert f'urdf/pair.urdf:3:5: error: {DIFFERENCE}' in result(output, 'pair', 'urdf_tools')


def test_ament_lint_auto(packages, tmp_path):
    if not is_installed('ament_lint_auto'):
        pytest.skip('ament_lint_auto is not installed; a ROS 2 installation has it')
    source = tmp_path / 'src'
    source.mkdir()
    source.joinpath('ament_cmake_urdf_tools').symlink_to(ROOT / 'ament_cmake_urdf_tools')
    write_cmake_package(source / 'arm_description', LINT_AUTO, (
        'ament_lint_auto', 'ament_cmake_urdf_tools'))
    (source / 'arm_description' / 'urdf' / 'gripper.urdf').write_text(GRIPPER)
    text = result(build_and_test(tmp_path), 'arm_description', 'urdf_tools')
    assert text.startswith('1 test, 0 errors, 1 failure')
    assert 'urdf/wheel.xacro:6:19: error: ' in text
