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

"""The page about a recording: complete, harmless whatever is recorded, and drawn by a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import numpy as np
import pytest
from support.broken_recording import FAULTS
from support.broken_recording import write_broken
from support.graph_records import MODEL
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import record
from support.recordings import start
from support.recordings import string
from support.recordings import tf_message
from support.recordings import write_mcap
from support.recordings import Written
from urdf_tools.cli import main
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.recordings.report_page import BINS
from urdf_tools.doctor.recordings.report_page import ReportPage
from urdf_tools.view.headless_browser import find_chromium

pytest.importorskip('mcap', reason='mcap is not installed')

HOSTILE = ('</script><script>document.title="forged"</script><img src=x onerror=alert(1)>'
           '{hash}{data}')


def page_of(path) -> str:
    page = ReportPage()
    return page.render(evaluate_recording(path, on_window=page.add))


def data_of(page: str) -> dict:
    return json.loads(page.partition('<script id="data" type="application/json">')[2].partition(
        '</script>')[0])


def collected(path) -> dict:
    """Return what the page shows, without what is found."""
    data = ReportPage()
    found = evaluate_recording(path, on_window=data.add)
    return data.as_data(found.begin)


@pytest.fixture(scope='module')
def broken(tmp_path_factory):
    """Return the path of a broken recording."""
    return write_broken(tmp_path_factory.mktemp('broken') / 'run.mcap')


@pytest.fixture(scope='module')
def shown(broken):
    """Return what the page about it shows."""
    return collected(broken)


def test_rates_and_gaps_are_those_of_the_recording(shown):
    by_name = {(source['group'], name): source for source in shown['sources']
               for name in source['names']}
    assert {('joints', ''), ('frames', 'base'), ('frames', 'arm'), ('sensors', 'laser'),
            ('sensors', 'tool')} <= by_name.keys()
    joints = by_name['joints', '']
    assert sum(joints['counts']) == 565
    assert max(joints['gaps']) == pytest.approx(3.6, abs=0.01)
    assert max(by_name['sensors', 'laser']['gaps']) == pytest.approx(0.1, abs=0.01)
    assert sum(by_name['sensors', 'tool']['counts']) == 499


def test_joints_have_their_range_and_limits(shown):
    (slide, turn) = sorted(shown['joints'], key=lambda joint: joint['name'])
    assert (turn['lower'], turn['upper'], turn['unit']) == (-1.2, 1.2, 'rad')
    assert max(filter(None, turn['highs'])) == 1.5
    assert slide['unit'] == 'm' and max(filter(None, slide['highs'])) < 0.5


def test_frames_have_their_parents_with_the_times(shown):
    frames = {frame['name']: frame['parents'] for frame in shown['frames']}
    assert frames['mount'][0][1:] == ['base', True]
    times, parents, _ = zip(*frames['base'][:2])
    assert parents == ('odom', 'map') and times[1] == pytest.approx(45.0, abs=0.2)


def test_a_long_recording_has_no_more_parts(tmp_path):
    times = np.arange(0, 700, 0.5)
    path = write_mcap(tmp_path / 'run.mcap', [
        Written('/robot_description', int(nanoseconds(0.0)), string(MODEL.format(name='arm'))),
        *(Written('/joint_states', int(nanoseconds(time)), joint_state(
            nanoseconds(time), ['turn'], [np.sin(time / 100)])) for time in times)],
        {topic: KINDS[topic] for topic in ('/joint_states', '/robot_description')})
    data = collected(path)
    (joints,) = data['sources']
    assert len(joints['counts']) <= BINS
    assert sum(joints['counts']) == len(times)
    (turn,) = data['joints']
    assert max(turn['highs']) == pytest.approx(1.0, abs=1e-3)
    assert data['width'] * len(turn['highs']) == pytest.approx(700, abs=3)


def test_the_page_needs_nothing_else_and_runs_only_its_own_script(broken):
    page = page_of(broken)
    assert not re.search(r'(src|href)\s*=|@import|url\(', page.partition('<script id')[0])
    script = page.rpartition('<script>')[2].partition('</script>')[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page
    assert not re.search(r'innerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(', script)


def hostile_recording(folder):
    """Return a recording whose names are attacks."""
    messages = [Written('/robot_description', SECOND, string(MODEL.format(name='arm')))]
    for number in range(60):
        time = SECOND + number * SECOND // 10
        messages += [
            Written('/joint_states', time, joint_state(
                time, ['turn', HOSTILE], [float('nan'), float('inf')])),
            Written('/tf', time, tf_message(
                [time] * 2, [HOSTILE, HOSTILE + '2'], [HOSTILE + '2', HOSTILE],
                [(float('nan'),) * 7] * 2)),
            Written('/scan', time, bytes(start(time, HOSTILE)))]
    return write_mcap(folder / 'run.mcap', messages, {
        **{topic: KINDS[topic] for topic in ('/joint_states', '/tf', '/robot_description')},
        '/scan': 'sensor_msgs/msg/LaserScan'})


def test_hostile_names_are_only_data(tmp_path):
    page = page_of(hostile_recording(tmp_path))
    assert page.count('<script') == 2 and '<img' not in page
    assert any(HOSTILE[:80] in name for source in data_of(page)['sources']
               for name in source['names'])


def test_there_is_no_page_about_an_empty_recording(tmp_path, capsys):
    path = write_mcap(tmp_path / 'run.mcap', [], {'/tf': KINDS['/tf']})
    assert main(['doctor', str(path), '--report', str(tmp_path / 'page.html')]) == 2
    assert 'it has no messages' in capsys.readouterr().err
    assert not (tmp_path / 'page.html').exists()


def test_the_report_is_no_input(broken, capsys):
    before = broken.read_bytes()
    assert main(['doctor', str(broken), '--report', str(broken)]) == 2
    assert 'is an input' in capsys.readouterr().err
    assert broken.read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
@pytest.mark.parametrize('make', [write_broken, hostile_recording, lambda path: record(
    path / 'run.mcap', robot().observation())], ids=['broken', 'hostile', 'sound'])
def test_a_browser_draws_it(make, tmp_path):
    from support.devtools import Page
    folder = tmp_path / 'run'
    folder.mkdir()
    path = make(folder / 'run.mcap' if make is write_broken else folder)
    (tmp_path / 'page.html').write_text(page_of(path))
    page = Page((tmp_path / 'page.html').as_uri())
    try:
        page.wait(lambda: page.evaluate('document.getElementById("now")?.textContent'))
        assert page.complaints == []
        assert page.evaluate('document.title') == 'run.mcap'
        assert page.evaluate('document.querySelectorAll("#lines rect").length') > 20
        if make is write_broken:
            listed = page.evaluate('document.querySelectorAll("#faults li").length')
            assert listed == len(FAULTS)
            page.evaluate('go(50)')
            assert 'map' in page.evaluate('document.getElementById("tree").innerText')
            page.evaluate('go(30)')
            assert 'odom' in page.evaluate('document.getElementById("tree").innerText')
    finally:
        page.close()
