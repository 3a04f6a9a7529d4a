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

"""Apply every rule to a description, in one pass, whatever it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import os
from pathlib import Path
import traceback

import numpy as np

from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loader import open_document
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.validation.finding import Finding
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import Rule
from urdf_tools.validation.report import Report
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.suppressions import Suppression
from urdf_tools.validation.suppressions import Suppressions

TIERS_OF_TEXT = tuple(tier for tier in CATEGORIES if tier != 'assets')
"""The tiers that need nothing but the description itself."""

MAX_PER_RULE = 50
"""How many findings of one rule are reported; further ones are counted."""

RULE_OF_ERROR = {
    ErrorKind.UNREADABLE: 'file-unreadable',
    ErrorKind.XACRO: 'xacro-failed',
    ErrorKind.TOO_LARGE: 'xml-too-large',
    ErrorKind.ENTITY: 'xml-entity',
    ErrorKind.MALFORMED: 'xml-malformed',
    ErrorKind.REPAIRED: 'xml-forgiven',
}
"""Code of the rule that an error of reading a description breaks."""

_MAX_LENGTH = 1000


def validate(
        path: str | os.PathLike[str], *, tiers: Collection[str] = CATEGORIES,
        ignore: Collection[str] = (), mappings: Mapping[str, str] | None = None,
        resources: ResourceResolver | None = None, most_per_rule: int = MAX_PER_RULE) -> Report:
    """
    Find the defects of a URDF or xacro file.

    A file that cannot be read, expanded or parsed is a finding, not an exception.

    :param path: the file, as :func:`urdf_tools.load` takes it.
    :param tiers: the categories of rules to apply, of
        :data:`~urdf_tools.validation.registry.CATEGORIES`.
    :param ignore: codes of rules to leave out.
    :param mappings: arguments for xacro.
    :param resources: finds meshes and textures; by default in the packages of the environment
        and around the file.
    :param most_per_rule: most findings reported per rule; further ones are counted.
    """
    path = os.fsdecode(path)
    try:
        document = open_document(path, mappings=mappings)
    except DescriptionError as error:
        return _of_errors([error], ignore, most_per_rule).report(error.source or path)
    return validate_document(
        document, tiers=tiers, ignore=ignore, most_per_rule=most_per_rule,
        resources=resources or ResourceResolver(os.path.dirname(path) or '.'))


def validates(
        text: str | bytes, *, source: str = '', tiers: Collection[str] = TIERS_OF_TEXT,
        ignore: Collection[str] = (), resources: ResourceResolver | None = None,
        most_per_rule: int = MAX_PER_RULE) -> Report:
    """
    Find the defects of the text of a URDF description.

    A text that cannot be parsed is a finding, not an exception.

    :param text: the description, as :func:`urdf_tools.loads` takes it.
    :param source: where it came from, for messages.
    :param tiers: the subjects to check. By default not the files that the text refers to, as
        the text can come from anywhere.
    :param ignore: codes of rules to leave out.
    :param resources: finds meshes and textures; by default in the packages of the environment.
    :param most_per_rule: most findings reported per rule; further ones are counted.
    """
    try:
        document = read_document(text, source)
    except DescriptionError as error:
        return _of_errors([error], ignore, most_per_rule).report(source)
    return validate_document(
        document, tiers=tiers, ignore=ignore, resources=resources, most_per_rule=most_per_rule)


def validate_document(
        document: Document, *, tiers: Collection[str] = TIERS_OF_TEXT,
        ignore: Collection[str] = (), resources: ResourceResolver | None = None,
        most_per_rule: int = MAX_PER_RULE) -> Report:
    """
    Find the defects of a parsed description.

    The parameters are those of :func:`validates`.
    """
    resources = resources or ResourceResolver()
    description = Description(
        document, resources.resolve if 'assets' in tiers else _look_at_no_file)
    rules = RULES.values() if document.root.tag == 'robot' else [RULES['root-not-robot']]
    collected = _of_errors(filter(None, [document.malformed]), ignore, most_per_rule)
    return _check(description, [
        rule for rule in rules
        if rule.check and rule.category in tiers and rule.code not in ignore], collected)


def _look_at_no_file(uri: str) -> Path:
    raise ResourceError(f'{quote(uri)} is not looked at', '', 'scheme')


def _of_errors(
        errors: Iterable[DescriptionError], ignore: Collection[str],
        most_per_rule: int) -> _Findings:
    collected = _Findings(most_per_rule)
    for error in errors:
        rule = RULES[RULE_OF_ERROR[error.kind]]
        if rule.code not in ignore:
            collected.add(Finding(
                rule.code, rule.severity, error.message, error.hint or rule.hint, error.element,
                error.line, error.column, tuple(rule.consumers)))
    return collected


# Numbers may be of any size, and overflow to infinity.
@np.errstate(over='ignore', divide='ignore', invalid='ignore')
def _check(
        description: Description, rules: Collection[Rule], collected: _Findings) -> Report:
    document = description.document
    suppressions = Suppressions(document)
    for rule in rules:
        for broken, defect in _defects(rule, description):
            if not suppressions.suppress(broken.code, defect.element):
                collected.add_defect(broken, defect)
    for finding in _unused_suppressions(suppressions, {rule.code for rule in rules}):
        collected.add(finding)
    return collected.report(document.source, suppressions.count, document)


class _Findings:
    """Collects a limited number of findings per rule, and counts all."""

    def __init__(self, most_per_rule: int):
        self._most_per_rule = most_per_rule
        self._findings: list[Finding] = []
        self._of_rule: Counter[str] = Counter()
        self._of_severity = Counter(dict.fromkeys(Severity, 0))

    def add(self, finding: Finding) -> None:
        self._findings.append(finding)
        self._of_rule[finding.code] += 1
        self._of_severity[finding.severity] += 1

    def add_defect(self, rule: Rule, defect: Defect) -> None:
        if self._of_rule[rule.code] < self._most_per_rule:
            self.add(_finding(rule, defect))
        else:
            self._of_rule[rule.code] += 1
            self._of_severity[_severity(rule, defect)] += 1

    def report(
            self, source: str, suppressed: int = 0, document: Document | None = None) -> Report:
        self._findings.sort(key=lambda finding: (
            finding.line or 0, finding.column or 0, -finding.severity, finding.code))
        return Report(
            source, tuple(self._findings), dict(self._of_severity),
            {code: n - self._most_per_rule for code, n in self._of_rule.items()
             if n > self._most_per_rule},
            suppressed, document)


def _defects(rule: Rule, description: Description) -> Iterator[tuple[Rule, Defect]]:
    """Yield the defects that a rule finds, each with the rule; if it fails, `internal-error`."""
    if rule.check is None:
        return
    try:
        for defect in rule.check(description):
            yield rule, defect
    except Exception as error:  # A rule that fails must not hide the findings of others.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        code_location = location(os.path.basename(frame.filename), frame.lineno)
        yield RULES['internal-error'], Defect(
            description.robot,
            f'Rule {rule.code} failed at {code_location}: {type(error).__name__}: {error}')


def _severity(rule: Rule, defect: Defect) -> Severity:
    return rule.severity if defect.severity is None else defect.severity


def _finding(rule: Rule, defect: Defect) -> Finding:
    element = defect.element
    return Finding(
        rule.code, _severity(rule, defect), _truncate(defect.message),
        _truncate(defect.hint) or rule.hint, _truncate(element.path), element.line, element.column,
        tuple(rule.consumers), defect.fix)


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH - 3] + '...'


def _unused_suppressions(
        suppressions: Suppressions, applied: Collection[str]) -> Iterator[Finding]:
    for suppression, code in suppressions.unused:
        if code not in RULES:
            yield _suppression_finding(
                RULES['suppression-unknown'], suppression, f'Rule {code!r} does not exist')
        elif code in applied:
            yield _suppression_finding(
                RULES['suppression-unused'], suppression, f'No {code} finding to ignore here')


def _suppression_finding(rule: Rule, suppression: Suppression, message: str) -> Finding:
    comment = suppression.comment
    return Finding(
        rule.code, rule.severity, message, rule.hint,
        '' if comment.parent is None else comment.parent.path, comment.line, comment.column)
