#!/usr/bin/env python3
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

"""
Set up what building, running and testing this clone needs.

If ROS 2 is sourced, this is a ``colcon build``. Otherwise pip first installs ROS 2 from wheels, in
the versions of a lock file, into a Python environment in ``.ros/<distro>``. Only what has changed
is built again, and nothing outside the clone is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from contextlib import ExitStack
import fcntl
from hashlib import sha256
import os
from pathlib import Path
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from tempfile import TemporaryDirectory
import time

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / '.ros'
REQUIREMENTS = ROOT / 'tools' / 'requirements'

FIRST_PYTHON = (3, 10)
LAST_PYTHON = (3, 13)
"""The first and the last Python version that the ROS 2 wheels support."""

PACKAGES = {
    'urdf_tools_interfaces': 'urdf_tools_interfaces', 'urdf_tools': '.',
    'ament_cmake_urdf_tools': 'ament_cmake_urdf_tools'}
UNDERLAY = {'tf2_msgs': 'tools/underlay/tf2_msgs'}
FOR_TESTS = {'controller_manager_msgs': 'tools/underlay/controller_manager_msgs'}
"""Interfaces that no wheel has; nodes ask for the second one where ROS 2 has it."""


class SetUpError(Exception):
    """Failed set-up; the text tells the user the reason."""


def main() -> int:
    """Set up, and return the exit code."""
    parser = argparse.ArgumentParser(description='Set up what this clone needs.')
    parser.add_argument(
        '--distro', default='kilted',
        choices=sorted(path.stem for path in REQUIREMENTS.glob('*.lock')))
    parser.add_argument(
        '--development', action='store_true',
        help='install also what tests, linters and views need')
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with locked(ENVIRONMENTS / 'lock'):
            if ros_is_sourced():
                Workspace(ROOT, PACKAGES, os.environ).build()
            else:
                Wheels(arguments.distro).set_up(arguments.development)
    except SetUpError as error:
        print(f'set-up: {error}.', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def ros_is_sourced() -> bool:
    """
    Return whether this shell has a ROS 2 from outside the clone; tools/env.sh decides the same.

    :raises SetUpError: if it has, but no colcon.
    """
    prefixes = map(Path, os.environ.get('AMENT_PREFIX_PATH', '').split(':'))
    outside = [path for path in prefixes if ENVIRONMENTS not in path.parents]
    if not any(path.joinpath('share/tf2_msgs').is_dir() for path in outside):
        return False
    if not shutil.which('colcon'):
        raise SetUpError(
            'ROS 2 is sourced but colcon is not installed; install it, for example with '
            "'sudo apt install python3-colcon-common-extensions'")
    return True


class Wheels:
    """ROS 2 from wheels in a Python environment, and the packages built with it."""

    def __init__(self, distro: str):
        self.distro = distro
        self.requirements = REQUIREMENTS / f'{distro}.lock'
        self.base = ENVIRONMENTS / distro
        self.prefix = self.base / 'python'
        self.python = self.prefix / 'bin' / 'python'
        self.stamp = self.base / 'installed'

    def set_up(self, development: bool = False) -> None:
        """
        Install the wheels and build the packages, unless they are up to date.

        :param development: install also what tests, linters and views need.
        """
        if not self._is_installed():
            check_machine()
            self._install()
        if development:
            self._install_for_development()
        tests = FOR_TESTS if development else {}
        workspace = Workspace(
            self.base, {**UNDERLAY, **tests, **PACKAGES}, self._build_environment(),
            # The wheels do not have the linters that interface packages use as tests.
            '-GNinja', '-DBUILD_TESTING=OFF', f'-DPython3_EXECUTABLE={self.python}')
        if workspace.build():
            use_python_on_path(workspace.install / 'urdf_tools' / 'bin')
            self._write_shell_script(workspace)
            # As pip does. Where Python may not write bytecode, it would compile at each start.
            run('the package could not be compiled',
                [self.python, '-m', 'compileall', '-q', ROOT / 'urdf_tools'])

    def _is_installed(self) -> bool:
        if not (self.stamp.is_file() and self.python.is_file()):
            return False
        content, python = self.stamp.read_text().splitlines()
        # An environment keeps its Python until the user names another one.
        return content == self._content() and (
            'PYTHON' not in os.environ or python == platform.python_version())

    def _content(self) -> str:
        return fingerprint([ROOT, self.requirements.read_bytes()])

    def _install(self) -> None:
        python = platform.python_version()
        count = len(read_lock_file(self.requirements))
        say(f'Installing ROS 2 {self.distro.capitalize()} for Python {python} in '
            f'{self.base.relative_to(ROOT)}: {count} packages, which takes a minute or two')
        # sys.executable may be a link in the environment that is removed next.
        interpreter = os.path.realpath(sys.executable)
        remove(self.base)
        run('the Python environment could not be created',
            [interpreter, '-I', '-m', 'venv', self.prefix])
        self._install_packages(self.requirements)
        self._correct_exported_targets()
        self.stamp.write_text(f'{self._content()}\n{python}\n')

    def _install_for_development(self) -> None:
        requirements = REQUIREMENTS / 'development' / self.requirements.name
        stamp = self.base / 'installed-development'
        content = fingerprint([self._content(), requirements.read_bytes()])
        if not is_stamped(stamp, content):
            count = len(read_lock_file(requirements))
            say(f'Installing what tests, linters and views need: {count} packages')
            self._install_packages(requirements)
            stamp.write_text(content)

    def _install_packages(self, path: Path) -> None:
        """Install the packages of a lock file."""
        packages = read_lock_file(path)
        # Packages without a wheel are built with this version, where pip would download another.
        building = [package for package in packages if package.startswith('setuptools==')]
        others = [package for package in packages if package not in building]
        self._run_pip([building])
        # pip uses one processor, and no package needs another one to be installed.
        number = 2 * len(os.sched_getaffinity(0))
        self._run_pip(others[n::number] for n in range(number))

    def _run_pip(self, parts: Iterable[list[str]]) -> None:
        """Install parts of a lock file at the same time if files have the hashes of the lock."""
        # Twice quiet is without warnings, of which there may be one for each package and index.
        command = [self.python, '-I', '-m', 'pip', 'install', '--quiet', '--quiet', '--no-deps',
                   '--require-hashes', '--no-build-isolation', '--use-pep517',
                   '--disable-pip-version-check', '--progress-bar', 'off']
        parts = list(filter(None, parts))
        with TemporaryDirectory() as folder:
            total = sum(map(len, parts))
            commands = []
            for number, part in enumerate(parts):
                file = Path(folder, f'{number}.txt')
                file.write_text('\n'.join(part))
                commands.append([*command, '--log', file.with_suffix('.log'), '-r', file])
            with Progress(lambda: downloads(Path(folder), total)) as progress:
                run('the packages could not be installed (is the package index reachable?)',
                    *commands, watch=progress.show)

    def _correct_exported_targets(self) -> None:
        """Replace the paths of the wheel builder's Python in exported CMake targets."""
        replacements = {
            r'/include/python3\.\d+': sysconfig.get_path('include'),
            r'/site-packages': str(self._site_packages),
        }
        for path in self.prefix.glob('share/*/cmake/*_pyExport.cmake'):
            text = path.read_text()
            for folder, replacement in replacements.items():
                text = re.sub(r'/opt/python/[^;"]*' + folder, lambda _: replacement, text)
            path.write_text(text)

    @property
    def _site_packages(self) -> Path:
        return next(self.prefix.glob('lib/python3*/site-packages'))

    def _build_environment(self) -> dict[str, str]:
        path = joined([self.prefix / 'bin', os.environ['PATH']])
        return {**os.environ, **self._variables([self.prefix]), 'PATH': path, 'PYTHONPATH': ''}

    def _write_shell_script(self, workspace: Workspace) -> None:
        """Write what tools/env.sh sources; colcon's own scripts fail if paths have spaces."""
        installed = [workspace.install / name for name in (*UNDERLAY, *FOR_TESTS, *PACKAGES)]
        # What an earlier set-up has built for tests stays, as its other packages do.
        prefixes = [*filter(Path.is_dir, installed), self.prefix]
        modules = self._site_packages.relative_to(self.prefix)
        variables = self._variables(prefixes)
        # A Python package that is installed as symbolic links is in its build folder.
        variables['PYTHONPATH'] = joined([
            workspace.folder / 'build' / 'urdf_tools', *(prefix / modules for prefix in prefixes)])
        nodes = workspace.install / 'urdf_tools' / 'lib' / 'urdf_tools'
        path = joined([nodes, *(prefix / 'bin' for prefix in prefixes)])
        lines = [f'export {name}={shlex.quote(value)}' for name, value in variables.items()]
        lines.append(f'export PATH={shlex.quote(path)}:"$PATH"')
        (self.base / 'setup.sh').write_text('\n'.join(lines) + '\n')

    def _variables(self, prefixes: list[Path]) -> dict[str, str]:
        """Return the variables with which programs find and run what the prefixes contain."""
        libraries = [*(prefix / 'lib' for prefix in prefixes),
                     *sorted(self._site_packages.glob('ros_*.libs'))]
        return {
            'AMENT_PREFIX_PATH': joined(prefixes),
            'CMAKE_PREFIX_PATH': joined(prefixes),
            'COLCON_HOME': str(self.base / 'colcon'),
            'LD_LIBRARY_PATH': joined(libraries),
            'RMW_IMPLEMENTATION': 'rmw_fastrtps_cpp',
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
            'ROS_DISTRO': self.distro,
            'ROS_LOG_DIR': str(self.base / 'log'),
            'ROS_VERSION': '2',
            # LD_LIBRARY_PATH is set, so the wheels need not restart Python to set it.
            '_ROS_WHEELS_BOOTSTRAP_COMPLETE': '1',
        }


