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


"""Fix a description automatically, without causing new findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection

from urdf_tools.check.loaded_robot import NEEDS_ROBOT
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import changed


def autofix(document: Document, check: Callable[[Document], Report],
            on_fixed: Callable[[Finding], object] = lambda finding: None) -> Document:
    """
    Return the description with every defect fixed that has exactly one safe fix.

    Fixes are applied one rule at a time until none is left. Those of a rule that would cause a
    new finding are rejected, so a second run changes nothing.

    :param check: validates a description and reports all findings.
    :param on_fixed: is called with each finding that was fixed.
    :raises DescriptionError: the encoding of the text is not a superset of ASCII.
    """
    report = check(document)
    rejected: set[str] = set()
    while found := first_fixable(report, rejected):
        changes = (change for finding in found for change in finding.fix)
        fixed = read_document(changed(document, changes), document.source)
        fixed_report = check(fixed)
        if is_better(document, report, fixed_report):
            document, report = fixed, fixed_report
            for finding in found:
                on_fixed(finding)
        else:
            rejected.add(found[0].code)
    return document


def first_fixable(report: Report, rejected: Collection[str]) -> list[Finding]:
    """Return the findings with a fix of the first rule that has any and is not rejected."""
    fixable = [finding for finding in report.findings
               if finding.fix and finding.code not in rejected]
    return [finding for finding in fixable if finding.code == fixable[0].code]


def is_better(document: Document, before: Report, after: Report) -> bool:
    """
    Return whether findings were resolved and none was added.

    Findings that need a robot are not new if there was none before.

    :param document: the description before.
    """
    try:
        build_robot(document)
        unknown: Collection[str] = ()
    except DescriptionError:
        unknown = NEEDS_ROBOT
    old, new = (Counter(finding.code for finding in report.findings
                        if finding.code not in unknown) for report in (before, after))
    return not new - old and sum(new.values()) < sum(old.values())
