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

"""Findings that repeat each other, folded into one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
import re

from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity

_NAME = re.compile(r"\[@name='(.*?)'\]")
_NUMBER = re.compile(r'(?<![\w.])[-+]?\d+(\.\d*)?(e[-+]?\d+)?(?![\w.]*[A-Za-z])')

_Pattern = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True)
class FoldedFinding:
    """
    A finding, and the number of others that say the same of other elements.

    :param first: the first of them in the file.
    :param others: number of the others.
    """

    first: Finding
    others: int


@dataclass(frozen=True)
class FindingsOfRule:
    """
    The findings of one rule and severity, folded.

    :param folded: in file order.
    """

    code: str
    severity: Severity
    folded: tuple[FoldedFinding, ...]


def fold(findings: Iterable[Finding]) -> list[FindingsOfRule]:
    """
    Fold the findings of each rule that differ only in the names and numbers of their elements.

    So a misspelt attribute of fifty links is one finding, and another attribute a second one.

    :return: the worst first, and those of a severity in file order.
    """
    rules: dict[tuple[str, Severity], dict[_Pattern, list[Finding]]] = {}
    for finding in findings:
        patterns = rules.setdefault((finding.code, finding.severity), {})
        patterns.setdefault(_pattern(finding), []).append(finding)
    return sorted(
        (FindingsOfRule(code, severity, tuple(
            FoldedFinding(same[0], len(same) - 1) for same in patterns.values()))
         for (code, severity), patterns in rules.items()),
        key=lambda rule: -rule.severity)


def _pattern(finding: Finding) -> _Pattern:
    """Return message and hint without the element's names and numbers, and who is affected."""
    texts = (finding.message, finding.hint)
    for name in _NAME.findall(finding.element):
        texts = (texts[0].replace(repr(name), "''"), texts[1].replace(repr(name), "''"))
    return _NUMBER.sub('0', texts[0]), _NUMBER.sub('0', texts[1]), finding.consumers
