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

"""Random recordings: records and tables in any order with any values, and edits of their bytes."""

from __future__ import annotations

from contextlib import suppress
import json
from pathlib import Path
from random import Random
import sqlite3
import struct
import tempfile
from typing import Any
import zlib

from support.graph_records import MODEL
from support.recording_attacks import mcap_record
from support.recording_attacks import text
from support.recordings import clock
from support.recordings import joint_state
from support.recordings import numbers
from support.recordings import start
from support.recordings import string
from support.recordings import tf_message

from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.file_formats import MAGIC
from urdf_tools.doctor.recordings.file_formats import write_mcap
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded_graph import EVENT
from urdf_tools.doctor.recordings.recorded_graph import TRANSITION
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.report_page import ReportData
from urdf_tools.doctor.recordings.republished_frames import FrameOptions
from urdf_tools.doctor.recordings.republished_frames import RepublishedFrames
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.formats.loader import loads

BEGIN = 10**18
ROBOT = MODEL.format(name='arm')

_TOPICS = (
    ('/robot_description', STRING), ('/joint_states', JOINT_STATE), ('/tf', TF_MESSAGE),
    ('/tf_static', TF_MESSAGE), ('/clock', CLOCK), ('/scan', 'sensor_msgs/msg/LaserScan'),
    ('/parameter_events', EVENT), ('/arm/transition_event', TRANSITION),
    ('/multi_dof_joint_states', 'sensor_msgs/msg/MultiDOFJointState'),
    ('/arm/joint_states', JOINT_STATE),
    ('/other', 'a/msg/B'), ('', ''), ('/' + 'x' * 300, STRING), ('/\x1b[31m\n::error::', CLOCK))

_DEFINITIONS = ('', 'std_msgs/Header header\n', 'Header header\nfloat64[] a', 'string<=3[] a\n',
                '====\nMSG: a/B\nint32 x=1\n', '\0')

_NAMES = ('turn', 'slide', 'base', 'mount', 'arm', 'tip', 'odom', 'map', '', '/base', 'é', '\x1b[')

_NUMBERS = (0.0, -0.0, 0.3, 1.0, -1.0, 1e308, -1e-320, float('inf'), float('nan'))

_TIMES = (0, 1, -1, BEGIN, 2**63 - 1, 2**63, 2**64 - 1, 10**20)

_CELLS = (None, 0, 1, -1, 2**63 - 1, 0.5, float('inf'), '', 'x', 'é\x1b[31m', b'', b'\0\1',
          b'\xff' * 9)


def random_recording(random: Random) -> tuple[str, bytes]:
    """Return the suffix and the bytes of a recording, often after some edits."""
    suffix, data = random.choice((_mcap, _mcap, _database))(random)
    for _ in range(random.choice((0, 0, 1, 2, 10))):
        data = _edited(random, data)
    if random.random() < 0.1:
        data, suffix = _compressed(random, data, b'zstd'), f'{suffix}.zstd'
        data = _edited(random, data) if random.random() < 0.5 else data
    return suffix, data


def check_recording(path: Path) -> None:
    """
    Evaluate a recording, show what is found in all forms, and replace its frames.

    :raises AssertionError: an error is too long.
    """
    page = ReportData()
    try:
        found = evaluate_recording(path, on_window=page.add)
        page.text(found)
        render(found.report())
        json.dumps(as_sarif([Result(found.report())], Options(GRAPH_RULES)))
        json.dumps(found.as_data())
    except RecordingError as error:
        assert len(str(error)) < 10_000
    frames = RepublishedFrames(loads(ROBOT), ROBOT, FrameOptions())
    with suppress(RecordingError), tempfile.TemporaryFile() as file:
        write_mcap(file, frames.records(Recording(path).records()))


