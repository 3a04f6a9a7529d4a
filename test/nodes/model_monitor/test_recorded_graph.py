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

"""A graph that is recorded while the doctor watches gets the same findings from both."""

from __future__ import annotations

from math import inf
import time

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Header
from std_msgs.msg import String
from support.graph_cases import TELLS_GIDS
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_peers import static_frame
from support.graph_recorder import Recorder
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import NoExecutor

pytest.importorskip('mcap', reason='mcap is not installed')

SECONDS = 6.0
PATIENCE = 60.0

BY_LOAD = {code for code, rule in GRAPH_RULES.items()
           if rule.category == 'timing' and code != 'frame-stamps-old'}
"""Rules that a busy computer breaks."""

NEEDS_NODES = {'description-not-published', 'joint-states-silent'}
"""Rules about what is not published at all."""

EXPECTED = {
    'sound': set(), 'volatile': {'description-volatile'},
    'differs': {'description-differs', 'description-several-publishers'},
    'rivals': {'joint-two-publishers'}, 'no_force': {'joint-not-finite'},
    'both': {'frame-static-and-moving'}, 'delayed': {'frame-stamps-old'},
    'unplaced': {'data-frame-unknown'}}


def build(peers: Peers) -> None:
    """Build a robot for each case, in a namespace with its name."""
    PeerRobot(peers, 'sound')
    text = String(data='<robot name="r"><link name="base"/></robot>')
    peers.every_tick(peers.node('publisher', '/volatile'), String, 'robot_description',
                     lambda number: text)
    robot = PeerRobot(peers, 'differs')
    peers.node('second', '/differs').create_publisher(
        String, 'robot_description', LATCHED).publish(
            String(data=robot.text.replace('upper="1.2"', 'upper="1.1"')))
    rivals = PeerRobot(peers, 'rivals')
    peers.every_tick(peers.node('gui', '/rivals'), JointState, 'joint_states', rivals._joint_state)
    PeerRobot(peers, 'no_force', efforts=lambda seconds: {'turn': inf})
    PeerRobot(peers, 'both')
    static_frame(peers, 'both', 'arm', 'tool')
    PeerRobot(peers, 'delayed', tf_delay=40.0)
    PeerRobot(peers, 'unplaced')
    peers.every_tick(
        peers.node('lidar', '/unplaced'), LaserScan, 'scan', lambda number: LaserScan(
            header=Header(frame_id='laser', stamp=to_time(time.time_ns())), range_max=9.0,
            ranges=[1.0]))
    # Somebody has to use it.
    listener = peers.node('costmap', '/unplaced')
    listener.create_subscription(LaserScan, 'scan', print, 10, callback_group=NoExecutor())
    from tf2_msgs.msg import TFMessage
    for topic in ('tf', 'tf_static'):
        listener.create_subscription(TFMessage, topic, print, 10, callback_group=NoExecutor())


@pytest.mark.slow
@pytest.mark.skipif(not TELLS_GIDS, reason='rclpy of Jazzy does not tell publishers apart')
def test_a_recorded_graph_gets_the_findings_of_the_doctor(own_domain, tmp_path):
    peers = Peers(own_domain)
    build(peers)
    peers.start()
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=own_domain)
    node, hidden = (rclpy.create_node(name, context=context) for name in ('observer', '_recorder'))
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    executor.add_node(hidden)
    observer, recorder = GraphObserver(node), Recorder(hidden)

    def spin(seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            executor.spin_once(timeout_sec=0.05)
            recorder.take()

    try:
        deadline = time.monotonic() + PATIENCE
        while not observer.settled or observer.busy:
            assert time.monotonic() < deadline
            spin(0.5)
        recorder.follow(observer.graph)
        spin(1.0)
        observer.clear()
        spin(SECONDS)
        seen = observer.observation()
    finally:
        observer.end()
        executor.shutdown()
        for each in (node, hidden):
            each.destroy_node()
        rclpy.shutdown(context=context)
        peers.close()
    path = recorder.write(tmp_path / 'run.mcap', seen.graph)
    left_out = BY_LOAD | NEEDS_NODES
    live, recorded = ({
        (finding.code, finding.topic, finding.subject) for finding in findings
        if finding.code not in left_out} for findings in (
            evaluate(seen, 'graph').findings,
            [fault.finding for fault in evaluate_recording(path).faults]))
    assert recorded == live
    assert {name: {code for code, topic, _ in recorded if topic.startswith(f'/{name}/')}
            for name in EXPECTED} == EXPECTED
