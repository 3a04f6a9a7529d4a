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
Each rule about a running graph, over real nodes.

Every case is a robot in a namespace of its own, with one disorder, and all are one graph.
"""

from __future__ import annotations

from math import cos
from math import inf
from math import nan
from math import sin
import time

import pytest
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from support.graph_cases import GraphCases
from support.graph_cases import TELLS_GIDS
from support.graph_cases import watch
from support.graph_peers import clock
from support.graph_peers import frame
from support.graph_peers import MODEL
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_peers import speeds
from support.graph_peers import swinging
from support.graph_peers import VOLATILE
from urdf_tools.monitoring.rules import GRAPH_RULES
from urdf_tools.ros.qos import LATCHED
from urdf_tools.ros.serialized_topics import NoExecutor
from urdf_tools.ros.serialized_topics import RawPublisher

CASES = GraphCases()
case = CASES.case


@case()
def sound(peers):
    PeerRobot(peers, 'sound', velocities=speeds, efforts=lambda s: {'turn': 1.0})


@case()
def prefixed(peers):
    PeerRobot(peers, 'prefixed', prefix='left/')


@case()
def other_texts(peers):
    """Not every description is one of a robot; a robot's may have any name."""
    PeerRobot(peers, 'other_texts')
    for name in 'planner', 'operator':
        peers.every_tick(peers.node(name, '/other_texts'), String, 'task_description',
                         lambda number: String(data='Fetch the cup'))
    peers.node('viewer', '/other_texts').create_subscription(
        String, 'scene_description', print, LATCHED, callback_group=NoExecutor())


@case(description_volatile='^/other_name/publisher publishes the description volatile$')
def other_name(peers):
    text = String(data='<robot name="r"><link name="base"/></robot>')
    peers.every_tick(peers.node('publisher', '/other_name'), String, 'arm_description',
                     lambda number: text)


@case(description_not_published=r'No node publishes .* that /not_published/viewer waits for; ')
def not_published(peers):
    peers.node('viewer', '/not_published').create_subscription(
        String, 'robot_description', print, LATCHED, callback_group=NoExecutor())


@case(description_unreadable='from /unreadable/launched describes no robot: .*XML: syntax err')
def unreadable(peers):
    peers.node('launched', '/unreadable').create_publisher(
        String, 'robot_description', LATCHED).publish(String(data='robot.urdf'))


@case(description_several_publishers='2 publishers .*: /twice/second and /twice/state_publisher')
def twice(peers):
    robot = PeerRobot(peers, 'twice')
    peers.node('second', '/twice').create_publisher(
        String, 'robot_description', LATCHED).publish(String(data=robot.text))


@case(True, description_several_publishers='2 publishers',
      description_differs="is not the one from .*: they differ in the limits of joint 'turn'")
def differs(peers):
    robot = PeerRobot(peers, 'differs')
    peers.node('second', '/differs').create_publisher(
        String, 'robot_description', LATCHED).publish(
            String(data=robot.text.replace('upper="1.2"', 'upper="1.1"')))


@case(description_volatile='state_publisher publishes the description volatile; '
                           '/volatile/viewer will never receive it')
def volatile(peers):
    PeerRobot(peers, 'volatile', latched=False)
    peers.node('viewer', '/volatile').create_subscription(
        String, 'robot_description', print, LATCHED, callback_group=NoExecutor())


@case(description_subscriber_volatile='^/late/viewer subscribes volatile')
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


@case(joint_states_silent='/silent/driver published no joint states')
def silent(peers):
    PeerRobot(peers, 'silent', drives=False).driver.create_publisher(
        JointState, 'joint_states', 10)


@case(joint_states_silent="No node publishes the joint states of robot 'alone'")
def alone(peers):
    PeerRobot(peers, 'alone', drives=False)


@case(True, joint_states_silent='^/dying/gripper_driver published no joint states in ')
def dying(peers):
    PeerRobot(peers, 'dying')
    peers.node('gripper_driver', '/dying').create_publisher(JointState, 'joint_states', 10)


