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

"""The hook for pre-commit and the GitHub Action: what they run, and how the page shows them."""

import json
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from support.workspaces import block_of_docs
from support.workspaces import DIFFERENCE
from support.workspaces import GRIPPER
from support.workspaces import PALM
from support.workspaces import write_pair
import yaml

ROOT = Path(__file__).resolve().parents[2]

HOOK, = yaml.safe_load(ROOT.joinpath('.pre-commit-hooks.yaml').read_text())
ACTION = yaml.safe_load(ROOT.joinpath('action.yml').read_text())


@pytest.fixture
def repository(tmp_path):
    """Return a folder with a good description in ``src`` and a bad one in ``src/a folder``."""
    for name, text in (('palm.urdf', PALM), ('a folder/gripper.urdf', GRIPPER)):
        (tmp_path / 'src' / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / 'src' / name).write_text(text)
    return tmp_path


@pytest.fixture
def program(tmp_path):
    """Return the folder of the program ``urdf-tools``, as an installation has it."""
    path = tmp_path / 'runner' / 'urdf-tools' / 'bin' / 'urdf-tools'
    path.parent.mkdir(parents=True)
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urdf_tools.cli "$@"\n')
    path.chmod(0o755)
    return path.parent


def run(command, folder, program, **variables):
    """Run a program in a folder."""
    environment = {
        **os.environ, 'PATH': f'{program}:{os.environ["PATH"]}',
        'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}', **variables}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)


@pytest.mark.slow
def test_the_hook_checks_the_repository(repository, program):
    result = run([*shlex.split(HOOK['entry']), '--level', 'error'], repository, program)
    assert result.returncode == 1, result.stderr
    assert 'src/a folder/gripper.urdf:7:5: error: ' in result.stdout
    (repository / 'src' / 'a folder' / 'gripper.urdf').unlink()
    assert run(shlex.split(HOOK['entry']), repository, program).returncode == 0


@pytest.mark.parametrize('path, runs', [
    ('robot.urdf', True), ('a/robot.urdf.xacro', True), ('a/urdf-tools.toml', True),
    ('urdf-tools.toml', True), ('pyproject.toml', True), ('config/joints.yaml', True),
    ('meshes/base.STL', True), ('package.xml', True), ('a/package.xml', True),
    ('mjcf/robot.xml', True), ('robot.sdf', True),
    ('robot.urdf.txt', False), ('my-urdf-tools.toml', False)])
def test_the_files_that_the_hook_is_run_for(path, runs):
    assert bool(re.search(HOOK['files'], path)) is runs


@pytest.mark.slow
def test_hook_and_action_compare_with_the_same_robot(repository, program):
    write_pair(repository)
    result = run(shlex.split(HOOK['entry']), repository, program)
    assert result.returncode == 1, result.stderr
    assert f'urdf/pair.urdf:3:5: error: {DIFFERENCE}' in result.stdout
    result, files = check_step(repository, program, paths='urdf')
    assert (result.returncode, files) == (1, {'urdf/pair.urdf'})
    assert DIFFERENCE in result.stdout


def check_step(repository, program, **inputs):
    """Run the step of the action that checks, and return also the files in its SARIF, if any."""
    if not shutil.which('bash'):
        pytest.skip('bash is not installed')
    step, = (step for step in ACTION['runs']['steps'] if step.get('id') == 'check')
    values = {name: data['default'] for name, data in ACTION['inputs'].items()} | inputs
    variables = {
        'PATHS': values['paths'], 'OPTIONS': values['options'], 'UNTRUSTED': values['untrusted'],
        'FORMAT': 'text' if values['upload'] == 'true' else 'github',
        'RUNNER_TEMP': str(program.parents[1]), 'GITHUB_OUTPUT': str(repository / 'output')}
    assert variables.keys() - {'RUNNER_TEMP', 'GITHUB_OUTPUT'} == step['env'].keys()
    # GitHub runs 'shell: bash' with these options.
    command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step['run']]
    repository.joinpath('output').touch()
    result = run(command, repository, program, **variables)
    outputs = repository.joinpath('output').read_text()
    if not outputs:
        return result, None
    name, path = outputs.strip().split('=', 1)
    assert ACTION['outputs']['sarif']['value'] == f'${{{{ steps.check.outputs.{name} }}}}'
    found = json.loads(Path(path).read_text())['runs'][0]['results']
    return result, {location['physicalLocation']['artifactLocation']['uri']
                    for finding in found for location in finding['locations']}


def test_the_action_checks_the_repository(repository, program):
    result, files = check_step(repository, program)
    assert result.returncode == 1, result.stderr
    assert '    7 |     <limit lower="0.04" upper="0" effort="10" velocity="0.1"/>' in (
        result.stdout.splitlines())
    assert files == {'src/a%20folder/gripper.urdf', 'src/palm.urdf'}


