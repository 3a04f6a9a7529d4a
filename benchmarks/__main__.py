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
Cost of publishing transforms: our state_publisher beside other nodes.

The robot is a chain of revolute joints, with joint states at a steady rate; source, node and
receiver are processes of their own. The nodes take turns, so that other load on the machine
affects all of them; the table has medians.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
from pathlib import Path
from statistics import median

from benchmarks.contenders import Contender
from benchmarks.contenders import contenders
from benchmarks.measurement import measure
from benchmarks.measurement import measure_idle
from benchmarks.report import machine
from benchmarks.report import Results
from benchmarks.report import table
from tools.node_processes import reserved_domain

PLOT = Path(__file__).resolve().parents[1] / 'docs' / 'state_publisher_cost.png'


def main(args: Sequence[str] | None = None) -> None:
    """Measure, print the table and save the plot."""
    nodes = contenders()
    parser = argparse.ArgumentParser(prog='benchmarks', description=__doc__.strip().split('\n')[0])
    parser.add_argument('--joints', type=int, nargs='+', default=[7, 30, 100, 300],
                        help='lengths of the chain; default: 7 30 100 300')
    parser.add_argument('--rate', type=float, default=500.0, help='in Hz; default: 500')
    parser.add_argument('--seconds', type=float, default=3.0,
                        help='how long each node is measured each time; default: 3')
    parser.add_argument('--rounds', type=int, default=3, help='default: 3')
    parser.add_argument('--only', nargs='+', choices=[node.name for node in nodes],
                        help='some of the nodes')
    parser.add_argument('--pin', type=int, metavar='CORE',
                        help='pin each node to a core, as beside a busy robot')
    parser.add_argument('--idle', action='store_true',
                        help='measure the CPU time of nodes that get no joint states')
    parser.add_argument('--plot', type=Path, default=PLOT, help=f'a file; default: {PLOT}')
    arguments = parser.parse_args(args)
    if arguments.only:
        nodes = [node for node in nodes if node.name in arguments.only]
    results: Results = {}
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        if arguments.idle:
            return print_idle(nodes, arguments)
        for _ in range(arguments.rounds):
            for joints in arguments.joints:
                for node in nodes:
                    results.setdefault((joints, node.name), []).append(measure(
                        node, joints, arguments.rate, arguments.seconds, arguments.pin))
    print(f'A chain of revolute joints, {arguments.rate:g} Hz, medians of {arguments.rounds} '
          f'interleaved runs of {arguments.seconds:g} s each;\n'
          "ratios are ours to the node's in the same round, lost are joint states without /tf")
    print(f'{machine()}, {pinning(arguments.pin)}', end='\n\n')
    print(table(results))
    save_plot(results, arguments.plot)


def print_idle(nodes: Sequence[Contender], arguments: argparse.Namespace) -> None:
    """Measure the nodes without joint states, and print a table."""
    shares: dict[tuple[int, str], list[float]] = {}
    for _ in range(arguments.rounds):
        for joints in arguments.joints:
            for node in nodes:
                shares.setdefault((joints, node.name), []).append(
                    measure_idle(node, joints, arguments.seconds, arguments.pin))
    print(f'Without joint states, medians of {arguments.rounds} interleaved runs of '
          f'{arguments.seconds:g} s each')
    print(f'{machine()}, {pinning(arguments.pin)}', end='\n\n')
    print('| joints | node | % of a core |')
    print('|---:|---|---:|')
    for (joints, name), values in shares.items():
        print(f'| {joints} | {name} | {100 * median(values):.2f} |')


def pinning(core: int | None) -> str:
    """Return how the nodes are pinned, in words."""
    return 'not pinned' if core is None else f'each node pinned to core {core}'


def save_plot(results: Results, file: Path) -> None:
    """Save the plot, or say why it cannot be drawn."""
    try:
        from benchmarks.plot import plot
    except ImportError:
        print('\nNo plot: it requires matplotlib (pip install matplotlib).')
        return
    plot(results, file)
    print(f'\nPlot: {file}')


if __name__ == '__main__':
    main()
