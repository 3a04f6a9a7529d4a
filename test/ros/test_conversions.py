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

"""Conversions between messages and arrays."""

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from urdf_tools.ros.conversions import to_transform_stamped


def test_conversion_keeps_every_number():
    message = to_transform_stamped(range(7), 'parent', 'child', Time(sec=3))
    assert isinstance(message, TransformStamped)
    assert (message.header.frame_id, message.child_frame_id) == ('parent', 'child')
    translation, rotation = message.transform.translation, message.transform.rotation
    assert [translation.x, translation.y, translation.z] == [0, 1, 2]
    assert [rotation.x, rotation.y, rotation.z, rotation.w] == [3, 4, 5, 6]
