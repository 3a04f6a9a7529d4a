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

"""Files of recordings, whole and damaged: read as far as they go, and never more."""

from __future__ import annotations

from pathlib import Path
import random
import sqlite3
import struct

import pytest
from support.graph_records import robot
from support.recordings import messages_of
from support.recordings import record
from support.recordings import write_mcap
from support.recordings import write_sqlite
from urdf_tools.doctor.recordings.file_formats import MAGIC
from urdf_tools.doctor.recordings.recorded import Attachment
from urdf_tools.doctor.recordings.recorded import Metadata
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recording import is_recording
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.recording import recordings_below

pytest.importorskip('mcap', reason='mcap is not installed')

SEEN = robot().observation()
KINDS = dict(SEEN.graph.kinds)
MESSAGES = messages_of(SEEN)


def plain(records):
    """Return messages as they were written."""
    return [(each.topic.name, each.received, each.data) for each in records
            if isinstance(each, Recorded)]


WRITTEN = [(each.topic, each.received, each.data) for each in MESSAGES]


@pytest.mark.parametrize('compression', ['zstd', 'lz4', ''])
def test_messages_are_those_that_were_written(compression, tmp_path):
    recording = Recording(record(tmp_path / 'run.mcap', SEEN, compression=compression,
                                 extras=True, chunk_size=5000))
    records = list(recording.records())
    assert plain(records) == WRITTEN
    assert recording.damages == []
    assert Attachment(2, 1, 'notes.txt', 'text/plain', b'hello') in records
    assert Metadata('rosbag2', {'serialized_metadata': 'x'}) in records
    (first, *_) = (each for each in records if isinstance(each, Recorded))
    assert first.topic.kind == 'std_msgs/msg/String'
    assert 'transient_local' in dict(first.topic.metadata)['offered_qos_profiles']
    assert first.sent == first.received - 1000


@pytest.mark.parametrize('compressed', [False, True])
def test_a_database_is_read_like_other_files(compressed, tmp_path):
    recording = Recording(
        write_sqlite(tmp_path / 'run.db3', MESSAGES, KINDS, compressed=compressed))
    assert plain(recording.records()) == WRITTEN
    assert recording.damages == []


@pytest.mark.parametrize('suffix', ['.mcap', '.db3'])
def test_a_compressed_file(suffix, tmp_path):
    from zstandard import compress
    whole = tmp_path / f'run{suffix}'
    (write_mcap if suffix == '.mcap' else write_sqlite)(whole, MESSAGES, KINDS)
    packed = tmp_path / f'run{suffix}.zstd'
    packed.write_bytes(compress(whole.read_bytes()))
    whole.unlink()
    if suffix == '.mcap':
        assert plain(Recording(packed).records()) == WRITTEN
    else:
        with pytest.raises(RecordingError, match='decompress it with "zstd -d"'):
            plain(Recording(packed).records())


def test_the_files_of_a_folder_are_read_in_the_order_of_their_numbers(tmp_path):
    folder = tmp_path / 'run'
    folder.mkdir()
    for number in range(12):
        part = MESSAGES[10 * number:10 * number + 10 if number < 11 else None]
        write_mcap(folder / f'run_{number}.mcap', part, KINDS)
    assert is_recording(folder)
    recording = Recording(folder)
    assert plain(recording.records()) == WRITTEN
    topics = {each.topic for each in Recording(folder).records() if isinstance(each, Recorded)}
    assert len(topics) == len(KINDS)
    (folder / 'run_3.mcap').write_bytes(b'nonsense')
    assert plain(recording.records()) == WRITTEN[:30] + WRITTEN[40:]
    assert recording.damages == ['run_3.mcap: it cannot be read. It is neither an MCAP file nor '
                                 'a database of SQLite']


def test_recordings_below_a_folder(tmp_path):
    for name in ('a/run_0.mcap', 'a/metadata.yaml', 'b/one.mcap', 'b/two.db3', 'b/notes.txt'):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.relative_to(tmp_path).as_posix() for path in recordings_below(tmp_path)] == [
        'a', 'b/one.mcap', 'b/two.db3']
    assert not is_recording(tmp_path)


def test_what_a_killed_recorder_leaves_is_read(tmp_path):
    whole = record(tmp_path / 'run.mcap', SEEN, finish=False, chunk_size=2000)
    recording = Recording(whole)
    found = plain(recording.records())
    assert 0.8 * len(WRITTEN) < len(found) and found == WRITTEN[:len(found)]
    assert recording.damages == [
        'run.mcap: it ends without an index, as if the recorder had been killed']


@pytest.mark.parametrize('compression', ['zstd', 'lz4', ''])
def test_a_file_that_is_cut_anywhere_is_read_as_far_as_it_goes(compression, tmp_path):
    data = record(tmp_path / 'run.mcap', SEEN, compression=compression,
                  chunk_size=4000).read_bytes()
    cut = tmp_path / 'cut.mcap'
    maximum = 0
    for length in range(len(MAGIC), len(data), 97):
        cut.write_bytes(data[:length])
        recording = Recording(cut)
        found = plain(recording.records())
        assert found == WRITTEN[:len(found)]
        maximum = max(maximum, len(found))
        assert recording.damages or found == WRITTEN
    assert maximum == len(WRITTEN)


