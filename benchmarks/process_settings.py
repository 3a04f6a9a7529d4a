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
What it brings that a node returns memory: with each measure, and without it.

All take turns in one run: a companion gets a large description and large joint states, then small
ones, and its memory is measured once it has had the time to return it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from collections.abc import Sequence
import os
from statistics import median
import sys
import time

from benchmarks.chain import description
from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import resident
from benchmarks.report import machine
from benchmarks.traffic import create_node
from benchmarks.traffic import Peer
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tools.node_processes import NodeProcesses
from tools.node_processes import reserved_domain

MEMORY: Mapping[str, Mapping[str, str]] = {
    'all': {},
    'without the profile of Fast DDS': {'RMW_FASTRTPS_USE_QOS_FROM_XML': '0'},
    'without returning memory': {'URDF_TOOLS_RETURN_MEMORY': '0'},
    'without any': {'RMW_FASTRTPS_USE_QOS_FROM_XML': '0', 'URDF_TOOLS_RETURN_MEMORY': '0'},
}
"""What the companion does about memory, to the variables that say so."""

LINKS = 14_000
"""Links of a description of 5 MB."""

CALM = 40.0
"""Seconds from the end of the work until memory is measured; it is returned after 25."""

IDLE = 0.06
"""Share of a core that a companion without work takes at most."""


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=3, help='default: 3')
    arguments = parser.parse_args(args)
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    print(machine(), flush=True)
    print('| | MB |\n|---|---:|')
    measure_memory(arguments.rounds)


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
