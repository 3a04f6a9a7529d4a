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

"""The command ``urdf-tools doctor`` on a recording, as a user sees it."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time

import pytest
from support.broken_recording import FAULTS
from support.broken_recording import write_broken
from support.graph_records import MODEL
from support.recordings import clock
from support.recordings import joint_state
from support.recordings import start
from support.recordings import string
from support.recordings import tf_message
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.cli import main
from urdf_tools.doctor.graph import CLOCK
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recording import Recording

pytest.importorskip('mcap', reason='mcap is not installed')

WITHOUT_ROS = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('rclpy', 'std_msgs', 'sensor_msgs', 'tf2_msgs'):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from urdf_tools.cli import main
recording, folder = sys.argv[1:]
assert main(['doctor', recording, '--report', f'{folder}/page.html']) == 1
assert main(['bag', 'frames', recording, '--model', f'{folder}/arm.urdf', '-o',
             f'{folder}/out.mcap']) == 0
"""


@pytest.fixture(scope='module')
def broken(tmp_path_factory):
    """Return the path of a broken recording."""
    return write_broken(tmp_path_factory.mktemp('broken') / 'run.mcap')


def test_text(broken, capsys):
    assert main(['doctor', str(broken)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (f"{broken}: 'arm', 60.0 s from 2001-09-09 01:46:40 UTC, 6 topics, "
                        '2981 messages')
    assert any(line.startswith("/tf: error: Frame 'base' has 2 parents: ")
               and ' s to 60.0 s) [frame-two-parents]' in line for line in lines)
    beyond, = (line for line in lines if line.endswith('[joint-position-limit]'))
    assert 'upper limit of 1.2 rad, according to the publisher' in beyond
    # The camera publishes its last image after 50 s.
    stopped, = (line for line in lines if line.endswith('[data-stopped]'))
    assert re.search(r'stopped publishing at (\S+) s \(from \1 s to 60.0 s\)', stopped)
    assert not any(' s ago' in line or 'measured from' in line for line in lines)
    assert lines[-1].startswith(f'{broken}: 3 errors, 2 warnings')


def test_json(broken, capsys):
    assert main(['doctor', str(broken), '--format', 'json']) == 1
    data = json.loads(capsys.readouterr().out)
    assert {finding['code'] for finding in data['findings']} == FAULTS.keys()
    (limit,) = (finding for finding in data['findings']
                if finding['code'] == 'joint-position-limit')
    assert (limit['joints'], limit['topics'], limit['occurrences']) == (
        ['turn'], ['/joint_states'], 1)
    ((begin, end),) = limit['intervals']
    assert limit['duration'] == pytest.approx(end - begin)
    # The joint is beyond its limit for longer than an observation, and its worst is in one.
    since, until = limit['observed']
    assert until - since == pytest.approx(5.0) and since < end and begin < until


def test_rules_are_selected_as_for_a_graph(broken, capsys):
    assert main(['doctor', str(broken), '--select', 'joint-position-limit']) == 0
    assert main(['doctor', str(broken), '--select', 'joint-position-limit', '--strict']) == 1
    assert 'frame-two-parents' not in capsys.readouterr().out


def test_a_model_in_place_of_the_recorded_one(broken, tmp_path, capsys):
    (tmp_path / 'wide.urdf').write_text(
        MODEL.format(name='wide').replace('upper="1.2"', 'upper="2"'))
    assert main(['doctor', str(broken), '--model', str(tmp_path / 'wide.urdf'),
                 '--select', 'joints', '--format', 'json']) == 1
    data = json.loads(capsys.readouterr().out)
    assert data['robots'] == ['wide']
    assert [finding['code'] for finding in data['findings']] == ['joint-states-silent']


def test_the_model_is_a_xacro_file_with_arguments(broken, tmp_path, capsys):
    path = tmp_path / 'arm.urdf.xacro'
    path.write_text(MODEL.format(name='$(arg name)').replace(
        '<robot ', '<robot xmlns:xacro="http://ros.org/wiki/xacro" ').replace(
            '>', '><xacro:arg name="name" default="arm"/>', 1))
    assert main(['doctor', str(broken), '--model', str(path), 'name:=other', '--format',
                 'json']) == 1
    assert json.loads(capsys.readouterr().out)['robots'] == ['other']
    out = tmp_path / 'out.mcap'
    assert main(['bag', 'frames', str(broken), '--model', str(path), 'name:=third', '-o',
                 str(out)]) == 0
    capsys.readouterr()
    main(['doctor', str(out), '--format', 'json'])
    assert json.loads(capsys.readouterr().out)['robots'] == ['third']


def test_a_part_of_a_recording_is_judged_and_that_is_said(broken, tmp_path, capsys):
    cut = tmp_path / 'cut.mcap'
    data = broken.read_bytes()
    cut.write_bytes(data[:len(data) * 3 // 4])
    main(['doctor', str(cut)])
    assert f'{cut}: cut.mcap: it ends in the middle of a ' in capsys.readouterr().out


@pytest.mark.parametrize(('arguments', 'error'), [
    (['missing.mcap'], "'missing.mcap' does not exist"),
    (['--model', 'a.urdf'], '--model needs a recording'),
    (['a.mcap', 'a:=b'], 'Xacro arguments are those of the file that --model names'),
    (['--report', 'a.html'], '--report needs a recording'),
    (['--rates'], '--rates needs a recording')])
def test_errors_of_the_user(arguments, error, capsys):
    assert main(['doctor', *arguments]) == 2
    assert error in capsys.readouterr().err


def test_without_mcap_only_writing_says_how_to_get_it(broken, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, 'mcap', None)
    assert main(['doctor', str(broken)]) == 1
    (tmp_path / 'arm.urdf').write_text(MODEL.format(name='arm'))
    capsys.readouterr()
    assert main(['bag', 'frames', str(broken), '--model', str(tmp_path / 'arm.urdf'), '-o',
                 str(tmp_path / 'out.mcap')]) == 2
    assert 'the Python package mcap, which is not installed; install it with' in (
        capsys.readouterr().err)


@pytest.mark.parametrize('compression', ['zstd', 'lz4'])
def test_without_the_package_of_a_compression_it_says_which(compression, tmp_path, monkeypatch):
    path = write_mcap(tmp_path / 'run.mcap', [Written('/clock', 10**9, clock(1))],
                      {'/clock': CLOCK}, compression=compression)
    monkeypatch.setattr(
        'urdf_tools.doctor.recordings.recorded.find_spec', lambda name: None)
    with pytest.raises(RecordingError, match=f'compression, {compression}, needs the Python '):
        list(Recording(path).records())


def test_names_in_a_recording_are_harmless(tmp_path, capsys):
    evil = '::error::x\n[FATAL] z \u202e\x9b31m ##vso[task.a]'
    messages = [Written(f'/{evil}/robot_description', 10**9, string(
        MODEL.format(name='arm').replace('"arm"', '"&#10;::error::"', 1)))]
    for number in range(60):
        time_of = 10**9 + number * 10**8
        messages += [
            Written(f'/{evil}/joint_states', time_of, joint_state(time_of, [evil], [9e9])),
            Written('/tf', time_of, tf_message([0], [evil], [evil], [(0.0,) * 7])),
            Written('/scan', time_of, bytes(start(time_of, evil)))]
    path = write_mcap(tmp_path / 'run.mcap', messages, {
        f'/{evil}/robot_description': STRING, f'/{evil}/joint_states': JOINT_STATE,
        '/tf': TF_MESSAGE, '/scan': 'sensor_msgs/msg/LaserScan'})
    for arguments in ([], ['--verbose'], [str(path)], ['--format', 'sarif']):
        assert main(['doctor', str(path), *arguments]) == 1
        out = capsys.readouterr().out
        assert '##' not in out
        assert all(line.isprintable() and not line.lstrip().startswith(('::', '[FATAL]'))
                   for line in out.splitlines())


def test_it_needs_no_ros(broken, tmp_path):
    (tmp_path / 'arm.urdf').write_text(MODEL.format(name='arm'))
    result = subprocess.run(
        [sys.executable, '-c', WITHOUT_ROS, broken, tmp_path], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, f'wrote {tmp_path}/page.html\n')


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal(broken, monkeypatch):
    """It is shown after a second, here at once, and removed in the end."""
    main_end, other_end = pty.openpty()
    program = ('import sys; from urdf_tools.cli import progress; progress.DELAY = 0.0; '
               'progress._INTERVAL = 0.01; from urdf_tools.cli import main; '
               'sys.exit(main(sys.argv[1:]))')
    process = subprocess.Popen(
        [sys.executable, '-c', program, 'doctor', str(broken)], stderr=other_end,
        stdout=subprocess.DEVNULL)
    os.close(other_end)
    shown = b''
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            shown += os.read(main_end, 10_000)
        except OSError:  # The other end is closed.
            break
    os.close(main_end)
    assert process.wait() == 1
    assert b'reading run.mcap (' in shown
    assert shown.endswith(b'\r\033[K')
