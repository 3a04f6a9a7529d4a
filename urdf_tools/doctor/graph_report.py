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


"""A report on a running graph, also as data, and the changes between reports."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace
from typing import Any

from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.findings import message
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats.junit import as_junit
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.findings.report import Report


_NODES = ('users', 'waiting', 'sources', 'publisher', 'publishers', 'other_node', 'subscribers',
          'simulated', 'real', 'static', 'moving')
_FRAMES = ('frame', 'frames', 'parent', 'parents', 'expected', 'root', 'wrong')
_TIMES = ('age', 'ahead', 'gap', 'jump', 'pause', 'seconds', 'silence', 'time')
"""Arguments of messages by kind; those of a kind have the same name in all rules."""


@dataclass(frozen=True)
class GraphReport:
    """
    A report on a running graph, and what was observed.

    :param seconds: how long it was observed.
    :param nodes: number of nodes in the graph.
    :param robots: names of the robots in it.
    """

    report: Report
    seconds: float
    nodes: int
    robots: tuple[str, ...]


def in_format(report: Report, kind: str, least: int, failing: int, **options: Any) -> Any:
    """
    Return a report as text, or as data for JSON with SARIF.

    :param kind: ``text``, ``sarif`` or ``junit``.
    :param least: findings of a lower severity are left out.
    :param failing: the lowest severity of findings that fail.
    :param options: those of :func:`~urdf_tools.findings.formats.terminal.render`.
    """
    if kind == 'sarif':
        return as_sarif([report], GRAPH_RULES, least=Severity(least))
    if kind == 'junit':
        return as_junit([(report, Severity(failing))], Severity(least), options['verbose'])
    return render(report, least=Severity(least), **options)


def as_data(of_graph: GraphReport, least: Severity = Severity.INFO) -> dict[str, Any]:
    """
    Return a report as data for JSON.

    :param least: findings of a lower severity are only counted.
    """
    report = of_graph.report
    return {
        'source': report.source, 'valid': report.valid, 'seconds': round(of_graph.seconds, 3),
        'nodes': of_graph.nodes, 'robots': list(of_graph.robots),
        'counts': {severity.name: report.counts[severity] for severity in reversed(Severity)},
        'omitted': dict(report.omitted),
        'findings': [finding_data(finding) for finding in report.at_least(least)
                     if isinstance(finding, GraphFinding)]}


def finding_data(finding: GraphFinding) -> dict[str, Any]:
    """Return a finding as data for JSON; times are in seconds."""
    arguments = message.as_data(finding.arguments)

    def named(names: tuple[str, ...]) -> list[str]:
        values = (arguments.get(name, []) for name in names)
        return list(dict.fromkeys(name for value in values for name in (
            value if isinstance(value, list) else [value]) if name))

    numbers = {name: value for name, value in arguments.items() if isinstance(value, (int, float))}
    return {
        'code': finding.code, 'severity': finding.severity.name,
        'message': finding.message, 'hint': finding.hint,
        'topic': finding.file(''), 'who': list(finding.nodes), 'subject': finding.subject,
        'topics': named(('topic', 'topics', 'published')),
        'nodes': named(('nodes', *_NODES)),
        'frames': named(_FRAMES),
        'joints': named(('joint', 'joints', 'leader')),
        'numbers': {name: value for name, value in numbers.items() if name not in _TIMES},
        'times': {name: value for name, value in numbers.items() if name in _TIMES},
        'arguments': arguments}


_Key = tuple[object, ...]


class Changes:
    """Compares reports; a finding is the same while only its numbers and names change."""

    def __init__(self) -> None:
        self._known: dict[_Key, Finding] = {}

    def update(self, report: Report) -> tuple[Report, list[Finding]]:
        """Return a report without the findings that are known, and those that are gone."""
        present = {finding_key(finding): finding for finding in report.findings}
        fresh = tuple(
            finding for finding in report.findings if finding_key(finding) not in self._known)
        gone = [finding for key, finding in self._known.items() if key not in present]
        self._known = present
        return replace(report, findings=fresh), gone


def finding_key(finding: Finding) -> _Key:
    """Return the key of a finding, which does not depend on its numbers and names."""
    subject = finding.subject if isinstance(finding, GraphFinding) else ''
    words = (value for value in finding.arguments.values() if type(value) is str)
    return finding.code, finding.file(''), finding.element, subject, *words
