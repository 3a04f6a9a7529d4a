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


"""Build a report from errors and defects, with a limited number of findings per rule."""

from __future__ import annotations

from collections import Counter

from urdf_tools.model.document import Document
from urdf_tools.model.element import Comment
from urdf_tools.model.errors import DescriptionError
from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import Rule
from urdf_tools.validation.report import Report

_MAX_LENGTH = 1000


class ReportBuilder:
    """
    Collects the findings of a report.

    :param max_per_rule: number of findings kept per rule; further ones are counted.
    """

    def __init__(self, max_per_rule: int):
        self._max_per_rule = max_per_rule
        self._findings: list[Finding] = []
        self._of_rule: Counter[str] = Counter()
        self._of_severity = Counter(dict.fromkeys(Severity, 0))

    def add_error(self, rule: Rule, error: DescriptionError) -> None:
        """Add the finding of a rule that a description breaks by not being readable."""
        self._add(Finding(
            rule.code, rule.severity, error.message, error.hint or rule.hint, error.element,
            error.line, error.column, tuple(rule.consumers)))

    def add_comment(self, rule: Rule, comment: Comment, message: str) -> None:
        """Add the finding of a rule about a comment, or only count it beyond the limit."""
        if self._is_full(rule):
            self._count(rule.code, rule.severity)
            return
        element = '' if comment.parent is None else _truncate(comment.parent.path)
        self._add(Finding(
            rule.code, rule.severity, _truncate(message), rule.hint, element, comment.line,
            comment.column))

    def add_defect(self, rule: Rule, defect: Defect) -> None:
        """Add the finding of a rule about a defect, or only count it beyond the limit."""
        severity = rule.severity if defect.severity is None else defect.severity
        if self._is_full(rule):
            self._count(rule.code, severity)
            return
        element = defect.element
        self._add(Finding(
            rule.code, severity, _truncate(defect.message), _truncate(defect.hint) or rule.hint,
            _truncate(element.path), element.line, element.column,
            tuple(rule.consumers) if defect.consumers is None else defect.consumers,
            defect.fix))

    def build(
            self, source: str, suppressed: int = 0, document: Document | None = None) -> Report:
        """Return the report, with the findings in file order."""
        findings = sorted(self._findings, key=lambda finding: (
            finding.line or 0, finding.column or 0, -finding.severity, finding.code))
        omitted = {code: number - self._max_per_rule for code, number in self._of_rule.items()
                   if number > self._max_per_rule}
        return Report(
            source, tuple(findings), dict(self._of_severity), omitted, suppressed, document)

    def _is_full(self, rule: Rule) -> bool:
        return self._of_rule[rule.code] >= self._max_per_rule

    def _add(self, finding: Finding) -> None:
        self._findings.append(finding)
        self._count(finding.code, finding.severity)

    def _count(self, code: str, severity: Severity) -> None:
        self._of_rule[code] += 1
        self._of_severity[severity] += 1


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH - 3] + '...'
