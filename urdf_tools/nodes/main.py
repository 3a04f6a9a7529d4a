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

"""The main program of each node."""

from __future__ import annotations

from functools import partial
from importlib import import_module
import os
import sys

from urdf_tools.ros.process import prepare
from urdf_tools.ros.process import run

TYPE_CHECKING = False  # As in typing, which is imported only once signals are handled.
if TYPE_CHECKING:
    from typing import NoReturn  # noqa: I300

NODES = {
    'companion': 'companion:Companion',
    'inertia_publisher': 'inertia_publisher:InertiaPublisher',
    'joint_state_source': 'joint_state_source:JointStateSource',
    'model_monitor': 'model_monitor:ModelMonitor',
    'model_server': 'model_server:ModelServer',
    'model_validator': 'model_validator:ModelValidator',
    'robot_state_publisher': 'state_publisher:StatePublisher',
    'state_publisher': 'state_publisher:StatePublisher',
    'viewer': 'viewer:ViewerNode'}
"""Name of each executable to the folder and the class of its node."""


def main(name: str) -> NoReturn:
    """Run a node until a signal ends it, and exit; see :func:`~urdf_tools.ros.process.run`."""
    folder, _, kind = NODES[name].partition(':')
    publishes_frames = kind == 'StatePublisher'
    # Before the other imports, which take most of the time of a start.
    prepare(name, returns_memory=not publishes_frames)
    if name == 'viewer':
        os.nice(10)  # A picture may come late; what moves the robot may not.
    node_class = getattr(import_module(f'urdf_tools.nodes.{folder}.node'), kind)
    if publishes_frames:
        # As robot_state_publisher, it takes the path of a URDF file.
        sys.exit(run(name, partial(node_class, name=name), max_arguments=1))
    sys.exit(run(name, node_class))
