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

"""The result of validating one description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.verdict import headline
from urdf_tools.findings.verdict import Verdict
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.document import Document


@dataclass(frozen=True)
class Report:
    """
    The findings about one description.

    :param source: the file or topic that the description came from, or an empty string.
    :param findings: in file order, with a limited number for each rule.
    :param counts: number of findings of each severity, including the omitted ones.
    :param omitted: code of a rule to the number of its findings beyond the limit.
    :param suppressed: number of findings suppressed by comments in the description.
    :param document: the description, or None if it cannot be parsed or was not kept.
    :param robot: name of the robot, or an empty string.
    :param combinations: number of combinations of xacro arguments that were checked.
    :param known: the findings that a baseline hides; they are not counted.
    :param programs: the verdict of each program on the description; empty if unknown.
    :param unread: the files that it refers to and that no rule has read, such as ``meshes and
        textures``; usually empty.
    """

    source: str
    findings: tuple[Finding, ...]
    counts: Mapping[Severity, int]
    omitted: Mapping[str, int]
    suppressed: int
    document: Document | None = field(default=None, repr=False, compare=False)
    robot: str = ''
    combinations: int = 1
    known: tuple[Finding, ...] = ()
    unread: str = ''
    programs: Mapping[str, Verdict] = field(default_factory=dict)

    def headline(self, failing: Severity = Severity.ERROR) -> list[str]:
        """
        Return the result of the rules and the verdicts of programs, in at most three lines.

        It is empty if the description is fine for every program.

        :param failing: the lowest severity with which the description fails.
        """
        fails = self.fails(failing)
        parts = ['fails' if fails else 'passes', *(
            count(self.counts[severity], severity.label)
            for severity in (Severity.ERROR, Severity.WARN) if self.counts.get(severity))]
        lines = headline(', '.join(parts), self.programs, fails)
        return lines if len(lines) > 1 else []

    def __repr__(self) -> str:
        return f'<Report on {quote(self.source)}: {self.outcome()}>'

    @property
    def valid(self) -> bool:
        """Whether there are no errors."""
        return not self.counts[Severity.ERROR]

    def fails(self, failing: Severity) -> bool:
        """Return whether there is a finding of a severity or a higher one."""
        return any(number and severity >= failing for severity, number in self.counts.items())

    @property
    def was_run(self) -> bool:
        """Whether the file could be read and expanded."""
        return not any(finding.code in ('file-unreadable', 'xacro-failed')
                       for finding in self.findings)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings of a severity or a higher one."""
        return tuple(finding for finding in self.findings if finding.severity >= severity)

    def summary(self, shown: Severity = Severity.INFO) -> str:
        """
        Return the counts as text, such as ``1 error, 2 warnings, 0 notes, 1 suppressed``.

        :param shown: the lowest severity shown; lower ones are marked as not shown.
        """
        parts = [count(self.counts[severity], severity.label)
                 + (' (not shown)' if severity < shown and self.counts[severity] else '')
                 for severity in reversed(Severity)]
        if self.suppressed:
            parts.append(f'{self.suppressed} suppressed')
        if self.known:
            parts.append(f'{len(self.known)} in the baseline')
        if self.combinations > 1:
            parts.append(f'{self.combinations} combinations of arguments')
        if self.unread:
            parts.append(f'{self.unread} not read')
        return ', '.join(parts)

    def without_document(self) -> Report:
        """Return the report with its findings as text, so that it is small and can be sent."""
        if self.document is None:
            return self
        lines: list[str] = []
        if any(finding.trace is None for finding in self.findings):
            lines = self.document.data.decode('utf-8', 'replace').split('\n')
        return replace(self, document=None, findings=tuple(
            finding.as_text(lines) for finding in self.findings))

    def outcome(self) -> str:
        """Return in one line whether the description is valid, and the counts."""
        omitted = sum(self.omitted.values())
        return (f'{"Valid" if self.valid else "Invalid"}: {self.summary()}'
                + (f'; {omitted} of them are not listed' if omitted else ''))