@case(joint_not_reported="Nobody reports 1 joint of robot 'partly': slide; /partly/driver reports")
def partly(peers):
    PeerRobot(peers, 'partly', names=('turn',))


@case(joint_unknown="^/misnamed/driver reports 1 joint that robot 'misnamed' does not have: trun$")
def misnamed(peers):
    PeerRobot(peers, 'misnamed', names=('turn', 'slide', 'trun'))


@case(True,
      joint_two_publishers='^/rivals/driver and /rivals/gui report the same 2 joints: turn, slide')
def rivals(peers):
    robot = PeerRobot(peers, 'rivals')
    peers.every_tick(peers.node('gui', '/rivals'), JointState, 'joint_states',
                     robot._joint_state)


@case(joint_not_finite=r'\d+ of \d+ positions of slide from /broken_encoder/driver are not fin')
def broken_encoder(peers):
    PeerRobot(peers, 'broken_encoder', positions=lambda s: {**swinging(s), 'slide': nan})


@case(joint_not_finite=r'\d+ of \d+ efforts of turn from /no_force/driver are not finite')
def no_force(peers):
    PeerRobot(peers, 'no_force', efforts=lambda s: {'turn': inf})


@case(joint_position_limit=r"'turn' was up to 0.25 rad beyond the lower limit of -1.2 rad for "
                           r'\d+.\d s, as /beyond/driver reports')
def beyond(peers):
    def still(seconds):
        return {'turn': -1.45, 'slide': 0.0}
    PeerRobot(peers, 'beyond', positions=still, tf_positions=still, velocities=lambda s: {
        'turn': 0.0})


@case(joint_velocity_limit=r"'turn' was up to 0\.\d+ rad/s beyond the velocity limit of 2 rad/s")
def fast(peers):
    def positions(seconds):
        return {**swinging(seconds), 'turn': sin(3 * seconds)}
    PeerRobot(peers, 'fast', positions=positions, tf_positions=positions, velocities=lambda s: {
        **speeds(s), 'turn': 3 * cos(3 * s)})


@case(joint_effort_limit=r"'slide' was up to 2.\d+ N beyond the effort limit of 5 N")
def strong(peers):
    PeerRobot(peers, 'strong', efforts=lambda s: {'slide': -7.5})


@case(joint_velocity_contradicts=r"'turn' moved at -?[\d.]+ rad/s by its positions, while "
                                 r'/reverse/driver reports -?[\d.]+ rad/s')
def reverse(peers):
    PeerRobot(peers, 'reverse', velocities=lambda s: {**speeds(s), 'turn': -cos(2 * s)})


@case(joint_frozen='^/stuck/driver reports velocities of 1 joint whose position did .*: turn$')
def stuck(peers):
    def positions(seconds):
        return {**swinging(seconds), 'turn': 0.25}
    PeerRobot(peers, 'stuck', positions=positions, tf_positions=positions,
              velocities=lambda s: {**speeds(s), 'turn': 0.4})


@case(True,
      frame_two_publishers='^/shared/other and /shared/state_publisher publish the same 1 fr.*arm')
def shared(peers):
    PeerRobot(peers, 'shared')
    # The pose at position zero, so that it is none that the joint cannot have.
    frame(peers, 'shared', 'mount', 'arm', (0.1, 0.0, 0.0, 0.0, sin(0.15), 0.0, cos(0.15)))


@case(True,
      frame_two_parents="'arm' has 2 parents: 'elsewhere' from /parents/other and 'mount' from /p")
def parents(peers):
    PeerRobot(peers, 'parents')
    frame(peers, 'parents', 'elsewhere', 'arm')


@case(True,
      frame_static_and_moving="'tool' is published static by /both/other and moving by /both/st")
def both(peers):
    PeerRobot(peers, 'both')
    frame(peers, 'both', 'arm', 'tool', static=True)


@case(True, frame_ignored='^tf ignores 1 frame from /turnless/other, because a quaternion has the '
                          'length 0: flange$')
