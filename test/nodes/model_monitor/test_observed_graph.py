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


"""
What is observed of real nodes is what the rules need: a case for each kind of record.

Every case is a robot in a namespace of its own, with one defect, and all are one graph. The rules
themselves are tested on records in ``test/doctor/test_graph_rules.py``.
"""

from __future__ import annotations

from math import inf
import time

import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from support.arms import arm
from support.arms import held
from support.arms import POSTURE
from support.graph_cases import GraphCases
from support.graph_cases import watch
from support.graph_peers import clock
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_peers import static_frame
from support.graph_peers import VOLATILE
from tf2_msgs.msg import TFMessage
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import NoExecutor
from urdf_tools.ros.topics import RawPublisher

CASES = GraphCases()
case = CASES.case


@case()
def sound(peers):
    PeerRobot(peers, 'sound', efforts=lambda s: {'turn': 1.0})


@case()
def other_texts(peers):
    """Not every description is one of a robot; a robot's may have any name."""
    PeerRobot(peers, 'other_texts')
    for name in 'planner', 'operator':
        peers.every_tick(peers.node(name, '/other_texts'), String, 'task_description',
                         lambda number: String(data='Fetch the cup'))
    peers.node('viewer', '/other_texts').create_subscription(
        String, 'scene_description', print, LATCHED, callback_group=NoExecutor())


@case(description_volatile='^/other_name/publisher publishes the description with volatile dur')
def other_name(peers):
    text = String(data='<robot name="r"><link name="base"/></robot>')
    peers.every_tick(peers.node('publisher', '/other_name'), String, 'arm_description',
                     lambda number: text)


@case(True, description_several_publishers='2 publishers, in /differs/second and /differs/state',
      description_differs="is not the one from .*: joint 'turn' differs in its limits$")
def differs(peers):
    robot = PeerRobot(peers, 'differs')
    peers.node('second', '/differs').create_publisher(
        String, 'robot_description', LATCHED).publish(
            String(data=robot.text.replace('upper="1.2"', 'upper="1.1"')))


@case(description_subscriber_volatile='^/late/viewer subscribes with volatile durability, and ')
def late(peers):
    PeerRobot(peers, 'late')
    peers.node('viewer', '/late').create_subscription(
        String, 'robot_description', print, VOLATILE, callback_group=NoExecutor())


@case(description_parameter_differs="of /planned/move_group .*: it has no link 'tool'")
def planned(peers):
    robot = PeerRobot(peers, 'planned')
    shorter = robot.text.replace('<link name="tool"/>', '')
    start = shorter.index('<joint name="slide"')
    end = shorter.index('</robot>')
    peers.node('move_group', '/planned', robot_description=shorter[:start] + shorter[end:])
    peers.node('controller_manager', '/planned', robot_description=robot.text)


@case(True,
      joint_two_publishers='^/rivals/driver and /rivals/gui report the same 2 joints: turn, slide')
def rivals(peers):
    robot = PeerRobot(peers, 'rivals')
    peers.every_tick(peers.node('gui', '/rivals'), JointState, 'joint_states',
                     robot._joint_state)


@case(joint_not_finite=r'\d+ of \d+ efforts of turn from /no_force/driver are not finite')
def no_force(peers):
    PeerRobot(peers, 'no_force', efforts=lambda s: {'turn': inf})


@case(True,
      frame_static_and_moving="'tool' is published on tf_static by /both/other, and on tf by ")
def both(peers):
    PeerRobot(peers, 'both')
    static_frame(peers, 'both', 'arm', 'tool')


@case(frame_stamps_old=r'^Transforms of 2 frames from /delayed/state_publisher are 40(\.\d+)? s '
                       'old when they arrive: arm, tool$')
def delayed(peers):
    PeerRobot(peers, 'delayed', tf_delay=40.0)


@case(qos_mismatch='^No message from /deaf/driver reaches /deaf/controller: the reliability ')
def deaf(peers):
    PeerRobot(peers, 'deaf', qos=qos_profile_sensor_data)
    peers.node('controller', '/deaf').create_subscription(
        JointState, 'joint_states', print, 10, callback_group=NoExecutor())


@case()
def echoed(peers):
    """Leave a terminal that shows a topic out: it is no part of the robot."""
    PeerRobot(peers, 'echoed', qos=qos_profile_sensor_data)
    peers.node('_ros2cli_4711', '/echoed').create_subscription(
        JointState, 'joint_states', print, 10, callback_group=NoExecutor())


@case(True, joint_two_publishers='^/driven/_ros2cli_4711 and /driven/driver report the same 1 jo')
def driven(peers):
    PeerRobot(peers, 'driven')
    peers.every_tick(peers.node('_ros2cli_4711', '/driven'), JointState, 'joint_states',
                     lambda number: JointState(name=['turn'], position=[0.1]))


@case(joint_effort_gravity="^At rest, the efforts of 'lift', 'elbow' from "
      "/loaded/driver are those of about 5 kg more at link 'tool' than the model has$")
def loaded(peers):
    """Hold a payload; the state publisher publishes no frames here."""
    publisher, driver = (peers.node(name, '/loaded') for name in ('state_publisher', 'driver'))
    publisher.create_publisher(String, 'robot_description', LATCHED).publish(String(data=arm()))
    efforts = held(arm(payload=5.0))

    def joint_state(number: int) -> JointState:
        message = JointState(name=[*POSTURE], position=[*POSTURE.values()], effort=[
            efforts[name] for name in POSTURE])
        message.header.stamp = to_time(time.time_ns())
        return message

    peers.every_tick(driver, JointState, 'joint_states', joint_state)


@case(True,
      message_unreadable=r'^\d+ messages from /damaged/driver and /damaged/other cannot be read')
def damaged(peers):
    PeerRobot(peers, 'damaged')
    publisher = RawPublisher(peers.node('other', '/damaged'), JointState, 'joint_states',
                             VOLATILE).advertise()
    peers.ticks.append(lambda number: publisher.publish(b'\x00\x01\x00\x00' + b'\xff' * 20))


@pytest.fixture(scope='module')
def found(domain) -> dict[str, list]:
    return CASES.observe(domain)


@pytest.mark.parametrize('name', CASES.expected)
def test_each_defect_is_found_and_no_other(found, name):
    CASES.check(found[name], name)


@pytest.mark.slow
def test_clocks_and_who_uses_them(own_domain):
    peers = Peers(own_domain)
    peers.node('planner', use_sim_time=True)
    peers.node('viewer', use_sim_time=False).create_subscription(
        TFMessage, '/tf', print, 10, callback_group=NoExecutor())
    peers.node('launch_ros_4711', use_sim_time=False)
    clock(peers, 'simulation', lambda number: 5 * 10**9)
    peers.start()
    try:
        assert wait_for(own_domain, 'clock-mixed') == (
            'use_sim_time is true for /planner, but false for /viewer')
        assert wait_for(own_domain, 'clock-stands') == (
            '/clock from /simulation has stopped at 5 s; it is the time source of /planner')
        clock(peers, 'bag', lambda number: number * 10**8)
        assert wait_for(own_domain, 'clock-several-publishers') == (
            '/clock has 2 publishers, in /bag and /simulation')
    finally:
        peers.close()


def wait_for(domain: int, code: str) -> str:
    """Return the message of a finding once it is there."""
    findings = watch(domain, lambda found: any(finding.code == code for finding in found))
    return next(finding.message for finding in findings if finding.code == code)