class Progress:
    """
    One line on what is being done, which a terminal shows all the time and a file every 10 s.

    :param words: returns how much is done, and what comes next; both may be empty.
    """

    def __init__(self, words: Callable[[], tuple[str, str]]):
        self._words = words
        self._start = self._said = time.monotonic()
        self._is_terminal = sys.stdout.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            print('\r\x1b[K', end='', flush=True)

    def show(self) -> None:
        """Say how much is done, for how many seconds, and what comes next."""
        now = time.monotonic()
        if not self._is_terminal and now < self._said + 10:
            return
        self._said = now
        done, following = self._words()
        text = '  ' + ', '.join(filter(None, (done, f'{now - self._start:.0f} s')))
        text += f': {following}' if following else ''
        print(f'\r\x1b[K{text[:79]}' if self._is_terminal else text,
              end='' if self._is_terminal else '\n', flush=True)


def downloads(folder: Path, total: int) -> tuple[str, str]:
    """Return how many packages pip has begun to download by its logs in a folder, and the last."""
    logs = sorted(folder.glob('*.log'), key=lambda path: path.stat().st_mtime)
    # A wheel in a folder is processed, not collected.
    begun = re.compile(r'^\S+ (?:Collecting|Processing) (?:\S*/)?([^\s=]+)', re.MULTILINE)
    found = [name for path in logs for name in begun.findall(path.read_text(errors='replace'))]
    return f'{len(found)} of {total} packages', '' if not found else (
        found[-1] if len(found) < total else 'unpacking')


