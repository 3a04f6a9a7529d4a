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

"""Reports for a person at a terminal, in the manner of a compiler."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.report import Report
from urdf_tools.validation.rules import RULES

_COLOURS = {Severity.ERROR: '\033[1;31m', Severity.WARN: '\033[1;35m', Severity.INFO: '\033[1;36m'}
_BOLD = '\033[1m'
_PLAIN = '\033[0m'

_WIDEST = 110
_TAB = ' '


def render(report: Report, *, least: Severity = Severity.INFO, colour: bool = False) -> str:
    """
    Return a report as text, with a summary as the last line.

    What a defect does to other programs is said at the first finding of its kind.

    :param least: findings that matter less are only counted.
    :param colour: use the colours of an ANSI terminal.
    """
    lines = [] if report.document is None else _source_lines(report)
    shown = [finding for finding in report.findings if finding.severity >= least]
    first = {finding.code: finding for finding in reversed(shown)}
    parts = [_finding(finding, report.source, lines, colour, first[finding.code] is finding)
             for finding in shown]
    parts += [f'{report.source}: {count} more of {code}'
              for code, count in report.omitted.items() if RULES[code].severity >= least]
    return '\n'.join((*parts, _summary(report, least)))


def _source_lines(report):
    return report.document.data.decode('utf-8', 'replace').split('\n')


def _finding(
        finding: Finding, source: str, lines: list[str], colour: bool, in_full: bool) -> str:
    paint = _COLOURS[finding.severity] if colour else ''
    bold, plain = (_BOLD, _PLAIN) if colour else ('', '')
    place = ':'.join(str(part) for part in (source, finding.line, finding.column) if part)
    head = (f'{bold}{place}: {paint}{finding.severity.label}:{plain} '
            f'{bold}{finding.message}{plain} [{finding.code}]')
    return '\n'.join((head, *_excerpt(finding, lines, paint, plain), *_advice(finding, in_full)))


def _excerpt(finding, lines, paint, plain) -> Iterator[str]:
    """Yield the line of the description and a mark below the place in it."""
    if finding.line is None or finding.column is None or finding.line > len(lines):
        return
    line = lines[finding.line - 1].rstrip('\r').replace('\t', _TAB)
    column = finding.column - 1
    start = max(0, min(column - _WIDEST // 2, len(line) - _WIDEST))
    shown = line[start:start + _WIDEST]
    length = _length_of_tag(line, column, start + _WIDEST)
    number = f'{finding.line:5d}'
    yield f'{number} | {shown}'
    yield f'{" " * len(number)} | {" " * (column - start)}{paint}^{"~" * (length - 1)}{plain}'


def _length_of_tag(line, column, limit):
    end = line.find('>', column)
    return max(1, min(limit, len(line) if end < 0 else end + 1) - column)


def _advice(finding: Finding, in_full: bool) -> Iterator[str]:
    if finding.hint:
        yield f'      = {finding.hint}'
    if in_full:
        for consumer, effect in RULES[finding.code].consumers.items():
            yield f'      = {consumer}: {effect}'


def _summary(report: Report, least: Severity) -> str:
    counts = [
        f'{report.counts[severity]} {severity.label}{"s" if report.counts[severity] != 1 else ""}'
        + (' (not shown)' if severity < least and report.counts[severity] else '')
        for severity in (Severity.ERROR, Severity.WARN, Severity.INFO)]
    suppressed = f', {report.suppressed} suppressed' if report.suppressed else ''
    return f'{report.source}: {", ".join(counts)}{suppressed}'
