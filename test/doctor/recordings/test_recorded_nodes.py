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

"""What a recording tells of nodes and of its clock."""

from __future__ import annotations

from dataclasses import replace
import struct

import numpy as np
import pytest
from support.driven_robots import driven
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.mobile_robots import Mobile
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.public_graphs import BROKEN
from support.public_graphs import HEALTHY
from support.recordings import messages_of
from support.recordings import record
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded_graph import EVENT
from urdf_tools.doctor.recordings.recorded_graph import RecordedNodes
from urdf_tools.doctor.recordings.recorded_graph import TRANSITION
from urdf_tools.messages.cdr import pad
from urdf_tools.messages.cdr import PLAIN_CDR
from urdf_tools.messages.cdr import write_string

pytest.importorskip('mcap', reason='mcap is not installed')


def event(node: str, **parameters: str | bool | float | list) -> bytes:
    """Return a serialized ``rcl_interfaces/ParameterEvent`` about new parameters."""
    data = bytearray(PLAIN_CDR + bytes(2) + bytes(8))
    write_string(data, node)
    pad(data, 4)
    data += struct.pack('<I', len(parameters))
    for name, value in parameters.items():
        write_string(data, name)
        data += bytes([{bool: 1, float: 3, str: 4, list: 9}[type(value)], value is True])
        pad(data, 8)
        data += struct.pack('<qd', 0, value if isinstance(value, float) else 0.0)
        write_string(data, value if isinstance(value, str) else '')
        pad(data, 4)
        data += bytes(16)
        texts = value if isinstance(value, list) else []
        data += struct.pack('<I', len(texts))
        for text in texts:
            write_string(data, text)
        pad(data, 4)
    return bytes(data + bytes(8))


def transition(state: str) -> bytes:
    """Return a serialized ``lifecycle_msgs/TransitionEvent``."""
    data = bytearray(PLAIN_CDR + bytes(2) + bytes(8))
    for label in ('x', 'unconfigured', state):
        data += b'\1'
        write_string(data, label)
    return bytes(data)


def with_nodes(seen, path):
    """Record a graph with what its nodes said when they started."""
    begin = seen.now - round(seen.seconds * 1e9)
    said = [Written('/parameter_events', begin, event(
        node, use_sim_time=bool(each.use_sim_time), plugins=['a', 'bcd'], **each.frames,
        **({'robot_description': each.robot_description} if each.robot_description else {})))
        for node, each in seen.parameters.items()]
    said += [Written(f'{node}/transition_event', begin, transition(state))
             for node, state in seen.states.items()]
    kinds = {topic: kind for topic, kind in seen.graph.kinds.items()
             if seen.graph.publishers[topic]}
    kinds |= {each.topic: EVENT if each.topic == '/parameter_events' else TRANSITION
              for each in said}
    offered = {topic: [end.qos for end in ends] for topic, ends in seen.graph.publishers.items()}
    return write_mcap(path, said + messages_of(seen), kinds, offered)


@pytest.mark.parametrize('number', range(5))
def test_a_frame_that_parameters_name_is_awaited_in_a_recording(number, tmp_path):
    thread = BROKEN[number]
    found = evaluate_recording(with_nodes(thread.build().observation(), tmp_path / 'run.mcap'))
    (part,) = thread.said.values()
    assert {fault.finding.code for fault in found.faults} == {'frame-awaited'}
    assert any(part in f'{fault.finding.message} {fault.finding.hint}' for fault in found.faults)


@pytest.mark.slow
@pytest.mark.parametrize('thread', HEALTHY, ids=lambda thread: thread.thread)
def test_nothing_is_said_of_nodes_of_a_healthy_graph(thread, tmp_path):
    found = evaluate_recording(with_nodes(thread.build().observation(), tmp_path / 'run.mcap'))
    assert [fault.finding.message for fault in found.faults] == [], thread.link


def test_damaged_messages_about_nodes_tell_nothing():
    whole = event('/planner', global_frame='map', plugins=['a'])
    nodes = RecordedNodes()
    for end in range(len(whole) - 20):
        nodes.add('/parameter_events', EVENT, whole[:end])
    nodes.add('/amcl/transition_event', TRANSITION, transition('active')[:-3])
    assert not nodes.states
    nodes.add('/parameter_events', EVENT, whole)
    assert nodes.parameters(True)['/planner'].frames == {'global_frame': 'map'}


def test_a_description_has_the_name_of_the_only_node_with_it(tmp_path):
    seen = robot(description_qos=Qos()).node(
        '/robot_state_publisher', robot_description='<robot name="arm"/>').observation()
    found = evaluate_recording(with_nodes(seen, tmp_path / 'run.mcap'))
    (volatile,) = (fault.finding for fault in found.faults
                   if fault.finding.code == 'description-volatile')
    assert volatile.nodes == ('/robot_state_publisher',)


def test_a_simulation_without_its_clock_has_no_old_messages(tmp_path):
    seen = Mobile(stamps=simulated).odom().sensor('scan', SCAN, 'laser').observation()
    found = evaluate_recording(record(tmp_path / 'run.mcap', seen))
    assert [fault.finding.message for fault in found.faults] == []
    (remark,) = found.remarks
    # Stamps of a simulation begin at 0, and the records in 2001.
    assert 'messages are stamped 11574.1 days before they were recorded' in remark


def test_a_sensor_alone_with_another_clock_is_found(tmp_path):
    seen = Mobile().odom().sensor('scan', SCAN, 'laser', stamps=simulated).observation()
    found = evaluate_recording(record(tmp_path / 'run.mcap', seen))
    assert [fault.finding.code for fault in found.faults] == ['data-stamps-old']


def test_what_is_late_by_a_clock_that_was_not_recorded_is_found(tmp_path):
    seen = Mobile(stamps=simulated).odom().sensor(
        'scan', SCAN, 'laser', stamps=lambda times: simulated(times - 0.9 + 10)).observation()
    assert np.all(nanoseconds(0.0) > seen.stamped[0].stamps)
    late = replace(seen, joints=tuple(replace(
        track, stamps=track.stamps + 10**10) for track in seen.joints), frames=tuple(replace(
            track, stamps=track.stamps + 10**10 * (not track.static)) for track in seen.frames))
    found = evaluate_recording(record(tmp_path / 'run.mcap', late))
    assert [fault.finding.code for fault in found.faults] == ['data-stamps-old']


def test_wheels_of_a_controller_are_compared_with_the_motion(tmp_path):
    seen = driven().observation()
    kinds = {**seen.graph.kinds, '/parameter_events': EVENT}
    messages = [Written('/parameter_events', int(nanoseconds(0.01)), event(
        '/diff_drive_controller', wheel_radius=0.1, wheel_separation=0.3), 1), *messages_of(seen)]
    found = evaluate_recording(write_mcap(
        tmp_path / 'run.mcap', sorted(messages, key=lambda each: each.received), kinds))
    assert ['but /diff_drive_controller has 0.1 m' in fault.finding.message
            for fault in found.faults if fault.finding.code == 'wheel-odometry'] == [True]
