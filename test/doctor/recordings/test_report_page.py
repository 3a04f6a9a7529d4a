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
from contextlib import contextmanager
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
from urdf_tools.doctor.recordings.confined_reading import report_page
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.recordings.report_page import BINS
from urdf_tools.doctor.recordings.report_page import POINTS
from urdf_tools.doctor.recordings.report_page import ReportData
from urdf_tools.formats.loader import loads
from urdf_tools.view.headless_browser import find_chromium

pytest.importorskip('mcap', reason='mcap is not installed')

HOSTILE = ('<b>x</b></script><script>document.title="forged"</script><img src=x onerror=alert(1)>'
           '<a href="https://example.com">{hash}{title}{data}')


def page_of(*paths) -> str:
    texts = []
    for path in paths:
        data = ReportData()
        texts.append(data.text(evaluate_recording(path, on_window=data.add)).encode())
    return report_page(paths[0].name, texts).decode()


def data_of(page: str) -> dict:
    (data,) = json.loads(page.partition('<script id="data" type="application/json">')[2].partition(
        '</script>')[0])
    return data


def collected(path) -> dict:
    """Return what the page shows, without what is found."""
    data = ReportData()
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


def test_the_page_needs_nothing_else_and_runs_only_its_own_script(broken):
    page = page_of(broken)
    assert not re.search(r'(src|href)\s*=|@import|url\(', page.partition('<script id')[0])
    script = page.rpartition('<script>')[2].partition('</script>')[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert ("default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
            f"script-src 'sha256-{digest}'\"") in page
    assert not re.search(r'innerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(', script)


SHAPES = """<robot name="shapes"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry>
    <material name="red"/></visual></link>
  <link name="arm"><collision><geometry><cylinder radius="0.1" length="0.5"/></geometry>
    </collision></link>
  <link name="hand"><visual><geometry><mesh filename="hand.stl"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 2"/><axis xyz="0 0 1"/></joint>
  <joint name="nod" type="continuous"><parent link="arm"/><child link="hand"/>
    <axis xyz="0 1 0"/><mimic joint="turn" multiplier="2" offset="0.5"/></joint></robot>"""


def recording_of_shapes(path):
    """Return a recording of a robot that turns to 0.5 rad."""
    messages = [Written('/robot_description', SECOND, string(SHAPES))]
    for step in range(100):
        time = SECOND + step * SECOND // 10
        messages.append(Written('/joint_states', time, joint_state(time, ['turn'], [0.5])))
    return write_mcap(path, messages, {
        topic: KINDS[topic] for topic in ('/joint_states', '/robot_description')})


def test_what_is_drawn_of_the_robot(tmp_path):
    (drawing,) = collected(recording_of_shapes(tmp_path / 'run.mcap'))['drawings']
    assert (drawing['name'], drawing['root']) == ('shapes', 'base')
    box, cylinder, mesh = drawing['shapes']
    assert (box['kind'], box['size'], box['colour']) == ('box', [1, 2, 3], [1, 0, 0])
    assert box['origin'] == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]
    assert (cylinder['kind'], cylinder['size']) == ('cylinder', [0.1, 0.5])
    assert (mesh['link'], mesh['size']) == ('hand', None)
    turn, nod = drawing['joints']
    assert (turn['parent'], turn['child'], turn['axis'][2], turn['origin'][11]) == (
        'base', 'arm', 1, 2)
    assert list(nod['mimic']) == ['turn', 2, 0.5]


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
@pytest.mark.parametrize('scheme', ['light', 'dark'])
def test_a_browser_draws_it_without_a_touch(make, scheme, tmp_path):
    folder = tmp_path / 'run'
    folder.mkdir()
    path = make(folder / 'run.mcap' if make is write_broken else folder)
    (tmp_path / 'page.html').write_text(page_of(path))
    with opened(tmp_path / 'page.html', scheme) as page:
        # All plots are drawn, wherever the page is scrolled to.
        data = data_of((tmp_path / 'page.html').read_text())
        rows = len(data['findings']) + len(data['sources'])
        assert page.evaluate('document.querySelectorAll(".row .bars").length') == rows
        assert page.evaluate('document.querySelectorAll(".plot path[d^=M]").length') >= sum(
            len(joint['plots']) for joint in data['joints'])
        assert page.evaluate('document.title') == 'run.mcap'
        assert page.evaluate('document.documentElement.scrollWidth') == 390
        assert page.evaluate('document.querySelectorAll("a[href], img").length') == 0
        # No column is narrower than its words.
        assert page.evaluate('[...document.querySelectorAll(".rates th")].every(cell => { const '
                             'range = document.createRange(); range.selectNodeContents(cell); '
                             'return range.getClientRects().length <= '
                             'cell.textContent.split(" ").length })')
        colour = page.evaluate('getComputedStyle(document.body).backgroundColor')
        assert (colour == 'rgb(255, 255, 255)') == (scheme == 'light')
        errors = data['counts']['ERROR']
        assert page.evaluate('document.querySelector(".verdict").textContent').startswith(
            f'fails: {errors} error' if errors else 'no error: 0 errors')
        page.call('Emulation.setDeviceMetricsOverride', width=1100, height=1000,
                  deviceScaleFactor=1, mobile=False)
        assert make is hostile_recording or page.evaluate(
            '[...document.querySelectorAll(".wide")].every(box => '
            'box.scrollWidth <= box.clientWidth)')
        if make is hostile_recording:
            assert '<b>x</b>' in page.evaluate('document.querySelector("section").textContent')
        if make is write_broken:
            listed = page.evaluate('document.querySelectorAll(".faults li").length')
            assert listed == len(FAULTS)
            assert 'turn joint-posi' in page.evaluate('document.body.innerText')
            page.evaluate('sections[0].at(50)')
            assert 'map' in page.evaluate('document.querySelector(".tree").innerText')
            page.evaluate('sections[0].at(30)')
            assert 'odom' in page.evaluate('document.querySelector(".tree").innerText')
            page.evaluate('document.querySelector(".faults li:nth-child(4) button").click()')
            low, high = page.evaluate('sections[0].range')
            assert low < 19.6 and 26.1 < high < 40
            box = page.evaluate('document.querySelector(".area svg").getAttribute("viewBox")')
            assert float(box.split()[0]) == low


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_the_picture_shows_the_robot_in_the_recorded_positions(tmp_path):
    (tmp_path / 'page.html').write_text(page_of(recording_of_shapes(tmp_path / 'run.mcap')))
    expected = loads(SHAPES).fk({'turn': 0.5})
    with opened(tmp_path / 'page.html') as page:
        for link in 'arm', 'hand':
            pose = page.evaluate(f'sections[0].pictures[0].poses(5).get("{link}")')
            assert np.reshape(pose, (3, 4)) == pytest.approx(expected[link][:3], abs=1e-9)
        assert page.evaluate('document.querySelectorAll(".robot polygon").length') == 6 + 18
        assert page.evaluate('document.querySelector("figcaption").textContent').startswith(
            'shapes at 5.0 s; links with meshes as lines')


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_several_recordings_are_one_page(broken, tmp_path):
    good = record(tmp_path / 'good.mcap', robot().observation())
    (tmp_path / 'bad.mcap').write_bytes(b'nonsense')
    page = tmp_path / 'page.html'
    assert main(['doctor', str(good), str(broken), str(tmp_path / 'bad.mcap'), '--report',
                 str(page)]) == 2
    with opened(page) as browser:
        assert browser.evaluate('document.querySelector(".verdict").textContent') == (
            '2 of 3 with errors')
        rows = browser.evaluate(
            '[...document.querySelectorAll("section:first-of-type tr")].map(row => row.innerText)')
        assert len(rows) == 4 and 'neither an MCAP file' in '\n'.join(rows)
        assert browser.evaluate('document.querySelectorAll("section h1").length') == 3
        assert browser.evaluate('document.title') == '3 recordings'


@contextmanager
def opened(path, scheme='light'):
    """Open a page on a phone; it complains about nothing and loads nothing."""
    from support.devtools import Page
    page = Page('about:blank')
    try:
        page.call('Emulation.setDeviceMetricsOverride', width=390, height=1000,
                  deviceScaleFactor=1, mobile=True)
        page.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': scheme}])
        page.call('Page.navigate', url=path.as_uri())
        page.wait(lambda: page.evaluate('document.querySelector("output")?.textContent'))
        yield page
        assert page.complaints == []
        assert page.evaluate('performance.getEntriesByType("resource").length') == 0
    finally:
        page.close()
