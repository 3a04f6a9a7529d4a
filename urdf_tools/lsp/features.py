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

"""The requests of an editor about an offset in a text or about a whole one, and their answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from urdf_tools.lsp.annotations import inlay_hints
from urdf_tools.lsp.annotations import LEGEND
from urdf_tools.lsp.annotations import semantic_tokens
from urdf_tools.lsp.check_cycle import CheckCycle
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.finding_diagnostics import text_edits
from urdf_tools.lsp.formatting import indentation
from urdf_tools.lsp.hover import hover
from urdf_tools.lsp.hover import signature_help
from urdf_tools.lsp.hover import TRIGGERS as SIGNATURE_TRIGGERS
from urdf_tools.lsp.launch_files import given_in_launch_files
from urdf_tools.lsp.occurrences import definitions_at
from urdf_tools.lsp.occurrences import files_near
from urdf_tools.lsp.occurrences import files_of
from urdf_tools.lsp.occurrences import location
from urdf_tools.lsp.occurrences import occurrences_of
from urdf_tools.lsp.occurrences import target_at
from urdf_tools.lsp.outline import folding_ranges
from urdf_tools.lsp.outline import outline
from urdf_tools.lsp.outline import workspace_symbols
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.renaming import renamable_at
from urdf_tools.lsp.renaming import renamed
from urdf_tools.lsp.source_text import path_of
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.lsp.suggestions import Suggestions
from urdf_tools.lsp.suggestions import TRIGGERS
from urdf_tools.model.grouping import grouped


class Features:
    """
    Answers the requests of an editor.

    :param server: knows what the client can do.
    :param project: the files of the client.
    :param cycle: knows what they were expanded to.
    """

    def __init__(self, server: LanguageServer, project: Project, cycle: CheckCycle):
        self._server = server
        self._project = project
        self._cycle = cycle

    def register(self, add: Callable[..., None]) -> None:
        """Register the answers: ``add`` takes a method, its answer and options."""
        project = self._project
        add(types.TEXT_DOCUMENT_HOVER, lambda params: hover(project, *self._expanded(params)))
        add(types.TEXT_DOCUMENT_DEFINITION,
            lambda params: definitions_at(project, *self._expanded(params)))
        add(types.TEXT_DOCUMENT_REFERENCES, self._references)
        add(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self._highlight)
        add(types.TEXT_DOCUMENT_COMPLETION, self._completion,
            types.CompletionOptions(trigger_characters=list(TRIGGERS)))
        add(types.TEXT_DOCUMENT_SIGNATURE_HELP,
            lambda params: signature_help(project, *self._at(params)),
            types.SignatureHelpOptions(trigger_characters=list(SIGNATURE_TRIGGERS)))
        add(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
            lambda params: outline(self.source(params.text_document.uri)))
        add(types.WORKSPACE_SYMBOL, lambda params: workspace_symbols(project, params.query))
        add(types.TEXT_DOCUMENT_FOLDING_RANGE,
            lambda params: folding_ranges(self.source(params.text_document.uri)))
        add(types.TEXT_DOCUMENT_FORMATTING, self._formatting)
        add(types.TEXT_DOCUMENT_RANGE_FORMATTING, self._formatting)
        for method in (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
                       types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE):
            add(method, lambda params: semantic_tokens(*self._range(params)), LEGEND)
        add(types.TEXT_DOCUMENT_INLAY_HINT, self._inlay_hint)
        add(types.TEXT_DOCUMENT_PREPARE_RENAME, self._prepare_rename)
        add(types.TEXT_DOCUMENT_RENAME, self._rename, types.RenameOptions(prepare_provider=True))

    def source(self, uri: str) -> Source:
        """Return the text of a buffer, or of a file that is not open."""
        path = path_of(uri)
        return self._project.source(path) or self._project.new_source(path, '')

    def _references(self, params: types.ReferenceParams) -> list[types.Location]:
        source, offset = self._at(params)
        target = target_at(self._project, source, offset)
        if target is None:
            return []
        index = files_of(self._project, source, target)
        found = [each for each in occurrences_of(index, target) if not each.closes]
        if target.kind == 'arg':
            found += [each for each, _ in given_in_launch_files(
                self._project, index.sources, target.name)]
        with_definitions = params.context.include_declaration
        return [location(each) for each in found if with_definitions or not each.defines]

    def _highlight(self, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        source, offset = self._at(params)
        target = target_at(self._project, source, offset)
        if target is None:
            return []
        found = occurrences_of(files_near(self._project, source, target), target)
        kinds = types.DocumentHighlightKind
        return [types.DocumentHighlight(
            source.positions.range(each.start, each.end),
            kinds.Write if each.defines else kinds.Read)
            for each in found if each.source is source]

    def _completion(self, params: types.CompletionParams) -> types.CompletionList:
        source, robots, offset = self._expanded(params)
        return Suggestions(self._project, source, robots, bool(get_capability(
            self._server.client_capabilities,
            'text_document.completion.completion_item.snippet_support'))).at(offset)

    def _formatting(
            self, params: types.DocumentFormattingParams | types.DocumentRangeFormattingParams
            ) -> list[types.TextEdit]:
        source, start, end = self._range(params)
        return text_edits(source.positions, (
            edit for edit in indentation(source, params.options)
            if start <= edit.end and edit.start <= end))

    def _inlay_hint(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        source, start, end = self._range(params)
        return inlay_hints(source, self._cycle.robots(source), start, end)

    def _prepare_rename(self, params: types.PrepareRenameParams) -> types.Range:
        source, offset = self._at(params)
        target = renamable_at(self._project, source, offset)
        return source.positions.range(target.start, target.end)

    def _rename(self, params: types.RenameParams) -> types.WorkspaceEdit:
        source, robots, offset = self._expanded(params)
        found = renamed(
            self._project, source, robots, renamable_at(self._project, source, offset),
            params.new_name, self._project.is_own)
        return types.WorkspaceEdit(changes=grouped(
            (uri_of(each.source.path), types.TextEdit(location(each).range, params.new_name))
            for each in found))

    def _at(self, params: Any) -> tuple[Source, int]:
        source = self.source(params.text_document.uri)
        return source, source.positions.offset(params.position)

    def _expanded(self, params: Any) -> tuple[Source, list[ExpandedRobot], int]:
        source, offset = self._at(params)
        return source, self._cycle.robots(source), offset

    def _range(self, params: Any) -> tuple[Source, int, int]:
        """Return the offsets of the range of a request; without one, of the whole text."""
        source = self.source(params.text_document.uri)
        if not hasattr(params, 'range'):
            return source, 0, len(source.text)
        return (source, source.positions.offset(params.range.start),
                source.positions.offset(params.range.end))
