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


"""Build a report from what rules find, with a limited number of findings per rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import shortened
from urdf_tools.findings.report import Report
from urdf_tools.findings.rules import AnyRule
from urdf_tools.findings.rules import ElementDefect
from urdf_tools.findings.rules import Rule
from urdf_tools.findings.source_trace import Instance
from urdf_tools.findings.source_trace import SourceTrace
from urdf_tools.findings.source_trace import trace
from urdf_tools.findings.source_trace import trace_comment
from urdf_tools.findings.source_trace import trace_error
from urdf_tools.findings.suppressions import Suppression
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Comment
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import XacroSources


class ReportBuilder:
    """
    Collects the findings of a report.

    Findings about elements that come from one location in a xacro file are one finding with
    several instances.

    :param max_per_rule: number of findings kept per rule; further ones are counted.
    :param xacro: the files that the description was expanded from, if it was.
    """

    def __init__(self, max_per_rule: int, xacro: XacroSources | None = None):
        self._max_per_rule = max_per_rule
        self._properties = {} if xacro is None else xacro.properties
        self._order = {} if xacro is None else {
            file.path: number for number, file in reversed([*enumerate(xacro.files)])}
        self._instances: dict[
            tuple[str, Severity, SourceLocation, int], tuple[int, list[Instance]]] = {}
        self._of_element: Counter[tuple[str, Severity, SourceLocation, Element]] = Counter()
        self._findings: list[Finding] = []
        self._of_rule: Counter[str] = Counter()
        self._of_severity = [0] * len(Severity)

    def add_error(self, rule: AnyRule, error: DescriptionError, severity: Severity | None = None,
                  consequences: Consequences = ()) -> None:
        """Add the finding of a rule about a description that cannot be read."""
        self._add(Finding(
            rule.code, rule.severity if severity is None else severity,
            Message('{error}', error=FreeText(error.message)), error.hint or rule.fix,
            error.element, error.line, error.column, consequences, trace=trace_error(error)))

    def add_comment(
            self, rule: AnyRule, suppression: Suppression, template: str, code: str) -> None:
        """Add the finding of a rule about a comment, or only count it beyond the limit."""
        comment = suppression.comment
        element = ''
        if isinstance(comment, Comment) and comment.parent is not None:
            element = shortened(comment.parent.path)
        self._add(Finding(
            rule.code, rule.severity, Message(template, code=code), rule.fix, element,
            comment.line, comment.column, trace=trace_comment(suppression)))

    def add_defect(self, rule: Rule[Any, Any], defect: ElementDefect, severity: Severity,
                   consequences: Consequences) -> None:
        """Add the finding of a rule about a defect, or only count it beyond the limit."""
        element = defect.element
        if element.origin is None and self._is_full(rule):
            self._count(rule.code, severity)
            return
        message, hint = defect.texts(rule)
        source = trace(element, message, defect.fix, defect.attribute, self._properties,
                       defect.is_misplaced)
        if source is not None and self._is_instance(rule, severity, element, source):
            return
        line, column = (element.line, element.column) if source is None else source.location[1:]
        self._add(Finding(
            rule.code, severity, message, hint, shortened(element.path), line, column,
            consequences, defect.fix, source))

    def _is_instance(self, rule: AnyRule, severity: Severity, element: Element,
                     source: SourceTrace) -> bool:
        """Add an instance to an earlier finding about the same source location, if any."""
        kind = rule.code, severity, source.location
        # Several findings about one element are several findings about its source, too.
        key = (*kind, self._of_element[(*kind, element)])
        self._of_element[(*kind, element)] += 1
        if key in self._instances:
            self._instances[key][1].extend(source.instances)
            return True
        index = -1 if self._is_full(rule) else len(self._findings)
        self._instances[key] = index, list(source.instances)
        return False

    def build(self, source: str, suppressed: int = 0, document: Document | None = None) -> Report:
        """Return the report, with the findings in file order."""
        for index, instances in self._instances.values():
            if index >= 0 and len(instances) > 1:
                finding = self._findings[index]
                assert finding.trace is not None
                self._findings[index] = replace(
                    finding, trace=finding.trace._replace(instances=tuple(instances)))
        findings = sorted(self._findings, key=lambda finding: (
            self._order.get(finding.file(source), 0), finding.line or 0, finding.column or 0,
            -finding.severity, finding.code))
        omitted = {code: number - self._max_per_rule for code, number in self._of_rule.items()
                   if number > self._max_per_rule}
        return Report(
            source, tuple(findings), dict(zip(Severity, self._of_severity)), omitted, suppressed,
            document, robot='' if document is None else document.root.get('name', ''),
            remark='' if document is None else document.remark)

    def _is_full(self, rule: AnyRule) -> bool:
        return self._of_rule[rule.code] >= self._max_per_rule

    def _add(self, finding: Finding) -> None:
        if self._of_rule[finding.code] < self._max_per_rule:
            self._findings.append(finding)
        self._count(finding.code, finding.severity)

    def _count(self, code: str, severity: Severity) -> None:
        self._of_rule[code] += 1
        self._of_severity[severity] += 1
