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

"""
A recorder for tests: what is published over DDS, as it arrives, in an MCAP file.

``python -m support.graph_recorder FILE DOMAIN`` records until its standard input ends, and prints
a line when it has begun.
"""

from __future__ import annotations

from pathlib import Path
import sys
from threading import Event
from threading import Thread
import time

import rclpy
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from support.graph_player import message_type
from support.recordings import write_mcap
from support.recordings import Written
from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import Qos
from urdf_tools.ros.topics import NoExecutor


class Recorder:
    """Subscribes to everything, and keeps what arrives as it is, as rosbag2 does."""

    def __init__(self, node: Node):
        self.messages: list[Written] = []
        self.kinds: dict[str, str] = {}
        self._node = node
        self._subscriptions = []

    def follow(self, graph: Graph) -> None:
        """Subscribe to the topics of a graph that are new."""
        for topic, kind in graph.kinds.items():
            if topic in self.kinds or not graph.publishers[topic]:
                continue
            self.kinds[topic] = kind
            message = message_type(kind)
            kept = all(end.qos.transient_local for end in graph.publishers[topic])
            self._subscriptions.append((topic, message, self._node.create_subscription(
                message, topic, print, QoSProfile(
                    depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL if kept else (
                        DurabilityPolicy.VOLATILE),
                    reliability=ReliabilityPolicy.RELIABLE if kept else (
                        ReliabilityPolicy.BEST_EFFORT)),
                raw=True, callback_group=NoExecutor())))

    def take(self) -> None:
        """Take what has arrived."""
        for topic, kind, subscription in self._subscriptions:
            with subscription.handle:
                while (taken := subscription.handle.take_message(kind, True)) is not None:
                    data, info = taken
                    self.messages.append(Written(
                        topic, info['received_timestamp'] or time.time_ns(), bytes(data),
                        info.get('publication_sequence_number') or 0))

    def write(self, path: Path, graph: Graph) -> Path:
        """Write what has been recorded of a graph."""
        return write_mcap(
            path, sorted(self.messages, key=lambda each: each.received), self.kinds,
            {topic: [end.qos for end in ends] for topic, ends in graph.publishers.items()})


def read_graph(node: Node) -> Graph:
    """Return the topics that a node sees, and who publishes on them."""
    kinds = {topic: types[0] for topic, types in node.get_topic_names_and_types()}
    return Graph((), kinds, {topic: tuple(
        Endpoint(info.node_name, Qos(
            info.qos_profile.reliability == ReliabilityPolicy.RELIABLE,
            info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL))
        for info in node.get_publishers_info_by_topic(topic)) for topic in kinds})


def main() -> None:
    """Record a domain until standard input ends."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=int(sys.argv[2]))
    node = rclpy.create_node('_recorder', context=context, enable_rosout=False,
                             start_parameter_services=False)
    recorder, ended = Recorder(node), Event()
    Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    print('ready', flush=True)
    number = 0
    while not ended.wait(0.05):
        if not number % 10:
            graph = read_graph(node)
            recorder.follow(graph)
        number += 1
        recorder.take()
    recorder.write(Path(sys.argv[1]), graph)
    node.destroy_node()
    rclpy.shutdown(context=context)


if __name__ == '__main__':
    main()
