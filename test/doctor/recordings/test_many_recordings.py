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

"""Many recordings: each evaluated once, in processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.broken_recording import write_broken
from support.graph_records import robot
from support.graph_records import swinging
from support.recordings import record
from urdf_tools.cli import main
from urdf_tools.doctor.recordings.confined_reading import evaluate_all
from urdf_tools.doctor.recordings.recorded import RecordingLimits

pytest.importorskip('mcap', reason='mcap is not installed')


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
    alone, together = ({each['source']: each for each, _ in evaluate_all(
        [*map(str, paths)], RecordingLimits(), '', (), {}, jobs=jobs)} for jobs in (1, 2))
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


@pytest.mark.parametrize(('arguments', 'error'), [
    (['--watch'], '--watch observes a running graph'),
    (['--format', 'sarif'], '--format sarif has one recording'),
    (['--rates'], '--rates is about a single recording'),
    (['--report', '-'], 'A page is not written to standard output')])
def test_what_is_not_done_with_many(arguments, error, tmp_path, capsys):
    recordings(tmp_path / 'runs', 1)
    assert main(['doctor', str(tmp_path / 'runs'), *arguments]) == 2
    assert error in capsys.readouterr().err


def test_a_page_has_a_bound(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr('urdf_tools.cli.recorded_faults.MAX_REPORTED', 1)
    recordings(tmp_path / 'runs', 2)
    page = tmp_path / 'page.html'
    assert main(['doctor', str(tmp_path / 'runs'), '--report', str(page)]) == 2
    assert 'A page has at most 1 recordings, not 2' in capsys.readouterr().err
    assert not page.exists()


def test_a_report_on_many_is_no_input(tmp_path, capsys):
    recordings(tmp_path / 'runs', 2)
    path = min((tmp_path / 'runs').rglob('*.mcap'))
    before = path.read_bytes()
    assert main(['doctor', str(tmp_path / 'runs'), '--report', str(path)]) == 2
    assert 'is an input' in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_folder_without_recordings(tmp_path, capsys):
    assert main(['doctor', str(tmp_path)]) == 2
    assert 'There is no recording in these folders' in capsys.readouterr().err
