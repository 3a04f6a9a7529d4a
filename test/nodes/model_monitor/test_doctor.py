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


"""The command ``urdf-tools doctor`` and the node ``model_monitor`` beside a running robot."""

from __future__ import annotations

import json
import signal
import sys

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import TransformStamped
from node_processes import Process
import pytest
from sensor_msgs.msg import JointState
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_records import robot as robot_records
from tf2_msgs.msg import TFMessage
from urdf_tools.cli import main
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.model.messages import printable
from urdf_tools.nodes.model_monitor.node import to_statuses
from urdf_tools.ros.topics import LATCHED

EVIL = '::error::forged\n[FATAL] [1.0] [forged]: \x1b[31m\u202e'
DOCTOR = ['doctor', '--seconds', '1']
WATCHING = [
    sys.executable, '-m', 'urdf_tools.cli', *DOCTOR, '--watch', '--select', 'joint-unknown']


@pytest.fixture(scope='module')
def robot(domain):
    """Run a robot with a joint that its model does not have, which has a hostile name."""
    peers = Peers(domain)
    yield PeerRobot(peers, 'arm', names=('turn', 'slide', EVIL)), peers.start()
    peers.close()


def test_text_names_what_is_wrong_and_who_it_is(robot, capfd, monkeypatch):
    monkeypatch.setenv('COLUMNS', '200')
    code = main([*DOCTOR, '--ignore', 'timing'])
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert (code, err) == (0, '')
    assert lines[0].startswith("graph: 2 nodes, 'arm', observed for ")
    assert lines[1].startswith('/arm/joint_states: warning: /arm/driver reports 1 joint that ')
    assert lines[1].endswith('[joint-unknown]')
    assert lines[-1] == 'graph: 0 errors, 1 warning, 0 notes'
    assert all(line.isprintable() for line in lines)


def test_json_is_exact_and_strict_fails(robot, capfd):
    assert main([*DOCTOR, '--strict', '--select', 'joints', '--format', 'json']) == 1
    data = json.loads(capfd.readouterr().out)
    assert (data['nodes'], data['robots'], data['valid']) == (2, ['arm'], True)
    assert data['counts'] == {'ERROR': 0, 'WARN': 1, 'INFO': 0}
    (finding,) = data['findings']
    assert finding['code'] == 'joint-unknown'
    assert finding['topic'] == '/arm/joint_states'
    assert finding['who'] == ['/arm/driver']
    assert EVIL in finding['message']


@pytest.mark.slow
def test_watching_tells_what_comes_and_goes(own_domain):
    peers = Peers(own_domain)
    PeerRobot(peers, 'arm')
    doctor = Process('doctor', WATCHING)
    peers.start()
    try:
        doctor.wait_for_line('graph: 0 errors, ', 60)
        gui = peers.node('gui', '/arm')
        name = next(name for name in gui.get_node_names() if name.startswith('_urdf_tools_doctor'))
        # Every node of rclpy has this publisher; nothing else of it reaches the robot.
        assert [topic for topic, _ in gui.get_publisher_names_and_types_by_node(name, '/')] == [
            '/parameter_events']
        assert gui.get_service_names_and_types_by_node(name, '/') == []
        peers.every_tick(gui, JointState, 'joint_states', lambda number: (
            JointState(name=['stray'], position=[0.0])))
        found = "reports 1 joint that robot 'arm' does not have: stray"
        doctor.wait_for_line(f'/arm/joint_states: warning: .*{found}', 60)
        del peers.ticks[-1]
        doctor.wait_for_line(f'/arm/joint_states: no longer: .*{found}', 60)
        assert doctor.stop(signal.SIGINT) == 130
        assert 'Traceback' not in doctor.output
    finally:
        doctor.close()
        peers.close()


@pytest.mark.slow
def test_a_graph_without_nodes(own_domain, capfd):
    assert main(DOCTOR) == 2
    out, err = capfd.readouterr()
    assert f'There is no node in ROS domain {own_domain}; start the robot' in err
    assert out == ''


