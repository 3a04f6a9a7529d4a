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

"""The static transforms of all robots of a state publisher, on ``/tf_static``."""

from __future__ import annotations

from collections.abc import Sequence

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.timer import Timer
from tf2_msgs.msg import TFMessage

from urdf_tools.messages.tf_messages import static_message
from urdf_tools.model.robot import Joint
from urdf_tools.ros.qos import declare_overrides
from urdf_tools.ros.qos import TF_STATIC
from urdf_tools.ros.qos import TF_STATIC_OVERRIDES
from urdf_tools.ros.serialized_topics import RawPublisher


class StaticFrames:
    """
    Publishes ``/tf_static``.

    Each message is the complete set of all robots, so that late subscribers find no frame that
    an earlier description had.
    """

    def __init__(self, node: Node):
        self._node = node
        declare_overrides(node, Publisher, '/tf_static', TF_STATIC, TF_STATIC_OVERRIDES)
        self._publisher = RawPublisher(
            node, TFMessage, '/tf_static', TF_STATIC, qos_overriding_options=TF_STATIC_OVERRIDES)
        self._frames: dict[str, tuple[Sequence[Joint], str]] = {}
        self._timer: Timer | None = None

    def set(self, robot: str, joints: Sequence[Joint], prefix: str) -> None:
        """
        Replace the static frames of one robot.

        :param robot: its name among the robots of the state publisher.
        :param joints: the joints whose child frames are static.
        :param prefix: prepended to every frame ID.
        """
        self._frames[robot] = joints, prefix
        self._publisher.advertise()
        self._publish()

    def remove(self, robot: str) -> None:
        """Remove the static frames of one robot; the topic is advertised only for others."""
        self._frames.pop(robot, None)
        self._publish()

    def repeat(self, period: float) -> None:
        """
        Publish again periodically from now on.

        :param period: in seconds of real time; 0 is never.
        """
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if period:
            self._timer = self._node.create_timer(
                period, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _publish(self) -> None:
        if not self._publisher.advertised:
            return
        stamp = self._node.get_clock().now().nanoseconds
        self._publisher.publish(static_message(self._frames.values(), stamp))
