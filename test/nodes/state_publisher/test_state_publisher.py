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

"""The state publisher from outside: what goes in by topics and parameters, and what comes out."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
import re
import signal

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Quaternion
from geometry_msgs.msg import Transform
from geometry_msgs.msg import Vector3
import numpy as np
import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import DescribeParameters
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import SetParameters
from rclpy.duration import Duration
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String
from support.chains import text
from support.failed_starts import failed_starts
from tf2_msgs.msg import TFMessage
from urdf_tools.ros.topics import LATCHED

ROBOT = """
<robot name="tested">
  <link name="base"/><link name="mount"/><link name="arm"/><link name="slide"/>
  <link name="finger_1"/><link name="finger_2"/><link name="finger_3"/>
  <joint name="mount_joint" type="fixed">
    <parent link="base"/><child link="mount"/><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
  </joint>
  <joint name="arm_joint" type="revolute">
    <parent link="mount"/><child link="arm"/><origin xyz="5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/>
  </joint>
  <joint name="slide_joint" type="prismatic">
    <parent link="arm"/><child link="slide"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="finger_3_joint" type="prismatic">
    <parent link="slide"/><child link="finger_3"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="finger_2_joint" multiplier="3" offset="1"/>
  </joint>
  <joint name="finger_2_joint" type="prismatic">
    <parent link="slide"/><child link="finger_2"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="finger_1_joint" multiplier="2"/>
  </joint>
  <joint name="finger_1_joint" type="prismatic">
    <parent link="slide"/><child link="finger_1"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/>
  </joint>
</robot>
"""

RELOADED = ROBOT.replace('xyz="0 0 1" rpy', 'xyz="0 0 2" rpy').replace(
    '<robot name="tested">', '<robot name="reloaded"><link name="tool"/>'
    '<joint name="tool_joint" type="fixed"><parent link="arm"/><child link="tool"/></joint>')

WITHOUT_STATICS = """
<robot name="small"><link name="mount"/><link name="arm"/>
  <joint name="arm_joint" type="continuous">
    <parent link="mount"/><child link="arm"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""


SDF = """<sdf version="1.9"><model name="m">
  <link name="base"/>
  <link name="tool"><pose>0 0 1 0 0 0</pose></link>
  <joint name="j" type="fixed">
    <pose>0 0 0.5 0 0 0</pose><parent>base</parent><child>tool</child>
  </joint>
</model></sdf>
"""
"""As in sdformat_urdf, the frame of a link is that of its joint."""

EVERYTHING = QoSProfile(depth=1000)


class Publisher:
    """A running state publisher, what it publishes, and what drives it."""

    _seconds = count(1000, 10)

    def __init__(self, client, process, name='state_publisher', namespace='', robot=''):
        self.client = client
        self.process = process
        self.name = name
        self._parameters = f'{namespace}/{name}/set_parameters'
        self.tf = client.subscribe(TFMessage, '/tf', EVERYTHING)
        self._joint_states = client.node.create_publisher(
            JointState, f'{namespace}{robot}/joint_states', EVERYTHING)

    def connect(self):
        """Wait until joint states go in and transforms come out."""
        self.client.wait_for(
            lambda: self.send(arm_joint=0.0) or self.tf, 'the first transform')
        return self

    def second(self):
        """Return a time in seconds that lies well after all stamps so far."""
        return next(self._seconds)

    def send(self, stamp=None, **positions):
        """Publish positions by name, well after the last ones."""
        self.send_lists(positions.keys(), positions.values(), stamp)

    def send_lists(self, names, positions, stamp=None, **rest):
        """Publish names and positions that need not agree."""
        message = JointState(
            name=list(names), position=[float(p) for p in positions], **rest)
        message.header.stamp = Time(sec=self.second()) if stamp is None else stamp
        self._joint_states.publish(message)
        self.last_stamp = message.header.stamp

    def moved(self, **positions):
        """Publish positions, and return the transforms that they make by child frame."""
        self.send(**positions)
        return self.received()

    def received(self):
        """Return the transforms that the last joint state makes, by child frame."""
        stamp = self.last_stamp
        return by_child(self.client.wait_for(
            lambda: next((m for m in self.tf if m.transforms
                          and m.transforms[0].header.stamp == stamp), None), 'transforms'))

    def ask(self, **values):
        """Ask for parameters to be set; the future holds the response."""
        client = self.client.client(SetParameters, self._parameters)
        return client.call_async(SetParameters.Request(parameters=to_parameters(values)))

    def set(self, **values):
        """Set parameters, and return the reason of the first refusal or an empty string."""
        response = self.client.call(
            SetParameters, self._parameters,
            parameters=to_parameters(values))
        return next((result.reason for result in response.results if not result.successful), '')

    def static_frames(self):
        """Return what a late joiner receives of /tf_static, by child frame."""
        return by_child(late_joiner(self.client, TFMessage, '/tf_static'))

    def static_stamp(self):
        """Let /tf_static be published again, and return the seconds of its stamp."""
        self.set(fix_multi_dof_joints=False)
        return self.static_frames()['mount'].header.stamp.sec

    def status(self, task, holds=lambda values: True):
        """Return level and values of a diagnostic task once the values are as they should."""
        status = self.client.status(
            f'{self.name}: {task}', lambda status: holds(values_of(status)))
        return status.level, values_of(status)


