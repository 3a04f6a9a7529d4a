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
"""What the findings of a report do to each program, in one line."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.consumers import PROGRAMS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.model.messages import count

_LOSSES = (Impact.DROPS, Impact.CHANGES, Impact.IGNORES)


def severity_for(
        severity: Severity, consequences: Consequences, programs: Collection[str]) -> Severity:
    """
    Return the severity of a finding for those who use some programs only.

    What one of them refuses or crashes on is an error, unless it is a note.

    :param severity: its severity for everybody.
    :param programs: the programs; none if there is no restriction.
    """
    is_worst = any(each.impact >= Impact.REFUSES and each.is_certain
                   for program in programs for each in _of_program(consequences, program))
    return Severity.ERROR if is_worst and severity is Severity.WARN else severity


def verdicts(findings: Iterable[Finding], programs: Collection[str] = PROGRAMS) -> dict[str, str]:
    """
    Return what each program does with the description, such as ``drops 3 joints``.

    Notes do not count. A program also suffers what its parsers do, unless a finding states
    otherwise for itself.
    """
    found = tuple(findings)
    return {program: _Verdict(program, found).text() for program in programs}


def headline(findings: Iterable[Finding], programs: Collection[str] = PROGRAMS) -> str:
    """
    Return in one line what each program does with the description, the worst first.

    Notes do not count. It is empty if all programs are fine.
    """
    found = tuple(findings)
    together: dict[str, list[_Verdict]] = {}
    for verdict in sorted(
            (_Verdict(program, found) for program in programs),
            key=lambda verdict: -verdict.worst):
        together.setdefault(verdict.text(), []).append(verdict)
    if together.keys() <= {'fine'}:
        return ''
    return '. '.join(
        f'{", ".join(verdict.program for verdict in group)}: '
        f'{group[0].text(plural=len(group) > 1)}' for group in together.values())


class _Verdict:
    """What a program does with a description."""

    def __init__(self, program: str, findings: Iterable[Finding]):
        self.program = program
        self._elements: dict[tuple[Impact, bool, str], set[str]] = {}
        for finding in findings:
            if finding.severity < Severity.WARN:
                continue
            element = f'{finding.element}@{finding.line}'
            for each in _of_program(finding.consequences, program):
                # Several defects of a link drop it once.
                affected = element.partition(']')[0] if each.of in ('link', 'joint') else element
                kind = each.impact, each.is_certain, each.of
                self._elements.setdefault(kind, set()).add(affected)
        self.worst = max(
            (impact + certain / 2 for impact, certain, _ in self._elements), default=0)

    def text(self, plural: bool = False) -> str:
        """
        Return the verdict as the end of a sentence.

        :param plural: the subject of the sentence is several programs.
        """
        return ', '.join([*self._parts('' if plural else 's')][:2]) or 'fine'

    def _parts(self, end: str) -> Iterator[str]:
        """Yield the parts of the sentence, the worst first."""
        impacts = {(impact, certain) for impact, certain, _ in self._elements}
        for impact, verb, rest in (
                (Impact.CRASHES, 'crash', ''), (Impact.REFUSES, 'refuse', ' it')):
            if (impact, True) in impacts:
                yield f'{verb}{"e" * verb.endswith("h") if end else ""}{end}{rest}'
                return
            if (impact, False) in impacts:
                yield f'may {verb}{rest}'
                return
        for impact in _LOSSES:
            verb = impact.name.lower().removesuffix('s')
            for certain, words in ((True, f'{verb}{end}'), (False, f'may {verb}')):
                numbers = sorted(
                    ((len(elements), of) for (kind, sure, of), elements in self._elements.items()
                     if (kind, sure) == (impact, certain)), reverse=True)
                if numbers:
                    yield f'{words} {" and ".join(count(*number) for number in numbers[:2])}'
        if {(Impact.WARNS, True), (Impact.WARNS, False)} & impacts:
            yield f'warn{end}'


def _of_program(consequences: Consequences, program: str) -> list[Consequence]:
    """Return what a finding does to a program itself, or else to its parsers."""
    own = [each for each in consequences if each.program == program]
    return own or [each for each in consequences if each.program in CONSUMERS[program]]
