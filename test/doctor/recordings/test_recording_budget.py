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

"""Small recordings that take long, grow large, or are no recordings, are refused in one line."""

from __future__ import annotations

from functools import partial
import os
from pathlib import Path
import signal
import subprocess
import sys
import time

import pytest
from support.graph_records import MODEL
from support.graph_records import robot
from support.recording_attacks import channel
from support.recording_attacks import empty_records
from support.recording_attacks import generated_column
from support.recording_attacks import many_frames
from support.recording_attacks import message
from support.recording_attacks import pipe
from support.recording_attacks import redefined_channel
from support.recording_attacks import schema
from support.recording_attacks import text_as_rowid
from support.recording_attacks import write_chunks
from support.recording_attacks import zstd_bomb
from support.recordings import messages_of
from support.recordings import record
from support.recordings import write_mcap
from support.recordings import write_sqlite

from urdf_tools.cli import main
from urdf_tools.doctor.recordings.confined_reading import read
from urdf_tools.doctor.recordings.recorded import OverBudget
from urdf_tools.doctor.recordings.recorded import PART
from urdf_tools.doctor.recordings.recorded import ReadingBudget
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import RecordingLimits

pytest.importorskip('mcap', reason='mcap is not installed')

SEEN = robot().observation()

NAMES = '20,000 names (limit names); if you trust it, give --recording-limits names=200000'
SIZE = '512 MB (limit size); if you trust it, give --recording-limits size=5120'

CASES = [
    (redefined_channel, (25_000,), NAMES), (many_frames, (25_000, 25_000), NAMES),
    (generated_column, (), "the column 'data' is computed"),
    (text_as_rowid, (), "the column 'rowid' is computed, or hides the row number"),
    (zstd_bomb, (1,), SIZE),
    (zstd_bomb, (1, '.db3.zstd'), 'It is a compressed database; decompress it with "zstd -d"'),
    (empty_records, (300,), 'a chunk is damaged: it grows to 314'),
    (pipe, (), 'is neither a file nor a folder')]
"""Functions that write recordings, their arguments, and what is printed about it."""


@pytest.fixture
def model(tmp_path):
    """Return the path of a model."""
    path = tmp_path / 'arm.urdf'
    path.write_text(MODEL.format(name='arm'))
    return path


def refused(arguments, capsys) -> str:
    """Return the single line with which a command refuses its arguments."""
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert not captured.out.strip() or 'recording, 1 of them with errors' in captured.out
    return line


@pytest.mark.parametrize(('write', 'arguments', 'said'), CASES)
def test_an_attack_is_one_line(write, arguments, said, tmp_path, capsys):
    path = write(tmp_path, *arguments)
    assert said in refused(['doctor', path], capsys)


@pytest.mark.slow
@pytest.mark.parametrize(('write', 'arguments', 'said'), CASES[2:3] + CASES[4:6])
def test_each_verb_and_each_process_has_the_budget(
        write, arguments, said, model, tmp_path, capsys):
    path = write(tmp_path, *arguments)
    output = tmp_path / 'out.mcap'
    assert said in refused(['bag', 'frames', path, '--model', model, '-o', output], capsys)
    assert not output.exists()
    assert said in refused(['doctor', path, path], capsys)


def large_message(folder: Path) -> Path:
    """Write a recording with a message of 200 MB."""
    return write_chunks(folder / 'large.mcap', schema(1, 'a/msg/B') + channel(1, '/a')
                        + message(1, 10**18, bytes(200 * 2**20)))


@pytest.mark.slow
@pytest.mark.parametrize(('write', 'limit', 'said'), [
    (partial(empty_records, megabytes=100), 'time=1',
     '1 s (limit time); if you trust it, give --recording-limits time=10'),
    (large_message, 'memory=180', '180 MB (limit memory)'),
    (large_message, 'size=100', '100 MB (limit size)')])
def test_a_limit_is_an_option(write, limit, said, tmp_path, capsys):
    assert f'takes more than {said}' in refused(
        ['doctor', write(tmp_path), '--recording-limits', limit], capsys)


@pytest.mark.slow
def test_a_limit_can_be_raised(tmp_path):
    path = str(zstd_bomb(tmp_path, 1))
    with pytest.raises(RecordingError, match='limit size'):
        read(path, RecordingLimits(), 'evaluate', '', (), {})
    with pytest.raises(RecordingError, match='1024 messages are damaged or of no known topic'):
        read(path, RecordingLimits(size=2048), 'evaluate', '', (), {})


def test_large_recordings_get_more():
    small, large = (ReadingBudget(RecordingLimits(), Path('a'), size) for size in (1, 1000 * PART))
    assert large.limits().time == 1000 * small.limits().time == 30_000
    assert large.limits().memory == small.limits().memory
    large.use(decompressed=1000 * 512 * 2**20)
    with pytest.raises(OverBudget, match='512,000 MB .* size=5120'):
        large.use(decompressed=1)


def nothing(folder: Path) -> list[Path]:
    """Write recordings in which nothing can be read."""
    other = [each._replace(topic='/a') for each in messages_of(SEEN)[:9]]
    folder.mkdir()
    several = folder / 'several'
    several.mkdir()
    (several / 'several_0.mcap').write_bytes(b'nonsense')
    (several / 'several_1.db3').write_bytes(b'SQLite format 3\0nonsense')
    cut = record(folder / 'cut.mcap', SEEN)
    cut.write_bytes(cut.read_bytes()[:200])
    others = write_mcap(folder / 'others.mcap', other, {'/a': 'a/msg/B'})
    others.write_bytes(others.read_bytes().replace(b'cdr', b'xyz'))
    return [
        several, cut, write_mcap(folder / 'empty.mcap', [], {'/a': 'a/msg/B'}),
        write_sqlite(folder / 'empty.db3', [], {'/a': 'a/msg/B'}),
        write_chunks(folder / 'chunk.mcap', b'\5' * 99)]


@pytest.mark.slow
def test_where_nothing_can_be_read_it_ends_with_2(model, tmp_path, capsys):
    for path in nothing(tmp_path / 'runs'):
        assert 'othing can be read in' in refused(['doctor', path], capsys)
        assert main(['doctor', str(path), str(path)]) == 2
        assert 'othing can be read in' in capsys.readouterr().err
        assert 'othing can be read in' in refused(
            ['bag', 'frames', path, '--model', model, '-o', tmp_path / 'out.mcap'], capsys)
    assert not (tmp_path / 'out.mcap').exists()


def test_messages_of_other_middlewares_are_not_evaluated(tmp_path, capsys):
    path = write_mcap(tmp_path / 'run.mcap', messages_of(SEEN), dict(SEEN.graph.kinds),
                      compression='')
    path.write_bytes(path.read_bytes().replace(b'\3\0\0\0cdr', b'\3\0\0\0xyz'))
    assert 'not read: ' in refused(['doctor', path], capsys)


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        return [*map(int, Path(f'/proc/{pid}/task/{pid}/children').read_text().split())]
    except OSError:
        return []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != 'linux', reason='processes are looked up in /proc')
def test_ctrl_c_ends_the_reader(tmp_path):
    path = empty_records(tmp_path, 200)
    process = subprocess.Popen(
        [sys.executable, '-m', 'urdf_tools.cli', 'doctor', path, '--recording-limits', 'time=999'],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    readers: list[int] = []
    while not readers:
        assert time.monotonic() < deadline and process.poll() is None
        readers = [each for child in children(process.pid) for each in children(child)]
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=300) == ('', '')
    assert process.returncode == 130
    while any(os.path.exists(f'/proc/{pid}') for pid in readers):
        assert time.monotonic() < deadline
