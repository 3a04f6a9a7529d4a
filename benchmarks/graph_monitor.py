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
Cost of watching a robot: the model monitor beside a state publisher, both under the same load.

Joint states come at a steady rate, and the transforms of the state publisher at the same one; the
monitor reads both. Its CPU time is that of the whole process, with all judgements.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
import os
import time

from benchmarks.contenders import OURS
from benchmarks.measurement import Load
from benchmarks.measurement import load
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain

_SETTLING = 12.0
"""Seconds after which the monitor has found everything, and looks at the graph seldom."""


def main(args: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each number of joints."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--joints', type=int, nargs='+', default=[7, 30, 100],
                        help='lengths of the chain; default: 7 30 100')
    parser.add_argument('--rate', type=float, default=200.0, help='in Hz; default: 200')
    parser.add_argument('--seconds', type=float, default=20.0, help='default: 20')
    arguments = parser.parse_args(args)
    print(f'{arguments.rate:g} Hz of joint states and of /tf, each for {arguments.seconds:g} s')
    print('| joints | model_monitor CPU % | MB | state_publisher CPU % | ratio |')
    print('|-------:|--------------------:|---:|----------------------:|------:|')
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        for joints in arguments.joints:
            with load(OURS, joints, arguments.rate) as node, \
                    closing(NodeProcess('model_monitor')) as process:
                # Of a load, only what it tells of a process is used here.
                monitor = Load(process, node, node)
                time.sleep(_SETTLING)
                before, start = (monitor.cpu, node.cpu), time.monotonic()
                time.sleep(arguments.seconds)
                seconds = time.monotonic() - start
                shares = [(after - earlier) / seconds * 100 for after, earlier in zip(
                    (monitor.cpu, node.cpu), before)]
                print(f'| {joints:6d} | {shares[0]:19.2f} | {monitor.resident:2.0f} | '
                      f'{shares[1]:21.2f} | {shares[0] / shares[1]:5.2f} |', flush=True)


if __name__ == '__main__':
    main()
