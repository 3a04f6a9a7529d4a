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
"""``urdf-tools bag identify``: the payload in a recording."""

import json

import numpy as np
import pytest
from support.arms import arm
from support.arms import JOINTS
from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import string
from support.recordings import write_mcap
from support.recordings import Written
from support.verb_examples import EXAMPLES

from urdf_tools.cli import main
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics import KinematicTree

pytest.importorskip('mcap', reason='mcap is not installed')

BEGIN, SECOND = 10**18, 10**9
POSTURES = [(0.3, 0.4, 0.7, -0.5), (0.3, -0.6, 1.2, 0.9), (1.0, 0.9, -0.4, 1.4),
            (-1.0, -1.2, 0.3, -1.1), (0.0, 0.1, 1.5, 0.2)]


def record(path, payload: float, postures=POSTURES, still: float = 6.0):
    """Write a recording of an arm with a payload that stands in some postures."""
    inverse = InverseDynamics(KinematicTree(loads(arm(payload=payload))))
    rng = np.random.default_rng(1)
    messages = [Written('/robot_description', BEGIN, string(arm()), 1)]
    time = BEGIN
    for posture in postures:
        efforts = inverse(np.array(posture))
        for row in range(int(still * 20)):
            time += SECOND // 20
            moved = np.array(posture) + (row < 20) * 0.1 * (20 - row)
            messages.append(Written('/joint_states', time, joint_state(
                time, tuple(JOINTS), moved, np.zeros(4), efforts + rng.normal(0, 0.3, 4)),
                len(messages)))
    return write_mcap(path, messages, {
        topic: KINDS[topic] for topic in ('/robot_description', '/joint_states')})


def test_the_payload_is_printed_with_its_errors(tmp_path, capsys):
    path = record(tmp_path / 'run.mcap', 3.0)
    assert main(['bag', 'identify', str(path), '--link', 'tool', '--format', 'json']) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found['link'], found['postures']) == ('tool', 5)
    assert abs(found['mass'] - 3) < 3 * found['mass_error'] < 0.3
    # All its joints but the first one turn about parallel axes.
    assert found['centre_errors'][1] is None
    assert main(['bag', 'identify', str(path)]) == 0
    out = capsys.readouterr().out
    assert "5 still postures of 'arm', with efforts of 4 joints" in out
    assert "payload at link 'hand': " in out and ', unknown, ' in out


def test_one_posture_does_not_tell_the_centre(tmp_path, capsys):
    path = record(tmp_path / 'run.mcap', 3.0, POSTURES[:1])
    assert main(['bag', 'identify', str(path), '--link', 'tool']) == 0
    assert 'unknown, because the postures are too few' in capsys.readouterr().out


@pytest.mark.parametrize(('arguments', 'said'), [
    (['--link', 'tol'], "Did you mean 'tool'?"), (['--model', 'absent.urdf'], 'absent.urdf')])
def test_wrong_names(tmp_path, capsys, arguments, said):
    path = record(tmp_path / 'run.mcap', 3.0, POSTURES[:1])
    assert main(['bag', 'identify', str(path), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_robot_that_never_stands_still(tmp_path, capsys):
    path = record(tmp_path / 'run.mcap', 3.0, still=1.0)
    assert main(['bag', 'identify', str(path)]) == 2
    assert 'No robot stands still for 2.5 s and reports efforts' in capsys.readouterr().err


def test_frames_need_a_model_and_an_output(tmp_path, capsys):
    path = record(tmp_path / 'run.mcap', 3.0, POSTURES[:1])
    assert main(['bag', 'frames', str(path)]) == 2
    assert 'bag frames needs --model and --output' in capsys.readouterr().err


def test_examples_of_the_help_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    record(tmp_path / 'drive.mcap', 3.0)
    (tmp_path / 'robot.urdf').write_text(arm())
    for verb in ('bag', 'doctor'):
        for example in EXAMPLES[verb]:
            if 'drive.mcap' in example:
                assert main(example.split()) in (0, 1), capsys.readouterr().err
