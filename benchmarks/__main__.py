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
from statistics import median

from benchmarks.contenders import contenders
from benchmarks.measurement import measure
from benchmarks.measurement import measure_idle
from benchmarks.measurement import Measurement
from benchmarks.process_usage import machine
from tools.node_processes import reserved_domain


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
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
    arguments = parser.parse_args(args)
    nodes = [node for node in nodes if node.name in (arguments.only or node.name)]
    results: dict[tuple[int, str], list] = {}
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        for _ in range(arguments.rounds):
            for joints in sorted(arguments.joints):
                for node in nodes:
                    results.setdefault((joints, node.name), []).append(
                        measure_idle(node, joints, arguments.seconds, arguments.pin)
                        if arguments.idle else measure(
                            node, joints, arguments.rate, arguments.seconds, arguments.pin))
    rate = 'no joint states' if arguments.idle else f'joint states at {arguments.rate:g} Hz'
    print(f'A chain of revolute joints, {rate}, medians of {arguments.rounds} interleaved runs of '
          f'{arguments.seconds:g} s each')
    print(f'{machine()}, {pinning(arguments.pin)}', end='\n\n')
    if arguments.idle:
        print_idle(results)
    else:
        print_costs(results)


def pinning(core: int | None) -> str:
    """Return how the nodes are pinned, in words."""
    return 'not pinned' if core is None else f'each node pinned to core {core}'


def print_idle(results: dict[tuple[int, str], list[float]]) -> None:
    """Print shares of a core, by number of joints and name of the node."""
    print('| joints | node | % of a core |\n|---:|---|---:|')
    for (joints, name), shares in results.items():
        print(f'| {joints} | {name} | {100 * median(shares):.2f} |')


def print_costs(results: dict[tuple[int, str], list[Measurement]]) -> None:
    """
    Print the measurements of each round, by number of joints and name of the node.

    The ratios are ours, of the first node, to the node's in the same round.
    """
    print('| joints | node | CPU us | p50 us | p99 us | MB | lost | CPU ratio | p50 ratio |')
    print('|---:|---|' + '---:|' * 7)
    ours = {joints: results[joints, name] for joints, name in reversed(results)}
    for (joints, name), runs in results.items():
        numbers = [f'{median(getattr(run, field) for run in runs):.0f}'
                   for field in ('cpu', 'p50', 'p99', 'resident')]
        lost = sum(run.lost for run in runs)
        pairs = list(zip(ours[joints], runs))
        ratios = [
            f'{median(getattr(our, field) / getattr(run, field) for our, run in pairs):.2f}'
            for field in ('cpu', 'p50')]
        print(f'| {joints} | {name} | {" | ".join((*numbers, str(lost), *ratios))} |')


if __name__ == '__main__':
    main()
