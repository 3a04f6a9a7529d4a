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

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity

_NAME = re.compile(r"\[@name='(.*?)'\]")
_NUMBER = re.compile(r'(?<![\w.])[-+]?\d[\d,]*(\.\d*)?(e[-+]?\d+)?(?![\w.]*[A-Za-z])')
_QUOTED = re.compile(r"(?<!attribute )(?<!\w)'[^']*'")
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
    Fold the findings of each rule that say the same of different elements.

    They differ in numbers and in the names of their elements, and all but errors in other quoted
    names and files, too. So a misspelt attribute of fifty links is one finding, and another
    attribute a second one; each joint that a ``<mimic>`` misses is an error of its own.

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


def pattern_of(message: str, written: str) -> str:
    """
    Return a message without the numbers and quoted names that are not written in a text.

    :param written: the line of a xacro file; what the message has besides comes from expressions,
        arguments or other elements.
    """
    names = {name for part in written.split('"') for name in part.split()}
    names.update(written.split('"'))
    message = _QUOTED.sub(
        lambda match: match[0] if match[0][1:-1] in names else "''", message)
    return _NUMBER.sub(lambda match: match[0] if match[0] in names else '0', message)


def _pattern(finding: Finding) -> _Pattern:
    """Return message and hint without what folded findings differ in, and who is affected."""
    message = finding.message
    for name in _NAME.findall(finding.element):
        message = message.replace(repr(name), "''")
    if finding.severity < Severity.ERROR:
        message = _QUOTED.sub("''", message)
    hint = _QUOTED.sub("''", finding.hint)
    return _NUMBER.sub('0', message), _NUMBER.sub('0', hint), finding.consumers
