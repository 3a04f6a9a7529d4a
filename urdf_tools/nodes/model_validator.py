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

"""Validate every description that arrives, and say what was found."""

from __future__ import annotations

import sys

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest
from rclpy.node import Node

from urdf_tools.ros.description import subscribe_description
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.findings import log
from urdf_tools.ros.findings import robot_name
from urdf_tools.ros.findings import to_status
from urdf_tools.ros.findings import validate_text
from urdf_tools.ros.findings import ValidationTask
from urdf_tools.ros.qos import LATCHED
from urdf_tools.ros.running import run
from urdf_tools.validation import Report


class ModelValidator(Node):
    """
    Validates descriptions, even ones that no other node would accept.

    /robot_description --> report --> log, ~/report, ~/validate, /diagnostics
    """

    def __init__(self):
        super().__init__('model_validator')
        self._report: Report | None = None
        self._updater = Updater(self, ValidationTask(lambda: self._report))
        self._publisher = self.create_publisher(DiagnosticArray, '~/report', LATCHED)
        self.create_service(SelfTest, '~/validate', self._answer)
        self._description = subscribe_description(self, self._validate)

    def _validate(self, text):
        self._report = report = validate_text(text)
        log(self.get_logger(), report, self._description.topic_name)
        array = DiagnosticArray(status=self._statuses())
        array.header.stamp = self.get_clock().now().to_msg()
        self._publisher.publish(array)
        self._updater.publish()

    def _statuses(self):
        name = robot_name(self._report)
        return [to_status(finding, name) for finding in self._report.findings]

    def _answer(self, _request, response):
        if self._report is None:
            response.status = [DiagnosticStatus(
                level=bytes([Level.WARN]), name='Validation',
                message=f'Waiting for a robot description on {self._description.topic_name}')]
        else:
            response.id = robot_name(self._report)
            response.passed = bytes([self._report.valid])
            response.status = self._statuses()
        return response


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(ModelValidator, args)


if __name__ == '__main__':
    sys.exit(main())
