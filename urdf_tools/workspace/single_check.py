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

"""One check: of one description, with one combination of xacro arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import os
import traceback

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report
from urdf_tools.model.document import Document
from urdf_tools.model.messages import location
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.trust import Trust
from urdf_tools.model.trust import XacroBudget
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.validator import validate
from urdf_tools.validation.validator import validates
from urdf_tools.workspace.argument_matrix import Arguments
from urdf_tools.workspace.target_selection import Target

MAX_FINDINGS = 10_000
"""Number of findings listed per rule; further ones are counted."""


@dataclass(frozen=True)
class SingleCheck:
    """
    One check, as it is sent to another process.

    :param source: the file.
    :param arguments: xacro arguments.
    :param text: the description, if it does not come from the file.
    :param ignore: codes of the rules not to apply.
    :param programs: report only what affects these programs; all if it is empty.
    :param packages: folders of packages by name.
    :param trust: what the description may read besides.
    :param loops: the file of loops beside the description, or None.
    """

    source: str
    arguments: Arguments
    text: bytes | None
    ignore: frozenset[str]
    programs: tuple[str, ...]
    packages: Mapping[str, str]
    trust: Trust
    loops: str | None = None

    @classmethod
    def of(cls, target: Target, arguments: Arguments) -> SingleCheck:
        """Return the check of a description with some arguments."""
        settings = target.settings
        return cls(target.source, arguments, target.text, frozenset(settings.unwanted()),
                   tuple(settings.programs), dict(settings.packages),
                   settings.trust, target.loops)


@dataclass(frozen=True)
class SingleResult:
    """
    The result of one check.

    :param report: without its document.
    :param files: the xacro files that the description comes from, outermost first; for other
        descriptions the file itself.
    """

    report: Report
    files: tuple[str, ...]


def check_single(check: SingleCheck, budget: XacroBudget) -> SingleResult:
    """
    Check one description; an exception is a finding, so that it hides nothing of others.

    :param budget: what the expansion of xacro may take.
    """
    try:
        report = _validate(check, budget)
        return SingleResult(report.without_document(), _files(report.document, check.source))
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = location(os.path.basename(frame.filename), frame.lineno)
        return not_checked(check, f'The check failed at {where}: {type(error).__name__}: {error}')


def not_checked(check: SingleCheck, reason: str) -> SingleResult:
    """Return the result of a check that did not come to an end."""
    rule = RULES['internal-error']
    finding = Finding(rule.code, rule.severity, reason, rule.hint)
    counts = {**dict.fromkeys(Severity, 0), rule.severity: 1}
    return SingleResult(Report(check.source, (finding,), counts, {}, 0), (check.source,))


def _validate(check: SingleCheck, budget: XacroBudget) -> Report:
    folder = '.' if check.text is not None else os.path.dirname(check.source) or '.'
    resources = ResourceResolver(folder, packages=check.packages, trust=check.trust)
    if check.text is not None:
        return validates(
            check.text, source=check.source, categories=CATEGORIES, ignore=check.ignore,
            consumers=check.programs, resources=resources, max_per_rule=MAX_FINDINGS,
            loops_file=check.loops)
    return validate(
        check.source, mappings=check.arguments, ignore=check.ignore, consumers=check.programs,
        resources=resources, max_per_rule=MAX_FINDINGS, budget=budget,
        loops_file=check.loops)


def _files(document: Document | None, source: str) -> tuple[str, ...]:
    if document is None or document.xacro is None:
        return (source,)
    return tuple(dict.fromkeys(file.path for file in document.xacro.files))
