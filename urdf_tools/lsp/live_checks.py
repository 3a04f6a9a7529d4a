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

"""Findings about the text of a buffer, at their offsets, with the edits that fix them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
import re

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import TEXT_CATEGORIES
from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.report import Report
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import TextPositions
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.syntax_tree import scan_tag
from urdf_tools.model.xml.syntax_tree import SyntaxTree

UNEXPANDED_RULES = frozenset((
    'alpha-zero', 'axis-nearly-aligned', 'axis-not-unit', 'axis-zero',
    'inertia-diagonal-not-positive', 'inertia-not-pd', 'inertia-offdiag-too-large',
    'inertia-triangle', 'inertia-zero', 'joint-unknown-type', 'limit-in-degrees',
    'limit-inverted', 'limit-negative-effort', 'limit-negative-velocity', 'mass-negative',
    'mesh-scale-zero', 'mesh-scheme-unsupported', 'mimic-self', 'number-locale-comma',
    'number-not-finite', 'number-not-parsable', 'number-spacing', 'parent-is-child',
    'quat-not-normalised', 'rgba-out-of-range', 'rpy-and-quat', 'size-not-positive',
    'soft-limits-inverted', 'suppression-unknown', 'unknown-attribute', 'vector-wrong-length'))
"""The rules that apply to a part of a description, whatever xacro adds to it."""

_IGNORED_UNEXPANDED = frozenset(RULES) - UNEXPANDED_RULES
_NOT_BLANK = re.compile(r'[^\r\n]')


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
    :ivar element: offset of the tag that it is about.
    :ivar fix: the edits that fix it; empty unless there is exactly one safe fix.
    :ivar note: what to say before the message, if it is not shown where it is.
    """

    finding: Finding
    start: int
    end: int
    element: int
    fix: tuple[TextEdit, ...] = ()
    note: str = ''


def check(
        source: Source, resources: ResourceResolver, settings: Settings, with_files: bool = True
        ) -> tuple[list[LocatedFinding], list[str]]:
    """
    Return the findings about the text of a description that is not xacro, and its first lines.

    :param resources: finds meshes and textures.
    :param with_files: whether to check the files that the description refers to, too.
    """
    report = validates(
        source.text, source=source.path, resources=resources, ignore=settings.unwanted(),
        consumers=settings.programs, categories=CATEGORIES if with_files else TEXT_CATEGORIES,
        file=Path(source.path), loops_file=settings.loops(source.path) if with_files else None)
    return [at_tag(source, finding, f'At {finding.trace.location}: ') if finding.trace else found
            for finding, found in zip(report.findings, _located(report, source.positions))
            ], report.headline()


def at_tag(source: Source, finding: Finding, note: str, start: int | None = None
           ) -> LocatedFinding:
    """
    Return a finding about another location, shown at a tag of a text.

    :param note: where it is written.
    :param start: offset of the tag; by default of the first one.
    """
    if start is None:
        start = 0 if source.tree.root is None else source.tree.root.start
    return LocatedFinding(finding, start, end_of(source.positions, start), start, note=note)


def check_unexpanded(source: Source, settings: Settings) -> list[LocatedFinding]:
    """
    Return the findings about a xacro file that do not depend on its expansion.

    The tags of xacro are overwritten with spaces, so that the rules see into macros.
    """
    try:
        read_document(source.text, source.path)
    except DescriptionError:
        return _located(validates(source.text, source=source.path), source.positions)
    text = _without_xacro(source.tree)
    report = validates(
        text, source=source.path, ignore=_IGNORED_UNEXPANDED | settings.unwanted(),
        consumers=settings.programs, asks_programs=False)
    if report.document is None or report.document.root.tag != 'robot':
        return []
    return [finding for finding in _located(report, source.positions.of(text))
            if all(source.text[edit.start:edit.end] == text[edit.start:edit.end]
                   for edit in finding.fix)]


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


def _located(report: Report, positions: TextPositions) -> list[LocatedFinding]:
    data = b'' if report.document is None else report.document.data
    found = []
    for finding in report.findings:
        start = positions.offset_of_line(finding.line or 1, finding.column or 1)
        fix = finding.fix if report.document is not None else ()
        found.append(LocatedFinding(
            finding, start, end_of(positions, start), start, edits_of(fix, data, positions)))
    return found


def end_of(positions: TextPositions, start: int, length: int = 0) -> int:
    """
    Return the end offset of the tag or, outside of tags, of the line at an offset.

    :param length: number of characters, if it is known.
    """
    end_of_line = positions.end_of_line(start)
    if length:
        return min(start + length, end_of_line)
    if positions.text.startswith('<', start) and not positions.text.startswith('<!', start):
        return min(scan_tag(positions.text, start).tag_end, end_of_line)
    return end_of_line


def edits_of(
        changes: Iterable[Change], data: bytes, positions: TextPositions) -> tuple[TextEdit, ...]:
    """
    Return the edits of a text that make some changes.

    :param data: the text as bytes, which the elements of the changes were read from.
    """
    return tuple(
        TextEdit(positions.offset_of_byte(edit.start), positions.offset_of_byte(edit.end),
                 edit.text.decode('utf-8', 'replace'))
        for edit in (change.edit(data) for change in changes))


def suppression(text: str, code: str, start: int) -> TextEdit:
    """Return the edit that writes a comment above the element at an offset to suppress a rule."""
    comment = f'<!-- urdf-tools: ignore {code} -->'
    first = start_of_line(text, start)
    before = text[first:start]
    indent = before[:len(before) - len(before.lstrip(' \t'))]
    newline = '\r\n' if '\r\n' in text[:first + 1] else '\n'
    if before.strip(' \t'):
        return TextEdit(start, start, f'{newline}{indent}{comment}{newline}{indent}')
    return TextEdit(start, start, f'{comment}{newline}{indent}')


def start_of_line(text: str, offset: int) -> int:
    """Return the offset of the line that an offset is in."""
    return max(text.rfind('\n', 0, offset), text.rfind('\r', 0, offset)) + 1
