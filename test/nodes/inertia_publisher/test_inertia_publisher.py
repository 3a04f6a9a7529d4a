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

"""The inertia publisher from outside: its topics, and when it computes."""

from __future__ import annotations

import math
import signal

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import InertiaStamped
from geometry_msgs.msg import PointStamped
import pytest
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from urdf_tools.ros.topics import LATCHED
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

# A post with an arm, on whose end a ball turns by twice the angle of the arm, off its axis.
ROBOT = """
<robot name="crane">
  <link name="base">
    <inertial><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
  </link>
  <link name="arm">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
  </link>
  <link name="tool"/>
  <link name="ball">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
  </link>
  <link name="frame">
    <inertial><mass value="0"/>
      <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
  </link>
  <joint name="shoulder" type="continuous">
    <origin xyz="0 0 1"/><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="1 0 0"/><parent link="arm"/><child link="tool"/>
  </joint>
  <joint name="twist" type="continuous">
    <parent link="tool"/><child link="ball"/><axis xyz="0 0 1"/>
    <mimic joint="shoulder" multiplier="2"/>
  </joint>
  <joint name="eye" type="fixed"><parent link="ball"/><child link="frame"/></joint>
  <joint name="slide" type="prismatic">
    <parent link="frame"/><child link="end"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
  <link name="end"/>
</robot>
"""
LIFT = """
<robot name="lift">
  <link name="base"/>
  <link name="carriage">
    <inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <link name="arm">
    <inertial><origin xyz="0.5 0 0"/><mass value="2"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
  </link>
  <link name="wheel"/>
  <joint name="column" type="prismatic">
    <parent link="base"/><child link="carriage"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="100" velocity="1"/>
  </joint>
  <joint name="shoulder" type="continuous">
    <parent link="carriage"/><child link="arm"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="spin" type="continuous">
    <parent link="arm"/><child link="wheel"/><axis xyz="0 1 0"/><mimic joint="shoulder"/>
  </joint>
</robot>
"""
CORNER = math.pi / 2
HUGE = ROBOT.replace('<mass value="1"/>', '<mass value="1e308"/>')
INCONSISTENT = """
<robot name="impossible">
  <link name="base">
    <inertial><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial>
  </link>
</robot>
"""


def xyz(vector):
    return pytest.approx((vector.x, vector.y, vector.z), abs=1e-12)


class Publisher:
    """The node under test, in simulated time that passes as the test wants."""

    def __init__(self, client, process):
        self.client = client
        self.process = process
        node = client.node
        self._joint_states = node.create_publisher(
            JointState, 'joint_states', qos_profile_sensor_data)
        self._clock = node.create_publisher(Clock, '/clock', 10)
        self._diagnostics = client.subscribe(DiagnosticArray, '/diagnostics', 100)
        self._time = 0
        self._sent = 0
        self.tick()

    def status(self, task='Inertia', holds=lambda values: True):
        """Return the level and values of a status of which this holds."""
        def values(status):
            return {value.key: value.value for value in status.values}
        status = self.client.status(
            f'inertia_publisher: {task}', lambda status: holds(values(status)))
        return status.level, values(status)

    def send(self, **positions):
        """Publish a joint state, and wait until it is received."""
        if not self._sent:
            self.status('Joint states', lambda values: values.get('Publishers') == '1')
        self._sent += 1
        message = JointState(name=[*positions], position=[float(p) for p in positions.values()])
        message.header.stamp.sec = self._sent
        self._joint_states.publish(message)
        self.status('Joint states', lambda values: values['Messages'] == str(self._sent))

    def tick(self):
        """Let a second pass for the node, in which it may publish once."""
        self._time += 1
        message = Clock()
        message.clock.sec = self._time

        def passed():
            self._clock.publish(message)
            return self._time in [
                array.header.stamp.sec for array in self._diagnostics
                if array.status[0].name.startswith('inertia_publisher')]

        self.client.wait_for(passed, 'the node to notice the time')

    def computed(self):
        """Return how often the inertia was computed, after all that was sent has arrived."""
        self.status()
        return int(self.status()[1]['Computed'])

    def listen(self, kind, topic):
        """Return a list that the messages on a topic are added to."""
        return self.client.subscribe(kind, f'inertia_publisher/{topic}', LATCHED)

    def next(self, messages):
        """Return the next message in a list."""
        return self.client.wait_for(lambda: messages and messages.pop(0), 'a message')

    def set(self, **parameters):
        """Set parameters, and return why one was refused, or an empty string."""
        response = self.client.call(
            SetParameters, 'inertia_publisher/set_parameters', parameters=[
                Parameter(name, value=value).to_parameter_msg()
                for name, value in parameters.items()])
        return ''.join(result.reason for result in response.results)


@pytest.fixture
def publisher(own_nodes, own_client):
    return Publisher(own_client, own_nodes.start('inertia_publisher', {
        'use_sim_time': True, 'rate': 1.0, 'diagnostic_updater.period': 0.05}))


