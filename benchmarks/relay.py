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
A node that computes nothing: it answers each joint state with the same serialized transforms.

It shows the cost of any node on rclpy's executor before it does its own work, with messages of the
sizes of a state publisher's.
"""

from __future__ import annotations

from benchmarks.spinning import spin
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from urdf_tools import loads


class Relay(Node):
    """Sends prepared transforms with the stamp of each joint state in the first of them."""

    def __init__(self):
        super().__init__('state_publisher')
        robot = loads(self.declare_parameter('robot_description', '').value)
        self._data = bytearray(serialize_message(TFMessage(transforms=[
            TransformStamped(header=Header(frame_id=joint.parent), child_frame_id=joint.child)
            for joint in robot.tree])))
        self._publisher = self.create_publisher(TFMessage, '/tf', 100)
        self.create_subscription(
            JointState, 'joint_states', self._receive, qos_profile_sensor_data, raw=True)

    def _receive(self, data):
        self._data[8:16] = data[4:12]
        self._publisher.publish(bytes(self._data))


if __name__ == '__main__':
    spin(Relay)
