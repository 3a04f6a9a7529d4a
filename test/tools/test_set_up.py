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


import fcntl
from importlib.metadata import requires
import json
import os
from pathlib import Path
import re
import signal
import subprocess
import sys

import pytest
import set_up
from set_up import SetUpError


def write_program(path: Path, text: str = 'exit 0'):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\n{text}\n')
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Return a clone with two packages and a colcon that installs empty ones."""
    root = tmp_path / 'a clone'
    for folder in ('messages/msg', 'launch'):
        root.joinpath(folder).mkdir(parents=True)
    for file in ('messages/msg/A.msg', 'launch/a.py', 'package.xml', 'setup.cfg', 'setup.py'):
        root.joinpath(file).write_text(file)
    write_program(root / 'bin' / 'colcon', """
        test -e broken && exit 1
        echo "$@" >> calls
        echo "$MAKEFLAGS" > flags
        for name in messages tools; do
          case "$*" in *--packages-select*$name*) mkdir -p "install/$name";; esac
        done""")
    monkeypatch.setattr(set_up, 'ROOT', root)
    return root


def build(clone: Path) -> list[str]:
    """Build, and return the names of the packages that colcon was told to build."""
    clone.joinpath('calls').write_text('')
    environment = {'PATH': f'{clone}/bin:{os.environ["PATH"]}'}
    packages = {'messages': 'messages', 'tools': '.'}
    built = set_up.Workspace(clone, packages, environment).build()
    calls = clone.joinpath('calls').read_text()
    assert bool(calls) == built
    return calls.partition('--packages-select ')[2].split()


def test_only_changed_packages_are_built(clone):
    assert build(clone) == ['messages', 'tools']
    assert build(clone) == []
    clone.joinpath('messages/msg/A.msg').write_text('int8 a')
    assert build(clone) == ['messages']
    clone.joinpath('launch/a.py').write_text('Installed as a link.')
    assert build(clone) == []
    clone.joinpath('launch/b.py').touch()
    assert build(clone) == ['tools']
    clone.joinpath('setup.py').write_text('other entry points')
    assert build(clone) == ['tools']


def test_a_build_does_not_wait_for_other_programs_to_end(clone):
    build(clone)
    assert re.fullmatch(r'-j\d+\n', (clone / 'flags').read_text())


def test_a_failed_or_interrupted_build_starts_from_scratch(clone):
    remains = clone / 'build' / 'messages' / 'half built'
    remains.mkdir(parents=True)
    clone.joinpath('broken').touch()
    with pytest.raises(SetUpError, match='could not be built'):
        build(clone)
    assert not remains.exists()
    clone.joinpath('broken').unlink()
    assert build(clone) == ['messages', 'tools']


def test_ros_is_sourced_if_a_prefix_outside_the_clone_has_tf2_msgs(tmp_path, monkeypatch):
    own, other, empty = tmp_path / 'clone/.ros/kilted/python', tmp_path / 'opt', tmp_path / 'empty'
    for prefix in (own, other):
        prefix.joinpath('share/tf2_msgs').mkdir(parents=True)
    write_program(tmp_path / 'bin' / 'colcon')
    monkeypatch.setattr(set_up, 'ENVIRONMENTS', tmp_path / 'clone' / '.ros')
    monkeypatch.setenv('PATH', str(tmp_path / 'bin'))
    for prefixes, expected in (
            ('', False), (f'{empty}', False), (f'{own}', False), (f'{empty}:{other}', True)):
        monkeypatch.setenv('AMENT_PREFIX_PATH', prefixes)
        assert set_up.ros_is_sourced() is expected
    monkeypatch.setenv('PATH', str(empty))
    with pytest.raises(SetUpError, match='colcon is not installed'):
        set_up.ros_is_sourced()


@pytest.mark.parametrize('change, message', [
    (lambda patch: patch.setattr(set_up.platform, 'machine', lambda: 'riscv64'),
     'not for Linux on riscv64'),
    (lambda patch: patch.setattr(sys, 'version_info', (3, 14, 0)), r'need Python 3\.10 to 3\.13'),
    (lambda patch: patch.setenv('PATH', ''), 'compiler'),
    (lambda patch: patch.setenv('CXX', 'no-such-compiler'), 'compiler'),
    (lambda patch: patch.setattr(set_up.sysconfig, 'get_path', lambda _: '/no'), 'header files'),
])
def test_a_missing_requirement_of_the_machine_is_named(monkeypatch, change, message):
    monkeypatch.setattr(set_up.platform, 'machine', lambda: 'x86_64')
    monkeypatch.setattr(sys, 'version_info', (3, 12, 0))
    change(monkeypatch)
    with pytest.raises(SetUpError, match=message):
        set_up.check_machine()


def test_a_python_from_the_environment_can_replace_the_environment(tmp_path, monkeypatch):
    python = tmp_path / 'kilted' / 'python' / 'bin' / 'python'
    python.parent.mkdir(parents=True)
    python.symlink_to(os.path.realpath(sys.executable))
    commands = []

    def run(_, command, **__):
        commands.append(command)
        raise SetUpError('stop after the first command')

    monkeypatch.setattr(sys, 'executable', str(python))
    for name, value in {'ROOT': tmp_path, 'ENVIRONMENTS': tmp_path, 'run': run,
                        'check_machine': lambda: None}.items():
        monkeypatch.setattr(set_up, name, value)
    with pytest.raises(SetUpError, match='first command'):
        set_up.Wheels('kilted').set_up()
    assert not python.exists()
    assert Path(commands[0][0]).is_file()


@pytest.mark.parametrize('development', [False, True])
def test_interfaces_for_tests_are_built_only_for_development(development, monkeypatch):
    built = []

    class Recorder:
        def __init__(self, _folder, packages, *_):
            built.extend(packages)

        def build(self):
            return False

    monkeypatch.setattr(set_up, 'Workspace', Recorder)
    for name in ('_is_installed', '_install_for_development', '_build_environment'):
        monkeypatch.setattr(set_up.Wheels, name, lambda self: True)
    set_up.Wheels('kilted').set_up(development)
    assert set(set_up.PACKAGES) < set(built)
    assert ('controller_manager_msgs' in built) == development
    # What ROS 2 is sourced for is built without, and so is what users install.
    assert 'controller_manager_msgs' not in set_up.PACKAGES


INTERRUPTED_RUN = """
import set_up, signal, subprocess, sys

