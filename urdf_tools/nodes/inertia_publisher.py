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
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geometry_msgs.msg import InertiaStamped
from geometry_msgs.msg import PointStamped
import numpy as np
from rclpy.event_handler import PublisherEventCallbacks
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from std_msgs.msg import ColorRGBA
from std_msgs.msg import Header

from urdf_tools.dynamics import CompositeInertia
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics import link_inertia
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics import Verdict
from urdf_tools.dynamics.depiction import depict
from urdf_tools.dynamics.depiction import LINK
from urdf_tools.dynamics.depiction import ROBOT
from urdf_tools.dynamics.depiction import Style
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.model.messages import name_list
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.conversions import to_inertia
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_quaternion
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.conversions import to_vector
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.live_robot import Configuration
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.live_robot import RobotSubscription
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.topics import LATCHED
from urdf_tools.types import Array
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray


class InertiaPublisher(BaseNode):
    """
    Computes the inertia at the current configuration while there are subscribers.

    Each topic is transient local, and published only for subscribers and only when it changes.

    /robot_description --> RobotInertia <-- /joint_states, /multi_dof_joint_states
    RobotInertia --> InertiaState --> ~/center_of_mass, ~/inertia, ~/markers, ~/gravity_efforts
    """

    def __init__(self) -> None:
        super().__init__('inertia_publisher')
        self._inertia: RobotInertia | None = None
        self._link_markers: list[Marker] | None = None
        self._settings = Parameters(self, self._apply)
        self._settings.declare_table('inertia_publisher')
        topics: tuple[tuple[type, str, Callable[[InertiaState], object | None]], ...] = (
            (PointStamped, 'center_of_mass', self._center_of_mass_message),
            (InertiaStamped, 'inertia', self._inertia_message),
            (MarkerArray, 'markers', self._markers_message),
            (JointState, 'gravity_efforts', self._gravity_message))
        events = PublisherEventCallbacks(matched=self._match)
        self._topics: list[tuple[Publisher[Any], Callable[[InertiaState], object | None]]] = [
            (self.create_publisher(kind, f'~/{topic}', LATCHED, event_callbacks=events), make)
            for kind, topic, make in topics]
        self._sent: dict[Publisher[Any], InertiaState] = {}
        tasks = {'Inertia': lambda: inertia_status(self._inertia)}
        RobotSubscription(self, tasks, self._use)
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
        self._sent.clear()
        self._publish()

    def _match(self, change: Any) -> None:
        if change.current_count_change > 0:
            self._publish()

    def _publish(self) -> None:
        wanted = [(publisher, make) for publisher, make in self._topics
                  if publisher.get_subscription_count()]
        if self._inertia is None or not wanted:
            return
        state = self._inertia.state()
        for publisher, make in wanted:
            if self._sent.get(publisher) is not state:
                self._sent[publisher] = state
                message = make(state)
                if message is not None:
                    publisher.publish(message)

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
        whole = [] if state.body is None else body_markers(
            state.body, self._root_frame(state), shape)
        # Each message replaces the one before, which may be of another robot.
        return MarkerArray(markers=[
            Marker(action=Marker.DELETEALL), *self._link_markers, *whole])


@dataclass(frozen=True, eq=False)
class InertiaState:
    """
    The inertia of a robot as one rigid body at some time.

    :ivar robot: what computed it.
    :ivar body: in the frame of the root link; None if it is not finite.
    :ivar configuration: the joint positions.
    """

    robot: RobotInertia
    body: SpatialInertia | None
    configuration: Configuration


class RobotInertia:
    """
    Computes the inertia of a robot as one rigid body, on demand and only if joints have moved.

    :param live: the robot and its joint positions.
    :ivar composite: computes it, and knows the mass and the links that have no inertia.
    :ivar links: inertia of each link that has one, in its own frame.
    :ivar verdicts: name of such a link to whether its inertia is physically consistent.
        Inconsistent ones count as they are.
    :ivar computed: how often it was computed.
    :ivar finite: whether the last result was finite.
    """

    def __init__(self, live: LiveRobot):
        self.live = live
        with np.errstate(all='ignore'):
            self.composite = CompositeInertia(live.tree)
            inertias = {link.name: link_inertia(link) for link in live.robot.links.values()}
        self.links = {name: body for name, body in inertias.items() if body is not None}
        self.verdicts = {name: body.consistency().verdict for name, body in self.links.items()}
        self.computed = 0
        self.finite = True
        self._state: InertiaState | None = None

    def state(self) -> InertiaState:
        """Return the current state; the same object while no joint moves."""
        configuration = self.live.configuration()
        if self._state is None or not np.array_equal(
                configuration.positions, self._state.configuration.positions):
            self.computed += 1
            with np.errstate(all='ignore'):
                body = self.composite(configuration.positions)
                self.finite = body.consistency().verdict is not Verdict.NOT_FINITE
            self._state = InertiaState(self, body if self.finite else None, configuration)
        return self._state

    @property
    def held_joints(self) -> list[str]:
        """The joints of one degree of freedom that follow no other."""
        return [name for name in self.live.tree.velocity_names
                if name in self.live.tree.variable_index and name in self.live.robot.joints]

    def gravity_efforts(self, positions: Array) -> Array | None:
        """Return the efforts that hold these joints against gravity, or None if not finite."""
        tree = self.live.tree
        with np.errstate(all='ignore'):
            efforts = self._dynamics(positions)[
                [tree.velocity_index[name] for name in self.held_joints]]
        return efforts if np.isfinite(efforts).all() else None

    @cached_property
    def _dynamics(self) -> InverseDynamics:
        return InverseDynamics(self.live.tree)


