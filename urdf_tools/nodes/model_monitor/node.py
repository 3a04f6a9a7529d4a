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


"""Observe the graph around a robot, and report what disagrees with its model."""

from __future__ import annotations

from collections.abc import Sequence
import sys

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node

from urdf_tools.findings.report import Report
from urdf_tools.monitoring.graph_rules import CATEGORIES
from urdf_tools.monitoring.graph_rules import evaluate
from urdf_tools.monitoring.graph_rules import GraphFinding
from urdf_tools.monitoring.report_changes import Changes
from urdf_tools.monitoring.rules import GRAPH_RULES
from urdf_tools.nodes.model_monitor.graph_messages import graph_status
from urdf_tools.nodes.model_monitor.graph_messages import GraphTask
from urdf_tools.nodes.model_monitor.graph_messages import log_changes
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver
from urdf_tools.nodes.model_monitor.parameters import declare_parameters
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import run
from urdf_tools.ros.qos import LATCHED


class ModelMonitor(Node):
    """
    Evaluates what is published in the graph, every few seconds.

    graph, descriptions, joint states, transforms, clock --> report --> ~/report, /diagnostics
    """

    _observer: GraphObserver | None = None

    def __init__(self) -> None:
        super().__init__('model_monitor')
        self._report: Report | None = None
        self._warm = False
        self._changes = Changes()
        self._settings = Parameters(self, self._apply)
        declare_parameters(self._settings)
        self._updater = Updater(self, *(
            GraphTask(category, lambda: self._report) for category in CATEGORIES))
        self._publisher = self.create_publisher(DiagnosticArray, '~/report', LATCHED)
        self._observer = GraphObserver(self)
        # The graph is observed in real time, even while simulated time is paused.
        self._timer = self.create_timer(
            self._settings['period'], self._evaluate, clock=Clock(clock_type=ClockType.STEADY_TIME))
        warn_of_unknown(self)

    def destroy_node(self) -> None:
        if self._observer is not None:
            self._observer.end()
        super().destroy_node()

    def _apply(self, changed: set[str]) -> None:
        if 'period' in changed:
            self._timer.timer_period_ns = round(self._settings['period'] * 1e9)

    def _evaluate(self) -> None:
        assert self._observer is not None
        if not self._warm:
            # A robot whose nodes are starting is not broken.
            self._warm = True
            self._observer.clear()
            return
        seen = self._observer.observation()
        select, ignore = (list(filter(None, self._settings[name]))
                          for name in ('select', 'ignore'))
        self._report = report = evaluate(
            seen, 'graph', GRAPH_RULES.unwanted(select, ignore))
        robots = ', '.join(robot.robot.name for robot in seen.robots)
        log_changes(self.get_logger(), *self._changes.update(report))
        array = DiagnosticArray(status=[
            graph_status(finding, robots) for finding in report.findings
            if isinstance(finding, GraphFinding)])
        array.header.stamp = self.get_clock().now().to_msg()
        self._publisher.publish(array)


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('model_monitor', ModelMonitor, args)


if __name__ == '__main__':
    sys.exit(main())
