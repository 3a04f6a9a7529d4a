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


"""Whatever arrives on the topics, the rules evaluate it, and none fails."""

from __future__ import annotations

from geometry_msgs.msg import TransformStamped
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.graph_records import MODEL
from tf2_msgs.msg import TFMessage
from urdf_tools.doctor.collected_messages import frame_tracks
from urdf_tools.doctor.collected_messages import joint_tracks
from urdf_tools.doctor.collected_messages import StampedMessages
from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.robots import observed_robots
from urdf_tools.doctor.robots import robot_of
from urdf_tools.messages import batches
from urdf_tools.messages.batches import MAX_LAYOUTS
from urdf_tools.messages.batches import Message
from urdf_tools.messages.batches import TooManyNames
from urdf_tools.messages.headers import HeaderPosition

TEXT = MODEL.format(name='any')
NOW = 10**18
NUMBERS = st.one_of(
    st.floats(), st.sampled_from([0.0, 1.0, 1e308, float('nan'), float('inf')]))
NAMES = st.sampled_from(['turn', 'slide', 'screws', '', 'other', 'turn'])
SCAN = 'sensor_msgs/msg/LaserScan'
FRAMES = st.sampled_from(['base', 'mount', 'arm', 'tool', '', 'other'])
GRAPH = Graph(
    ('/state_publisher', '/driver'),
    {'/robot_description': STRING, '/joint_states': JOINT_STATE, '/tf': TF_MESSAGE,
     '/tf_static': TF_MESSAGE, '/scan': SCAN},
    {'/robot_description': (Endpoint('/state_publisher'),),
     '/joint_states': (Endpoint('/driver', gid=b'a'),)},
    {topic: (Endpoint('/costmap'),) for topic in ('/scan', '/tf')})


@st.composite
def joint_states(draw):
    return JointState(
        name=draw(st.lists(NAMES, max_size=5)), position=draw(st.lists(NUMBERS, max_size=5)),
        velocity=draw(st.lists(NUMBERS, max_size=5)), effort=draw(st.lists(NUMBERS, max_size=5)))


@st.composite
def transforms(draw):
    message = TFMessage()
    for _ in range(draw(st.integers(0, 4))):
        stamped = TransformStamped(child_frame_id=draw(FRAMES))
        stamped.header.frame_id = draw(FRAMES)
        stamped.header.stamp.sec = draw(st.integers(-2**31, 2**31 - 1))
        rotation, translation = stamped.transform.rotation, stamped.transform.translation
        rotation.x, rotation.y, rotation.z, rotation.w, translation.x = (
            draw(NUMBERS) for _ in range(5))
        message.transforms.append(stamped)
    return message


