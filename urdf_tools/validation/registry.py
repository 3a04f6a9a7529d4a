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

"""The rules of the validator: each is one function that finds one kind of defect."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
import inspect
from typing import NamedTuple

from urdf_tools.model.document import Element
from urdf_tools.validation.consumers import with_dependencies
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import Fix

CATEGORIES = ('xml', 'names', 'structure', 'joints', 'inertia', 'geometry', 'extensions', 'assets')
"""The subjects of the rules; ``assets`` alone looks at files beside the description."""


class Defect(NamedTuple):
    """
    What a rule yields for each place where it is broken.

    :param element: where.
    :param message: what is wrong, with the names and numbers at hand.
    :param hint: what to write instead, if that is not what the rule says in general.
    :param severity: how much it matters, if that is not what the rule says in general.
    :param fix: the changes to the text that mend it, if they have one safe answer.
    """

    element: Element
    message: str
    hint: str = ''
    severity: Severity | None = None
    fix: Fix = ()


Check = Callable[..., Iterable[Defect]]


@dataclass(frozen=True)
class Rule:
    """
    One kind of defect.

    :param code: stable name, such as ``limit-inverted``.
    :param severity: how much it matters in general.
    :param category: one of :data:`CATEGORIES`.
    :param summary: what the rule asks for, one sentence.
    :param reason: why it asks for that; may be empty.
    :param hint: what to write instead.
    :param consumers: the programs that break on it, and what happens there.
    :param check: finds the defects of a description; None where its reader finds them.
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


def in_category(category: str):
    """
    Return the decorator that registers the rules of one category.

    The first paragraph of a rule's docstring is its summary, the rest its reason.
    """
    def rule(code: str, severity: Severity, *, hint: str = '', consumers: Mapping[str, str] = {}):
        def register(check: Check) -> Check:
            add_rule(code, severity, category, inspect.getdoc(check), hint, consumers, check)
            return check
        return register
    return rule


def add_rule(
        code: str, severity: Severity, category: str, text: str, hint: str = '',
        consumers: Mapping[str, str] = {}, check: Check | None = None):
    """
    Register a rule.

    :param text: its summary and, after an empty line, its reason.
    :raises ValueError: the code is taken, or the category or a consumer is unknown.
    """
    if code in _rules:
        raise ValueError(f'The rule {code!r} is registered twice')
    if category not in CATEGORIES:
        raise ValueError(f'{category!r} is not a category')
    with_dependencies(consumers)
    summary, _, reason = text.partition('\n\n')
    _rules[code] = Rule(
        code, severity, category, _statement(' '.join(summary.split())), ' '.join(reason.split()),
        hint, dict(consumers), check)


def _statement(summary: str) -> str:
    """Return what is to be so, of the summary of a function that checks it."""
    claim = summary.removeprefix('Check that ')
    return claim[:1].upper() + claim[1:]


def registered() -> Mapping[str, Rule]:
    """Return the rules registered so far by code, category by category."""
    return {rule.code: rule for rule in sorted(
        _rules.values(), key=lambda rule: CATEGORIES.index(rule.category))}