def _edited(random: Random, data: bytes) -> bytes:
    """Return bytes of which some are other ones, gone, or there twice."""
    begin = random.randrange(len(data) + 1)
    end = min(len(data), begin + random.choice((0, 1, 1, 2, 4, 8, 50, 1000)))
    part = random.choice((
        random.randbytes(random.randrange(9)), data[begin:end] * random.choice((0, 2, 20)),
        struct.pack('<Q', random.choice((0, 1, 255, 2**31, 2**32 - 1, 2**63, 2**64 - 1))),
        bytes(byte ^ 1 << random.randrange(8) for byte in data[begin:end])))
    if random.random() < 0.7:  # Keep the length, and so the rest in its place.
        part = (part + data[begin + len(part):end])[:end - begin]
    return data[:begin] + part + data[end:]


def _mcap(random: Random) -> tuple[str, bytes]:
    parts = [MAGIC, mcap_record(1, text('ros2') + text('test'))]
    for _ in range(random.choice((1, 1, 2, 4))):
        records = [each for number in range(random.choice((1, 4, 14)))
                   for each in _topic(random, number)]
        count = random.choice((0, 3, 10, 50))
        at = random.choice((BEGIN, BEGIN, random.choice(_TIMES)))
        for row in range(count):
            at += random.choice((10**7, 10**7, 10**8, 10**8, 10**9, -10**9, 2 * 10**10))
            records.append(_message(random, at, row))
        if random.random() < 0.2:
            random.shuffle(records)
        content = b''.join(records)
        if random.random() < 0.7:
            parts.append(_chunk(random, content))
        else:
            parts.append(content)
    if random.random() < 0.7:
        parts += [mcap_record(15, bytes(4)), mcap_record(2, bytes(20)), MAGIC]
    return '.mcap', b''.join(parts)


def _topic(random: Random, number: int) -> list[bytes]:
    """Return a type, a topic of it, and seldom what is stored besides messages."""
    name, kind = random.choice(_TOPICS) if random.random() < 0.3 else _TOPICS[
        number % len(_TOPICS)]
    found = [
        mcap_record(3, struct.pack('<H', number) + text(kind) + text('ros2msg')
                    + text(random.choice(_DEFINITIONS))),
        mcap_record(4, struct.pack('<HH', number, number) + text(name)
                    + text(random.choice(('cdr', 'cdr', 'cdr', 'json', '')))
                    + text(text('offered_qos_profiles') + text(
                        '- history: 1\n  depth: 1\n  durability: 1\n  deadline:\n    sec: 9\n')))]
    if random.random() < 0.1:
        found.append(mcap_record(9, struct.pack('<QQ', 1, 2) + text('a') + text('b')
                                 + struct.pack('<Q', 3) + b'abc' + bytes(4)))
        found.append(mcap_record(12, text('a') + text(text('b') + text('c'))))
    if random.random() < 0.05:
        found.append(mcap_record(random.randrange(256), random.randbytes(random.randrange(40))))
    return found


def _message(random: Random, at: int, row: int) -> bytes:
    number = random.randrange(len(_TOPICS))
    return mcap_record(5, struct.pack(
        '<HIQQ', number, row if random.random() < 0.8 else random.randrange(2**32),
        at % 2**64, at % 2**64) + _data(random, _TOPICS[number][1], at))


