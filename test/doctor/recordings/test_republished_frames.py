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

"""The frames of a recording for a corrected model; all else stays as it is, byte for byte."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import start
from support.recordings import string
from support.recordings import tf_message
from support.recordings import write_mcap
from support.recordings import write_sqlite
from support.recordings import Written
from support.republishing import BEGIN
from support.republishing import joint_messages
from support.republishing import ROBOT
from urdf_tools.cli import main
from urdf_tools.doctor.recordings.recorded import Attachment
from urdf_tools.doctor.recordings.recorded import Metadata
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.republished_frames import FrameOptions
from urdf_tools.doctor.recordings.republished_frames import RepublishedFrames
from urdf_tools.formats.loader import loads
from urdf_tools.messages.batches import Cursor
from urdf_tools.messages.batches import read_transforms

pytest.importorskip('mcap', reason='mcap is not installed')

FIXED = ROBOT.replace('xyz="0 0 0.5"', 'xyz="0 0 0.75"')
UNIT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
IMAGE = bytes(start(BEGIN, 'tip')) + bytes(range(256)) * 8
KINDS_OF_ALL = {
    **KINDS, '/image': 'sensor_msgs/msg/Image'}
OLD = [
    Written('/robot_description', BEGIN, string(ROBOT), 1),
    Written('/tf_static', BEGIN, tf_message(
        [BEGIN] * 2, ['base', 'arm'], ['mount', 'camera'], [UNIT] * 2), 1),
    Written('/image', BEGIN + 10, IMAGE, 4),
    Written('/joint_states', BEGIN + 20, joint_state(BEGIN, ['turn', 'slide'], [0.5, 0.25]), 9),
    # What others publish, what the state publisher has published, and both in one message.
    Written('/tf', BEGIN + 30, tf_message([BEGIN], ['odom'], ['base'], [UNIT]), 5),
    Written('/tf', BEGIN + 40, tf_message(
        [BEGIN] * 2, ['mount', 'arm'], ['arm', 'tip'], [UNIT] * 2), 6),
    Written('/tf', BEGIN + 50, tf_message(
        [BEGIN, BEGIN + 7], ['mount', 'map'], ['arm', 'odom'], [UNIT, (math.nan,) * 7]), 7),
    Written('/tf', BEGIN + 60, b'\0\1\0\0nonsense', 8),
    Written('/clock', BEGIN + 70, b'', 1)]


@pytest.fixture
def model(tmp_path):
    """Return the path of the corrected model."""
    path = tmp_path / 'fixed.urdf'
    path.write_text(FIXED)
    return path


def run(recording: Path, model: Path, *options: str) -> list:
    output = model.parent / 'out.mcap'
    assert main(['bag', 'frames', str(recording), '--model', str(model), '-o', str(output),
                 *options]) == 0
    found = Recording(output)
    records = list(found.records())
    assert found.damages == []
    return records


def told(records, *topics):
    return [record for record in records
            if isinstance(record, Recorded) and record.topic.name in topics]


def test_everything_else_stays(model, tmp_path, capsys):
    before = write_mcap(tmp_path / 'run.mcap', OLD, KINDS_OF_ALL, extras=True)
    after = run(before, model)
    others = ('/image', '/joint_states', '/clock')
    assert told(after, *others) == told(Recording(before).records(), *others)
    for kind in (Attachment, Metadata):
        assert [each for each in after if isinstance(each, kind)] == [
            each for each in Recording(before).records() if isinstance(each, kind)]
    topics = {record.topic for record in after if isinstance(record, Recorded)}
    assert topics <= {record.topic for record in Recording(before).records()
                      if isinstance(record, Recorded)}
    assert '1 unreadable transforms' in capsys.readouterr().out


def test_transforms_of_others_stay(model, tmp_path):
    after = run(write_mcap(tmp_path / 'run.mcap', OLD, KINDS_OF_ALL), model)
    found = [record for record in told(after, '/tf')]
    assert [record.received - BEGIN for record in found] == [20, 30, 50, 60]
    assert found[1].data == OLD[4].data and found[3].data == OLD[7].data
    ((stamp, parent, child, numbers),) = read_transforms(Cursor(found[2].data))
    assert (parent, child) == ('map', 'odom')
    assert stamp == BEGIN + 7
    assert np.isnan(numbers).all()


def test_the_description_and_static_frames_are_those_of_the_model(model, tmp_path):
    after = run(write_mcap(tmp_path / 'run.mcap', OLD, KINDS_OF_ALL), model)
    (description,) = told(after, '/robot_description')
    assert description.data == string(FIXED)
    own, others = told(after, '/tf_static')
    ((_, _, child, numbers),) = read_transforms(Cursor(own.data))
    assert (child, tuple(numbers[:3])) == ('mount', (0, 0, 0.75))
    assert [child for _, _, child, _ in read_transforms(Cursor(others.data))] == ['camera']
    assert [record.topic.name for record in after if isinstance(record, Recorded)][:2] == [
        '/robot_description', '/tf_static']


def test_moving_frames_follow_the_joint_states(model, tmp_path):
    after = run(write_mcap(tmp_path / 'run.mcap', OLD, KINDS_OF_ALL), model,
                '--frame-prefix', 'left/')
    message = next(record for record in told(after, '/tf') if record.received == BEGIN + 20)
    found = {(parent, child): numbers
             for _, parent, child, numbers in read_transforms(Cursor(message.data))}
    half = np.sin(0.25) * np.array([0, 0.6, 0.8])
    for pair, expected in {
            ('left/mount', 'left/arm'): (0.1, 0, 0, *half, np.cos(0.25)),
            ('left/arm', 'left/tip'): (0.25, 0, 0, 0, 0, 0, 1),
            # It mimics with the factor -2 and the offset 0.25.
            ('left/tip', 'left/finger'): (0, -0.25, 0, 0, 0, 0, 1)}.items():
        assert np.allclose(found.pop(pair), expected)
    assert not found


def test_a_recording_without_frames_gets_them(model, tmp_path):
    path = write_sqlite(tmp_path / 'run.db3', joint_messages(200), {
        '/joint_states': KINDS['/joint_states']})
    after = run(path, model)
    tf = told(after, '/tf')
    assert {child for record in tf for _, _, child, _ in read_transforms(Cursor(record.data))} == {
        'arm', 'tip', 'finger'}
    # 4 s at 20 Hz.
    assert 60 <= len(tf) <= 85
    (static,) = told(after, '/tf_static')
    assert 'transient_local' in dict(static.topic.metadata)['offered_qos_profiles']
    assert static.topic.definition[0].startswith(b'geometry_msgs/TransformStamped[] transforms\n')


def test_free_joints_that_others_publish_stay(model, tmp_path):
    frames = RepublishedFrames(loads(FIXED), FIXED, FrameOptions())
    path = write_mcap(tmp_path / 'run.mcap', [
        Written('/tf', BEGIN, tf_message([BEGIN], ['base'], ['cart'], [UNIT]))],
        {'/tf': KINDS['/tf']})
    assert len(told(frames.records(Recording(path).records()), '/tf')) == 1


@pytest.mark.parametrize('output', ['run.mcap', 'linked.mcap', 'fixed.urdf'])
def test_an_input_is_not_overwritten(output, model, tmp_path, capsys):
    path = write_mcap(tmp_path / 'run.mcap', OLD, KINDS_OF_ALL)
    (tmp_path / 'linked.mcap').symlink_to(path)
    before = path.read_bytes()
    assert main(['bag', 'frames', str(path), '--model', str(model), '-o',
                 str(tmp_path / output)]) == 2
    assert 'is an input' in capsys.readouterr().err
    assert (path.read_bytes(), model.read_text()) == (before, FIXED)


def test_an_error_leaves_the_old_file(model, tmp_path, capsys):
    path, old = tmp_path / 'run.mcap', tmp_path / 'old.mcap'
    path.write_bytes(b'nonsense')
    old.write_bytes(b'old')
    assert main(['bag', 'frames', str(path), '--model', str(model), '-o', str(old)]) == 2
    assert 'It is neither an MCAP file nor a database of SQLite' in capsys.readouterr().err
    assert old.read_bytes() == b'old'
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        'fixed.urdf', 'old.mcap', 'run.mcap']


def test_damaged_messages_are_refused():
    whole = tf_message([1, 2], ['a', 'b'], ['c', 'd'], [UNIT] * 2)
    for length in range(len(whole)):
        for data in (whole[:length], whole[:length] + b'\xff' * 8):
            try:
                read_transforms(Cursor(data))
            except ValueError:
                pass
