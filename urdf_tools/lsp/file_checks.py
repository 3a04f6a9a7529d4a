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
"""Findings about the text of a file, or what it expands to, at their offsets."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
import logging
from pathlib import Path
import re

from urdf_tools.check.fixes import changes_of
from urdf_tools.check.fixes import NotFixableError
from urdf_tools.check.fixes import SourceChanges
from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.schema import TABLES
from urdf_tools.check.validator import failed
from urdf_tools.check.validator import RULE_OF_ERROR
from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.report import Report
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import TextPositions
from urdf_tools.lsp.specification import TABLES as TEXTS
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import SourceDocuments
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.syntax_tree import scan_tag
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.xacro.expansion import expand_document
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroLimits

UNEXPANDED_RULES = frozenset(TABLES['rules of parts'])
"""The rules that apply to a part of a description, whatever xacro adds to it."""

UNREADABLE = frozenset(RULE_OF_ERROR.values())
"""The rules whose violation ends the reading of a text."""

_ALL_RULES = frozenset(RULES)
_NOT_BLANK = re.compile(r'[^\r\n]')

SECONDS = 10.0
"""Longest time that the expansion of one file may take."""

_ARGUMENT_HINT: str = TEXTS['hint for arguments']


@dataclass(frozen=True)
class TextEdit:
    """The characters to replace in a text, and the new ones."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class LocatedFinding:
    """
    A finding and its position in a text.

    :ivar start: offset of what is at fault.
    :ivar end: offset after it.
    :ivar fix: the edits that fix it; empty unless there is exactly one safe fix.
    :ivar note: what to say before the message, if it is not shown where it is.
    """

    finding: Finding
    start: int
    end: int
    fix: tuple[TextEdit, ...] = ()
    note: str = ''

    def element(self, source: Source) -> int:
        """Return the offset of the tag that it is about, in the text that it is shown in."""
        node = source.tree.tag_at(self.start + 1)
        return self.start if node is None else node.start


def failed_check(source: Source, error: Exception) -> LocatedFinding:
    """Log the error of a check, and return it as a finding."""
    logging.error('The check of %s failed', source.path, exc_info=error)
    finding, = failed(error, source.path).findings
    return at_tag(source, finding, '')


def check(
        source: Source, resources: ResourceResolver, settings: Settings
        ) -> tuple[list[LocatedFinding], list[str]]:
    """
    Return the findings about the text of a description that is not xacro, and its first lines.

    :param resources: finds meshes and textures.
    """
    report = validates(
        source.text, source=source.path, resources=resources, ignore=_unwanted(source, settings),
        consumers=settings.programs, categories=CATEGORIES, file=Path(source.path),
        loops_file=settings.loops(source.path))
    return [at_tag(source, finding, f'At {finding.trace.location}: ') if finding.trace else found
            for finding, found in zip(report.findings, _all_located(report, source.positions))
            ], report.headline()


def check_in_package(source: Source, package: str, resources: ResourceResolver, settings: Settings
                     ) -> list[LocatedFinding]:
    """
    Return what needs no description about a launch file, or another one of a package, as saved.

    :param package: the folder of the package.
    """
    report = validate(
        Path(package, 'package.xml'), resources=resources, ignore=settings.unwanted(),
        consumers=settings.programs).within([source.path])
    return [_located(finding, source.positions, source.positions.offset_of_line(
        finding.line or 1, finding.column or 1)) for finding in report.findings]


def at_tag(source: Source, finding: Finding, note: str, start: int | None = None
           ) -> LocatedFinding:
    """
    Return a finding about another location, shown at a tag of a text.

    :param note: where it is written.
    :param start: offset of the tag; by default of the first one.
    """
    if start is None:
        start = 0 if source.tree.root is None else source.tree.root.start
    return _located(finding, source.positions, start, note=note)


def check_unexpanded(source: Source, settings: Settings) -> list[LocatedFinding]:
    """
    Return the findings about a xacro file that do not depend on its expansion.

    The tags of xacro are overwritten with spaces, so that the rules see into macros.
    """
    try:
        read_document(source.text, source.path)
    except DescriptionError:
        return _all_located(validates(source.text, source=source.path), source.positions)
    text = _without_xacro(source.tree)
    report = validates(
        text, source=source.path, consumers=settings.programs, asks_programs=False,
        ignore=_ALL_RULES - UNEXPANDED_RULES | _unwanted(source, settings))
    if report.document is None or report.document.root.tag != 'robot':
        return []
    return [found for found in _all_located(report, source.positions.of(text))
            if all(source.text[edit.start:edit.end] == text[edit.start:edit.end]
                   for edit in found.fix)]


def _unwanted(source: Source, settings: Settings) -> frozenset[str]:
    """Return the rules that are not applied; of SRDF it is only found that it is unreadable."""
    return (_ALL_RULES - UNREADABLE if source.is_semantic else frozenset()) | settings.unwanted()


def _without_xacro(tree: SyntaxTree) -> str:
    """Return a text of the same length without the tags of xacro."""
    text = tree.text
    parts = []
    position = 0
    tags = [(node.start, node.tag_end) for node in tree.nodes if node.tag.startswith('xacro:')]
    tags += [(node.close, node.end) for node in tree.nodes
             if node.tag.startswith('xacro:') and node.close >= 0]
    for start, end in sorted(tags):
        parts += [text[position:start], _NOT_BLANK.sub(' ', text[start:end])]
        position = end
    return ''.join((*parts, text[position:]))


def _all_located(report: Report, positions: TextPositions) -> list[LocatedFinding]:
    data = b'' if report.document is None else report.document.data
    return [_located(
        finding, positions, positions.offset_of_line(finding.line or 1, finding.column or 1),
        tuple(_text_edit(change.edit(data), positions) for change in finding.fix))
        for finding in report.findings]


