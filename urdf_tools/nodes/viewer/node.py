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
"""Show the robot live in a browser."""

from __future__ import annotations

from collections.abc import Sequence
import os
import sys

from rclpy.node import Node

from urdf_tools.ros.process import run
from urdf_tools.ros.process import StartError

NICENESS = 10
"""How much lower the priority of this process is than that of the robot's other nodes."""


def make_node() -> Node:
    """
    Return the node.

    :raises StartError: what it needs is not installed.
    """
    try:
        from urdf_tools.nodes.viewer.viewer_node import ViewerNode
    except ImportError as error:
        if (error.name or '').partition('.')[0] not in ('PIL', 'trimesh', 'viser'):
            raise
        raise StartError(
            f'The viewer needs the Python package {error.name!r}, which is not installed; install '
            'it with "pip install viser pycollada"') from error
    return ViewerNode()


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    # A picture may come late; what moves the robot may not.
    os.nice(NICENESS)
    return run('viewer', make_node, args)


if __name__ == '__main__':
    sys.exit(main())
