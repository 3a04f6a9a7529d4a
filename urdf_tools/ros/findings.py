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

"""Descriptions from a topic or a service to findings, messages, diagnostics and a log."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection

from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.msg import KeyValue
from rclpy.impl.rcutils_logger import RcutilsLogger

from urdf_tools.model.messages import name_list
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.validation import Report
from urdf_tools.validation import validate
from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity

MAX_LOGGED = 20
"""Most findings of one description that are logged; a topic and a service have them all."""

_NOUNS = {Severity.ERROR: 'error', Severity.WARN: 'warning', Severity.INFO: 'note'}
_LEVELS = {Severity.INFO: Level.OK, Severity.WARN: Level.WARN, Severity.ERROR: Level.ERROR}


def validate_text(text: str, ignore: Collection[str] = ()) -> Report:
    """
    Validate a text that is never taken for the path of a file.

    :param ignore: codes of rules to leave out.
    """
    source = text if '<' in text else text.encode('utf-8', 'surrogatepass')
    return validate(source, ignore=ignore)


def robot_name(report: Report) -> str:
    """Return the name of the robot that was validated, as far as it has one."""
    return report.document.root.get('name', '') if report.document else ''


def summary(report: Report) -> str:
    """Return the outcome in one line."""
    counts = (
        f'{report.counts[severity]} {noun}{"" if report.counts[severity] == 1 else "s"}'
        for severity, noun in _NOUNS.items())
    omitted = sum(report.omitted.values())
    return (f'{"Valid" if report.valid else "Invalid"}: {", ".join(counts)}'
            + (f'; {omitted} of them are not listed' if omitted else ''))


def to_status(finding: Finding, robot: str) -> DiagnosticStatus:
    """Return a finding as a diagnostic status: its code is the name, the robot the hardware."""
    values = {
        'Element': finding.element,
        'Line': finding.line,
        'Column': finding.column,
        'Hint': finding.hint,
        'Consumers': ', '.join(finding.consumers)}
    return DiagnosticStatus(
        level=bytes([_LEVELS[finding.severity]]), name=finding.code, message=finding.message,
        hardware_id=robot,
        values=[KeyValue(key=key, value=str(value)) for key, value in values.items() if value])


def log(logger: RcutilsLogger, report: Report, source: str) -> None:
    """Log a report like a compiler: a line for each of the worst findings, then the outcome."""
    for finding in sorted(report.findings, key=lambda f: -f.severity)[:MAX_LOGGED]:
        place = ':'.join(str(part) for part in (source, finding.line, finding.column) if part)
        text = f'{place}: {finding.message} [{finding.code}]'
        # A logger holds every place in the code to one severity.
        if finding.severity is Severity.ERROR:
            logger.error(text)
        elif finding.severity is Severity.WARN:
            logger.warning(text)
        else:
            logger.info(text)
    logger.info(f'{source}: {summary(report)}')


class ValidationTask:
    """
    What the validator found in the newest description.

    :param report: returns the newest report, or None before the first.
    """

    name = 'Validation'

    def __init__(self, report: Callable[[], Report | None]):
        self._report = report

    def run(self) -> Status:
        """Return the status of the description."""
        report = self._report()
        if report is None:
            return Status(Level.WARN, 'No robot description yet')
        counts = report.counts
        worst = sorted(report.findings, key=lambda finding: -finding.severity)
        codes = tuple(dict.fromkeys(finding.code for finding in worst))
        values = {
            'Errors': counts[Severity.ERROR], 'Warnings': counts[Severity.WARN],
            'Notes': counts[Severity.INFO], 'First codes': name_list(codes)}
        message = f'{counts[Severity.ERROR]} errors, {counts[Severity.WARN]} warnings'
        if counts[Severity.ERROR]:
            return Status(Level.ERROR, message, values)
        return Status(Level.WARN if counts[Severity.WARN] else Level.OK, message, values)
