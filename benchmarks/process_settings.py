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
What each thing that a node does to its own process brings: with it, and without it.

Both take turns in one run. The state publisher is measured under load (CPU time and median latency
of a message) and until its first /tf_static; the companion by its memory after a large description
and large joint states. Ratios are those of turns that follow each other: without to with.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import ExitStack
import os
from statistics import median
import sys
import time

from benchmarks.chain import description
from benchmarks.contenders import Contender
from benchmarks.contenders import OURS
from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import resident
from benchmarks.report import machine
from benchmarks.start_up import until_static_frames
from benchmarks.traffic import create_node
from benchmarks.traffic import Peer
from benchmarks.turns import Player
import numpy as np
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tools.node_processes import NodeProcesses
from tools.node_processes import reserved_domain

LOAD = (
    'URDF_TOOLS_BATCH_TIMERS', 'URDF_TOOLS_DEFERRED_COLLECTION', 'URDF_TOOLS_LATE_IMPORTS')
"""Variables that turn off, with the value 0, what may change CPU time, latency or start."""

MEMORY: Mapping[str, Mapping[str, str]] = {
    'all': {},
    'without the heap of C': {'PYTHONMALLOC': 'pymalloc'},
    'without the profile of Fast DDS': {'RMW_FASTRTPS_USE_QOS_FROM_XML': '0'},
    'without returning memory': {'URDF_TOOLS_RETURN_MEMORY': '0'},
    'without any': {
        'PYTHONMALLOC': 'pymalloc', 'RMW_FASTRTPS_USE_QOS_FROM_XML': '0',
        'URDF_TOOLS_RETURN_MEMORY': '0'},
}
"""What the companion does about memory, to the variables that say so."""

LINKS = 14_000
"""Links of a description of 5 MB."""

CALM = 40.0
"""Seconds from the end of the work until memory is measured; it is returned after 25."""

IDLE = 0.06
"""Share of a core that a companion without work takes at most."""


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('what', nargs='*', default=['load', 'start', 'memory'])
    parser.add_argument('--turns', type=int, default=40, help='of load and start; default: 40')
    parser.add_argument('--rounds', type=int, default=3, help='of memory; default: 3')
    parser.add_argument('--rate', type=float, default=500.0, help='in Hz; default: 500')
    parser.add_argument('--pin', type=int, metavar='CORE', help='pin the nodes to a core')
    arguments = parser.parse_args(args)
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    print(machine(), flush=True)
    if 'load' in arguments.what:
        print('| | CPU us | p50 us | CPU ratio | p50 ratio |\n|---|---:|---:|---:|---:|')
        measure_load(arguments.turns, arguments.rate, arguments.pin)
    if 'start' in arguments.what:
        print('| | ms | CPU ms | ms ratio | CPU ratio |\n|---|---:|---:|---:|---:|')
        measure_start(arguments.turns)
    if 'memory' in arguments.what:
        print('| | MB |\n|---|---:|')
        measure_memory(arguments.rounds)


def without(variable: str) -> tuple[str, ...]:
    """Return the command of a state publisher without something."""
    return ('env', f'{variable}=0', *OURS.command)


def print_rows(results: Mapping[str, Sequence[Sequence[float]]]) -> None:
    """Print medians, and the medians of the ratios to the first row's."""
    first = np.array(next(iter(results.values())))
    for name, rows in results.items():
        numbers = np.median(rows, axis=0)
        ratios = np.median(np.array(rows) / first, axis=0)
        print(f'| {name} | {" | ".join(f"{number:.0f}" for number in numbers)} '
              f'| {" | ".join(f"{ratio:.3f}" for ratio in ratios)} |', flush=True)


def measure_load(turns: int, rate: float, core: int | None) -> None:
    """Print CPU time and latency of a message, with everything and without each."""
    nodes = [Contender('all', OURS.command), *(
        Contender(f'without {variable}', without(variable)) for variable in LOAD)]
    for joints in (7, 30):
        with ExitStack() as stack:
            players = [Player(stack, node, joints, rate, core) for node in nodes]
            for _ in range(turns):
                for player in players:
                    player.play(0.4)
            print_rows({f'{player.name}, {joints} joints': player.result() for player in players})


def measure_start(turns: int) -> None:
    """Print the time until the first /tf_static, with everything and without each."""
    commands = {'all': OURS.command, **{
        f'without {variable}': without(variable) for variable in LOAD}}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    with reserved_domain() as domain:
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        for _ in range(turns):
            for name, command in commands.items():
                wall, cpu = until_static_frames(name, command)
                times[name].append((1e3 * wall, 1e3 * cpu))
    print_rows(times)


def measure_memory(rounds: int) -> None:
    """Print the memory of a companion after large messages, with everything and without each."""
    found: dict[str, list[float]] = {name: [] for name in MEMORY}
    for _ in range(rounds):
        for name, variables in MEMORY.items():
            before = dict(os.environ)
            os.environ.update(variables)
            try:
                found[name].append(memory_after_large_messages())
            finally:
                os.environ.clear()
                os.environ.update(before)
            print(name, found[name], file=sys.stderr, flush=True)
    for name, sizes in found.items():
        print(f'| {name} | {median(sizes):.0f} |', flush=True)


def memory_after_large_messages() -> float:
    """Return the resident memory of a companion in MB."""
    with reserved_domain() as domain, NodeProcesses() as nodes:
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        companion = nodes.start('companion', {'nodes': [
            'model_validator', 'model_server', 'inertia_publisher', 'model_monitor']})
        peer = Peer(send_large_messages)
        nodes.callback(peer.close)
        while not peer.at_work(1.0):
            assert companion.running, companion.output
        share = 1.0
        while share > IDLE:
            before = cpu_time(companion.pid)
            time.sleep(10)
            share = (cpu_time(companion.pid) - before) / 10
        time.sleep(CALM)
        return resident(companion.pid)


def send_large_messages(connection) -> None:
    """Publish a large description, large joint states and a small description."""
    node = create_node('source')
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    describe = node.create_publisher(String, 'robot_description', latched)
    joint_states = node.create_publisher(JointState, 'joint_states', 10)
    while joint_states.get_subscription_count() < 3:
        time.sleep(0.1)
    describe.publish(String(data=description(LINKS)))
    large = JointState(name=['joint_1'] * 30_000, position=[0.0] * 30_000)
    for _ in range(200):
        joint_states.publish(large)
        time.sleep(0.1)
    describe.publish(String(data=description(20)))
    joint_states.publish(JointState(name=['joint_1'], position=[0.5]))
    connection.send(None)
    connection.recv()


if __name__ == '__main__':
    main()