class Announced(subprocess.Popen):
    def wait(self, *args, **options):
        print(self.pid, flush=True)
        return super().wait(*args, **options)

subprocess.Popen = Announced
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
set_up.run('', ['sleep', '600'])
"""


def test_a_signal_ends_the_running_program():
    with subprocess.Popen(
            [sys.executable, '-c', INTERRUPTED_RUN], cwd=Path(set_up.__file__).parent,
            stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        parent.terminate()
        assert parent.wait(60) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(child, signal.SIG_DFL)


def test_programs_that_run_together_end_together(tmp_path):
    program = tmp_path / 'program'
    write_program(program, 'touch "$1"; until [ -e "$2" ]; do sleep 0.01; done; exit "$3"')
    a, b = str(tmp_path / 'a'), str(tmp_path / 'b')
    set_up.run('failed', [program, a, b, '0'], [program, b, a, '0'])
    with pytest.raises(SetUpError, match='failed'):
        set_up.run('failed', [program, a, b, '0'], [program, b, a, '3'])


@pytest.mark.parametrize('is_terminal, shown', [
    (True, '\r\x1b[K  0 of 3 packages, 0 s\r\x1b[K  2 of 3 packages, 0 s: b-c'
           '\r\x1b[K  3 of 3 packages, 0 s: unpacking\r\x1b[K'),
    (False, '  3 of 3 packages, 0 s: unpacking\n')])
def test_progress_of_downloads_is_said(tmp_path, capsys, monkeypatch, is_terminal, shown):
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: is_terminal, raising=False)
    with set_up.Progress(lambda: set_up.downloads(tmp_path, 3)) as progress:
        monkeypatch.setattr(set_up.time, 'monotonic', lambda: progress._start)
        progress.show()
        (tmp_path / '0.log').write_text(
            '2026-11-29T01:02:03,004 Collecting a==1.0 (from -r 0.txt (line 1))\n'
            '2026-11-29T01:02:03,005   Collecting is not at the start\n'
            '2026-11-29T01:02:03,006 Collecting b-c==2.0\n')
        progress.show()
        (tmp_path / '1.log').write_text('2026-11-29T01:02:03,004 Processing /w/d-1.whl\n')
        progress._said -= 10
        progress.show()
    assert capsys.readouterr().out == shown


def test_progress_of_the_build_is_said(tmp_path):
    assert set_up.compiled([tmp_path / 'a', tmp_path / 'b']) == ('', '')
    for name, files in (('a', 3), ('b', 0)):
        (tmp_path / name / 'objects').mkdir(parents=True)
        (tmp_path / name / 'build.ninja').write_text(''.join(
            f'build objects/{i}.cpp.o: CXX_COMPILER /src/{i}.cpp\n' for i in range(files))
            + 'build all: phony\n')
    (tmp_path / 'a' / 'objects' / '0.cpp.o').write_text('')
    assert set_up.compiled([tmp_path / 'a']) == ('1 of 3 files compiled', 'a')
    assert set_up.compiled([tmp_path / 'a', tmp_path / 'b']) == ('1 of 3 files compiled', 'b')


def test_only_one_set_up_runs_at_a_time(tmp_path):
    path = tmp_path / '.ros' / 'lock'
    with set_up.locked(path), open(path) as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open(path) as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize(
    'path', sorted(set_up.REQUIREMENTS.rglob('*.lock')), ids=lambda path: path.parent.name)
def test_lock_files_pin_every_version_by_its_hashes(path):
    packages = set_up.read_lock_file(path)
    assert packages
    for package in packages:
        assert re.fullmatch(
            r'[a-z0-9-]+==[\w.]+( ; [^\\\n]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+'
            r'(\n    # .+)*', package)


def test_modules_of_the_extension_are_locked_by_their_hashes():
    path = set_up.ROOT / 'editors' / 'vscode' / 'package-lock.json'
    modules = json.loads(path.read_text())['packages']
    del modules['']
    assert modules
    for module in modules.values():
        # Whichever registry a machine uses, it is not named here.
        assert module['integrity'].startswith('sha512-') and 'resolved' not in module


def test_packages_are_installed_by_their_hashes_after_what_builds_them(tmp_path, monkeypatch):
    lock = """
