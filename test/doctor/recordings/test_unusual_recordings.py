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

"""What writers other than rosbag2 leave out or write in another way is unknown, not wrong."""

from __future__ import annotations

import struct

import pytest
from support.graph_records import LATCHED
from support.graph_records import MODEL
from support.graph_records import robot
from support.mobile_robots import Mobile
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.recordings import messages_of
from support.recordings import record
from support.recordings import string
from support.recordings import write_mcap
from support.recordings import write_sqlite
from urdf_tools.cli import main
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recording import Recording

pytest.importorskip('mcap', reason='mcap is not installed')

SEEN = robot().observation()
KINDS = dict(SEEN.graph.kinds)
MESSAGES = messages_of(SEEN)
UNNUMBERED = [message._replace(sequence=0) for message in MESSAGES]

UNKNOWN = ('the durability of the publishers of /robot_description, /tf_static was not recorded, '
           'so that it is not evaluated, and played back as volatile')


def codes(found):
    return [fault.finding.code for fault in found.faults]


@pytest.mark.parametrize(('write', 'messages', 'words'), [
    (write_mcap, MESSAGES, '[]\n'), (write_mcap, UNNUMBERED, ''),
    (write_mcap, UNNUMBERED, '- durability: system_default'), (write_sqlite, UNNUMBERED, ''),
    (write_sqlite, UNNUMBERED, '[]')])
def test_an_unknown_quality_of_service_is_not_a_wrong_one(write, messages, words, tmp_path):
    path = tmp_path / ('run.db3' if write is write_sqlite else 'run.mcap')
    found = evaluate_recording(write(path, messages, KINDS, words=words))
    assert (codes(found), found.robots, found.remarks) == ([], ('arm',), (UNKNOWN,))


def test_what_can_be_judged_is_judged_beside_it(tmp_path):
    """The robot is beyond its limit, and nobody knows who publishes how."""
    seen = robot(positions=lambda seconds: {'turn': 2.0 + 0 * seconds}).observation()
    found = evaluate_recording(write_mcap(
        tmp_path / 'run.mcap', messages_of(seen), KINDS, words='[]'))
    assert 'joint-position-limit' in codes(found)
    assert 'description-volatile' not in codes(found)


@pytest.mark.parametrize('qos', [Qos(), LATCHED])
def test_a_known_quality_of_service_is_judged(qos, tmp_path):
    offered = {'/robot_description': [qos], '/tf_static': [LATCHED]}
    found = evaluate_recording(write_mcap(tmp_path / 'run.mcap', MESSAGES, KINDS, offered))
    assert codes(found) == ([] if qos.transient_local else ['description-volatile'])
    assert found.remarks == ()


@pytest.mark.parametrize('package', ['zstandard', 'lz4.frame'])
def test_messages_compressed_one_by_one_in_an_mcap_file(package, tmp_path):
    compress = pytest.importorskip(package).compress
    packed = [message._replace(data=compress(message.data)) for message in MESSAGES]
    recording = Recording(write_mcap(tmp_path / 'run.mcap', packed, KINDS))
    assert [each.data for each in recording.records() if isinstance(each, Recorded)] == [
        message.data for message in MESSAGES]
    assert recording.damages == []
    for data in (packed[0].data[:4] + b'\xff' * 20, packed[0].data[:-5], packed[0].data[:5]):
        damaged = [packed[0]._replace(data=data), *packed[1:]]
        recording = Recording(write_mcap(tmp_path / 'run.mcap', damaged, KINDS))
        assert sum(isinstance(each, Recorded) for each in recording.records()) == (
            len(MESSAGES) - 1)
        assert recording.damages == ['run.mcap: 1 messages are damaged or of no known topic']


@pytest.mark.parametrize(('encoding', 'start', 'advice'), [
    ('ros1', None, 'of ROS 1; convert the .bag file'),
    ('json', None, "not of ROS 2, but in 'json'"),
    ('cdr', b'\x1f\x8b', 'neither CDR nor compressed with zstd or lz4; write them again with '
     '"ros2 bag convert"'),
    ('cdr', b'\0\0', 'in big-endian CDR; write them in little-endian CDR')])
def test_what_is_not_read_is_named_with_what_converts_it(
        encoding, start, advice, tmp_path, capsys):
    """All verbs end with exit code 2, and nothing is written."""
    foreign = [message._replace(data=(start or message.data[:2]) + message.data[2:])
               for message in MESSAGES]
    path, model, out = (tmp_path / name for name in ('run.mcap', 'arm.urdf', 'out.mcap'))
    write_mcap(path, foreign, KINDS, encoding=encoding)
    model.write_text(MODEL.format(name='arm'))
    for arguments in (['doctor', str(path)], ['bag', 'identify', str(path)],
                      ['bag', 'frames', str(path), '--model', str(model), '-o', str(out)]):
        assert main(arguments) == 2
        assert advice in capsys.readouterr().err
    assert not out.exists()


def test_joint_states_of_which_none_can_be_read_give_no_frames(tmp_path, capsys):
    broken = [message._replace(data=message.data[:4] + struct.pack('<I', 2**31) * 3)
              if message.topic == '/joint_states' else message for message in MESSAGES]
    path, model, out = (tmp_path / name for name in ('run.mcap', 'arm.urdf', 'out.mcap'))
    write_mcap(path, broken, KINDS)
    model.write_text(MODEL.format(name='arm'))
    assert main(['bag', 'frames', str(path), '--model', str(model), '-o', str(out)]) == 2
    assert 'None of its joint states can be read' in capsys.readouterr().err
    assert not out.exists()


def test_a_description_that_another_one_replaces(tmp_path):
    """Launch files of Webots publish an empty one first; who published it was not recorded."""
    first, *others = UNNUMBERED
    assert first.topic == '/robot_description'
    empty = first._replace(data=string('<robot name=""><link name=""/></robot>'))
    for offered, expected in ({}, []), ({'/robot_description': [LATCHED] * 2}, [
            'description-unreadable', 'description-several-publishers']):
        found = evaluate_recording(write_mcap(
            tmp_path / 'run.mcap', [empty, first, *others], KINDS,
            {'/robot_description': [LATCHED], '/tf_static': [LATCHED], **offered}))
        assert (codes(found), found.robots) == (expected, ('arm',))


def test_what_localisation_stamps_ahead_is_not_the_time_of_a_simulation(tmp_path):
    seen = Mobile(stamps=simulated).odom().map(
        stamps=lambda times: simulated(times + 1.0)).sensor('scan', SCAN, 'laser').observation()
    found = evaluate_recording(record(tmp_path / 'run.mcap', seen))
    assert 'by a clock that was not recorded' in found.remarks[0]
    assert codes(found) == []


def test_sensors_that_were_recorded_without_transforms(tmp_path):
    seen = Mobile().odom().sensor('scan', SCAN, 'laser', users=(), node='lidar').observation()
    messages, kinds = messages_of(seen), dict(seen.graph.kinds)
    for number, topics in enumerate(({'/scan'}, {'/scan', '/tf_static'})):
        found = evaluate_recording(write_mcap(tmp_path / f'{number}.mcap', [
            message for message in messages if message.topic in topics], kinds))
        assert ('The recording has no transforms, so that nodes to which it is played do not know '
                '1 frame: laser' in [fault.finding.message for fault in found.faults]
                ) == (number == 0)
