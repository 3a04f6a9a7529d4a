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
from importlib.util import find_spec
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
from urdf_tools.doctor.recordings.report_page import POINTS
from urdf_tools.doctor.recordings.report_page import ReportPage
from urdf_tools.formats.loader import loads
from urdf_tools.view.headless_browser import find_chromium

pytest.importorskip('mcap', reason='mcap is not installed')

HOSTILE = ('<b>x</b></script><script>document.title="forged"</script><img src=x onerror=alert(1)>'
           '<a href="https://example.com">{hashes}{library}{data}')


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


def test_joints_have_their_range_and_limits_in_the_order_of_the_model(shown):
    (turn, slide) = shown['joints']
    assert (turn['name'], slide['name']) == ('turn', 'slide')
    (angle,), (distance,) = turn['plots'], slide['plots']
    assert (angle['lower'], angle['upper'], angle['unit']) == (-1.2, 1.2, 'rad')
    assert max(angle['highs']) == 1.5
    assert distance['unit'] == 'm' and max(distance['highs']) < 0.5
    assert len(angle['bins']) == len(angle['lows']) == len(angle['highs'])


def test_velocities_and_efforts_have_their_units_and_limits(tmp_path):
    """The message has the joints in another order, and one that the model lacks."""
    messages = [Written('/robot_description', SECOND, string(MODEL.format(name='arm')))]
    for step in range(200):
        time = SECOND + step * SECOND // 20
        messages.append(Written('/joint_states', time, joint_state(
            time, ['other', 'slide', 'turn'], [0.0, 0.1, 0.2], [1.0, 2.0, -7.5 * (step == 99)],
            [10.0, 20.0, 30.0])))
    data = collected(write_mcap(tmp_path / 'run.mcap', messages, {
        topic: KINDS[topic] for topic in ('/joint_states', '/robot_description')}))
    turn, slide, other = data['joints']
    assert [joint['name'] for joint in data['joints']] == ['turn', 'slide', 'other']
    assert [plot['quantity'] for plot in turn['plots']] == ['position', 'velocity', 'effort']
    assert [[plot['unit'] for plot in joint['plots']] for joint in data['joints']] == [
        ['rad', 'rad/s', 'N m'], ['m', 'm/s', 'N'], ['', '', '']]
    limits = loads(MODEL.format(name='arm')).joints['turn'].limits
    velocity, effort = turn['plots'][1:]
    assert (velocity['lower'], velocity['upper']) == (-limits.velocity, limits.velocity)
    assert (effort['lower'], effort['upper']) == (-limits.effort, limits.effort)
    # An extreme is kept, and where it was.
    at = velocity['bins'][velocity['lows'].index(-7.5)] * data['step']
    assert at == pytest.approx(99 / 20, abs=data['step'])
    assert other['plots'][0]['upper'] is None


def test_frames_have_their_parents_with_the_times(shown):
    frames = {frame['name']: frame['parents'] for frame in shown['frames']}
    assert frames['mount'][0][1:] == ['base', True]
    times, parents, _ = zip(*frames['base'][:2])
    assert parents == ('odom', 'map') and times[1] == pytest.approx(45.0, abs=0.2)


@pytest.mark.slow
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
    ((angle,),) = (joint['plots'] for joint in data['joints'])
    assert len(angle['bins']) <= POINTS
    assert max(angle['highs']) == pytest.approx(1.0, abs=1e-3)
    assert data['step'] * angle['bins'][-1] == pytest.approx(700, abs=3)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Return a plotting library that is installed instead of plotly."""
    script = 'var Plotly = "{title}{data}</script>";'
    (tmp_path / 'plotly' / 'package_data').mkdir(parents=True)
    (tmp_path / 'plotly' / '__init__.py').touch()
    (tmp_path / 'plotly' / 'package_data' / 'plotly.min.js').write_text(script)
    monkeypatch.syspath_prepend(tmp_path)
    return script.replace('</', '<\\/')


def test_the_page_needs_nothing_else_and_runs_only_its_own_scripts(broken, library):
    page = page_of(broken)
    assert f'<script>{library}</script>' in page
    page = page.replace(library, '', 1)
    assert not re.search(r'(src|href)\s*=|@import|url\(', page.partition('<script id')[0])
    script = page.rpartition('<script>')[2].partition('</script>')[0]
    allowed = ' '.join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (library, script))
    assert ("default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; "
            f'script-src {allowed}"') in page
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


def test_hostile_names_are_only_data(tmp_path, library):
    page = page_of(hostile_recording(tmp_path)).replace(library, '', 1)
    assert page.count('<script') == 3 and '<img' not in page
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
@pytest.mark.skipif(find_spec('plotly') is None, reason='plotly is not installed')
@pytest.mark.parametrize('make', [write_broken, hostile_recording, lambda path: record(
    path / 'run.mcap', robot().observation())], ids=['broken', 'hostile', 'sound'])
def test_a_browser_draws_it(make, tmp_path):
    from support.devtools import Page
    folder = tmp_path / 'run'
    folder.mkdir()
    path = make(folder / 'run.mcap' if make is write_broken else folder)
    (tmp_path / 'page.html').write_text(page_of(path))
    page = Page('about:blank')
    try:
        page.call('Emulation.setDeviceMetricsOverride', width=390, height=4000,
                  deviceScaleFactor=1, mobile=True)
        page.call('Page.navigate', url=(tmp_path / 'page.html').as_uri())
        page.wait(lambda: page.evaluate('document.getElementById("now")?.textContent'))
        page.wait(lambda: page.evaluate(
            'plots.length === document.querySelectorAll("#lines > div, .joint > div").length'))
        assert page.evaluate('document.querySelectorAll("#lines .heatmaplayer image").length')
        assert page.complaints == []
        assert page.evaluate('document.title') == 'run.mcap'
        assert page.evaluate('document.documentElement.scrollWidth') == 390
        assert page.evaluate('document.querySelectorAll("a[href], img").length') == 0
        if make is hostile_recording:
            assert '<b>x</b>' in page.evaluate('document.querySelector("#lines").textContent')
        if make is write_broken:
            listed = page.evaluate('document.querySelectorAll("#faults li").length')
            assert listed == len(FAULTS)
            labels = page.evaluate('document.querySelector("#lines > div").innerText')
            assert 'turn joint-posi' in labels
            page.evaluate('at(50)')
            assert 'map' in page.evaluate('document.getElementById("tree").innerText')
            page.evaluate('at(30)')
            assert 'odom' in page.evaluate('document.getElementById("tree").innerText')
            page.evaluate('document.querySelector("#faults li:nth-child(4) button").click()')
            low, high = page.evaluate('document.querySelector(".joint > div").layout.xaxis.range')
            assert low < 19.6 and 26.1 < high < 40
    finally:
        page.close()


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_a_page_without_plots_says_how_to_get_them(broken, tmp_path, monkeypatch):
    from support.devtools import Page
    monkeypatch.setattr('urdf_tools.doctor.recordings.report_page.find_spec', lambda name: None)
    (tmp_path / 'page.html').write_text(page_of(broken))
    page = Page((tmp_path / 'page.html').as_uri())
    try:
        page.wait(lambda: page.evaluate('document.getElementById("now")?.textContent'))
        text = page.evaluate('document.body.innerText')
        assert page.complaints == []
        assert 'pip install plotly' in text and 'Rates of topics' in text and 'odom' in text
    finally:
        page.close()
