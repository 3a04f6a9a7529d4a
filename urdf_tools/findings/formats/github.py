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

from collections.abc import Sequence

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import fold
from urdf_tools.findings.folding import FoldedFinding
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import OutputFormat
from urdf_tools.findings.formats import Result
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable

_COMMANDS = {Severity.ERROR: 'error', Severity.WARN: 'warning', Severity.INFO: 'notice'}


def workflow_commands(results: Sequence[Result], _options: Options) -> str:
    """
    Return the findings of each report, one workflow command each, the worst first.

    Repeats are folded, as GitHub shows ten annotations of a kind and drops the others.
    """
    return '\n'.join(
        _workflow_command(folded, report.source) for report, _, minimum in results
        for rule in fold(report.at_least(minimum)) for folded in rule.folded)


def _workflow_command(folded: FoldedFinding, source: str) -> str:
    finding = folded.first
    properties = {
        'file': finding.file(source), 'line': finding.line, 'col': finding.column,
        'title': finding.code}
    shown = ','.join(f'{key}={_escape(str(value)).replace(":", "%3A").replace(",", "%2C")}'
                     for key, value in properties.items() if value)
    more = f' ({count(folded.others, "other")} like it)' if folded.others else ''
    text = '\n'.join((finding.text + more, *finding.remarks))
    return f'::{_COMMANDS[finding.severity]} {shown}::{_escape(text)}'


def _escape(text: str) -> str:
    return printable(text.replace('%', '%25').replace('\r', '%0D').replace('\n', '%0A'))


FORMAT = OutputFormat('github', workflow_commands, is_document=False)
