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
Cost of publishing transforms where other work disturbs: ours beside robot_state_publisher's.

Both nodes run all the time, each in a domain of its own, and joint states go to one after the
other for a fraction of a second. So what else happens on the machine happens to both, and ratios
of turns that follow each other are worth more than those of runs. The table has medians.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from contextlib import ExitStack
import os
from statistics import median
import time

from benchmarks.__main__ import pinning
from benchmarks.contenders import Contender
from benchmarks.contenders import contenders
from benchmarks.contenders import OTHERS_IN_PYTHON
from benchmarks.measurement import start
from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import machine
from benchmarks.traffic import Peer
from benchmarks.traffic import receive_transforms
from benchmarks.traffic import send_joint_states_at_times
import numpy as np
from tools.node_processes import reserved_domain

_BEGINNING = 0.1
"""Seconds of a turn that do not count, as the node has waited."""


class Player:
    """A node, the source of its joint states and the receiver of its transforms."""

    def __init__(
            self, stack: ExitStack, contender: Contender, joints: int, rate: float,
            core: int | None):
        self.name = contender.name
        os.environ['ROS_DOMAIN_ID'] = str(stack.enter_context(reserved_domain()))
        self._process = stack.enter_context(closing(start(contender, joints, core)))
        self._source = stack.enter_context(closing(
            Peer(send_joint_states_at_times, joints, rate)))
        self._receiver = stack.enter_context(closing(Peer(receive_transforms)))
        self._turns: list[tuple[int, int, float]] = []
        while not self._receiver.at_work(0.1):
            if not self._process.running:
                raise RuntimeError('\n'.join((f'{self.name} ended:', *self._process.lines[:20])))
            self._source.request(0.1)
            self._source.answer()

    def play(self, seconds: float) -> None:
        """Take a turn."""
        self._source.request(seconds + 2 * _BEGINNING)
        time.sleep(_BEGINNING)
        begin, cpu = time.time_ns(), cpu_time(self._process.pid)
        time.sleep(seconds)
        self._turns.append((begin, time.time_ns(), cpu_time(self._process.pid) - cpu))
        self._source.answer()

    def result(self) -> np.ndarray:
        """Return CPU time and median latency of each turn in microseconds, shape (n, 2)."""
        received = self._receiver.result()
        results = []
        for begin, end, cpu in self._turns:
            stamps, arrivals = received[
                (begin <= received[:, 0]) & (received[:, 0] < end)].T
            results.append((cpu / len(stamps) * 1e6, np.median(arrivals - stamps) / 1e3))
        return np.array(results)


def main(args: Sequence[str] | None = None) -> None:
    """Let the nodes take turns, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--joints', type=int, nargs='+', default=[7, 30],
                        help='lengths of the chain; default: 7 30')
    parser.add_argument('--rate', type=float, default=500.0, help='in Hz; default: 500')
    parser.add_argument('--seconds', type=float, default=0.4, help='of a turn; default: 0.4')
    parser.add_argument('--turns', type=int, default=30, help='default: 30')
    parser.add_argument('--pin', type=int, metavar='CORE', help='pin the nodes to a core')
    arguments = parser.parse_args(args)
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    nodes = [node for node in contenders() if node not in OTHERS_IN_PYTHON]
    print(f'{arguments.rate:g} Hz, medians of {arguments.turns} turns of {arguments.seconds:g} s')
    print(f'{machine()}, {pinning(arguments.pin)}', end='\n\n')
    print('| joints | node | CPU us | p50 us | CPU ratio | p50 ratio |')
    print('|---:|---|---:|---:|---:|---:|')
    for joints in arguments.joints:
        with ExitStack() as stack:
            players = [Player(stack, node, joints, arguments.rate, arguments.pin)
                       for node in nodes]
            for _ in range(arguments.turns):
                for player in players:
                    player.play(arguments.seconds)
            results = [player.result() for player in players]
        for player, result in zip(players, results):
            cpu, p50 = map(median, result.T)
            cpu_ratio, p50_ratio = map(median, (results[0] / result).T)
            print(f'| {joints} | {player.name} | {cpu:.0f} | {p50:.0f} '
                  f'| {cpu_ratio:.2f} | {p50_ratio:.2f} |', flush=True)


if __name__ == '__main__':
    main()
