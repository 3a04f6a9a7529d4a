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

"""Transforms written into prepared layouts, against serialized messages."""

from builtin_interfaces.msg import Time
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from support.tf_bytes import without_padding
from tf2_msgs.msg import TFMessage
from urdf_tools.messages.cdr import Transform
from urdf_tools.messages.cdr import write_transforms
from urdf_tools.ros.conversions import to_transform_stamped

FRAMES = [
    ([], []),
    (['world'], ['base']),
    (['a', 'bb', 'ccc', 'dddd', ''], ['eeeee', 'f', '', 'gg', 'hhh']),
    (['é', '関節'], ['x', 'yy']),
    ([f'link_{i}' for i in range(300)], [f'link_{i + 1}' for i in range(300)]),
]


@pytest.mark.parametrize(('parents', 'children'), FRAMES, ids=range(len(FRAMES)))
def test_transforms_are_written_as_the_message_is(parents, children):
    for sec, nanosec in ((0, 0), (1, 999_999_999), (-5, 7), (2**31 - 1, 3)):
        values = np.random.default_rng(sec % 7).normal(size=(len(parents), 7))
        stamp = Time(sec=sec, nanosec=nanosec)
        message = TFMessage(transforms=[
            to_transform_stamped(row, parent, child, stamp)
            for row, parent, child in zip(values, parents, children)])
        written = write_transforms([
            Transform(sec * 10**9 + nanosec, parent, child, row)
            for row, parent, child in zip(values, parents, children)])
        assert written == without_padding(serialize_message(message))
