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

import math
import struct

from builtin_interfaces.msg import Time
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Header
from urdf_tools.messages.joint_state_reader import JointStateParser
from urdf_tools.messages.joint_state_reader import TooManyNames
from urdf_tools.ros.conversions import deserialize_joint_state


def joint_state(names, positions, frame='', stamp=(1, 2), **rest):
    header = Header(stamp=Time(sec=stamp[0], nanosec=stamp[1]), frame_id=frame)
    return JointState(header=header, name=list(names), position=list(positions), **rest)


def reader():
    return JointStateParser(
        lambda names, count: (tuple(names), count), 1000, deserialize_joint_state)


MESSAGES = [
    joint_state([], []),
    joint_state(['a'], [1.0]),
    joint_state(['a', 'bc', 'def', 'ghij'], [1.0, -2.5, 3e300, -0.0]),
    joint_state(['a', 'b'], [1.0, 2.0], velocity=[3.0, 4.0], effort=[5.0]),
    joint_state(['a', 'b'], [], velocity=[3.0, 4.0]),
    joint_state(['a', 'b', 'c'], [1.0, 2.0]),
    joint_state(['a'], [1.0, 2.0, 3.0]),
    joint_state(['a'], [1.0], frame='base'),
    joint_state(['é', '関節', ''], [1.0, 2.0, 3.0], frame='b'),
    joint_state(['a'], [1.0], stamp=(-1, 999_999_999)),
    joint_state([f'joint_{i}' for i in range(1000)], range(1000)),
]


@pytest.mark.parametrize('message', MESSAGES, ids=range(len(MESSAGES)))
def test_joint_states_are_read_as_by_the_middleware(message):
    stamp, layout, positions = reader().parse(bytes(serialize_message(message)))
    assert stamp == message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
    assert layout == (tuple(message.name), len(message.position))
    assert list(positions) == list(message.position)


def test_names_are_laid_out_once_while_they_stay_the_same():
    calls = []
    names_of = JointStateParser(
        lambda names, count: calls.append(tuple(names)) or tuple(names), 1000)
    for positions in ([1.0, 2.0], [3.0, 4.0], [5.0, 6.0]):
        _, layout, values = names_of.parse(serialize_message(joint_state('ab', positions)))
        assert layout == ('a', 'b')
        assert list(values) == positions
    assert calls == [('a', 'b')]


def test_interleaved_sources_are_laid_out_once_each():
    calls = []
    names_of = JointStateParser(lambda names, count: calls.append(count) or tuple(names), 1000)
    messages = [joint_state('ab', [1.0, 2.0]), joint_state('ba', [1.0, 2.0]),
                joint_state('ab', [1.0]), joint_state('abc', [1.0, 2.0, 3.0])]
    # Serialized once, as the bytes between the names may be anything.
    for message, data in [(message, serialize_message(message)) for message in messages] * 3:
        assert names_of.parse(data)[1] == tuple(message.name)
    assert calls == [2, 2, 1, 3]


def test_big_endian_joint_states_are_read_as_messages():
    data = (b'\0\0\0\0' + struct.pack('>iI', 7, 8) + struct.pack('>I2s2x', 2, b'f\0')
            + struct.pack('>II2s2x', 1, 2, b'a\0') + struct.pack('>Id', 1, 1.5)
            + struct.pack('>II', 0, 0))
    stamp, layout, positions = reader().parse(data)
    assert (stamp, layout, list(positions)) == (7_000_000_008, (('a',), 1), [1.5])
    with pytest.raises(ValueError, match='not little-endian'):
        JointStateParser(lambda names, count: names, 1000).parse(data)


@pytest.mark.parametrize('header', ['00000001', '000200ff', '00010003', '00010101', '0001'])
def test_a_header_without_a_message_is_refused(header):
    with pytest.raises(ValueError, match='cut short'):
        reader().parse(bytes.fromhex(header))


def test_the_number_of_names_is_limited():
    """So that nobody stops the transforms for as long as reading many names takes."""
    assert len(reader().parse(serialize_message(joint_state(['a'] * 1000, [])))[1][0]) == 1000
    message = serialize_message(joint_state(['a'] * 1001, []))
    for data in (message, b'\0\0' + message[2:]):
        with pytest.raises(ValueError):
            reader().parse(data)
    with pytest.raises(TooManyNames, match='1001 names'):
        reader().parse(message)


@pytest.mark.parametrize('count', [1, 2, 3, 50])
def test_no_position_is_read_of_a_message_that_a_middleware_has_filled_up(count):
    names, positions = [f'joint_{i}' for i in range(count)], [math.nan] * count
    whole = serialize_message(joint_state(names, positions))
    for length in range(4, len(whole)):
        cut = whole[:length]
        cut += bytes(-len(cut) % 4)
        try:
            found = reader().parse(cut)[2]
        except ValueError:
            continue
        assert np.isnan(found).all()


@given(strategies.data())
@settings(max_examples=10 * settings().max_examples)
def test_damaged_joint_states_are_refused_or_read_within_their_bytes(data):
    damaged = bytearray(serialize_message(
        joint_state(['ab', 'c'], [1.0, 2.0], frame='base', velocity=[1.0])))
    del damaged[data.draw(strategies.integers(4, len(damaged))):]
    for _ in range(data.draw(strategies.integers(0, 3))):
        if len(damaged) > 4:
            place = data.draw(strategies.integers(4, len(damaged) - 1))
            damaged[place] = data.draw(strategies.integers(0, 255))
    try:
        _, (names, count), positions = reader().parse(bytes(damaged))
    except ValueError:
        return
    assert len(positions) == count
    assert 8 * count + 4 * len(names) <= len(damaged)
    assert all(float(position).hex() for position in positions)


def test_an_unterminated_name_is_empty():
    data = (b'\0\1\0\0' + struct.pack('<iI', 7, 8) + struct.pack('<I', 0)
            + struct.pack('<II', 1, 0) + struct.pack('<I4xd', 1, 1.5) + struct.pack('<II', 0, 0))
    assert reader().parse(data)[1] == (('',), 1)
