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
import gc
import logging
from math import inf
from pathlib import Path
import sys
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.settings_file import project_settings
from urdf_tools.installation import __version__
from urdf_tools.lsp.argument_values import arguments_of
from urdf_tools.lsp.check_cycle import CheckCycle
from urdf_tools.lsp.check_cycle import FileCheck
from urdf_tools.lsp.check_cycle import Preferences
from urdf_tools.lsp.check_cycle import SECTION
from urdf_tools.lsp.features import Features
from urdf_tools.lsp.finding_diagnostics import actions
from urdf_tools.lsp.finding_diagnostics import diagnostic
from urdf_tools.lsp.finding_diagnostics import NAME
from urdf_tools.lsp.message_loop import MessageLoop
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import path_of
from urdf_tools.lsp.source_text import uri_of

ROOTS = 'urdf-tools/roots'
"""The request for the files of the robots that the file ``uri`` is a part of, as URIs."""

ARGUMENTS = 'urdf-tools/arguments'
"""
The request for the arguments that the robots of the file ``uri`` lack besides ``arguments``, pairs
of a name and a value: ``lacking`` with values that were found, and ``names`` of all they have.
"""

HEADLINE = 'urdf-tools/headline'
"""The notification of how programs load the robot in the file ``uri``: ``lines`` of text."""

DELAY = 0.05
"""Seconds between changes in which the texts of files are not checked again."""

FULL_DELAY = 0.4
"""Seconds without a change before meshes are read and xacro files expanded."""

UNTRUSTED = (
    'urdf-tools checks xacro files only as they are written, because expanding them evaluates '
    'expressions. If you trust this workspace, start "urdf-tools lsp --trust FOLDER", or set '
    '"trusted" in the initialization options.')


