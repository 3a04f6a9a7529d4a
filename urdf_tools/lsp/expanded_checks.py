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

"""Findings about what a xacro file expands to, in the files where they are written."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from pathlib import Path

from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Words
from urdf_tools.findings.report import Report
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.live_checks import at_start
from urdf_tools.lsp.live_checks import extent
from urdf_tools.lsp.live_checks import LocatedFinding
from urdf_tools.lsp.live_checks import TextEdit
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.model.editing import Change
from urdf_tools.model.editing import RemoveAttribute
from urdf_tools.model.editing import SetAttribute
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import expand_document
from urdf_tools.model.syntax_tree import scan_tag
from urdf_tools.model.trust import XacroBudget
from urdf_tools.model.trust import XacroLimits
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.source_changes import changes_of
from urdf_tools.validation.source_changes import SourceChanges
from urdf_tools.validation.validator import RULE_OF_ERROR
from urdf_tools.validation.validator import validate_document
from urdf_tools.workspace.settings import Settings

SECONDS = 10.0
"""Longest time that the expansion of one file may take."""


_ARGUMENT_HINT = (
    'Declare a default with <xacro:arg>, or give values to check it with in "arguments" of the '
    'initialization options')


@dataclass(frozen=True)
class ExpandedCheck:
    """
    What is known of a file after its expansion.

    :ivar files: the texts that it was made from; it holds as long as they are current.
    :ivar findings: path of a file to the findings that are written there.
    :ivar robot: the expanded robot, or None if xacro fails.
    :ivar headline: what programs make of it, in at most three lines.
    """

    files: tuple[Source, ...]
    findings: Mapping[str, list[LocatedFinding]] = field(default_factory=dict)
    robot: ExpandedRobot | None = None
    headline: Sequence[str] = ()

    def is_current(self, project: Project) -> bool:
        """Return whether no file has changed since."""
        return all(project.source(source.path) is source for source in self.files)


def check_expanded(
        project: Project, root: Source, mappings: Mapping[str, str], settings: Settings
        ) -> ExpandedCheck:
    """
    Expand a xacro file with the texts of all open buffers, and return what is found.

    Xacro evaluates expressions: call this for files that the user trusts.

    :param mappings: values of the arguments of the file.
    """
    files = project.closure(root)
    buffers = {source.path: source.text for source in list(project.open.values())}
    buffers.setdefault(root.path, root.text)
    try:
        document = expand_document(
            root.path, mappings, buffers, project.resolver(root).lookup,
            XacroBudget(XacroLimits(time=SECONDS)))
    except DescriptionError as error:
        return ExpandedCheck(tuple(files), _failed(project, root, error))
    if document.xacro is not None:
        paths = {project.own_path(file.path) for file in document.xacro.files}
        files += [source for path in sorted(paths - {source.path for source in files})
                  if (source := project.source(path)) is not None]
    loops = settings.loops(root.path)
    if loops is not None and (source := project.source(loops)) is not None:
        files.append(source)
    report = validate_document(
        document, categories=CATEGORIES, ignore=settings.unwanted(), consumers=settings.programs,
        resources=project.resolver(root), file=Path(root.path), loops_file=loops)
    return ExpandedCheck(tuple(files), _by_file(project, root, report), ExpandedRobot(
        document, project.own_path), report.headline())


def _failed(
        project: Project, root: Source, error: DescriptionError
        ) -> dict[str, list[LocatedFinding]]:
    finding = Finding(
        RULE_OF_ERROR[error.kind], Severity.ERROR, error.message, error.hint)
    if error.meant is not None:
        wrong, meant = map(Name, error.meant)
        finding = replace(
            finding, message=Message('{error}', {'error': Words(error.message), 'name': wrong}),
            hint=Message('{hint}', {'hint': Words(error.hint), 'suggestion': meant}))
    if error.argument:
        # Not a defect of the file, but of what is known about its use.
        finding = replace(finding, severity=Severity.INFO, hint=_ARGUMENT_HINT)
    if error.text is None or error.line is None or error.column is None:
        return {root.path: [at_start(root, finding, '')]}
    path = project.own_path(error.source)
    source = project.source(path)
    if source is None:
        return {root.path: [at_start(root, finding, f'At {path}:{error.line}: ')]}
    start, end = extent(source.positions, error.line, error.column)
    return {path: [LocatedFinding(finding, start, end, _tag_around(source, start))]}


def _by_file(
        project: Project, root: Source, report: Report) -> dict[str, list[LocatedFinding]]:
    found: dict[str, list[LocatedFinding]] = {}
    changes = None
    if report.document is not None and any(finding.fix for finding in report.findings):
        changes = SourceChanges(report.document, report.findings)
    for finding in report.findings:
        path = root.path
        if finding.trace is None:
            line = f'Line {finding.line} of the expanded text: ' if finding.line else ''
            located = at_start(root, finding, line)
        else:
            path = project.own_path(finding.trace.location.file)
            source = project.source(path)
            if source is not None and project.is_own(path):
                located = _traced(project, source, finding, changes)
            else:
                located = _at_caller(project, root, finding)
                path = root.path
        found.setdefault(path, []).append(located)
    return found


def _traced(
        project: Project, source: Source, finding: Finding, changes: SourceChanges | None
        ) -> LocatedFinding:
    trace = finding.trace
    assert trace is not None
    _, line, column = trace.location
    start, end = extent(source.positions, line, column, trace.length)
    return LocatedFinding(
        finding, start, end, _tag_around(source, start),
        _source_fix(project, source, finding, changes))


def _at_caller(project: Project, root: Source, finding: Finding) -> LocatedFinding:
    """Return a finding about a file of somebody else, where the root brings that in."""
    trace = finding.trace
    assert trace is not None
    here = [place for place in (*trace.calls, *trace.includes)
            if project.own_path(place.file) == root.path]
    note = f'At {trace.location}: '
    if not here:
        return at_start(root, finding, note)
    _, line, column = here[0]
    start, end = extent(root.positions, line, column)
    return LocatedFinding(finding, start, end, start, note=note)


def _tag_around(source: Source, start: int) -> int:
    """Return the offset of the tag whose attribute begins at an offset."""
    node = source.tree.tag_at(start + 1)
    return start if node is None else node.start


def _source_fix(
        project: Project, source: Source, finding: Finding, changes: SourceChanges | None
        ) -> tuple[TextEdit, ...]:
    """Return the edits that fix a finding where it is written; empty unless they are safe."""
    if changes is None or any(map(changes.obstacle, changes_of(finding))):
        return ()
    edits = []
    for change in finding.fix:
        edit = _source_edit(project, source, change)
        if edit is None:
            return ()
        edits.append(edit)
    return tuple(edits)


def _source_edit(project: Project, source: Source, change: Change) -> TextEdit | None:
    """Return the edit of a tag, or None."""
    origin = change.element.origin
    if origin is None or not isinstance(change, (SetAttribute, RemoveAttribute)):
        return None
    if project.own_path(origin.tag.file.path) != source.path:
        return None
    start = source.positions.offset_of_line(*origin.location[1:])
    return _tag_edit(source.text, start, change)


def _tag_edit(text: str, start: int, change: SetAttribute | RemoveAttribute) -> TextEdit | None:
    tag = scan_tag(text, start)
    written = change.name
    if isinstance(change, SetAttribute) and change.instead_of:
        written = change.instead_of
    old = tag.attribute(written)
    if isinstance(change, RemoveAttribute):
        if old is None:
            return None
        before = len(text[:old.start].rstrip())
        return TextEdit(before, old.value_end + 1, '')
    if any(character in change.value for character in '<&"\''):
        return None
    if old is not None:
        quote = text[old.value_start - 1]
        return TextEdit(
            old.start, old.value_end + 1, f'{change.name}={quote}{change.value}{quote}')
    end = tag.attributes[-1].value_end + 1 if tag.attributes else tag.name_end
    return TextEdit(end, end, f' {change.name}="{change.value}"')
