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

"""Reports as annotations of GitHub Actions, which shows them beside the lines they are about."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.report import Report

_COMMANDS = {Severity.ERROR: 'error', Severity.WARN: 'warning', Severity.INFO: 'notice'}


def annotations(report: Report, *, least: Severity = Severity.INFO) -> Iterator[str]:
    """
    Yield a report line by line, as workflow commands.

    :param least: findings that matter less are left out.
    """
    for finding in report.findings:
        if finding.severity >= least:
            yield _annotation(finding, report.source)


def _annotation(finding: Finding, source: str) -> str:
    properties = {
        'file': source, 'line': finding.line, 'col': finding.column, 'title': finding.code}
    shown = ','.join(f'{key}={_in_property(str(value))}'
                     for key, value in properties.items() if value)
    text = f'{finding.message}. {finding.hint}' if finding.hint else finding.message
    return f'::{_COMMANDS[finding.severity]} {shown}::{_in_text(text)}'


def _in_text(text):
    return text.replace('%', '%25').replace('\r', '%0D').replace('\n', '%0A')


def _in_property(text):
    return _in_text(text).replace(':', '%3A').replace(',', '%2C')
