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

"""Fix the xacro files that a description was expanded from."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from typing import NamedTuple

from urdf_tools.check.autofix import first_fixable
from urdf_tools.check.autofix import is_better
from urdf_tools.check.source_changes import changes_of
from urdf_tools.check.source_changes import SourceChanges
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import SourceDocuments

Texts = Mapping[str, bytes]


class SourceFixes(NamedTuple):
    """
    The fixes of xacro files.

    :param before: the files that change, as they are, by path.
    :param after: the same, fixed.
    :param left: the findings with a fix that was not applied, each with the reason.
    :param fixed: the findings that were fixed.
    """

    before: Texts
    after: Texts
    left: tuple[tuple[Finding, str], ...]
    fixed: tuple[Finding, ...]


class NotFixableError(Exception):
    """A change that cannot be made to a xacro file; the text says why."""


def fix_sources(expand: Callable[[Texts], Document], check: Callable[[Document], Report],
                is_editable: Callable[[str], bool]) -> SourceFixes:
    """
    Fix in the xacro files every defect that has exactly one safe fix there.

    An attribute is changed only if it is written as a literal, and an element only if all
    elements that come from it need the same change. Fixes are applied one rule at a time. Those
    of a rule that would cause a new finding are rejected.

    :param expand: expands the description, with other texts for some of its files.
    :param check: validates a description and reports all findings.
    :param is_editable: returns whether a file may be changed.
    :raises DescriptionError: the file cannot be expanded.
    """
    texts: Texts = {}
    left: dict[str, list[tuple[Finding, str]]] = {}
    done: list[Finding] = []
    document = expand(texts)
    report = check(document)
    while found := first_fixable(report, left):
        changed, impossible = _attempt(document, found, texts, is_editable)
        known = {id(finding) for finding, _ in impossible}
        possible = [finding for finding in found if id(finding) not in known]
        reason = 'the fix would cause another finding'
        if changed != texts:
            try:
                fixed = expand(changed)
                fixed_report = check(fixed)
                if is_better(document, report, fixed_report):
                    texts, document, report = changed, fixed, fixed_report
                    done += possible
                    continue
            except DescriptionError as error:
                reason = f'the fixed file could not be expanded: {error.message}'
        left[found[0].code] = [*impossible, *((finding, reason) for finding in possible)]
    changes = {name: data for name, data in texts.items() if data != read_file(name)}
    return SourceFixes({name: read_file(name) for name in changes}, changes,
                       tuple(item for items in left.values() for item in items), tuple(done))


def _attempt(document: Document, findings: list[Finding], texts: Texts,
             is_editable: Callable[[str], bool]) -> tuple[Texts, list[tuple[Finding, str]]]:
    """Return the texts with the fixes of findings, and those that are impossible, with why."""
    changes, sources = SourceChanges(document, findings), SourceDocuments(texts)
    edits: dict[str, set[Edit]] = {}
    impossible = []
    for finding in findings:
        try:
            found = [source_edit(change, changes.obstacle(change), sources, is_editable)
                     for change in changes_of(finding)]
        except NotFixableError as reason:
            impossible.append((finding, str(reason)))
            continue
        for file, edit in found:
            edits.setdefault(file, set()).add(edit)
    return {**texts, **sources.edited(edits)}, impossible


def source_edit(change: Change, obstacle: str, sources: SourceDocuments,
                is_editable: Callable[[str], bool]) -> tuple[str, Edit]:
    """
    Return the edit of a xacro file that a change of an element needs, with the file.

    :param obstacle: why it cannot be made there; empty if there is none.
    :raises NotFixableError: it cannot be made.
    """
    origin = change.element.origin
    if obstacle or origin is None:
        raise NotFixableError(obstacle)
    file = origin.location.file
    if not is_editable(file):
        raise NotFixableError('the file is outside the package')
    try:
        element = sources.element(origin.location)
    except DescriptionError as error:
        raise NotFixableError(f'the file cannot be edited: {error.message}') from error
    return file, change._replace(element=element).edit(sources.data(file))
