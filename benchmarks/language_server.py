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
Time of the language server to check a file that is opened or changed, in this process.

Opening is the first check of a text, with nothing known before. A change is the first check after
it, which is shown at once, and the full one that follows when nobody types, with meshes; all
beside the mere validation of the text. The answers are those of requests at the middle of the
file. Times are CPU times, so that other load on the machine matters less. Give URDF files as
arguments; without any, a chain of as many links as the PR2 is taken.

With ``--workspace``, somebody types at random places in the xacro files of a folder: after each
character its check and all that an editor asks then are answered, and the quantiles of their CPU
times are printed. With ``--trust``, the files were expanded before.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
import gc
from pathlib import Path
from random import Random
import sys
import tempfile
from time import process_time
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from benchmarks.timing import duration  # noqa: E402
from benchmarks.validation import chain  # noqa: E402
from lsprotocol import types  # noqa: E402
from pygls.exceptions import JsonRpcException  # noqa: E402
from support.editor import close  # noqa: E402
from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402
from urdf_tools import validates  # noqa: E402
from urdf_tools.check.workspace.settings import Settings  # noqa: E402
from urdf_tools.lsp.check_cycle import CheckCycle  # noqa: E402
from urdf_tools.lsp.check_cycle import Preferences  # noqa: E402
from urdf_tools.lsp.features import Features  # noqa: E402
from urdf_tools.lsp.finding_diagnostics import diagnostic  # noqa: E402
from urdf_tools.lsp.hover import hover  # noqa: E402
from urdf_tools.lsp.occurrences import definitions_at  # noqa: E402
from urdf_tools.lsp.outline import outline  # noqa: E402
from urdf_tools.lsp.project import Project  # noqa: E402
from urdf_tools.lsp.source_text import Source  # noqa: E402
from urdf_tools.lsp.source_text import uri_of  # noqa: E402
from urdf_tools.lsp.suggestions import Suggestions  # noqa: E402

LINKS = 94

CHANGE = 'change and its check'

TYPED = (
    types.TEXT_DOCUMENT_COMPLETION, types.TEXT_DOCUMENT_SIGNATURE_HELP,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    types.TEXT_DOCUMENT_FOLDING_RANGE, types.TEXT_DOCUMENT_INLAY_HINT,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
"""What an editor asks when a text has changed."""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('files', nargs='*', type=Path)
    parser.add_argument('--runs', type=int, default=11, help='default: 11')
    parser.add_argument('--workspace', type=Path, help='a folder to type in')
    parser.add_argument('--trust', action='store_true', help='expand the files that are typed in')
    parser.add_argument('--positions', type=int, default=200, help='default: 200')
    arguments = parser.parse_args()
    gc.freeze()  # As the language server does.
    gc.set_threshold(100_000, 20, 50)
    if arguments.workspace is not None:
        print_typing(
            str(arguments.workspace.resolve()), arguments.positions, arguments.trust)
        return
    print(f'medians of {arguments.runs} runs, CPU milliseconds; in brackets: times of validates()')
    print(f'{"":28}{"kB":>6}{"validates":>11}{"open":>14}{"change":>14}{"full":>14}{"hover":>8}'
          f'{"definition":>12}{"completion":>12}{"symbols":>9}')
    if not arguments.files:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, f'chain of {LINKS} links.urdf')
            file.write_bytes(chain(LINKS))
            print_row(file, arguments.runs)
    for file in arguments.files:
        print_row(file, arguments.runs)


