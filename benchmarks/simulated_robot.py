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

"""What surrounds the nodes in the scenario: simulated time, a driver, and who watches them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import threading
from threading import Event
from threading import Thread
import time

from benchmarks.chain import joint_names
from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage
from urdf_tools.ros.conversions import from_time
from urdf_tools.ros.conversions import to_time

SECOND = 1_000_000_000

PATIENCE = 90.0
"""Seconds after which what is waited for counts as missing."""

_CLOCK_PERIOD = 0.02


class ScenarioError(Exception):
    """Something that had to happen did not."""


class Repeating:
    """
    Calls a function again and again in a thread, until it is closed.

    :param period: seconds between two calls.
    """

    def __init__(self, function: Callable[[], None], period: float):
        self._function, self._period = function, period
        self._ended = Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Call it no more."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._period):
            self._function()


class SimulatedTime:
    """
    Publishes ``/clock``.

    :param speed: simulated seconds in a second.
    """

    def __init__(self, node: Node, speed: float):
        self.speed = speed
        self._lock = threading.RLock()
        self._start, self._begin = time.monotonic_ns(), 1000 * SECOND
        self._publisher = node.create_publisher(Clock, '/clock', 10)
        self._repeating = Repeating(self.publish, _CLOCK_PERIOD)

    def now(self) -> int:
        """Return the time in nanoseconds."""
        with self._lock:
            return self._begin + round((time.monotonic_ns() - self._start) * self.speed)

    def jump(self, seconds: float) -> None:
        """Go on with an earlier or a later time."""
        with self._lock:
            self._begin += round(seconds * SECOND)
            self.publish()

    def publish(self) -> None:
        """Publish the time."""
        # Locked, so that no time from before a jump comes after one from after it.
        with self._lock:
            self._publisher.publish(Clock(clock=to_time(self.now())))

    def close(self) -> None:
        """Publish the time no more."""
        self._repeating.close()


class Driver:
    """
    Publishes joint states until it is closed.

    :param joints: number of joints of the chain.
    :param period: seconds between two of them, in real time.
    :ivar sent: their stamps in nanoseconds.
    """

    def __init__(self, context: rclpy.Context, now: Callable[[], int], joints: int, period: float):
        self.sent: list[int] = []
        self._now = now
        self._node = rclpy.create_node(
            'driver', context=context, start_parameter_services=False, enable_rosout=False)
        self._publisher = self._node.create_publisher(JointState, 'joint_states', 1000)
        self._message = JointState(name=joint_names(joints), position=[0.5] * joints)
        self._repeating = Repeating(self._publish, period)

    def close(self) -> None:
        """End the driver."""
        self._repeating.close()
        self._node.destroy_node()

    def _publish(self) -> None:
        # Nobody receives a message from before the nodes know each other.
        if self._publisher.get_subscription_count():
            stamp = self._now()
            self._message.header.stamp = to_time(stamp)
            self._publisher.publish(self._message)
            self.sent.append(stamp)


class Operator:
    """
    Watches ``/tf`` and ``/diagnostics``, and sets parameters.

    :ivar stamps: of the messages on ``/tf`` in nanoseconds, in their order.
    :ivar backward: frames whose time went back, with both stamps, in their order.
    """

    def __init__(self, context: rclpy.Context, node: Node):
        self.stamps: list[int] = []
        self.backward: list[tuple[str, int, int]] = []
        self._frames: dict[str, int] = {}
        self._statuses: dict[str, DiagnosticStatus] = {}
        self._news = threading.Condition()
        self._node = node
        node.create_subscription(TFMessage, '/tf', self._transforms, QoSProfile(depth=1000))
        node.create_subscription(DiagnosticArray, '/diagnostics', self._diagnose, 100)
        self._executor = SingleThreadedExecutor(context=context)
        self._executor.add_node(node)
        self._thread = Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._executor.shutdown()
        self._thread.join()

    def begin_again(self) -> None:
        """Forget frames with stamps of a time that the clock has left."""
        with self._news:
            self._frames = {frame: stamp for frame, stamp in self._frames.items()
                            if stamp <= self.stamps[-1]}

    def forget(self) -> None:
        """Forget the statuses so far, so that only later ones are awaited."""
        with self._news:
            self._statuses.clear()

    def status(self, name: str, *texts: str) -> str:
        """
        Wait for a status of which the message or a value has one of the texts; return its message.

        :param name: of the status; it may go on.
        :raises ScenarioError: it does not come.
        """
        def found() -> str:
            for full, status in self._statuses.items():
                parts = status.message, *(value.value for value in status.values)
                if full.startswith(name) and any(text in part for text in texts for part in parts):
                    return str(status.message)
            return ''

        with self._news:
            self._news.wait_for(found, PATIENCE)
            message = found()
            if not message:
                raise ScenarioError(f'{name} did not say {" or ".join(texts)} but '
                                    f'{[status.message for status in self._statuses.values()]}')
            return message

    def wait_for(self, holds: Callable[[], bool], what: str) -> None:
        """
        Wait until something holds about the messages.

        :raises ScenarioError: it does not.
        """
        with self._news:
            if not self._news.wait_for(holds, PATIENCE):
                raise ScenarioError(f'Waited in vain for {what}')

    def set(self, node: str, **parameters: object) -> None:
        """
        Set parameters of a node.

        :raises ScenarioError: it refuses, or does not answer.
        """
        client = self._node.create_client(SetParameters, f'/{node}/set_parameters')
        if not client.wait_for_service(PATIENCE):
            raise ScenarioError(f'{node} has no parameters')
        future = client.call_async(SetParameters.Request(parameters=[
            Parameter(name, value=value).to_parameter_msg()
            for name, value in parameters.items()]))
        future.add_done_callback(lambda _: self._notify())
        self.wait_for(future.done, f'{node} to take its parameters')
        refused = [result.reason for result in future.result().results if not result.successful]
        self._node.destroy_client(client)
        if refused:
            raise ScenarioError(f'{node} refused: {refused}')

    def _notify(self) -> None:
        with self._news:
            self._news.notify_all()

    def _transforms(self, message: TFMessage) -> None:
        with self._news:
            for transform in message.transforms:
                stamp = from_time(transform.header.stamp)
                frame = transform.child_frame_id
                if stamp < self._frames.get(frame, 0):
                    self.backward.append((frame, self._frames[frame], stamp))
                self._frames[frame] = stamp
            self.stamps.append(stamp)
            self._news.notify_all()

    def _diagnose(self, message: DiagnosticArray) -> None:
        with self._news:
            self._statuses.update((status.name, status) for status in message.status)
            self._news.notify_all()


def missed(sent: Sequence[int], received: Sequence[int]) -> list[int]:
    """
    Return the stamps of joint states that no transforms followed, in nanoseconds.

    What was sent before the first transforms and after the last ones does not count.
    """
    if not received:
        return list(sent)
    first, last, followed = received[0], received[-1], set(received)
    return [stamp for stamp in sent if first <= stamp <= last and stamp not in followed]
