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

"""What ``check`` prints and writes, in one format or several."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import replace
import os
import sys
from typing import TextIO

from urdf_tools.check.rules import RULES
from urdf_tools.check.workspace.checking import CheckedDescription
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_lines
from urdf_tools.findings.baseline import Baseline
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats.github import workflow_commands
from urdf_tools.findings.formats.json_data import as_data
from urdf_tools.findings.formats.junit import as_junit
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.messages import printable

FORMATS = ('text', 'json', 'sarif', 'github', 'junit')


class Output:
    """
    Prints results: as text and for GitHub immediately, as data at the end.

    :param kind: one of :data:`FORMATS`.
    :param stream: where to; None for standard output.
    :param verbose: list every finding.
    :param descriptions: number of results that will come.
    """

    def __init__(self, kind: str, stream: TextIO | None, verbose: bool, descriptions: int):
        self._kind = kind
        self._stream = stream or sys.stdout
        self._verbose = verbose
        self._descriptions = descriptions
        self._least = Severity.ERROR
        self._counts = dict.fromkeys(Severity, 0)
        self._suppressed = 0
        self._results: list[tuple[Report, Severity]] = []

    def add(self, checked: CheckedDescription) -> None:
        """Print a result, or store it until the end."""
        report, settings = checked.report, checked.target.settings
        least = settings.least('info' if self._kind in ('json', 'sarif') else 'warn')
        if self._kind == 'junit':
            # The text of a failed test contains the findings that fail it.
            least = min(least, checked.failing)
        self._least = min(self._least, least)
        if self._kind == 'github':
            for line in workflow_commands(report, least=least):
                print(line, file=self._stream)
        elif self._kind == 'text':
            colour = self._stream.isatty() and not os.environ.get('NO_COLOR')
            print(render(report, least=least, colour=colour, verbose=self._verbose,
                         failing=checked.failing), file=self._stream)
        else:
            shown = replace(report, findings=report.at_least(least), known=tuple(
                finding for finding in report.known if finding.severity >= least))
            self._results.append((shown, checked.failing))
        self._stream.flush()
        self._suppressed += report.suppressed
        for severity, number in report.counts.items():
            self._counts[severity] += number

    def finish(self, baselines: Sequence[Baseline]) -> None:
        """Print the data, or the total of several descriptions."""
        reports = [report for report, _ in self._results]
        if self._kind == 'json':
            print_json({**as_data(reports), **_baseline_data(baselines)}, self._stream)
        elif self._kind == 'sarif':
            print_json(as_sarif(reports, RULES, has_baseline=bool(baselines)), self._stream)
        elif self._kind == 'junit':
            print(as_junit(self._results, self._least), file=self._stream)
        elif self._kind == 'text':
            if self._descriptions > 1:
                total = Report('', (), self._counts, {}, self._suppressed)
                print(f'{self._descriptions} files: {total.summary(self._least)}',
                      file=self._stream)
            print_lines(baseline_lines(baselines), self._stream)


def baseline_lines(baselines: Iterable[Baseline]) -> list[str]:
    """Return remarks on baselines: what they hide, and what is no longer needed."""
    lines = []
    for baseline in baselines:
        name = printable(baseline.path)
        unneeded = baseline.unneeded()
        text = f'{name}: hides {count(baseline.hidden, "finding")}'
        if unneeded:
            number = 'entry is' if len(unneeded) == 1 else 'entries are'
            text += f'; {len(unneeded)} {number} no longer needed'
        lines.append(text)
        for entry in unneeded[:MAX_LISTED]:
            file, rule, element, message = entry.fingerprint
            lines.append(printable(f'{name}: not needed: {file}: {message} [{rule}] {element}'))
        if len(unneeded) > MAX_LISTED:
            lines.append(f'{name}: {len(unneeded) - MAX_LISTED} more; --update-baseline removes '
                         'them')
    return lines


def _baseline_data(baselines: Sequence[Baseline]) -> dict[str, object]:
    return {'baselines': [{
        'file': baseline.path,
        'hidden': baseline.hidden,
        'unneeded': [{**entry.fingerprint._asdict(), 'count': entry.count}
                     for entry in baseline.unneeded()],
    } for baseline in baselines]} if baselines else {}