class Session:
    """
    The conversation with one client.

    :param preferences: what the command line allows; initialization options and settings of the
        client add to it.
    """

    def __init__(self, preferences: Preferences):
        self.server = LanguageServer(NAME, __version__)
        self._messages = MessageLoop(self.server)
        self._project = Project()
        self._project.packages_of = lambda folder: {
            **self._settings(folder).packages, **self._cycle.preferences.packages}
        self._cycle = CheckCycle(self._project, self._settings)
        self._features = Features(self.server, self._project, self._cycle)
        self._given = preferences
        self._shown: set[str] = set()
        self._published: dict[str, FileCheck] = {}
        self._headlines: dict[str, Sequence[str]] = {}
        # One thread: checks of an old text are useless once there is a new one.
        self._worker = ThreadPoolExecutor(1, 'checks')
        self._pending: asyncio.Task[None] | None = None
        self._changed = -inf
        self._complaints: list[str] = []
        self._register()

    def start(self) -> None:
        """
        Serve the client on standard input and output until it leaves.

        :raises HeaderError: it sends an invalid message.
        """
        # Tens of thousands of objects live until the next check makes new ones: looking through
        # all of them again and again takes a seventh of the time.
        gc.freeze()
        gc.set_threshold(100_000, 20, 50)
        output = sys.stdout
        # Nothing else may write between the messages of the protocol.
        sys.stdout = sys.stderr
        self._messages.run(sys.stdin.buffer, output.buffer)

    def _register(self) -> None:
        add = self._feature
        add(types.INITIALIZE, self._initialize)
        add(types.INITIALIZED, self._initialized)
        add(ROOTS, self._roots)
        add(ARGUMENTS, self._arguments)
        add(types.TEXT_DOCUMENT_DID_OPEN, self._did_open)
        add(types.TEXT_DOCUMENT_DID_CHANGE, self._did_change)
        add(types.TEXT_DOCUMENT_DID_SAVE, self._files_changed)
        add(types.TEXT_DOCUMENT_DID_CLOSE, self._did_close)
        add(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed)
        add(types.WORKSPACE_DID_CHANGE_CONFIGURATION, self._did_change_configuration)
        add(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._files_changed)
        add(types.TEXT_DOCUMENT_CODE_ACTION, self._code_action,
            types.CodeActionOptions(code_action_kinds=[
                types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]))
        self._features.register(add)

    def _feature(
            self, name: str, handler: Callable[[Any], object], options: object = None) -> None:
        # pygls sets attributes of what it calls, which a method does not have.
        self.server.feature(name, options)(partial(handler))

    def _initialize(self, params: types.InitializeParams) -> None:
        workspace = self._project.workspace = self.server.workspace
        if not workspace.folders and workspace.root_uri:
            workspace.add_folder(types.WorkspaceFolder(workspace.root_uri, ''))
        self._prefer(params.initialization_options)
        self._given = self._cycle.preferences

    def _initialized(self, _params: types.InitializedParams) -> None:
        # Reads the files of the workspace once, before they are asked for.
        self._worker.submit(lambda: [
            source.included_names for path in self._project.files()
            if (source := self._project.source(path)) is not None])

    def _roots(self, params: Any) -> list[str]:
        source = self._project.source(path_of(str(params.uri)))
        return [uri_of(root.path) for root in (self._project.roots(source) if source else ())]

    async def _arguments(self, params: Any) -> dict[str, object]:
        preferences = self._cycle.preferences
        source = self._project.source(path_of(str(params.uri)))
        given = {**preferences.arguments, **dict(params.arguments)}
        roots = [root for root in (self._project.roots(source) if source else ())
                 if root.is_xacro and preferences.trusts(root.path)]
        return await asyncio.get_running_loop().run_in_executor(
            self._worker, arguments_of, self._project, roots, given)

    def _prefer(self, options: object) -> None:
        self._cycle.preferences, wrong = self._given.updated(options)
        for text in wrong:
            self._show_once(text, types.MessageType.Warning)

    def _show_once(self, text: str, kind: types.MessageType) -> None:
        if text not in self._shown:
            self._shown.add(text)
            self.server.window_show_message(types.ShowMessageParams(kind, text))

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._project.update(params.text_document.uri)
        source = self._features.source(params.text_document.uri)
        if source.is_xacro and source.is_description and not (
                self._cycle.preferences.trusts(source.path)):
            self._show_once(UNTRUSTED, types.MessageType.Info)
        self._check_soon()

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._project.update(params.text_document.uri)
        now = asyncio.get_running_loop().time()
        # A single change is checked at once; of changes that follow each other fast, the last one.
        self._check_soon(max(0.0, self._changed + DELAY - now), FULL_DELAY)
        self._changed = now

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._project.update(params.text_document.uri)
        self._check_soon()

    def _files_changed(self, _params: object) -> None:
        self._project.forget_files()
        self._worker.submit(self._cycle.forget)
        self._check_soon(DELAY, FULL_DELAY)

    def _did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        # Clients send the settings of everything; many send nothing of ours.
        settings = params.settings
        self._prefer(settings.get(SECTION) if isinstance(settings, Mapping) else None)
        self._files_changed(params)

    def _check_soon(self, delay: float = 0.0, full_delay: float = 0.0) -> None:
        if self._pending is not None:
            self._pending.cancel()
        self._pending = asyncio.get_running_loop().create_task(
            self._check_after(delay, full_delay))

    async def _check_after(self, delay: float, full_delay: float) -> None:
        await asyncio.sleep(delay)
        loop = asyncio.get_running_loop()
        try:
            self._publish(await loop.run_in_executor(self._worker, self._cycle.run_quick))
            await asyncio.sleep(full_delay)
            self._publish(await loop.run_in_executor(self._worker, self._cycle.run_full))
            if get_capability(
                    self.server.client_capabilities, 'workspace.inlay_hint.refresh_support'):
                self.server.workspace_inlay_hint_refresh(None)
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
                self._publish_file(path, check.source.version, [
                    diagnostic(self._project, check.source, found) for found in check.findings])
        for path, lines in self._cycle.headlines.items():
            if self._headlines.get(path) != lines:
                self._headlines[path] = lines
                self.server.protocol.notify(
                    HEADLINE, {'uri': uri_of(path), 'lines': [line.strip() for line in lines]})

    def _publish_file(self, path: str, version: int | None, found: list[types.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri_of(path), found, version))

    def _settings(self, folder: str) -> Settings:
        """Return the settings of the project of a folder; errors in them are shown."""
        try:
            return project_settings(Path(folder))
        except SettingsError as error:
            self._complaints.append(str(error))
            return Settings()

    def _code_action(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        source = self._features.source(params.text_document.uri)
        checked = self._published.get(source.path)
        if checked is None or checked.source is not source:
            return []
        offset = source.positions.offset
        wanted = params.context.only
        return [action for action in actions(
                    self._project, source, checked.findings, offset(params.range.start),
                    offset(params.range.end))
                if wanted is None or action.kind is not None and any(
                    (action.kind + '.').startswith(kind + '.') for kind in wanted)]
