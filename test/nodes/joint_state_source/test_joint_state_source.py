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

"""The joint state source from outside: parameters, topics, diagnostics, signals."""

import math
import re
import signal

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from support.failed_starts import failed_starts

ARM = """
<robot name="arm">
  <link name="base"/><link name="upper"/><link name="hand"/><link name="finger"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/><child link="hand"/>
    <limit lower="0.2" upper="0.6" effort="1" velocity="1"/>
  </joint>
  <joint name="grip" type="revolute">
    <parent link="hand"/><child link="finger"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="shoulder" multiplier="2" offset="0.5"/>
  </joint>
</robot>
"""
ROLLING_ARM = ARM.replace('name="arm"', 'name="rolling_arm"').replace('</robot>', """
  <link name="wheel"/>
  <joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/></joint>
</robot>
""")
CYCLE = ROLLING_ARM.replace('rolling_arm', 'cycle').replace(
    '<child link="hand"/>', '<child link="hand"/><mimic joint="axle"/>')
TASK = 'joint_state_source: Joint sources'


def state(**positions):
    return JointState(name=[*positions], position=[*positions.values()])


def wait_for_positions(client, states, **expected):
    """Return a new joint state with these positions."""
    states.clear()
    return client.wait_for(
        lambda: next((message for message in states if dict(zip(
            message.name, message.position)) == pytest.approx(expected)), None), expected)


@pytest.mark.slow
def test_joints_rest_are_merged_and_outlive_bad_data(nodes, client):
    states = client.subscribe(JointState, 'joint_states')
    source = nodes.start('joint_state_source', {
        'rate': 50, 'zeros.shoulder': 0.25, 'source_list': ['reliable', 'best_effort'],
        'dependent_joints.axle.parent': 'slide', 'dependent_joints.axle.factor': -2})
    model = client.status('joint_state_source: Model', lambda status: True)
    assert (model.level, model.message) == (DiagnosticStatus.WARN, 'No robot description yet')

    client.describe(ARM)
    message = wait_for_positions(client, states, shoulder=0.25, slide=0.4, grip=1.0)
    assert message.name == ['shoulder', 'slide', 'grip']
    assert not message.velocity and not message.effort
    assert abs(message.header.stamp.sec - client.node.get_clock().now().nanoseconds / 1e9) < 60
    source.wait_for_line("WARN.*apply to no joint of robot 'arm': dependent_joints.axle$")
    task = client.status(TASK, lambda status: status.message.startswith('No joint states'))
    assert task.level == DiagnosticStatus.WARN
    assert task.message == 'No joint states from reliable, best_effort'

    reliable = client.node.create_publisher(JointState, 'reliable', 10)
    best_effort = client.node.create_publisher(JointState, 'best_effort', qos_profile_sensor_data)
    client.wait_for(
        lambda: reliable.get_subscription_count() and best_effort.get_subscription_count(),
        'the subscriptions of source_list')
    # Until the node has matched a publisher, its messages are lost.
    timer = client.node.create_timer(0.05, lambda: reliable.publish(
        state(shoulder=1.0, grip=7.0, stranger=7.0)))
    wait_for_positions(client, states, shoulder=1.0, slide=0.4, grip=2.5)
    client.node.destroy_timer(timer)
    client.wait_for(lambda: best_effort.publish(
        JointState(name=['shoulder'], position=[9.0], velocity=[1.0, 2.0]))
        or 'skipped' in source.output, 'the fault')
    source.wait_for_line('WARN.*skipped: best_effort: 1 names but 2 values of velocity$')
    timer = client.node.create_timer(0.05, lambda: best_effort.publish(
        state(shoulder=math.nan, slide=0.3)))
    wait_for_positions(client, states, shoulder=1.0, slide=0.3, grip=2.5)
    client.node.destroy_timer(timer)
    task = client.status(TASK, lambda status: {
        'Skipped: non-finite', 'Skipped: wrong length'} <= {v.key for v in status.values})
    values = {value.key: value.value for value in task.values}
    assert float(values['Age of reliable (s)']) >= 0 and int(values['Published']) > 0

    client.describe(ARM[:-30])
    source.wait_for_line('ERROR.*keeping the last good one')
    client.status('joint_state_source: Model', lambda s: s.level == DiagnosticStatus.ERROR)
    wait_for_positions(client, states, shoulder=1.0, slide=0.3, grip=2.5)
    client.describe(ROLLING_ARM)
    wait_for_positions(client, states, shoulder=1.0, slide=0.3, grip=2.5, axle=-0.6)
    client.describe(CYCLE)
    cycle = 'Joints mimic each other in a cycle: slide -> axle -> slide'
    source.wait_for_line(f"ERROR.*Cannot publish joint states of robot 'cycle': {cycle}$")
    client.status(TASK, lambda s: s.level == DiagnosticStatus.ERROR and s.message == cycle)
    wait_for_positions(client, states, shoulder=1.0, slide=0.3, grip=2.5, axle=-0.6)
    assert source.stop(signal.SIGTERM) == 0
    assert 'Traceback' not in source.output


@pytest.mark.slow
def test_joints_sweep_within_their_limits(nodes, client):
    client.describe(ROLLING_ARM)
    states = client.subscribe(JointState, 'joint_states')
    source = nodes.start('joint_state_source', {
        'rate': 200, 'sweep_period': 1.0, 'publish_default_velocities': True,
        'use_mimic_tags': False})
    client.wait_for(lambda: len(states) > 250, 'a sweep')
    tracks = dict(zip(states[0].name, zip(*(message.position for message in states))))
    reach = {
        'shoulder': (-1, 2), 'slide': (0.2, 0.6), 'grip': (-9, 9), 'axle': (-math.pi, math.pi)}
    for name, (lower, upper) in reach.items():
        assert lower <= min(tracks[name]) and max(tracks[name]) <= upper
        assert max(tracks[name]) - min(tracks[name]) > 0.9 * (upper - lower)
    assert any(states[0].velocity) and not states[0].effort
    assert source.stop(signal.SIGINT) == 0


@pytest.mark.slow
def test_parameters_without_meaning_end_it_with_a_sentence(domain, tmp_path):
    reasons = {
        "source_list contains 'joint_states', the topic": {'source_list': ['joint_states']},
        'A parameter is an empty list': {'source_list': []},
        'delta and sweep_period are both given': {'delta': 0.1, 'sweep_period': 2.0}}
    outputs = failed_starts(
        'joint_state_source', tmp_path, [(each, ()) for each in reasons.values()])
    for reason, output in zip(reasons, outputs, strict=True):
        assert re.search(f'FATAL.*{reason}', output)
        assert 'Traceback' not in output
