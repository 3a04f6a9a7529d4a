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


"""Reports for a terminal, in the style of a compiler."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence

from urdf_tools.model.messages import location
from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.report import Report
from urdf_tools.validation.rules import RULES

_COLOURS = {Severity.ERROR: '\033[1;31m', Severity.WARN: '\033[1;35m', Severity.INFO: '\033[1;36m'}
_BOLD = '\033[1m'
_PLAIN = '\033[0m'

_MAX_WIDTH = 110
_TAB = ' '


def render(report: Report, *, least: Severity = Severity.INFO, colour: bool = False) -> str:
    """
    Return a report as text, with a summary in the last line.

    The first finding of each rule names the programs affected.

    :param least: findings of a lower severity are only counted.
    :param colour: use the colours of an ANSI terminal.
    """
    lines = _source_lines(report)
    shown = report.at_least(least)
    first = {finding.code: finding for finding in reversed(shown)}
    parts = [_finding(finding, report.source, lines, colour, first[finding.code] is finding)
             for finding in shown]
    parts += [f'{report.source}: {number} more of {code}'
              for code, number in report.omitted.items() if RULES[code].severity >= least]
    return '\n'.join((*parts, f'{report.source}: {report.summary(least)}'))


def _source_lines(report: Report) -> list[str]:
    if report.document is None:
        return []
    return report.document.data.decode('utf-8', 'replace').split('\n')


def _finding(
        finding: Finding, source: str, lines: Sequence[str], colour: bool, in_full: bool) -> str:
    paint = _COLOURS[finding.severity] if colour else ''
    bold, plain = (_BOLD, _PLAIN) if colour else ('', '')
    head = (f'{bold}{location(source, finding.line, finding.column)}: '
            f'{paint}{finding.severity.label}:{plain} {bold}{finding.message}{plain} '
            f'[{finding.code}]')
    return '\n'.join((head, *_excerpt(finding, lines, paint, plain), *_advice(finding, in_full)))


def _excerpt(finding: Finding, lines: Sequence[str], paint: str, plain: str) -> Iterator[str]:
    """Yield the line of the finding and a line that underlines its tag."""
    if finding.line is None or finding.column is None or finding.line > len(lines):
        return
    line = lines[finding.line - 1].rstrip('\r').replace('\t', _TAB)
    column = finding.column - 1
    start = max(0, min(column - _MAX_WIDTH // 2, len(line) - _MAX_WIDTH))
    shown = line[start:start + _MAX_WIDTH]
    length = _tag_length(line, column, start + _MAX_WIDTH)
    number = f'{finding.line:5d}'
    yield f'{number} | {shown}'
    yield f'{" " * len(number)} | {" " * (column - start)}{paint}^{"~" * (length - 1)}{plain}'


def _tag_length(line: str, column: int, limit: int) -> int:
    end = line.find('>', column)
    return max(1, min(limit, len(line) if end < 0 else end + 1) - column)


def _advice(finding: Finding, in_full: bool) -> Iterator[str]:
    if finding.hint:
        yield f'      = {finding.hint}'
    if in_full:
        effects = RULES[finding.code].consumers
        for consumer in finding.consumers:
            yield f'      = {consumer}: {effects[consumer]}'
