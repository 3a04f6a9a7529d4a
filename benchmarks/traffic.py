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

"""A chain of joints, and processes that send joint states to a node and receive its transforms."""

from __future__ import annotations

from array import array
from collections.abc import Callable
import multiprocessing
from multiprocessing.connection import Connection
import signal
import struct
import time
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

_JOINT = """
<link name="link_{number}"/>
<joint name="joint_{number}" type="revolute">
  <parent link="link_{before}"/>
  <child link="link_{number}"/>
  <origin xyz="0.01 0.02 0.1" rpy="0.1 -0.2 0.3"/>
  <axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="1" velocity="1"/>
</joint>"""

_SPAWN = multiprocessing.get_context('spawn')

_STAMP = struct.Struct('<iI')
_JOINT_STATE_STAMP = 4
_FIRST_TRANSFORM_STAMP = 8
_SECOND = 1_000_000_000


def joint_names(joints: int) -> list[str]:
    """Return the names of the joints, from the root to the tip."""
    return [f'joint_{number}' for number in range(1, joints + 1)]


def description(joints: int) -> str:
    """Return the URDF of a chain of revolute joints."""
    return '<robot name="chain"><link name="link_0"/>{}\n</robot>'.format(''.join(
        _JOINT.format(number=number, before=number - 1) for number in range(1, joints + 1)))


class Peer:
    """
    A function in a process of its own that runs until it is asked for its result.

    :param function: called with a connection and the arguments. On a message on the connection it
        sends its result, or an answer; before that it may send None once, when its work has begun.
    """

    def __init__(self, function: Callable, *arguments):
        self._connection, connection = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=function, args=(connection, *arguments))
        self._process.start()
        connection.close()

    def at_work(self, timeout: float) -> bool:
        """Wait until the function has begun its work, and return whether it has."""
        return self._connection.poll(timeout) and self._connection.recv() is None

    def result(self) -> np.ndarray:
        """Ask for the result."""
        self.request(None)
        return self.answer()

    def request(self, message: object) -> None:
        """Send a message to the function."""
        self._connection.send(message)

    def has_answer(self, timeout: float) -> bool:
        """Wait for what the function sends, and return whether it has come."""
        return self._connection.poll(timeout)

    def answer(self) -> Any:
        """Wait for what the function sends."""
        return self._connection.recv()

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


def send_joint_states(connection: Connection, joints: int, rate: float) -> None:
    """
    Publish joint states; the result is their stamps in nanoseconds, shape (n,).

    A late message delays those after it; there are no bursts to catch up.
    """
    connection.send(_JointStates(joints).publish(rate, connection.poll))


def send_joint_states_at_times(connection: Connection, joints: int, rate: float) -> None:
    """
    Publish joint states for as many seconds as the connection asks for, again and again.

    Each time is answered with None; zero ends it.
    """
    joint_states = _JointStates(joints)
    while seconds := connection.recv():
        end = time.perf_counter() + seconds
        joint_states.publish(rate, lambda: time.perf_counter() > end)
        connection.send(None)


class _JointStates:
    """A publisher of joint states of a chain, whose positions follow the time."""

    def __init__(self, joints: int):
        node = create_node('source')
        self._publisher = node.create_publisher(JointState, 'joint_states', QoSProfile(depth=10))
        positions = np.ones(joints)
        self._data = bytearray(serialize_message(
            JointState(name=joint_names(joints), position=positions.tolist())))
        self._positions = np.frombuffer(
            self._data, '<f8', joints, self._data.index(positions.tobytes()))
        self._phases = np.arange(joints)

    def publish(self, rate: float, ended: Callable[[], bool]) -> np.ndarray:
        """Publish at a rate in Hz until it is ended, and return the stamps in nanoseconds."""
        stamps = array('q')
        due = time.perf_counter()
        while not ended():
            self._positions[:] = np.sin(self._phases + due)
            stamp = time.time_ns()
            _STAMP.pack_into(self._data, _JOINT_STATE_STAMP, *divmod(stamp, _SECOND))
            self._publisher.publish(bytes(self._data))
            stamps.append(stamp)
            now = time.perf_counter()
            due = max(due + 1 / rate, now)
            time.sleep(due - now)
        return np.array(stamps)


def receive_transforms(connection: Connection) -> None:
    """
    Receive transforms; the result is their stamps and arrivals in nanoseconds, shape (n, 2).

    The arrival is the time at which the middleware received the message. The work begins with the
    first message.
    """
    node = create_node('receiver')
    times = array('q')

    def receive(data, info):
        seconds, nanoseconds = _STAMP.unpack_from(data, _FIRST_TRANSFORM_STAMP)
        if not times:
            connection.send(None)
        # Not every middleware provides the time of reception.
        times.extend((
            seconds * _SECOND + nanoseconds, info['received_timestamp'] or time.time_ns()))

    node.create_subscription(TFMessage, '/tf', receive, QoSProfile(depth=1000), raw=True)
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def received():
        count = len(times)
        executor.spin_once(timeout_sec=0.1)
        return len(times) > count

    while received() or not connection.poll():
        pass
    connection.send(np.array(times).reshape(-1, 2))


def create_node(name: str) -> Node:
    """Return a node of this process."""
    # Ctrl-C is for the parent process, which asks for results and ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rclpy.init(signal_handler_options=rclpy.SignalHandlerOptions.NO)
    return rclpy.create_node(name, start_parameter_services=False, enable_rosout=False)
