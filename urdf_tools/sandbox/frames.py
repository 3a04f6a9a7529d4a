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

"""Messages between a process and its workers: JSON with bytes beside it, each with its length."""

from __future__ import annotations

import json
import struct

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: I300
    from typing import IO

_LENGTHS = struct.Struct('>QQ')


def write_frame(stream: IO[bytes], value: object, data: bytes = b'') -> None:
    """Write a value that JSON can hold, and bytes."""
    text = json.dumps(value).encode()
    stream.write(_LENGTHS.pack(len(text), len(data)) + text)
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes], most: float) -> tuple[Any, bytes]:
    """
    Return a value and bytes.

    :param most: number of bytes that are read at most.
    :raises EOFError: the stream ends before.
    :raises OverflowError: they are more.
    :raises ValueError: the value is no JSON; a RecursionError if it is nested too deeply.
    """
    lengths = _LENGTHS.unpack(_read(stream, _LENGTHS.size))
    if sum(lengths) > most:
        raise OverflowError(f'a message of {sum(lengths)} bytes')
    text, data = (_read(stream, length) for length in lengths)
    return json.loads(text), data


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data
