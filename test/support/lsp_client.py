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

"""A client of the language server: a process, JSON-RPC on its standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import json
from pathlib import Path
import queue
import subprocess
import sys
import threading

DEADLINE = 120.0
"""Seconds after which a missing answer fails a test, on however slow a machine."""

CAPABILITIES = {'textDocument': {
    'documentSymbol': {'hierarchicalDocumentSymbolSupport': True},
    'completion': {'completionItem': {'snippetSupport': True}}}}


class RequestError(Exception):
    """An error with which the server answers."""


class LspClient:
    """Starts ``urdf-tools lsp`` and talks to it."""

    def __init__(self, arguments: Sequence[str] = (), folder: Path | None = None,
                 options: object = None, capabilities: dict = CAPABILITIES):
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'urdf_tools.cli', 'lsp', *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._received: queue.Queue = queue.Queue()
        self._kept: list[dict] = []
        self._number = 0
        self.versions: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()
        uri = None if folder is None else folder.as_uri()
        self.initialized = self.request('initialize', {
            'processId': None, 'rootUri': uri, 'capabilities': capabilities,
            'initializationOptions': options,
            'workspaceFolders': None if uri is None else [{'uri': uri, 'name': 'test'}]})
        self.notify('initialized', {})

    def _read(self) -> None:
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.split(b':')[1])
            while stream.readline().strip():
                pass
            self._received.put(json.loads(stream.read(length)))
        self._received.put(None)

    def _send(self, message: dict) -> None:
        data = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({'method': method, 'params': params})

    def request(self, method: str, params: object) -> object:
        """Send a request and return its result."""
        self._number += 1
        number = self._number
        self._send({'id': number, 'method': method, 'params': params})
        answer = self.wait(lambda message: message.get('id') == number and 'method' not in message)
        if 'error' in answer:
            raise RequestError(answer['error']['message'])
        return answer['result']

    def wait(self, is_wanted: Callable[[dict], bool]) -> dict:
        """Return the next message that is wanted; others are kept."""
        for message in self._kept:
            if is_wanted(message):
                self._kept.remove(message)
                return message
        while True:
            message = self._received.get(timeout=DEADLINE)
            assert message is not None, 'the server has ended'
            if is_wanted(message):
                return message
            self._kept.append(message)

    def messages(self, method: str) -> list[dict]:
        """Return the parameters of the notifications received so far and not waited for."""
        return [message['params'] for message in self._kept if message.get('method') == method]

    def open(self, path: Path | str, text: str, language: str = 'xml') -> str:
        """Open a buffer, and return its URI."""
        uri = path if isinstance(path, str) else path.as_uri()
        self.versions[uri] = 1
        self.notify('textDocument/didOpen', {'textDocument': {
            'uri': uri, 'languageId': language, 'version': 1, 'text': text}})
        return uri

    def change(self, uri: str, text: str, where: dict | None = None) -> None:
        """Replace the text of a buffer, or a range of it."""
        self.versions[uri] += 1
        self.notify('textDocument/didChange', {
            'textDocument': {'uri': uri, 'version': self.versions[uri]},
            'contentChanges': [{'text': text} if where is None else {
                'text': text, 'range': where}]})

    def shut(self, uri: str) -> None:
        """Close a buffer."""
        del self.versions[uri]
        self.notify('textDocument/didClose', {'textDocument': {'uri': uri}})

    def diagnostics(self, uri: str, is_wanted: Callable[[list], bool] = lambda _: True) -> list:
        """Return the next diagnostics of the current text of a file that are wanted."""
        return self.wait(lambda message: (
            message.get('method') == 'textDocument/publishDiagnostics'
            and message['params']['uri'] == uri
            and message['params'].get('version') == self.versions.get(uri)
            and is_wanted(message['params']['diagnostics'])))['params']['diagnostics']

    def at(self, method: str, uri: str, text: str, marker: str, **more: object) -> object:
        """Send a request about the place of ``|`` in a marker that is part of a text."""
        offset = text.index(marker.replace('|', '')) + marker.index('|')
        before = text[:offset]
        position = {'line': before.count('\n'), 'character': len(before.rpartition('\n')[2])}
        return self.request(f'textDocument/{method}', {
            'textDocument': {'uri': uri}, 'position': position, **more})

    def leave(self) -> int:
        """End the server as the protocol has it, and return its exit code."""
        self.request('shutdown', None)
        self.notify('exit', None)
        return self.process.wait(DEADLINE)

    def close(self) -> None:
        """End the process, however it is."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def applied(text: str, edits) -> str:
    """Return a text after edits of the protocol."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda edit: (
            edit['range']['start']['line'], edit['range']['start']['character']), reverse=True):
        begin, end = (starts[edit['range'][key]['line']] + edit['range'][key]['character']
                      for key in ('start', 'end'))
        text = text[:begin] + edit['newText'] + text[end:]
    return text
