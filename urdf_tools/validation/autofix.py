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

"""Mend a description: apply the fixes of its findings, and see that they do no harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.validation.fixes import apply_fixes
from urdf_tools.validation.report import Report


def autofix(document: Document, check: Callable[[Document], Report]) -> Document:
    """
    Return the description with every defect mended that has one safe answer.

    The fixes of one rule after the other are applied, until none is left. Those of a rule that
    would make a new finding are not, so that doing it again changes nothing.

    :param check: validates a description, and reports all its findings.
    :raises DescriptionError: the text is in an encoding that is not based on ASCII.
    """
    report = check(document)
    refused = set()
    while code := _first_fixable(report, refused):
        fixes = [finding.fix for finding in report.findings if finding.code == code]
        mended = read_document(apply_fixes(document, fixes), document.source)
        after = check(mended)
        if _is_better(report, after):
            document, report = mended, after
        else:
            refused.add(code)
    return document


def _first_fixable(report, refused):
    return next((finding.code for finding in report.findings
                 if finding.fix and finding.code not in refused), None)


def _is_better(before: Report, after: Report) -> bool:
    """Tell whether findings have gone and none has come."""
    old, new = (Counter(finding.code for finding in report.findings) for report in (before, after))
    return not new - old and sum(new.values()) < sum(old.values())