def to_parameters(values):
    return [Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]


def late_joiner(client, kind, topic):
    messages = client.subscribe(kind, topic, LATCHED)
    client.wait_for(lambda: messages, topic)
    return messages[-1]


def values_of(status):
    return {pair.key: pair.value for pair in status.values}


def by_child(message):
    return {transform.child_frame_id: transform for transform in message.transforms}


def translation(transform):
    vector = transform.transform.translation
    return [vector.x, vector.y, vector.z]


def rotation(transform):
    quaternion = transform.transform.rotation
    return [quaternion.x, quaternion.y, quaternion.z, quaternion.w]


def start(client, nodes, **parameters) -> Publisher:
    """Start a state publisher that gets every joint state, however fast they are sent."""
    process = nodes.start('state_publisher', {
        'robot_description': ROBOT,
        'qos_overrides./joint_states.subscription.reliability': 'reliable',
        'qos_overrides./joint_states.subscription.depth': 1000, **parameters})
    return Publisher(client, process).connect()


@pytest.fixture(scope='module')
def publisher(client, nodes) -> Publisher:
    return start(client, nodes)


@pytest.fixture
def reset(publisher) -> Iterator[None]:
    """Put the parameters back after a test that changes them."""
    yield
    assert publisher.set(
        robot_description=ROBOT, frame_prefix='', publish_tf=True, publish_frequency=20.0,
        ignore_timestamp=False, stamp_policy='message', fix_multi_dof_joints=False) == ''


def test_late_joiner_gets_the_fixed_frames(publisher):
    frames = publisher.static_frames()
    assert frames.keys() == {'mount'}
    mount = frames['mount']
    assert mount.header.frame_id == 'base'
    assert mount.header.stamp.sec > 0
    assert translation(mount) == pytest.approx([0, 0, 1])
    assert rotation(mount) == pytest.approx([0, 0, np.sqrt(0.5), np.sqrt(0.5)])


def test_late_joiner_gets_the_description(publisher, client):
    assert late_joiner(client, String, 'robot_description').data == ROBOT


@pytest.mark.parametrize(('topic', 'durability'), [
    ('/tf', DurabilityPolicy.VOLATILE),
    ('/tf_static', DurabilityPolicy.TRANSIENT_LOCAL),
    ('/robot_description', DurabilityPolicy.TRANSIENT_LOCAL),
])
def test_publications_have_the_quality_of_service(publisher, client, topic, durability):
    info = client.wait_for(
        lambda: next((info for info in client.node.get_publishers_info_by_topic(topic)
                      if info.node_name == 'state_publisher'), None), topic)
    assert info.qos_profile.reliability is ReliabilityPolicy.RELIABLE
    assert info.qos_profile.durability is durability


def test_quality_of_service_of_joint_states_can_be_overridden(publisher, client):
    [info] = client.wait_for(
        lambda: client.node.get_subscriptions_info_by_topic('/joint_states'), 'subscription')
    assert info.qos_profile.reliability is ReliabilityPolicy.RELIABLE


def test_moving_joint(publisher):
    frames = publisher.moved(arm_joint=np.pi / 2)
    assert frames.keys() == {'arm'}
    assert frames['arm'].header.frame_id == 'mount'
    assert translation(frames['arm']) == pytest.approx([5, 0, 0])
    assert rotation(frames['arm']) == pytest.approx([0, 0, np.sqrt(0.5), np.sqrt(0.5)])
    frames = publisher.moved(slide_joint=0.25, arm_joint=0)
    assert frames.keys() == {'arm', 'slide'}
    assert translation(frames['slide']) == pytest.approx([0, 0.25, 0])
    assert rotation(frames['arm']) == pytest.approx([0, 0, 0, 1])


