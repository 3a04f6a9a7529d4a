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

"""Verbs that write, on machines that lack something: what they write is whole, or not there."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from functools import cache
import json
import os
from pathlib import Path
import re
import resource
import shutil
import subprocess
import sys
import threading
from typing import Any
from typing import NamedTuple

import pytest
from support.broken_recording import write_broken
from urdf_tools.atomic_write import replace_file
from urdf_tools.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    sys.platform != 'linux', reason='the limits are those of Linux')]

ROOT = Path(__file__).resolve().parents[2]

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>' \
    '</inertial>'
BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
JOINT = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>' \
    '<axis xyz="0 0 2"/></joint>'
FILES = {
    'robot.urdf': f'<robot name="r"><link name="a">{MASS}{BOX}<visual><geometry>'
                  f'<mesh filename="mesh.obj"/></geometry></visual></link>'
                  f'<link name="b">{MASS}{BOX}</link>{JOINT}</robot>\n',
    'robot.urdf.xacro': '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                        '<link name="${1 + 1}"/></robot>\n',
    'tool.urdf': f'<robot name="t"><link name="t">{MASS}</link></robot>\n',
    'mesh.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
    'known.json': '{"version": 2, "findings": []}', 'out': 'old'}

WRITING: Mapping[str, tuple[list[str], str]] = {
    'expand': (['expand', 'robot.urdf.xacro', '-o', 'out'], 'out'),
    'sdf': (['sdf', 'robot.urdf', '-o', 'out'], 'out'),
    'urdf': (['urdf', 'robot.urdf', '-o', 'out'], 'out'),
    'mjcf': (['mjcf', 'robot.urdf', '-o', 'out'], 'out'),
    'attach': (['attach', 'robot.urdf', 'tool.urdf', '--link', 'b', '-o', 'out'], 'out'),
    'check': (['check', 'robot.urdf', '--output', 'json=out'], 'out'),
    'check in processes': (['check', 'robot.urdf', 'tool.urdf', '--jobs', '2', '--output',
                            'sarif=out'], 'out'),
    'baseline': (['check', 'robot.urdf', '--baseline', 'known.json', '--update-baseline'],
                 'known.json'),
    'fix': (['check', 'robot.urdf', '--fix'], 'robot.urdf'),
    'inertia': (['inertia', 'robot.urdf', '--compute', 'all', '--mass', 'a=2', '--write'],
                'robot.urdf'),
    'doctor': (['doctor', 'run.mcap', '--report', 'out'], 'out'),
    'bag': (['bag', 'frames', 'run.mcap', '--model', 'robot.urdf', '-o', 'out'], 'out')}
"""What is written: the arguments, and the file."""


class Machine(NamedTuple):
    """
    What a machine lacks.

    :ivar limits: system limits by their names, such as ``NOFILE``.
    :ivar variables: environment variables; None removes one.
    :ivar is_guest: whether it runs as a user to whom nothing belongs.
    :ivar prepare: called with the folder before.
    """

    limits: Mapping[str, int] = {}
    variables: Mapping[str, str | None] = {}
    is_guest: bool = False
    prepare: Callable[[Path], object] = lambda folder: None


def give_all(folder: Path) -> None:
    """Let everybody write in a folder."""
    for path in (folder, *folder.iterdir()):
        path.chmod(0o777)


MACHINES = {
    'full disk': Machine({'FSIZE': 64}),
    'no home': Machine(variables={'HOME': '/nowhere', 'TMPDIR': '/nowhere'}),
    'no variables': Machine(variables={name: None for name in (
        'HOME', 'TMPDIR', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'PATH')}),
    'a home that is a file': Machine(variables={'HOME': '/etc/passwd', 'TMPDIR': '/etc/passwd'}),
    'guest': Machine(is_guest=True),
    'guest who may write': Machine(is_guest=True, prepare=give_all),
    'guest with the home of root': Machine(
        is_guest=True, variables={'HOME': '/root', 'TMPDIR': '/root'}, prepare=give_all),
    'one process': Machine({'NPROC': 1}, is_guest=True, prepare=give_all),
    **{f'{number} files': Machine({'NOFILE': number}) for number in (7, 10, 16)},
    **{f'{size} MB': Machine({'AS': size * 2**20}) for size in (150, 300)}}


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """Return the path of a recording."""
    pytest.importorskip('mcap')
    return write_broken(tmp_path_factory.mktemp('recording') / 'run.mcap')


@pytest.fixture(scope='module')
def codes():
    """Return the exit codes of verbs that write what they should, by name."""
    return {}


def run(arguments: list[str], folder: Path, machine: Machine = Machine()) -> Any:
    """Run the command as on a machine, and return the process that has ended."""
    variables = {**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', **machine.variables,
                 'PYTHONPATH': os.pathsep.join(filter(None, sys.path))}

    def limit() -> None:
        for name, value in machine.limits.items():
            resource.setrlimit(getattr(resource, f'RLIMIT_{name}'), (value, value))

    return subprocess.run(
        [guest_python() if machine.is_guest else sys.executable, '-m', 'urdf_tools.cli',
         *arguments], cwd=folder, preexec_fn=limit,
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True, text=True, timeout=120, **GUEST if machine.is_guest else {})


GUEST: dict[str, Any] = {'user': 65534, 'group': 65534, 'extra_groups': []}
"""A user to whom nothing belongs, as ``subprocess`` takes it."""


@cache
def guest_python() -> str:
    """Return a Python that a guest may use: that of root may be in the home of root."""
    if os.getuid():
        pytest.skip('only root can be another user')
    for python in (sys.executable, '/usr/bin/python3'):
        try:
            subprocess.run([python, '-c', 'import numpy, urdf_tools.cli'], check=True, env={
                'PYTHONPATH': os.pathsep.join(filter(None, sys.path))}, **GUEST)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python
    pytest.skip('there is no Python with numpy that another user may use')


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob('*')) if path.is_file()}


def restore(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make the files below a folder what they were."""
    for name in contents(folder).keys() - files.keys():
        (folder / name).unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


