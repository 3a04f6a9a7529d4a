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
Reports about a running graph, for ``urdf-tools doctor``.

The command imports this only where ROS is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Generator
import gc
import os
import time

from rclpy import create_node
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.observation import Observation
from urdf_tools.findings.report import Report
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver

DISCOVERY = 6.0
"""Maximum time for discovery before anything is evaluated, in seconds."""

PATIENCE = 10.0
"""Maximum number of seconds that a report waits for nodes that answer late."""

INTERVAL = 2.5
"""Seconds after which a topic of a sensor is sampled again, so that silence is noticed."""


Reported = tuple[Report, Observation]


def graph_reports(
        seconds: float, ignore: Collection[str]) -> Generator[Reported, None, None]:
    """
    Yield reports about the graph, and what was observed, without end, until this is closed.

    :param seconds: of observation for each report.
    :param ignore: rules that are not applied.
    """
    gc.enable()  # The command runs without, which is too long for an observation.
    context = Context()
    context.init()
    # It neither answers nor logs to the graph, and is hidden from others that look at it.
    node = create_node(
        f'_urdf_tools_doctor_{os.getpid()}', context=context, enable_rosout=False,
        start_parameter_services=False,
        parameter_overrides=[Parameter('start_type_description_service', value=False)])
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    observer = GraphObserver(node, INTERVAL)
    try:
        yield from _reports(executor, observer, seconds, ignore)
    finally:
        observer.end()
        executor.shutdown()
        node.destroy_node()
        context.shutdown()


def _reports(executor: SingleThreadedExecutor, observer: GraphObserver, seconds: float,
             ignore: Collection[str]) -> Generator[Reported, None, None]:
    _settle(executor, observer)
    while True:
        known = bool(observer.graph.nodes)
        _spin(executor, seconds)
        _spin(executor, PATIENCE, lambda: observer.busy)
        observation = observer.observation()
        if observation.graph.nodes and not known:
            # A robot that is starting is not broken.
            _settle(executor, observer)
            continue
        yield evaluate(observation, 'graph', ignore), observation


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
