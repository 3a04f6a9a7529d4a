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
The files of recordings: MCAP, and databases of SQLite, as rosbag2 writes them.

MCAP files (https://mcap.dev/spec) are read from their beginning, without the index at their end.
The package mcap reads whole chunks, and allocates what a damaged length asks for; rosdep has no
key for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from functools import partial
import io
from pathlib import Path
import sqlite3
import struct
from typing import Any
from typing import BinaryIO
import zlib

from urdf_tools.doctor.recordings.recorded import Attachment
from urdf_tools.doctor.recordings.recorded import Damage
from urdf_tools.doctor.recordings.recorded import decompressed
from urdf_tools.doctor.recordings.recorded import MAX_BYTES
from urdf_tools.doctor.recordings.recorded import Metadata
from urdf_tools.doctor.recordings.recorded import ReadingBudget
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.recordings.recorded import whole_message


MAGIC, SQLITE_MAGIC = b'\x89MCAP0\r\n', b'SQLite format 3\0'

_FOOTER, _SCHEMA, _CHANNEL, _MESSAGE, _CHUNK = 2, 3, 4, 5, 6
_ATTACHMENT, _METADATA, _DATA_END = 9, 12, 15

_RECORD = struct.Struct('<BQ')
_MESSAGE_START = struct.Struct('<HIQQ')
_COUNT, _LENGTH = '<I', '<Q'

_OTHERS = {
    b'': 'It is empty',
    b'version ': 'It is a pointer of Git LFS to a recording; run "git lfs pull"',
    SQLITE_MAGIC[:8]: 'It is a compressed database; decompress it with "zstd -d"',
    b'#ROSBAG ': 'It is a recording of ROS 1; convert it with "rosbags-convert"'}
"""Why files with certain first bytes are not readable recordings."""


class McapFile:
    """
    The records of a file.

    :param file: opened for reading; it need not be seekable.
    :param budget: for what is decompressed.
    :ivar damages: what cannot be read, in words.
    """

    def __init__(self, file: BinaryIO, budget: ReadingBudget):
        self.damages: list[str] = []
        self._stream = _Stream(file)
        self._schemas: dict[int, tuple[str, tuple[bytes, str]]] = {}
        self._budget = budget
        self._topics: dict[int, Topic] = {}
        self._lost = 0

    def records(self) -> Iterator[Record]:
        """
        Yield the records, as far as they can be read.

        :raises RecordingError: the file is not of this kind.
        """
        try:
            start = self._stream.some(len(MAGIC))
            if start != MAGIC:
                raise RecordingError(_OTHERS.get(
                    start, 'It is neither an MCAP file nor a database of SQLite'))
            yield from self._records(self._stream)
        except Damage as damage:
            self.damages.append(str(damage))
        if self._lost:
            self.damages.append(f'{self._lost} messages are damaged or of no known topic')

    def _records(self, stream: _Stream, in_chunk: bool = False) -> Iterator[Record]:
        exact, message, length_of_start = stream.exact, _MESSAGE_START.unpack_from, 22
        while start := stream.some(_RECORD.size):
            if len(start) < _RECORD.size:
                raise Damage('it ends in the middle of a record')
            kind, length = _RECORD.unpack(start)
            if not kind:  # No record has this kind; a sparse file has zeros without end.
                raise Damage('there are zeros in place of a record')
            if kind == _CHUNK and not in_chunk:
                yield from self._chunk(length)
                continue
            if kind in (_FOOTER, _DATA_END) and not in_chunk:
                return
            if length > MAX_BYTES:
                raise Damage(f'it has a record of {length} bytes')
            content = exact(length)
            if kind == _MESSAGE and length >= length_of_start:
                channel, sequence, received, sent = message(content)
                topic = self._topics.get(channel)
                data = whole_message(content[length_of_start:], self._budget)
                if topic is None or data is None or received >= 2**63:
                    self._lost += 1
                else:
                    yield Recorded(topic, received, sent, sequence, data)
            elif kind in (_SCHEMA, _CHANNEL, _ATTACHMENT, _METADATA):
                yield from self._read(kind, _in_memory(content))
        if not in_chunk:
            raise Damage('it ends without an index, as if the recorder had been killed')

    def _read(self, kind: int, fields: _Stream) -> Iterator[Record]:
        """Read a record that is not a message."""
        if kind == _SCHEMA:
            (number,) = fields.numbers('<H')
            name, encoding = fields.text(), fields.text()
            self._schemas[number] = name, (fields.data(_COUNT), encoding)
        elif kind == _CHANNEL:
            number, schema = fields.numbers('<HH')
            name, encoding, words = fields.text(), fields.text(), fields.words()
            known, definition = self._schemas.get(schema, ('', (b'', '')))
            topic = Topic(name, known, encoding, definition, tuple(words.items()))
            if self._topics.get(number) != topic:
                self._topics[number] = topic
                yield topic
        elif kind == _ATTACHMENT:
            received, created = fields.numbers('<QQ')
            name, media_type = fields.text(), fields.text()
            yield Attachment(received, created, name, media_type, fields.data(_LENGTH))
        else:
            name = fields.text()
            yield Metadata(name, fields.words())

    def _chunk(self, length: int) -> Iterator[Record]:
        """Yield the records of a chunk; if it is damaged, the next one may be read."""
        if length > MAX_BYTES:
            raise Damage(f'it has a chunk of {length} bytes')
        part = self._stream.some(length)
        fields = _in_memory(part)
        _, _, size, crc = fields.numbers('<QQQI')
        compression = fields.data(_COUNT)
        fields.numbers(_LENGTH)
        problem = ''
        try:
            if size > MAX_BYTES:
                raise Damage(f'it grows to {size} bytes')
            stream = _Stream(decompressed(
                io.BytesIO(fields.some(length)), compression, self._budget), size)
            yield from self._records(stream, in_chunk=True)
            if stream.left:
                problem = 'is cut short'
            elif crc and stream.crc != crc:
                problem = 'has a wrong checksum'
        except Damage as damage:
            problem = f'is damaged: {damage}'
        if len(part) < length:
            raise Damage('it ends in the middle of a chunk')
        if problem:
            self.damages.append(f'a chunk {problem}')


class _Stream:
    """
    Reads exact numbers of bytes, up to a limit in all.

    :ivar left: bytes that may still be read.
    :ivar crc: checksum of what was read, if their number is known.
    """

    def __init__(self, file: Any, size: int = 2**63):
        self.left = size
        self.crc = 0
        self._checks = size < 2**63
        self._file = file

    def some(self, length: int) -> bytes:
        """Return bytes, fewer at the end."""
        data: bytes = self._file.read(min(length, self.left))
        self.left -= len(data)
        if self._checks:
            self.crc = zlib.crc32(data, self.crc)
        return data

    def exact(self, length: int) -> bytes:
        """
        Return bytes.

        :raises Damage: there are fewer.
        """
        data = self.some(min(length, MAX_BYTES))
        if len(data) < length:
            raise Damage('a record is cut short')
        return data

    def numbers(self, form: str) -> tuple[int, ...]:
        """Return integers."""
        return struct.unpack(form, self.exact(struct.calcsize(form)))

    def data(self, form: str) -> bytes:
        """Return bytes preceded by their number."""
        return self.exact(self.numbers(form)[0])

    def text(self) -> str:
        """Return a text."""
        return self.data(_COUNT).decode(errors='replace')

    def words(self) -> dict[str, str]:
        """Return a map of texts."""
        inner = _in_memory(self.data(_COUNT))
        found = {}
        while inner.left:
            name = inner.text()
            found[name] = inner.text()
        return found


def _in_memory(content: bytes) -> _Stream:
    return _Stream(io.BytesIO(content), len(content))


def write_mcap(file: BinaryIO, records: Iterable[Record]) -> None:
    """Write records, compressed with zstd."""
    from mcap.writer import Writer
    writer = Writer(file)
    writer.start('ros2', 'urdf-tools')

    @cache
    def schema_of(kind: str, definition: tuple[bytes, str]) -> int:
        return writer.register_schema(kind, definition[1], definition[0]) if kind else 0

    @cache
    def channel_of(topic: Topic) -> int:
        return writer.register_channel(
            topic.name, topic.encoding, schema_of(topic.kind, topic.definition),
            dict(topic.metadata))

    for record in records:
        if isinstance(record, Attachment):
            writer.add_attachment(
                record.created, record.received, record.name, record.media_type, record.data)
        elif isinstance(record, Metadata):
            writer.add_metadata(record.name, record.words)
        elif isinstance(record, Topic):
            channel_of(record)
        else:
            writer.add_message(channel_of(record.topic), record.received, record.data,
                               record.sent, record.sequence)
    writer.finish()  # type: ignore[no-untyped-call]


_COLUMNS = ('serialization_format', 'offered_qos_profiles', 'type_description_hash')

_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The exceptions of reading; messages about damaged files may not be UTF-8."""

_TABLES = ('topics', 'messages')


class SqliteFile:
    """
    The records of a file.

    :param budget: for what is decompressed.
    :ivar damages: what cannot be read, in words.
    """

    def __init__(self, path: Path, budget: ReadingBudget):
        self.damages: list[str] = []
        self._path = path
        self._budget = budget

    def records(self) -> Iterator[Record]:
        """
        Yield the topics, and the messages in the order in which they are stored.

        :raises RecordingError: the file is not of this kind.
        """
        with closing(self._connect()) as database:
            try:
                topics = self._topics(database)
                yield from topics.values()
            except (sqlite3.Error, ValueError) as error:
                raise RecordingError(f'Its table of topics cannot be read: {error}') from error
            try:
                yield from self._messages(database, topics)
            except _ERRORS as error:
                self.damages.append(f'it is damaged: {error}')

    def _connect(self) -> sqlite3.Connection:
        problem: Exception | None = None
        # A recorder that was killed leaves a journal, which cannot be used where nothing can be
        # written.
        for options in ('mode=ro', 'mode=ro&immutable=1'):
            try:
                database = sqlite3.connect(f'{self._path.absolute().as_uri()}?{options}', uri=True)
                database.text_factory = partial(str, encoding='utf-8', errors='replace')
                if hasattr(database, 'setlimit'):
                    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
                database.execute('PRAGMA trusted_schema=OFF')
                tables = {name for name, in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'")}
                # Views are refused, as their queries could take for ever.
                if not tables.issuperset(_TABLES):
                    raise RecordingError('It has no tables of topics and messages')
                _refuse_strange_columns(database)
                return database
            except _ERRORS as error:
                problem = error
        raise RecordingError(f'It cannot be opened: {problem}')

    def _topics(self, database: sqlite3.Connection) -> dict[int, Topic]:
        columns = {row[1] for row in database.execute('PRAGMA table_info(topics)')}
        chosen = [name if name in columns else "''" for name in _COLUMNS]
        definitions: dict[str, tuple[bytes, str]] = {}
        if database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' "
                            "AND name = 'message_definitions'").fetchone():
            definitions = {str(kind): (str(text).encode(), str(encoding)) for kind, encoding, text
                           in database.execute('SELECT topic_type, encoding, '
                                               'encoded_message_definition '
                                               'FROM message_definitions')}
        return {number: Topic(
            str(name), str(kind), str(encoding) or 'cdr', definitions.get(str(kind), (b'', '')),
            tuple((key, str(value)) for key, value in zip(_COLUMNS[1:], words) if value))
            for number, name, kind, encoding, *words in database.execute(
                f'SELECT id, name, type, {", ".join(chosen)} FROM topics')}

    def _messages(
            self, database: sqlite3.Connection, topics: dict[int, Topic]) -> Iterator[Record]:
        unknown = 0
        for topic_id, received, data in database.execute(
                'SELECT topic_id, timestamp, data FROM messages ORDER BY rowid'):
            topic = topics.get(topic_id)
            if isinstance(data, bytes):
                data = whole_message(data, self._budget)
            if topic is None or not isinstance(data, bytes) or not (
                    isinstance(received, int) and received >= 0):
                unknown += 1
            else:
                yield Recorded(topic, received, received, 0, data)
        if unknown:
            self.damages.append(f'{unknown} messages are damaged or of no known topic')


def _refuse_strange_columns(database: sqlite3.Connection) -> None:
    """
    Check that no column is computed, which could take for ever, or hides the number of its row.

    :raises RecordingError: one does.
    """
    for table in _TABLES:
        for _, name, *_, hidden in database.execute(f'PRAGMA table_xinfo({table})'):
            if hidden or str(name).lower() in ('rowid', 'oid', '_rowid_'):
                raise RecordingError(f'Its table of {table} is not one of rosbag2: the column '
                                     f'{str(name)[:50]!r} is computed, or hides the row number')
