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

"""pip installs the library and the command urdf-tools into a Python environment without ROS."""

import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / 'urdf' / 'arm.urdf'

ROS_VARIABLES = ('AMENT_PREFIX_PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH')


def run(*command: str | Path, **options) -> subprocess.CompletedProcess:
    """Run a program without the variables that lead to ROS."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ROS_VARIABLES}
    return subprocess.run(
        command, text=True, capture_output=True, timeout=900, env=environment, **options)


@pytest.fixture(scope='module')
def prefix(tmp_path_factory) -> Path:
    """Return a Python environment that contains what pip installs for this package."""
    pytest.importorskip('ensurepip', reason='this Python cannot create environments with pip')
    prefix = tmp_path_factory.mktemp('wheel') / 'environment'
    created = run(sys.executable, '-m', 'venv', prefix)
    assert created.returncode == 0, created.stderr
    pip = (prefix / 'bin' / 'pip', 'install', '--quiet', '--disable-pip-version-check')
    if run(*pip, '--retries=0', '--no-deps', 'numpy').returncode:
        pytest.skip('the package index is not reachable')
    # pip builds in the source folder, so it gets a copy.
    source = shutil.copytree(ROOT, prefix.parent / 'source', ignore=shutil.ignore_patterns(
        '.*', '__pycache__', 'build', 'install', 'log', '*.egg-info'))
    installed = run(*pip, source)
    assert installed.returncode == 0, installed.stderr
    return prefix


def test_check(prefix, tmp_path):
    command = prefix / 'bin' / 'urdf-tools'
    good = run(command, 'check', MODEL)
    assert (good.returncode, good.stderr) == (0, '')
    assert good.stdout.splitlines()[0].endswith(': passes')
    assert good.stdout.splitlines()[-1].startswith(f'{MODEL}: 0 errors, 0 warnings, ')
    broken = tmp_path / 'broken.urdf'
    broken.write_text('<robot name="r"><link name="a"/><link name="b"/></robot>')
    assert run(command, 'check', broken).returncode == 1


def test_fk(prefix):
    result = run(prefix / 'bin' / 'urdf-tools', 'fk', MODEL)
    assert (result.returncode, result.stderr) == (0, '')
    assert 'tool0' in result.stdout


def test_the_library_runs_the_examples_of_its_page(prefix, tmp_path):
    page = ROOT.joinpath('docs', 'library.md').read_text()
    examples = re.findall(r'```python\n(from urdf_tools import .*?)```', page, re.DOTALL)
    assert len(examples) == 2
    for name in ('robot.urdf', 'gripper.urdf'):
        shutil.copy(MODEL, tmp_path / name)
    results = """
from importlib.metadata import version
from importlib.util import find_spec
import json
print(json.dumps([find_spec('rclpy'), poses.shape, validate('robot.urdf').valid,
                  version('urdf_tools')]))
"""
    result = run(prefix / 'bin' / 'python', '-c', '\n'.join((*examples, results)), cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1]) == [None, [14, 4, 4], True, '0.1.0']


def test_nodes_are_not_commands(prefix):
    nodes = {path.name for path in prefix.joinpath('lib', 'urdf_tools').iterdir()}
    assert 'state_publisher' in nodes
    assert not nodes & {path.name for path in prefix.joinpath('bin').iterdir()}


def test_the_package_says_that_it_is_typed(prefix):
    package, = prefix.glob('lib/python3*/site-packages/urdf_tools')
    assert (package / 'py.typed').is_file()
    stubs = [path.relative_to(ROOT) for path in ROOT.glob('urdf_tools/**/*.pyi')]
    assert stubs and all((package.parent / path).is_file() for path in stubs)


def test_the_plugin_of_pytest_is_declared_and_installed(prefix):
    code = """
from importlib.metadata import entry_points
from importlib.util import find_spec
plugin, = (point for point in entry_points(group='pytest11') if point.name == 'urdf_tools')
print(find_spec(plugin.module) is not None, find_spec('urdf_tools.testing') is not None)
"""
    result = run(prefix / 'bin' / 'python', '-c', code)
    assert result.stdout == 'True True\n', result.stderr
