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

"""Publish where a robot has its mass, as numbers and as markers for RViz."""

from __future__ import annotations

import sys

from geometry_msgs.msg import InertiaStamped
from geometry_msgs.msg import PointStamped
from rclpy.node import Node
from std_msgs.msg import Header

from urdf_tools.ros.configuration import LiveRobot
from urdf_tools.ros.conversions import to_inertia
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.inertia_markers import check_solid
from urdf_tools.ros.inertia_markers import link_markers
from urdf_tools.ros.inertia_markers import MarkerPicture
from urdf_tools.ros.inertia_markers import robot_markers
from urdf_tools.ros.lazy_publisher import LazyPublisher
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.robot_subscription import RobotSubscription
from urdf_tools.ros.running import run
from urdf_tools.ros.whole_body import BodyState
from urdf_tools.ros.whole_body import WholeBody
from urdf_tools.ros.whole_body import WholeBodyTask
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray


class InertiaPublisher(Node):
    """
    Weighs the robot as it stands, for whoever subscribes.

    /robot_description --> WholeBody <-- /joint_states, /multi_dof_joint_states
    WholeBody --> BodyState --> ~/center_of_mass, ~/inertia, ~/markers
    """

    _subscription: RobotSubscription | None = None

    def __init__(self):
        super().__init__('inertia_publisher')
        self._whole: WholeBody | None = None
        self._link_markers: list[Marker] | None = None
        self._picture = MarkerPicture()
        self._settings = Parameters(self, self._change)
        self._settings.declare(
            'rate', 10.0, 'Most messages a second on each topic', minimum=0.1, maximum=1000.0)
        self._settings.declare(
            'shape', 'box', 'What the markers show for an inertia: box or ellipsoid',
            check=check_solid)
        self._settings.declare(
            'frame_prefix', '', 'Put before the names of all frames as it is')
        self._topics = [
            LazyPublisher(self, kind, f'~/{topic}', make, self._publish)
            for kind, topic, make in (
                (PointStamped, 'center_of_mass', self._center_of_mass),
                (InertiaStamped, 'inertia', self._inertia),
                (MarkerArray, 'markers', self._markers))]
        self._subscription = RobotSubscription(
            self, WholeBodyTask(lambda: self._whole), on_robot=self._use)
        self._timer = self.create_timer(1 / self._settings['rate'], self._publish)

    def destroy_node(self):
        if self._subscription is not None:
            self._subscription.end()
        super().destroy_node()

    def _use(self, live: LiveRobot):
        self._whole = WholeBody(live)
        self._renew()

    def _change(self, names):
        if 'rate' in names:
            self._timer.timer_period_ns = round(1e9 / self._settings['rate'])
        if not names.isdisjoint(('shape', 'frame_prefix')):
            self._renew()

    def _renew(self):
        self._link_markers = None
        for topic in self._topics:
            topic.renew()
        self._publish()

    def _publish(self):
        wanted = [topic for topic in self._topics if topic.wanted]
        if self._whole is None or not wanted:
            return
        state = self._whole.state()
        for topic in wanted:
            topic.publish(state)

    def _header(self, state):
        return Header(
            stamp=to_time(state.configuration.stamp),
            frame_id=self._settings['frame_prefix'] + self._whole.live.robot.root)

    def _center_of_mass(self, state: BodyState):
        if state.body is None or not state.body.mass > 0:
            return None
        return PointStamped(header=self._header(state), point=to_point(state.body.com))

    def _inertia(self, state: BodyState):
        if state.body is None:
            return None
        return InertiaStamped(header=self._header(state), inertia=to_inertia(state.body))

    def _markers(self, state: BodyState):
        solid, prefix = self._settings['shape'], self._settings['frame_prefix']
        if self._link_markers is None:
            self._link_markers = link_markers(self._whole.links, solid, prefix)
        whole = [] if state.body is None else robot_markers(
            state.body, prefix + self._whole.live.robot.root, solid)
        return self._picture.message([*self._link_markers, *whole])


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(InertiaPublisher, args)


if __name__ == '__main__':
    sys.exit(main())
