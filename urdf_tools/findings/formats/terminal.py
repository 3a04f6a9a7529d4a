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
import re
import textwrap

from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import FindingsOfRule
from urdf_tools.findings.folding import fold
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import OutputFormat
from urdf_tools.findings.formats import Result
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Reference
from urdf_tools.findings.report import Report
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable

_COLOURS = {Severity.ERROR: '\033[1;31m', Severity.WARN: '\033[1;35m', Severity.INFO: '\033[1;36m'}
_BOLD = '\033[1m'
_PLAIN = '\033[0m'

MAX_LINES = 5
"""Most lines about the findings of one rule, beside those about xacro sources and what more than a
line can say programs do, unless all are listed."""

_NAMED = 3
"""Most findings like another one whose locations are named."""

_MAX_WIDTH = 110
_INDENT = '      = '


def render(report: Report, *, minimum: Severity = Severity.INFO, colour: bool = False,
           verbose: bool = False, verdict: bool = True, failing: Severity = Severity.ERROR) -> str:
    """
    Return a report as text, with a summary in the last line.

    Findings that repeat each other are folded, the worst come first, and each rule has at most
    :data:`MAX_LINES` lines.

    :param minimum: findings of a lower severity are only counted.
    :param colour: use the colours of an ANSI terminal.
    :param verbose: list every finding, in file order.
    :param verdict: say in the first lines whether the description passes, and who refuses or
        changes it, unless all is fine.
    :param failing: the lowest severity with which the description fails.
    """
    page = _Page(report, colour)
    shown = report.at_least(minimum)
    source = printable(report.source)
    head = report.headline(failing) if verdict else []
    head[:1] = [f'{location(report.source)}: {line}' for line in head[:1]]
    lines = [f'{page.bold}{line}{page.plain}' for line in head]
    summary = report.summary(minimum)
    if verbose:
        lines += page.every(shown)
        codes = {finding.code for finding in shown}
        lines += [f'{source}: {number} more of {code}'
                  for code, number in report.omitted.items() if code in codes]
    else:
        omitted = dict(report.omitted)
        for rule in fold(shown):
            lines += page.rule(rule, omitted.pop(rule.code, 0))
        if page.hidden:
            summary += f' ({page.hidden} folded; --verbose lists them)'
    if any(line.endswith(' reasons)') for line in head):
        lines.append(f'{source}: urdf-tools account shows how each program loads it')
    return '\n'.join((*lines, f'{source}: {summary}'))


