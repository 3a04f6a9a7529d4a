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
Start-up: of the state publisher until its first /tf_static, and of verbs of ``urdf-tools``.

Both beside what they cannot do without, imports of Python, numpy and rclpy; the state publisher
also beside robot_state_publisher where that is installed. All take turns; the table has medians,
ratios to ``python -c pass`` in the same round, and the shortest time, because DDS needs 130 to
300 ms, at times seconds, until two nodes have discovered each other, whatever they do meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import closing
import os
from pathlib import Path
from statistics import median
import subprocess
import sys
import time
from typing import NamedTuple

from benchmarks.contenders import Contender
from benchmarks.contenders import contenders
from benchmarks.contenders import OTHERS_IN_PYTHON
from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import machine
import rclpy
from rclpy.executors import SingleThreadedExecutor
from tf2_msgs.msg import TFMessage
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain

from urdf_tools.ros.topics import TF_STATIC

FOLDER = Path(__file__).resolve().parents[1] / 'urdf'

PYTHON = 'python -c pass'

COMMANDS = {
    PYTHON: ('-c', 'pass'),
    'import numpy': ('-c', 'import numpy'),
    'import rclpy.node': ('-c', 'import rclpy.node'),
    **{f'urdf-tools {arguments}': ('-m', 'urdf_tools.cli', *arguments.split()) for arguments in (
        '--version', '--help', 'tree arm.urdf', 'fk arm.urdf', 'expand arm.urdf.xacro',
        'check arm.urdf')}}
"""Each command, as the table names it, to the arguments of Python."""

PATIENCE = 60.0


class Times(NamedTuple):
    """Seconds from the start of a process: by the clock, and of CPU time."""

    wall: float
    cpu: float


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=15, help='default: 15')
    rounds = parser.parse_args(args).rounds
    os.environ.pop('PYTHONDONTWRITEBYTECODE', None)  # To compile would take most of the time.
    cases: dict[str, Callable[[], Times]] = {
        name: lambda command=command: until_end([sys.executable, *command])
        for name, command in COMMANDS.items()}
    cases |= {f'{node.name}, first /tf_static': lambda node=node: until_static_frames(node)
              for node in contenders() if node not in OTHERS_IN_PYTHON}
    results: dict[str, list[Times]] = {name: [] for name in cases}
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        for _ in range(rounds):
            for name, case in cases.items():
                results[name].append(case())
    print(machine())
    print(f'medians of {rounds} interleaved rounds')
    print('| | ms | shortest | CPU ms | ratio |')
    print('|---|---:|---:|---:|---:|')
    for name, times in results.items():
        wall, cpu = ([1e3 * number for number in column] for column in zip(*times))
        ratio = median(own.cpu / alone.cpu for own, alone in zip(times, results[PYTHON]))
        print(f'| {name} | {median(wall):.0f} | {min(wall):.0f} | {median(cpu):.0f} '
              f'| {ratio:.1f} |')


def until_end(command: Sequence[str]) -> Times:
    """Return the times of a command until it ends."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=FOLDER)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f'{" ".join(command)} ended with exit code {process.returncode}')
    return Times(wall, usage.ru_utime + usage.ru_stime)


def until_static_frames(node: Contender) -> Times:
    """Return the times of a node until its first message on /tf_static arrives here."""
    parameters = {'robot_description': (FOLDER / 'arm.urdf').read_text()}
    with closing(_Subscriber()) as subscriber:
        start = time.perf_counter()
        with closing(NodeProcess(node.name, parameters, command=node.command)) as process:
            subscriber.wait()
            return Times(time.perf_counter() - start, cpu_time(process.pid))


class _Subscriber:
    """Waits for a message on /tf_static."""

    def __init__(self) -> None:
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._node = rclpy.create_node('subscriber', context=self._context)
        self._messages: list[object] = []
        self._node.create_subscription(
            TFMessage, '/tf_static', self._messages.append, TF_STATIC, raw=True)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._messages:
            if time.monotonic() > deadline:
                raise RuntimeError('no /tf_static')
            self._executor.spin_once(timeout_sec=0.1)

    def close(self) -> None:
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)


if __name__ == '__main__':
    main()
