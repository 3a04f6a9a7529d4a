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

from collections import Counter
from collections.abc import Sequence
from functools import partial

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.clock import Clock
from rclpy.clock_type import ClockType

from urdf_tools.doctor.graph_rules import CATEGORIES
from urdf_tools.doctor.graph_rules import Changes
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import to_array
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.findings import LEVELS
from urdf_tools.ros.findings import log_finding
from urdf_tools.ros.findings import to_status
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.topics import LATCHED


class ModelMonitor(BaseNode):
    """
    Evaluates the rules about a running graph every few seconds.

    graph, descriptions, joint states, transforms, clock --> report --> ~/report, /diagnostics
    """

    def __init__(self) -> None:
        super().__init__('model_monitor')
        self._report: Report | None = None
        self._warm = False
        self._changes = Changes()
        self._settings = Parameters(self, self._apply)
        self._settings.declare_table(
            'model_monitor', select={'check': _check_rules}, ignore={'check': _check_rules})
        self._updater = Updater(self, {
            'QoS' if category == 'qos' else category.capitalize(): partial(self._status, category)
            for category in CATEGORIES})
        self._publisher = self.create_publisher(DiagnosticArray, '~/report', LATCHED)
        self._observer = GraphObserver(self)
        self.at_end(self._observer.end)
        # The graph is observed in real time, even while simulated time is paused.
        self._timer = self.create_timer(self._settings['period'], self._evaluate,
                                        clock=Clock(clock_type=ClockType.STEADY_TIME))
        warn_of_unknown(self)

    def _apply(self, changed: set[str]) -> None:
        if 'period' in changed:
            self._timer.timer_period_ns = round(self._settings['period'] * 1e9)

    def _evaluate(self) -> None:
        if not self._warm:
            # A robot whose nodes are starting is not broken.
            self._warm = True
            self._observer.clear()
            return
        observation = self._observer.observation()
        select, ignore = (list(filter(None, self._settings[name]))
                          for name in ('select', 'ignore'))
        ignored = GRAPH_RULES.unwanted(select, ignore)
        self._report = report = evaluate(observation, 'graph', ignored)
        robots = ', '.join(robot.robot.name for robot in observation.robots)
        changed, gone = self._changes.update(report)
        for finding in changed.findings:
            log_finding(self.get_logger(), finding, finding.file('graph'))
        for finding in gone:
            self.get_logger().info(printable(
                f'{finding.file("graph")}: no longer: {finding.message} [{finding.code}]'))
        self._publisher.publish(to_array(self, to_statuses(report, robots)))

    def _status(self, category: str) -> Status:
        """Return the worst finding of the rules of a category."""
        if self._report is None:
            return Status(Level.OK, 'Observing')
        findings = [finding for finding in self._report.findings
                    if GRAPH_RULES[finding.code].category == category]
        if not findings:
            return Status(Level.OK, 'No findings')
        worst = findings[0]
        more = len(findings) - 1
        return Status(
            LEVELS[worst.severity],
            worst.message + (f' and {count(more, "other finding")}' if more else ''), {
                'Findings': len(findings),
                'Codes': name_list(tuple(dict.fromkeys(finding.code for finding in findings))),
                'Topic': worst.file('graph'), 'Hint': worst.hint})


def to_statuses(report: Report, robots: str) -> list[DiagnosticStatus]:
    """
    Return findings as diagnostic statuses, with the robots as hardware ID.

    Each has a name of its own, because an aggregator keeps one status of a name: the code, and
    what it is about, which stays the same from one report to the next.
    """
    statuses = []
    names: Counter[str] = Counter()
    for finding in report.findings:
        if not isinstance(finding, GraphFinding):
            continue
        about = ' '.join(filter(None, (finding.topic, finding.subject)))
        status = to_status(finding, robots, {
            'Topic': finding.topic, 'Nodes': ', '.join(finding.nodes)})
        name = printable(f'{finding.code}: {about}' if about else finding.code)
        names[name] += 1
        status.name = name if names[name] == 1 else f'{name} {names[name]}'
        statuses.append(status)
    return statuses


def _check_rules(names: Sequence[str]) -> None:
    known = (*CATEGORIES, *GRAPH_RULES)
    for name in filter(None, names):
        if name not in known:
            raise ValueError(does_not_exist(name, known, 'rule or category'))
