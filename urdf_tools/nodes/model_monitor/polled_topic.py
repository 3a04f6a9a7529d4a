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


"""A topic whose serialized messages are polled."""

from __future__ import annotations

from copy import copy
import time
from typing import Any

from rclpy.node import Node
from rclpy.qos import QoSProfile

from urdf_tools.messages.batches import Message
from urdf_tools.ros.memory import release_memory_soon
from urdf_tools.ros.serialized_topics import NoExecutor


class PolledTopic:
    """
    Polls the serialized messages of a topic.

    To be woken for each message costs more than to take it, and the middleware notes when each
    one arrived.

    :param kind: type of the messages.
    :param qos: its depth bounds the messages between two polls.
    """

    def __init__(self, node: Node, kind: type, topic: str, qos: QoSProfile):
        self._node = node
        self._kind = kind
        self._subscription = node.create_subscription(
            kind, topic, lambda message: None, copy(qos), raw=True, callback_group=NoExecutor())

    def take(self) -> list[Message]:
        """Return the messages that have arrived since the last call, in order."""
        messages = []
        handle: Any = self._subscription.handle
        with handle:
            while (taken := handle.take_message(self._kind, True)) is not None:
                data, info = taken
                # rclpy of Jazzy tells no gid.
                gid = info.get('publisher_gid') or {}
                messages.append(Message(
                    data, gid.get('data', b''), info['received_timestamp'] or time.time_ns()))
                release_memory_soon(data)
        return messages

    def end(self) -> None:
        """Unsubscribe."""
        self._node.destroy_subscription(self._subscription)
