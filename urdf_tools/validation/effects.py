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

"""What findings do to each program, from the statements of the rules about their consumers."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
import re
from typing import NamedTuple

from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.finding import Finding
from urdf_tools.model.messages import count
from urdf_tools.validation.rules import RULES


class Impact(IntEnum):
    """How badly a defect affects a program, the worst last."""

    FINE = 0
    WARNS = 1
    IGNORES = 2
    AFFECTED = 3
    DROPS = 4
    REFUSES = 5
    CRASHES = 6


class Effect(NamedTuple):
    """
    What a defect does to a program.

    :param certain: False where the statement makes it depend on something.
    :param noun: what is dropped or ignored, such as ``joint``.
    """

    impact: Impact
    certain: bool
    noun: str


VERBS = {
    Impact.FINE: ('accepts',),
    Impact.WARNS: ('logs', 'prints', 'warns'),
    Impact.IGNORES: ('ignores', 'uses'),
    Impact.AFFECTED: (
        'adds', 'applies', 'assumes', 'attaches', 'becomes', 'blocks', 'cannot', 'computes',
        'converts', 'depends', 'diverges', 'divides', 'does', 'finds', 'follows', 'gives', 'keeps',
        'leaves', 'lets', 'limits', 'loads', 'makes', 'misreads', 'moves', 'needs', 'normalises',
        'places', 'plans', 'publishes', 'puts', 'reads', 'renames', 'reports', 'sets', 'shades',
        'shows', 'simulates', 'starts', 'substitutes', 'swaps', 'takes', 'treats', 'turns',
        'writes'),
    Impact.DROPS: ('drops', 'never', 'removes', 'skips'),
    Impact.REFUSES: ('aborts', 'exits', 'fails', 'raises', 'refuses', 'rejects', 'throws'),
    Impact.CRASHES: ('crash', 'crashes', 'ends', 'hangs', 'segfaults'),
}
"""The verbs with which a statement about a consumer may begin, by their impact."""

_IMPACT = {verb: impact for impact, verbs in VERBS.items() for verb in verbs}
_ADVERBS = ('may', 'silently')
_CLAUSE = re.compile(r',? and |,? or |, ')
_CONDITION = re.compile(r'\b(may|or|if|unless|before|depending|releases?|URDF 1|for)\b')
_NOUNS = {'mesh': 'shape'}
_PART = re.compile(r'(the|its) (?!(whole )?description|loop|model|file|robot)')
_NOUN = re.compile(
    r'\b(attribute|collision|element|inertia|inertial|interface|joint|limit|link|material|mimic|'
    r'mesh|name|sensor|shape|texture|transmission|visual)s?\b')

PROGRAMS = tuple(
    name for name in CONSUMERS if not any(name in used for used in CONSUMERS.values()))
"""The programs that are no part of another one."""


_Elements = dict[tuple[str, tuple[str, ...]], set[str]]


@lru_cache(maxsize=1000)
def effect_of(statement: str) -> Effect:
    """
    Return the effect that a statement about a consumer means, such as ``drops the joint``.

    It is that of the first verb, or of the worst one if the program only warns of the rest.
    Refusing a part is dropping it.
    """
    clauses = _CLAUSE.split(statement)
    impacts = [_IMPACT.get(verb_of(clause), Impact.AFFECTED) for clause in clauses]
    impact = impacts[0] if impacts[0] > Impact.WARNS else max(impacts)
    clause = clauses[impacts.index(impact)]
    what = clause.partition(' ')[2]
    certain = not _CONDITION.search(statement)
    if impact is Impact.REFUSES and _PART.match(what):
        impact = Impact.DROPS
    elif verb_of(clause) == 'refuses' and not what.startswith(('the ', 'it')):
        certain = False  # It refuses only a certain kind, such as a moving body without mass.
    noun = _NOUN.search(clause)
    return Effect(
        impact, certain and (impact is not Impact.REFUSES or impacts[0] is not Impact.FINE),
        _NOUNS.get(noun[1], noun[1]) if noun else 'element')


def verb_of(clause: str) -> str:
    """Return the verb with which a statement begins."""
    words = clause.replace(',', '').split()
    while words and words[0] in _ADVERBS:
        words.pop(0)
    return words[0] if words else ''


def verdicts(findings: Iterable[Finding], programs: Collection[str] = PROGRAMS) -> dict[str, str]:
    """
    Return what each program does with the description, such as ``drops 3 joints``.

    A program also suffers what its parsers do, unless a rule states otherwise for itself.
    """
    elements = _elements_of_rules(findings)
    return {program: _Verdict(program, elements).text() for program in programs}


def headline(findings: Iterable[Finding], programs: Collection[str] = PROGRAMS) -> str:
    """
    Return in one line what each program does with the description, the worst first.

    It is empty if all are fine.
    """
    elements = _elements_of_rules(findings)
    together: dict[str, list[_Verdict]] = {}
    for verdict in sorted(
            (_Verdict(program, elements) for program in programs),
            key=lambda verdict: -verdict.worst):
        together.setdefault(verdict.text(), []).append(verdict)
    if together.keys() <= {'fine'}:
        return ''
    return '. '.join(
        f'{", ".join(verdict.program for verdict in group)}: '
        f'{group[0].text(plural=len(group) > 1)}' for group in together.values())


def _elements_of_rules(findings: Iterable[Finding]) -> _Elements:
    """Return the paths of the elements that break each rule and affect the same programs."""
    elements: _Elements = {}
    for finding in findings:
        if not finding.consumers:
            continue
        elements.setdefault((finding.code, finding.consumers), set()).add(
            f'{finding.element}@{finding.line}')
    return elements


class _Verdict:
    """What a program does with a description."""

    def __init__(self, program: str, elements_of_rules: _Elements):
        self.program = program
        self._elements: dict[Effect, set[str]] = {}
        for (code, consumers), elements in elements_of_rules.items():
            for statement in _statements(program, code, consumers):
                effect = effect_of(statement)
                # Several defects of a link drop it once.
                self._elements.setdefault(effect, set()).update(
                    (element.partition(']')[0] for element in elements)
                    if effect.noun in ('link', 'joint') else elements)
        self.worst = max((effect.impact + effect.certain / 2 for effect in self._elements),
                         default=0)

    def text(self, plural: bool = False) -> str:
        """
        Return the verdict as the end of a sentence.

        :param plural: the subject of the sentence is several programs.
        """
        parts = list(self._parts(plural))
        return ', '.join(parts[:2]) if parts else 'fine'

    def _parts(self, plural: bool) -> Iterator[str]:
        """Yield the parts of the sentence, the worst first."""
        end = '' if plural else 's'
        impacts = {effect[:2] for effect in self._elements}
        for impact, verb, rest in (
                (Impact.CRASHES, 'crash', ''), (Impact.REFUSES, 'refuse', ' it')):
            if (impact, True) in impacts:
                yield f'{verb}{"e" * verb.endswith("h") if end else ""}{end}{rest}'
                return
            if (impact, False) in impacts:
                yield f'may {verb}{rest}'
                return
        yield from self._losses(Impact.DROPS, 'drop', end)
        places = {place for effect, elements in self._elements.items() for place in elements
                  if effect.impact is Impact.AFFECTED}
        if places:
            yield f'affected in {count(len(places), "place")}'
        yield from self._losses(Impact.IGNORES, 'ignore', end)
        if (Impact.WARNS, True) in impacts or (Impact.WARNS, False) in impacts:
            yield f'warn{end}'

    def _losses(self, impact: Impact, verb: str, end: str) -> Iterator[str]:
        for certain, words in ((True, f'{verb}{end}'), (False, f'may {verb}')):
            numbers = sorted(
                ((len(elements), effect.noun) for effect, elements in self._elements.items()
                 if effect[:2] == (impact, certain)), reverse=True)
            if numbers:
                yield f'{words} {" and ".join(count(*number) for number in numbers[:2])}'


def _statements(program: str, code: str, affected: Collection[str]) -> list[str]:
    """Return what a rule states of a program that it affects, or else of its parsers."""
    stated = RULES[code].consumers
    if program in stated:
        return [stated[program]] if program in affected else []
    return [stated[part] for part in CONSUMERS[program] if part in stated and part in affected]
