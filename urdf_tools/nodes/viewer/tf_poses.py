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

from math import isfinite
import threading
import time

from geometry_msgs.msg import Transform
import numpy as np
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.robot import Robot
from urdf_tools.ros.qos import TF
from urdf_tools.ros.qos import TF_STATIC

_MAX_FRAMES = 20_000


class TfPoses:
    """
    The latest transform of each frame.

    :param prefix: of the frame IDs of the robot.
    """

    def __init__(self, node: Node, prefix: str):
        self._prefix = prefix
        self._lock = threading.Lock()
        self._parents: dict[str, tuple[str, tuple[float, ...]]] = {}
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
                numbers = _numbers(stamped.transform)
                if isfinite(sum(numbers)) and any(numbers[3:]) and (
                        child in self._parents or len(self._parents) < _MAX_FRAMES):
                    self._parents[child] = stamped.header.frame_id.lstrip('/'), numbers
                    self._times[child] = arrival

    def poses(self, robot: Robot) -> dict[str, Array]:
        """Return the poses of links in the frame of the root link, as far as they are known."""
        with self._lock:
            parents = {child: parent for child, (parent, _) in self._parents.items()}
            matrices = dict(zip(parents, _matrices([
                numbers for _, numbers in self._parents.values()])))
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
            (arrival := times.get(self._prefix + link)) is None
            or 0 < timeout < now - arrival)}


def _numbers(transform: Transform) -> tuple[float, ...]:
    """Return ``x y z`` and the quaternion ``x y z w``, which need not be finite."""
    translation, rotation = transform.translation, transform.rotation
    return (translation.x, translation.y, translation.z,
            rotation.x, rotation.y, rotation.z, rotation.w)


def _matrices(transforms: list[tuple[float, ...]]) -> Array:
    """Return transforms as matrices, shape (N, 4, 4)."""
    numbers = np.array(transforms).reshape(-1, 7)
    matrices = np.zeros((len(numbers), 4, 4))
    matrices[:, :3, :3] = quaternion_to_matrix(numbers[:, 3:])
    matrices[:, :3, 3] = numbers[:, :3]
    matrices[:, 3, 3] = 1
    return matrices
