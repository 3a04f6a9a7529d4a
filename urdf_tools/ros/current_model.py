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

"""The robot description at run time: a bad one is rejected, and the last good model stays."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Coroutine
from functools import lru_cache
import time
from typing import Any

from rclpy.callback_groups import ReentrantCallbackGroup
from std_msgs.msg import String

from urdf_tools.formats.converted_document import losses_of
from urdf_tools.formats.loader import shared_robot
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import with_loops_file
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Robot
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import describe
from urdf_tools.ros.base_node import end_workers
from urdf_tools.ros.base_node import Worker
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.process import release_memory_soon
from urdf_tools.ros.topics import ROBOT_DESCRIPTION

MAX_LOGGED = 50
"""Maximum number of problems of a description that are logged one by one."""

REJECTION_SHOWN = 60.0
"""Seconds for which a rejected value of the parameter robot_description is reported."""


class CurrentModel:
    """
    The last good robot, and why a later description was refused.

    :param loops_file: path of a file of loops in addition to those of descriptions, if any.
    :ivar robot: the last good robot, or None before the first.
    :ivar text: the description of that robot.
    :ivar error: why the newest description was refused, or None if it was accepted.
    :ivar rejection: why the latest description that was only proposed was rejected, until the
        next good one.
    :ivar rejected_at: when that was, by ``time.monotonic()``.
    """

    def __init__(self, loops_file: str = '') -> None:
        self._loops_file = loops_file
        self.robot: Robot | None = None
        self.text = ''
        self.error: DescriptionError | None = None
        self.rejection: DescriptionError | None = None
        self.rejected_at = 0.0
        self._checked: tuple[str, Robot] | None = None

    def check(self, text: str) -> Robot:
        """
        Parse a new description without using it yet.

        :raises DescriptionError: it is rejected; see :attr:`rejection`.
        """
        if self._checked is None or self._checked[0] != text:
            try:
                self._checked = text, self.parse(text)
            except DescriptionError as error:
                self.rejection, self.rejected_at = error, time.monotonic()
                raise
            finally:
                release_memory_soon(text, self.text)
        return self._checked[1]

    def parse(self, text: str, source: str = '') -> Robot:
        """
        Return the robot of a description, with the loops of the file.

        :raises DescriptionError: the text does not describe a robot, or the file cannot be read.
        """
        return with_loops_file(parse_description(text, source), self._loops_file)

    def use(self, robot: Robot, text: str) -> None:
        """Use the robot of a description."""
        release_memory_soon(text, self.text)
        self.robot, self.text = robot, text
        self.error = self.rejection = None


def parse_description(text: str, source: str = '') -> Robot:
    """
    Return the robot of a description from a parameter or a topic.

    :param source: the topic that it comes from, for messages.
    :raises DescriptionError: the text does not describe a robot.
    """
    if text.strip() and '<' not in text:
        raise DescriptionError(
            f'{text.strip()[:80]!r} is not a robot description', source=source,
            hint='Pass the text of the URDF file, not its path')
    try:
        return shared_robot(text, source)
    except DescriptionError as error:
        error.source = source
        raise


class DescriptionSubscription:
    """
    Processes each description on the topic ``robot_description`` that differs from the last.

    Of those that arrive while one is processed, only the newest counts.

    :param process: awaited with the text; an exception in it is one of the node.
    :ivar topic: full name of the topic.
    """

    def __init__(
            self, node: BaseNode, process: Callable[[str], Coroutine[Any, Any, None]]):
        self._faults = node.faults
        self._process = process
        self._newest: str | None = None
        self._last: str | None = None
        self._busy = False
        receive: Any = self._receive  # The types of rclpy know no coroutines.
        subscription = node.create_subscription(
            String, 'robot_description', receive, ROBOT_DESCRIPTION,
            callback_group=ReentrantCallbackGroup())
        self.topic = str(subscription.topic_name)

    async def _receive(self, message: String) -> None:
        self._newest = message.data
        if self._busy:
            return
        self._busy = True
        while (text := self._newest) is not None and text != self._last:
            previous, self._last = self._last or '', text
            try:
                await self._process(text)
            except Exception as error:
                self._faults.add(error)
            release_memory_soon(text, previous)
        self._busy = False


class ModelSubscription:
    """
    Follows the topic of a robot description and calls back with each new robot.

    A bad description is logged, and the last good robot stays. Descriptions are parsed in a
    thread, because one of some megabytes takes seconds.

    :param on_robot: called with what ``build`` makes of each new robot.
    :param on_change: called after each new description, good or bad, such as to publish
        diagnostics at once.
    :param log: that of the node by default.
    :param build: called in the thread with each new :class:`Robot` and its description, for what
        takes long; by default it returns the robot.
    :ivar topic: full name of the topic.
    :ivar log: what is logged about descriptions.
    """

    def __init__(
            self, node: BaseNode, model: CurrentModel, on_robot: Callable[[Any], None],
            on_change: Callable[[], None], log: LimitedLog | None = None,
            build: Callable[[Robot, str], Any] = lambda robot, text: robot):
        self._build = build
        self.log = LimitedLog(node.get_logger()) if log is None else log
        self._model = model
        self._on_robot = on_robot
        self._on_change = on_change
        self._worker = Worker(node)
        node.at_end(lambda: end_workers(self._worker))
        self.topic = DescriptionSubscription(node, self._process).topic

    async def _process(self, text: str) -> None:
        try:
            robot, built = await self._worker.run(lambda: self._parse(text))
            log_problems(self.log, robot)
            self._on_robot(built)
            self._model.use(robot, text)
        except DescriptionError as error:
            self._model.error = error
            kept = 'waiting for another' if self._model.robot is None else (
                'keeping the last good one')
            self.log.error(printable(f'New description refused, {kept}: {error}'))
        except Exception as error:
            self._model.error = DescriptionError(f'Internal error: {describe(error)}')
            self._on_change()
            raise
        # Not where the node ends meanwhile, whose publishers are gone.
        self._on_change()

    def _parse(self, text: str) -> tuple[Robot, Any]:
        robot = self._model.parse(text, self.topic)
        return robot, self._build(robot, text)


def log_problems(log: LimitedLog, robot: Robot) -> None:
    """Log what was ignored, repaired or lost; of very many problems, the first and the number."""
    for problem in robot.problems[:MAX_LOGGED]:
        log.warning(printable(f'{problem.message} ({problem.element}, line {problem.line})'))
    lost = [each for each in losses_of(robot) if not each.is_harmless]
    for loss in lost[:MAX_LOGGED]:
        log.warning(printable(f'{loss.message} (line {loss.location("")[1]})'))
    more = len(robot.problems) - MAX_LOGGED
    if more > 0:
        log.warning(f'... and {count(more, "more problem")}; urdf-tools check lists all')


@lru_cache(8)
def _digest(text: str) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of a description."""
    # It loads OpenSSL, which the first frames do not wait for.
    import hashlib
    return hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]


