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

"""The report on a description that was checked with several combinations of xacro arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import replace

from urdf_tools.check.workspace.argument_matrix import Arguments
from urdf_tools.check.workspace.argument_matrix import condition
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report


def combined(reports: Sequence[Report], combinations: Sequence[Arguments]) -> Report:
    """
    Return one report with each finding once, and with which arguments it appears.

    Findings of a rule at the same location in a xacro file are the same, whatever names and
    numbers the arguments make of it.

    :param reports: one for each combination, at least one.
    """
    if len(reports) == 1:
        return reports[0]
    first: dict[tuple[object, ...], Finding] = {}
    where: dict[tuple[object, ...], list[Arguments]] = {}
    for report, arguments in zip(reports, combinations, strict=True):
        for key, finding in _keyed(report):
            first.setdefault(key, finding)
            where.setdefault(key, []).append(arguments)
    findings = [replace(finding, only_with=condition(where[key], combinations))
                for key, finding in first.items()]
    files = {finding.file(report.source): None for report in reports
             for finding in report.findings}
    order = {file: number for number, file in enumerate(files)}
    source = reports[0].source
    findings.sort(key=lambda finding: (
        order[finding.file(source)], finding.line or 0, finding.column or 0, -finding.severity,
        finding.code))
    return replace(
        reports[0], findings=tuple(findings), counts=_counts(findings, reports),
        omitted={code: max(report.omitted.get(code, 0) for report in reports)
                 for report in reports for code in report.omitted},
        suppressed=max(report.suppressed for report in reports), combinations=len(reports),
        programs={program: max((report.programs[program] for report in reports
                                if program in report.programs), key=lambda each: each.worst)
                  for report in reports for program in report.programs})


def _keyed(report: Report) -> Iterator[tuple[tuple[object, ...], Finding]]:
    """Yield each finding with the key that it shares with the same one of other arguments."""
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in report.findings:
        what: tuple[object, ...] = finding.code, finding.severity
        if finding.trace is None:
            what += finding.message, finding.element
        else:
            what += (finding.trace.location,)
        seen[what] += 1
        yield (*what, seen[what]), finding


def _counts(findings: Sequence[Finding], reports: Sequence[Report]) -> dict[Severity, int]:
    """Return the number of findings of each severity, including those not listed."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] + max(
        report.counts[severity] - sum(finding.severity == severity for finding in report.findings)
        for report in reports) for severity in Severity}
