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


"""Robots in a running graph, published by nodes in this process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from threading import Thread
import time

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from support.graph_records import MODEL
from support.graph_records import speeds
from support.graph_records import swinging
from support.joint_motions import joint_motions
from tf2_msgs.msg import TFMessage
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.model.robot import JointType
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.conversions import to_transform_stamped
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import NoExecutor

PERIOD = 0.1
"""Seconds between two joint states."""

VOLATILE = QoSProfile(depth=1, durability=DurabilityPolicy.VOLATILE)

Numbers = Callable[[float], dict[str, float]]


class Peers:
    """Nodes that publish in a thread, a tick every :data:`PERIOD`, and respond in another."""

    def __init__(self, domain: int):
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.ticks: list[Callable[[int], None]] = []
        self._nodes: list[Node] = []
        self._executor = SingleThreadedExecutor(context=self.context)
        self._ended = Event()
        self._threads = [Thread(target=self._publish), Thread(target=self._answer)]

    def start(self) -> None:
        """Begin to publish."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End all nodes."""
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._executor.shutdown()
        for node in self._nodes:
            node.destroy_node()
        rclpy.shutdown(context=self.context)

    def node(self, name: str, space: str = '', **parameters) -> Node:
        """Return a new node; one with parameters responds to requests for them."""
        node = rclpy.create_node(
            name, namespace=space, context=self.context, enable_rosout=False,
            start_parameter_services=bool(parameters),
            automatically_declare_parameters_from_overrides=True,
            parameter_overrides=[
                Parameter(key, value=value) for key, value in parameters.items()])
        return self.add(node, answers=bool(parameters))

    def add(self, node: Node, answers: bool = True) -> Node:
        """Add a node, which may respond to requests, and return it."""
        self._nodes.append(node)
        if answers:
            self._executor.add_node(node)
        return node

    def every_tick(self, node: Node, kind: type, topic: str, message, qos=10) -> None:
        """
        Publish a message every tick.

        :param message: returns it for the number of a tick.
        """
        publisher = node.create_publisher(kind, topic, qos)

        self.ticks.append(lambda number: publisher.publish(message(number)))

    def _publish(self) -> None:
        number = 0
        while not self._ended.wait(PERIOD):
            number += 1
            for tick in self.ticks:
                tick(number)

    def _answer(self) -> None:
        while not self._ended.is_set():
            self._executor.spin_once(timeout_sec=0.1)


class PeerRobot:
    """
    A robot in a namespace: a state publisher and a driver.

    :param tf_delay: seconds by which transforms are published after their stamps.
    """

    def __init__(
            self, peers: Peers, space: str, text: str = '', *,
            efforts: Numbers = lambda seconds: {}, names=('turn', 'slide'),
            tf_delay: float = 0.0, qos=10):
        self.space = f'/{space}'
        self.text = text or MODEL.format(name=space)
        self.publisher = peers.node('state_publisher', self.space)
        self.driver = peers.node('driver', self.space)
        self._model = loads(MODEL.format(name=space))
        self._names, self._numbers = names, (swinging, speeds, efforts)
        self._delay = tf_delay
        self._moving = moving_joints(self._model)
        self._now = 0
        self._subscribe()
        self.publisher.create_publisher(
            String, 'robot_description', LATCHED).publish(String(data=self.text))
        fixed = [joint for joint in self._model.tree if joint.type is JointType.FIXED]
        self.publisher.create_publisher(TFMessage, 'tf_static', LATCHED).publish(
            TFMessage(transforms=[self._transform(
                joint, (*joint.origin.xyz, *joint.origin.quaternion), 0) for joint in fixed]))
        peers.every_tick(self.driver, JointState, 'joint_states', self._joint_state, qos)
        peers.every_tick(self.publisher, TFMessage, 'tf', self._frames)

    def _subscribe(self) -> None:
        # It shows whose joint states count, and takes no message.
        self.publisher.create_subscription(
            JointState, 'joint_states', print, rclpy.qos.qos_profile_sensor_data,
            callback_group=NoExecutor())

    def _joint_state(self, number: int) -> JointState:
        self._now = time.time_ns()
        message = JointState(name=list(self._names))
        message.header.stamp = to_time(self._now)
        for field, numbers in zip(('position', 'velocity', 'effort'), self._numbers):
            values = numbers(self._now / 1e9)
            if values:
                setattr(message, field, [float(values.get(name, 0.0)) for name in self._names])
        return message

    def _frames(self, number: int) -> TFMessage:
        now = self._now or time.time_ns()
        values = swinging(now / 1e9)
        rows = joint_motions(self._moving, [values[joint.name] for joint in self._moving])
        return TFMessage(transforms=[
            self._transform(joint, row, now - round(self._delay * 1e9))
            for joint, row in zip(self._moving, rows)])

    def _transform(self, joint, row, stamp: int):
        return to_transform_stamped(row, joint.parent, joint.child, to_time(stamp))


def static_frame(peers: Peers, space: str, parent: str, child: str) -> None:
    """Publish a static frame from another node."""
    peers.node('other', f'/{space}').create_publisher(TFMessage, 'tf_static', LATCHED).publish(
        TFMessage(transforms=[to_transform_stamped(
            (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), parent, child, to_time(time.time_ns()))]))


def clock(peers: Peers, name: str, time_of: Callable[[int], int]) -> None:
    """Publish /clock, with a time in nanoseconds for each tick."""
    peers.every_tick(peers.node(name), Clock, '/clock', lambda number: Clock(
        clock=to_time(time_of(number))))
