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

"""What a topic that is polled takes of the middleware's memory."""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from std_msgs.msg import String
from urdf_tools.nodes.model_monitor.polled_topic import PolledTopic
from urdf_tools.ros.qos import LATCHED


def received(client, publisher, polled, size):
    """Publish a message of a size until it arrives, and return how many did."""
    def taken():
        publisher.publish(String(data='x' * size))
        return len(polled.take())

    return client.wait_for(taken, f'a message of {size} bytes')


def test_a_topic_of_large_messages_is_subscribed_to_anew(own_client):
    """As each place in a queue of 1,000 keeps the memory of the largest message in it."""
    publisher = own_client.node.create_publisher(String, 'data', 10)
    polled = PolledTopic(own_client.node, String, 'data', QoSProfile(depth=1000))
    first = polled._subscription
    received(own_client, publisher, polled, 100)
    total = 0
    while total < 2**22:
        assert polled._subscription is first
        total += 1_000_000 * received(own_client, publisher, polled, 1_000_000)
    assert polled._subscription is not first
    assert received(own_client, publisher, polled, 100)
    polled.end()


def test_what_a_publisher_keeps_is_not_asked_for_again(own_client):
    publisher = own_client.node.create_publisher(String, 'kept', LATCHED)
    polled = PolledTopic(own_client.node, String, 'kept', LATCHED)
    first = polled._subscription
    assert LATCHED.durability == DurabilityPolicy.TRANSIENT_LOCAL
    assert received(own_client, publisher, polled, 5_000_000)
    assert polled._subscription is first
    polled.end()
