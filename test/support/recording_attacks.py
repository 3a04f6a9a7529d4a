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

"""Small recordings that take long, grow large, or are no recordings."""

from __future__ import annotations

from collections.abc import Callable
import os
from pathlib import Path
import sqlite3
import struct

from support.recordings import tf_message
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.recordings.file_formats import MAGIC

BEGIN = 10**18
UNIT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def text(words: str | bytes) -> bytes:
    """Return a text of MCAP."""
    data = words if isinstance(words, bytes) else words.encode()
    return struct.pack('<I', len(data)) + data


def mcap_record(kind: int, content: bytes) -> bytes:
    """Return a record of MCAP."""
    return struct.pack('<BQ', kind, len(content)) + content


def schema(number: int, kind: str) -> bytes:
    """Return the definition of a type."""
    return mcap_record(3, struct.pack('<H', number) + text(kind) + text('ros2msg') + text(''))


def channel(number: int, topic: str, of_schema: int = 1) -> bytes:
    """Return the definition of a topic."""
    return mcap_record(4, struct.pack('<HH', number, of_schema) + text(topic) + text('cdr')
                       + text(''))


def message(number: int, received: int, data: bytes, sequence: int = 1) -> bytes:
    """Return a message of a channel."""
    return mcap_record(5, struct.pack('<HIQQ', number, sequence, received, received) + data)


def chunk(packed: bytes, size: int) -> bytes:
    """
    Return a chunk.

    :param packed: its records, compressed with zstd.
    :param size: number of bytes that they are to become.
    """
    return mcap_record(6, struct.pack('<QQQI', 0, 0, size, 0) + text('zstd')
                       + struct.pack('<Q', len(packed)) + packed)


def write_chunks(path: Path, *parts: bytes) -> Path:
    """Write records of MCAP, each text of them in a compressed chunk."""
    from zstandard import ZstdCompressor
    pack = ZstdCompressor(level=19 if sum(map(len, parts)) < 2**20 else 3).compress
    path.write_bytes(MAGIC + b''.join(chunk(pack(part), len(part)) for part in parts))
    return path


def packed(piece: bytes, times: int, first: bytes = b'') -> bytes:
    """Return what zstd makes of a text that is repeated."""
    from zstandard import ZstdCompressor
    packer = ZstdCompressor(level=3).compressobj()
    return packer.compress(first) + b''.join(
        packer.compress(piece) for _ in range(times)) + packer.flush()


def redefined_channel(folder: Path, number: int = 800_000) -> Path:
    """Write a recording in which a channel is redefined again and again."""
    return write_chunks(folder / 'redefined.mcap', schema(1, TF_MESSAGE) + b''.join(
        channel(1, f'/tf_{row}') for row in range(number)) + message(1, BEGIN, b''))


def many_frames(folder: Path, number: int = 100_000, of_message: int = 1000) -> Path:
    """Write a recording with many child frames."""
    messages = []
    for row in range(0, number, of_message):
        at = BEGIN + row * 10**10 // number
        children = [f'f{child}' for child in range(row, row + of_message)]
        messages.append(message(1, at, tf_message(
            [at] * of_message, ['world'] * of_message, children, [UNIT] * of_message), row + 1))
    return write_chunks(folder / 'frames.mcap', schema(1, TF_MESSAGE) + channel(1, '/tf')
                        + b''.join(messages))


def generated_column(folder: Path, rows: int = 1000) -> Path:
    """Write a database in which SQLite computes the messages."""
    return database(
        folder / 'generated.db3', 'CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id, '
        'timestamp, data BLOB GENERATED ALWAYS AS (zeroblob(200000000)) VIRTUAL)',
        'INSERT INTO messages(topic_id, timestamp) VALUES (1, ?)',
        [(BEGIN + row * 10**7,) for row in range(rows)])


def text_as_rowid(folder: Path) -> Path:
    """Write a database with a column that is called as the number of a row."""
    return database(
        folder / 'rowid.db3', 'CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id, '
        'timestamp, data BLOB, rowid TEXT)',
        'INSERT INTO messages(topic_id, timestamp, data, rowid) VALUES (1, ?, ?, ?)',
        [(BEGIN, tf_message([BEGIN], ['a'], ['b'], [UNIT]), 'x')])


def database(path: Path, table: str, insert: str, rows: list[tuple]) -> Path:
    """
    Write a database.

    :param table: makes the table of messages.
    :param insert: adds a row to it.
    """
    found = sqlite3.connect(path)
    found.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, '
                  'serialization_format TEXT)')
    found.execute('INSERT INTO topics VALUES (1, ?, ?, ?)', ('/tf', TF_MESSAGE, 'cdr'))
    found.execute(table)
    found.executemany(insert, rows)
    found.commit()
    found.close()
    return path


def zstd_bomb(folder: Path, gigabytes: int = 5, suffix: str = '.mcap.zstd') -> Path:
    """Write a compressed file that grows without bound."""
    path = folder / f'bomb{suffix}'
    first = MAGIC if 'mcap' in suffix else b'SQLite format 3\0'
    piece = mcap_record(5, bytes(2**20 - 9))
    path.write_bytes(packed(piece, gigabytes * 2**10, first))
    return path


def empty_records(folder: Path, megabytes: int = 540) -> Path:
    """Write a chunk of empty records, which have nine bytes each."""
    piece = mcap_record(0x80, b'') * (2**20 // 9)
    path = folder / 'empty.mcap'
    path.write_bytes(MAGIC + chunk(packed(piece, megabytes), megabytes * len(piece)))
    return path


def pipe(folder: Path) -> Path:
    """Make a pipe in place of a file."""
    path = folder / 'pipe.mcap'
    os.mkfifo(path)
    return path


ATTACKS: dict[str, Callable[[Path], Path]] = {
    make.__name__: make for make in (
        redefined_channel, many_frames, generated_column, text_as_rowid, zstd_bomb, empty_records,
        pipe)}
"""Name of each attack to the function that writes it into a folder, and returns its path."""