@pytest.fixture
def folder(tmp_path, recording):
    """Return a folder with robots, which a guest can read."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    shutil.copy(recording, tmp_path / 'run.mcap')
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(parent.stat().st_mode | 0o055)
    return tmp_path


def test_a_file_that_is_replaced_while_it_is_read(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = [f'<robot name="{name}"><link name="{name}">{MASS}</link></robot>'
             for name in ('a' * 20_000, 'b' * 30_000)]
    whole = set()
    for text in texts:
        Path('robot.urdf').write_text(text)
        assert main(['sdf', 'robot.urdf', '-o', 'out']) == 0
        whole.add(Path('out').read_bytes())
    ended = threading.Event()

    def replace() -> None:
        while not ended.is_set():
            for text in texts:
                replace_file('robot.urdf', text.encode())

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        for _ in range(30):
            assert main(['sdf', 'robot.urdf', '-o', 'out']) == 0, capsys.readouterr().err
            assert Path('out').read_bytes() in whole
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize('failures', [1, 10**9])
def test_a_link_that_is_replaced_while_it_is_resolved(tmp_path, monkeypatch, capsys, failures):
    monkeypatch.chdir(tmp_path)
    Path('robot.urdf').write_text(FILES['tool.urdf'])
    Path('urdf-tools.toml').write_text('[[roots]]\nfile = "robot.urdf"\n')
    realpath, left = os.path.realpath, [failures]

    def raced(path, **options):
        left[0] -= os.fspath(path).startswith(str(tmp_path))
        if left[0] >= 0 and os.fspath(path).startswith(str(tmp_path)):
            raise FileNotFoundError(2, 'No such file or directory', path)
        return realpath(path, **options)

    monkeypatch.setattr(os.path, 'realpath', raced)
    code = main(['check', 'robot.urdf'])
    output, error = capsys.readouterr()
    assert left[0] < failures - 1
    if failures == 1:
        assert (code, error) == (0, '')
    else:
        assert (code, output) == (2, '')
        assert re.fullmatch(
            r"urdf-tools: Cannot read '[^'\n]+': No such file or directory\n", error)


@pytest.mark.parametrize('name', MACHINES)
@pytest.mark.parametrize('verb', WRITING)
def test_what_is_written_is_whole_or_not_there(folder, codes, verb, name):
    machine = MACHINES[name]
    arguments, output = WRITING[verb]
    before = contents(folder)
    if verb not in codes:
        good = run(arguments, folder)
        assert good.returncode in (0, 1), good.stderr
        assert contents(folder)[output] != before[output]
        codes[verb] = good.returncode
        restore(folder, before)
    machine.prepare(folder)
    result = run(arguments, folder, machine)
    after = contents(folder)
    assert not [file for file in after if file.endswith('.tmp')]
    if 'Fatal Python error' in result.stderr or 'init_' in result.stderr:
        assert after == before  # Python itself has not started.
        return
    assert 'Traceback' not in result.stderr + result.stdout
    assert 'Exception ignored' not in result.stderr
    if 'OpenBLAS error' in result.stderr:  # It ends the process where it lacks memory.
        return
    if after[output] != before[output]:
        is_check = verb.startswith('check')  # What cannot be checked is in the report.
        # What is repaired is checked, too. With 1, something is lost.
        allowed = {codes[verb], 2} if is_check or verb == 'fix' else {codes[verb], 1}
        assert result.returncode in allowed, result.stderr
        assert not is_check or json.loads(after[output])
        return
    assert after == before, result.stderr
    assert result.returncode in (1, 2), (result.returncode, result.stderr)
    lines = result.stderr.splitlines() or result.stdout.splitlines()
    assert lines, 'it does not say why'
    if result.returncode == 2 and not result.stdout:
        assert len([line for line in lines if line.startswith('urdf-tools: ')]) == 1, lines
