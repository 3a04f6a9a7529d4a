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

One node serves several robots if the parameter ``robots`` names them.

As in robot_state_publisher before 3.5.1, the path of a URDF file as the only argument takes the
place of the parameter, which is deprecated.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import re
from threading import Lock
from typing import Any
from typing import TYPE_CHECKING

from rclpy.clock import JumpThreshold
from rclpy.clock import TimeJump
from rclpy.duration import Duration

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.process import StartError

if TYPE_CHECKING:
    from urdf_tools.nodes.state_publisher.published_robot import PublishedRobot

STAMP_POLICIES = ('message', 'now_if_zero')

NAMELESS = ''
"""Name of a robot that is the only one of its state publisher."""

MIN_FREQUENCY = 0.01
"""Lowest limit of the publish rate (Hz): slower frames look as if they did not move."""

MIN_PERIOD = 0.01
"""Shortest period of ``/tf_static`` (s)."""


class StatePublisher(BaseNode):
    """
    Publishes the frames of one robot, or of several.

    robot_description --> PublishedRobot --> StaticFrames --> /tf_static
    joint_states, multi_dof_joint_states --> TfPipeline of each robot --> /tf

    :param file: path of the URDF file of a single robot that has no parameter
        ``robot_description``.
    :param name: name of the node.
    :raises StartError: a parameter is refused, or the file has no robot to be of.
    :raises DescriptionError: the description does not describe a robot.
    """

    _robots: Sequence[PublishedRobot] = ()

    def __init__(self, file: str = '', name: str = 'state_publisher') -> None:
        super().__init__(name)
        # Other nodes take a tenth of a second to discover this one. Meanwhile the rest is
        # imported.
        from urdf_tools.nodes.state_publisher.published_robot import PublishedRobot
        from urdf_tools.nodes.state_publisher.published_robot import StaticFrames
        from urdf_tools.ros.diagnostics import Updater
        from urdf_tools.ros.parameters import Parameters
        from urdf_tools.ros.parameters import warn_of_unknown
        self._settings = Parameters(self, self._apply)
        names = declare_parameters(self._settings.declare)
        description = self._read(file, names) if file else ''
        lock = Lock()
        updater = Updater(self, lock=lock, starts=False)
        self._static_frames = StaticFrames(self)
        self._static_frames.repeat(self._settings['static_period'])
        self._robots = [
            PublishedRobot(self, self._settings, self._static_frames, updater, name, description)
            for name in names]
        for robot in self._robots:
            robot.start()
        updater.start()
        # This imports numpy and more, which the static frames do not wait for.
        from urdf_tools.nodes.state_publisher.tf_pipeline import TfPipeline
        for robot in self._robots:
            pipeline = TfPipeline(self, robot.setting, robot.tf_publisher, robot.logger, lock)
            robot.feed(pipeline)
            pipeline.follow(robot.namespace)
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        warn_of_unknown(self)

    def _read(self, file: str, names: list[str]) -> str:
        """Return the text of the URDF file, or an empty string if the parameter is given."""
        if names != [NAMELESS] or self._settings['use_robot_description_topic']:
            raise StartError(
                f'Unexpected argument {quote(file)}: a URDF file is taken only for a single robot '
                'without use_robot_description_topic')
        if 'robot_description' in getattr(self, '_parameter_overrides', ()):
            return ''
        self.get_logger().warning(
            'No robot_description parameter, but command-line argument available.  Assuming '
            'argument is name of URDF file.  This backwards compatibility fallback will be '
            'removed in the future.')
        from urdf_tools.model.xml.document import read_file
        try:
            return read_file(file).decode(errors='replace')
        except DescriptionError as error:
            error.hint = 'Give the path of a URDF file; a xacro file has to be expanded first'
            raise

    def _apply(self, changed: set[str]) -> None:
        if 'static_period' in changed:
            self._static_frames.repeat(self._settings['static_period'])
        for robot in self._robots:
            robot.apply(changed)

    def _rewind(self, _jump: TimeJump) -> None:
        for robot in self._robots:
            robot.rewind()
        self.get_logger().warning('Time jumped backwards; every joint is published again')


def declare_parameters(declare: Callable[..., Any]) -> list[str]:
    """
    Declare the parameters that all robots share, and return the names of the robots.

    :raises StartError: one of them is refused.
    """
    from urdf_tools.ros.parameters import one_of
    declare('use_robot_description_topic', False,
            'Whether to take the description from the topic robot_description, which is then not '
            'published, instead of the parameter', read_only=True)
    declare('publish_frequency', 20.0,
            'Maximum publish rate of each joint (Hz); 0 is unlimited', minimum=0.0, maximum=1000.0,
            smallest=MIN_FREQUENCY)
    declare('ignore_timestamp', False,
            'Whether to publish every joint state, regardless of its stamp and the maximum rate')
    declare('publish_tf', True, 'Whether to publish /tf and /tf_static')
    declare('stamp_policy', STAMP_POLICIES[0],
            'What to do with joint states that have a zero stamp: message, drop them; '
            'now_if_zero, stamp them with the current time',
            check=one_of('stamp_policy', STAMP_POLICIES))
    declare('fix_multi_dof_joints', False,
            'Whether to publish planar and floating joints as fixed, at their zero position')
    declare('static_period', 0.0,
            'Period (s) at which /tf_static is published again, for example for a recording that '
            'is split into files; 0 is never', minimum=0.0, maximum=86400.0, smallest=MIN_PERIOD)
    declare('joint_timeout', 5.0,
            'Age (s) above which diagnostics call a joint stale; 0 is never',
            minimum=0.0, maximum=86400.0)
    names: list[str] = declare(
        'robots', [NAMELESS],
        'Names of the robots if there are several: each has its topics in a namespace of that '
        'name and its own parameters name.robot_description and name.frame_prefix',
        read_only=True, check=_check_robots)
    return names


def _check_robots(names: list[str]) -> None:
    if names == [NAMELESS]:
        return
    for name in names:
        if not re.fullmatch('[A-Za-z][A-Za-z0-9_]*', name):
            raise ValueError(
                f'{name!r} is not a valid robot name: use letters, digits and underscores')
        if names.count(name) > 1:
            raise ValueError(f'{name!r} is named more than once')
