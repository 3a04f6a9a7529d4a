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
The commands in README.md and docs/, which test/docs runs and compares with what the pages show.

A block of the language ``console`` has commands after ``$`` and their output; a line ``...``
stands for any lines, and ``...`` inside of a line for any text. A comment above a block says more
about it: ``<!-- file: NAME -->`` makes it a file that later commands of the page read, and
``<!-- not run: REASON -->`` leaves it out.

``python3 test/support/doc_commands.py PAGE`` writes the present output into a page where it
differs, and with ``--pictures`` draws its pictures, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stderr
from contextlib import redirect_stdout
from dataclasses import dataclass
import io
import os
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys
from tempfile import TemporaryDirectory
from unittest.mock import patch

from urdf_tools.cli import main

ROOT = Path(__file__).resolve().parents[2]

TIMEOUT = 120.0
"""Seconds after which a command has failed."""

_BLOCK = re.compile(
    r'^(?:<!-- (?P<note>file|not run): (?P<text>[^>]*?) -->\n+)?'
    r'^```(?P<language>[^\n]*)\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """
    A command of a page.

    :param line: where it is in the page, from 1.
    :param output: the lines below it.
    """

    line: int
    command: str
    output: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """
    A block of code of a page.

    :param note: ``file`` or ``not run``, or empty.
    :param text: the name of the file, or the reason.
    :param line: that of its first line, from 1.
    """

    language: str
    body: str
    line: int
    note: str = ''
    text: str = ''

    def steps(self) -> Iterator[Step]:
        """Yield the commands with their output."""
        lines = self.body.splitlines()
        starts = [n for n, line in enumerate(lines) if line.startswith('$ ')]
        for start, end in zip(starts, [*starts[1:], len(lines)]):
            last = start
            while lines[last].endswith('\\'):
                last += 1
            command = '\n'.join(lines[start:last + 1]).removeprefix('$ ')
            yield Step(self.line + start, command, tuple(lines[last + 1:end]))


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of code of a page."""
    for match in _BLOCK.finditer(page):
        line = page.count('\n', 0, match.start('body')) + 1
        yield Block(match['language'], match['body'], line, match['note'] or '',
                    ' '.join((match['text'] or '').split()))


class Shell:
    """Runs the commands of a page in a folder of their own, with the robots of this package."""

    def __init__(self, folder: Path):
        self.folder = folder / 'page'
        shutil.copytree(ROOT / 'urdf', self.folder / 'urdf')
        shutil.copytree(ROOT / 'docs' / 'tutorials', self.folder / 'docs' / 'tutorials')
        programs = folder / 'bin'
        programs.mkdir()
        python = shlex.quote(sys.executable)
        for name, arguments in (('python3', ''), ('urdf-tools', '-m urdf_tools.cli ')):
            path = programs / name
            path.write_text(f'#!/bin/sh\nexec {python} {arguments}"$@"\n')
            path.chmod(0o755)
        self._environment = {
            **os.environ, 'PATH': f'{programs}:{os.environ["PATH"]}', 'COLUMNS': '100',
            'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'}

    def write(self, name: str, text: str) -> None:
        """Write a file that the page shows."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, command: str) -> tuple[int, list[str]]:
        """Run a command, and return its exit code and what it printed."""
        if command.startswith('urdf-tools ') and not re.search('[$*?|&;<>]', command):
            return self._main(shlex.split(command)[1:])
        result = subprocess.run(
            ['sh', '-c', command], cwd=self.folder, env=self._environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=TIMEOUT)
        return result.returncode, result.stdout.rstrip('\n').splitlines()

    def _main(self, arguments: list[str]) -> tuple[int, list[str]]:
        """Do without a process of its own, whose imports take longer than most commands."""
        printed = io.TextIOWrapper(io.BytesIO(), 'utf-8', write_through=True)
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            with redirect_stdout(printed), redirect_stderr(printed), \
                    patch.dict(os.environ, self._environment):
                code = main(arguments)
        except SystemExit as error:
            code = error.code or 0
        finally:
            os.chdir(before)
        return code, printed.buffer.getvalue().decode().rstrip('\n').splitlines()


def is_shown(printed: list[str], shown: tuple[str, ...]) -> bool:
    """Return whether a page shows what was printed; ``...`` stands for anything."""
    pattern = ''.join(
        r'(?:.*\n)*?' if line.strip() == '...' else
        '.*'.join(map(re.escape, line.rstrip().split('...'))) + r'\n' for line in shown)
    return re.fullmatch(pattern, ''.join(f'{line.rstrip()}\n' for line in printed)) is not None


def runs(command: str) -> bool:
    """Return whether a command is run; the others are only checked, see :func:`problem_of`."""
    return not draws(command) and command.split()[0] in ('urdf-tools', 'python3', 'cp')


def draws(command: str) -> bool:
    """Return whether a command makes a picture, which takes a browser and some seconds."""
    return '--screenshot' in command


def problem_of(command: str) -> str:
    """Return what is wrong with a command that is not run, or nothing."""
    words = shlex.split(command)
    if draws(command):
        return ''
    if words[0] == 'make':
        result = subprocess.run(
            ['make', '--dry-run', *words[1:]], cwd=ROOT, text=True, capture_output=True)
        return result.stderr
    if words[:2] == ['pip', 'install']:
        extras = set(re.findall(r"'(\w+)': \[", (ROOT / 'setup.py').read_text()))
        wanted = {extra for word in words[2:] for extra in re.findall(r'\w+', word[1:])
                  if word.startswith('.[')}
        return f'no such extras: {wanted - extras}' if wanted - extras else ''
    if words[:3] == ['ros2', 'launch', 'urdf_tools']:
        return _launch_problem(words[3], [word.partition(':=')[0] for word in words[4:]])
    if words[:3] == ['ros2', 'run', 'urdf_tools']:
        return '' if (ROOT / 'scripts' / words[3]).is_file() else f'no node {words[3]}'
    return 'nothing runs or checks it; say why with <!-- not run: REASON -->'


def _launch_problem(name: str, arguments: list[str]) -> str:
    path = ROOT / 'launch' / name
    if not path.is_file():
        return f'no launch file {name}'
    declared = _declared(path)
    unknown = [argument for argument in arguments if argument not in declared]
    return f'no arguments {unknown}' if unknown else ''


def _declared(path: Path) -> set[str]:
    """Return the arguments of a launch file and of those that it includes."""
    text = path.read_text(encoding='utf-8')
    # Some files have them in a table.
    names = set(re.findall(r"(?:DeclareLaunchArgument\(\s*|^    \()'(\w+)'", text, re.MULTILINE))
    included = re.findall(r"HERE / '(\w+\.launch\.py)'", text)
    return names.union(*(_declared(path.with_name(name)) for name in included))


def updated(page: str, pictures: Path | None = None) -> str:
    """
    Return a page with the present output of its commands.

    :param pictures: the folder to draw its pictures in.
    """
    with TemporaryDirectory() as folder:
        shell = Shell(Path(folder))
        for block in list(blocks(page)):
            if block.note == 'file':
                shell.write(block.text, block.body)
            if block.language == 'console' and block.note != 'not run':
                body = ''.join(_with_output(step, shell) for step in block.steps())
                page = page.replace(f'```console\n{block.body}```', f'```console\n{body}```')
                for step in block.steps() if pictures else ():
                    if draws(step.command):
                        shell.run(step.command)
                        name = shlex.split(step.command)[-1]
                        shutil.copy(shell.folder / name, pictures / name)
    return page


def _with_output(step: Step, shell: Shell) -> str:
    shown = step.output
    if runs(step.command):
        _, printed = shell.run(step.command)
        if not is_shown(printed, shown):
            shown = tuple(line.rstrip() for line in printed)
    return ''.join(f'{line}\n' for line in (f'$ {step.command}', *shown))


if __name__ == '__main__':
    for name in sys.argv[1:]:
        if name != '--pictures':
            path = Path(name)
            pictures = path.parent if '--pictures' in sys.argv else None
            path.write_text(updated(path.read_text(encoding='utf-8'), pictures), encoding='utf-8')