setuptools==1 \\
    --hash=sha256:1
numpy==2 ; python_full_version < '3.11' \\
    --hash=sha256:2 \\
    --hash=sha256:3
empy==3 \\
    --hash=sha256:4
"""
    (tmp_path / 'kilted.lock').write_text(lock)
    monkeypatch.setattr(set_up, 'REQUIREMENTS', tmp_path)
    monkeypatch.setattr(set_up, 'ENVIRONMENTS', tmp_path / 'a clone')
    wheels = set_up.Wheels('kilted')
    wheels.python.parent.mkdir(parents=True)
    done = tmp_path / 'done'
    done.mkdir()
    # Like pip, it fails for what is built before setuptools is there.
    write_program(wheels.python, f"""
        case "$*" in *--require-hashes*--no-build-isolation*-r*) ;; *) exit 1;; esac
        for file; do :; done
        grep -q '^setuptools' "$file" || grep -q '^setuptools' '{done}'/* || exit 1
        cp "$file" "{done}/$$" """)
    wheels._install_packages(tmp_path / 'kilted.lock')
    installed = [package for path in done.iterdir() for package in set_up.read_lock_file(path)]
    assert sorted(installed) == sorted(set_up.read_lock_file(tmp_path / 'kilted.lock'))


def test_what_the_package_requires_is_locked():
    required = {'action': set(), 'packages': set()}
    for line in requires('urdf_tools'):
        extra = re.search('extra == "(.+?)"', line)
        name = re.match(r'[\w-]+', line)[0].lower()
        if not extra or extra[1] not in ('docs', 'mujoco', 'test'):  # MuJoCo is a program.
            required['packages'].add(name)
        if not extra or extra[1] == 'xacro':
            required['action'].add(name)
    assert required['action'] >= {'numpy', 'xacro'}
    for lock, names in required.items():
        path = set_up.REQUIREMENTS / 'library' / f'{lock}.lock'
        assert names <= {text.partition('==')[0] for text in set_up.read_lock_file(path)}


@pytest.mark.parametrize('shell', ['bash', 'dash', 'zsh'])
def test_env_script_gives_a_shell_the_commands(shell, tmp_path):
    if not set_up.shutil.which(shell):
        pytest.skip(f'{shell} is not installed')
    result = subprocess.run(
        [shell, '-c', '. "$1" && command -v colcon state_publisher model_server && urdf-tools -h',
         shell, str(set_up.ROOT / 'tools' / 'env.sh')],
        # dash does not tell a sourced script its path.
        cwd=set_up.ROOT if shell == 'dash' else tmp_path, text=True, capture_output=True)
    if "run 'make setup'" in result.stderr:
        pytest.skip("this clone is not set up; 'make setup' does it")
    assert result.returncode == 0, result.stderr
    assert 'usage: urdf-tools' in result.stdout
