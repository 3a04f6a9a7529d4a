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

"""Findings as diagnostics and as log messages."""

from __future__ import annotations

from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.impl.rcutils_logger import RcutilsLogger

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.findings import log_finding
from urdf_tools.ros.findings import to_status

MAX_LOGGED = 20
"""Most findings of one description that are logged; topics and services have them all."""


def validation_status(finding: Finding, robot: str) -> DiagnosticStatus:
    """Return a finding in a description as a status, with the robot as hardware."""
    return to_status(finding, robot, {
        'Element': finding.element,
        'Line': finding.line,
        'Column': finding.column,
        'Consumers': ', '.join(finding.consumers)})


def log_report(logger: RcutilsLogger, report: Report, source: str) -> None:
    """
    Log the worst findings of a report as a compiler would, then a summary.

    :param source: the topic of the description.
    """
    for finding in sorted(report.findings, key=lambda f: -f.severity)[:MAX_LOGGED]:
        log_finding(logger, finding, location(source, finding.line, finding.column))
    logger.info(printable(f'{source}: {report.outcome()}'))


class ValidationTask:
    """
    The findings in the newest description.

    :param report: returns the newest report, or None before the first.
    """

    def __init__(self, report: Callable[[], Report | None]):
        self.name = 'Validation'
        self._report = report

    def run(self) -> Status:
        """Return the status of the description."""
        report = self._report()
        if report is None:
            return Status(Level.WARN, NO_DESCRIPTION)
        counts = report.counts
        worst = sorted(report.findings, key=lambda finding: -finding.severity)
        codes = tuple(dict.fromkeys(finding.code for finding in worst))
        values = {
            'Errors': counts[Severity.ERROR], 'Warnings': counts[Severity.WARN],
            'Notes': counts[Severity.INFO], 'First codes': name_list(codes)}
        message = ', '.join(
            count(counts[severity], severity.label)
            for severity in (Severity.ERROR, Severity.WARN))
        if counts[Severity.ERROR]:
            return Status(Level.ERROR, message, values)
        return Status(Level.WARN if counts[Severity.WARN] else Level.OK, message, values)
