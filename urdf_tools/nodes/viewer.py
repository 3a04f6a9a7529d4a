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
Show the moving robot in a browser.

What draws the page is an optional dependency; without it the node ends with one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import threading
from typing import Any

import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.check.validator import validates
from urdf_tools.installation import needs
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import variable_names
from urdf_tools.kinematics.multi_dof import joint_transform
from urdf_tools.messages.multi_dof_states import multi_dof_joints
from urdf_tools.model.pose import Pose
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Joint
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import end_workers
from urdf_tools.ros.base_node import Worker
from urdf_tools.ros.conversions import to_transform
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.live_robot import RobotSubscription
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import StartError
from urdf_tools.types import Array

_MISSING = ''
try:
    from urdf_tools.view.local_server import DEFAULT_PORT
    from urdf_tools.view.local_server import is_open
    from urdf_tools.view.local_server import LocalServer
    from urdf_tools.view.local_server import LOOPBACK
    from urdf_tools.view.local_server import open_address
    from urdf_tools.view.local_server import ViserVersionError
    from urdf_tools.view.markup import note
    from urdf_tools.view.scene_nodes import Rgb
    from urdf_tools.view.shape_library import MeshScenes
    from urdf_tools.view.shape_library import ShapeLibrary
    from urdf_tools.view.viewer import Viewer
except ImportError as error:
    if (error.name or '').partition('.')[0] not in ('PIL', 'trimesh', 'viser'):
        raise
    _MISSING = str(error.name)

UNKNOWN: Rgb = (130, 130, 130)
"""Colour of links whose joint is stale, or was never received."""

BEYOND: Rgb = (220, 40, 40)
"""Colour of links whose joint is beyond its limits."""

_SLOW_PERIOD = 0.25


class ViewerNode(BaseNode):
    """
    Draws the robot at its joint states.

    /robot_description --> worker: meshes, findings --> page
    /joint_states, /multi_dof_joint_states --> timer --> page
    """

    def __init__(self) -> None:
        if _MISSING:
            raise StartError(needs('The viewer', _MISSING, 'view'))
        super().__init__('viewer')
        settings = Parameters(self)
        settings.declare_table(
            'viewer', host={'default': LOOPBACK}, port={'default': DEFAULT_PORT})
        settings.declare(
            'allow_control', not is_open(settings['host']), 'Whether pages may do more than look; '
            'by default only where no other machine reaches the host', read_only=True)
        try:
            self._server = server = LocalServer(
                settings['host'], settings['port'], allow_control=settings['allow_control'])
        except OSError as error:
            raise StartError(
                f'Cannot serve at {settings["host"]!r}: {error.strerror or error}') from error
        except ViserVersionError as error:
            raise StartError(str(error)) from error
        self.at_end(server.stop)
        self._viewer = Viewer(server, on_choice=lambda positions: self._drive.choose(positions))
        self._drawn: LiveRobot | None = None
        self._positions: Array | None = None
        self._marks: Mapping[str, Rgb] = {}
        self._scenes = MeshScenes()
        self._drive = JointDrive(self, self._viewer, settings['drive'])
        self._starts_driving = settings['drive']
        self._worker = Worker(self)
        self.at_end(lambda: end_workers(self._worker))
        self._subscription = RobotSubscription(self, on_robot=self._use)
        self.create_timer(1 / settings['rate'], self._draw)
        self.create_timer(_SLOW_PERIOD, self._refresh)
        self.get_logger().info(f'The robot is shown at {server.url}')
        if is_open(settings['host']):
            self.get_logger().warning(open_address(settings['allow_control']))
        warn_of_unknown(self)

    # The robot

    def _use(self, live: LiveRobot) -> None:
        assert self.executor is not None
        self.executor.create_task(self._worker.run, lambda: self._show(live))

    def _show(self, live: LiveRobot) -> None:
        """Read the meshes of a robot, show it, and validate its description."""
        if live is not self._subscription.live:
            return  # Another one has arrived meanwhile.
        topic = self._subscription.description_topic
        library = ShapeLibrary(live.robot, ResourceResolver().resolve, self._scenes)
        self._viewer.use(live.tree, library)
        self._drive.use(live.tree, live.configuration().positions)
        self._positions = None
        self._drawn = live
        self._viewer.set_report(validates(live.text, source=topic))
        if self._starts_driving:
            self._starts_driving = False
            self._drive.start(live.configuration().positions)

    def _draw(self) -> None:
        """Move the robot in the page, if it has moved and a browser is connected."""
        self._drive.publish()
        live, view = self._drawn, self._viewer.view
        if live is None or view is None or not self._server.get_clients():
            return
        # While another robot is prepared, this one need not move.
        if not self._viewer.lock.acquire(blocking=False):
            return
        try:
            positions = live.configuration().positions
            if view.tree is live.tree and (
                    self._positions is None or not np.array_equal(positions, self._positions)):
                self._positions = positions
                view.set_positions(positions)
        finally:
            self._viewer.lock.release()

    # What need not be fast

    def _refresh(self) -> None:
        """Show slider positions and the state of joints."""
        live = self._drawn
        if live is None or not self._server.get_clients():
            return
        marks = self._links_to_mark(live)
        if marks != self._marks:
            self._marks = marks
            self._viewer.mark_links(marks)
        if not self._drive.is_on:
            positions = live.configuration().positions
            self._drive.choose(positions)
            self._viewer.show_positions(positions)

    def _links_to_mark(self, live: LiveRobot) -> Mapping[str, Rgb]:
        """Return the colours of links: grey for unknown joints, red for those beyond limits."""
        configuration = live.configuration()
        joints = {name.partition('/')[0] if name not in live.robot.joints else name
                  for name in (*configuration.missing,
                               *live.stale(self._subscription.joint_timeout))}
        marks: dict[str, Rgb] = {}
        for names, rgb in ((joints, UNKNOWN), (set(configuration.beyond), BEYOND)):
            followers = {name for name, mimic in live.tree.mimic.items() if mimic.joint in names}
            for name in (*names, *(followers if rgb is UNKNOWN else ())):
                if name in live.tree.joint_index:
                    marks.update(dict.fromkeys(_moved_rigidly(live, name), rgb))
        return marks


