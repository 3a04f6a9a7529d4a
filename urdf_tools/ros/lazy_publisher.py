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

"""Latched topics on which nothing is sent while nobody listens or nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic
from typing import TypeVar

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node

from urdf_tools.ros.qos import LATCHED

State = TypeVar('State')


class LazyPublisher(Generic[State]):
    """
    A latched topic that tells a state to whoever subscribes.

    :param kind: type of the messages.
    :param make: state to its message, or to None where there is nothing to say of it.
    :param on_subscription: called when somebody has subscribed.
    """

    def __init__(
            self, node: Node, kind: type, topic: str, make: Callable[[State], object | None],
            on_subscription: Callable[[], None]):
        self._make = make
        self._sent: State | None = None

        def match(change):
            if change.current_count_change > 0:
                on_subscription()

        self._publisher = node.create_publisher(
            kind, topic, LATCHED, event_callbacks=PublisherEventCallbacks(matched=match))

    @property
    def wanted(self) -> bool:
        """Whether anybody subscribes."""
        return self._publisher.get_subscription_count() > 0

    def renew(self) -> None:
        """Let the next state be sent whatever was sent before."""
        self._sent = None

    def publish(self, state: State) -> None:
        """Send the message of a state, unless that was done last."""
        if state is self._sent:
            return
        self._sent = state
        message = self._make(state)
        if message is not None:
            self._publisher.publish(message)
