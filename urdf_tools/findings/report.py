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
"""The result of validating one description, with the verdict of each program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
import os
from pathlib import Path
from typing import NamedTuple

from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import PROGRAMS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import end_of_sentence
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import shortened
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.spelling import Suggesting
from urdf_tools.model.xml.document import Document

MAX_PARTS = 2
"""Maximum number of parts of a verdict that are shown."""

_MAX_REASON = 200
"""Most characters of a reason at the top of a report."""

SIGNIFICANT_KINDS = ('joint', 'mass', 'base', 'inertia', 'mimic', 'loop', 'collision', 'shape')
"""The kinds of losses that change how a robot moves or what it hits, the worst first."""

_VERBS = {
    Impact.CRASHES: 'fails on', Impact.DROPS: 'drops', Impact.CHANGES: 'changes',
    Impact.IGNORES: 'ignores', Impact.WARNS: 'warns of'}


class Verdict(NamedTuple):
    """
    The verdict of a program on a description.

    :ivar worst: how bad it is; verdicts are compared by it.
    :ivar parts: the worst first, such as ``drops 2 joints``; at most :data:`MAX_PARTS` of them.
    :ivar reason: why the program refuses it, in the words of the finding, or the relevant change;
        may be empty.
    """

    worst: float = 0.0
    parts: tuple[str, ...] = ()
    reason: str = ''

    @property
    def refuses(self) -> bool:
        """Whether the program certainly refuses the description, or crashes on it."""
        return self.worst >= Impact.REFUSES and self.worst % 1 == 0.5

    @property
    def changes(self) -> bool:
        """Whether the program loses or changes something that matters, or may refuse it."""
        return self.worst > Impact.WARNS + 0.5 and not self.refuses

    @property
    def is_unjudged(self) -> bool:
        """Whether the program reads the format itself, so that nothing is known."""
        return bool(not self.worst and self.parts)

    def text(self) -> str:
        """Return it as the end of a sentence."""
        text = ', '.join(self.parts[:MAX_PARTS]) or 'fine'
        return f'{text}: {self.reason}' if self.refuses and self.reason else text


def verdicts(findings: Iterable[Finding], modelled: Mapping[str, Verdict],
             programs: Collection[str] = ()) -> dict[str, Verdict]:
    """
    Return the verdict of each program on the description.

    The verdict is that of the model of the program. Without a model, it is the worse of what
    the rules state, not counting notes, and of the verdicts of the parsers that the program uses.

    :param modelled: programs to the verdicts of their models.
    :param programs: those that matter; :data:`~urdf_tools.findings.consequences.PROGRAMS` if it is
        empty.
    """
    found = tuple(finding for finding in findings if finding.severity >= Severity.WARN)
    return {program: modelled.get(program) or max(
        (_stated(program, found), *(modelled[parser] for parser in CONSUMERS[program]
                                    if parser in modelled)), key=lambda each: each.worst)
            for program in programs or PROGRAMS}


def refusals(findings: Iterable[Finding]) -> Mapping[str, int]:
    """Return the messages of findings to the number of programs that refuse the description."""
    return {end_of_sentence(finding.message): len({
        each.program for each in finding.consequences if each.impact >= Impact.REFUSES})
        for finding in findings}


def _stated(program: str, findings: Sequence[Finding]) -> Verdict:
    """Return the verdict of a program according to the rules."""
    elements: dict[tuple[Impact, str], set[str]] = {}
    shares = refusals(findings)
    worst, reason = (0.0, 0), ''
    for finding in findings:
        own = [each for each in finding.consequences if each.program == program]
        # What the program itself does counts more than what its parsers do.
        for each in own or [each for each in finding.consequences
                            if each.program in CONSUMERS[program]]:
            # Several defects of a link drop it once.
            affected = finding.element.partition(']')[0] if each.of in ('link', 'joint') else (
                f'{finding.element}@{finding.line}')
            elements.setdefault((each.impact, each.of), set()).add(affected)
            words = end_of_sentence(finding.message)
            how_bad = each.impact + each.is_certain / 2, shares[words]
            if how_bad > worst:
                worst, reason = how_bad, words
    if worst[0] >= Impact.REFUSES:
        does, may = ('crashes', 'may crash') if worst[0] >= Impact.CRASHES else (
            'refuses it', 'may refuse it')
        return Verdict(worst[0], (does if worst[0] % 1 else may,), reason)
    lost = tuple(text for _, text in counted({kind: len(each) for kind, each in elements.items()}))
    return Verdict(worst[0], lost, next(
        (of for of in SIGNIFICANT_KINDS if any(kind == of for _, kind in elements)), ''))


def counted(numbers: Mapping[tuple[Impact, str], int]) -> Iterator[tuple[Impact, str]]:
    """Yield how much of each kind a program loses, the worst impact and largest number first."""
    order = sorted(numbers.items(), key=lambda item: -item[1])
    for impact, verb in _VERBS.items():
        lost = [count(number, of) for (how, of), number in order if how is impact]
        if lost:
            yield impact, f'{verb} {" and ".join(lost[:MAX_PARTS])}'


def _with_folders(path: str) -> set[str]:
    """Return a file, and the folders that it is in up to its package."""
    package = project_folder(Path(path).parent)
    return {path, *(str(each) for each in Path(path).parents if each.is_relative_to(package))}


def headline(outcome: str, found: Mapping[str, Verdict], fails: bool = False) -> list[str]:
    """
    Return printable lines: the outcome, who does not judge it, who refuses, who changes it.

    Programs that are fine are not named, nor who loses only what does not change how the robot
    moves or what it hits. Of several reasons, the one that most programs have is given.

    :param outcome: the first line; empty for none.
    :param found: programs to their verdicts.
    :param fails: whether there are errors, which come before what programs change.
    """
    reasons = grouped(
        (verdict.reason, program) for program, verdict in found.items() if verdict.refuses)
    refusing = [program for program, verdict in found.items() if verdict.refuses]
    changed = [f'{program} ({verdict.reason})' for program, verdict in sorted(
        found.items(), key=lambda each: -each[1].worst) if verdict.changes and verdict.reason]
    lines = [outcome] if outcome else []
    lines += [f'  {program} {verdict.parts[0]}' for program, verdict in found.items()
              if verdict.is_unjudged]
    if refusing:
        names = 'all programs' if len(refusing) == len(found) > 1 else ', '.join(refusing)
        reason = shortened(max(reasons, key=lambda each: len(reasons[each])), _MAX_REASON)
        share = f' (1 of {len(reasons)} reasons)' if len(reasons) > 1 else ''
        lines.append(f'  refused by {names}' + (f': {reason}' if reason else '') + share)
    if changed and not fails:
        lines.append(f'  changed by {", ".join(changed)}')
    return [*map(printable, lines)]


@dataclass(frozen=True)
class Report(Suggesting):
    """
    The findings about one description.

    :param source: the file or topic that the description came from, or an empty string.
    :param findings: in file order, with a limited number for each rule.
    :param counts: number of findings of each severity, including the omitted ones.
    :param omitted: code of a rule to the number of its findings beyond the limit.
    :param suppressed: number of findings suppressed by comments in the description.
    :param document: the description, or None if it cannot be parsed or was not kept.
    :param robot: name of the robot, or an empty string.
    :param combinations: number of combinations of xacro arguments that were checked.
    :param known: the findings that a baseline hides; they are not counted.
    :param programs: the verdict of each program on the description; empty if unknown.
    :param unread: the files that it refers to and that no rule has read, such as ``meshes and
        textures``; usually empty.
    :param untrusted: whether it, or why there is none, is the word of a process that ran the xacro
        of somebody who is not trusted.
    :param package: the name of a package without a description, which it is about; usually empty.
    """

    source: str
    findings: tuple[Finding, ...]
    counts: Mapping[Severity, int]
    omitted: Mapping[str, int]
    suppressed: int
    document: Document | None = field(default=None, repr=False, compare=False)
    robot: str = ''
    combinations: int = 1
    known: tuple[Finding, ...] = ()
    unread: str = ''
    programs: Mapping[str, Verdict] = field(default_factory=dict)
    untrusted: bool = False
    package: str = ''

    def headline(self, failing: Severity = Severity.ERROR) -> list[str]:
        """
        Return the result of the rules and the verdicts of programs, in few lines.

        :param failing: the lowest severity with which the description fails.
        """
        return headline(self.verdict(failing), self.programs, self.fails(failing))

    def verdict(self, failing: Severity = Severity.ERROR) -> str:
        """
        Return whether the description passes or fails, and the number of its defects.

        Nothing that a program refuses passes, also where other programs load it.
        """
        judged = [name for name, each in self.programs.items() if not each.is_unjudged]
        passes = 'passes' if {*self.programs} in ({*PROGRAMS}, set()) else (
            f'passes for {", ".join(judged)}')
        if not judged and self.programs or any(each.refuses for each in self.programs.values()):
            passes = 'no errors'
        about = f'; package {quote(self.package)} has no description of a robot'
        return ', '.join(('fails' if self.fails(failing) else passes, *(
            count(self.counts[severity], severity.label)
            for severity in (Severity.ERROR, Severity.WARN) if self.counts.get(severity)))
                         ) + about * bool(self.package)

    def __repr__(self) -> str:
        return f'<Report on {quote(self.source)}: {self.outcome()}>'

    @property
    def valid(self) -> bool:
        """Whether there are no errors."""
        return not self.counts[Severity.ERROR]

    def fails(self, failing: Severity) -> bool:
        """Return whether there is a finding of a severity or a higher one."""
        return any(number and severity >= failing for severity, number in self.counts.items())

    @property
    def was_run(self) -> bool:
        """Whether the file could be read and expanded."""
        return not any(finding.code in ('file-unreadable', 'xacro-failed')
                       for finding in self.findings)

    def within(self, paths: Sequence[str], told: Collection[object] = ()) -> Report:
        """
        Return the report with the findings in files alone, and why it was not run.

        :param paths: absolute paths of the files, of their packages, or of folders in these.
        :param told: what :meth:`told` returns of findings that are left out.
        """
        findings = tuple(
            finding for finding, key in zip(self.findings, self.told())
            if not self.was_run or key not in told and not {*paths}.isdisjoint(
                _with_folders(os.path.abspath(key[0]))))
        counts = Counter(finding.severity for finding in findings)
        return replace(self, findings=findings, counts={
            severity: counts[severity] for severity in Severity}, omitted={}, programs={})

    def told(self) -> list[tuple[str, int | None, str]]:
        """Return where each finding is, and what it says: the file, the line, the message."""
        return [(each.file(self.source), each.line, each.message) for each in self.findings]

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings of a severity or a higher one."""
        return tuple(finding for finding in self.findings if finding.severity >= severity)

    def summary(self, shown: Severity = Severity.INFO) -> str:
        """
        Return the counts as text, such as ``1 error, 2 warnings, 0 notes, 1 suppressed``.

        :param shown: the lowest severity shown; lower ones are marked as not shown.
        """
        parts = [count(self.counts[severity], severity.label)
                 + (f' (shown with --level {severity.name.lower()})'
                    if severity < shown and self.counts[severity] else '')
                 for severity in reversed(Severity)]
        remarks = (
            (self.suppressed, f'{self.suppressed} suppressed'),
            (self.known, f'{len(self.known)} in the baseline'),
            (self.combinations > 1, f'{self.combinations} combinations of arguments'),
            (self.unread, f'{self.unread} not read'),
            (self.untrusted, 'by the word of untrusted xacro'))
        return ', '.join([*parts, *(text for applies, text in remarks if applies)])

    def without_document(self) -> Report:
        """Return the report with its findings as text, so that it is small and can be sent."""
        return replace(self, document=None, findings=tuple(
            finding.as_text() for finding in self.findings))

    def outcome(self) -> str:
        """Return in one line whether the description is valid, and the counts."""
        omitted = sum(self.omitted.values())
        return (f'{"Valid" if self.valid else "Invalid"}: {self.summary()}'
                + (f'; {omitted} of them are not listed' if omitted else ''))