@st.composite
def messages(draw, kinds):
    """Draw some messages as bytes, a few of them repeated, damaged or cut short."""
    received, found = NOW, []
    for made in draw(st.lists(kinds, max_size=4)):
        data = bytearray(serialize_message(made))
        for _ in range(draw(st.sampled_from([0, 0, 1, 3]))):
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        data = data[:draw(st.sampled_from([len(data), len(data), len(data) // 2, 3]))]
        for _ in range(draw(st.sampled_from([1, 2, 12]))):
            received += draw(st.integers(0, 10**9))
            found.append(Message(bytes(data), draw(st.sampled_from([b'', b'a', b'b'])), received))
    return found


@given(messages(joint_states()), messages(transforms()), messages(transforms()))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_rules_evaluate_whatever_arrives(states, moving, static):
    joints, bad_states = joint_tracks('/joint_states', states, lambda gid: (gid, '/driver'))
    frames, bad_moving = frame_tracks('/tf', moving, lambda gid: (gid, '/x'))
    fixed, bad_static = frame_tracks('/tf_static', static, lambda gid: (gid, '/y'))
    assert sum(len(track.received) for track in joints) + bad_states == len(states)
    assert 0 <= bad_moving <= len(moving) and 0 <= bad_static <= len(static)
    texts = (PublishedText('/robot_description', '/state_publisher', TEXT, *robot_of(TEXT)),)
    tracks = (*frames, *fixed)
    robots = observed_robots(GRAPH, texts, tracks, {})
    scans = StampedMessages('/scan', SCAN, HeaderPosition.ELEMENTS)
    for message in (*moving, *static):
        scans.add(message)
    report = evaluate(Observation(
        GRAPH, 5.0, NOW + 10**10, robots, texts, tuple(joints), tracks,
        stamped=tuple(scans.tracks(lambda gid: (gid, '/z')))), 'graph')
    assert not [finding.message for finding in report.findings if finding.code == 'internal-error']


def test_padding_does_not_tell_messages_apart():
    """Middlewares leave in it what was there before."""
    data = serialize_message(JointState(name=['turn'], position=[0.5]))
    start = data.index(b'turn\0') + 5
    assert start % 4, 'padding follows'
    sent = [Message(data[:start] + bytes([number]) + data[start + 1:], b'', number)
            for number in range(100)]
    (track,), bad = joint_tracks('/joint_states', sent, lambda gid: (gid, '/driver'))
    assert (len(track.received), bad) == (100, 0)


def test_frames_that_change_their_names_can_be_read():
    """Such as those of what a camera sees; they may have the slash of tf 1."""
    sent = [Message(bytes(serialize_message(TFMessage(transforms=[TransformStamped(
        child_frame_id=f'/tag{number:03}')]))), b'', number) for number in range(MAX_LAYOUTS + 50)]
    tracks, bad = frame_tracks('/tf', sent, lambda gid: (gid, '/camera'))
    assert (len(tracks), bad) == (MAX_LAYOUTS, 0)
    assert tracks[7].children == ('tag007',)


@pytest.mark.parametrize('messages, frames', [(1, 101), (101, 1), (3, 50)])
def test_more_names_than_may_be_read(messages, frames):
    """Those of each combination count, as each is evaluated."""
    sent = [Message(bytes(serialize_message(TFMessage(transforms=[TransformStamped(
        child_frame_id=f'{each:03}{number:03}') for each in range(frames)]))), b'', number)
        for number in range(messages)]
    with pytest.raises(TooManyNames):
        frame_tracks('/tf', sent, lambda gid: (gid, '/camera'), 100)
    tracks, _ = frame_tracks('/tf', sent, lambda gid: (gid, '/camera'), 200)
    assert sum(len(track.children) for track in tracks) == messages * frames


def test_messages_of_one_name_each_do_not_take_long(monkeypatch):
    """Each is compared with each layout."""
    monkeypatch.setattr(batches, 'MAX_ROWS', 5000)
    sent = [Message(bytes(serialize_message(JointState(name=[f'{number:04}']))), b'', number)
            for number in range(1000)]
    with pytest.raises(TooManyNames):
        joint_tracks('/joint_states', sent, lambda gid: (gid, '/driver'), 100)


def test_batches_equal_the_messages():
    """Numbers and stamps are those that rclpy reads, message by message."""
    rng = np.random.default_rng(1)
    sent = []
    for number in range(20):
        message = JointState(name=['turn', 'slide'], position=rng.random(2).tolist(),
                             velocity=rng.random(2).tolist(), effort=rng.random(1).tolist())
        message.header.frame_id = 'odd'
        message.header.stamp.sec, message.header.stamp.nanosec = number, 999_999_999 - number
        sent.append(message)
    (track,), bad = joint_tracks('/joint_states', [
        Message(bytes(serialize_message(message)), b'', number)
        for number, message in enumerate(sent)], lambda gid: (gid, '/driver'))
    assert bad == 0 and track.names == ('turn', 'slide')
    assert track.positions.tolist() == [list(message.position) for message in sent]
    assert track.velocities.tolist() == [list(message.velocity) for message in sent]
    assert track.efforts.tolist() == [list(message.effort) for message in sent]
    assert track.stamps.tolist() == [
        message.header.stamp.sec * 10**9 + message.header.stamp.nanosec for message in sent]
