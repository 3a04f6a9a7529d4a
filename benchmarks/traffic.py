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

"""What stands before and behind a node under test: joint states in, transforms out."""

from __future__ import annotations

from array import array
from collections.abc import Callable
import multiprocessing
from multiprocessing.connection import Connection
import signal
import struct
import time

from benchmarks.chain import joint_names
import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage


_SPAWN = multiprocessing.get_context('spawn')

_STAMP = struct.Struct('<iI')
_JOINT_STATE_STAMP = 4
_FIRST_TRANSFORM_STAMP = 8
_SECOND = 1_000_000_000


class Peer:
    """
    A function in a process of its own, which works until it is asked for its result.

    :param function: called with a connection and the arguments. When something comes on the
        connection it sends its result; it may send None before, once, when it is at work.
    """

    def __init__(self, function: Callable, *arguments):
        self._connection, connection = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=function, args=(connection, *arguments))
        self._process.start()
        connection.close()

    def at_work(self, timeout: float) -> bool:
        """Wait for the function to say that it is at work."""
        return self._connection.poll(timeout) and self._connection.recv() is None

    def result(self) -> np.ndarray:
        """Ask for the result."""
        self._connection.send(None)
        return self._connection.recv()

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


def send_joint_states(connection: Connection, joints: int, rate: float) -> None:
    """
    Publish joint states; the result is their stamps in nanoseconds, shape (n,).

    A message that is late delays those after it: no burst ever makes up for time lost.
    """
    node = _create_node('source')
    publisher = node.create_publisher(JointState, 'joint_states', QoSProfile(depth=10))
    positions = np.ones(joints)
    data = bytearray(serialize_message(
        JointState(name=joint_names(joints), position=positions.tolist())))
    positions = np.frombuffer(data, '<f8', joints, data.index(positions.tobytes()))
    phases = np.arange(joints)
    stamps = array('q')
    due = time.perf_counter()
    while not connection.poll():
        positions[:] = np.sin(phases + due)
        stamp = time.time_ns()
        _STAMP.pack_into(data, _JOINT_STATE_STAMP, *divmod(stamp, _SECOND))
        publisher.publish(bytes(data))
        stamps.append(stamp)
        now = time.perf_counter()
        due = max(due + 1 / rate, now)
        time.sleep(due - now)
    connection.send(np.array(stamps))


def receive_transforms(connection: Connection) -> None:
    """
    Receive transforms; the result is their stamps and arrivals in nanoseconds, shape (n, 2).

    They arrive when the middleware has them, however long it takes until they are read here. At
    work is who has received the first one.
    """
    node = _create_node('receiver')
    times = array('q')

    def receive(data, info):
        seconds, nanoseconds = _STAMP.unpack_from(data, _FIRST_TRANSFORM_STAMP)
        if not times:
            connection.send(None)
        # Not every middleware tells when it received a message.
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


def _create_node(name):
    # Who asks for results and ends the process is the one to be interrupted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rclpy.init(signal_handler_options=rclpy.SignalHandlerOptions.NO)
    return rclpy.create_node(name, start_parameter_services=False, enable_rosout=False)
