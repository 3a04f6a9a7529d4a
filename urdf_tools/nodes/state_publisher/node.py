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

from collections.abc import Mapping
from collections.abc import Sequence
import sys
from threading import Lock
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.clock import JumpThreshold
from rclpy.clock import TimeJump
from rclpy.duration import Duration
from rclpy.node import Node

from urdf_tools.model.document import read_file
from urdf_tools.model.messages import quote
from urdf_tools.nodes.state_publisher.parameters import declare_parameters
from urdf_tools.nodes.state_publisher.parameters import NAMELESS
from urdf_tools.nodes.state_publisher.published_robot import PublishedRobot
from urdf_tools.nodes.state_publisher.static_frames import StaticFrames
from urdf_tools.ros.background import PreparedService
from urdf_tools.ros.background import Worker
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import run
from urdf_tools.ros.process import StartError


QUICK_TEXT = 100_000
"""Most characters of a description that is parsed by the executor, in about 30 ms."""

MAX_WAITING = 8
"""Most changes of parameters that wait while a description is parsed."""


class StatePublisher(Node):
    """
    Publishes the frames of one robot, or of several.

    robots --> /tf, /tf_static

    A large description is parsed in a thread before the parameter is set, so that the frames of
    the present one go on.

    :param file: path of the URDF file of a single robot that has no parameter
        ``robot_description``.
    :raises StartError: a parameter is refused, or the file has no robot to be of.
    :raises DescriptionError: the description does not describe a robot.
    """

    _worker: Worker | None = None

    def __init__(self, file: str = '') -> None:
        super().__init__('state_publisher')
        self._robots: list[PublishedRobot] = []
        self._settings = Parameters(self, self._apply)
        names = declare_parameters(self._settings)
        description = self._read(file, names) if file else ''
        lock = Lock()
        updater = Updater(self, lock=lock)
        self._static_frames = StaticFrames(self)
        self._static_frames.repeat(self._settings['static_period'])
        self._robots.extend(
            PublishedRobot(
                self, self._settings, self._static_frames, updater, lock, name, description)
            for name in names)
        for robot in self._robots:
            robot.start()
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        self._worker = Worker(self)
        for service in self.services:
            if service.srv_type in (SetParameters, SetParametersAtomically):
                PreparedService(
                    self, service, self._prepare, _refuse, self._worker,
                    lambda request: not _long_texts(request), MAX_WAITING)
        warn_of_unknown(self)

    def destroy_node(self) -> None:
        if self._worker is not None:
            self._worker.end()
        for robot in self._robots:
            robot.end()
        super().destroy_node()

    def _read(self, file: str, names: list[str]) -> str:
        """Return the text of the URDF file, or an empty string if the parameter is given."""
        if names != [NAMELESS] or self._settings['description_from_topic']:
            raise StartError(
                f'Unexpected argument {quote(file)}: a URDF file is taken only for a single robot '
                'without description_from_topic')
        if 'robot_description' in getattr(self, '_parameter_overrides', ()):
            return ''
        self.get_logger().warning(
            'No robot_description parameter, but command-line argument available.  Assuming '
            'argument is name of URDF file.  This backwards compatibility fallback will be '
            'removed in the future.')
        return read_file(file).decode(errors='replace')

    def _apply(self, changed: set[str]) -> None:
        if 'static_period' in changed:
            self._static_frames.repeat(self._settings['static_period'])
        for robot in self._robots:
            robot.apply(changed)

    def _prepare(self, request: Any) -> None:
        texts = _long_texts(request)
        for robot in self._robots:
            robot.prepare(texts)

    def _rewind(self, _jump: TimeJump) -> None:
        for robot in self._robots:
            robot.rewind()
        self.get_logger().warning('Time jumped backwards; every joint is published again')


def _long_texts(request: Any) -> Mapping[str, str]:
    """Return the parameters of a request whose text takes long to parse, by name."""
    return {parameter.name: parameter.value.string_value for parameter in request.parameters
            if len(parameter.value.string_value) > QUICK_TEXT}


def _refuse(request: Any) -> Any:
    refusal = SetParametersResult(
        successful=False, reason='Too many changes of parameters wait for a description')
    if isinstance(request, SetParametersAtomically.Request):
        return SetParametersAtomically.Response(result=refusal)
    return SetParameters.Response(results=[refusal] * len(request.parameters))


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('state_publisher', StatePublisher, args, max_arguments=1)


if __name__ == '__main__':
    sys.exit(main())
