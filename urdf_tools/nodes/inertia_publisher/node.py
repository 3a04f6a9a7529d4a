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

"""Publish the robot's centre of mass, inertia and gravity efforts, and markers for RViz."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import InertiaStamped
from geometry_msgs.msg import PointStamped
from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from urdf_tools.dynamics.depiction import SOLIDS
from urdf_tools.nodes.inertia_publisher.inertia_markers import link_markers
from urdf_tools.nodes.inertia_publisher.inertia_markers import MarkerSet
from urdf_tools.nodes.inertia_publisher.inertia_markers import robot_markers
from urdf_tools.nodes.inertia_publisher.robot_inertia import inertia_status
from urdf_tools.nodes.inertia_publisher.robot_inertia import InertiaState
from urdf_tools.nodes.inertia_publisher.robot_inertia import RobotInertia
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.conversions import to_inertia
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.parameters import one_of
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.qos import LATCHED
from urdf_tools.ros.robot_state.live_robot import LiveRobot
from urdf_tools.ros.robot_state.robot_subscription import RobotSubscription
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray


class InertiaPublisher(BaseNode):
    """
    Computes the inertia at the current configuration while there are subscribers.

    /robot_description --> RobotInertia <-- /joint_states, /multi_dof_joint_states
    RobotInertia --> InertiaState --> ~/center_of_mass, ~/inertia, ~/markers, ~/gravity_efforts
    """

    def __init__(self) -> None:
        super().__init__('inertia_publisher')
        self._inertia: RobotInertia | None = None
        self._link_markers: list[Marker] | None = None
        self._marker_set = MarkerSet()
        self._settings = Parameters(self, self._apply)
        self._settings.declare(
            'rate', 10.0, 'Maximum publish rate of each topic (Hz)', minimum=0.1, maximum=1000.0)
        self._settings.declare(
            'shape', 'box', 'Equivalent solid that the markers show for an inertia: box or '
            'ellipsoid', check=one_of('shape', SOLIDS))
        self._settings.declare('frame_prefix', '', 'Prefix prepended to every frame ID')
        messages: tuple[tuple[type, str, Callable[[InertiaState], object | None]], ...] = (
            (PointStamped, 'center_of_mass', self._center_of_mass_message),
            (InertiaStamped, 'inertia', self._inertia_message),
            (MarkerArray, 'markers', self._markers_message),
            (JointState, 'gravity_efforts', self._gravity_message))
        self._topics = [
            OnDemandPublisher(self, kind, f'~/{topic}', make, self._publish)
            for kind, topic, make in messages]
        tasks = {'Inertia': lambda: inertia_status(self._inertia)}
        self.at_end(RobotSubscription(self, tasks, self._use).end)
        self._timer = self.create_timer(1 / self._settings['rate'], self._publish)
        warn_of_unknown(self)

    def _use(self, live: LiveRobot) -> None:
        self._inertia = RobotInertia(live)
        self._publish_again()

    def _apply(self, changed: set[str]) -> None:
        if 'rate' in changed:
            self._timer.timer_period_ns = round(1e9 / self._settings['rate'])
        if not changed.isdisjoint(('shape', 'frame_prefix')):
            self._publish_again()

    def _publish_again(self) -> None:
        self._link_markers = None
        for topic in self._topics:
            topic.invalidate()
        self._publish()

    def _publish(self) -> None:
        wanted = [topic for topic in self._topics if topic.wanted]
        if self._inertia is None or not wanted:
            return
        state = self._inertia.state()
        for topic in wanted:
            topic.publish(state)

    def _root_frame(self, state: InertiaState) -> str:
        return f'{self._settings["frame_prefix"]}{state.robot.live.robot.root}'

    def _header(self, state: InertiaState) -> Header:
        return Header(stamp=to_time(state.configuration.stamp), frame_id=self._root_frame(state))

    def _center_of_mass_message(self, state: InertiaState) -> PointStamped | None:
        if state.body is None or not state.body.mass > 0:
            return None
        return PointStamped(header=self._header(state), point=to_point(state.body.com))

    def _inertia_message(self, state: InertiaState) -> InertiaStamped | None:
        if state.body is None:
            return None
        return InertiaStamped(header=self._header(state), inertia=to_inertia(state.body))

    def _gravity_message(self, state: InertiaState) -> JointState | None:
        efforts = state.robot.gravity_efforts(state.configuration.positions)
        if efforts is None:
            return None
        return JointState(
            header=self._header(state), name=state.robot.held_joints, effort=efforts.tolist())

    def _markers_message(self, state: InertiaState) -> MarkerArray:
        shape, prefix = self._settings['shape'], self._settings['frame_prefix']
        if self._link_markers is None:
            self._link_markers = link_markers(state.robot.links, shape, prefix)
        whole = [] if state.body is None else robot_markers(
            state.body, self._root_frame(state), shape)
        return self._marker_set.message([*self._link_markers, *whole])


class OnDemandPublisher:
    """
    A transient local topic that is published only for subscribers and only when it changes.

    :param kind: type of the messages.
    :param make: state to its message, or to None if there is nothing to publish.
    :param on_subscription: called when a subscriber has been matched.
    """

    def __init__(
            self, node: Node, kind: type, topic: str,
            make: Callable[[InertiaState], object | None], on_subscription: Callable[[], None]):
        self._make = make
        self._published: InertiaState | None = None

        def match(change: Any) -> None:
            if change.current_count_change > 0:
                on_subscription()

        self._publisher: Publisher[Any] = node.create_publisher(
            kind, topic, LATCHED, event_callbacks=PublisherEventCallbacks(matched=match))

    @property
    def wanted(self) -> bool:
        """Whether there are subscribers."""
        return int(self._publisher.get_subscription_count()) > 0

    def invalidate(self) -> None:
        """Publish the next state even if it is the one published last."""
        self._published = None

    def publish(self, state: InertiaState) -> None:
        """Publish the message of a state, unless it is the one published last."""
        if state is self._published:
            return
        self._published = state
        message = self._make(state)
        if message is not None:
            self._publisher.publish(message)