def _data(random: Random, kind: str, at: int) -> bytes:
    """Return a serialized message, seldom a damaged one."""
    stamp = random.choice((at, at, at, random.choice(_TIMES))) % 2**60
    names = random.choices(_NAMES, k=random.choice((1, 2, 2, 5)))
    values = random.choices(_NUMBERS, k=7 * len(names))
    if kind == STRING:
        data = string(random.choice((ROBOT, ROBOT[:len(ROBOT) // 2], '', '\0', 'x' * 300)))
    elif kind == JOINT_STATE:
        data = joint_state(stamp, names, values[:len(names)], values[:random.choice((0, 1, 2))])
    elif kind == TF_MESSAGE:
        data = tf_message([stamp] * len(names), random.choices(_NAMES, k=len(names)), names, [
            tuple(values[7 * each:7 * each + 7]) for each in range(len(names))])
    elif kind == CLOCK:
        data = clock(stamp)
    else:
        content = start(stamp, random.choice(_NAMES))
        numbers(content, values)
        data = bytes(content)
    return _edited(random, data) if random.random() < 0.1 else data


def _chunk(random: Random, content: bytes) -> bytes:
    compression = random.choice((b'zstd', b'zstd', b'lz4', b'', b'rot13'))
    size = len(content) if random.random() < 0.9 else random.choice((0, 9, 2**40))
    crc = random.choice((0, zlib.crc32(content), 1))
    packed = _compressed(random, content, compression)
    return mcap_record(6, struct.pack('<QQQI', 0, 0, size, crc) + text(compression)
                       + struct.pack('<Q', len(packed)) + packed)


def _compressed(random: Random, content: bytes, compression: bytes) -> bytes:
    import lz4.frame
    import zstandard
    if compression == b'zstd':
        return zstandard.compress(content)
    return lz4.frame.compress(content) if compression == b'lz4' else content


def _database(random: Random) -> tuple[str, bytes]:
    """Return a database whose tables may have other columns, types and cells."""
    kinds = ('INTEGER PRIMARY KEY', 'INTEGER', 'TEXT', 'BLOB', '', 'REAL', 'INTEGER UNIQUE')
    topics = {'id': 'INTEGER PRIMARY KEY', 'name': 'TEXT', 'type': 'TEXT',
              'serialization_format': 'TEXT', 'offered_qos_profiles': 'TEXT'}
    messages = {'id': 'INTEGER PRIMARY KEY', 'topic_id': 'INTEGER', 'timestamp': 'INTEGER',
                'data': 'BLOB'}
    for columns in (topics, messages):
        if random.random() < 0.1:
            columns[random.choice((*columns, 'rowid', 'x'))] = random.choice(kinds)
        if random.random() < 0.1:
            columns['more'] = 'GENERATED ALWAYS AS (zeroblob(9)) VIRTUAL'
        if random.random() < 0.1:
            del columns[random.choice([*columns])]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'run.db3')
        database = sqlite3.connect(path)
        database.execute(f'PRAGMA page_size={random.choice((512, 4096))}')
        database.execute(f'PRAGMA encoding="{random.choice(("UTF-8", "UTF-8", "UTF-16le"))}"')
        end = ' WITHOUT ROWID' if random.random() < 0.05 else ''
        for name, columns, rows in (('topics', topics, _topics(random)),
                                    ('messages', messages, _messages(random))):
            with suppress(sqlite3.Error):
                database.execute(f'CREATE TABLE {name}({", ".join(map(" ".join, columns.items()))}'
                                 f'){end}')
            for row in rows:
                given = {key: random.choice(_CELLS) if random.random() < 0.01 else value
                         for key, value in row.items() if key in columns}
                with suppress(sqlite3.Error):
                    database.execute(f'INSERT INTO {name}({", ".join(given)}) VALUES '
                                     f'({", ".join("?" * len(given))})', [*given.values()])
        database.commit()
        database.close()
        return '.db3', path.read_bytes()


def _topics(random: Random) -> list[dict[str, Any]]:
    return [{'id': number, 'name': name, 'type': kind, 'serialization_format': 'cdr',
             'offered_qos_profiles': ''} for number, (name, kind) in enumerate(_TOPICS)]


def _messages(random: Random) -> list[dict[str, Any]]:
    found, at = [], BEGIN
    for row in range(random.choice((0, 5, 20, 60))):
        at += random.choice((10**7, 10**7, 10**8, 10**9, -10**9))
        number = random.randrange(len(_TOPICS))
        data = _data(random, _TOPICS[number][1], at)
        found.append({'id': row, 'topic_id': number, 'timestamp': at, 'data': (
            _compressed(random, data, b'zstd') if random.random() < 0.1 else data)})
    return found
