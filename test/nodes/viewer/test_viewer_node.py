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
"""The viewer: what it takes from /tf, what it publishes, and its page beside a robot."""

import numpy as np
import pytest
from rclpy.qos import qos_profile_sensor_data
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.viser_page import CAMERA  # noqa: E402,I100,I202
from support.viser_page import Page  # noqa: E402
from urdf_tools.nodes.viewer import JointDrive  # noqa: E402
from urdf_tools.ros.live_robot import LiveRobot  # noqa: E402
from urdf_tools.view.headless_browser import find_chromium  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

ROBOT = """<robot name="robot"><link name="base"/>
<link name="arm"><visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="tip"/>
<joint name="turn" type="revolute"><axis xyz="0 0 1"/><parent link="base"/><child link="arm"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="follow" type="prismatic"><parent link="arm"/><child link="tip"/>
  <limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="turn" multiplier="2"/></joint>
</robot>"""


@pytest.fixture
def make_drive(own_client):
    """Return a function that makes the drive of a robot."""
    server = LocalServer(port=8550)
    viewer = Viewer(server)
    drive = JointDrive(own_client.node, viewer, True)

    def make_drive(text):
        robot = loads(text)
        tree = KinematicTree(robot)
        viewer.use(tree, ShapeLibrary(robot, ResourceResolver('.').resolve, MeshScenes()))
        drive.use(tree, tree.neutral())
        return drive
    yield make_drive
    drive.stop('The test has ended.')
    server.stop()


@pytest.fixture
def drive(make_drive):
    return make_drive(ROBOT)


def test_driving_by_position(drive, own_client):
    received = own_client.subscribe(JointState, 'joint_states')
    drive.start(np.array([0.6]))
    assert drive.is_on
    own_client.wait_for(lambda: drive.publish() or received, 'a joint state')
    assert received[-1].name == ['turn', 'follow']
    assert list(received[-1].position) == [0.6, 1.2]


def test_what_was_chosen_for_an_earlier_robot_is_left_out(make_drive):
    """A page may be a moment behind."""
    drive = make_drive(ROBOT)
    drive.start(np.array([0.6]))
    drive.choose(np.zeros(7))
    drive.publish()
    assert list(drive._positions) == [0.6]


@pytest.mark.parametrize('is_allowed', [True, False])
def test_only_the_parameter_allows_to_drive(own_client, is_allowed):
    server = LocalServer(port=8555)
    try:
        drive = JointDrive(own_client.node, Viewer(server), is_allowed)
        drive.start(np.zeros(0))
        assert drive.is_on == is_allowed
        drive.stop('The test has ended.')
    finally:
        server.stop()


FREE = """<robot name="robot">
<link name="world"/><link name="base"/><link name="cart"/><link name="tip"/>
<joint name="free" type="floating"><origin xyz="5 0 0"/>
  <parent link="world"/><child link="base"/></joint>
<joint name="plane" type="planar"><axis xyz="0 0 1"/>
  <parent link="base"/><child link="cart"/></joint>
<joint name="slide" type="prismatic">
  <parent link="cart"/><child link="tip"/>
  <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>"""


def test_planar_and_floating_joints_are_driven(make_drive, own_client):
    """What is published is what the live robot reads."""
    drive = make_drive(FREE)
    live = LiveRobot(loads(FREE), FREE)
    states = own_client.subscribe(JointState, 'joint_states')
    received = own_client.subscribe(MultiDOFJointState, 'multi_dof_joint_states')
    positions = live.tree.configuration({
        'free/trans_y': 2.0, 'free/rot_z': 0.6, 'free/rot_w': 0.8,
        'plane/x': 0.5, 'plane/theta': -1.0, 'slide': 1.0})
    drive.start(positions)
    own_client.wait_for(lambda: drive.publish() or received and states, 'the joint states')
    live.receive_multi_dof(received[-1])
    live.receive(serialize_message(states[-1]))
    np.testing.assert_allclose(live.configuration().positions, positions, atol=1e-12)
    own_client.node.create_publisher(MultiDOFJointState, 'multi_dof_joint_states', 10)
    own_client.wait_for(drive.others, 'the other publisher')
    drive.publish()
    assert not drive.is_on


def test_it_does_not_drive_against_others(drive, own_client):
    other = own_client.node.create_publisher(JointState, 'joint_states', 10)
    own_client.wait_for(drive.others, 'the other publisher')
    drive.start(np.zeros(1))
    assert not drive.is_on
    assert 'Not started' in drive._note.content
    own_client.node.destroy_publisher(other)
    own_client.wait_for(lambda: not drive.others(), 'the end of the other publisher')
    drive.start(np.zeros(1))
    assert drive.is_on
    own_client.node.create_publisher(JointState, 'joint_states', 10)
    own_client.wait_for(drive.others, 'the other publisher')
    drive.publish()
    assert not drive.is_on
    assert 'Stopped' in drive._note.content


@pytest.mark.slow
def test_bad_parameters(nodes):
    for parameters, reason in (
            ({'port': 0}, 'Parameter port is refused'),
            ({'host': '192.0.2.1'}, "Cannot serve at '192.0.2.1'")):
        process = nodes.start('viewer', parameters)
        process.wait_for_line(reason)


@pytest.mark.slow
@pytest.mark.parametrize('parameters, starts', [
    ({}, False), ({'drive': True}, True), ({'drive': True, 'allow_control': False}, True)])
def test_what_a_page_may_do(nodes, client, parameters, starts):
    """Only the parameter lets the sliders publish, whatever a page sends."""
    process = nodes.start('viewer', {'port': 8570, **parameters})
    url = process.wait_for_line(r'The robot is shown at (http://\S+)')[1]

    def publishers():
        return client.node.count_publishers('joint_states')
    with Page(url) as page:
        page.send(CAMERA)
        client.describe(ROBOT)
        page.wait_for('GuiSliderMessage', 'turn')
        if starts:
            client.wait_for(publishers, 'the publisher of joint states')
        with Page(url) as visitor:
            visitor.send(CAMERA)
            for name, message in visitor.inputs().items():
                if 'Publish joint_states' in str(message['props'].get('label')):
                    visitor.set(name, True)
        client.describe(ROBOT.replace('"robot"', '"another"'))
        page.wait_for('SetGuiPanelLabelMessage', 'another: ')
    assert bool(publishers()) == starts
    assert process.stop() == 0
    assert 'Traceback' not in process.output


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_the_page_beside_a_robot(nodes, client):
    """It follows the robot, and ends with code 0 while a browser looks."""
    from support.devtools import Page
    process = nodes.start('viewer', {'port': 8560})
    url = process.wait_for_line(r'The robot is shown at (http://\S+)')[1]
    client.describe(ROBOT)
    publisher = client.node.create_publisher(JointState, 'joint_states', qos_profile_sensor_data)
    page = Page(url)
    try:
        page.wait(lambda: 'robot: 3 links, 1 variable' in page.text(), 'the robot')
        page.click('Joints')
        slider = 'document.querySelector("[role=slider]")'

        def follows(position):
            publisher.publish(JointState(name=['turn'], position=[position]))
            value = page.evaluate(f'{slider} ? {slider}.ariaValueNow : null')
            return value is not None and abs(float(value) - position) < 1e-3
        for position in (0.5, -0.7):
            client.wait_for(lambda: follows(position), 'the slider of the joint')
        page.click('Drive')
        page.wait(lambda: 'the robot moves the sliders' in page.text(), 'the tab')
        assert not page.complaints
        assert process.stop() == 0
    finally:
        page.close()
