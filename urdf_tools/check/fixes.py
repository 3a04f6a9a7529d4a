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
"""Fix a description, or the xacro files that it was expanded from, without new findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from typing import NamedTuple

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import count
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import SourceDocuments
from urdf_tools.model.xml.element_sources import ElementSource


SourceChange = Change | ReplaceElement

_REVEALING = frozenset(('mesh-not-found', 'mesh-scheme-unsupported', 'mesh-without-package'))
"""Rules whose fix lets other rules read what they could not read before."""


def _is_better(document: Document, fixed: Document, before: Report, after: Report,
               code: str) -> bool:
    """
    Return whether findings were resolved, and none was added except by rules that could not apply.

    :param document: the description before; if it is not a robot, rules said nothing of it.
    :param code: the rule whose findings were to be fixed.
    """
    old, new = (Counter(finding.code for finding in report.findings) for report in (before, after))
    if code in _REVEALING:
        return new[code] < old[code]
    return not new - old and new.total() < old.total() or (
        not _is_robot(document) and _is_robot(fixed))


def _is_robot(document: Document) -> bool:
    try:
        build_robot(document)
        return True
    except DescriptionError:
        return False


class SourceChanges:
    """
    Makes changes of elements in their sources.

    What is changed has to be written as a literal, and all elements that come from it have to
    need the same change.

    :param document: the expanded description.
    :param changes: all that are to be made.
    """

    def __init__(self, document: Document, changes: Iterable[SourceChange]):
        self._wanted = Counter(map(_key, changes))
        self._made = Counter(element.origin.location for element in document.root.iter()
                             if element.origin is not None)

    def edit(self, change: SourceChange, sources: SourceDocuments,
             is_editable: Callable[[str], bool]) -> tuple[str, Edit]:
        """
        Return the edit of a xacro file that a change of an element needs, with the file.

        :raises NotFixableError: it cannot be made.
        """
        origin = change.element.origin
        if origin is None:
            raise NotFixableError('its source is not known')
        _require_literal(change, origin)
        agreeing, instances = self._wanted[_key(change)], self._made[origin.location]
        if agreeing < instances:
            raise NotFixableError(
                f'only {agreeing} of {count(instances, "instance")} need the same change')
        file = origin.location.file
        if not is_editable(file):
            raise NotFixableError('the file is outside the package')
        try:
            element = sources.element(origin.location)
        except DescriptionError as error:
            raise NotFixableError(f'the file cannot be edited: {error.message}') from error
        if isinstance(change, ReplaceElement) and (
                len([*element.iter()]) != len([*change.element.iter()])):
            raise NotFixableError('xacro makes what is in it')
        change = change._replace(element=element)
        if isinstance(change, AddElements) and change.before is not None:
            change = change._replace(before=element[0] if len(element) else None)
        return file, change.edit(sources.data(file))


def changes_of(finding: Finding) -> list[Change]:
    """Return the changes of all instances of a finding."""
    if finding.trace is None:
        return list(finding.fix)
    return [change for instance in finding.trace.instances for change in instance.fix]


def _key(change: SourceChange) -> tuple[object, ...]:
    """Return the key that changes share if they are one change of the source."""
    origin = change.element.origin
    parts = change[1:2] if isinstance(change, AddElements) else change[1:]
    return type(change), origin and origin.location, repr(parts)


def _require_literal(change: SourceChange, origin: ElementSource) -> None:
    """
    Require that what is changed is written as a literal.

    :raises NotFixableError: it is not.
    """
    if isinstance(change, ReplaceElement):
        for element in change.element.iter():
            if element.origin is not None:
                _require_literal(RemoveElement(element), element.origin)
        return
    names = [change.name] if isinstance(change, SetAttribute) else []
    if isinstance(change, SetAttribute) and change.instead_of:
        names.append(change.instead_of)
    if isinstance(change, RemoveElement):
        names = list(origin.tag.raw)
        if origin.tag.setters:
            raise NotFixableError('xacro:attribute makes its attributes')
    for name in names:
        source = origin.attribute(name)
        if source is not None and not source.is_literal:
            raise NotFixableError(f'{name} comes from {source.raw}')
        if source is not None and name not in origin.tag.raw:
            raise NotFixableError(f'{name} comes from xacro:attribute')


Texts = Mapping[str, bytes]


class Fixes(NamedTuple):
    """
    The fixes of a description, or of the xacro files that it is expanded from.

    :param before: the files as they are, by path.
    :param after: those that change, fixed.
    :param left: the findings with a fix that was not applied, each with the reason.
    :param fixed: the findings that were fixed.
    """

    before: Texts
    after: Texts
    left: tuple[tuple[Finding, str], ...]
    fixed: tuple[Finding, ...]


class NotFixableError(Exception):
    """A change that cannot be made to a xacro file; the text says why."""


def autofix(read: Callable[[Texts], Document], check: Callable[[Document], Report],
            is_editable: Callable[[str], bool] = lambda file: True) -> Fixes:
    """
    Fix every defect that has exactly one safe fix.

    In a xacro file an attribute is changed only if it is written as a literal, and an element
    only if all elements that come from it need the same change. Fixes are applied one rule at a
    time. Those of a rule that would cause a new finding are rejected, so a second run changes
    nothing.

    :param read: reads the description, with other texts for some of its xacro files.
    :param check: validates a description and reports all findings.
    :param is_editable: returns whether a xacro file may be changed.
    :raises DescriptionError: the file cannot be read, or edited because of its encoding.
    """
    texts: Texts = {}
    left: dict[str, list[tuple[Finding, str]]] = {}
    done: list[Finding] = []
    document = first = read(texts)
    report = check(document)
    while fixable := [
            finding for finding in report.findings if finding.fix and finding.code not in left]:
        found = [finding for finding in fixable if finding.code == fixable[0].code]
        changed, impossible = _attempt(document, found, texts, is_editable)
        known = {id(finding) for finding, _ in impossible}
        possible = [finding for finding in found if id(finding) not in known]
        reason = 'the fix would cause another finding'  # Of a rule that has found others, too.
        if changed != texts:
            try:
                fixed = read(changed) if document.xacro is not None else read_document(
                    changed[document.source], document.source)
                fixed_report = check(fixed)
                if _is_better(document, fixed, report, fixed_report, found[0].code):
                    texts, document, report = changed, fixed, fixed_report
                    done += possible
                    continue
                new = {each.code for each in fixed_report.findings}.difference(
                    each.code for each in report.findings)
                reason = f'the fix would cause {", ".join(sorted(new))}' if new else reason
            except DescriptionError as error:
                reason = f'the fixed file could not be expanded: {error.message}'
        left[found[0].code] = [*impossible, *((finding, reason) for finding in possible)]
    before = {file: first.data if first.xacro is None else read_file(file) for file in texts}
    return Fixes(before, {file: data for file, data in texts.items() if data != before[file]},
                 tuple(item for items in left.values() for item in items), tuple(done))


def _attempt(document: Document, findings: list[Finding], texts: Texts,
             is_editable: Callable[[str], bool]) -> tuple[Texts, list[tuple[Finding, str]]]:
    """Return the texts with the fixes of findings, and those that are impossible, with why."""
    if document.xacro is None:
        fixes = (change for finding in findings for change in finding.fix)
        return {document.source: changed(document, fixes)}, []
    texts, reasons = changed_sources(
        document, [changes_of(finding) for finding in findings], texts, is_editable)
    return texts, [(finding, why) for finding, why in zip(findings, reasons) if why]


def changed_sources(document: Document, groups: Sequence[Sequence[SourceChange]], texts: Texts,
                    is_editable: Callable[[str], bool]) -> tuple[Texts, list[str]]:
    """
    Make changes of an expanded description in its xacro files.

    :param groups: changes that are made together or not at all.
    :param texts: texts that override the content of files, by path.
    :return: the texts with the changes, and for each group the reason why it was not made, or an
        empty string.
    """
    changes = SourceChanges(document, (change for group in groups for change in group))
    sources, edits, reasons = SourceDocuments(texts), dict[str, set[Edit]](), []
    for group in groups:
        try:
            found = [changes.edit(change, sources, is_editable) for change in group]
        except NotFixableError as reason:
            reasons.append(str(reason))
            continue
        reasons.append('')
        for file, edit in found:
            edits.setdefault(file, set()).add(edit)
    return {**texts, **sources.edited(edits)}, reasons