def print_row(file: Path, runs: int) -> None:
    """Measure one file."""
    text = file.read_text()
    path = str(file.resolve())
    project = Project()
    cycle = CheckCycle(project, lambda folder: Settings())
    version = 0

    def opened() -> None:
        new = Project()
        publish(new, CheckCycle(new, lambda folder: Settings()), with_files=False)

    def changed() -> None:
        publish(project, cycle, with_files=False)

    def rechecked() -> None:
        publish(project, cycle, with_files=True)

    def publish(project: Project, cycle: CheckCycle, with_files: bool) -> None:
        nonlocal version
        version += 1
        put(project, path, f'{text}<!-- {version} -->', version)
        for check in (cycle.run_full if with_files else cycle.run_quick)().values():
            for found in check.findings:
                diagnostic(project, check.source, found)

    rechecked()
    baseline = milliseconds(lambda: validates(text), runs)
    times = [milliseconds(work, runs) for work in (opened, changed, rechecked)]
    middle = text.index('"', len(text) // 2) + 1

    def on_new_text(request: Callable[[object], object]) -> float:
        return milliseconds(lambda: request(put(project, path, text, version)), runs)

    answers = [
        on_new_text(lambda source: hover(project, source, [], middle)),
        on_new_text(lambda source: definitions_at(project, source, [], middle)),
        on_new_text(lambda source: Suggestions(project, source, [], True).at(middle)),
        on_new_text(outline)]
    print(f'{file.name:28}{len(text) // 1000:6}{baseline:11.1f}'
          + ''.join(f'{time:7.1f} ({time / baseline:.2f})' for time in times)
          + ''.join(f'{time:{width}.1f}' for time, width in zip(answers, (8, 12, 12, 9))),
          flush=True)


def print_typing(folder: str, positions: int, trusts: bool) -> None:
    """Print the quantiles of the times after a character is typed."""
    project = project_in(folder)
    client = SimpleNamespace(client_capabilities=types.ClientCapabilities())
    features = Features(client, project, CheckCycle(project, lambda folder: Settings()))
    answers: dict[str, Callable[[Any], object]] = {}
    features.register(lambda name, answer, options=None: answers.update({name: answer}))
    paths = [path for path in project.files() if project.source(path).symbols.uses]
    print(f'{positions} positions in {len(paths)} xacro files of {len(project.files())}')
    random = Random(1)
    times: dict[str, list[float]] = {}
    for number in range(positions):
        path = random.choice(paths)
        text = project.source(path).text
        offset = random.choice(project.source(path).symbols.between(0, len(text))).end
        cycle = CheckCycle(project, lambda folder: Settings())
        features._cycle = cycle
        cycle.preferences = Preferences(trusts_all=trusts)
        source = put(project, path, text)
        (cycle.run_full if trusts else cycle.run_quick)()
        answer_all(answers, source, offset, {})
        begin = process_time()
        source = put(project, path, f'{text[:offset]}x{text[offset:]}', 2)
        for check in cycle.run_quick().values():
            for found in check.findings:
                diagnostic(project, check.source, found)
        times.setdefault(CHANGE, []).append(process_time() - begin)
        answer_all(answers, source, offset + 1, times)
        times.setdefault('what follows a typed character', []).append(sum(
            times[name][-1] for name in (CHANGE, *TYPED)))
        close(project, path)
    print(f'{"CPU milliseconds":34}{"median":>8}{"p95":>8}{"most":>8}')
    for name, found in times.items():
        found.sort()
        quantiles = (found[min(int(at * len(found)), len(found) - 1)] for at in (0.5, 0.95, 1))
        print(f'{name:34}' + ''.join(f'{1e3 * each:8.1f}' for each in quantiles))


def answer_all(
        answers: dict[str, Callable[[Any], object]], source: Source, offset: int,
        times: dict[str, list[float]]) -> None:
    """Answer what an editor asks about a place, and add the CPU times."""
    place = source.positions.position(offset)
    view = types.Range(types.Position(max(place.line - 30, 0), 0),
                       types.Position(place.line + 30, 0))
    for name, answer in answers.items():
        params = SimpleNamespace(
            text_document=types.TextDocumentIdentifier(uri_of(source.path)), position=place,
            query='link', new_name='other_name', context=types.ReferenceContext(True),
            options=types.FormattingOptions(2, True))
        if name in (types.TEXT_DOCUMENT_INLAY_HINT, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
                    types.TEXT_DOCUMENT_RANGE_FORMATTING):
            params.range = view
        begin = process_time()
        with suppress(JsonRpcException):
            answer(params)
        times.setdefault(name, []).append(process_time() - begin)


def milliseconds(work: Callable[[], object], runs: int) -> float:
    """Return the median CPU time of some runs in milliseconds."""
    return 1e3 * duration(work, runs, process_time)


if __name__ == '__main__':
    main()