def compiled(folders: Iterable[Path]) -> tuple[str, str]:
    """Return how many source files are compiled, and the package of the last build folder."""
    begun = [folder for folder in folders if (folder / 'build.ninja').is_file()]
    total = sum(len(re.findall(r'^build \S+\.o: ', (folder / 'build.ninja').read_text(), re.M))
                for folder in begun)
    done = sum(name.endswith('.o') for folder in begun
               for _, _, names in os.walk(folder) for name in names)
    return f'{done} of {total} files compiled' if total else '', begun[-1].name if begun else ''


class Workspace:
    """
    Packages of this clone that colcon builds, with their Python modules and data as links.

    :param folder: contains ``build`` and ``install``.
    :param packages: the folder of each package in the clone, by name.
    :param environment: environment variables of colcon.
    :param cmake_arguments: arguments of CMake.
    """

    def __init__(self, folder: Path, packages: Mapping[str, str], environment: Mapping[str, str],
                 *cmake_arguments: str):
        self.folder = folder
        self.install = folder / 'install'
        self.packages = packages
        self._environment = environment
        self._cmake_arguments = cmake_arguments

    def build(self) -> bool:
        """Build the packages that have changed, each from scratch; return whether any had."""
        contents = {name: self._content(folder) for name, folder in self.packages.items()}
        names = [name for name, content in contents.items()
                 if not is_stamped(self._stamp(name), content)]
        if not names:
            return False
        for name in names:
            remove(self.folder / 'build' / name)
            remove(self.install / name)
        say(f'Building {", ".join(names)}')
        cmake = ['--cmake-args', *self._cmake_arguments] if self._cmake_arguments else []
        # Without a number of jobs, colcon adds a limit on the load of the machine, with which
        # ninja and make run one job at a time wherever something else runs, too.
        environment = {**self._environment, 'MAKEFLAGS': f'-j{len(os.sched_getaffinity(0))}'}
        # colcon warns that the wheels have no local_setup scripts, which nothing here needs.
        with Progress(lambda: compiled(self.folder / 'build' / name for name in names)) as shown:
            run('the packages could not be built', [
                'colcon', '--log-level', 'error', '--log-base', self.folder / 'log', 'build',
                '--symlink-install', '--build-base', self.folder / 'build',
                '--install-base', self.install, '--base-paths', *self.packages.values(),
                '--packages-select', *names, *cmake], cwd=ROOT, env=environment, watch=shown.show)
        for name in names:
            self._stamp(name).write_text(contents[name])
        return True

    def _stamp(self, name: str) -> Path:
        return self.install / name / 'stamp'

    def _content(self, folder: str) -> str:
        """Return a fingerprint of all that a build depends on: contents, but names of links."""
        if folder == '.':
            copied = ['package.xml', 'setup.cfg', 'setup.py']
            linked = [path for name in ('config', 'launch', 'resource', 'rviz', 'scripts', 'urdf')
                      for path in (ROOT / name).glob('*')]
        else:
            copied = [path for path in (ROOT / folder).rglob('*') if path.is_file()]
            linked = copied
        return fingerprint([
            self._environment.get('ROS_DISTRO', ''), ROOT, *sorted(linked),
            *((ROOT / path).read_bytes() for path in sorted(copied))])


