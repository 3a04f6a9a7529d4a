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

"""Files of rosbag2 that are SQLite databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
import sqlite3

from urdf_tools.doctor.recordings.limits import ReadingBudget
from urdf_tools.doctor.recordings.limits import whole_message
from urdf_tools.doctor.recordings.recorded import MAX_BYTES
from urdf_tools.doctor.recordings.recorded import Record
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import Topic

MAGIC = b'SQLite format 3\0'

_COLUMNS = ('serialization_format', 'offered_qos_profiles', 'type_description_hash')

_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The exceptions of reading; messages about damaged files may not be UTF-8."""

_TABLES = ('topics', 'messages')


class SqliteFile:
    """
    The records of a file.

    :param topics: the topics of other files, which are the same objects here.
    :param budget: for what is decompressed.
    :ivar damages: what cannot be read, in words.
    :ivar done: share of the file that has been read, from 0 to 1.
    """

    def __init__(self, path: Path, topics: dict[Topic, Topic], budget: ReadingBudget):
        self.damages: list[str] = []
        self.done = 0.0
        self._path = path
        self._shared = topics
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
        found = {number: Topic(
            str(name), str(kind), str(encoding) or 'cdr', definitions.get(str(kind), (b'', '')),
            tuple((key, str(value)) for key, value in zip(_COLUMNS[1:], words) if value))
            for number, name, kind, encoding, *words in database.execute(
                f'SELECT id, name, type, {", ".join(chosen)} FROM topics')}
        return {number: self._shared.setdefault(topic, topic) for number, topic in found.items()}

    def _messages(
            self, database: sqlite3.Connection, topics: dict[int, Topic]) -> Iterator[Record]:
        (last,) = database.execute('SELECT max(rowid) FROM messages').fetchone()
        unknown = 0
        for number, topic_id, received, data in database.execute(
                'SELECT rowid, topic_id, timestamp, data FROM messages ORDER BY rowid'):
            self.done = number / max(last or 1, 1)
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
