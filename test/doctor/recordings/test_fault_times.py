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

"""When faults begin and end in a recording."""

from __future__ import annotations

import json
from pathlib import Path
import random

import numpy as np
import pytest
from support.broken_recording import broken_robot
from support.broken_recording import FAULTS
from support.broken_recording import TIMES
from support.broken_recording import write_broken
from support.graph_records import MODEL
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.mobile_robots import Mobile
from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import messages_of
from support.recordings import qos_words
from support.recordings import record
from support.recordings import string
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded_graph import qos_profiles
from urdf_tools.doctor.recordings.report_page import ReportData

pytest.importorskip('mcap', reason='mcap is not installed')


@pytest.fixture(scope='module')
def broken(tmp_path_factory):
    """Return what is found in a recording of which the faults are known."""
    return evaluate_recording(write_broken(tmp_path_factory.mktemp('broken') / 'run.mcap'))


def test_each_fault_has_its_beginning_and_its_end(broken):
    found = {fault.finding.code: broken.seconds_of(fault) for fault in broken.faults}
    assert found.keys() == FAULTS.keys()
    for code, times in FAULTS.items():
        assert np.allclose(found[code], [times], atol=1.0), code
    assert broken.seconds == pytest.approx(60.0)
    assert (broken.robots, broken.topics, broken.remarks) == (('arm',), 6, ())


def drive(tmp_path: Path, times, positions, **others) -> Path:
    """Return a recording of a robot whose joint ``turn`` has certain positions."""
    # What others publish goes on.
    messages = [Written('/robot_description', int(nanoseconds(times[0])), string(
        MODEL.format(name='arm')), 1)]
    messages += [Written('/joint_states', int(nanoseconds(time)), joint_state(
        nanoseconds(time), ['turn', 'slide'], [position, 0.0]), number + 100)
        for number, (time, position) in enumerate(zip(times, positions))]
    kinds = {topic: KINDS[topic] for topic in ('/robot_description', '/joint_states')}
    return write_mcap(tmp_path / 'run.mcap', messages, kinds,
                      {'/robot_description': [Qos(transient_local=True)]}, **others)


def test_a_fault_that_comes_back_is_counted(tmp_path):
    beyond = ((TIMES > 10) & (TIMES < 12)) | ((TIMES > 30) & (TIMES < 33))
    found = evaluate_recording(drive(tmp_path, TIMES, np.where(beyond, 1.5, 0.1)))
    (fault,) = (each for each in found.faults if each.finding.code == 'joint-position-limit')
    assert np.allclose(found.seconds_of(fault), [(10, 12), (30, 33)], atol=0.6)
    assert (fault.number, round(fault.duration / 1e9)) == (2, 6)
    (data,) = (each for each in found.as_data()['findings']
               if each['code'] == 'joint-position-limit')
    assert (data['occurrences'], len(data['intervals'])) == (2, 2)
    assert '2 times, ' in found.report().findings[0].message


def test_a_pause_lasts_from_the_last_message_to_the_next(tmp_path):
    times = np.arange(1, 4000) / 100
    is_sent = (times < 20) | (times > 21.5)
    found = evaluate_recording(drive(tmp_path, times[is_sent], np.sin(times)))
    (fault,) = (each for each in found.faults if each.finding.code == 'joint-states-jitter')
    assert np.allclose(found.seconds_of(fault), [(20, 21.5)], atol=0.6)


def test_a_recorder_that_was_paused_is_no_fault_of_the_robot(tmp_path):
    times = TIMES[(TIMES < 20) | (TIMES > 40)]
    found = evaluate_recording(drive(tmp_path, times, 0.1 * times))
    assert 'joint-states-silent' not in {fault.finding.code for fault in found.faults}
    assert 'nothing was recorded for 20.2 s from 19.8 s on' in found.remarks


def test_a_clock_that_goes_back_is_said(tmp_path):
    times = np.concatenate((TIMES + 100, TIMES))
    found = evaluate_recording(drive(tmp_path, times, 0.001 * times))
    assert 'the clock of the recorder went back at 59.9 s' in found.remarks


