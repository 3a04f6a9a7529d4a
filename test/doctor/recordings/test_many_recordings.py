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

"""Many recordings: each evaluated once, in processes, and not again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.broken_recording import write_broken
from support.graph_records import robot
from support.graph_records import swinging
from support.recordings import record
from urdf_tools.cli import main
from urdf_tools.doctor.recordings import confined_reading
from urdf_tools.doctor.recordings.confined_reading import evaluate_all
from urdf_tools.doctor.recordings.confined_reading import EvaluationRequest
from urdf_tools.doctor.recordings.confined_reading import Results
from urdf_tools.doctor.recordings.recorded import RecordingError

pytest.importorskip('mcap', reason='mcap is not installed')


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Return a cache of the test's own."""
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'cache'))
    return tmp_path / 'cache' / 'urdf-tools' / 'recordings'


def recordings(folder: Path, number: int) -> list[Path]:
    """Write recordings of which every third one is broken."""
    folder.mkdir()
    sound = record(folder / 'sound.mcap', robot().observation()).read_bytes()
    broken = record(folder / 'broken.mcap', robot().joint_states(
        '/driver_2', swinging).observation()).read_bytes()
    for name in ('sound', 'broken'):
        (folder / f'{name}.mcap').unlink()
    paths = [folder / f'run_of_{row:03}.mcap' for row in range(number)]
    for row, path in enumerate(paths):
        path.write_bytes(sound if row % 3 else broken)
    return paths


def lines(capsys) -> dict[str, dict]:
    """Return what was printed in JSON lines, by the recording."""
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_source = {Path(each['source']).name: each for each in found}
    assert len(by_source) == len(found)
    return by_source


@pytest.mark.slow
def test_processes_find_what_one_finds(tmp_path, capsys):
    paths = recordings(tmp_path / 'runs', 8)
    requests = [EvaluationRequest(str(path)) for path in paths]
    alone = {each['source']: each for each in evaluate_all(requests, Results(None))}
    together = {each['source']: each for each in evaluate_all(requests, Results(None), 2)}
    assert alone == together and len(alone) == 8
    assert [bool(alone[str(path)]['findings']) for path in paths] == [
        row % 3 == 0 for row in range(8)]
    assert main(['doctor', str(tmp_path / 'runs'), '--jobs', '2', '--format', 'json']) == 1
    found = lines(capsys)
    assert {name: each['findings'] for name, each in found.items()} == {
        Path(source).name: each['findings'] for source, each in alone.items()}


def test_the_table_says_which_fault_appeared_when(tmp_path, capsys):
    recordings(tmp_path / 'runs', 6)
    write_broken(tmp_path / 'runs' / 'long.mcap')
    (tmp_path / 'runs' / 'nonsense.mcap').write_bytes(b'nonsense')
    assert main(['doctor', str(tmp_path / 'runs')]) == 2
    captured = capsys.readouterr()
    assert 'It is neither an MCAP file nor a database of SQLite' in captured.err
    table = captured.out.splitlines()
    assert table[0].split() == ['robot', 'day', 'fault', 'recordings', 'times', 'seconds']
    rows = {row.split()[2]: row.split() for row in table[1:-1]}
    assert rows['joint-two-publishers'] == [
        'arm', '2001-09-09', 'joint-two-publishers', '2', '2', '10.0']
    assert rows['frame-two-parents'][3:5] == ['1', '1']
    assert table[-1] == '8 recordings, 4 of them with errors'


def test_what_was_judged_is_not_judged_again(tmp_path, monkeypatch, own_cache):
    path, other = recordings(tmp_path / 'runs', 2)
    asked = []

    def read(path, *rest, **others):
        asked.append(Path(path).name)
        raise RecordingError('not now')

    requests = [EvaluationRequest(str(path)), EvaluationRequest(str(other))]
    results = Results(own_cache)
    first = list(evaluate_all(requests, results))
    assert len(list(own_cache.iterdir())) == 2
    monkeypatch.setattr(confined_reading, 'read', read)
    assert list(evaluate_all(requests, results)) == first and asked == []
    for change in (
            lambda request: request._replace(model='<robot/>'),
            lambda request: request._replace(ignore=('joint-two-publishers',))):
        asked.clear()
        list(evaluate_all([change(request) for request in requests], results))
        assert asked == [path.name, other.name]
    asked.clear()
    os.utime(path, ns=(1, 1))
    list(evaluate_all(requests, results))
    assert asked == [path.name]
    asked.clear()
    monkeypatch.setattr(confined_reading, 'rules_version', lambda: 'other rules')
    found = list(evaluate_all(requests, results))
    assert asked == [path.name, other.name]
    # What could not be evaluated is tried again.
    assert [each['error'] for each in found] == ['not now'] * 2
    list(evaluate_all(requests, results))
    assert len(asked) == 4


def test_a_damaged_cache_is_no_obstacle(tmp_path, own_cache):
    (path,) = recordings(tmp_path / 'runs', 1)
    results = Results(own_cache)
    (first,) = evaluate_all([EvaluationRequest(str(path))], results)
    (kept,) = own_cache.iterdir()
    kept.write_bytes(b'{"valid"')
    assert list(evaluate_all([EvaluationRequest(str(path))], results)) == [first]


@pytest.mark.parametrize(('arguments', 'error'), [
    (['--watch'], '--watch observes a running graph'),
    (['--format', 'sarif'], '--format sarif has one recording'),
    (['--report', 'page.html'], '--report is about a single recording')])
def test_what_is_not_done_with_many(arguments, error, tmp_path, capsys):
    recordings(tmp_path / 'runs', 1)
    assert main(['doctor', str(tmp_path / 'runs'), *arguments]) == 2
    assert error in capsys.readouterr().err


def test_a_folder_without_recordings(tmp_path, capsys):
    assert main(['doctor', str(tmp_path)]) == 2
    assert 'There is no recording in these folders' in capsys.readouterr().err
