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
The log of reports: its cases, what the command says about them, and the table of the README.

From the top folder of the clone::

  PYTHONPATH=test python3 -m reports.log            write the table
  PYTHONPATH=test python3 -m reports.log --run X    print what is said about inputs called X...
  PYTHONPATH=test python3 -m reports.log --record   run every case, and write its outcome
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
import io
import os
from pathlib import Path
import re
import shlex
import shutil
import sys
from tempfile import TemporaryDirectory
from typing import Any

from urdf_tools.cli import main
import yaml

FOLDER = Path(__file__).parent
INPUTS = FOLDER / 'inputs'
OUTCOMES = ('full', 'half', 'none', 'wrong')
NOT_RUN = 'not run'

_TABLE = re.compile('(?<=<!-- table -->\n).*(?=<!-- end of table -->)', re.DOTALL)
_OUTCOME = re.compile(f'^  outcome: ({"|".join((*OUTCOMES, NOT_RUN))})$', re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """
    An input that stands for reports of a kind, and what the right answer to them is.

    :ivar file: the file that lists it.
    :ivar kind: a few words, with dashes.
    :ivar input: name of a folder of :data:`INPUTS`, or of a function in ``recorded.py``.
    :ivar run: arguments of the command; ``graph`` is a running graph.
    :ivar answer: the right answer in words.
    :ivar right: regular expressions; each one has to match one finding or one paragraph.
    :ivar wrong: regular expressions, of which none may match.
    :ivar outcome: what came out, one of :data:`OUTCOMES` or :data:`NOT_RUN`.
    :ivar reports: ``owner/repository#number``, or the address of a question, to what happened.
    """

    file: str
    kind: str
    input: str
    run: str
    answer: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    outcome: str
    reports: dict[str, str]

    @property
    def name(self) -> str:
        return f'{self.kind}-{self.input}'

    def output(self, folder: Path) -> str:
        """Return what the command prints in a folder, to which the input is copied."""
        if (INPUTS / self.input).is_dir():
            shutil.copytree(INPUTS / self.input, folder, dirs_exist_ok=True)
        else:
            from reports import recorded
            made = recorded.MADE[self.input]()
            if self.run == 'graph':
                return recorded.said_of(made)
            recorded.write(folder / 'recording.mcap', made)
        printed, before = io.StringIO(), os.getcwd()
        os.chdir(folder)
        try:
            with redirect_stdout(printed), redirect_stderr(printed):
                main(shlex.split(self.run))
        finally:
            os.chdir(before)
        return printed.getvalue()

    def outcome_of(self, output: str) -> str:
        """Return how well an output answers the reports."""
        parts = paragraphs(output)
        if any(re.search(pattern, part) for pattern in self.wrong for part in parts):
            return 'wrong'
        said = [any(re.search(pattern, part) for part in parts) for pattern in self.right]
        return 'full' if all(said) else 'half' if any(said) else 'none'


def paragraphs(output: str) -> list[str]:
    """Return each line that begins at the margin with the indented ones below it, as one line."""
    parts: list[list[str]] = []
    for line in output.splitlines():
        if parts and line.startswith(' '):
            parts[-1].append(line.strip().removeprefix('= '))
        else:
            parts.append([line])
    return [' '.join(part) for part in parts]


def cases() -> list[Case]:
    """Return all cases."""
    return [
        Case(path.name, **{**fields, **{
            name: tuple(fields.get(name, ())) for name in ('right', 'wrong')}})
        for path in files() for fields in fields_of(path)]


@cache
def fields_of(path: Path) -> list[dict[str, Any]]:
    """Return the fields of the cases of a file."""
    return yaml.safe_load(path.read_text('utf-8'))


def files() -> list[Path]:
    """Return the files of the log."""
    return sorted(FOLDER.glob('*.yaml'))


def run(case: Case) -> str:
    """Return the output about a case, made in a folder of its own."""
    with TemporaryDirectory() as folder:
        return case.output(Path(folder))


def record() -> None:
    """Run every case, and write what came out into the files."""
    outcomes = {path: [] for path in files()}
    for case in cases():
        outcomes[FOLDER / case.file].append(case.outcome_of(run(case)))
    for path, found in outcomes.items():
        text, rest = path.read_text('utf-8'), iter(found)
        if len(_OUTCOME.findall(text)) != len(found):
            raise ValueError(f'{path.name}: each case needs a line "  outcome: ..."')
        path.write_text(_OUTCOME.sub(lambda match: f'  outcome: {next(rest)}', text), 'utf-8')
    fields_of.cache_clear()


def table() -> str:
    """Return the number of reports of each kind, and of each outcome, as a table in Markdown."""
    counts: dict[str, Counter[str]] = {}
    for case in cases():
        counts.setdefault(case.kind, Counter())[case.outcome] += len(case.reports)
    total = sum(counts.values(), Counter())
    return '\n'.join((
        f'| kind | reports | {" | ".join(OUTCOMES)} |', '|---|' + '--:|' * 5,
        *_rows({'all': total}),
        *_rows(dict(sorted(counts.items(), key=lambda item: (-item[1].total(), item[0])))), ''))


def _rows(counts: dict[str, Counter[str]]) -> Iterator[str]:
    for kind, count in counts.items():
        numbers = (str(count[outcome] or '') for outcome in OUTCOMES)
        yield f'| {kind} | {count.total()} | {" | ".join(numbers)} |'


if __name__ == '__main__':
    if sys.argv[1:2] == ['--run']:
        for each in cases():
            if each.input.startswith(sys.argv[2]):
                said = run(each)
                print(f'=== {each.input}: {each.run}: recorded {each.outcome}, now '
                      f'{each.outcome_of(said)}\n{said}')
        sys.exit()
    if sys.argv[1:] == ['--record']:
        record()
    readme = FOLDER / 'README.md'
    readme.write_text(_TABLE.sub(lambda match: table(), readme.read_text('utf-8')), 'utf-8')
