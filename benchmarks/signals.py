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
End nodes by signals at random instants: of the start, of a refused start, while they run and stop.

Each trial is a new process beside a publisher of the robot; SIGINT or SIGTERM reaches it alone, or
its whole process group as from a terminal and ros2 launch. Instants of a start are points of its
CPU time, whatever else the machine does, from where signals are handled: before, Python itself
starts. Wrong are exit codes other than 0 (or 1 of a start that was refused), a traceback, and a
process that is left.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
import json
import os
from pathlib import Path
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import machine
from tools.node_processes import NodeProcesses
from tools.node_processes import reserved_domain

SCRIPTS = Path(__file__).resolve().parents[1] / 'scripts'

ROBOT = Path(__file__).resolve().parents[1] / 'urdf' / 'arm.urdf'

PHASES = ('start', 'refused', 'running', 'stopping')

PATIENCE = 60.0

LENGTH, LENGTHS = 0.6, {'companion': 1.2, 'model_server': 0.9, 'viewer': 1.2}
"""CPU time of a start in s, and of some nodes; later instants are at its end."""

REFUSED = {
    'companion': {'/model_server': {'diagnostic_updater.period': -1.0}},
    'viewer': {'/**': {'rate': -1.0}}}
"""Parameters that a node refuses, or a node of the companion, which then runs without it."""

QUIET = {'diagnostic_updater.period': 3600.0}
"""Parameters of a node that no timer wakes, so that nothing but the signal does."""

_BAD = re.compile(
    r'Traceback|FATAL.*Still running|Fatal Python|terminate called|Exception ignored')


@dataclass(frozen=True)
class Trial:
    """
    A process and the signals for it.

    :ivar instant: of the first signal, from 0 to 1, the length of the phase.
    :ivar again: from the first signal to a second one, in s, or None.
    """

    node: str
    phase: str
    number: signal.Signals
    is_group: bool
    instant: float
    again: float | None


@dataclass(frozen=True)
class Outcome:
    """
    How a process has ended.

    :ivar seconds: from the first signal to its end and that of all that it started.
    :ivar cpu: CPU time that it took for that.
    """

    trial: Trial
    code: int
    seconds: float
    cpu: float
    output: str
    left: Sequence[int]

    @property
    def is_wrong(self) -> bool:
        """Whether it is not as promised, whatever the time."""
        codes = (0, 1) if self.trial.phase == 'refused' else (0,)
        return self.code not in codes or bool(self.left or _BAD.search(self.output))


def main(args: Sequence[str] | None = None) -> int:
    """Run the trials, print a table, and return 1 if an outcome is wrong."""
    names = sorted(path.name for path in SCRIPTS.iterdir())
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--instants', type=int, default=500, help='of each node; default: 500')
    parser.add_argument('--seed', type=int, default=39, help='default: 39')
    parser.add_argument('--jobs', type=int, default=2, help='trials at a time; default: 2')
    parser.add_argument('--only', nargs='+', choices=names, default=names, help='some nodes')
    parser.add_argument('--phases', nargs='+', choices=PHASES, default=PHASES)
    arguments = parser.parse_args(args)
    source = random.Random(arguments.seed)
    trials = [make_trial(source, name, arguments.phases)
              for _ in range(arguments.instants) for name in arguments.only]
    outcomes = []
    with surroundings(), ThreadPoolExecutor(arguments.jobs) as pool:
        try:
            for outcome in pool.map(run, trials):
                outcomes.append(outcome)
                if outcome.is_wrong:
                    print(f'WRONG: {outcome}', flush=True)
        except KeyboardInterrupt:  # The table is of those until now.
            pool.shutdown(cancel_futures=True)
    print_table(outcomes)
    return int(any(outcome.is_wrong for outcome in outcomes))


def make_trial(source: random.Random, node: str, phases: Sequence[str]) -> Trial:
    """Return a random trial of a node."""
    phase = source.choice(phases)
    return Trial(
        node, phase, source.choice((signal.SIGINT, signal.SIGTERM)), source.random() < 0.5,
        source.random(), source.uniform(0.0, 0.3) if phase == 'stopping' else None)


@contextmanager
def surroundings() -> Iterator[None]:
    """Run what publishes a robot and its joint states, in a domain of its own."""
    with reserved_domain() as domain, NodeProcesses() as processes:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        parameters = {'robot_description': ROBOT.read_text()}
        processes.start('state_publisher', parameters, ['-r', '__node:=other_publisher'])
        processes.start('joint_state_source', parameters, ['-r', '__node:=other_source'])
        yield


