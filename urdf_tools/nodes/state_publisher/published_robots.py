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

"""The robots of a state publisher, and what they share."""

from __future__ import annotations

from collections.abc import Mapping
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
from urdf_tools.ros.process import StartError

QUICK_TEXT = 100_000
"""Most characters of a description that is parsed by the executor, in about 30 ms."""

MAX_WAITING = 8
"""Most changes of parameters that wait while a description is parsed."""


class PublishedRobots:
    """
    Publishes the frames of one robot, or of several.

    robots --> /tf_static, /tf

    A large description is parsed in a thread before the parameter is set, so that the frames of
    the present one go on.

    :param file: path of the URDF file of a single robot that has no parameter
        ``robot_description``.
    :raises StartError: a parameter is refused, or the file has no robot to be of.
    :raises DescriptionError: the description does not describe a robot.
    """

    def __init__(self, node: Node, file: str = ''):
        self._node = node
        self._robots: list[PublishedRobot] = []
        self._settings = Parameters(node, self._apply)
        names = declare_parameters(self._settings)
        description = self._read(file, names) if file else ''
        lock = Lock()
        self._updater = Updater(node, lock=lock, own_thread=True, start=False)
        self._static_frames = StaticFrames(node)
        self._static_frames.repeat(self._settings['static_period'])
        self._robots.extend(
            PublishedRobot(
                node, self._settings, self._static_frames, self._updater, lock, name, description)
            for name in names)
        for robot in self._robots:
            robot.start()
        self._updater.start()
        for robot in self._robots:
            robot.follow()
        self._jumps = node.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._rewind)
        self._worker = Worker(node)
        for service in node.services:
            if service.srv_type in (SetParameters, SetParametersAtomically):
                PreparedService(
                    node, service, self._prepare, _refuse, self._worker,
                    lambda request: not _long_texts(request), MAX_WAITING)
        warn_of_unknown(node)

    def end(self) -> None:
        """Stop following the topics."""
        self._worker.end()
        self._updater.end()
        for robot in self._robots:
            robot.end()

    def _read(self, file: str, names: list[str]) -> str:
        """Return the text of the URDF file, or an empty string if the parameter is given."""
        if names != [NAMELESS] or self._settings['description_from_topic']:
            raise StartError(
                f'Unexpected argument {quote(file)}: a URDF file is taken only for a single robot '
                'without description_from_topic')
        if 'robot_description' in getattr(self._node, '_parameter_overrides', ()):
            return ''
        self._node.get_logger().warning(
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
        self._node.get_logger().warning('Time jumped backwards; every joint is published again')


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
