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


"""The registry of the rules about a running graph, each of which finds one kind of disorder."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import partial
import inspect

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.monitoring.observation import Observation
from urdf_tools.validation.registry import is_selected
from urdf_tools.validation.registry import summary_and_reason

CATEGORIES = ('description', 'joints', 'frames', 'timing', 'clock', 'control', 'qos')
"""The categories of rules; ``timing`` are those that a busy computer may break, too."""

MAX_FINDINGS = 50
"""Most findings of a rule in a report; further ones are counted."""

_MAX_LENGTH = 1000


@dataclass(frozen=True)
class Disorder:
    """
    What a rule yields for each violation.

    :param topic: where it shows.
    :param message: what is wrong, with names and numbers.
    :param who: full names of the nodes at fault.
    :param hint: what to do instead; by default the hint of the rule.
    :param severity: its severity; by default that of the rule.
    :param subject: the joint, frame or controller, if there is one violation for each.
    """

    topic: str
    message: str
    who: tuple[str, ...] = ()
    hint: str = ''
    severity: Severity | None = None
    subject: str = ''


Check = Callable[[Observation], Iterable[Disorder]]


@dataclass(frozen=True)
class GraphFinding(Finding):
    """
    One disorder in a running graph; its element are the nodes at fault.

    :param topic: where it shows.
    :param subject: the joint, frame or controller that it is about, if it is about one.
    """

    topic: str = ''
    subject: str = ''

    def file(self, source: str) -> str:
        """Return where it shows: a topic, or the source of the report."""
        return self.topic or source

    @property
    def who(self) -> tuple[str, ...]:
        """Full names of the nodes at fault."""
        return tuple(filter(None, self.element.split(', ')))


@dataclass(frozen=True)
class GraphRule:
    """
    One kind of disorder.

    :param code: stable name, such as ``frame-two-parents``.
    :param severity: the severity of its findings by default.
    :param category: one of :data:`CATEGORIES`.
    :param summary: what the rule requires, one sentence.
    :param reason: why it does; may be empty.
    :param hint: what to do instead.
    :param example: how the disorder comes about.
    """

    code: str
    severity: Severity
    category: str
    summary: str
    reason: str
    hint: str
    example: str
    check: Check = field(repr=False)
    consumers: Mapping[str, str] = field(default_factory=dict, repr=False)


_rules: dict[str, GraphRule] = {}


def in_category(category: str) -> partial[Callable[[Check], Check]]:
    """
    Return the decorator that registers the rules of a category.

    It takes the code and the severity of a rule, and the keyword arguments ``hint`` and
    ``example``. The first paragraph of the function's docstring is the summary of the rule, the
    rest its reason.
    """
    assert category in CATEGORIES
    return partial(_rule, category)


def _rule(
        category: str, code: str, severity: Severity, *, hint: str,
        example: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        summary, reason = summary_and_reason(inspect.getdoc(check) or '')
        assert code not in _rules, f'The rule {code!r} is registered twice'
        _rules[code] = GraphRule(
            code, severity, category, summary, reason, hint, example, check)
        return check
    return register


def registered() -> Mapping[str, GraphRule]:
    """Return the rules registered so far by their codes, grouped by category."""
    return {rule.code: rule for rule in sorted(
        _rules.values(), key=lambda rule: CATEGORIES.index(rule.category))}


def unwanted(select: Collection[str], ignore: Collection[str]) -> list[str]:
    """Return the codes of the rules that codes and categories leave out."""
    return [rule.code for rule in registered().values()
            if not is_selected(rule.code, rule.category, select, ignore)]


def judge(seen: Observation, source: str, ignore: Collection[str] = ()) -> Report:
    """
    Return the report on what was seen, the worst findings first.

    :param source: what the findings without a topic are about.
    :param ignore: codes of the rules that are not applied.
    """
    findings: list[GraphFinding] = []
    counts = dict.fromkeys(Severity, 0)
    omitted: dict[str, int] = {}
    for rule in registered().values():
        if rule.code in ignore:
            continue
        for number, disorder in enumerate(rule.check(seen), 1):
            finding = _finding(rule, disorder)
            counts[finding.severity] += 1
            if number <= MAX_FINDINGS:
                findings.append(finding)
            else:
                omitted[rule.code] = number - MAX_FINDINGS
    findings.sort(key=lambda finding: -finding.severity)
    return Report(source, tuple(findings), counts, omitted, 0)


def _finding(rule: GraphRule, disorder: Disorder) -> GraphFinding:
    message = disorder.message
    if len(message) > _MAX_LENGTH:
        message = f'{message[:_MAX_LENGTH - 3]}...'
    return GraphFinding(
        rule.code, rule.severity if disorder.severity is None else disorder.severity, message,
        disorder.hint or rule.hint, ', '.join(dict.fromkeys(disorder.who)), topic=disorder.topic,
        subject=disorder.subject)
