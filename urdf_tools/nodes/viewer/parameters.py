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
"""The parameters of the viewer."""

from __future__ import annotations

from rclpy.node import Node

from urdf_tools.ros.parameters import Parameters
from urdf_tools.view.local_server import DEFAULT_PORT
from urdf_tools.view.local_server import LOOPBACK

SOURCES = ('joint_states', 'tf')


class ViewerParameters:
    """
    What a user can set, at the start only.

    :ivar source: one of :data:`SOURCES`.
    :ivar rate: most often that the robot is drawn, in Hz.
    """

    def __init__(self, node: Node):
        parameters = Parameters(node)
        self.host: str = parameters.declare(
            'host', LOOPBACK, 'Address to serve the page at; another one than the default is open '
            'to other machines', read_only=True)
        self.port: int = parameters.declare(
            'port', DEFAULT_PORT, 'First port to try', minimum=1, maximum=65535, read_only=True)
        self.source: str = parameters.declare(
            'source', 'joint_states', 'What moves the robot: joint_states (with '
            'multi_dof_joint_states), or tf, which shows what the rest of the system sees',
            check=_check_source, read_only=True)
        self.rate: float = parameters.declare(
            'rate', 30.0, 'Most often that the robot is drawn (Hz)', minimum=0.1, maximum=200.0,
            read_only=True)
        self.frame_prefix: str = parameters.declare(
            'frame_prefix', '', 'Prefix of the frame IDs on /tf', read_only=True)
        self.drive: bool = parameters.declare(
            'drive', False, 'Whether the sliders publish joint_states from the start, unless '
            'somebody else publishes them', read_only=True)


def _check_source(name: str) -> None:
    if name not in SOURCES:
        raise ValueError(f'source is one of {", ".join(SOURCES)}, not {name!r}')
