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

from collections.abc import Sequence
import sys

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest
from rclpy.node import Node

from urdf_tools.model.messages import printable
from urdf_tools.nodes.model_validator.finding_messages import log_report
from urdf_tools.nodes.model_validator.finding_messages import validation_status
from urdf_tools.nodes.model_validator.finding_messages import ValidationTask
from urdf_tools.ros.background import Worker
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import run
from urdf_tools.ros.qos import LATCHED
from urdf_tools.ros.robot_state.current_model import subscribe_description
from urdf_tools.validation import Report
from urdf_tools.validation import validates


class ModelValidator(Node):
    """
    Validates descriptions, including those that all other nodes refuse.

    /robot_description --> report --> log, ~/report, ~/validate, /diagnostics
    """

    _worker: Worker | None = None

    def __init__(self) -> None:
        super().__init__('model_validator')
        self._report: Report | None = None
        self._worker = worker = Worker(self)
        self._updater = Updater(self, ValidationTask(lambda: self._report))
        self._publisher = self.create_publisher(DiagnosticArray, '~/report', LATCHED)
        self.create_service(SelfTest, '~/validate', self._answer)
        self._subscription = subscribe_description(
            self, lambda text: worker.submit_latest(lambda: self._validate(text)))
        warn_of_unknown(self)

    def destroy_node(self) -> None:
        if self._worker is not None:
            self._worker.end()
        super().destroy_node()

    def _validate(self, text: str) -> None:
        self._report = report = validates(text)
        log_report(self.get_logger(), report, self._subscription.topic_name)
        array = DiagnosticArray(status=_statuses(report))
        array.header.stamp = self.get_clock().now().to_msg()
        self._publisher.publish(array)
        self._updater.publish()

    def _answer(
            self, _request: SelfTest.Request,
            response: SelfTest.Response) -> SelfTest.Response:
        if self._report is None:
            response.status = [DiagnosticStatus(
                level=bytes([Level.WARN]), name='Validation',
                message=f'Waiting for a robot description on {self._subscription.topic_name}')]
        else:
            response.id = printable(self._report.robot)
            response.passed = bytes([self._report.valid])
            response.status = _statuses(self._report)
        return response


def _statuses(report: Report) -> list[DiagnosticStatus]:
    return [validation_status(finding, report.robot) for finding in report.findings]


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('model_validator', ModelValidator, args)


if __name__ == '__main__':
    sys.exit(main())