def _moved_rigidly(live: LiveRobot, joint: str) -> list[str]:
    """Return the child link of a joint, and the links that are fixed to it."""
    tree = live.tree
    frame = tree.link_frames[tree.link_index[live.robot.joints[joint].child]]
    return [tree.link_names[index] for index in np.flatnonzero(tree.link_frames == frame)]


_OFF = 'Off: the robot moves the sliders.'


class JointDrive:
    """
    Publishes ``joint_states`` while a user drives the robot.

    Planar and floating joints are published on ``multi_dof_joint_states``. It starts only if
    no other node publishes either, and stops when one begins to.

    :param is_allowed: whether it may start at all; a page cannot decide that.
    """

    def __init__(self, node: Node, viewer: Viewer, is_allowed: bool):
        self._is_allowed = is_allowed
        self._node = node
        self._lock = threading.Lock()
        self._publishers: tuple[Any, ...] = ()
        self._multi_dof: tuple[Joint, ...] = ()
        self._tree: KinematicTree | None = None
        self._positions: Array = np.zeros(0)
        with viewer.add_tab('Drive'):
            gui = viewer.server.gui
            self._box: Any = gui.add_checkbox(
                'Publish joint_states from the sliders', False, disabled=not is_allowed)
            self._box.on_update(self._switch)
            self._note = gui.add_html(note(
                _OFF if is_allowed else f'{_OFF} The viewer was started without drive:=true.'))

    @property
    def is_on(self) -> bool:
        """Whether joint states are published."""
        return bool(self._publishers)

    def use(self, tree: KinematicTree, positions: Array) -> None:
        """Switch to another robot, starting from a configuration."""
        with self._lock:
            self._tree, self._positions = tree, positions.copy()
            # The pose of the child link at rest does not count.
            self._multi_dof = tuple(
                replace(joint, origin=Pose()) for joint in multi_dof_joints(tree.robot))

    def choose(self, positions: Array) -> None:
        """Move to a configuration that a user chose; one of an earlier robot is ignored."""
        with self._lock:
            if len(positions) == len(self._positions):
                self._positions = positions.copy()

    def _switch(self, event: Any) -> None:
        if event.client is not None:
            if event.target.value:
                self.start(self._positions)
            else:
                self.stop(_OFF)

    def others(self) -> int:
        """Return the number of other publishers of joint states."""
        topics = ['joint_states', *(['multi_dof_joint_states'] if self._multi_dof else [])]
        return sum(self._node.count_publishers(topic) - self.is_on for topic in topics)

    def start(self, positions: Array) -> None:
        """Start publishing, unless another node does, or it is not allowed."""
        if not self._is_allowed:
            return
        others = self.others()
        if others:
            self.stop(f'Not started: joint_states already has publishers ({others}).')
            return
        with self._lock:
            self._positions = positions.copy()
            if not self.is_on:
                self._publishers = (
                    self._node.create_publisher(JointState, 'joint_states', 10),
                    self._node.create_publisher(MultiDOFJointState, 'multi_dof_joint_states', 10))
        self._box.value = True
        self._note.content = note('On: the sliders publish joint_states.')

    def stop(self, reason: str) -> None:
        """Stop publishing, and show the reason."""
        with self._lock:
            publishers, self._publishers = self._publishers, ()
        for publisher in publishers:
            self._node.destroy_publisher(publisher)
        self._box.value = False
        self._note.content = note(reason)
        self._node.get_logger().info(f'Driving: {reason}')

    def publish(self) -> None:
        """Publish the current joint states."""
        if not self.is_on or self._tree is None:
            return
        if self.others():
            self.stop('Stopped: another node publishes joint_states.')
            return
        with self._lock:
            message = self._message(self._tree)
            if self.is_on:
                single, multi = self._publishers
                single.publish(message)
                if self._multi_dof:
                    multi.publish(self._multi_dof_message(self._tree, message))

    def _message(self, tree: KinematicTree) -> JointState:
        """Return the state of the joints of one degree of freedom, those that mimic included."""
        joints = {name: position for name, position in zip(
            tree.variable_names, self._positions.tolist()) if name in tree.robot.joints}
        joints.update({name: mimic.multiplier * joints[mimic.joint] + mimic.offset
                       for name, mimic in tree.mimic.items()})
        message = JointState(name=[*joints], position=[*joints.values()])
        message.header.stamp = self._node.get_clock().now().to_msg()
        return message

    def _multi_dof_message(self, tree: KinematicTree, state: JointState) -> MultiDOFJointState:
        """Return the state of the planar and floating joints at the time of the joint states."""
        message = MultiDOFJointState(header=state.header)
        for joint in self._multi_dof:
            rows = [tree.variable_index[name] for name in variable_names(joint)]
            message.joint_names.append(joint.name)
            message.transforms.append(to_transform(joint_transform(joint, self._positions[rows])))
        return message
