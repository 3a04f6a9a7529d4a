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
Random inputs for as long as you like: bytes, trees, robots, SDF, MJCF, meshes, recordings, texts.

Each is checked in this process, with 600 MB of memory more than the process has at the start. What
raises an exception, or takes longer than 2 s of CPU time (5 with texts, SDF and MJCF), is printed
and saved. The seed that is printed makes the same inputs again.

Texts are hostile ones at each position of descriptions, graphs and recordings, in all that takes
them: ``--kind texts --count 10000`` tries some, ``--all`` all of them in order, which takes days.
Pages are what shows them, in a headless Chromium.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from itertools import islice
import json
from pathlib import Path
from random import Random
import resource
import secrets
import signal
import sys
import tempfile
from time import monotonic
from time import process_time
import traceback
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.fuzz_inputs import KINDS  # noqa: E402
from support.text_answers import browser  # noqa: E402
from support.text_answers import every_trial  # noqa: E402
from support.text_answers import viewer  # noqa: E402
from support.text_positions import descriptions  # noqa: E402
from support.text_runs import RUNS  # noqa: E402
from support.text_runs import Trial  # noqa: E402

MEMORY = 600 * 2**20
SECONDS = {'texts': 5.0, 'pages': 5.0, 'sdf': 5.0, 'mjcf': 5.0}
"""Of CPU time, for kinds with more than 2: these run several verbs on a million characters."""

GIVEN_UP = 30
TURN = 200
"""Inputs of one kind in a row."""

SAVED_OF_EACH = 3


class Overtime(BaseException):
    """An input takes so long that it is given up; no handler of exceptions catches it."""


def main(args: list[str] | None = None) -> int:
    """Check inputs until the time is over, and print what went wrong."""
    parser = argparse.ArgumentParser(prog='benchmarks.fuzz', description=__doc__.strip().split(
        '\n')[0])
    parser.add_argument('--minutes', type=float, help='default: 1, if there is no number')
    parser.add_argument('--count', type=int, help='number of inputs')
    parser.add_argument('--kind', choices=KINDS, action='append',
                        help='default: all but pages')
    parser.add_argument('--seed', help='the one that an earlier run printed; default: a new one')
    parser.add_argument('--start', type=int, default=0, help='first input; default: 0')
    parser.add_argument('--all', action='store_true', help='all texts, from the first input on, '
                        'and nothing at random')
    parser.add_argument('--save', type=Path, default=Path('fuzz_findings'),
                        help='folder for inputs; default: fuzz_findings')
    arguments = parser.parse_args(args)
    seed = arguments.seed or secrets.token_hex(4)
    print(f'seed {seed}', flush=True)
    run = Run(seed, arguments.save)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, run.stop)
    kinds = arguments.kind or [kind for kind in KINDS if kind != 'pages']
    if {'texts', 'sdf', 'mjcf'} & {*kinds} or arguments.all:
        load_libraries()
    if 'pages' in kinds:
        browser()  # It has no limit of memory.
        viewer()
    end = monotonic() + 60 * (arguments.minutes or (
        float('inf') if arguments.all or arguments.count else 1.0))
    with limits(), tempfile.TemporaryDirectory() as folder:
        given = ((('texts', number, trial) for number, trial in islice(
            enumerate(every_trial()), arguments.start, None)) if arguments.all
            else run.random_inputs(kinds, arguments.start))
        for kind, number, trial in islice(given, arguments.count):
            if run.stopped or monotonic() > end:
                break
            run.check(kind, number, trial, Path(folder))
    print(run.summary())
    return 1 if run.faults else 0


def load_libraries() -> None:
    """Run each once: OpenBLAS and others do not start within a limit of memory."""
    arm = descriptions()['arm']
    with tempfile.TemporaryDirectory() as folder:
        for run in RUNS:
            Trial(run, arm, next(arm.positions()), 'apostrophe').check(Path(folder))


class Run:
    """
    What a run has found so far.

    :param seed: text that, with kind and number, makes each input.
    :param save: folder for the inputs that fail.
    """

    def __init__(self, seed: str, save: Path):
        self._seed = seed
        self._save = save
        self._count: Counter[str] = Counter()
        self._seconds: Counter[str] = Counter()
        self._slowest: dict[str, float] = {}
        self._faulty: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.stopped = False

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Let the run end after the inputs of this turn."""
        self.stopped = True

    @property
    def inputs(self) -> int:
        """Number of inputs checked."""
        return sum(self._count.values())

    def random_inputs(self, kinds: list[str], start: int) -> Iterator[tuple[str, int, Any]]:
        """Yield kinds, numbers and inputs, for ever."""
        for first in count(start, TURN):
            for kind in kinds:
                for number in range(first, first + TURN):
                    yield kind, number, KINDS[kind].make(Random(f'{self._seed} {kind} {number}'))

    def check(self, kind: str, number: int, given: Any, folder: Path) -> None:
        """Check an input; those of a kind are counted by what is run, if that differs."""
        label = ' '.join([kind, *filter(None, [getattr(given, 'run', '')])])
        start = process_time()
        signal.setitimer(signal.ITIMER_PROF, GIVEN_UP)
        fault = ''
        try:
            KINDS[kind].check(given, folder)
        except (Exception, Overtime) as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f'{Path(frame.filename).name}:{frame.lineno}'
            fault = f'{type(error).__name__} at {place}: {error}'
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = process_time() - start
        if not fault and seconds > SECONDS.get(kind, 2.0):
            fault = f'takes {seconds:.1f} s'
        self._count[label] += 1
        self._seconds[label] += seconds
        self._slowest[label] = max(seconds, self._slowest.get(label, 0.0))
        if fault:
            self._faulty[label] += 1
            self._report(kind, number, given, fault)

    def _report(self, kind: str, number: int, given: Any, fault: str) -> None:
        key = fault.partition(':')[0] + ':' + fault.partition(':')[2].partition(':')[0]
        self.faults[key] += 1
        if self.faults[key] <= SAVED_OF_EACH:
            self._save.mkdir(parents=True, exist_ok=True)
            path = self._save / f'{self._seed}-{kind}-{number}{given.suffix}'
            path.write_bytes(given.data)
            print(f'{path}: {json.dumps(fault[:500])}', flush=True)

    def summary(self) -> str:
        """Return the counts as text."""
        lines = [f'{kind}: {number} inputs, {self._seconds[kind] / number * 1e3:.2f} ms each, '
                 f'{self._slowest[kind]:.2f} s the slowest' + (
                     f', {self._faulty[kind]} faults' if self._faulty[kind] else '')
                 for kind, number in self._count.items()]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return '\n'.join((
            *lines, f'{self.inputs} inputs, at most {memory:.0f} MB, {sum(self.faults.values())} '
                    'faults', *(f'{number} of {key}' for key, number in self.faults.items())))


@contextmanager
def limits() -> Iterator[None]:
    """Limit the memory of this process, and let an alarm raise :class:`Overtime`."""
    pages = int(Path('/proc/self/statm').read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, before[1]))

    def give_up(number: int, frame: FrameType | None) -> None:
        raise Overtime(f'is not finished after {GIVEN_UP} s of CPU time')
    handler = signal.signal(signal.SIGPROF, give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


if __name__ == '__main__':
    sys.exit(main())
