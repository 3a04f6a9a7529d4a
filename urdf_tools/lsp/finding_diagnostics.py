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

"""Findings as the diagnostics of an editor, and the actions that resolve them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from itertools import chain
from itertools import islice
import re

from lsprotocol import types

from urdf_tools.check.rules import RULES
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import describe
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Reference
from urdf_tools.lsp.file_checks import LocatedFinding
from urdf_tools.lsp.file_checks import suppression
from urdf_tools.lsp.file_checks import TextEdit
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import TextPositions
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.syntax_tree import Node

NAME = 'urdf-tools'

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARN: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information}

_MAX_RELATED = 20
_NAMES = re.compile(r'\$\(find[\w-]*\s+([^\s)]+)\)|(?<![\w.])[^\W\d]\w*(?=[^{}]*\})')
"""A package that an attribute names, or a name in one of its expressions."""

_NOT_WRITTEN = frozenset('<&"\'')


def diagnostic(project: Project, source: Source, found: LocatedFinding) -> types.Diagnostic:
    """Return a finding as the diagnostic of an editor."""
    finding = found.finding
    affected = f'Affects {name_list(finding.consumers)}' if finding.consumers else ''
    related = () if finding.trace is None else finding.trace.related()
    return types.Diagnostic(
        source.positions.range(found.start, found.end),
        '\n'.join(filter(None, (found.note + finding.text, *finding.remarks, affected))),
        severity=_SEVERITIES[finding.severity], code=finding.code, source=NAME,
        related_information=[
            types.DiagnosticRelatedInformation(project.location(location), text)
            for location, text in islice(related, _MAX_RELATED)] or None)


def actions(
        project: Project, source: Source, findings: Sequence[LocatedFinding], start: int,
        end: int) -> Iterator[types.CodeAction]:
    """
    Yield the actions for the findings between two offsets: fixes first, then suppressions.

    A suppression is not a quick fix, because it repairs nothing.
    """
    here = [found for found in findings if found.start <= end and start <= found.end]
    for found in here:
        if (spelling_fix := corrected_name(source, found)) is not None:
            yield _action(project, source, found, *spelling_fix)
        elif found.fix:
            yield _action(project, source, found, _title(found), found.fix)
    suppressible = {(found.finding.code, found.element(source)): found for found in here
                    if RULES[found.finding.code].check is not None
                    and source.text.startswith('<', found.element(source))}
    for (code, start), found in suppressible.items():
        edit = suppression(source.text, code, start)
        yield _action(project, source, found, f'Ignore {code} here', (edit,),
                      types.CodeActionKind.RefactorRewrite)


def _title(found: LocatedFinding) -> str:
    """Return what a fix does; the hint of one that removes something often says "it"."""
    change = found.finding.fix[0] if found.finding.fix else None
    if isinstance(change, RemoveElement):
        return f'Fix: Remove {describe(change.element)}'
    return f'Fix: {found.finding.hint or RULES[found.finding.code].fix}'


def _action(
        project: Project, source: Source, found: LocatedFinding, title: str,
        edits: Iterable[TextEdit],
        kind: types.CodeActionKind = types.CodeActionKind.QuickFix) -> types.CodeAction:
    return types.CodeAction(
        title, kind=kind, is_preferred=kind is types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(project, source, found)],
        edit=types.WorkspaceEdit(changes={
            uri_of(source.path): text_edits(source.positions, edits)}))


def text_edits(positions: TextPositions, edits: Iterable[TextEdit]) -> list[types.TextEdit]:
    """Return edits as the protocol has them, without those that overlap an earlier one."""
    kept: list[TextEdit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return [types.TextEdit(positions.range(edit.start, edit.end), edit.text) for edit in kept]


def corrected_name(
        source: Source, found: LocatedFinding) -> tuple[str, tuple[TextEdit, ...]] | None:
    """Return the title and the edits that apply the suggestion of a finding, or None."""
    finding = found.finding
    hint = finding.hint
    suggestion = hint.arguments.get('suggestion') if isinstance(hint, Message) else None
    node = source.tree.tag_at(found.element(source) + 1)
    if not isinstance(suggestion, str) or node is None or _NOT_WRITTEN & set(suggestion):
        return None
    arguments = [value for value in finding.arguments.values()
                 if isinstance(value, str) and value != suggestion]
    names = {str(value) for value in arguments if isinstance(value, Name)}
    words = {*map(str, arguments)}
    # Of a name that is only in a description of the element, that is what does not exist.
    described = set() if names else {
        name for value in arguments if isinstance(value, Reference) for name in value.names}
    ranges = next(chain(_ranges(source, node, names, words),
                        _ranges(source, node, described, set())), None)
    if ranges is None:
        return None
    written = source.text[slice(*ranges[0])]
    return (f'Change {quote(written, 80)} to {quote(suggestion, 80)}',
            tuple(TextEdit(start, end, suggestion) for start, end in ranges))


def _ranges(source: Source, node: Node, names: set[str], words: set[str]
            ) -> Iterator[list[tuple[int, int]]]:
    """Yield the ranges of a name, as a value or text, or of a word, as an attribute or tag."""
    for attribute in node.attributes:
        start = attribute.value_start
        found = [match.span(match.lastindex or 0) for match in _NAMES.finditer(attribute.value)
                 if match[match.lastindex or 0] in names]
        if attribute.value in names and start >= 0:
            yield [(start, attribute.value_end)]
        elif found:
            yield [(start + first, start + last) for first, last in found]
        elif attribute.name in words:
            yield [(attribute.start, attribute.name_end)]
    if node.close >= 0 and not node.children:
        text = source.text[node.tag_end:node.close]
        if text.strip() in names:
            start = node.tag_end + len(text) - len(text.lstrip())
            yield [(start, start + len(text.strip()))]
    if node.tag in words:
        yield [(node.start + 1, node.name_end), *(
            [(node.close + 2, node.close + 2 + len(node.tag))] if node.close >= 0 else [])]