def inertia_status(robot: RobotInertia | None) -> Status:
    """Return whether an inertia can be trusted; there is none before the first description."""
    if robot is None:
        return Status(Level.WARN, NO_DESCRIPTION)
    massless = tuple(
        name for name, verdict in robot.verdicts.items() if verdict is Verdict.MASSLESS)
    inconsistent = tuple(
        f'{name} ({verdict.value})' for name, verdict in robot.verdicts.items()
        if verdict not in (Verdict.CONSISTENT, Verdict.MASSLESS))
    configuration = robot.live.configuration()
    missing = configuration.missing
    values = {
        'Computed': robot.computed,
        'Mass (kg)': f'{robot.composite.mass:.6g}',
        'Without inertial': name_list(robot.composite.without_inertial),
        'Massless': name_list(massless),
        'Inconsistent': name_list(inconsistent),
        'Taken as zero': name_list(missing)}
    complaints = [text for applies, text in (
        (not robot.composite.mass > 0, 'the robot has no mass'),
        (not robot.finite, 'the inertia of the whole robot is not finite'),
        (inconsistent, f'links with a physically inconsistent inertia: {len(inconsistent)}'),
        (configuration.open, configuration.open),
        (missing, f'positions never received, so taken as zero: {len(missing)}')) if applies]
    if complaints:
        return Status(Level.WARN, 'Inertia: ' + ', '.join(complaints), values)
    return Status(Level.OK, 'All inertias are consistent', values)


KINDS = {'box': Marker.CUBE, 'ellipsoid': Marker.SPHERE}
"""Name of an equivalent solid to its marker type."""


def link_markers(inertias: Mapping[str, SpatialInertia], solid: str, prefix: str) -> list[Marker]:
    """
    Return the markers of links, each in the frame of its link so that tf moves it.

    :param inertias: name of a link to its inertia in its own frame; those that are massless or
        not finite get no markers.
    :param solid: one of :data:`KINDS`.
    :param prefix: prepended to every frame ID.
    """
    return [
        marker for number, (name, body) in enumerate(inertias.items())
        for marker in body_markers(body, prefix + name, solid, LINK, 'links', number)]


def body_markers(body: SpatialInertia, frame: str, solid: str, style: Style = ROBOT,
                 group: str = 'robot', number: int = 0) -> list[Marker]:
    """
    Return the markers of a rigid body, by default of a whole robot.

    :param body: in a frame.
    :param frame: name of that frame.
    :param solid: one of :data:`KINDS`.
    :param style: colours and sizes.
    :param group: first part of the namespaces of the markers.
    :param number: of the body in the group.
    """
    drawn = depict(body, style, solid)
    if drawn is None:
        return []
    return [
        _marker(f'{group}/center_of_mass', number, frame, Marker.SPHERE, drawn.com, np.eye(3),
                np.full(3, drawn.diameter), drawn.style.com),
        _marker(f'{group}/inertia', number, frame, KINDS[solid], drawn.com, drawn.axes,
                drawn.size, drawn.style.solid)]


def _marker(
        namespace: str, number: int, frame: str, kind: int, center: Iterable[float],
        axes: Array, size: Array, rgba: Sequence[float]) -> Marker:
    # With a zero stamp and frame_locked, RViz shows the marker at the current pose of its frame.
    marker = Marker(ns=namespace, id=number, type=kind, frame_locked=True)
    marker.header.frame_id = frame
    marker.pose.position = to_point(center)
    marker.pose.orientation = to_quaternion(matrix_to_quaternion(axes))
    marker.scale = to_vector(size)
    red, green, blue, opacity = rgba
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
    return marker