class _Page:
    """
    The text of the findings of a report.

    :ivar hidden: number of findings that are only counted so far.
    """

    def __init__(self, report: Report, colour: bool):
        self.bold, self.plain = (_BOLD, _PLAIN) if colour else ('', '')
        self.hidden = 0
        self._colour = colour
        self._source = report.source

    def every(self, findings: Sequence[Finding]) -> Iterator[str]:
        """Yield the lines of all findings; the first one of a rule names who it affects."""
        seen = set()
        for finding in findings:
            yield self._head(finding)
            yield from self._excerpt(finding)
            yield from (_INDENT + printable(remark) for remark in finding.remarks)
            yield from _hint(finding)
            if finding.code not in seen:
                seen.add(finding.code)
                yield from (_INDENT + effect for effect in self._effects([finding]))

    def rule(self, rule: FindingsOfRule, omitted: int) -> list[str]:
        """
        Return the lines of the findings of a rule: at most :data:`MAX_LINES`.

        :param omitted: number of findings of the rule that the report does not have.
        """
        hints = {folded.first.hint for folded in rule.folded}
        end = _hint(rule.folded[0].first) if len(hints) == 1 else []
        end += _wrapped(self._effects([folded.first for folded in rule.folded]))
        if len(rule.folded) == 1:
            folded = rule.folded[0]
            self.hidden += folded.others
            return [self._head(folded.first, folded.others + omitted, folded.rest),
                    *self._excerpt(folded.first), *_source(folded.first), *end]
        lines: list[str] = []
        used = 0
        rest = list(rule.folded)
        while rest:
            first, others, alike = rest[0]
            hint = _hint(first) if len(hints) > 1 else []
            more = len(rest) > 1 or omitted > 0
            if lines and used + 1 + len(hint) + min(len(end), 2) + more > MAX_LINES:
                break
            used += 1 + len(hint)
            lines += [self._head(first, others, alike), *_source(first), *hint]
            self.hidden += others
            del rest[0]
        unnamed = sum(folded.others + 1 for folded in rest)
        self.hidden += unnamed
        if unnamed + omitted:
            lines.append(f'{printable(self._source)}: {unnamed + omitted} more of {rule.code}')
        return lines + end

    def _head(self, finding: Finding, others: int = 0, rest: Sequence[Finding] = ()) -> str:
        paint = _COLOURS[finding.severity] if self._colour else ''
        where = location(finding.file(self._source), finding.line, finding.column)
        more = f' and {count(others, "other")} like it' if others else ''
        if others == len(rest) <= _NAMED and all(each.line for each in rest) and rest:
            more += ': ' + ', '.join(
                location(each.file(self._source), each.line, None) + _named(each, finding)
                for each in rest)
        return (f'{self.bold}{where}: {paint}{finding.severity.label}:{self.plain} '
                f'{self.bold}{printable(finding.message)}{self.plain} [{finding.code}]{more}')

    def _excerpt(self, finding: Finding) -> Iterator[str]:
        """Yield the line of the finding and a line that underlines its tag."""
        line = finding.excerpt if finding.trace is None else finding.trace.text
        if finding.line is None or finding.column is None or not line:
            return
        column = finding.column - 1
        start = max(0, min(column - _MAX_WIDTH // 2, len(line) - _MAX_WIDTH))
        end = min(start + _MAX_WIDTH, len(line))
        length = max(1, min(end, _end(finding, line)) - column)
        before, inside, after = (printable(part.rstrip('\r').replace('\t', ' ')) for part in (
            line[start:column], line[column:column + length], line[column + length:end]))
        paint, plain = (_COLOURS[finding.severity], _PLAIN) if self._colour else ('', '')
        number = f'{finding.line:5d}'
        yield f'{number} | {before}{inside}{after}'.rstrip()
        yield (f'{" " * len(number)} | {" " * len(before)}{paint}^'
               f'{"~" * (len(inside) - 1)}{plain}')

    def _effects(self, findings: Sequence[Finding]) -> list[str]:
        """Return what the findings of one rule do to each program that they affect."""
        stated = grouped((text, program) for program, text in sentences(
            each for finding in findings for each in finding.consequences).items())
        return [printable(f'{", ".join(names)}: {text}') for text, names in stated.items()]


def _hint(finding: Finding) -> list[str]:
    return [_INDENT + printable(finding.hint)] if finding.hint else []


def _named(other: Finding, first: Finding) -> str:
    """Return what another finding names in brackets, if the first one names something else."""
    return next((f' ({printable((*getattr(value, "names", ()), value)[0])})'
                 for key, value in other.arguments.items() if isinstance(
                     value, (Name, Reference)) and value != first.arguments.get(key)), '')


def _source(finding: Finding) -> list[str]:
    """Return the lines about the xacro source of a finding, if it has one."""
    return _wrapped([printable(remark) for remark in finding.remarks])


def _wrapped(texts: Sequence[str]) -> list[str]:
    """Return texts as one line if they fit into it, or else each on lines of its own."""
    whole = '; '.join(texts)
    # No line begins with what is a command in the log of a CI service.
    parts = [re.sub(' (?=::|##)', '\0', text) for text in (
        [whole] if len(whole) <= _MAX_WIDTH else texts)]
    return [line.replace('\0', ' ') for part in parts for line in textwrap.wrap(
        part, _MAX_WIDTH, initial_indent=_INDENT, subsequent_indent=' ' * len(_INDENT),
        break_long_words=False, break_on_hyphens=False)]


def _end(finding: Finding, line: str) -> int:
    """Return the end of what to underline in a line: of the attribute, or of the tag."""
    column = (finding.column or 1) - 1
    if finding.trace is not None and finding.trace.length:
        return column + finding.trace.length
    return line.find('>', column) + 1 or len(line)


def _write(results: Sequence[Result], options: Options) -> str:
    return '\n'.join(render(
        report, minimum=minimum, colour=options.colour, verbose=options.verbose,
        verdict=options.verdict, failing=failing)
        for report, failing, minimum in results)


FORMAT = OutputFormat('text', _write, is_document=False)
