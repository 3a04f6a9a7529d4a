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


"""A report on a running graph, also as a line from the process that observes to another."""

from __future__ import annotations

import base64
from dataclasses import dataclass
import pickle
from typing import Any

from urdf_tools.findings import message
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.monitoring.graph_rules import GraphFinding


_NODES = ('users', 'waiting', 'sources', 'publisher', 'publishers', 'other_node', 'subscribers',
          'simulated', 'real', 'static', 'moving')
_FRAMES = ('frame', 'frames', 'parent', 'parents', 'expected', 'root', 'wrong')
_TIMES = ('age', 'ahead', 'gap', 'jump', 'pause', 'seconds', 'silence', 'time')
"""Arguments of messages by what they are; those of a kind have the same name in all rules."""


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


def as_data(of_graph: GraphReport, least: Severity = Severity.INFO) -> dict[str, Any]:
    """
    Return a report as data for JSON.

    :param least: findings of a lower severity are only counted.
    """
    report = of_graph.report
    return {
        'source': report.source,
        'valid': report.valid,
        'seconds': round(of_graph.seconds, 3),
        'nodes': of_graph.nodes,
        'robots': list(of_graph.robots),
        'counts': {severity.name: report.counts[severity] for severity in reversed(Severity)},
        'omitted': dict(report.omitted),
        'findings': [finding_data(finding) for finding in report.at_least(least)
                     if isinstance(finding, GraphFinding)]}


def finding_data(finding: GraphFinding) -> dict[str, Any]:
    """Return a finding as data for JSON; times are in seconds."""
    arguments = message.as_data(finding.arguments)

    def named(names: tuple[str, ...]) -> list[str]:
        values = (arguments[name] for name in names if name in arguments)
        return list(dict.fromkeys(name for value in values for name in (
            value if isinstance(value, list) else [value]) if name))

    numbers = {name: value for name, value in arguments.items() if isinstance(value, (int, float))}
    return {
        'code': finding.code,
        'severity': finding.severity.name,
        'message': finding.message,
        'hint': finding.hint,
        'topic': finding.file(''),
        'who': list(finding.nodes),
        'subject': finding.subject,
        'topics': named(('topic', 'topics', 'published')),
        'nodes': named(('nodes', *_NODES)),
        'frames': named(_FRAMES),
        'joints': named(('joint', 'joints', 'leader')),
        'numbers': {name: value for name, value in numbers.items() if name not in _TIMES},
        'times': {name: value for name, value in numbers.items() if name in _TIMES},
        'arguments': arguments,
    }


def change_data(finding: GraphFinding, change: str, at: float) -> dict[str, Any]:
    """
    Return data for JSON that a finding is new or gone.

    :param change: ``new`` or ``gone``.
    :param at: when, in seconds since the epoch.
    """
    return {'change': change, 'at': round(at, 3), **finding_data(finding)}


def to_line(of_graph: GraphReport) -> bytes:
    """Return a report as ASCII without a line break, for :func:`from_line` in another process."""
    return base64.b64encode(pickle.dumps(of_graph))


def from_line(line: bytes) -> GraphReport:
    """
    Return the report of a line that a process of this package has written.

    :raises ValueError: the line is none that :func:`to_line` returns.
    """
    try:
        of_graph = pickle.loads(base64.b64decode(line.strip(), validate=True))
    except (ValueError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f'Not a report: {line[:80]!r}') from error
    if not isinstance(of_graph, GraphReport):
        raise ValueError(f'Not a report: {line[:80]!r}')
    return of_graph
