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

from threading import current_thread
from threading import main_thread
import time
from types import SimpleNamespace

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from std_msgs.msg import String
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import RawPublisher
from urdf_tools.ros.topics import RawSubscription

PATIENCE = 60.0


class Bench:
    """A node that publishes to itself."""

    def __init__(self, domain):
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = BaseNode('bench', context=self.context)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)
        self.publisher = self.node.create_publisher(String, 'topic', LATCHED)

    def subscribe(self, callback):
        return RawSubscription(self.node, String, 'topic', callback, LATCHED)

    def wait_for(self, find):
        deadline = time.monotonic() + PATIENCE
        while not find():
            assert time.monotonic() < deadline
            self._executor.spin_once(timeout_sec=0.1)

    def close(self):
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture
def bench(domain):
    bench = Bench(domain)
    yield bench
    bench.close()


def texts_of(bench):
    texts = []
    threads = []

    def receive(data):
        texts.append(deserialize_message(data, String).data)
        threads.append(current_thread())

    return texts, threads, bench.subscribe(receive)


def test_messages_arrive_in_a_thread_of_their_own(bench):
    texts, threads, subscription = texts_of(bench)
    for text in 'abc':
        bench.publisher.publish(String(data=text))
        bench.wait_for(lambda: texts and texts[-1] == text)
    assert texts == ['a', 'b', 'c']
    assert main_thread() not in threads
    assert subscription.publishers == 1
    subscription.end()


def test_nothing_arrives_after_the_end(bench):
    texts, _, subscription = texts_of(bench)
    bench.publisher.publish(String(data='before'))
    bench.wait_for(lambda: texts)
    subscription.end()
    later = bench.node.create_subscription(String, 'topic', lambda message: None, LATCHED)
    seen = []
    later.callback = seen.append
    bench.publisher.publish(String(data='after'))
    bench.wait_for(lambda: String(data='after') in seen)
    assert texts == ['before']


def test_messages_arrive_after_an_exception_in_the_callback(bench):
    texts = []

    def receive(data):
        texts.append(deserialize_message(data, String).data)
        if len(texts) == 1:
            raise ArithmeticError('of the callback')

    subscription = bench.subscribe(receive)
    for text in 'ab':
        bench.publisher.publish(String(data=text))
        bench.wait_for(lambda: texts and texts[-1] == text)
    assert bench.node.faults.last == 'ArithmeticError: of the callback'
    assert bench.node.faults.count == 1
    subscription.end()


def test_serialized_messages_are_published(bench):
    texts, _, subscription = texts_of(bench)
    publisher = RawPublisher(bench.node, String, 'topic', LATCHED).advertise()
    publisher.publish(bytes(serialize_message(String(data='a'))))
    bench.wait_for(lambda: texts)
    assert texts == ['a']
    assert publisher.subscribers == 1
    subscription.end()


def test_rclpy_publishes_where_it_lacks_the_raw_function():
    published = []
    of_rclpy = SimpleNamespace(handle=object(), publish=published.append)
    node = SimpleNamespace(create_publisher=lambda *arguments: of_rclpy)
    RawPublisher(node, String, 'topic', LATCHED).advertise().publish(b'bytes')
    assert published == [b'bytes']
