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
"""The language server: answers the requests of an editor, and sends it the findings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
import logging
from pathlib import Path
import sys
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.exceptions import JsonRpcInternalError
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.protocol import LanguageServerProtocol

from urdf_tools.check.workspace.settings import project_settings
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.installation import __version__
from urdf_tools.lsp.argument_values import arguments_of
from urdf_tools.lsp.check_cycle import CheckCycle
from urdf_tools.lsp.check_cycle import FileCheck
from urdf_tools.lsp.check_cycle import Preferences
from urdf_tools.lsp.check_cycle import SECTION
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.file_checks import failed_check
from urdf_tools.lsp.finding_diagnostics import actions
from urdf_tools.lsp.finding_diagnostics import diagnostic
from urdf_tools.lsp.finding_diagnostics import NAME
from urdf_tools.lsp.hover import hover
from urdf_tools.lsp.occurrences import definitions_at
from urdf_tools.lsp.occurrences import index_of
from urdf_tools.lsp.occurrences import location
from urdf_tools.lsp.occurrences import name_at
from urdf_tools.lsp.occurrences import occurrences_of
from urdf_tools.lsp.occurrences import renamable_at
from urdf_tools.lsp.occurrences import renamed
from urdf_tools.lsp.outline import outline
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import path_of
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.lsp.specification import TABLES
from urdf_tools.lsp.suggestions import Suggestions
from urdf_tools.lsp.suggestions import TRIGGERS
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote

ROOTS = 'urdf-tools/roots'
"""The request for the files of the robots that the file ``uri`` is a part of, as URIs."""

ARGUMENTS = 'urdf-tools/arguments'
"""
The request for the arguments that the robots of the file ``uri`` lack besides ``arguments``, pairs
of a name and a value: ``lacking`` with values that were found, and ``names`` of all they have.
"""

HEADLINE = 'urdf-tools/headline'
"""The notification of how programs load the robot in the file ``uri``: ``lines`` of text."""

DELAY = 0.2
"""Seconds without a change before files are checked again."""

UNTRUSTED: str = TABLES['untrusted']


_OPTIONS = {
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(code_action_kinds=[
        types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]),
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[*TRIGGERS]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True)}
"""The options of some answers, which the client gets at the start."""


def _converter() -> Any:
    """Return what reads parameters, up to the first that is not valid: there may be millions."""
    converter = default_converter()  # type: ignore[no-untyped-call]
    converter.detailed_validation = False
    return converter


class _Protocol(LanguageServerProtocol):
    """Answers also the requests whose parameters pygls cannot read."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message; one with invalid parameters is answered, and raises."""
        try:
            for holder in (data, data.get('params')):
                if isinstance(holder, dict) and isinstance(holder.get('id'), (dict, list)):
                    raise JsonRpcInvalidParams('an id is a number or a text')
            return super().structure_message(data)
        except JsonRpcException as error:
            cause = quote(str(error.__cause__ or error), 200)
            text = f'The parameters of {quote(str(data.get("method", "")))} are not valid: {cause}'
            logging.error('%s', text)
            if 'method' in data and 'id' in data:
                self._send_response(
                    data['id'], error=JsonRpcInvalidParams(text).to_response_error())
            raise JsonRpcInvalidParams(text) from error


def _answer(request: str, answer: Callable[[Any], object], params: Any) -> object:
    """Answer a request; an error of the server is logged, and the client gets it as the answer."""
    try:
        return answer(params)
    except JsonRpcException:
        raise
    except Exception as error:
        logging.exception('%s failed', request)
        raise JsonRpcInternalError(f'{type(error).__name__}: {error}') from error


