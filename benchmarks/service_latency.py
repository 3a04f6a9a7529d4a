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
Latency of the model server's services: in process, and over DDS from a client in another process.

Run it with the description of a robot: python -m benchmarks.service_latency robot.urdf.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
import os
import time

import numpy as np
import rclpy
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from std_msgs.msg import String

from tools.node_processes import NodeProcesses
from tools.node_processes import reserved_domain
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.loader import build_robot
from urdf_tools.nodes.model_server.answers import SERVICES
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools_interfaces.srv import GetInertia
from urdf_tools_interfaces.srv import GetJacobian
from urdf_tools_interfaces.srv import GetLinkTransforms

_TIMEOUT = 60.0


def main(args: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('model', help='a URDF or xacro file')
    parser.add_argument('--link', help='root of a subtree; default: the child of the last joint')
    parser.add_argument('--frame', help='frame of its inertia; default: the root link')
    parser.add_argument('--calls', type=int, default=500, help='of each service; default: 500')
    arguments = parser.parse_args(args)
    document = open_document(arguments.model)
    robot = build_robot(document)
    live = LiveRobot(robot, document.data.decode())
    link = arguments.link or robot.tree[-1].child
    frame = arguments.frame or robot.root
    requests = {
        'inertia of the robot': (GetInertia, 'get_inertia', {'include_subtree': True}),
        f'inertia of {link} in {frame}': (
            GetInertia, 'get_inertia',
            {'link': link, 'frame_id': frame, 'include_subtree': True}),
        'transforms of all links': (GetLinkTransforms, 'get_link_transforms', {}),
        f'Jacobian of {link}': (GetJacobian, 'get_jacobian', {'link': link}),
    }
    with reserved_domain() as domain, NodeProcesses() as nodes:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        nodes.start('model_server')
        rclpy.init()
        client = Client(document.data.decode())
        print(f'{robot.name}: {len(robot.links)} links; {arguments.calls} calls each')
        for title, (kind, name, fields) in requests.items():
            print(f'{title:50}', *(
                f'{label}: p50 {np.percentile(times, 50):6.3f} ms, p99 '
                f'{np.percentile(times, 99):6.3f} ms' for label, times in (
                    ('in process', in_process(live, kind, name, fields, arguments.calls)),
                    ('DDS', client.latencies(kind, name, fields, arguments.calls)))), sep='  ')
        rclpy.shutdown()


def in_process(
        live: LiveRobot, kind: type, name: str, fields: dict, calls: int) -> np.ndarray:
    """Return the times of answers without DDS in ms, shape (calls,)."""
    _, answer, _ = SERVICES[name]
    server = Server(lambda: live)
    request = kind.Request(**fields)
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        answer(server, request, kind.Response())
        times.append(time.perf_counter() - start)
    return np.array(times) * 1e3


class Client:
    """Calls services of the model server, which has a description."""

    def __init__(self, description: str):
        self._node = rclpy.create_node('client')
        qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        publisher = self._node.create_publisher(String, 'robot_description', qos)
        publisher.publish(String(data=description))
        self._wait(lambda: self._call(GetLinkTransforms, 'get_link_transforms').success)

    def latencies(self, kind: type, name: str, fields: dict, calls: int) -> np.ndarray:
        """Return the times of calls in ms, shape (calls,)."""
        times = []
        for _ in range(calls):
            start = time.perf_counter()
            response = self._call(kind, name, **fields)
            times.append(time.perf_counter() - start)
            if not response.success:
                raise RuntimeError(response.message)
        return np.array(times) * 1e3

    def _call(self, kind: type, name: str, **fields):
        service = next(
            (each for each in self._node.clients if each.srv_name.endswith(f'/{name}')),
            None) or self._node.create_client(kind, f'model_server/{name}')
        self._wait(service.service_is_ready)
        future = service.call_async(kind.Request(**fields))
        self._wait(future.done)
        return future.result()

    def _wait(self, condition: Callable[[], bool]):
        deadline = time.monotonic() + _TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                raise RuntimeError('The model server does not answer')
            rclpy.spin_once(self._node, timeout_sec=0.1)


if __name__ == '__main__':
    main()
