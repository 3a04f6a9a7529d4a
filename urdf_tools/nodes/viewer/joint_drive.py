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
"""Joint states from the sliders of the page, where no other node publishes them."""

from __future__ import annotations

from dataclasses import replace
import threading
from typing import Any

import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import variable_names
from urdf_tools.kinematics.multi_dof import joint_transform
from urdf_tools.messages.multi_dof_states import multi_dof_joints
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Joint
from urdf_tools.ros.conversions import to_transform
from urdf_tools.types import Array
from urdf_tools.view.markup import note
from urdf_tools.view.viewer import Viewer

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
        joints = [name for name in tree.variable_names if name in tree.robot.joints]
        positions = [float(self._positions[tree.variable_index[name]]) for name in joints]
        for name, mimic in tree.mimic.items():
            leader = float(self._positions[tree.variable_index[mimic.joint]])
            joints.append(name)
            positions.append(mimic.multiplier * leader + mimic.offset)
        message = JointState(name=joints, position=positions)
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
