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
The nodes that are compared; two of them are here, as usual with rclpy: ``naive`` and ``relay``.

The naive one is a state publisher as it is mostly written: message objects, a loop, an executor.
It supports revolute joints only. The relay computes nothing: it answers each joint state with the
same serialized transforms, which shows the cost of any node on rclpy's executor.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos
from math import sin
from pathlib import Path
import sys

from ament_index_python.packages import get_package_prefix
from ament_index_python.packages import PackageNotFoundError
from geometry_msgs.msg import Quaternion
from geometry_msgs.msg import TransformStamped
from geometry_msgs.msg import Vector3
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from urdf_tools import loads

SCRIPTS = Path(__file__).resolve().parents[1] / 'scripts'


@dataclass(frozen=True)
class Contender:
    """A node that turns joint states into transforms, and the command that starts it."""

    name: str
    command: tuple[str, ...]


OURS = Contender('state_publisher', (sys.executable, str(SCRIPTS / 'state_publisher')))
OTHERS_IN_PYTHON = tuple(
    Contender(name, (sys.executable, '-m', 'benchmarks.contenders', argument))
    for name, argument in (('naive rclpy node', 'naive'), ('rclpy relay', 'relay')))


def contenders() -> list[Contender]:
    """Return all nodes: ours first, robot_state_publisher last if it is installed."""
    try:
        prefix = get_package_prefix('robot_state_publisher')
    except PackageNotFoundError:
        return [OURS, *OTHERS_IN_PYTHON]
    program = Path(prefix, 'lib', 'robot_state_publisher', 'robot_state_publisher')
    return [OURS, *OTHERS_IN_PYTHON, Contender('robot_state_publisher', (str(program),))]


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


def main(name: str) -> None:
    """Run a node until a signal."""
    rclpy.init()
    try:
        rclpy.spin({'naive': NaiveStatePublisher, 'relay': Relay}[name]())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass


if __name__ == '__main__':
    main(sys.argv[1])
