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
Random inputs for as long as you like: bytes, trees, spliced robots, meshes, recordings, texts.

Each is checked in this process, with 600 MB of memory more than the process has at the start. What
raises an exception, or takes longer than 2 s of CPU time, is printed and saved. The seed that is
printed makes the same inputs again.

Texts are hostile ones at each position of descriptions and graphs, in all that takes them:
``--kind texts --every 1`` tries them all, which takes a day, and ``--every 50`` each fiftieth.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
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

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'test')]

from support.fuzz_inputs import Input  # noqa: E402
from support.fuzz_inputs import KINDS  # noqa: E402
from support.text_answers import every_trial  # noqa: E402

MEMORY = 600 * 2**20
SECONDS = 2.0
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
    parser.add_argument('--minutes', type=float, default=1.0, help='default: 1')
    parser.add_argument('--inputs', type=int, help='number of inputs to stop at')
    parser.add_argument('--kind', choices=KINDS, action='append', help='default: all')
    parser.add_argument('--seed', help='the one that an earlier run printed; default: a new one')
    parser.add_argument('--start', type=int, default=0, help='first input; default: 0')
    parser.add_argument('--every', type=int, metavar='N', help='each N-th of all texts, from '
                        'the first input on, and nothing at random')
    parser.add_argument('--save', type=Path, default=Path('fuzz_findings'),
                        help='folder for inputs; default: fuzz_findings')
    arguments = parser.parse_args(args)
    seed = arguments.seed or secrets.token_hex(4)
    print(f'seed {seed}', flush=True)
    run = Run(seed, arguments.save)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, run.stop)
    end = monotonic() + 60 * arguments.minutes
    first = arguments.start
    with limits(), tempfile.TemporaryDirectory() as folder:
        if arguments.every:
            for given in islice(every_trial(), first, None, arguments.every):
                if run.stopped:
                    break
                run.check_given('texts', first, given, Path(folder))
                first += arguments.every
        while not arguments.every and monotonic() < end and not run.stopped and (
                not arguments.inputs or run.inputs < arguments.inputs):
            for kind in arguments.kind or KINDS:
                for index in range(first, first + TURN):
                    run.check(kind, index, Path(folder))
            first += TURN
    print(run.summary())
    return 1 if run.faults else 0


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

    def check(self, kind: str, number: int, folder: Path) -> None:
        """Make an input, and check it."""
        self.check_given(
            kind, number, KINDS[kind].make(Random(f'{self._seed} {kind} {number}')), folder)

    def check_given(self, kind: str, number: int, given: Input, folder: Path) -> None:
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
        if not fault and seconds > SECONDS:
            fault = f'takes {seconds:.1f} s'
        self._count[label] += 1
        self._seconds[label] += seconds
        self._slowest[label] = max(seconds, self._slowest.get(label, 0.0))
        if fault:
            self._faulty[label] += 1
            self._report(kind, number, given, fault)

    def _report(self, kind: str, number: int, given: Input, fault: str) -> None:
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
