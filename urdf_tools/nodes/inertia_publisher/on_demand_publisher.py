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

"""Transient local topics that are published only for subscribers and only when they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from typing import Generic
from typing import TypeVar

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.node import Node
from rclpy.publisher import Publisher

from urdf_tools.ros.qos import LATCHED

State = TypeVar('State')


class OnDemandPublisher(Generic[State]):
    """
    Publishes a state to whoever subscribes.

    :param kind: type of the messages.
    :param make: state to its message, or to None if there is nothing to publish.
    :param on_subscription: called when somebody has subscribed.
    """

    def __init__(
            self, node: Node, kind: type, topic: str, make: Callable[[State], object | None],
            on_subscription: Callable[[], None]):
        self._make = make
        self._published: State | None = None

        def match(change: Any) -> None:
            if change.current_count_change > 0:
                on_subscription()

        self._publisher: Publisher[Any] = node.create_publisher(
            kind, topic, LATCHED, event_callbacks=PublisherEventCallbacks(matched=match))

    @property
    def wanted(self) -> bool:
        """Whether anybody subscribes."""
        return int(self._publisher.get_subscription_count()) > 0

    def invalidate(self) -> None:
        """Publish the next state even if it is the one published last."""
        self._published = None

    def publish(self, state: State) -> None:
        """Publish the message of a state, unless it is the one published last."""
        if state is self._published:
            return
        self._published = state
        message = self._make(state)
        if message is not None:
            self._publisher.publish(message)
