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
Start-up: of the state publisher until its first /tf_static, and of ``urdf-tools check``.

Both beside what they cannot do without, imports of Python, numpy and rclpy; the state publisher
also beside robot_state_publisher where that is installed. All take turns; the table has medians,
and the shortest time, because DDS needs 130 to 300 ms, at times seconds, until two nodes have
discovered each other, whatever they do meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import closing
import os
from pathlib import Path
from statistics import median
import sys
import time

from benchmarks.command_start import Times
from benchmarks.command_start import until_end
from benchmarks.contenders import contenders
from benchmarks.contenders import OTHERS_IN_PYTHON
from benchmarks.process_usage import cpu_time
from benchmarks.report import machine
import rclpy
from rclpy.executors import SingleThreadedExecutor
from tf2_msgs.msg import TFMessage
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain

from urdf_tools.ros.topics import TF_STATIC

ROBOT = Path(__file__).resolve().parents[1] / 'urdf' / 'arm.urdf'

PATIENCE = 60.0


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=15, help='default: 15')
    arguments = parser.parse_args(args)
    python = sys.executable
    results: dict[str, list[Times]] = {}
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        cases: dict[str, Callable[[], Times]] = {
            'python -c pass': lambda: until_end([python, '-c', 'pass']),
            'import numpy': lambda: until_end([python, '-c', 'import numpy']),
            'import rclpy.node': lambda: until_end([python, '-c', 'import rclpy.node']),
            'urdf-tools check arm.urdf': lambda: until_end(
                [python, '-m', 'urdf_tools.cli', 'check', str(ROBOT)])}
        for node in contenders():
            if node.name not in OTHERS_IN_PYTHON:
                cases[f'{node.name}, first /tf_static'] = (
                    lambda node=node: until_static_frames(node.name, node.command))
        for _ in range(arguments.rounds):
            for name, case in cases.items():
                results.setdefault(name, []).append(case())
    print(machine())
    print(f'medians of {arguments.rounds} interleaved rounds')
    print('| | ms | shortest | CPU ms |')
    print('|---|---:|---:|---:|')
    for name, times in results.items():
        wall, cpu = ([1e3 * number for number in column] for column in zip(*times))
        print(f'| {name} | {median(wall):.0f} | {min(wall):.0f} | {median(cpu):.0f} |')


def until_static_frames(name: str, command: Sequence[str]) -> Times:
    """Return the times of a node until its first message on /tf_static arrives here."""
    with closing(_Subscriber()) as subscriber:
        start = time.perf_counter()
        with closing(NodeProcess(
                name, {'robot_description': ROBOT.read_text()}, command=command)) as process:
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