class Session:
    """
    The conversation with one client.

    :param preferences: what the command line allows; initialization options and settings of the
        client add to it.
    """

    def __init__(self, preferences: Preferences):
        self.server = LanguageServer(
            NAME, __version__, protocol_cls=_Protocol, converter_factory=_converter)
        self._project = Project()
        self._project.packages_of = lambda folder: {
            **self._settings(folder).packages, **self._cycle.preferences.packages}
        self._cycle = CheckCycle(self._project, self._settings)
        self._given = preferences
        self._shown: set[str] = set()
        self._published: dict[str, FileCheck] = {}
        self._headlines: dict[str, Sequence[str]] = {}
        # One thread: checks of an old text are useless once there is a new one.
        self._worker = ThreadPoolExecutor(1, 'checks')
        self._pending: asyncio.Task[None] | None = None
        self._complaints: list[str] = []
        self._register()

    def start(self) -> None:
        """Serve the client on standard input and output until it leaves."""
        # What pygls logs is in an answer or a message to the client, or logged here.
        logging.getLogger('pygls').setLevel(logging.CRITICAL)
        output = sys.stdout
        # Nothing else may write between the messages of the protocol.
        sys.stdout = sys.stderr
        self.server.start_io(sys.stdin.buffer, output.buffer)

    def _register(self) -> None:
        project = self._project
        answers: dict[str, Callable[[Any], object]] = {
            types.INITIALIZE: self._initialize,
            ROOTS: lambda params: [uri_of(root.path) for root in self._roots(params)],
            types.TEXT_DOCUMENT_DID_OPEN: self._did_open,
            types.TEXT_DOCUMENT_DID_CHANGE: lambda params: self._text_changed(params, DELAY),
            types.TEXT_DOCUMENT_DID_SAVE: self._files_changed,
            types.TEXT_DOCUMENT_DID_CLOSE: self._text_changed,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._files_changed,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._did_change_configuration,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._files_changed,
            types.TEXT_DOCUMENT_CODE_ACTION: self._code_action,
            types.TEXT_DOCUMENT_HOVER: lambda params: hover(project, *self._expanded(params)),
            types.TEXT_DOCUMENT_DEFINITION:
                lambda params: definitions_at(project, *self._expanded(params)),
            types.TEXT_DOCUMENT_REFERENCES: self._references,
            types.TEXT_DOCUMENT_COMPLETION: self._completion,
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lambda params: outline(self._source(params)),
            types.TEXT_DOCUMENT_PREPARE_RENAME: self._prepare_rename,
            types.TEXT_DOCUMENT_RENAME: self._rename}
        for name, answer in answers.items():
            self.server.feature(name, _OPTIONS.get(name))(partial(_answer, name, answer))
        # Expanding the files takes long.
        self.server.feature(ARGUMENTS)(self.server.thread()(
            partial(_answer, ARGUMENTS, self._arguments)))

    # What the client is and has

    def _initialize(self, params: types.InitializeParams) -> None:
        workspace = self._project.workspace = self.server.workspace
        if not workspace.folders and workspace.root_uri:
            workspace.add_folder(types.WorkspaceFolder(workspace.root_uri, ''))
        self._prefer(params.initialization_options)
        self._given = self._cycle.preferences

    def _prefer(self, options: object) -> None:
        self._cycle.preferences, wrong = self._given.updated(options)
        for text in wrong:
            self._show_once(text, types.MessageType.Warning)

    def _show_once(self, text: str, kind: types.MessageType) -> None:
        if text not in self._shown:
            self._shown.add(text)
            self.server.window_show_message(types.ShowMessageParams(kind, text))

    def _settings(self, folder: str) -> Settings:
        """Return the settings of the project of a folder; errors in them are shown."""
        try:
            return project_settings(Path(folder))
        except SettingsError as error:
            self._complaints.append(str(error))
            return Settings()

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._text_changed(params)
        source = self._source(params)
        if source.is_xacro and source.is_description and not (
                self._cycle.preferences.trusts(source.path)):
            self._show_once(UNTRUSTED, types.MessageType.Info)

    def _text_changed(self, params: Any, delay: float = 0.0) -> None:
        self._project.update(params.text_document.uri)
        self._check_soon(delay)

    def _files_changed(self, _params: object) -> None:
        self._project.forget_files()
        self._worker.submit(self._cycle.forget)
        self._check_soon(DELAY)

    def _did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        # Clients send the settings of everything; many send nothing of ours.
        settings = params.settings
        self._prefer(settings.get(SECTION) if isinstance(settings, Mapping) else None)
        self._files_changed(params)

    # Findings

    def _check_soon(self, delay: float = 0.0) -> None:
        if self._pending is not None:
            self._pending.cancel()
        self._pending = asyncio.get_running_loop().create_task(self._check_after(delay))

    async def _check_after(self, delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            self._publish(await asyncio.get_running_loop().run_in_executor(
                self._worker, self._cycle.run))
        except Exception as error:  # A check that fails must not end the ones to come.
            logging.exception('A check failed')
            self._show_once(
                f'urdf-tools: {type(error).__name__} in a check: {error}',
                types.MessageType.Error)

    def _publish(self, checked: dict[str, FileCheck]) -> None:
        while self._complaints:
            self._show_once(self._complaints.pop(), types.MessageType.Warning)
        for path in self._published.keys() - checked.keys():
            del self._published[path]
            self._publish_file(path, None, [])
        for path, check in checked.items():
            known = self._published.get(path)
            if self._project.source(path) is check.source and known != check:
                self._published[path] = check
                self._publish_file(path, check.source.version, self._diagnostics(check))
        for path, lines in self._cycle.headlines.items():
            if self._headlines.get(path) != lines:
                self._headlines[path] = lines
                self.server.protocol.notify(
                    HEADLINE, {'uri': uri_of(path), 'lines': [line.strip() for line in lines]})

    def _diagnostics(self, check: FileCheck) -> list[types.Diagnostic]:
        made = partial(diagnostic, self._project, check.source)
        try:
            return list(map(made, check.findings))
        except Exception as error:
            return [made(failed_check(check.source, error))]

    def _publish_file(self, path: str, version: int | None, found: list[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri_of(path), found, version))

    def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        source = self._source(params)
        start, end = map(source.positions.offset, (params.range.start, params.range.end))
        checked = self._published.get(source.path)
        if checked is None or checked.source is not source:
            return []
        wanted = params.context.only
        return [action for action in actions(self._project, source, checked.findings, start, end)
                if wanted is None or action.kind is not None and any(
                    (action.kind + '.').startswith(kind + '.') for kind in wanted)]

    # Requests about a text

    def _source(self, params: Any) -> Source:
        """Return the text that a request is about: that of a buffer, or of a file."""
        path = path_of(params.text_document.uri)
        return self._project.source(path) or self._project.new_source(path, '')

    def _at(self, params: Any) -> tuple[Source, int]:
        source = self._source(params)
        return source, source.positions.offset(params.position)

    def _expanded(self, params: Any) -> tuple[Source, list[ExpandedRobot], int]:
        source, offset = self._at(params)
        return source, self._cycle.robots(source), offset

    def _roots(self, params: Any) -> list[Source]:
        source = self._project.source(path_of(str(params.uri)))
        return [] if source is None else self._project.roots(source)

    def _arguments(self, params: Any) -> dict[str, object]:
        preferences = self._cycle.preferences
        roots = [root for root in self._roots(params)
                 if root.is_xacro and preferences.trusts(root.path)]
        given = {**preferences.arguments, **dict(params.arguments)}
        # Not beside a check, which has its own time.
        return self._worker.submit(arguments_of, self._project, roots, given).result()

    def _references(self, params: types.ReferenceParams) -> list[types.Location]:
        source, offset = self._at(params)
        name = name_at(self._project, source, offset)
        with_definitions = params.context.include_declaration
        return [] if name is None else [
            location(each) for each in occurrences_of(index_of(self._project, source, name), name)
            if each.use.how != 'closes' and (with_definitions or not each.use.defines)]

    def _completion(self, params: types.CompletionParams) -> types.CompletionList:
        source, robots, offset = self._expanded(params)
        return Suggestions(self._project, source, robots).at(offset)

    def _prepare_rename(self, params: types.PrepareRenameParams) -> types.Range:
        source, offset = self._at(params)
        name = renamable_at(self._project, source, offset)
        return source.positions.range(name.start, name.end)

    def _rename(self, params: types.RenameParams) -> types.WorkspaceEdit:
        source, robots, offset = self._expanded(params)
        found = renamed(
            self._project, source, robots, renamable_at(self._project, source, offset),
            params.new_name, self._project.is_own)
        return types.WorkspaceEdit(changes=grouped(
            (uri_of(each.source.path), types.TextEdit(location(each).range, params.new_name))
            for each in found))