@pytest.fixture
def crane(publisher):
    """Give the publisher its robot."""
    publisher.client.describe(ROBOT)
    publisher.status('Model', lambda values: values.get('Robot') == 'crane')
    return publisher


def shown(message):
    """Return the markers that a message adds."""
    return {(marker.ns, marker.id): marker for marker in message.markers
            if marker.action == Marker.ADD}


def colour(marker):
    return marker.color.r, marker.color.g, marker.color.b


def test_the_inertia_is_computed_for_subscribers_after_the_robot_moved(publisher):
    level, values = publisher.status()
    assert (level, values) == (DiagnosticStatus.WARN, {})
    publisher.client.describe(ROBOT)
    publisher.status('Model', lambda values: values)
    publisher.send(shoulder=CORNER, twist=7)
    level, values = publisher.status()
    assert level == DiagnosticStatus.WARN
    assert values == {
        'Computed': '0', 'Mass (kg)': '4', 'Without inertial': 'tool, end', 'Massless': 'frame',
        'Inconsistent': '', 'Taken as zero': 'slide'}

    # Simulated time is paused, so only the subscription can have caused the message.
    centers = publisher.listen(PointStamped, 'center_of_mass')
    first = publisher.next(centers)
    assert (first.header.frame_id, first.header.stamp.sec) == ('base', 1)
    # The ball follows the shoulder with a factor of 3, whatever was given for its joint.
    assert xyz(first.point) == (0, (0.5 + 1 - 0.5) / 4, 0.5)
    inertias = publisher.listen(InertiaStamped, 'inertia')
    inertia = publisher.next(inertias)
    assert inertia.header == first.header
    assert inertia.inertia.m == 4.0
    assert xyz(inertia.inertia.com) == (0, 0.25, 0.5)
    assert publisher.computed() == 1

    # However often joints move, it is computed once a second, and not at all while none does.
    for position in (0.1, 0.2, 0.0):
        publisher.send(shoulder=position, slide=0.0)
    assert publisher.computed() == 1
    assert publisher.status()[0] == DiagnosticStatus.OK
    publisher.tick()
    assert xyz(publisher.next(centers).point) == (0.5, 0, 0.5)
    inertia = publisher.next(inertias).inertia
    assert inertia.izz == pytest.approx(2.5 + 0.25 + 0.1 + 0.5 ** 2 + 1.5 ** 2 - 4 * 0.5 ** 2)
    publisher.send(shoulder=0.0)
    publisher.tick()
    assert publisher.computed() == 2
    publisher.send(shoulder=CORNER)
    publisher.tick()
    assert publisher.next(centers).header.stamp.sec == 6
    assert (publisher.computed(), centers) == (3, [])


def test_the_efforts_that_hold_joints_against_gravity(publisher):
    publisher.client.describe(LIFT)
    publisher.status('Model', lambda values: values.get('Robot') == 'lift')
    publisher.send(shoulder=CORNER, column=0.2)
    efforts = publisher.next(publisher.listen(JointState, 'gravity_efforts'))
    assert (efforts.header.frame_id, efforts.header.stamp.sec) == ('base', 1)
    assert (list(efforts.name), list(efforts.position)) == (['column', 'shoulder'], [])
    # At a quarter of a turn the arm hangs down. The joint that follows has no effort of its own.
    assert list(efforts.effort) == pytest.approx([3 * 9.81, 0], abs=1e-9)
    publisher.send(shoulder=0.0)
    publisher.tick()
    efforts = publisher.next(publisher.listen(JointState, 'gravity_efforts'))
    assert list(efforts.effort) == pytest.approx([3 * 9.81, -2 * 0.5 * 9.81])


def test_late_subscribers_are_answered_and_nothing_is_computed_for_none(crane):
    first = crane.next(crane.listen(PointStamped, 'center_of_mass'))
    computed = crane.computed()
    second = crane.next(crane.listen(PointStamped, 'center_of_mass'))
    assert second == first
    assert crane.computed() == computed

    for subscription in [*crane.client.node.subscriptions]:
        if subscription.topic_name.startswith('/inertia_publisher/'):
            crane.client.node.destroy_subscription(subscription)

    def rests():
        before = crane.computed()
        crane.send(shoulder=crane._sent)
        crane.tick()
        return crane.computed() == before

    crane.client.wait_for(rests, 'the publisher to notice that nobody is left')
    assert rests()
    centers = crane.listen(PointStamped, 'center_of_mass')
    crane.client.wait_for(
        lambda: centers and centers[-1].header.stamp.sec == crane._sent, 'the present answer')


