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
"""A page of viser without a browser: what it receives, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
import struct
from typing import Any

import msgspec.msgpack
import viser
from websockets.sync.client import connect
import zstandard

DEADLINE = 60.0

CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': [1, 0, 0, 0], 'position': [3, 0, 1], 'fov': 1.2,
    'near': 0.01, 'far': 1000, 'image_height': 800, 'image_width': 1200, 'look_at': [0, 0, 0],
    'up_direction': [0, 0, 1]}
"""The first message of a page, which makes it a client."""


class Page:
    """A connection to the server of a page, to be used in a ``with`` statement."""

    def __init__(self, url: str):
        self.connection = connect(
            url.replace('http:', 'ws:'), subprotocols=[f'viser-v{viser.__version__}'],
            origin=url.rpartition('/')[0], max_size=None, compression=None,
            proxy=None, open_timeout=DEADLINE)
        self.messages = self._messages()
        """The messages that it receives, until :data:`DEADLINE` passes without one."""

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

    def _messages(self) -> Iterator[dict[str, Any]]:
        while True:
            data = self.connection.recv(DEADLINE)
            size, compressed = struct.unpack('<QQ', data[:16])
            text = zstandard.ZstdDecompressor().decompress(data[16:16 + compressed], size)
            yield from msgspec.msgpack.decode(text)['messages']

    def wait_for(self, kind: str, label: str) -> None:
        """Wait for a message of a kind about what has this label or begins with it."""
        next(message for message in self.messages if message['type'] == kind and str(
            message.get('label', message.get('props', {}).get('label'))).startswith(label))

    def inputs(self) -> dict[str, dict[str, Any]]:
        """Return the message that added each input of a new page, by its identifier."""
        found = {}
        for message in self.messages:
            if 'uuid' in message and 'props' in message:
                found[message['uuid']] = message
            if message['type'] == 'ReplayDoneMessage':
                return found
        raise AssertionError('The messages ended.')

    def send(self, message: Any) -> None:
        """Send a message: raw bytes or text, or what msgpack is to encode."""
        is_raw = isinstance(message, (bytes, str))
        self.connection.send(message if is_raw else msgspec.msgpack.encode(message))

    def set(self, identifier: Any, value: Any) -> None:
        """Give an input a value as a user does."""
        self.send({'type': 'GuiUpdateMessage', 'uuid': identifier, 'updates': {'value': value}})


def received(url: str) -> Iterator[dict[str, Any]]:
    """Yield the messages that a new page receives, until :data:`DEADLINE` passes without one."""
    with Page(url) as page:
        yield from page.messages