def model_status(model: CurrentModel) -> Status:
    """
    Return which model is in use, and whether the newest description was refused.

    A refused value of the parameter is forgotten after :data:`REJECTION_SHOWN`, because the
    parameter still has its last good one; a refused message is the latest on its topic, so that
    is an error until a good one follows.
    """
    robot, rejection, error = model.robot, model.rejection, model.error
    values: dict[str, object] = {}
    level, message = Level.OK, 'Model loaded'
    if robot is None:
        level, message = Level.WARN, NO_DESCRIPTION
    else:
        values = {
            'Robot': robot.name, 'Root link': robot.root,
            'Links': len(robot.links), 'Joints': len(robot.joints),
            'SHA-256': _digest(model.text)}
        if robot.problems:
            worst = robot.problems[0]
            level, message = Level.WARN, f'The model was repaired: {worst.message}'
            values['Repairs'] = len(robot.problems)
            values['First repair'] = f'line {worst.line}: {worst.message}'
    if rejection is not None and time.monotonic() - model.rejected_at <= REJECTION_SHOWN:
        level = Level.WARN
        message = f'A new description was rejected: {rejection.message}'
        values['Rejected because'] = rejection
    if error is not None:
        level = Level.ERROR
        message = f'The newest description was refused: {error.message}'
        values['Refused because'] = error
        values['Refused at line'] = error.line or 'unknown'
    return Status(level, message, values)