@pytest.mark.slow
def test_watching_goes_on_without_a_robot(own_domain):
    doctor = Process('doctor', WATCHING)
    try:
        alone = f'^urdf-tools: There is no node in ROS domain {own_domain}; start the robot'
        doctor.wait_for_line(alone, 60)
        peers = Peers(own_domain)
        PeerRobot(peers, 'arm')
        peers.start()
        try:
            doctor.wait_for_line("^graph: 2 nodes, 'arm', ", 60)
        finally:
            peers.close()
        doctor.lines.clear()
        doctor.wait_for_line(alone, 60)
        assert doctor.stop(signal.SIGINT) == 130
    finally:
        doctor.close()


@pytest.mark.slow
def test_the_node_reports_and_logs(robot, nodes, client):
    monitor = nodes.start('model_monitor', {'period': 1.5, 'ignore': ['timing']})
    bad = client.status(
        'model_monitor: Joints', lambda status: status.level == DiagnosticStatus.WARN)
    values = {value.key: value.value for value in bad.values}
    assert bad.message.startswith("/arm/driver reports 1 joint that robot 'arm' does not have")
    assert bad.message.isprintable()
    assert (values['Findings'], values['Codes']) == ('1', 'joint-unknown')
    client.status('model_monitor: Frames', lambda status: (
        status.level == DiagnosticStatus.OK and status.message == 'No findings'))

    reports = client.subscribe(DiagnosticArray, 'model_monitor/report', LATCHED)
    status = client.wait_for(
        lambda: [status for report in reports for status in report.status
                 if status.name == 'joint-unknown: /arm/joint_states'], 'a report')[0]
    assert status.hardware_id == 'arm'
    assert {value.key: value.value for value in status.values} == {
        'Topic': '/arm/joint_states', 'Nodes': '/arm/driver',
        'Hint': GRAPH_RULES['joint-unknown'].fix,
        'argument joints': printable(EVIL), 'argument nodes': '/arm/driver',
        'argument robot': 'arm', 'argument topic': '/arm/joint_states'}

    line = monitor.wait_for_line(r'WARN.*: /arm/joint_states: .*\[joint-unknown\]$')
    assert line.string.isprintable()
    assert monitor.stop() == 0
    assert 'Traceback' not in monitor.output


@pytest.mark.slow
def test_more_frames_than_are_evaluated(own_nodes, own_client):
    """A node that makes 100,000 frames delays no report, and what else is found is not guessed."""
    own_nodes.start('model_monitor', {'period': 1.0})
    crowd = TFMessage(transforms=[TransformStamped(child_frame_id=f'frame_{number}')
                                  for number in range(100_000)])
    own_client.node.create_publisher(TFMessage, '/tf_static', LATCHED).publish(crowd)
    reports = own_client.subscribe(DiagnosticArray, 'model_monitor/report', LATCHED)
    found = own_client.wait_for(lambda: [
        status for report in reports for status in report.status
        if status.name == 'names-too-many: /tf_static'], 'the report')
    assert found[0].message == (
        'More than 10000 names of joints or frames from /client are too many to be evaluated')
    own_client.wait_for(lambda: len(reports) > 3, 'further reports')
    assert not [status.name for report in reports for status in report.status
                if 'frame' in status.name]


@pytest.mark.slow
def test_the_node_refuses_a_rule_that_does_not_exist(domain, nodes):
    monitor = nodes.start('model_monitor', {'ignore': ['joint-unknwon']})
    assert monitor.wait() == 1
    assert "Parameter ignore is refused: Rule or category 'joint-unknwon' does not exist. " \
        "Did you mean 'joint-unknown'?" in monitor.output


def test_each_status_of_a_report_has_a_name_of_its_own():
    """An aggregator keeps the last status of a name."""
    seen = robot_records().frames('/other', {'arm': 'a', 'tool': 'b'}).frames(
        '/third', {'c': 'd'}).observation()
    report = evaluate(seen, 'graph')
    names = [status.name for status in to_statuses(report, 'arm')]
    assert len(report.findings) == len(names) == len({*names})
    assert {'frame-two-parents: /tf arm', 'frame-two-parents: /tf tool'} <= {*names}