def test_inputs_of_the_action(repository, program):
    (repository / 'src' / '$(touch injected)').mkdir()
    for folder in ('.', '$(touch injected)'):
        (repository / 'src' / folder / 'palm.urdf').write_text(PALM)
    result, files = check_step(
        repository, program, paths='src/palm.urdf\n\nsrc/$(touch injected)\nsrc/a folder\n',
        options='--ignore\nlimit-inverted\n--level\nwarn', upload='false')
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith('::warning file=')
    assert len(files) == 3
    assert not (repository / 'injected').exists()


def test_the_action_uploads_nothing_if_nothing_was_checked(repository, program):
    (repository / 'urdf-tools.toml').write_text('stric = true')
    result, files = check_step(repository, program)
    assert result.returncode == 2
    assert "Key 'stric' does not exist" in result.stderr
    assert files is None


def test_the_page_shows_the_hook_and_the_action():
    hooks = yaml.safe_load(block_of_docs('repos:'))['repos'][0]['hooks']
    assert [hook['id'] for hook in hooks] == [HOOK['id']]
    workflow = yaml.safe_load(block_of_docs('name: URDF'))
    step = workflow['jobs']['check']['steps'][-1]
    assert step['uses'].partition('@')[0].endswith('/urdf_tools')
    assert step['with'].keys() <= ACTION['inputs'].keys()


HOSTILE = {
    'runs code':
        '<link name="${(lambda: [c for c in ().__class__.__bases__[0].__subclasses__() if '
        "c.__name__=='BuiltinImporter'][0].load_module('os').system('touch PWN'))()}\"/>",
    'ends the process': '<link name="${[x for x in [().__class__.__base__.__subclasses__()]]}"/>',
    'evaluates': '<link name="$(eval __import__(\'os\').system(\'touch PWN\'))"/>',
    'includes': '<xacro:include filename="@SECRET@"/>',
    'includes-link': '<xacro:include filename="link"/>',
    'loads': '<link name="${load_yaml(\'@SECRET@\')}"/>',
    'environment': '<link name="a$(env TOKEN)$(optenv TOKEN)"/><link name="a"/>',
    'package': '<xacro:include filename="$(find stolen)/secret"/>',
    'waits': '<xacro:include filename="pipe"/>',
    'device': '<xacro:include filename="/dev/zero"/>',
    'endless': '<link name="${max(i for i in range(10**12))}"/>',
    'memory': '<link name="${[i for i in range(10**9)]}"/>'}


@pytest.mark.slow
def test_a_hostile_pull_request(tmp_path, program, monkeypatch):
    """What anybody may propose: the step fails, nothing is written, and no secret is printed."""
    monkeypatch.setenv('TOKEN', 'hunter2')
    secret = tmp_path / 'secret'
    secret.write_text('password: hunter2')
    checkout = tmp_path / 'checkout'
    (checkout / '.git').mkdir(parents=True)
    for name, content in HOSTILE.items():
        (checkout / f'{name}.urdf.xacro').write_text(
            '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n<link name="b"/>'
            f'\n{content.replace("@SECRET@", str(secret))}\n</robot>\n')
    (checkout / 'link').symlink_to(secret)
    (checkout / 'robot.urdf').symlink_to(secret)
    (checkout / 'meshes.urdf').write_text(
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{secret}"/></geometry>'
        '</visual><visual><geometry><mesh filename="link"/></geometry></visual></link></robot>')
    os.mkfifo(checkout / 'pipe')
    before = sorted(os.listdir(checkout))
    arguments = dict(options='--jobs\n2', paths='.')
    for settings in ('', f'packages = {{stolen = "{tmp_path}"}}'):
        (checkout / 'urdf-tools.toml').write_text(settings)
        sarif = program.parents[1] / 'urdf-tools.sarif'
        for file in (sarif, checkout / 'output'):
            file.unlink(missing_ok=True)
        result, _ = check_step(checkout, program, **arguments)
        written = sarif.read_text() if sarif.exists() else ''
        printed = result.stdout + result.stderr + written
        assert result.returncode == (2 if settings else 1), result.stderr
        assert 'hunter2' not in printed and 'Traceback' not in printed
        assert set(os.listdir(checkout)) - {'output', 'urdf-tools.toml'} == set(before)
        assert not (tmp_path / 'PWN').exists()
        if not settings:
            for name in HOSTILE:
                code = 'warning' if name == 'environment' else 'error'
                assert f'{name}.urdf.xacro:3:' in printed or f'{name}.urdf.xacro: {code}' in (
                    printed), name
    assert 'which --untrusted does not read' in printed


@pytest.mark.parametrize('name', ['action.yml', '.github/workflows/ci.yml', 'docs/workspace.md'])
def test_actions_are_pinned_by_their_commit(name):
    used = re.findall(r'^ *(?:- )?uses: (?!OWNER/)(.*)$', (ROOT / name).read_text(), re.MULTILINE)
    assert used
    for action in used:
        assert re.fullmatch(r'[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+', action)
