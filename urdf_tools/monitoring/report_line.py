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


"""A report on a running graph as one line of JSON, from the process that observes to another."""

from __future__ import annotations

from dataclasses import dataclass
import json
from typing import Any

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.monitoring.graph_rules import GraphFinding


@dataclass(frozen=True)
class Sight:
    """
    A report, and what it is about.

    :param nodes: number of nodes in the graph.
    :param robots: their names.
    """

    report: Report
    seconds: float
    nodes: int
    robots: tuple[str, ...]


def as_data(sight: Sight, least: Severity = Severity.INFO) -> dict[str, Any]:
    """
    Return a report as data for JSON.

    :param least: findings of a lower severity are only counted.
    """
    report = sight.report
    return {
        'source': report.source,
        'valid': report.valid,
        'seconds': round(sight.seconds, 3),
        'nodes': sight.nodes,
        'robots': list(sight.robots),
        'counts': {severity.name: report.counts[severity] for severity in reversed(Severity)},
        'omitted': dict(report.omitted),
        'findings': [{
            'code': finding.code,
            'severity': finding.severity.name,
            'message': finding.message,
            'hint': finding.hint,
            'topic': finding.file(''),
            'who': list(finding.who),
            'subject': finding.subject,
        } for finding in report.at_least(least) if isinstance(finding, GraphFinding)]}


def to_line(sight: Sight) -> str:
    """Return a report as one line of ASCII."""
    return json.dumps(as_data(sight))


def from_line(line: str) -> Sight:
    """
    Return the report of a line.

    :raises ValueError: the line is none that :func:`to_line` returns.
    """
    try:
        data: dict[str, Any] = json.loads(line)
        findings = tuple(GraphFinding(
            entry['code'], Severity[entry['severity']], entry['message'], entry['hint'],
            ', '.join(entry['who']), topic=entry['topic'], subject=entry['subject'])
            for entry in data['findings'])
        counts = {Severity[name]: int(number) for name, number in data['counts'].items()}
        return Sight(
            Report(data['source'], findings, counts, data['omitted'], 0), data['seconds'],
            data['nodes'], tuple(data['robots']))
    except (KeyError, TypeError) as error:
        raise ValueError(f'Not a report: {line[:80]!r}') from error