@pytest.mark.parametrize(('given', 'expected'), [
    ({'finger_1_joint': 1}, [1, 2, 7]),
    ({'finger_1_joint': 1, 'finger_2_joint': 5}, [1, 5, 16]),
    ({'finger_2_joint': 0}, [None, 0, 1]),
])
def test_mimic_joints_follow_chains(publisher, given, expected):
    frames = publisher.moved(**given)
    assert [translation(frames[f'finger_{i}'])[2] if f'finger_{i}' in frames else None
            for i in (1, 2, 3)] == expected


def test_prefix_is_put_before_all_frames(publisher, reset):
    assert publisher.set(frame_prefix='left/') == ''
    arm = publisher.moved(arm_joint=1)['left/arm']
    assert arm.header.frame_id == 'left/mount'
    assert publisher.static_frames()['left/mount'].header.frame_id == 'left/base'


def test_bad_values_are_skipped_and_the_others_published(publisher):
    publisher.send_lists(
        ['arm_joint', 'slide_joint', 'ghost', 'slide_joint', 'finger_1_joint'],
        [np.nan, 0.5, 1, 0.7, -np.inf])
    frames = publisher.received()
    assert frames.keys() == {'slide'}
    assert translation(frames['slide']) == [0, 0.5, 0]
    publisher.send_lists(['slide_joint', 'arm_joint'], [0.25])
    assert translation(publisher.received()['slide']) == [0, 0.25, 0]
    publisher.send_lists(['slide_joint'], [0.75, 1, 2], velocity=[1.0], effort=[2.0, 3.0])
    assert translation(publisher.received()['slide']) == [0, 0.75, 0]
    level, values = publisher.status(
        'Joint states', lambda values: values.get('Values skipped: no name') == '2')
    assert values['Values skipped: non-finite'] == '2'
    assert values['Values skipped: duplicate'] == '1'
    assert values['Values skipped: unknown'] == '1'
    assert values['Values skipped: no position'] == '1'
    assert values['Unknown'] == 'ghost'
    for place in ('arm_joint, finger_1_joint', 'ghost'):
        publisher.process.wait_for_line(place)


def test_storm_of_bad_joint_states_is_survived(publisher):
    rng = np.random.default_rng(1)
    names = np.array(['arm_joint', 'slide_joint', 'finger_1_joint', 'x', '', 'é' * 1000])
    values = np.array([np.nan, np.inf, -np.inf, 1e308, 0.0])
    for _ in range(300):
        publisher.send_lists(
            rng.choice(names, rng.integers(0, 12)).tolist(),
            rng.choice(values, rng.integers(0, 12)), frame_id='f' * rng.integers(0, 9))
    frames = publisher.moved(arm_joint=0)
    assert rotation(frames['arm']) == [0, 0, 0, 1]
    for message in publisher.tf:
        for transform in message.transforms:
            assert np.isfinite([*translation(transform), *rotation(transform)]).all()


def dropped(publisher, reason, minimum=1):
    """Wait until so many joint states were dropped for a reason, since the node started."""
    def enough(values):
        return int(values.get(f'Dropped: {reason}', 0)) >= minimum

    return publisher.status('Transforms', enough)


def test_limit_of_frequency(publisher):
    start = publisher.second()
    for step in range(100):
        nanoseconds = step * 10_000_000
        publisher.send(Time(sec=start, nanosec=nanoseconds), arm_joint=0)
    dropped(publisher, 'throttled', 75)
    stamps = [m.transforms[0].header.stamp for m in publisher.tf]
    assert 20 <= sum(stamp.sec == start for stamp in stamps) <= 21


def test_joints_of_full_and_partial_messages_keep_the_limit(publisher, reset):
    start = publisher.second()
    for step in range(100):
        stamp = Time(sec=start, nanosec=step * 10_000_000)
        publisher.send(stamp, arm_joint=0)
        if step % 10 == 0:
            stamp = Time(sec=start, nanosec=step * 10_000_000 + 1)
            publisher.send(stamp, arm_joint=0, slide_joint=0)
    publisher.moved(arm_joint=0)
    frames = [transform.child_frame_id for message in publisher.tf
              for transform in message.transforms if transform.header.stamp.sec == start]
    assert 20 <= frames.count('arm') <= 21
    assert frames.count('slide') == 10


