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
Memory and idle CPU time of all nodes, each in a process of its own and together in the companion.

Proportional memory counts what several processes share once. Other processes of Python share
libraries, too, so it is best measured with nothing else running.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from collections.abc import Sequence
from contextlib import closing
from contextlib import ExitStack
import os
from pathlib import Path
from statistics import median
import time

from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import machine
from benchmarks.traffic import description
from benchmarks.traffic import Peer
from benchmarks.traffic import send_joint_states
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain

OTHERS = ('model_validator', 'model_server', 'inertia_publisher')

JOINTS = 30

SETTLING = 8.0
"""Seconds until all nodes have the description and have found each other."""


def main(args: Sequence[str] | None = None) -> None:
    """Measure both, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=3, help='default: 3')
    parser.add_argument('--seconds', type=float, default=10.0, help='default: 10')
    parser.add_argument('--rate', type=float, default=100.0,
                        help='rate of joint states in Hz; 0: none; default: 100')
    arguments = parser.parse_args(args)
    cases = {
        'alone': dict.fromkeys(('state_publisher', *OTHERS)),
        'companion': {'state_publisher': None, 'companion': OTHERS}}
    results: dict[str, list[tuple[float, float, float]]] = {name: [] for name in cases}
    for _ in range(arguments.rounds):
        for name, nodes in cases.items():
            results[name].append(measure(nodes, arguments.rate, arguments.seconds))
    print(machine())
    print(f'{", ".join(("state_publisher", *OTHERS))}; {JOINTS} joints at {arguments.rate:g} Hz; '
          f'medians of {arguments.rounds} rounds')
    print('| | processes | resident MB | proportional MB | % of a core |')
    print('|---|---:|---:|---:|---:|')
    for name, rows in results.items():
        resident, proportional, cpu = (median(column) for column in zip(*rows))
        print(f'| {name} | {len(cases[name])} | {resident:.0f} | {proportional:.0f} '
              f'| {100 * cpu:.1f} |')


def measure(
        nodes: dict[str, Sequence[str] | None], rate: float,
        seconds: float) -> tuple[float, float, float]:
    """
    Return resident and proportional memory in MB, and the CPU time a second, of all processes.

    :param nodes: name of an executable to the value of its parameter ``nodes``, if it has one.
    :param rate: of joint states in Hz.
    :param seconds: how long to measure.
    """
    with reserved_domain() as domain, ExitStack() as running:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        processes = []
        for name, hosted in nodes.items():
            parameters: dict[str, object] = {}
            if name == 'state_publisher':
                parameters['robot_description'] = description(JOINTS)
            if hosted is not None:
                parameters['nodes'] = list(hosted)
            processes.append(running.enter_context(closing(NodeProcess(name, parameters))))
        if rate:
            running.enter_context(closing(Peer(send_joint_states, JOINTS, rate)))
        time.sleep(SETTLING)
        pids = [process.pid for process in processes]
        before = sum(map(cpu_time, pids))
        time.sleep(seconds)
        cpu = (sum(map(cpu_time, pids)) - before) / seconds
        return (*memory(pids), cpu)


def memory(pids: Iterable[int]) -> tuple[float, float]:
    """Return resident and proportional memory of some processes in MB."""
    totals = {'Rss': 0, 'Pss': 0}
    for pid in pids:
        for line in Path(f'/proc/{pid}/smaps_rollup').read_text().splitlines():
            key, _, value = line.partition(':')
            if key in totals:
                totals[key] += int(value.split()[0])
    return totals['Rss'] * 1024 / 1e6, totals['Pss'] * 1024 / 1e6


if __name__ == '__main__':
    main()
