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
"""Folding of repeated findings into one."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
import re
from typing import NamedTuple

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Argument
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Reference
from urdf_tools.findings.message import template_of
from urdf_tools.model.grouping import grouped

_OF_NO_RULE = 'known-mistake', 'launch-call-refused', 'program-changes', 'program-refuses'

_NAME = re.compile(r'\[@name=(?:\'([^\']*)\'|"([^"]*)")\]')


class FoldedFinding(NamedTuple):
    """
    A finding, and the number of others that say the same of other elements.

    :param first: the first of them in the file.
    :param others: number of the others.
    :param rest: the others.
    """

    first: Finding
    others: int
    rest: tuple[Finding, ...] = ()


class FindingsOfRule(NamedTuple):
    """
    The findings of one rule and severity, folded.

    :param folded: in file order.
    """

    code: str
    severity: Severity
    folded: tuple[FoldedFinding, ...]


def fold(findings: Iterable[Finding]) -> list[FindingsOfRule]:
    """
    Fold the findings of each rule that say the same of different elements.

    They differ in numbers and in the names of their elements, and all but errors in other names
    and files, too. So a misspelt attribute of fifty links is one finding, and another attribute a
    second one; each joint that a ``<mimic>`` misses is a separate error. What a program does that
    no rule is about, and a mistake in a list, count as a rule for each sentence, so that none
    hides another one.

    :return: the worst first, and those of a severity in file order.
    """
    rules = grouped((
        (finding.code, finding.severity,
         (template_of(finding.message), finding.arguments.get('says')) if (
             finding.code in _OF_NO_RULE) else ''), finding)
        for finding in findings)
    folded = [FindingsOfRule(code, severity, tuple(
        FoldedFinding(same[0], len(same) - 1, tuple(same[1:])) for same in grouped(
            (_kind(finding), finding) for finding in of_rule).values()))
        for (code, severity, _), of_rule in rules.items()]
    return sorted(folded, key=lambda rule: -rule.severity)


def _kind(finding: Finding) -> tuple[object, ...]:
    """Return the key that folded findings share."""
    own = None if finding.severity < Severity.ERROR else {
        single or double for single, double in _NAME.findall(finding.element)}
    effects = tuple(dict.fromkeys(
        (each.program, each.impact, template_of(each.how)) for each in finding.consequences))
    return (template_of(finding.message), template_of(finding.hint), effects, *finding.scope,
            *(part for value in finding.arguments.values() for part in _keys_of(value, own)))


def _keys_of(value: Argument, own: set[str] | None) -> Iterator[object]:
    """
    Yield the parts of an argument that distinguish kinds of a defect.

    :param own: the names of the element and its ancestors; None if no name distinguishes kinds.
    """
    names: tuple[str, ...] | None = None
    if isinstance(value, Message):
        yield value.template
        for inner in value.arguments.values():
            yield from _keys_of(inner, own)
    elif isinstance(value, Reference):
        yield value.tags
        names = value.names
    elif isinstance(value, tuple):
        names = value
    elif isinstance(value, Name):
        names = (value,)
    elif isinstance(value, str) and not isinstance(value, FreeText):
        yield value
    if names is not None and own is not None:
        yield tuple(name for name in names if name not in own)
