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
"""What a page of viser receives, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
import struct
from typing import Any

import msgspec.msgpack
import viser
from websockets.sync.client import connect
import zstandard

DEADLINE = 60.0


def received(url: str) -> Iterator[dict[str, Any]]:
    """Yield the messages that a new page receives, until :data:`DEADLINE` passes without one."""
    with connect(
            url.replace('http:', 'ws:'), subprotocols=[f'viser-v{viser.__version__}'], origin=url,
            max_size=None, compression=None, proxy=None, open_timeout=DEADLINE) as connection:
        while True:
            data = connection.recv(DEADLINE)
            size, compressed = struct.unpack('<QQ', data[:16])
            text = zstandard.ZstdDecompressor().decompress(data[16:16 + compressed], size)
            yield from msgspec.msgpack.decode(text)['messages']
