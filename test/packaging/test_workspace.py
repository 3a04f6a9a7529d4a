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

"""colcon builds the three packages in a workspace that contains the clone."""

import os
from pathlib import Path
import shutil
import subprocess
import sys

import pytest

from urdf_tools.nodes.main import NODES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope='module')
def workspace(tmp_path_factory) -> Path:
    """Return a workspace with this clone and the links that docs/install.md tells to make."""
    if not shutil.which('colcon'):
        pytest.skip('colcon is not installed')
    folder = tmp_path_factory.mktemp('workspace')
    source = folder / 'src'
    source.mkdir()
    source.joinpath('urdf_tools').symlink_to(ROOT)
    for name in ('urdf_tools_interfaces', 'ament_cmake_urdf_tools'):
        source.joinpath(name).symlink_to(f'urdf_tools/{name}')
    return folder


def colcon(workspace: Path, *arguments: str) -> str:
    """Run colcon in a workspace, and return its output."""
    result = subprocess.run(
        ['colcon', *arguments], cwd=workspace, text=True, capture_output=True, timeout=1800,
        env={**os.environ, 'COLCON_HOME': str(workspace / 'home')})
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_colcon_lists_all_packages(workspace):
    lines = colcon(workspace, 'list').splitlines()
    assert [line.split('\t') for line in lines] == [
        ['ament_cmake_urdf_tools', 'src/ament_cmake_urdf_tools', '(ros.ament_cmake)'],
        ['urdf_tools', 'src/urdf_tools', '(ros.ament_python)'],
        ['urdf_tools_interfaces', 'src/urdf_tools_interfaces', '(ros.ament_cmake)']]


def test_colcon_builds_each_package_after_those_it_needs(workspace):
    assert colcon(workspace, 'list', '--names-only', '--topological-order').split() == [
        'urdf_tools_interfaces', 'urdf_tools', 'ament_cmake_urdf_tools']


@pytest.mark.filterwarnings('ignore::DeprecationWarning')
def test_rosdep_finds_all_packages(workspace):
    crawler = pytest.importorskip('catkin_pkg.packages', reason='catkin_pkg is not installed')
    packages = crawler.find_packages(str(workspace / 'src'))
    assert set(packages) == {
        'ament_cmake_urdf_tools', 'urdf_tools', 'urdf_tools_interfaces'}


@pytest.fixture(params=['copies', 'links'])
def install(request, workspace, tmp_path) -> Path:
    """Build in the workspace, with copied or linked files, and return the install folder."""
    if ' ' in sys.executable:
        pytest.skip("colcon's scripts do not work with a Python whose path has spaces")
    options = {
        # Once is enough for the interfaces, whose build takes half a minute.
        'copies': ['--packages-select', 'urdf_tools'],
        'links': ['--symlink-install', '--cmake-args', '-DBUILD_TESTING=OFF',
                  '-DCMAKE_C_FLAGS=-O0', '-DCMAKE_CXX_FLAGS=-O0'],
    }
    colcon(workspace, 'build', '--build-base', str(tmp_path / 'build'),
           '--install-base', str(tmp_path / 'install'), *options[request.param])
    return tmp_path / 'install'


def run(install: Path, command: str) -> subprocess.CompletedProcess:
    """Run a command in a shell that has sourced an install folder."""
    return subprocess.run(
        ['bash', '-c', f'. "$0/local_setup.bash" && {command}', install],
        text=True, capture_output=True, timeout=60)


def test_the_built_packages(install):
    assert run(install, 'command -v urdf-tools').stdout.startswith(str(install))
    checked = run(install, f'urdf-tools check "{ROOT}/urdf/arm.urdf"')
    assert ': 0 errors, 0 warnings, ' in checked.stdout, checked.stderr
    # ros2 run finds nodes here.
    nodes = install / 'urdf_tools' / 'lib' / 'urdf_tools'
    assert {path.name for path in nodes.iterdir() if os.access(path, os.X_OK)} == {*NODES}
    result = run(install, f'{nodes}/state_publisher')
    assert result.returncode == 1
    assert 'robot_description' in result.stderr
    assert 'Traceback' not in result.stderr
    if install.joinpath('urdf_tools_interfaces').exists():
        program = 'from urdf_tools_interfaces import srv; srv.GetInertia.Request(); print(srv)'
        assert str(install) in run(install, f"python3 -c '{program}'").stdout


@pytest.mark.parametrize('node', sorted(NODES))
def test_each_node_has_a_script(node):
    assert f"main('{node}')" in ROOT.joinpath('scripts', node).read_text()
