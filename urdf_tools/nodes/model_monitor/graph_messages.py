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


"""Findings about a running graph as diagnostics and as log messages."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.impl.rcutils_logger import RcutilsLogger

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.monitoring.graph_rules import GraphFinding
from urdf_tools.monitoring.rules import GRAPH_RULES
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.findings import LEVELS
from urdf_tools.ros.findings import log_finding
from urdf_tools.ros.findings import to_status

_TITLES = {'qos': 'QoS'}


def graph_status(finding: GraphFinding, robots: str) -> DiagnosticStatus:
    """Return a finding as a diagnostic status, with the robots as hardware."""
    return to_status(finding, robots, {
        'Topic': finding.topic, 'Nodes': ', '.join(finding.nodes)})


def log_changes(logger: RcutilsLogger, report: Report, gone: Iterable[Finding]) -> None:
    """Log new findings, and those that have gone."""
    for finding in report.findings:
        log_finding(logger, finding, finding.file('graph'))
    for finding in gone:
        logger.info(printable(
            f'{finding.file("graph")}: no longer: {finding.message} [{finding.code}]'))


class GraphTask:
    """
    The findings of the rules of one category.

    :param report: returns the newest report, or None before the first.
    """

    def __init__(self, category: str, report: Callable[[], Report | None]):
        self.name = _TITLES.get(category, category.capitalize())
        self._category = category
        self._report = report

    def run(self) -> Status:
        """Return the worst finding."""
        report = self._report()
        if report is None:
            return Status(Level.OK, 'Observing')
        findings = [finding for finding in report.findings
                    if GRAPH_RULES[finding.code].category == self._category]
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