def test_frequency_zero_is_no_limit(publisher, reset):
    assert publisher.set(publish_frequency=0.0) == ''
    start = publisher.second()
    for step in range(50):
        publisher.send(Time(sec=start, nanosec=step + 1), arm_joint=0)
    publisher.received()
    assert sum(m.transforms[0].header.stamp.sec == start for m in publisher.tf) == 50


def test_zero_stamps_are_dropped_and_said_so_or_get_the_time(publisher, reset):
    publisher.send(Time(), arm_joint=0)
    level, _ = dropped(publisher, 'zero stamp')
    assert level == DiagnosticStatus.WARN
    publisher.process.wait_for_line('WARN.*zero stamp.*now_if_zero')
    assert publisher.set(stamp_policy='now_if_zero') == ''
    publisher.tf.clear()
    publisher.send(Time(), arm_joint=0)
    publisher.client.wait_for(lambda: publisher.tf, 'a transform')
    assert publisher.tf[0].transforms[0].header.stamp.sec > 1_000_000_000
    assert 'stamp_policy' in publisher.set(stamp_policy='guess')
    # Back to the seconds of these tests, which have to go on for a moment to count.
    publisher.send(arm_joint=0)
    publisher.moved(arm_joint=0)


def test_negative_and_overflowing_stamps_are_dropped_with_their_reason(publisher, reset):
    assert publisher.set(ignore_timestamp=True) == ''
    publisher.send(Time(sec=-5, nanosec=1), arm_joint=0)
    publisher.send(Time(sec=2**31 - 1, nanosec=2**32 - 1), arm_joint=0)
    dropped(publisher, 'negative stamp')
    dropped(publisher, 'stamp too large')
    publisher.process.wait_for_line('WARN.*negative stamp')
    assert all(message.transforms[0].header.stamp.sec >= 0 for message in publisher.tf)


def test_repeated_and_old_stamps_are_dropped_with_their_reason(publisher):
    publisher.moved(arm_joint=0)
    for _ in range(3):
        publisher.send(publisher.last_stamp, arm_joint=1)
    publisher.send(Time(sec=publisher.last_stamp.sec - 1, nanosec=500_000_000), arm_joint=1)
    dropped(publisher, 'repeated stamp', 2)
    dropped(publisher, 'old stamp')


def test_repeated_stamps_reach_who_comes_later(publisher, client):
    publisher.moved(arm_joint=0)
    stamp = publisher.last_stamp
    later = client.subscribe(TFMessage, '/tf', EVERYTHING)
    client.wait_for(lambda: publisher.send(stamp, arm_joint=0) or later, 'a repetition')
    assert later[0].transforms[0].header.stamp == stamp


def test_stamps_that_start_anew_are_published(publisher):
    publisher.moved(arm_joint=0)
    publisher.send(Time(sec=10), arm_joint=0)
    dropped(publisher, 'stamp went back')
    publisher.send(Time(sec=11), arm_joint=0)
    assert publisher.received()


def test_two_sources_are_named_and_frames_never_go_back(publisher, reset):
    assert publisher.set(publish_frequency=0.0) == ''
    second = publisher.second()
    publisher.tf.clear()
    for step in range(20):
        nanoseconds = 50_000_000 * step
        publisher.send(Time(sec=second, nanosec=nanoseconds), arm_joint=1)
        publisher.send(Time(sec=second - 2, nanosec=nanoseconds), arm_joint=0)
    publisher.moved(arm_joint=1)
    stamps = [(stamp.sec, stamp.nanosec) for message in publisher.tf
              for stamp in [message.transforms[0].header.stamp]]
    assert stamps == sorted(stamps)
    assert len(stamps) == 21
    level, _ = dropped(publisher, 'two sources or clocks', 18)
    assert level == DiagnosticStatus.WARN
    publisher.process.wait_for_line('WARN.*two sources or two clocks.*they differ by 2.0 s')


def test_ignored_stamps_are_not_limited(publisher, reset):
    assert publisher.set(ignore_timestamp=True) == ''
    publisher.tf.clear()
    stamp = Time(sec=publisher.second())
    for _ in range(5):
        publisher.send(Time(), arm_joint=0)
        publisher.send(stamp, arm_joint=0)
    publisher.client.wait_for(lambda: len(publisher.tf) == 10, 'all transforms')


