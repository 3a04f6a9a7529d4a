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
"""What becomes of a description in each program, in one line."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.consumers import PARSERS
from urdf_tools.findings.consumers import PROGRAMS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.verdict import Verdict
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


def verdicts(
        findings: Iterable[Finding], modelled: Mapping[str, Verdict],
        programs: Collection[str] = PROGRAMS) -> dict[str, Verdict]:
    """
    Return what each program makes of the description.

    That is what the model of its conversion says, or else what the rules state, where notes do
    not count. A program also suffers what its parsers do, unless a finding states otherwise for
    itself.

    :param modelled: programs to what their models say.
    """
    found = tuple(finding for finding in findings if finding.severity >= Severity.WARN)
    return {program: modelled.get(program) or stated_verdict(program, found)
            for program in programs}


def told_programs(modelled: Iterable[str], programs: Collection[str] = ()) -> tuple[str, ...]:
    """
    Return the programs whose verdicts are told.

    :param modelled: the programs of which there are models.
    :param programs: those that matter; all but the parsers of others if there are none.
    """
    return tuple(programs) or tuple(sorted({*PROGRAMS, *modelled} - PARSERS))


def headline(found: Mapping[str, Verdict]) -> str:
    """
    Return in one line what each program makes of the description, the worst first.

    It is empty if all programs are fine.

    :param found: programs to their verdicts.
    """
    together: dict[str, list[str]] = {}
    for program, verdict in sorted(found.items(), key=lambda each: -each[1].worst):
        together.setdefault(verdict.text(), []).append(program)
    if together.keys() <= {'fine'}:
        return ''
    return '. '.join(
        f'{", ".join(group)}: {found[group[0]].text(plural=len(group) > 1)}'
        for group in together.values())


def stated_verdict(program: str, findings: Iterable[Finding]) -> Verdict:
    """Return what a program makes of the description by the consequences of findings."""
    elements: dict[tuple[Impact, bool, str], set[str]] = {}
    for finding in findings:
        element = f'{finding.element}@{finding.line}'
        for each in _of_program(finding.consequences, program):
            # Several defects of a link drop it once.
            affected = element.partition(']')[0] if each.of in ('link', 'joint') else element
            kind = each.impact, each.is_certain, each.of
            elements.setdefault(kind, set()).add(affected)
    return Verdict(
        max((impact + certain / 2 for impact, certain, _ in elements), default=0),
        tuple(_parts({kind: len(each) for kind, each in elements.items()})))


def refusals(program: str, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings because of which a program surely refuses the description."""
    return [finding for finding in findings if any(
        each.impact >= Impact.REFUSES and each.is_certain
        for each in _of_program(finding.consequences, program))]


def _parts(numbers: Mapping[tuple[Impact, bool, str], int]) -> Iterator[str]:
    """Yield the parts of a verdict, the worst first."""
    impacts = {(impact, certain) for impact, certain, _ in numbers}
    for impact, does, may in (
            (Impact.CRASHES, 'crash{es}', 'may crash'),
            (Impact.REFUSES, 'refuse{s} it', 'may refuse it')):
        if (impact, True) in impacts or (impact, False) in impacts:
            yield does if (impact, True) in impacts else may
            return
    for impact in _LOSSES:
        verb = impact.name.lower().removesuffix('s')
        for certain, words in ((True, f'{verb}{{s}}'), (False, f'may {verb}')):
            counts = sorted(((number, of) for (kind, sure, of), number in numbers.items()
                             if (kind, sure) == (impact, certain)), reverse=True)
            if counts:
                yield f'{words} {" and ".join(count(*each) for each in counts[:2])}'
    if {(Impact.WARNS, True), (Impact.WARNS, False)} & impacts:
        yield 'warn{s}'


def _of_program(consequences: Consequences, program: str) -> list[Consequence]:
    """Return what a finding does to a program itself, or else to its parsers."""
    own = [each for each in consequences if each.program == program]
    return own or [each for each in consequences if each.program in CONSUMERS[program]]
