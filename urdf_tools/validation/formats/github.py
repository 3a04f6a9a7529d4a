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

"""Reports as annotations of GitHub Actions, shown beside the lines that they refer to."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.report import Report

_COMMANDS = {Severity.ERROR: 'error', Severity.WARN: 'warning', Severity.INFO: 'notice'}


def workflow_commands(report: Report, *, least: Severity = Severity.INFO) -> Iterator[str]:
    """
    Yield the findings of a report, one workflow command each.

    :param least: findings of a lower severity are left out.
    """
    for finding in report.at_least(least):
        yield _workflow_command(finding, report.source)


def _workflow_command(finding: Finding, source: str) -> str:
    properties = {
        'file': source, 'line': finding.line, 'col': finding.column, 'title': finding.code}
    shown = ','.join(f'{key}={_escape_property(str(value))}'
                     for key, value in properties.items() if value)
    return f'::{_COMMANDS[finding.severity]} {shown}::{_escape(finding.text)}'


def _escape(text: str) -> str:
    return text.replace('%', '%25').replace('\r', '%0D').replace('\n', '%0A')


def _escape_property(text: str) -> str:
    return _escape(text).replace(':', '%3A').replace(',', '%2C')