def test_what_is_not_recorded_is_said_and_not_judged(tmp_path):
    path = write_mcap(tmp_path / 'run.mcap', [
        Written('/chatter', int(nanoseconds(time)), string('x')) for time in TIMES],
        {'/chatter': 'std_msgs/msg/String'})
    found = evaluate_recording(path)
    assert (found.faults, found.remarks) == ((), (
        'not recorded, and not evaluated: robot description, joint states, transforms; give '
        '--model',))


def test_a_model_takes_the_place_of_the_recorded_one(tmp_path):
    path = drive(tmp_path, TIMES, 0.01 * TIMES)
    text = MODEL.format(name='arm').replace('upper="1.2"', 'upper="0.3"')
    before, after = ({fault.finding.code for fault in evaluate_recording(path, model).faults}
                     for model in ('', text))
    assert after - before == {'joint-position-limit'}


def test_damaged_messages_are_counted_and_said_once(tmp_path):
    messages = [message._replace(data=message.data[:20]) if number % 7 == 3 else message
                for number, message in enumerate(messages_of(robot().observation()))]
    messages += [Written('/joint_states', int(nanoseconds(5.0)), data) for data in (
        b'', b'\0', b'\0\1\0\0', b'\0\1\0\0' + b'\xff' * 60)]
    found = evaluate_recording(write_mcap(tmp_path / 'run.mcap', messages, {
        topic: KINDS[topic] for topic in ('/joint_states', '/tf', '/tf_static',
                                          '/robot_description')}))
    unreadable = [fault for fault in found.faults if fault.finding.code == 'message-unreadable']
    assert {fault.finding.topic for fault in unreadable} >= {'/joint_states', '/tf'}
    assert all(fault.number == 1 for fault in unreadable)


def test_what_follows_from_a_frame_that_stopped_is_left_out(tmp_path):
    seen = Mobile(times=np.arange(0.0, 20.0, 0.1)).odom(times=TIMES[:25]).map(
        times=np.arange(0.0, 20.0, 0.1)).observation()
    found = evaluate_recording(record(tmp_path / 'run.mcap', seen))
    assert [fault.finding.code for fault in found.faults] == ['frame-stopped']


def test_quality_of_service_is_read_in_words_and_in_numbers():
    profiles = [Qos(), Qos(reliable=False), Qos(transient_local=True)]
    assert qos_profiles(qos_words(profiles)) == profiles
    assert qos_profiles(
        '- history: 3\n  depth: 0\n  reliability: 2\n  durability: 1\n  deadline:\n    sec: 0\n'
        '    nsec: 500000000\n') == [Qos(False, True)]
    assert qos_profiles('') == qos_profiles('[]') == []
    assert len(qos_profiles('- x\n' * 10_000)) == 50


@pytest.mark.slow
@pytest.mark.parametrize('seed', range(40))
def test_whatever_is_recorded_is_judged(seed, tmp_path):
    """Damaged messages, times that jump, and topics of other types are no reason to fail."""
    rng = random.Random(seed)
    messages = []
    for message in messages_of(broken_robot())[::3]:
        data = bytearray(message.data)
        for _ in range(rng.choice((0, 0, 1, 8))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        received = message.received + rng.choice((0,) * 200 + (10**10, -10**12, 2**62))
        messages.append(message._replace(
            data=bytes(data[:rng.choice((None, None, None, rng.randrange(len(data)))) or None]),
            received=min(max(received, 0), 2**63 - 1),
            sequence=rng.choice((message.sequence, 0, 1))))
    kinds = dict(broken_robot().graph.kinds)
    if seed % 2:
        topics = list(kinds)
        kinds = dict(zip(topics, rng.sample([*kinds.values()], len(topics))))
    page = ReportData()
    path = write_mcap(tmp_path / 'run.mcap', messages, kinds)
    found = evaluate_recording(path, on_window=page.add)
    assert 'internal-error' not in {fault.finding.code for fault in found.faults}, found.faults
    assert json.loads(json.dumps(found.as_data(), allow_nan=False))
    assert page.text(found)
