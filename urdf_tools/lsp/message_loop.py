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

"""
The messages of a client; each is answered, even if it is invalid.

pygls answers what it can read. It is silent about a request whose parameters it cannot, and reads
on for ever after a header that it cannot.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
import json
import logging
import re
import sys
from typing import Any
from typing import BinaryIO

from lsprotocol.types import ErrorCodes
from lsprotocol.types import EXIT
from lsprotocol.types import SHUTDOWN
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer

from urdf_tools.model.messages import quote

MAX_LENGTH = 2**27
"""Bytes of the longest message that is read; the text of a description may be a quarter of it."""

_MAX_HEADER = 10_000
_CONTENT_LENGTH = re.compile(rb'^content-length:[ \t]*(\d{1,9})\s*$', re.IGNORECASE | re.MULTILINE)


class HeaderError(ValueError):
    """A header that cannot be read, so that the start of the next message is unknown."""


def read_message(stream: BinaryIO) -> bytes | None:
    """
    Return the content of the next message, or None at the end of a stream.

    :raises HeaderError: its header does not say how long it is.
    """
    header = b''
    while line := stream.readline(_MAX_HEADER):
        header += line
        if len(header) < _MAX_HEADER and (line.strip() or not header.strip()):
            continue
        found = _CONTENT_LENGTH.search(header)
        length = int(found[1]) if found else MAX_LENGTH + 1
        if length > MAX_LENGTH:
            shown = quote(header.decode('utf-8', 'replace').strip(), 80)
            raise HeaderError(
                f'The header {shown} of a message has no Content-Length up to {MAX_LENGTH}')
        content = stream.read(length)
        return content if len(content) == length else None
    return None


class MessageLoop:
    """
    Passes the messages of a client to a server, and answers those that it would not.

    :param server: the server.
    """

    def __init__(self, server: LanguageServer):
        self._server = server
        self._writer: StdoutWriter | None = None
        self._is_shut_down = False

    def run(self, source: BinaryIO, target: BinaryIO) -> None:
        """
        Serve the client until it leaves.

        :raises HeaderError: a header cannot be read; the client was told.
        """
        self._writer = StdoutWriter(target)
        self._server.protocol.set_writer(self._writer)
        logging.getLogger('pygls.protocol.json_rpc').addFilter(_adds_information)
        try:
            asyncio.run(self._serve(source))
        except HeaderError as error:
            self._refuse(None, ErrorCodes.ParseError, str(error))
            raise
        except SystemExit:
            pass  # How pygls ends after the notification "exit".
        finally:
            self._server.shutdown()  # type: ignore[no-untyped-call]

    async def _serve(self, source: BinaryIO) -> None:
        read = asyncio.get_running_loop().run_in_executor
        # Nothing else has to wait for the client.
        with ThreadPoolExecutor(1, 'input') as thread:
            while (content := await read(thread, read_message, source)) is not None:
                self._receive(content)

    def _receive(self, content: bytes) -> None:
        try:
            data = json.loads(content)
        except (ValueError, RecursionError) as error:
            self._refuse(None, ErrorCodes.ParseError, f'The message is not JSON: {error}')
            return
        wrong = self._wrong_with(data)
        if wrong:
            number = data.get('id') if isinstance(data, dict) else None
            self._refuse(number if _is_id(number) else None, ErrorCodes.InvalidRequest, wrong)
            return
        if 'method' in data:
            data.setdefault('params', None)
            self._is_shut_down |= data['method'] == SHUTDOWN
        try:
            message = self._server.protocol.structure_message(data)
        except JsonRpcException as error:
            cause = quote(str(error.__cause__ or error), 200)
            text = f'The parameters of {quote(data.get("method", ""))} are not valid: {cause}'
            if 'method' in data and 'id' in data:
                self._refuse(data['id'], ErrorCodes.InvalidParams, text)
            else:
                print(f'urdf-tools: {text}', file=sys.stderr)
            return
        self._server.protocol.handle_message(message)

    def _wrong_with(self, data: Any) -> str:
        """Return why a message is not valid in the protocol; empty if it is."""
        if not isinstance(data, dict) or data.get('jsonrpc') != '2.0':
            return 'The message is not an object with "jsonrpc": "2.0"'
        if 'id' in data and not _is_id(data['id']) and 'error' not in data:
            return 'The id of the message is neither a number nor a text'
        if 'method' not in data and not ('id' in data and ('result' in data or 'error' in data)):
            return 'The message has neither a method nor a result'
        if not isinstance(data.get('method', ''), str):
            return 'The method of the message is not a text'
        if self._is_shut_down and 'id' in data and data.get('method', EXIT) != EXIT:
            return 'The server was shut down'
        return ''

    def _refuse(self, number: int | str | None, code: ErrorCodes, text: str) -> None:
        """Answer with an error; the number is None if that of the message is not known."""
        assert self._writer is not None, 'the client is served'
        content = json.dumps({
            'jsonrpc': '2.0', 'id': number, 'error': {'code': code.value, 'message': text}})
        self._writer.write(f'Content-Length: {len(content)}\r\n\r\n{content}'.encode())


def _adds_information(record: logging.LogRecord) -> bool:
    """Return whether a log record of pygls says more than the response to the client."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, JsonRpcException)
                or str(record.msg).startswith('Unable to deserialize message'))


def _is_id(value: object) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool)