def test_qos_of_transforms_can_be_overridden(own_client, own_nodes):
    own_nodes.start('state_publisher', {
        'robot_description': ROBOT, 'qos_overrides./tf.publisher.reliability': 'best_effort',
        'qos_overrides./tf.publisher.durability': 'transient_local',
        'qos_overrides./tf_static.publisher.reliability': 'best_effort'})

    def profile(topic):
        infos = own_client.wait_for(
            lambda: own_client.node.get_publishers_info_by_topic(topic), topic)
        return infos[0].qos_profile

    assert profile('/tf').reliability == ReliabilityPolicy.BEST_EFFORT
    assert profile('/tf').durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert profile('/tf_static').reliability == ReliabilityPolicy.BEST_EFFORT
    assert profile('/tf_static').durability == DurabilityPolicy.TRANSIENT_LOCAL
    names = [
        f'qos_overrides.{topic}.{policy}' for topic, policies in {
            '/tf.publisher': ('depth', 'durability', 'history', 'reliability'),
            '/tf_static.publisher': ('depth', 'history', 'reliability'),
            '/joint_states.subscription': ('depth', 'history', 'reliability')}.items()
        for policy in policies]
    response = own_client.call(GetParameters, 'state_publisher/get_parameters', names=names)
    assert all(value.type for value in response.values)


@pytest.mark.parametrize(('values', 'reason'), [
    ({'publish_frequency': -1.0}, 'publish_frequency out of range'),
    ({'publish_frequency': 1001.0}, 'publish_frequency out of range'),
    ({'publish_frequency': 1e-300}, 'publish_frequency is 1e-300; it must be 0 or at least 0.01'),
    ({'publish_frequency': float('nan')}, 'publish_frequency out of range'),
    ({'static_period': 1e-9}, 'static_period is 1e-09; it must be 0 or at least 0.01'),
    ({'static_period': float('inf')}, 'static_period out of range'),
    ({'publish_frequency': 'fast'}, 'Wrong parameter type'),
    ({'robot_description': ''}, 'The description is empty'),
    ({'robot_description': 'robot.urdf'}, 'not its path'),
    ({'robot_description': '<robot name="a">\n<link name="b">\n</robot>'}, '2:.*mismatched tag'),
    ({'robot_description': ROBOT.replace('link="arm"', 'link="ghost"')}, 'ghost'),
    ({'use_robot_description_topic': True}, 'read-only'),
])
def test_what_is_refused_changes_nothing(publisher, values, reason):
    assert re.search(reason, publisher.set(**values))
    assert publisher.moved(arm_joint=0).keys() == {'arm'}
    assert publisher.static_frames().keys() == {'mount'}


def test_refused_description_is_in_diagnostics_until_the_next_good_one(publisher, reset):
    assert publisher.set(robot_description='<robot name="a"/>')
    level, values = publisher.status('Model', lambda values: 'Rejected because' in values)
    assert level == DiagnosticStatus.WARN
    assert values['Robot'] == 'tested'
    publisher.process.wait_for_line('New description refused, keeping the last good one')
    assert publisher.set(robot_description=ROBOT) == ''
    level, values = publisher.status('Model', lambda values: 'Rejected because' not in values)
    assert level == DiagnosticStatus.OK


def test_large_descriptions_are_taken_or_refused_in_their_order(publisher, client, reset):
    large = text(*(f'j{i} fixed' for i in range(1500)))
    service = client.client(SetParameters, 'state_publisher/set_parameters')
    answers = [service.call_async(SetParameters.Request(parameters=[
        Parameter('robot_description', value=description).to_parameter_msg()]))
        for description in (large, large + 'x', large.replace('j0', 'k0'))]
    client.wait_for(lambda: all(answer.done() for answer in answers), 'the answers')
    results = [answer.result().results[0] for answer in answers]
    assert [result.successful for result in results] == [True, False, True]
    assert 'junk after document element' in results[1].reason
    assert late_joiner(client, String, 'robot_description').data == large.replace('j0', 'k0')


def test_new_description_replaces_the_old_one(publisher, client, reset):
    publisher.moved(arm_joint=1, slide_joint=0)
    assert publisher.set(robot_description=RELOADED) == ''
    frames = publisher.static_frames()
    assert frames.keys() == {'mount', 'tool'}
    assert translation(frames['mount']) == [0, 0, 2]
    assert late_joiner(client, String, 'robot_description').data == RELOADED
    assert publisher.moved(arm_joint=0).keys() == {'arm'}


def test_sdf_is_published_as_it_came(publisher, client, reset):
    assert publisher.set(robot_description=SDF) == ''
    frames = publisher.static_frames()
    assert frames.keys() == {'tool'}
    assert frames['tool'].header.frame_id == 'base'
    assert translation(frames['tool']) == pytest.approx([0, 0, 1.5])
    assert late_joiner(client, String, 'robot_description').data == SDF


