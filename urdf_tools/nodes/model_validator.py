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

"""Validate every robot description that arrives, and report the findings."""

from __future__ import annotations

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest

from urdf_tools.check.validator import validates
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import end_workers
from urdf_tools.ros.base_node import Worker
from urdf_tools.ros.current_model import DescriptionSubscription
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import to_array
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.findings import log_finding
from urdf_tools.ros.findings import to_status
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.topics import LATCHED

MAX_LOGGED = 20
"""Maximum number of findings of a description in the log; topics and services have them all."""


class ModelValidator(BaseNode):
    """
    Validates descriptions, including those that all other nodes reject.

    /robot_description --> report --> log, ~/report, ~/validate, /diagnostics
    """

    def __init__(self) -> None:
        super().__init__('model_validator')
        self._report: Report | None = None
        self._log = LimitedLog(self.get_logger())
        worker = Worker(self)
        self.at_end(lambda: end_workers(worker))
        self._updater = Updater(self, {'Validation': self._status})
        self._publisher = self.create_publisher(DiagnosticArray, '~/report', LATCHED)
        self.create_service(SelfTest, '~/validate', self._answer)

        async def validate(text: str) -> None:
            await worker.run(lambda: self._validate(text))

        self._topic = DescriptionSubscription(self, validate).topic
        warn_of_unknown(self)

    def _validate(self, text: str) -> None:
        """Validate a description, log the worst findings as a compiler would, and publish all."""
        self._report = report = validates(text)
        for finding in _worst_first(report)[:MAX_LOGGED]:
            log_finding(self._log, finding, location(self._topic, finding.line, finding.column))
        self._log.info(printable(f'{self._topic}: {report.outcome()}'))
        self._publisher.publish(to_array(self, _statuses(report)))
        self._updater.publish()

    def _answer(
            self, _request: SelfTest.Request,
            response: SelfTest.Response) -> SelfTest.Response:
        if self._report is None:
            response.status = [DiagnosticStatus(
                level=bytes([Level.WARN]), name='Validation',
                message=f'Waiting for a robot description on {self._topic}')]
        else:
            response.id = printable(self._report.robot)
            response.passed = bytes([self._report.valid])
            response.status = _statuses(self._report)
        return response

    def _status(self) -> Status:
        """Return how many findings the newest description has."""
        report = self._report
        if report is None:
            return Status(Level.WARN, NO_DESCRIPTION)
        counts = report.counts
        codes = tuple(dict.fromkeys(finding.code for finding in _worst_first(report)))
        values = {
            'Errors': counts[Severity.ERROR], 'Warnings': counts[Severity.WARN],
            'Notes': counts[Severity.INFO], 'First codes': name_list(codes)}
        message = ', '.join(
            count(counts[severity], severity.label)
            for severity in (Severity.ERROR, Severity.WARN))
        if report.unread:
            message += f', {report.unread} not read'
        if counts[Severity.ERROR]:
            return Status(Level.ERROR, message, values)
        return Status(Level.WARN if counts[Severity.WARN] else Level.OK, message, values)


def _worst_first(report: Report) -> list[Finding]:
    return sorted(report.findings, key=lambda finding: -finding.severity)


def _statuses(report: Report) -> list[DiagnosticStatus]:
    """Return the findings as diagnostic statuses, with the robot as hardware ID."""
    return [to_status(finding, report.robot, {
        'Element': finding.element,
        'Line': finding.line,
        'Column': finding.column,
        'Consumers': ', '.join(finding.consumers)}) for finding in report.findings]
