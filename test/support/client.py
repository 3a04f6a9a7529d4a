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

"""A node that talks to the nodes under test."""

from __future__ import annotations

from collections.abc import Callable
import time
from typing import TypeVar

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from std_msgs.msg import String
from urdf_tools.ros.topics import LATCHED

Found = TypeVar('Found')

PATIENCE = 60.0
"""Seconds after which what is waited for counts as missing."""


class Client:
    """A node in the domain of the tests that works while somebody waits."""

    def __init__(self, domain: int):
        self._context = rclpy.Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = rclpy.create_node('client', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._description = self.node.create_publisher(String, 'robot_description', LATCHED)
        self._diagnostics = self.subscribe(DiagnosticArray, '/diagnostics', 100)

    def close(self) -> None:
        """End the node."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def wait_for(self, find: Callable[[], Found], what: str) -> Found:
        """Work until a function finds something, and return that."""
        deadline = time.monotonic() + PATIENCE
        while not (found := find()):
            assert time.monotonic() < deadline, f'waited in vain for {what}'
            self._executor.spin_once(timeout_sec=0.1)
        return found

    def subscribe(self, kind: type, topic: str, qos: QoSProfile | int = 10) -> list:
        """Return a list that the messages on a topic are added to."""
        messages = []
        self.node.create_subscription(kind, topic, messages.append, qos)
        return messages

    def describe(self, text: str) -> None:
        """Publish a robot description, for those who listen and who come later."""
        self._description.publish(String(data=text))

    def call(self, kind: type, name: str, **fields):
        """Return the response of a service to a request with these fields."""
        client = self.node.create_client(kind, name)
        response = self.ask(client, **fields)
        self.node.destroy_client(client)
        return response

    def client(self, kind: type, name: str) -> rclpy.client.Client:
        """Return a client that a service has answered: no later response to it is lost."""
        client = self.node.create_client(kind, name)
        self.ask(client)
        return client

    def ask(self, client: rclpy.client.Client, **fields):
        """
        Return the response to a request of a client with these fields.

        A server that has not yet discovered the client loses its response, so it is asked again.
        """
        self.wait_for(client.service_is_ready, f'service {client.srv_name}')
        futures = []
        due = 0.0

        def answered():
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + PATIENCE / 4
                futures.append(client.call_async(client.srv_type.Request(**fields)))
            return next((future for future in futures if future.done()), None)

        return self.wait_for(answered, f'a response of {client.srv_name}').result()

    def status(self, name: str, holds: Callable[[DiagnosticStatus], bool]) -> DiagnosticStatus:
        """Wait for a status with a name such as ``model_server: Model`` of which this holds."""
        self._diagnostics.clear()
        return self.wait_for(
            lambda: next((status for array in self._diagnostics for status in array.status
                          if status.name == name and holds(status)), None), name)
