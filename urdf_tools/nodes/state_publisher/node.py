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
Publish a robot's frames as robot_state_publisher does, and report why if it cannot.

Topics, services, parameters and their defaults are those of robot_state_publisher. If the
description parameter is missing or wrong at start-up, the node ends with one sentence. A bad
description that comes later is refused with its reason, and the last good one stays.

As in robot_state_publisher before 3.5.1, the path of a URDF file as the only argument takes the
place of the parameter, which is deprecated.
"""

from __future__ import annotations

from urdf_tools.ros.base_node import BaseNode


class StatePublisher(BaseNode):
    """
    Publishes the frames of a robot.

    robot_description --> PublishedRobot --> /tf_static
    joint_states, multi_dof_joint_states --> TfPipeline --> /tf

    :param file: path of the URDF file if there is no parameter ``robot_description``.
    :param name: name of the node.
    :raises StartError: a parameter or the file is refused.
    :raises DescriptionError: the description does not describe a robot.
    """

    def __init__(self, file: str = '', name: str = 'state_publisher') -> None:
        super().__init__(name)
        # Other nodes take a tenth of a second to discover this one. Meanwhile the rest is
        # imported.
        from urdf_tools.nodes.state_publisher.published_robot import PublishedRobot
        self._robot = PublishedRobot(self, file)
