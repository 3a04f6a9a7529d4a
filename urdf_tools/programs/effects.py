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
"""The losses in accounts, by element of a description, for findings about these elements."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.rules import AnyRule
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Loss


class Effects:
    """
    The causes and losses of accounts, by the elements that they are about.

    :param accounts: programs with a model to their accounts; None if there can be none.
    :param programs: the programs that are asked about, which may have what other programs read;
        all of the accounts if there are none.
    :ivar are_known: whether there can be accounts.
    :ivar codes: the identities of the causes and losses that findings are about, to the rules.
    """

    def __init__(
            self, accounts: Mapping[str, Account] | None, programs: Collection[str] = ()):
        self.are_known = accounts is not None
        accounts = accounts or {}
        self.codes: dict[int, str] = {}
        self._all: list[tuple[str, Loss, Impact]] = []
        for program in programs or accounts:
            models = [program] if program in accounts else [
                each for each in CONSUMERS[program] if each in accounts]
            for model in models:
                self._all += [(program, loss, loss.impact) for loss in accounts[model].causes]
                # What fails once the description is loaded is lost.
                self._all += [(program, loss, min(loss.impact, Impact.DROPS))
                              for loss in accounts[model].losses]
        self._at = grouped(
            (element, item) for item in self._all
            for element in (item[1].element, *item[1].others) if element is not None)

    def of(self, rule: AnyRule, *elements: Element, attribute: str = '') -> Consequences:
        """
        Return the consequences for programs of a violation of a rule at elements.

        :param elements: the element at fault, and those where accounts say so, too.
        :param attribute: the attribute at fault, if it is one: what happens because of another one
            has nothing to do with it.
        """
        if not rule.affects or not self._all:
            return ()
        kinds = rule.affects.split()
        found: dict[Consequence, None] = {}
        for each in (*elements, *_subjects(elements[0], rule.subject)):
            for program, loss, impact in self._at.get(each, ()):
                if (loss.of in kinds or kinds == ['any']) and (
                        not (attribute and loss.attribute) or attribute == loss.attribute):
                    self.codes.setdefault(id(loss), rule.code)
                    how = '' if impact >= Impact.REFUSES else loss.message
                    found[Consequence(program, impact, loss.of, how,
                                      is_harmless=loss.is_harmless)] = None
        refused = {each.program for each in found if each.impact >= Impact.REFUSES}
        return tuple(each for each in found
                     if each.impact >= Impact.REFUSES or each.program not in refused)

    def unreported(self, least: Impact) -> Iterator[tuple[Consequence, Loss]]:
        """Yield causes and losses with at least an impact that no finding is about."""
        for program, loss, impact in self._all:
            if impact >= least and id(loss) not in self.codes:
                yield Consequence(program, impact, loss.of, is_harmless=loss.is_harmless), loss


def _subjects(element: Element, tag: str) -> Iterator[Element]:
    """Yield the nearest element with a tag around an element, or else those inside."""
    if not tag:
        return
    owner = enclosing(element.parent, tag)
    if owner is None:
        yield from element.iter(tag)
    else:
        yield owner