def test_removed_frames_are_gone_for_late_joiners(publisher, reset):
    assert publisher.set(robot_description=WITHOUT_STATICS) == ''
    assert publisher.static_frames() == {}
    assert publisher.moved(arm_joint=0, slide_joint=0).keys() == {'arm'}


def test_transforms_can_be_off(publisher, reset):
    assert publisher.set(publish_tf=False) == ''
    assert publisher.static_frames() == {}
    publisher.tf.clear()
    _, values = publisher.status('Joint states')
    publisher.send(arm_joint=0)
    publisher.status('Joint states', lambda now: int(now['Messages']) > int(values['Messages']))
    assert publisher.tf == []


@pytest.mark.slow
def test_transforms_that_are_off_are_not_advertised(own_client, own_nodes):
    node = own_nodes.start('state_publisher', {
        'robot_description': ROBOT, 'publish_tf': False, 'static_period': 0.01,
        'qos_overrides./tf.publisher.depth': 7})
    publisher = Publisher(own_client, node)
    publisher.status('Transforms')
    assert not own_client.node.count_publishers('/tf')
    assert not own_client.node.count_publishers('/tf_static')
    assert 'WARN' not in node.output
    assert publisher.set(publish_tf=True) == ''
    publisher.connect()
    assert publisher.static_frames().keys() == {'mount'}


def test_diagnostics_tell_missing_joints_and_limits(publisher, reset):
    assert publisher.set(robot_description=ROBOT.replace('slide_joint', 'new_joint')) == ''
    publisher.send(arm_joint=3.5, finger_1_joint=0)
    level, values = publisher.status(
        'Joint states', lambda values: values['Beyond limits'] == 'arm_joint')
    assert level == DiagnosticStatus.WARN
    assert values['Missing'] == 'new_joint'


def test_parameters_are_those_of_robot_state_publisher(publisher, client):
    names = ['publish_frequency', 'ignore_timestamp', 'frame_prefix', 'publish_tf',
             'use_robot_description_topic', 'use_sim_time', 'robot_description']
    response = client.call(GetParameters, 'state_publisher/get_parameters', names=names)
    assert [Parameter.from_parameter_msg(
        ParameterMessage(name=name, value=value)).value for name, value in zip(
            names, response.values)] == [20.0, False, '', True, False, False, ROBOT]
    response = client.call(DescribeParameters, 'state_publisher/describe_parameters', names=names)
    assert [each.name for each in response.descriptors if each.read_only] == [
        'use_robot_description_topic']
    [limits] = response.descriptors[0].floating_point_range
    assert (limits.from_value, limits.to_value) == (0, 1000)


BAD_STARTS = [
    ({}, 'The description is empty'),
    ({'robot_description': 'robot.urdf'}, 'not its path'),
    ({'robot_description': '<robot name="a">'}, '1:.*no element|1:.*unclosed'),
    ({'robot_description': ROBOT, 'publish_frequency': 2000.0}, 'between 0.0 and 1000.0'),
    ({'robot_description': ROBOT, 'publish_frequency': 1e-300},
     'publish_frequency is 1e-300; it must be 0 or at least 0.01'),
    ({'robot_description': ROBOT, 'static_period': 1e-9},
     'static_period is 1e-09; it must be 0 or at least 0.01'),
    ({'robot_description': ROBOT, 'publish_frequency': 50}, 'of type double.*such as 50.0'),
    ({'robot_description': 7}, 'value_type=str'),
    ({'robot_description': ROBOT, 'qos_overrides./tf.publisher.reliability': 'sure'},
     'qos_overrides is refused.*reliability.*sure'),
]


@pytest.mark.slow
def test_bad_start_ends_with_one_sentence(domain, tmp_path):
    parameters, reasons = zip(*BAD_STARTS)
    outputs = failed_starts('state_publisher', tmp_path, [(each, ()) for each in parameters])
    for reason, output in zip(reasons, outputs):
        assert re.search(reason, output)
        assert output.count('\n') == 1


