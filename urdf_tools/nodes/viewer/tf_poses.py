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
"""The poses of links as the rest of the system sees them: from /tf and /tf_static."""

from __future__ import annotations

import threading
import time

import numpy as np
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.model.robot import Robot
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.qos import TF
from urdf_tools.ros.qos import TF_STATIC
from urdf_tools.types import Array

_MAX_FRAMES = 20_000


class TfPoses:
    """
    The latest transform of each frame.

    :param prefix: of the frame IDs of the robot.
    """

    def __init__(self, node: Node, prefix: str):
        self._prefix = prefix
        self._lock = threading.Lock()
        self._parents: dict[str, tuple[str, Array]] = {}
        self._times: dict[str, float] = {}
        self.count = 0
        node.create_subscription(
            TFMessage, '/tf', lambda message: self.receive(message, time.monotonic()), TF)
        node.create_subscription(
            TFMessage, '/tf_static', lambda message: self.receive(message, np.inf), TF_STATIC)

    def receive(self, message: TFMessage, arrival: float) -> None:
        """
        Keep the transforms of a message; those that are not finite are left out.

        :param arrival: by ``time.monotonic()``; infinite for static ones, which never grow old.
        """
        with self._lock:
            self.count += 1
            for stamped in message.transforms:
                child = stamped.child_frame_id.lstrip('/')
                numbers = from_transform(stamped.transform)
                if np.isfinite(numbers).all() and numbers[3:].any() and (
                        child in self._parents or len(self._parents) < _MAX_FRAMES):
                    self._parents[child] = stamped.header.frame_id.lstrip('/'), numbers
                    self._times[child] = arrival

    def poses(self, robot: Robot) -> dict[str, Array]:
        """Return the poses of links in the frame of the root link, as far as they are known."""
        with self._lock:
            parents = {child: parent for child, (parent, _) in self._parents.items()}
            numbers = np.array([numbers for _, numbers in self._parents.values()])
        matrices = dict(zip(parents, pose_of(numbers.reshape(-1, 7))))
        found = {self._prefix + robot.root: np.eye(4)}
        for link in robot.links:
            chain: list[str] = []
            frame = self._prefix + link
            # A loop in tf is left where it closes.
            while frame not in found and frame in parents and len(chain) <= len(parents):
                chain.append(frame)
                frame = parents[frame]
            if frame in found:
                for below in reversed(chain):
                    found[below] = found[parents[below]] @ matrices[below]
        return {link: found[self._prefix + link] for link in robot.links
                if self._prefix + link in found}

    def old(self, robot: Robot, timeout: float) -> set[str]:
        """Return the links whose transform was never received, or is older than a timeout (s)."""
        with self._lock:
            times = dict(self._times)
        now = time.monotonic()
        return {link for link in robot.links if link != robot.root and (
            (arrival := times.get(self._prefix + link)) is None or 0 < timeout < now - arrival)}