def check_machine() -> None:
    """
    Check for what the wheels and the build need.

    :raises SetUpError: for the first thing that is missing.
    """
    system = f'{platform.system()} on {platform.machine()}'
    if system != 'Linux on x86_64':
        raise SetUpError(
            f'ROS 2 wheels exist for Linux on x86_64 but not for {system}; install ROS 2 and '
            'source it')
    if not FIRST_PYTHON <= sys.version_info[:2] <= LAST_PYTHON:
        raise SetUpError(
            'the ROS 2 wheels need Python {}.{} to {}.{} and this is {}; name another one, for '
            "example with 'make PYTHON=python3.12'".format(
                *FIRST_PYTHON, *LAST_PYTHON, platform.python_version()))
    for variable, default in (('CC', 'cc gcc clang'), ('CXX', 'c++ g++ clang++')):
        candidates = shlex.split(os.environ.get(variable) or default)
        if not any(map(shutil.which, candidates)):
            raise SetUpError(
                'building the messages needs a C and a C++ compiler; install them, for example '
                "with 'sudo apt install g++'")
    if not Path(sysconfig.get_path('include'), 'Python.h').is_file():
        raise SetUpError(
            "building the messages needs Python's header files; install them, for example with "
            "'sudo apt install python3-dev'")


def is_stamped(stamp: Path, content: str) -> bool:
    """Return whether a file says that something was made from this content."""
    return stamp.is_file() and stamp.read_text() == content


def read_lock_file(path: Path) -> list[str]:
    """Return the packages of a lock file, each with its version and hashes as in the file."""
    return re.split(r'\n(?=\S)', path.read_text().strip())


def use_python_on_path(folder: Path) -> None:
    """Let scripts run python3 on the PATH, since a first line cannot name a path with spaces."""
    for path in folder.iterdir():
        lines = path.read_text().splitlines(keepends=True)
        path.write_text('#!/usr/bin/env python3\n' + ''.join(lines[1:]))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that lets one set-up of this clone run at a time."""
    path.parent.mkdir(exist_ok=True)
    with open(path, 'a') as file:
        # Child processes inherit the lock, and hold it if this process is killed.
        os.set_inheritable(file.fileno(), True)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say('Waiting for another set-up of this clone')
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(failure: str, *commands: list[str | Path], watch: Callable[[], None] | None = None,
        **options) -> None:
    """
    Run programs at the same time in this terminal, none of which outlives this call.

    :param watch: called every half a second while they run.
    :raises SetUpError: with ``failure`` if an exit code is not 0.
    """
    with ExitStack() as end:
        processes = []
        for command in commands:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, close_fds=False, **options)
            end.callback(process.wait)
            end.callback(process.terminate)
            processes.append(process)
        while watch is not None and any(process.poll() is None for process in processes):
            watch()
            time.sleep(0.5)
        codes = [process.wait() for process in processes]
    if any(codes):
        raise SetUpError(failure)


def fingerprint(parts: Iterable[object]) -> str:
    """Return a text that differs if a part differs."""
    return sha256(repr(list(parts)).encode()).hexdigest()


def joined(paths: Iterable[object]) -> str:
    """Return paths as the value of one variable."""
    return ':'.join(map(str, paths))


def remove(folder: Path) -> None:
    """Remove a folder and its contents if it exists."""
    if folder.exists():
        shutil.rmtree(folder)


def say(message: str) -> None:
    """Print a message at once."""
    print(message, flush=True)


if __name__ == '__main__':
    sys.exit(main())
