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

"""The registry of rules, each of which is a function that finds one kind of defect."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import partial
import inspect
from typing import NamedTuple

from urdf_tools.findings.consumers import with_dependencies
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import Fix
from urdf_tools.model.element import Element
from urdf_tools.validation.indexed_description import Description

CATEGORIES = ('xml', 'names', 'structure', 'joints', 'inertia', 'geometry', 'extensions', 'assets')
"""The categories of rules; only ``assets`` reads files that the description refers to."""


class Defect(NamedTuple):
    """
    What a rule yields for each violation.

    :param element: the element at fault.
    :param message: what is wrong, with names and numbers.
    :param hint: what to write instead; by default the hint of the rule.
    :param severity: its severity; by default that of the rule.
    :param fix: the changes to the text that fix it; empty unless there is exactly one safe fix.
    :param consumers: the programs that it affects; by default all those of the rule.
    """

    element: Element
    message: str
    hint: str = ''
    severity: Severity | None = None
    fix: Fix = ()
    consumers: tuple[str, ...] | None = None


Check = Callable[[Description], Iterable[Defect]]


@dataclass(frozen=True)
class Rule:
    """
    One kind of defect.

    :param code: stable name, such as ``limit-inverted``.
    :param severity: the severity of its findings by default.
    :param category: one of :data:`CATEGORIES`.
    :param summary: what the rule requires, one sentence.
    :param reason: why it does; may be empty.
    :param hint: what to write instead.
    :param consumers: the programs that a violation affects, and how.
    :param check: finds the defects of a description; None where the parser finds them.
    """

    code: str
    severity: Severity
    category: str
    summary: str
    reason: str
    hint: str
    consumers: Mapping[str, str] = field(repr=False)
    check: Check | None = field(repr=False)


_rules: dict[str, Rule] = {}


def in_category(category: str) -> partial[Callable[[Check], Check]]:
    """
    Return the decorator that registers the rules of a category.

    It takes the code and the severity of a rule, and the keyword arguments ``hint`` and
    ``consumers``. The first paragraph of the function's docstring is the summary of the rule,
    the rest its reason.
    """
    return partial(_rule, category)


def _rule(
        category: str, code: str, severity: Severity, *, hint: str = '',
        consumers: Mapping[str, str] = {}) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        add_rule(code, severity, category, inspect.getdoc(check) or '', hint, consumers, check)
        return check
    return register


def add_rule(
        code: str, severity: Severity, category: str, text: str, hint: str = '',
        consumers: Mapping[str, str] = {}, check: Check | None = None) -> None:
    """
    Register a rule.

    :param text: its summary and, after an empty line, its reason.
    :raises ValueError: the code is not unique, or the category or a consumer is unknown.
    """
    if code in _rules:
        raise ValueError(f'The rule {code!r} is registered twice')
    if category not in CATEGORIES:
        raise ValueError(f'Category {category!r} does not exist')
    with_dependencies(consumers)
    summary, reason = summary_and_reason(text)
    _rules[code] = Rule(
        code, severity, category, summary, reason, hint, dict(consumers), check)


def summary_and_reason(text: str) -> tuple[str, str]:
    """Return what must hold, and why, from the docstring of a function that checks it."""
    summary, _, reason = text.partition('\n\n')
    claim = ' '.join(summary.split()).removeprefix('Check that ')
    return claim[:1].upper() + claim[1:], ' '.join(reason.split())


def is_selected(
        code: str, category: str, select: Collection[str], ignore: Collection[str]) -> bool:
    """Tell whether a rule is wanted, by codes and categories; a code outweighs a category."""
    if code in ignore:
        return False
    return code in select or category not in ignore and (not select or category in select)


def registered() -> Mapping[str, Rule]:
    """Return the rules registered so far by their codes, grouped by category."""
    return {rule.code: rule for rule in sorted(
        _rules.values(), key=lambda rule: CATEGORIES.index(rule.category))}
