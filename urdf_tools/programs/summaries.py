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

"""Accounts in a few words, as lines of text, and as consequences of what findings are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence

from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import end_of_sentence
from urdf_tools.findings.report import counted
from urdf_tools.findings.report import SIGNIFICANT_KINDS
from urdf_tools.findings.report import Verdict
from urdf_tools.findings.rules import AnyRule
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import readable
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import COUNTS
from urdf_tools.programs.tables import TABLES

_REASONS = TABLES['reasons in a few words']
"""Kinds of refusals to their reason in a few words, where the kind alone says too little."""

_NEGLIGIBLE = 1e-6


def verdict_of(account: Account, reasons: Sequence[str] = (), shares: Mapping[str, int] = {}
               ) -> Verdict:
    """
    Return the verdict of a program on a description; harmless losses are left out.

    :param reasons: those of :func:`reasons_of`, by default without messages of findings.
    :param shares: reasons to the number of programs that refuse the description for them; of
        several, the one that most of them share is given.
    """
    for first in account.causes[:1]:
        verb = 'crashes' if first.impact is Impact.CRASHES else 'refuses it'
        return Verdict(first.impact + 0.5, (verb,), max(
            reasons or reasons_of(account, {}), key=lambda reason: shares.get(reason, 0)))
    source, kept = _masses(account)
    parts = tuple(_verdict_parts(account, source, kept))
    if not parts:
        return Verdict()
    # Mass is worse than all else that a program drops, and better than if it refused the robot.
    lost = min(abs(kept / source - 1), 1.0) if source else 0.0
    change = kept - source
    kinds = {each.of for each in account.losses if not each.is_harmless and not each.setting}
    worst = next((of for of in SIGNIFICANT_KINDS if of in kinds), '')
    reason = f'{readable(change, "+.3g")} kg' if change else worst
    return Verdict(min(parts[0][0], Impact.DROPS) + 0.5 + 0.4 * lost,
                   tuple(text for _, text in parts), reason)


def reasons_of(account: Account, words: Mapping[int, str]) -> list[str]:
    """
    Return why a program refuses a description: each reason that is as bad as the first, once.

    :param words: identities of causes to the messages of the findings about them.
    """
    return [*dict.fromkeys(
        end_of_sentence(words.get(id(cause), '')) or cause.brief or _REASONS.get(
            cause.of, cause.of) for cause in account.causes
        if cause.impact is account.causes[0].impact)]


def _masses(account: Account) -> tuple[float, float]:
    """Return the mass in kg before and after; it counts as unchanged if it is unknown."""
    if account.source is None or account.kept is None:
        return 0.0, 0.0
    source, kept = account.source.body.mass, account.kept.body.mass
    is_equal = not abs(kept - source) > _NEGLIGIBLE * max(source, _NEGLIGIBLE)
    return source, source if is_equal else kept


def _verdict_parts(account: Account, source: float, kept: float) -> Iterator[tuple[Impact, str]]:
    """Yield the parts of the verdict, the worst first."""
    if kept < source:
        yield Impact.DROPS, f'keeps {readable(kept, ".4g")} of {readable(source, ".4g")} kg'
    elif kept > source:
        yield Impact.DROPS, f'adds {readable(kept - source, ".4g")} kg'
    numbers: Counter[tuple[Impact, str]] = Counter()
    for each in account.losses:
        if not each.is_harmless and not each.setting:
            numbers[each.impact, each.of] += 1 + len(each.others)
    if account.base == 'fixed' and any(of == 'base' for _, of in numbers):
        yield Impact.DROPS, 'welds the base to the world'
    stated = {'base', 'mass'} if kept != source else {'base'}
    yield from counted({kind: number for kind, number in numbers.items() if kind[1] not in stated})


_WORDS = {
    Impact.CRASHES: 'fails', Impact.DROPS: 'dropped', Impact.CHANGES: 'changed',
    Impact.IGNORES: 'ignored'}


def lines_of(account: Account, source: str, explains: bool = False, rest: str = ''
             ) -> Iterator[str]:
    """
    Yield why a program refuses the robot, what it loses, and what is not a loss.

    :param explains: say what the options of the program do.
    :param rest: where all lines are named, after the number of those that are not.
    """
    for group in _groups(account.causes):
        yield from _described('refused', group, source, rest)
    losses = [each for each in account.worst_first if not each.is_harmless]
    for group in sorted(_groups(losses), key=lambda group: (group[0].of != 'base', -_mass(group))):
        mass = f', {readable(_mass(group), ".4g")} kg' if _mass(group) else ''
        where = f' {group[0].setting}' if group[0].setting else ''
        yield from _described(_WORDS[group[0].impact] + where + mass, group, source, rest)
    kinds = Counter(each.of for each in account.losses if each.is_harmless)
    if kinds:
        ignored = ', '.join(count(number, kind) for kind, number in kinds.items())
        yield f'  without effect on motion: {ignored}'
    merged = sorted(account.merged - {WORLD})
    if merged and not any(each.of == 'link' for each in losses):
        yield f'  merged into others: {printable(name_list(merged))}'
    if explains:
        yield from (f'  option {name}: {does}' for name, does in account.options.items())
    elif account.options:
        yield f'  options: {", ".join(account.options)}'


def _mass(losses: Iterable[Loss]) -> float:
    return sum(abs(each.mass) for each in losses)


def _groups(losses: Iterable[Loss]) -> list[list[Loss]]:
    """Return groups of losses that differ only in their elements, names and numbers."""
    return list(grouped(((each.impact, each.message.kind, each.hint.kind), each)
                        for each in losses).values())


def _described(word: str, group: Sequence[Loss], source: str, rest: str) -> Iterator[str]:
    """Yield the first loss of a group, the advice, and the locations of all of them."""
    first = group[0]
    others = f' (and {count(len(group) - 1, "other")})' if len(group) > 1 else ''
    advice = f'. {first.hint}' if first.hint else ''
    yield f'  {word}: {printable(first.message + others + advice)}'
    if where := _locations(group, source, rest):
        yield f'      {printable(where)}'


def _locations(group: Iterable[Loss], source: str, rest: str) -> str:
    """Return lines of the description, and of other files with their names."""
    lines: dict[str, dict[str, None]] = {}
    for file, line, _ in (each for loss in group for each in loss.locations(source)):
        if line is not None:
            lines.setdefault(file, {})[str(line)] = None
    listed = [(file, name_list(sorted(numbers, key=int), rest=rest))
              for file, numbers in list(lines.items())[:MAX_LISTED]]
    return '; '.join(f'{file}:{text}' if file != source else f'line {text}'
                     if text.isdigit() else f'lines {text}' for file, text in listed)


def title_of(account: Account) -> str:
    """Return the program of an account and its release."""
    return f'{account.program} {account.version}'


def comparison(accounts: Sequence[Account]) -> Iterator[list[str]]:
    """Yield the rows of a table of what several programs, at least one, make of a description."""
    yield ['', 'description', *map(title_of, accounts)]
    yield ['loads', '', *('yes' if each.loads else 'no' for each in accounts)]
    source = accounts[0].source
    parts = [each.kept for each in accounts if each.kept is not None]
    if source is None:
        return
    yield ['base', '', *(each.base if each.loads else '-' for each in accounts)]
    yield _row('mass (kg)', readable(source.body.mass, '.6g'), [
        readable(each.body.mass, '.6g') for each in parts], accounts)
    for name in COUNTS:
        kept = [str(getattr(each, name)) for each in parts]
        if getattr(source, name) or set(kept) != {'0'}:
            words = 'mimic joints' if name == 'mimic' else name.replace('_', ' ')
            yield _row(words, str(getattr(source, name)), kept, accounts)
    for name, words in (('visuals', 'visual shapes'), ('collisions', 'collision shapes')):
        formats = [getattr(each, name) for each in parts]
        for suffix in sorted({*getattr(source, name), *(each for of in formats for each in of)}):
            yield _row(f'{words}, {suffix}', str(getattr(source, name).get(suffix, 0)),
                       [str(of.get(suffix, 0)) for of in formats], accounts)


def _row(words: str, source: str, kept: Iterable[str], accounts: Iterable[Account]) -> list[str]:
    return [words, source, *(text if each.loads else '-' for text, each in zip(kept, accounts))]


class Effects:
    """
    The causes and losses of accounts, by the elements that they are about.

    :param accounts: programs with a model to their accounts; None if there can be none.
    :param programs: the programs that are asked about, which may have what other programs read;
        all of the accounts if there are none.
    :ivar are_known: whether there can be accounts.
    :ivar words: the identities of the causes and losses that findings are about, to the messages
        of these findings, as far as they are reasons to refuse the description.
    """

    def __init__(self, accounts: Mapping[str, Account] | None, programs: Collection[str] = ()):
        self.are_known = accounts is not None
        accounts = accounts or {}
        self.words: dict[int, str] = {}
        self._all: list[tuple[str, Loss, Impact]] = []
        for program in programs or accounts:
            models = [program] if program in accounts else [
                each for each in CONSUMERS[program] if each in accounts]
            for model in models:
                self._all += [(program, loss, loss.impact) for loss in accounts[model].causes]
                # What fails once the description is loaded is lost.
                self._all += [(program, loss, min(loss.impact, Impact.DROPS))
                              for loss in accounts[model].losses if programs or not loss.setting]
        self._at = grouped(
            (element, item) for item in self._all
            for element in (item[1].element, *item[1].others) if element is not None)

    def of(self, rule: AnyRule, *elements: Element, attribute: str = '',
           words: Callable[[], str] = str) -> Consequences:
        """
        Return the consequences for programs of a violation of a rule at elements.

        :param elements: the element at fault, and those where accounts say so, too.
        :param attribute: the attribute at fault, if it is one: what happens because of another one
            has nothing to do with it.
        :param words: returns the message of the finding.
        """
        if not rule.affects or not self._all:
            return ()
        kinds, reasons = rule.affects.split(), ('', rule.code.replace('-', ' '))
        found: dict[Consequence, None] = {}
        for each in (*elements, *_subjects(elements[0], rule.subject)):
            for program, loss, impact in self._at.get(each, ()):
                if not loss.setting and (loss.of in kinds or kinds == ['any']) and (
                        not (attribute and loss.attribute) or attribute == loss.attribute):
                    if not self.words.get(id(loss)):
                        # What a program says in brief may be about more than the rule.
                        is_reason = impact >= Impact.REFUSES and loss.brief in reasons
                        self.words[id(loss)] = words() if is_reason else ''
                    how = '' if impact >= Impact.REFUSES else loss.message
                    found[Consequence(program, impact, loss.of, how,
                                      is_harmless=loss.is_harmless)] = None
        refused = {each.program for each in found if each.impact >= Impact.REFUSES}
        return tuple(each for each in found
                     if each.impact >= Impact.REFUSES or each.program not in refused)

    def unreported(self, minimum: Impact) -> Iterator[tuple[Consequence, Loss]]:
        """Yield causes and losses with at least an impact that no finding is about."""
        for program, loss, impact in self._all:
            if impact >= minimum and id(loss) not in self.words:
                yield Consequence(program, impact, loss.of, setting=loss.setting,
                                  is_harmless=loss.is_harmless), loss


def _subjects(element: Element, tag: str) -> Iterator[Element]:
    """Yield the nearest element with a tag around an element, or else those inside."""
    if not tag:
        return
    owner = enclosing(element.parent, tag)
    if owner is None:
        yield from element.iter(tag)
    else:
        yield owner