def _located(finding: Finding, positions: TextPositions, start: int,
             fix: tuple[TextEdit, ...] = (), note: str = '', length: int = 0) -> LocatedFinding:
    """
    Return a finding about the tag or, outside of tags, the line at an offset.

    :param length: number of characters, if it is known.
    """
    end = positions.end_of_line(start)
    if length:
        end = min(start + length, end)
    elif positions.text.startswith('<', start) and not positions.text.startswith('<!', start):
        end = min(scan_tag(positions.text, start).tag_end, end)
    return LocatedFinding(finding, start, end, fix, note)


def _text_edit(edit: Edit, positions: TextPositions) -> TextEdit:
    """Return an edit of the bytes of a text as one of its characters."""
    return TextEdit(positions.offset_of_byte(edit.start), positions.offset_of_byte(edit.end),
                    edit.text.decode('utf-8', 'replace'))


def suppression(text: str, code: str, start: int) -> TextEdit:
    """Return the edit that writes a comment above the element at an offset to suppress a rule."""
    comment = f'<!-- urdf-tools: ignore {code} -->'
    first = max(text.rfind('\n', 0, start), text.rfind('\r', 0, start)) + 1
    before = text[first:start]
    indent = before[:len(before) - len(before.lstrip(' \t'))]
    newline = '\r\n' if '\r\n' in text[:first + 1] else '\n'
    if before.strip(' \t'):
        return TextEdit(start, start, f'{newline}{indent}{comment}{newline}{indent}')
    return TextEdit(start, start, f'{comment}{newline}{indent}')


@dataclass(frozen=True)
class ExpandedCheck:
    """
    The results of the expansion of a file.

    :ivar files: the texts that it was made from; it holds as long as they are current.
    :ivar findings: each with the path of the file that it is shown in.
    :ivar robot: the expanded robot, or None if xacro fails.
    :ivar headline: how programs load it, in at most three lines.
    """

    files: tuple[Source, ...]
    findings: Sequence[tuple[str, LocatedFinding]]
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

    :param mappings: values of arguments, which other files may have.
    """
    files = project.closure(root)
    try:
        document = expand_document(
            root.path, mappings, {root.path: root.text, **project.texts()},
            project.resolver(root).lookup,
            XacroBudget(XacroLimits(time=SECONDS)), optional=mappings)
    except DescriptionError as error:
        return ExpandedCheck(tuple(files), [_failed(project, root, error)])
    assert document.xacro is not None, 'xacro has expanded it'
    sources = {file.path: source for file in document.xacro.files
               if (source := project.source(project.own_path(file.path))) is not None}
    loops = settings.loops(root.path)
    beside = None if loops is None else project.source(loops)
    files += [source for source in (*sources.values(), beside) if source is not None]
    report = validates(
        document, categories=CATEGORIES, ignore=_unwanted(root, settings), loops_file=loops,
        consumers=settings.programs, resources=project.resolver(root), file=Path(root.path))
    changes = SourceChanges(
        document, (change for finding in report.findings for change in changes_of(finding)))
    documents = SourceDocuments({
        file: source.text.encode('utf-8', 'surrogatepass') for file, source in sources.items()})

    def located(finding: Finding) -> tuple[str, LocatedFinding]:
        trace = finding.trace
        if trace is None:
            return _placed(project, root, finding, None)
        path, found = _placed(project, root, finding, trace.location,
                              (*trace.calls, *trace.includes), trace.length)
        try:
            edits = {changes.edit(change, documents, lambda file: (
                file in sources and sources[file].path == path)) for change in changes_of(finding)}
        except NotFixableError:  # Such as a file that has changed meanwhile.
            return path, found
        return path, replace(found, fix=tuple(
            _text_edit(edit, sources[file].positions) for file, edit in edits))

    return ExpandedCheck(tuple(files), [*map(located, report.findings)],
                         ExpandedRobot(document, project.own_path), report.headline())


def _failed(project: Project, root: Source, error: DescriptionError) -> tuple[str, LocatedFinding]:
    finding = Finding(RULE_OF_ERROR[error.kind], Severity.ERROR, error.message, error.hint)
    if error.misspelling is not None:
        wrong, suggestion = map(Name, error.misspelling)
        finding = replace(
            finding, message=Message('{error}', error=FreeText(error.message), name=wrong),
            hint=Message('{hint}', hint=FreeText(error.hint), suggestion=suggestion))
    if error.argument:
        # Not a defect of the file, but of what is known about its use.
        finding = replace(finding, severity=Severity.INFO, hint=_ARGUMENT_HINT)
    is_known = error.text is not None and error.line is not None and error.column is not None
    return _placed(project, root, finding, SourceLocation(
        error.source, error.line or 1, error.column or 1) if is_known else None)


def _placed(
        project: Project, root: Source, finding: Finding, where: SourceLocation | None,
        callers: Iterable[SourceLocation] = (), length: int = 0) -> tuple[str, LocatedFinding]:
    """
    Return a finding with the path of the file that it is shown in.

    Of a file of another package, that is the include or call in the root.

    :param where: what it is about; None if only the expanded text has it.
    :param callers: the calls and includes that lead there.
    """
    if where is None:
        line = f'Line {finding.line} of the expanded text: ' if finding.line else ''
        return root.path, at_tag(root, finding, line)
    path = project.own_path(where.file)
    source = project.source(path)
    if source is None or not project.is_own(path):
        here = [caller for caller in callers if project.own_path(caller.file) == root.path]
        start = root.positions.offset_of_line(*here[0][1:]) if here else None
        return root.path, at_tag(root, finding, f'At {where}: ', start)
    start = source.positions.offset_of_line(*where[1:])
    return path, _located(finding, source.positions, start, length=length)
