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
A state publisher as usually written with rclpy: message objects, a loop, an executor.

It supports revolute joints only.
"""

from __future__ import annotations

from math import cos
from math import sin

from benchmarks.spinning import spin
from geometry_msgs.msg import Quaternion
from geometry_msgs.msg import TransformStamped
from geometry_msgs.msg import Vector3
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from urdf_tools import loads


class NaiveStatePublisher(Node):
    """Publishes a transform for each joint of a joint state."""

    def __init__(self):
        super().__init__('state_publisher')
        self._robot = loads(self.declare_parameter('robot_description', '').value)
        self._publisher = self.create_publisher(TFMessage, '/tf', 100)
        self.create_subscription(
            JointState, 'joint_states', self._receive, qos_profile_sensor_data)

    def _receive(self, state):
        transforms = []
        for name, position in zip(state.name, state.position):
            joint = self._robot.joints[name]
            transform = TransformStamped()
            transform.header.stamp = state.header.stamp
            transform.header.frame_id = joint.parent
            transform.child_frame_id = joint.child
            x, y, z = joint.origin.xyz
            transform.transform.translation = Vector3(x=x, y=y, z=z)
            transform.transform.rotation = _rotate(
                joint.origin.quaternion, joint.axis, position)
            transforms.append(transform)
        self._publisher.publish(TFMessage(transforms=transforms))


def _rotate(quaternion, axis, angle):
    """Return the product of a quaternion and a rotation about an axis."""
    x, y, z, w = quaternion
    i, j, k = (sin(angle / 2) * component for component in axis)
    real = cos(angle / 2)
    return Quaternion(
        x=w * i + x * real + y * k - z * j,
        y=w * j - x * k + y * real + z * i,
        z=w * k + x * j - y * i + z * real,
        w=w * real - x * i - y * j - z * k)


if __name__ == '__main__':
    spin(NaiveStatePublisher)
