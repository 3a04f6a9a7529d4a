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
Latency of /tf while the model server computes the inertia of a large mesh beside it.

The model server runs in the companion, as bringup starts it. Seconds with and without a mesh take
turns, so that other load on the machine affects both. Where robot_state_publisher is installed it
is measured in the same way, because a mesh takes processor and memory from any node.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
import os
from pathlib import Path
import tempfile
import time

from benchmarks.chain import description
from benchmarks.contenders import Contender
from benchmarks.contenders import contenders
from benchmarks.contenders import OTHERS_IN_PYTHON
from benchmarks.measurement import load
from benchmarks.meshes import ball
from benchmarks.meshes import binary_stl
from benchmarks.report import machine
from benchmarks.service_latency import Client
import numpy as np
import rclpy
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain
from urdf_tools_interfaces.srv import ComputeInertia

SIDE = 548
"""Of the grid of a mesh with 30 MB."""


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--rounds', type=int, default=10, help='default: 10')
    parser.add_argument('--joints', type=int, default=30, help='default: 30')
    parser.add_argument('--rate', type=float, default=500.0, help='in Hz; default: 500')
    arguments = parser.parse_args(args)
    with tempfile.TemporaryDirectory() as folder, reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        os.environ['GZ_SIM_RESOURCE_PATH'] = folder  # So that the model server may read it.
        mesh = Path(folder, 'ball.stl')
        mesh.write_bytes(binary_stl(ball(SIDE)))
        rclpy.init()
        print(machine())
        print(f'{arguments.joints} joints at {arguments.rate:g} Hz, mesh of '
              f'{mesh.stat().st_size / 1e6:.0f} MB, {arguments.rounds} rounds')
        print('| node | mesh | s | joint states | lost | p50 us | p99 us | longest us |')
        print('|---|---|---:|---:|---:|---:|---:|---:|')
        with closing(NodeProcess('companion')):
            client = Client(description(arguments.joints))
            for contender in contenders():
                if contender.name not in OTHERS_IN_PYTHON:
                    measure(contender, arguments, client, mesh)
        rclpy.shutdown()


def measure(
        contender: Contender, arguments: argparse.Namespace, client: Client, mesh: Path) -> None:
    """Print the latencies of one node."""
    with load(contender, arguments.joints, arguments.rate) as node:
        compute(client, mesh)
        quiet, busy = [], []
        for _ in range(arguments.rounds):
            start = time.time_ns()
            compute(client, mesh)
            busy.append((start, time.time_ns()))
            time.sleep((busy[-1][1] - start) / 1e9)
            quiet.append((busy[-1][1], time.time_ns()))
        sent, received = node.stop()
    for name, spans in (('no', quiet), ('yes', busy)):
        chosen = np.concatenate([sent[(start <= sent) & (sent < end)] for start, end in spans])
        rows = received[np.isin(received[:, 0], chosen)]
        latencies = (rows[:, 1] - rows[:, 0]) / 1e3
        p50, p99 = np.percentile(latencies, (50, 99))
        seconds = sum(end - start for start, end in spans) / 1e9
        print(f'| {contender.name} | {name} | {seconds:.1f} | {len(chosen)} '
              f'| {len(chosen) - len(rows)} | {p50:.0f} | {p99:.0f} | {latencies.max():.0f} |',
              flush=True)


def compute(client: Client, mesh: Path) -> None:
    """Let the model server read the mesh, which it does again only if the file has changed."""
    os.utime(mesh, ns=(time.time_ns(), time.time_ns()))
    client.latencies(ComputeInertia, 'compute_inertia', {
        'mesh_resource': mesh.as_uri(), 'density': 1000.0}, 1)


if __name__ == '__main__':
    main()
