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
Observe a graph and write pickled reports: what ``urdf-tools doctor`` starts.

It is a process of its own, because the command works without ROS.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
import os
import pickle
import signal
import sys
import time

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions

from urdf_tools.doctor.graph_report import GraphReport
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver

DISCOVERY = 6.0
"""Longest time for discovery before anything is evaluated, in seconds."""

PATIENCE = 10.0
"""Most seconds that a report waits for nodes that answer late."""

INTERVAL = 2.5
"""Seconds after which a topic of a sensor is sampled again, so that silence is noticed."""


def main(argv: Sequence[str] | None = None) -> int:
    """
    Print one report, or a sequence of them.

    :param argv: arguments without the name of the program.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument('--seconds', type=float, required=True)
    parser.add_argument('--watch', action='store_true')
    parser.add_argument('--ignore', default='')
    arguments = parser.parse_args(argv)
    # The command that has started this ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    # It neither answers nor logs to the graph, and is hidden from others that look at it.
    node = rclpy.create_node(
        f'_urdf_tools_doctor_{os.getpid()}', enable_rosout=False, start_parameter_services=False,
        parameter_overrides=[Parameter('start_type_description_service', value=False)])
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    observer = GraphObserver(node, INTERVAL)
    try:
        _observe(executor, observer, arguments)
    finally:
        observer.end()
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown()
    return 0


def _observe(executor: SingleThreadedExecutor, observer: GraphObserver,
             arguments: argparse.Namespace) -> None:
    _settle(executor, observer)
    ignore = [code for code in arguments.ignore.split(',') if code in GRAPH_RULES]
    while True:
        known = bool(observer.graph.nodes)
        _spin(executor, arguments.seconds)
        _spin(executor, PATIENCE, lambda: observer.busy)
        seen = observer.observation()
        if seen.graph.nodes and not known:
            # A robot that is starting is not broken.
            _settle(executor, observer)
            continue
        pickle.dump(GraphReport(
            evaluate(seen, 'graph', ignore), seen.seconds, len(seen.graph.nodes),
            tuple(robot.robot.name for robot in seen.robots)), sys.stdout.buffer)
        sys.stdout.buffer.flush()
        if not arguments.watch:
            return


def _settle(executor: SingleThreadedExecutor, observer: GraphObserver) -> None:
    """Wait, with a timeout, until the graph is known, and begin a new observation."""
    _spin(executor, DISCOVERY, lambda: not observer.settled)
    observer.clear()


def _spin(executor: SingleThreadedExecutor, seconds: float,
          condition: Callable[[], bool] = lambda: True) -> None:
    """Spin for some seconds while a condition is true."""
    deadline = time.monotonic() + seconds
    while condition() and (rest := deadline - time.monotonic()) > 0:
        executor.spin_once(timeout_sec=min(rest, 0.1))


if __name__ == '__main__':
    sys.exit(main())
