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


"""A request to a service of another node, without waiting for it."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import Any

from rclpy.node import Node

PATIENCE = 2.0
"""Seconds after which a request is repeated: a server may not know its client yet."""

ATTEMPTS = 3


class Question:
    """
    Asks a service once, as soon as it is there.

    :param kind: type of the service.
    :param on_answer: called with the response, by :meth:`step`.
    :param on_silence: called instead if there is no response, after all attempts.
    :ivar answered: whether there was one.
    """

    def __init__(
            self, node: Node, kind: Any, name: str, request: Any,
            on_answer: Callable[[Any], None], on_silence: Callable[[], None] | None = None):
        self._node = node
        self._client: Any = node.create_client(kind, name)
        self._request = request
        self._on_answer = on_answer
        self._on_silence = on_silence
        self._futures: list[Any] = []
        self._due = time.monotonic()
        self._attempts = 0
        self.answered = False

    def step(self) -> bool:
        """
        Go on with it, and return whether it is over, with an answer or without.

        A server that answers late is listened to until it has answered every request, or its
        answers to nobody would be in its log.
        """
        if not self.answered:
            answered = next((future for future in self._futures if future.done()), None)
            if answered is not None:
                self.answered = True
                response = answered.result()
                if response is not None:
                    self._on_answer(response)
        if self.answered and all(future.done() for future in self._futures):
            self.end()
            return True
        if time.monotonic() < self._due:
            return False
        self._due = time.monotonic() + PATIENCE
        if self._attempts == ATTEMPTS:
            self.end()
            if not self.answered and self._on_silence is not None:
                self._on_silence()
            return True
        self._attempts += 1
        if not self.answered and self._client.service_is_ready():
            self._futures.append(self._client.call_async(self._request))
        return False

    def end(self) -> None:
        """Ask no more."""
        self._node.destroy_client(self._client)