def run(trial: Trial) -> Outcome:
    """Run a trial, and return how it has ended."""
    parameters: dict[str, dict[str, object]] = {'/**': {}}
    if trial.node in ('state_publisher', 'robot_state_publisher', 'joint_state_source'):
        parameters['/**']['robot_description'] = ROBOT.read_text()
    refused = REFUSED.get(trial.node, {'/**': {'diagnostic_updater.period': -1.0}})
    for name, values in (refused if trial.phase == 'refused' else {'/**': QUIET}).items():
        parameters.setdefault(name, {}).update(values)
    with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file, \
            tempfile.NamedTemporaryFile('w+', errors='replace') as output:
        json.dump({name: {'ros__parameters': values}
                   for name, values in parameters.items()}, file)
        file.flush()
        process = subprocess.Popen(
            [sys.executable, str(SCRIPTS / trial.node), '--ros-args', '--params-file', file.name],
            stdout=output, stderr=output, start_new_session=True)
        children: list[int] = []
        try:
            before = _send(trial, process, children)
            start = time.monotonic()
            cpu = _cpu_time_at_end(process) - before
            while any(map(_is_running, children)) and time.monotonic() < start + PATIENCE:
                time.sleep(0.005)
            seconds = time.monotonic() - start
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        return Outcome(trial, process.returncode, seconds, cpu, Path(output.name).read_text(),
                       [*filter(_is_running, children)])


def _send(trial: Trial, process: subprocess.Popen[bytes], children: list[int]) -> float:
    """Send the signals at their instants, and return the CPU time until the first one."""
    _wait(process, lambda: _handles_signals(process.pid))
    length = LENGTHS.get(trial.node, LENGTH)
    if trial.phase in ('start', 'refused'):
        due = cpu_time(process.pid) + trial.instant * length
        _wait(process, lambda: cpu_time(process.pid) >= due or _is_waiting(process.pid))
    else:
        _wait(process, lambda: _is_waiting(process.pid))
        time.sleep(trial.instant)
    children += _descendants(process.pid)
    before = cpu_time(process.pid)
    send = os.killpg if trial.is_group else os.kill
    for pause in (0.0, trial.again):
        if pause is not None and _is_running(process.pid):
            time.sleep(pause)
            send(process.pid, trial.number)
    return before


def _cpu_time_at_end(process: subprocess.Popen[bytes]) -> float:
    """Wait for the end of a process that nobody waits for, and return its CPU time."""
    end = time.monotonic() + PATIENCE
    while _is_running(process.pid):
        if time.monotonic() > end:
            raise RuntimeError(f'process {process.pid} does not end')
        time.sleep(0.002)
    return cpu_time(process.pid)


def _wait(process: subprocess.Popen[bytes], holds: Callable[[], bool]) -> None:
    """Wait until a condition holds or the process has ended, or long enough for any start."""
    end = time.monotonic() + PATIENCE / 2
    while time.monotonic() < end and _is_running(process.pid) and not holds():
        time.sleep(0.003)


def _handles_signals(pid: int) -> bool:
    """Return whether a process catches SIGTERM, which Python does not by itself."""
    try:
        status = Path(f'/proc/{pid}/status').read_text()
    except OSError:
        return False
    return bool(int(status.partition('SigCgt:')[2].split()[0], 16) >> signal.SIGTERM - 1 & 1)


def _is_waiting(pid: int) -> bool:
    """Return whether a process has waited for 0.2 s, but not for a CPU."""
    for _ in range(20):
        if _state(pid) != 'S':
            return False
        time.sleep(0.01)
    return True


def _descendants(pid: int) -> list[int]:
    found = []
    for path in Path(f'/proc/{pid}/task').glob('*/children'):
        try:
            found += map(int, path.read_text().split())
        except OSError:
            continue
    return found + [each for child in found for each in _descendants(child)]


def _is_running(pid: int) -> bool:
    return _state(pid) not in ('Z', '')


def _state(pid: int) -> str:
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0]
    except OSError:
        return ''


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print how the processes have ended, in Markdown."""
    print(machine())
    print('| node | phase | trials | exit codes | median s | 99 % | longest '
          '| over 2 s | longest CPU s | wrong |')
    print('|---|---|---:|---|---:|---:|---:|---:|---:|---:|')
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.trial.node, outcome.trial.phase), []).append(outcome)
    for (node, phase), each in sorted(groups.items()):
        times = sorted(outcome.seconds for outcome in each)
        codes = Counter(outcome.code for outcome in each)
        print(f'| {node} | {phase} | {len(each)} '
              f'| {", ".join(f"{code}: {n}" for code, n in sorted(codes.items()))} '
              f'| {times[len(times) // 2]:.2f} | {times[len(times) * 99 // 100]:.2f} '
              f'| {times[-1]:.2f} | {sum(time > 2 for time in times)} '
              f'| {max(outcome.cpu for outcome in each):.2f} '
              f'| {sum(outcome.is_wrong for outcome in each)} |')


if __name__ == '__main__':
    sys.exit(main())