def test_markers_are_in_the_frames_of_their_links(crane):
    crane.send(shoulder=0.0)
    messages = crane.listen(MarkerArray, 'markers')
    crane.client.wait_for(
        lambda: messages and messages[-1].markers[-1].pose.position.x == 0.5, 'the markers')
    markers = shown(messages.pop())
    assert {key: marker.header.frame_id for key, marker in markers.items()} == {
        ('links/center_of_mass', 0): 'base', ('links/inertia', 0): 'base',
        ('links/center_of_mass', 1): 'arm', ('links/inertia', 1): 'arm',
        ('links/center_of_mass', 2): 'ball', ('links/inertia', 2): 'ball',
        ('robot/center_of_mass', 0): 'base', ('robot/inertia', 0): 'base'}
    for marker in markers.values():
        assert marker.frame_locked
        assert (marker.header.stamp.sec, marker.header.stamp.nanosec) == (0, 0)
        assert marker.type == (Marker.CUBE if 'inertia' in marker.ns else Marker.SPHERE)
        assert 0 < marker.color.a <= 1
    ball = markers['links/inertia', 2]
    assert xyz(ball.pose.position) == (0.5, 0, 0)
    # A cube of 1 kg with 0.1 kg m^2 about every axis: 0.1 = 1 / 6 * side^2.
    assert xyz(ball.scale) == (math.sqrt(0.6),) * 3
    # The box is longest along the axis with the smallest moment.
    arm = markers['links/inertia', 1]
    assert arm.scale.x > arm.scale.y > arm.scale.z
    assert xyz(markers['robot/center_of_mass', 0].pose.position) == (0.5, 0, 0.5)

    assert 'one of box, ellipsoid' in crane.set(shape='pyramid')
    assert crane.set(shape='ellipsoid', frame_prefix='left/') == ''
    crane.client.wait_for(
        lambda: messages and shown(messages[-1])['links/inertia', 0].type == Marker.SPHERE,
        'ellipsoids')
    markers = shown(messages.pop())
    assert {marker.header.frame_id for marker in markers.values()} == {
        'left/base', 'left/arm', 'left/ball'}
    assert xyz(markers['links/inertia', 2].scale) == (1.0,) * 3
    centers = crane.listen(PointStamped, 'center_of_mass')
    crane.client.wait_for(
        lambda: centers and centers[-1].header.frame_id == 'left/base', 'the prefix')
    assert crane.set(shape='box', frame_prefix='') == ''


def test_markers_of_an_earlier_robot_are_deleted(crane):
    messages = crane.listen(MarkerArray, 'markers')
    crane.client.wait_for(lambda: messages and len(shown(messages[-1])) == 8, 'all markers')
    usual = shown(messages[-1])['links/inertia', 0]
    crane.client.describe(INCONSISTENT)
    crane.client.wait_for(lambda: len(shown(messages[-1])) == 4, 'fewer markers')
    level, values = crane.status(holds=lambda values: values.get('Inconsistent'))
    assert level == DiagnosticStatus.WARN
    assert values['Inconsistent'].startswith('base (principal moments break the triangle ineq')

    late = crane.next(crane.listen(MarkerArray, 'markers'))
    for message in (messages[-1], late):
        assert [marker.action for marker in message.markers] == [
            Marker.DELETEALL, *[Marker.ADD] * 4]
    box = shown(late)['links/inertia', 0]
    assert colour(box) == (1, 0, 0) != colour(usual)
    assert 0 < box.scale.z < 0.01 < box.scale.x


def test_a_refused_description_changes_nothing(crane):
    messages = crane.listen(InertiaStamped, 'inertia')
    before = crane.next(messages)
    crane.client.describe(ROBOT[:-20])
    crane.process.wait_for_line('keeping the last good one')
    crane.tick()
    assert crane.status('Model', lambda values: 'Refused because' in values)[1]['Robot'] == 'crane'
    assert crane.next(crane.listen(InertiaStamped, 'inertia')) == before
    assert messages == []


def test_numbers_that_are_none(crane):
    """Without mass there is no centre of mass."""
    centers, inertias, arrays = (
        crane.listen(kind, topic) for kind, topic in (
            (PointStamped, 'center_of_mass'), (InertiaStamped, 'inertia'),
            (MarkerArray, 'markers')))
    for messages in (centers, inertias, arrays):
        crane.next(messages)
    crane.client.describe('<robot name="empty"><link name="nothing"/></robot>')
    crane.client.wait_for(lambda: inertias and inertias[-1].inertia.m == 0, 'the inertia')
    crane.client.wait_for(lambda: arrays and not shown(arrays[-1]), 'a message without markers')
    assert crane.status(holds=lambda values: values.get('Mass (kg)') == '0')[0] == (
        DiagnosticStatus.WARN)
    assert all(center.header.frame_id != 'nothing' for center in centers)

    # Numbers that overflow are not published.
    crane.client.describe(HUGE)
    crane.client.wait_for(
        lambda: arrays and len(shown(arrays[-1])) == 6, 'the markers of the links')
    status = crane.client.status(
        'inertia_publisher: Inertia', lambda status: 'not finite' in status.message)
    assert status.level == DiagnosticStatus.WARN
    assert all(math.isfinite(message.inertia.m) for message in inertias)
    assert crane.process.stop(signal.SIGTERM) == 0
    assert 'Traceback' not in crane.process.output
    assert 'Warning' not in crane.process.output
