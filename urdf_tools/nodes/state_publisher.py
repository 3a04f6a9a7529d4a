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
Publish a robot's frames: what robot_state_publisher does, and says why when it does not.

Topics, services, parameters and their defaults are those of robot_state_publisher. A description
parameter that is missing or wrong at the start ends the node with one sentence. A description
that comes later is refused with its reason if it is wrong, and the last good one stays.

One node serves several robots where the parameter ``robots`` names them.
"""

from __future__ import annotations

import sys
from threading import Lock

from rclpy.clock import Clock
from rclpy.clock import ClockType
from rclpy.clock import JumpThreshold
from rclpy.duration import Duration
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.frame_parameters import declare_parameters
from urdf_tools.ros.frame_parameters import LIMIT_PARAMETERS
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.published_robot import PublishedRobot
from urdf_tools.ros.qos import TF_STATIC
from urdf_tools.ros.running import run
from urdf_tools.ros.transforms import static_message


class StatePublisher(Node):
    """
    Publishes the frames of one robot, or of several.

    robots --> /tf, all their static frames --> /tf_static
    """

    def __init__(self):
        super().__init__('state_publisher')
        self._robots: list[PublishedRobot] = []
        self._settings = Parameters(self, self._change)
        names = declare_parameters(self._settings)
        self._tf_static = self.create_publisher(TFMessage, '/tf_static', TF_STATIC)
        lock = Lock()
        self._robots.extend(
            PublishedRobot(
                self, self._settings, lock, name, on_robot=self._publish_static,
                on_description=lambda: self._updater.publish())
            for name in names)
        self._updater = Updater(
            self, *(task for robot in self._robots for task in robot.tasks), lock=lock)
        for robot in self._robots:
            robot.start()
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        self._static_timer = None
        self._set_static_timer()

    def destroy_node(self):
        for robot in self._robots:
            robot.end()
        super().destroy_node()

    def _change(self, names):
        if not names.isdisjoint(LIMIT_PARAMETERS):
            for robot in self._robots:
                robot.stream.set_limits()
        if 'static_period' in names:
            self._set_static_timer()
        for robot in self._robots:
            robot.change(names)

    def _publish_static(self):
        """Publish the whole of /tf_static, so that who comes later finds no frame of old."""
        statics = [robot.static for robot in self._robots]
        self._tf_static.publish(static_message(statics, self.get_clock().now().nanoseconds))
        for robot, (joints, _) in zip(self._robots, statics):
            robot.stream.task.static = len(joints)

    def _set_static_timer(self):
        if self._static_timer is not None:
            self.destroy_timer(self._static_timer)
            self._static_timer = None
        if self._settings['static_period']:
            self._static_timer = self.create_timer(
                self._settings['static_period'], self._publish_static,
                clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _rewind(self, _jump):
        for robot in self._robots:
            robot.stream.rewind()
        self.get_logger().warning('Time went backwards; every joint is published anew')


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(StatePublisher, args)


if __name__ == '__main__':
    sys.exit(main())
