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
Publish a robot's frames as robot_state_publisher does, and say why where they are not published.

Topics, services, parameters and their defaults are those of robot_state_publisher. If the
description parameter is missing or wrong at start-up, the node ends with one sentence. A bad
description that comes later is refused with its reason, and the last good one stays.

One node serves several robots if the parameter ``robots`` names them.

As in robot_state_publisher, the path of a URDF file as the only argument takes the place of the
parameter, which is deprecated.
"""

from __future__ import annotations

from collections.abc import Sequence
import sys
from typing import TYPE_CHECKING

from rclpy.node import Node

from urdf_tools.ros.process import run

if TYPE_CHECKING:
    from urdf_tools.nodes.state_publisher.published_robots import PublishedRobots


class StatePublisher(Node):
    """
    Publishes the frames of one robot, or of several.

    :param file: path of the URDF file of a single robot that has no parameter
        ``robot_description``.
    :raises StartError: a parameter is refused, or the file has no robot to be of.
    :raises DescriptionError: the description does not describe a robot.
    """

    _robots: PublishedRobots | None = None

    def __init__(self, file: str = '') -> None:
        super().__init__('state_publisher')
        # Other nodes take a tenth of a second to discover this one. Meanwhile the rest is
        # imported.
        from urdf_tools.nodes.state_publisher.published_robots import PublishedRobots
        self._robots = PublishedRobots(self, file)

    def destroy_node(self) -> None:
        if self._robots is not None:
            self._robots.end()
        super().destroy_node()


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('state_publisher', StatePublisher, args, max_arguments=1)


if __name__ == '__main__':
    sys.exit(main())