BAD_ARGUMENTS = {
    "Cannot read 'missing.urdf': No such file or directory. Give the path of a URDF file; a xacro "
    'file has to be expanded first': ({}, ['missing.urdf']),
    "Unexpected argument 'b.urdf'": ({}, ['a.urdf', 'b.urdf']),
    "Unexpected argument 'a.urdf': a URDF file is taken only without use_robot_description_topic":
        ({'use_robot_description_topic': True}, ['a.urdf']),
    "[left.publisher]: /left/publisher cannot start: File 'bad.urdf' is refused: 2:3: ":
        ({}, ['bad.urdf', '--ros-args', '-r', '__ns:=/left', '-r', '__node:=publisher']),
}


def test_bad_argument_is_named(domain, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path('bad.urdf').write_text('<robot name="r">\n  <link/>\n</robot>')
    outputs = failed_starts('state_publisher', tmp_path, [*BAD_ARGUMENTS.values()])
    for reason, output in zip(BAD_ARGUMENTS, outputs):
        assert reason in output


DEPRECATED = (
    'No robot_description parameter, but command-line argument available.  Assuming argument is '
    'name of URDF file.  This backwards compatibility fallback will be removed in the future.')


def run_with(nodes, *arguments):
    """Run a state publisher with some arguments until it has a robot."""
    node = nodes.run('state_publisher', arguments)
    node.wait_for_line('Robot ')
    assert node.stop() == 0
    return node.output


def test_urdf_file_as_an_argument_is_deprecated(own_nodes, tmp_path):
    file = tmp_path / "a robot's.urdf"
    file.write_text(ROBOT)
    output = run_with(own_nodes, str(file))
    assert 'WARN' in output and DEPRECATED in output and "Robot 'tested'" in output


def test_parameter_outweighs_a_urdf_file_as_an_argument(own_nodes):
    output = run_with(own_nodes, 'missing.urdf', '--ros-args', '-p', 'robot_description:='
                      '<robot name="given"><link name="base"/></robot>')
    assert "Robot 'given'" in output and DEPRECATED not in output


def test_use_robot_description_topic(nodes, client):
    node = nodes.start(
        'state_publisher',
        {'use_robot_description_topic': True, 'publish_frequency': 0.0, 'frame_prefix': 'robot/'},
        ['-r', '__ns:=/robot', '-r', '__node:=robot_state_publisher'])
    publisher = Publisher(client, node, 'robot_state_publisher', '/robot')
    level, _ = publisher.status('Model')
    assert level == DiagnosticStatus.WARN
    descriptions = client.node.create_publisher(String, '/robot/robot_description', LATCHED)
    descriptions.publish(String(data='<robot name="a">'))
    node.wait_for_line('ERROR.*/robot/robot_description:1:.*')
    descriptions.publish(String(data=WITHOUT_STATICS))
    node.wait_for_line("Robot 'small'")
    publisher.connect()
    descriptions.publish(String(data='nothing'))
    node.wait_for_line('keeping the last good one')
    assert publisher.moved(arm_joint=0).keys() == {'robot/arm'}
    assert client.node.count_publishers('/robot/robot_description') == 1
    assert node.stop(signal.SIGTERM) == 0
    assert 'Traceback' not in node.output


MULTI_DOF = WITHOUT_STATICS.replace('</robot>', """
  <link name="disc"/><link name="drone"/>
  <joint name="planar" type="planar">
    <parent link="mount"/><child link="disc"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="floating" type="floating">
    <parent link="mount"/><child link="drone"/><origin xyz="0 0 2"/>
  </joint>
</robot>""")


def test_multi_dof_joints_are_fixed_only_where_asked_for(publisher, reset):
    assert publisher.set(robot_description=MULTI_DOF) == ''
    assert publisher.static_frames() == {}
    assert publisher.set(fix_multi_dof_joints=True) == ''
    assert publisher.static_frames().keys() == {'disc', 'drone'}


def pose(x=0.0, y=0.0, z=0.0, qx=0.0, qy=0.0, qz=0.0, qw=1.0):
    return Transform(
        translation=Vector3(x=x, y=y, z=z), rotation=Quaternion(x=qx, y=qy, z=qz, w=qw))


def test_multi_dof_joints_move_by_their_states(publisher, client, reset):
    assert publisher.set(robot_description=MULTI_DOF) == ''
    level, values = publisher.status('Transforms', lambda values: values['Waiting for'])
    assert values['Waiting for'] == 'planar, floating'
    states = client.node.create_publisher(
        MultiDOFJointState, 'multi_dof_joint_states', EVERYTHING)

    def moved(**poses):
        message = MultiDOFJointState(
            joint_names=list(poses), transforms=list(poses.values()))
        message.header.stamp = publisher.last_stamp = Time(sec=publisher.second())
        states.publish(message)

    client.wait_for(
        lambda: moved(floating=pose(), planar=pose())
        or publisher.status('Transforms')[1]['Waiting for'] == '', 'states to arrive')

    moved(floating=pose(1.0, 2.0, 3.0, qx=2.0, qw=0.0))
    frames = publisher.received()
    assert frames.keys() == {'drone'}
    assert frames['drone'].header.frame_id == 'mount'
    assert translation(frames['drone']) == [1, 2, 5]
    assert rotation(frames['drone']) == [1, 0, 0, 0]

    # What a planar joint cannot do is left out.
    moved(planar=pose(1.0, 2.0, 3.0, qz=1.0))
    frames = publisher.received()
    assert frames.keys() == {'disc'}
    assert translation(frames['disc']) == [1, 2, 1]
    assert rotation(frames['disc']) == pytest.approx([0, 0, np.sqrt(0.5), np.sqrt(0.5)])

    moved(floating=pose(np.nan), ghost=pose(), planar=pose(qw=0.0), arm_joint=pose())
    moved(floating=pose(qw=0.0), planar=pose(3.0))
    assert publisher.received().keys() == {'disc'}
    publisher.status('Joint states', lambda values: (
        int(values.get('Values skipped: not planar or floating', 0)) >= 2
        and int(values['Values skipped: non-finite']) >= 2))


def test_static_frames_are_repeated_where_asked_for(publisher, client, reset):
    repeated = client.subscribe(TFMessage, '/tf_static', LATCHED)
    client.wait_for(lambda: repeated, 'statics')
    assert publisher.set(static_period=0.01) == ''
    client.wait_for(lambda: len(repeated) > 3, 'repetitions')
    assert all(by_child(message).keys() == {'mount'} for message in repeated)
    assert publisher.set(static_period=0.0) == ''


def test_new_description_takes_effect_between_two_joint_states(publisher, reset):
    assert publisher.set(publish_frequency=0.0) == ''
    second = publisher.second()
    publisher.tf.clear()

    def send(first, last):
        for step in range(first, last):
            publisher.send(Time(sec=second, nanosec=step + 1), arm_joint=0.0)

    send(0, 300)
    answer = publisher.ask(robot_description=ROBOT.replace('xyz="5 0 0"', 'xyz="6 0 0"'))
    send(300, 600)
    publisher.client.wait_for(answer.done, 'the new description')
    send(600, 700)
    publisher.client.wait_for(lambda: len(publisher.tf) == 700, 'all transforms')
    stamps = [message.transforms[0].header.stamp.nanosec for message in publisher.tf]
    assert stamps == list(range(1, 701))
    places = [translation(message.transforms[0])[0] for message in publisher.tf]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (5, 6)


def test_stamps_far_from_the_clock_are_reported(publisher, client):
    def publish(offset):
        stamp = client.node.get_clock().now() + Duration(seconds=offset)
        publisher.send(stamp.to_msg(), arm_joint=0)
        return publisher.status('Transforms')

    client.wait_for(lambda: publish(0)[0] == DiagnosticStatus.OK, 'fresh stamps to be no matter')
    client.wait_for(lambda: publish(60)[0] == DiagnosticStatus.WARN, 'stamps of the future')
    client.wait_for(lambda: publish(-60)[0] == DiagnosticStatus.WARN, 'stamps of the past')


def test_time_that_jumps_back_starts_over(own_client, own_nodes):
    publisher = start(own_client, own_nodes, use_sim_time=True)
    clock = own_client.node.create_publisher(Clock, '/clock', EVERYTHING)
    own_client.wait_for(clock.get_subscription_count, 'the subscription to the clock')

    def tick(seconds):
        clock.publish(Clock(clock=Time(sec=seconds)))

    def turn_clock(seconds):
        own_client.wait_for(
            lambda: tick(seconds) or publisher.static_stamp() == seconds,
            'simulated time to arrive')

    second = publisher.second()
    turn_clock(second)
    publisher.send(Time(sec=second), arm_joint=0)
    publisher.received()
    # So little that by its stamp alone the next joint state would be an old one.
    turn_clock(second - 1)
    publisher.process.wait_for_line('Time jumped backwards')
    publisher.send(Time(sec=second - 1, nanosec=500_000_000), arm_joint=0)
    publisher.received()


def test_signal_ends_the_node(publisher):
    assert publisher.process.stop(signal.SIGINT) == 0, publisher.process.output
    assert 'Traceback' not in publisher.process.output