def turnless(peers):
    PeerRobot(peers, 'turnless')
    frame(peers, 'turnless', 'tool', 'flange', (0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@case(True, frame_loop='^3 frames from /upside_down/other are parents of each other: a, c, b$',
      frame_tree_in_pieces='^3 frames below')
def upside_down(peers):
    PeerRobot(peers, 'upside_down')
    for parent, child in ('a', 'b'), ('b', 'c'), ('c', 'a'):
        frame(peers, 'upside_down', parent, child)


@case(frame_missing="^1 frame of robot 'handless' is never published: tool$")
def handless(peers):
    PeerRobot(peers, 'handless', left_out=('slide',))


@case(True,
      frame_tree_in_pieces="^3 frames below 'camera' from /camera/other are not connected w.*'ba")
def camera(peers):
    PeerRobot(peers, 'camera')
    frame(peers, 'camera', 'camera', 'lens')
    frame(peers, 'camera', 'lens', 'optical')


@case(frame_contradicts_model="'mount' is 0.25 m and 0 rad away from what joint 'screws' allows, "
                              'as /moved/state_publisher publishes it')
def moved(peers):
    text = MODEL.format(name='moved').replace('0 0 0.5', '0 0 0.75')
    PeerRobot(peers, 'moved', text)


@case(frame_contradicts_model=r"'arm' is at -?[\d.]+ rad of joint 'turn', and the joint states of")
def offset(peers):
    def turned(seconds):
        return {**swinging(seconds), 'turn': swinging(seconds)['turn'] + 0.2}
    PeerRobot(peers, 'offset', tf_positions=turned)


@case(joint_states_slow='/slow/driver publishes joint states at ')
def slow(peers):
    PeerRobot(peers, 'slow', skip=lambda tick: tick % 4 != 0)


@case(joint_states_jitter=r'of /pausing/driver paused for \d.\d+ s')
def pausing(peers):
    PeerRobot(peers, 'pausing', skip=lambda tick: tick % 25 < 10)


@case(joint_stamps_zero=r'(\d+) of \1 joint states of /unstamped/driver have the stamp 0')
def unstamped(peers):
    PeerRobot(peers, 'unstamped', stamp=lambda tick, now: 0)


@case(joint_stamps_repeated=r'\d+ of \d+ joint states of /repeated/driver have the stamp of the o')
def repeated(peers):
    stamps = {}

    def stamp(tick, now):
        return stamps.setdefault(tick // 4, now)

    def still(seconds):
        return {'turn': 0.1, 'slide': 0.1}
    PeerRobot(peers, 'repeated', stamp=stamp, positions=still, tf_positions=still,
              velocities=lambda s: {'turn': 0.0})


@case(joint_stamps_old=r'of /old/driver are 30(\.\d+)? s old')
def old(peers):
    PeerRobot(peers, 'old', stamp=lambda tick, now: now - 30 * 10**9)


@case(joint_stamps_future=r'of /ahead/driver have stamps (20|19\.9\d*) s in the future')
def ahead(peers):
    PeerRobot(peers, 'ahead', stamp=lambda tick, now: now + 20 * 10**9)


@case(frame_stamps_old=r'2 frames from /delayed/state_publisher are 40(\.\d+)? s old .*: arm, too')
def delayed(peers):
    PeerRobot(peers, 'delayed', tf_delay=40.0)


@case(frame_stamps_future=r'2 frames from /early/state_publisher have stamps (40|39\.9\d*) s in')
def early(peers):
    PeerRobot(peers, 'early', tf_delay=-40.0)


@case(qos_mismatch='^/deaf/controller hears nothing from /deaf/driver: it publishes best effort')
def deaf(peers):
    PeerRobot(peers, 'deaf', qos=qos_profile_sensor_data)
    peers.node('controller', '/deaf').create_subscription(
        JointState, 'joint_states', print, 10, callback_group=NoExecutor())


@case()
def echoed(peers):
    """Who looks at a topic in a terminal is no part of the robot."""
    PeerRobot(peers, 'echoed', qos=qos_profile_sensor_data)
    peers.node('_ros2cli_4711', '/echoed').create_subscription(
        JointState, 'joint_states', print, 10, callback_group=NoExecutor())


@case(True, joint_two_publishers='^/driven/_ros2cli_4711 and /driven/driver report the same 1 jo')
def driven(peers):
    PeerRobot(peers, 'driven')
    peers.every_tick(peers.node('_ros2cli_4711', '/driven'), JointState, 'joint_states',
                     lambda number: JointState(name=['turn'], position=[0.1]))


@case(True,
      message_unreadable=r'^\d+ messages from /damaged/driver and /damaged/other cannot be read')
def damaged(peers):
    PeerRobot(peers, 'damaged')
    publisher = RawPublisher(peers.node('other', '/damaged'), JointState, 'joint_states',
                             VOLATILE)
    peers.ticks.append(lambda number: publisher.publish(b'\x00\x01\x00\x00' + b'\xff' * 20))


@pytest.fixture(scope='module')
def found(domain) -> dict[str, list]:
    """Return the findings of each case: as expected if they were so at any time."""
    peers = Peers(domain)
    CASES.build(peers)
    result: dict[str, list] = {}

    def collect(findings: list) -> bool:
        for name in CASES.expected:
            if name not in result or not CASES.has_all(result[name], name):
                result[name] = CASES.of_case(findings, name)
        return all(CASES.has_all(result[name], name) for name in CASES.expected)

    peers.start()
    try:
        watch(domain, collect)
    finally:
        peers.close()
    return result


@pytest.mark.parametrize('name', CASES.expected)
def test_each_disorder_is_found_and_no_other(found, name):
    CASES.check(found[name], name)


@pytest.fixture
def peers(own_domain):
    """Return nodes in the domain of one test, for what the whole graph shares."""
    peers = Peers(own_domain)
    yield peers
    peers.close()


def wait_for(domain: int, code: str) -> str:
    """Return the message of a finding once it is there."""
    findings = watch(domain, lambda found: any(finding.code == code for finding in found))
    return next(finding.message for finding in findings if finding.code == code)


def test_no_description_at_all(own_domain, peers):
    peers.node('driver')
    peers.start()
    assert wait_for(own_domain, 'description-not-published') == (
        'No node publishes a robot description')


def test_a_graph_with_two_clocks(own_domain, peers):
    peers.node('planner', use_sim_time=True)
    peers.node('viewer', use_sim_time=False)
    peers.node('launch_ros_4711', use_sim_time=False)
    clock(peers, 'simulation', lambda number: 5 * 10**9)
    peers.start()
    assert wait_for(own_domain, 'clock-mixed') == (
        'use_sim_time is true for /planner, and false for /viewer')
    assert wait_for(own_domain, 'clock-stands') == (
        '/clock from /simulation stands at 5 s; /planner takes the time from it')
    clock(peers, 'bag', lambda number: number * 10**8)
    assert wait_for(own_domain, 'clock-several-publishers') == (
        '2 publishers publish /clock: /bag and /simulation')


def test_nobody_publishes_the_clock(own_domain, peers):
    peers.node('planner', use_sim_time=True)
    peers.start()
    assert wait_for(own_domain, 'clock-stands') == (
        'No node publishes /clock; /planner takes the time from it')


def test_a_simulated_robot_is_judged_by_its_clock(own_domain, peers):
    start = time.time_ns()
    PeerRobot(peers, 'simulated', stamp=lambda tick, now: now - start,
              driver_parameters={'use_sim_time': True})
    clock(peers, 'simulation', lambda number: time.time_ns() - start)
    peers.start()
    findings = watch(own_domain, lambda found: not any(
        finding.code.startswith(('joint-stamps', 'clock')) for finding in found))
    assert not [finding for finding in findings
                if finding.code.startswith(('joint-stamps', 'clock'))]


@pytest.mark.skipif(not TELLS_GIDS, reason='rclpy does not tell who sent a message')
def test_rules_without_a_case_here_are_tested_elsewhere():
    in_cases = {code for expected in CASES.expected.values() for code in expected}
    assert {rule.code for rule in GRAPH_RULES.values() if rule.category != 'control'} - (
        in_cases) == {'clock-mixed', 'clock-stands', 'clock-several-publishers'}
