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
"""Headers are read from serialized messages, whatever follows them."""

from itertools import product
import math
import struct

from hypothesis import given
from hypothesis import strategies as st
import pytest

from urdf_tools.doctor.collected_messages import MAX_FRAMES
from urdf_tools.doctor.collected_messages import StampedMessages
from urdf_tools.doctor.graph import SCAN
from urdf_tools.messages.batches import Message
from urdf_tools.messages.headers import Header
from urdf_tools.messages.headers import header_position
from urdf_tools.messages.headers import HeaderPosition
from urdf_tools.messages.headers import read_header

FIRST_FIELDS = {
    'std_msgs/Header': 'builtin_interfaces/Time',
    'my_msgs/Scan': 'std_msgs/Header',
    'my_msgs/Goal': 'my_msgs/Scan',
    'my_msgs/Scans': 'sequence<my_msgs/Scan, 5>',
    'my_msgs/Poses': 'sequence<geometry_msgs/PoseStamped>',
    'my_msgs/Late': 'int32',
    'my_msgs/Self': 'my_msgs/Self',
    'my_msgs/Empty': '',
}


def header(frame: bytes, sec: int = 5, nanosec: int = 7) -> bytes:
    return struct.pack('<iII', sec, nanosec, len(frame) + 1) + frame + b'\0'


def sender(source):
    return source, '/driver'


def nothing(name):
    return None


@pytest.mark.parametrize('kind, position', [
    ('my_msgs/msg/Scan', HeaderPosition.FIRST), ('my_msgs/msg/Goal', HeaderPosition.FIRST),
    ('my_msgs/msg/Scans', HeaderPosition.ELEMENTS), ('my_msgs/msg/Poses', HeaderPosition.ELEMENTS),
    ('my_msgs/msg/Late', None), ('my_msgs/msg/Self', None), ('my_msgs/msg/Empty', None),
    ('other_msgs/msg/LaserScan', None), ('sensor_msgs/msg/LaserScan', HeaderPosition.FIRST),
    ('tf2_msgs/msg/TFMessage', HeaderPosition.ELEMENTS), ('std_msgs/msg/String', None),
    ('odd', None)])
def test_types(kind, position):
    assert header_position(kind, FIRST_FIELDS.get) is position


def test_known_types_need_no_fields():
    markers = header_position('visualization_msgs/msg/MarkerArray', nothing)
    assert markers is HeaderPosition.ELEMENTS
    assert header_position('my_msgs/msg/Scan', nothing) is None


def test_headers():
    data = b'\0\1\0\0' + header(b'/lidar') + b'anything'
    assert read_header(data) == Header(5_000_000_007, '/lidar')
    array = b'\0\1\0\0' + struct.pack('<I', 2) + header(b'map', -1) + header(b'odom')
    assert read_header(array, HeaderPosition.ELEMENTS) == Header(-999_999_993, 'map')
    assert read_header(b'\0\1\0\0\0\0\0\0', HeaderPosition.ELEMENTS) is None


@given(st.binary(max_size=60), st.sampled_from(HeaderPosition))
def test_whatever_arrives(data, position):
    for given_data in (data, b'\0\1\0\0' + data):
        try:
            found = read_header(given_data, position)
        except ValueError:
            continue
        assert found is None or len(found.frame) <= len(given_data)


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('low, high', [(0.0, 0.0), (0.0, math.inf)])
@pytest.mark.parametrize('first, step', [*product([0.0, math.inf, -math.inf, 3e38], repeat=2)])
@pytest.mark.parametrize('each', [b'\1\0\x80\x7f', b'\1\0\xa0\xff', b'\0\0\x80\x3f'])
def test_scans_of_any_numbers_cause_no_warning(first, step, low, high, each):
    """Infinite ones and signalling NaN, of which numpy warns."""
    data = b'\0\1\0\0' + header(b'lidar') + bytes(2) + struct.pack(
        '<7fI', first, 0.0, step, 0.0, 0.0, low, high, 4) + each * 4 + struct.pack('<I', 0)
    messages = StampedMessages('/scan', SCAN, HeaderPosition.FIRST)
    messages.add(Message(data, b'', 1))
    assert messages.unreadable == 0
    assert len(messages.tracks(sender)) == 1


@pytest.mark.parametrize('data', [
    b'', b'\0\0\0\0' + header(b'a'), b'\0\1\0\0' + header(b'a' * 2000),
    b'\0\1\0\0' + struct.pack('<iII', 1, 1, 2**32 - 1) + b'a'])
def test_damaged(data):
    messages = StampedMessages('/scan', 'any', HeaderPosition.FIRST)
    messages.add(Message(data, b'', 1))
    assert (messages.unreadable, messages.tracks(sender)) == (1, [])


def test_messages_are_grouped_by_publisher_and_frame():
    messages = StampedMessages('/scan', 'any', HeaderPosition.FIRST)
    for number in range(4):
        data = b'\0\1\0\0' + header(b'ab'[number % 2:][:1], number)
        messages.add(Message(data, b'x', 10 + number))
    first, second = messages.tracks(sender)
    assert (first.frame, second.frame, first.publisher) == ('a', 'b', '/driver')
    assert first.received.tolist() == [10, 12]
    assert second.stamps.tolist() == [1_000_000_007, 3_000_000_007]
    messages.clear()
    assert not messages.tracks(sender)


def test_very_many_frames_are_left_out():
    messages = StampedMessages('/tags', 'any', HeaderPosition.FIRST)
    for number in range(MAX_FRAMES + 5):
        messages.add(Message(b'\0\1\0\0' + header(b'tag%d' % number), b'', 0))
    assert len(messages.tracks(sender)) == MAX_FRAMES