@pytest.mark.parametrize('suffix', ['.mcap', '.db3'])
def test_damaged_bytes_never_raise(suffix, tmp_path):
    path = tmp_path / f'run{suffix}'
    (write_mcap if suffix == '.mcap' else write_sqlite)(path, MESSAGES, KINDS)
    whole = path.read_bytes()
    for seed in range(150):
        data = bytearray(whole)
        rng = random.Random(seed)
        for _ in range(rng.randint(1, 30)):
            data[rng.randrange(8, len(data))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            assert len(plain(Recording(path).records())) <= len(WRITTEN) + 100, seed
        except RecordingError as error:
            assert str(error).startswith(repr(str(path)))


def hostile(records: list[tuple[int, bytes]], folder: Path) -> Recording:
    path = folder / 'hostile.mcap'
    path.write_bytes(MAGIC + b''.join(
        struct.pack('<BQ', kind, len(content)) + content for kind, content in records))
    return Recording(path)


def text(words: str, length: int | None = None) -> bytes:
    return struct.pack('<I', len(words) if length is None else length) + words.encode()


@pytest.mark.parametrize(('content', 'damage'), [
    ((4, struct.pack('<HH', 1, 0) + text('/tf', 2**32 - 1)), 'a record is cut short'),
    ((3, b'\1'), 'a record is cut short'),
    ((5, struct.pack('<HIQQ', 9, 0, 0, 0)), '1 messages are damaged or of no known topic'),
    ((6, struct.pack('<QQQI', 0, 0, 99, 0) + text('zstd') + struct.pack('<Q', 1) + b'!'),
     'a chunk is damaged: it cannot be decompressed'),
    ((6, struct.pack('<QQQI', 0, 0, 2**62, 0) + text('zstd') + struct.pack('<Q', 1) + b'!'),
     f'a chunk is damaged: it grows to {2**62} bytes'),
    ((6, struct.pack('<QQQI', 0, 0, 9, 0) + text('rot13') + struct.pack('<Q', 0)),
     "it is compressed in an unknown way, b'rot13'"),
    ((6, struct.pack('<QQQI', 0, 0, 9, 0) + text('zs', 2**31)), 'a record is cut short')])
def test_hostile_records_are_named(content, damage, tmp_path):
    recording = hostile([content], tmp_path)
    assert list(recording.records()) == []
    assert damage in recording.damages[0] or damage in recording.damages[-1]


def test_a_length_beyond_the_file_allocates_nothing(tmp_path):
    path = tmp_path / 'run.mcap'
    path.write_bytes(MAGIC + struct.pack('<BQ', 5, 2**63 - 1) + b'x')
    recording = Recording(path)
    assert list(recording.records()) == []
    assert recording.damages == [f'run.mcap: it has a record of {2**63 - 1} bytes']


def test_a_chunk_that_expands_without_end_stops_at_its_size(tmp_path):
    from zstandard import compress
    bomb = compress(bytes(100_000_000))
    recording = hostile([(6, struct.pack('<QQQI', 0, 0, 1000, 0) + text('zstd')
                          + struct.pack('<Q', len(bomb)) + bomb)], tmp_path)
    assert list(recording.records()) == []
    assert recording.damages


def test_reading_stops_at_zeros(tmp_path):
    path = tmp_path / 'run.mcap'
    path.write_bytes(MAGIC + bytes(900))
    with open(path, 'r+b') as file:
        file.truncate(2**40)  # A sparse file, which takes no space.
    recording = Recording(path)
    assert list(recording.records()) == []
    assert recording.damages[0] == 'run.mcap: there are zeros in place of a record'


def test_a_view_instead_of_a_table_is_refused(tmp_path):
    path = tmp_path / 'run.db3'
    database = sqlite3.connect(path)
    database.execute('CREATE TABLE topics(id, name, type)')
    database.execute(
        'CREATE VIEW messages AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) '
        'SELECT x AS topic_id, x AS timestamp, x AS data FROM n')
    database.commit()
    database.close()
    with pytest.raises(RecordingError, match='no tables of topics and messages'):
        list(Recording(path).records())


def test_cells_of_wrong_types_are_counted(tmp_path):
    path = write_sqlite(tmp_path / 'run.db3', MESSAGES[:5], KINDS)
    database = sqlite3.connect(path)
    database.execute("INSERT INTO messages(topic_id, timestamp, data) VALUES (1, 'x', 'y')")
    database.execute('INSERT INTO messages(topic_id, timestamp, data) VALUES (99, 1, NULL)')
    database.commit()
    database.close()
    recording = Recording(path)
    assert len(plain(recording.records())) == 5
    assert recording.damages == ['run.db3: 2 messages are damaged or of no known topic']


def test_what_is_no_recording_is_said(tmp_path):
    with pytest.raises(RecordingError, match='does not exist'):
        Recording(tmp_path / 'missing.mcap')
    with pytest.raises(RecordingError, match='is not a recording'):
        Recording(tmp_path)
    (tmp_path / 'empty.mcap').touch()
    with pytest.raises(RecordingError, match='It is empty'):
        list(Recording(tmp_path / 'empty.mcap').records())


@pytest.mark.parametrize(('content', 'said'), [
    (b'', 'It is empty'),
    (b'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n', 'git lfs pull'),
    (b'#ROSBAG V2.0\n', 'recording of ROS 1')])
def test_what_is_no_recording_of_ros_2_is_refused_with_a_sentence(content, said, tmp_path):
    path = tmp_path / 'run.db3'
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=said):
        list(Recording(path).records())
